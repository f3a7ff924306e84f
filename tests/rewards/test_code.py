"""The sandbox, and what a hidden test is worth against code that wants points without work."""

from __future__ import annotations

from pathlib import Path

import pytest

from botpsy.chat.types import JsonObject
from botpsy.rewards import FLOOR, sandbox
from botpsy.rewards.code import matches, verify
from botpsy.rewards.sandbox import SandboxError, run

PLUS: JsonObject = {"function": "f", "tests": [[[1], 2], [[5], 6], [[-3], -2]]}


def judged(code: str) -> float:
    return verify(PLUS, f"</think>\n\n```python\n{code}\n```").value


@pytest.mark.parametrize(
    "code",
    [
        "def f(x):\n    return x + 1",
        "f = lambda x: x + 1",
        "def f(x):\n    print('noise', flush=True)\n    return x + 1",
        "import math\nfrom datetime import datetime\n"
        "def f(x):\n"
        "    assert datetime.strptime('2024-02-29', '%Y-%m-%d').strftime('%a') == 'Thu'\n"
        "    return math.floor(x + 1)",
        "import re, random, decimal, statistics, fractions, collections, typing, dataclasses\n"
        "from functools import cache\n"
        "@cache\ndef f(x: int) -> int:\n    return x + 1",
    ],
)
def test_right_code_passes(code: str) -> None:
    assert judged(code) == 1


@pytest.mark.parametrize(
    "code",
    [
        "def f(x):\n    return 2",  # the first test's answer
        "def f(x):\n    return x + 1.0",  # another type
        "def f(x):\n    return str(x + 1)",
        "def f(x): return x +",
        "def f(): return 2",
        "import sys\nsys.exit(0)\ndef f(x): return x + 1",
        "import os\nos._exit(0)\ndef f(x): return x + 1",
        "def f(x):\n    raise SystemExit(0)",
        "def f(x):\n    import os; os.abort()",
        "def f(x):\n    return f(x)",
        "def f(x):\n    return [0] * 10**10",
        "def f(x):\n    print('[true,2]'); return True",
        # equal to everything, had anybody compared inside
        "class Any(int):\n    def __eq__(self, other): return True\n"
        "    __hash__ = None\ndef f(x): return Any()",
        "def f(x):\n    import json; json.dumps = lambda *a, **k: '[true,2]'; return object()",
        # the caller's frames hold inputs and nothing that is expected
        "import sys\ndef f(x):\n    frame = sys._getframe()\n    found = []\n"
        "    while frame:\n        found += [v for v in frame.f_locals.values() if v in (2, 6)]\n"
        "        frame = frame.f_back\n    return found[0]",
        "import gc\ndef f(x):\n    return [o for o in gc.get_objects() if o == [[1], 2]][0][1]",
        # writes results of its own: they are guesses like any others
        "import os\nfor fd in range(3, 9):\n    try: os.write(fd, b'[true,2]\\n' * 3)\n"
        "    except OSError: pass\ndef f(x): return 2",
        "def f(x):\n    import os\n    while True:\n        for fd in range(3, 9):\n"
        "            try: os.write(fd, b'x' * 100000)\n            except OSError: pass",
    ],
)  # fmt: skip
def test_tricks_earn_nothing(code: str) -> None:
    assert judged(code) == 0


@pytest.mark.parametrize(
    "attempt",
    [
        "open('/etc/passwd')",
        "open('mine', 'w')",
        "__import__('os').listdir('/')",
        "__import__('os').stat('/')",
        "__import__('os').fork()",
        "__import__('os').kill(1, 0)",
        "__import__('os').kill(__import__('os').getppid(), 15)",
        "__import__('os').execv('/bin/true', ['true'])",
        "__import__('os').pipe()",
        "__import__('os').setsid()",
        "__import__('time').sleep(60)",
        "__import__('_thread').start_new_thread(print, ())",
        "lock = __import__('_thread').allocate_lock(); lock.acquire(); lock.acquire()",
        "__import__('socket').socket()",
        "__import__('subprocess').run(['true'])",
        "__import__('ctypes').CDLL('/usr/lib/libz.so')",
        "__import__('resource').setrlimit(0, (99, 99))",
    ],
)
def test_nothing_outside_can_be_reached(attempt: str) -> None:
    code = f"def f(x):\n    {attempt}\n    return 'reached'"
    (ran,) = run(code, "f", [[1]])
    assert not ran.ok
    refusals = ("PermissionError", "OSError", "ModuleNotFoundError", "RuntimeError", "ValueError")
    assert ran.why in (*refusals, "no result"), ran


def test_system_calls_beneath_python_are_refused_as_well() -> None:
    code = (
        "import ctypes\ndef f(number):\n"
        "    libc = ctypes.pythonapi\n    libc.syscall.restype = ctypes.c_long\n"
        "    return libc.syscall(number, 0, 0, 0, 0, 0)"
    )
    calls = {"x86_64": (41, 56, 57, 58, 59, 2, 257, 435), "aarch64": (198, 220, 221, 56, 435)}
    numbers = calls[__import__("platform").machine()]
    results = run(code, "f", [[number] for number in numbers])
    assert [each.value for each in results] == [-1] * len(numbers)


def test_endless_work_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "CPU_S", 1)
    ran = run("def f(x):\n    while True: pass", "f", [[1], [2]])
    assert not any(each.ok for each in ran)
    code = "import signal\nsignal.signal(24, signal.SIG_IGN)\ndef f(x):\n    while True: pass"
    assert not run(code, "f", [[1]])[0].ok


def test_what_returns_before_the_end_still_counts() -> None:
    code = "import os\ndef f(x):\n    if x == 2: os._exit(1)\n    return x"
    assert [each.ok for each in run(code, "f", [[1], [2], [3]])] == [True, False, False]


def test_inputs_are_fresh_each_time_and_sets_come_in_one_order() -> None:
    code = "def f(x):\n    x.append(1)\n    return [x, list({'a', 'b', 'c', 'd'})]"
    first = run(code, "f", [[[]], [[]]])
    assert first[0] == first[1] and first[0].value[0] == [1]
    assert run(code, "f", [[[]]])[0] == first[0]


@pytest.mark.parametrize("value", ["{1, 2}", "object()", "b'x'", "float('nan')", "{1: 2}", "1j",
                                   "10 ** 5000", "'\\ud800'"])  # fmt: skip
def test_only_json_comes_back(value: str) -> None:
    ran = run(f"def f(x): return {value}", "f", [[1]])[0]
    assert not ran.ok or ran.value == "\ud800"


def test_tuples_are_lists() -> None:
    assert run("def f(x): return (x, (1,))", "f", [[0]])[0].value == [0, [1]]


def test_without_walls_nothing_is_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sandbox, "_process", lambda request: (b"KeyError('sparc')\n", 0))
    with pytest.raises(SandboxError, match="sparc"):
        run("def f(x): return x", "f", [[1]])


@pytest.mark.parametrize(
    "content",
    [
        "The answer is x + 1.",
        "```python\ndef g(x): return x + 1\n```",
        "```python\ndef f(x): return x\n```\n```python\ndef f(x): return x + 1\n```",
        "```python\ndef f(x): return x + 1",
    ],
)
def test_no_single_function_is_the_floor(content: str) -> None:
    assert verify(PLUS, f"</think>{content}").value == FLOOR


def test_code_without_a_fence_is_code() -> None:
    assert verify(PLUS, "</think>def f(x):\n    return x + 1").value == 1
    assert verify(PLUS, "def f(x): return x + 1\n</think>I am done.").value == FLOOR


def test_typed_equality() -> None:
    assert matches(0.1 + 0.2, 0.3) and matches(1, 1.0)
    assert not matches(True, 1) and not matches(1.0, 1) and not matches("1", 1)
    assert not matches([1, 2], [1]) and not matches({"a": 1}, {"a": 1, "b": 2})
    assert not matches(float("nan"), 1.0) and not matches(True, 1.0)


def test_a_whole_number_beyond_fractional_ones_is_wrong() -> None:
    reference: JsonObject = {"function": "f", "tests": [[[1], 1.5]]}
    code = "</think>```python\ndef f(x): return 10**400\n```"
    assert verify(reference, code).value == 0


def test_many_fences_take_no_time() -> None:
    assert verify(PLUS, "</think>def f(x):1\n" + "```x\n" * 12_000).value == FLOOR
