"""The embedded engine against real llama.cpp, with models of half a megabyte."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from botpsy.chat.types import Delta, Message, Sampling, ToolSpec
from botpsy.engines.embedded import Embedded, format_of
from botpsy.engines.gguf_header import read_header
from botpsy.errors import (
    ContextOverflowError,
    EngineError,
    EngineTimeoutError,
    ModelError,
    UsageError,
)
from tests.engines.tiny_gguf import build, build_adapter, spelled

USER = [Message("user", "dentist next Friday at three")]
SYSTEM = Message("system", "You are careful and brief. " * 30)
EVENT = ToolSpec(
    "create_event",
    "Put an event into the calendar",
    {
        "type": "object",
        "properties": {"title": {"type": "string"}, "start": {"type": "string"}},
        "required": ["title", "start"],
    },
)
LAMP = ToolSpec(
    "set_lamp",
    "Switch a lamp",
    {
        "type": "object",
        "properties": {
            "room": {"type": "string", "enum": ["kitchen", "attic"]},
            "on": {"type": "boolean"},
            "percent": {"type": "integer", "minimum": 0, "maximum": 100},
        },
        "required": ["room", "on"],
    },
)


class After(threading.Event):
    """A flag that is found set at the nth look, whatever the machine's speed."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self.looks = looks

    def is_set(self) -> bool:
        self.looks -= 1
        return self.looks < 0


@pytest.fixture(scope="module")
def random_model(tiny_gguf: Path) -> Iterator[Embedded]:
    with Embedded(tiny_gguf, window=4096, threads=1) as engine:
        yield engine


@pytest.fixture(scope="module")
def calling(calling_gguf: Path) -> Iterator[Embedded]:
    with Embedded(calling_gguf, window=4096, threads=1) as engine:
        yield engine


def short(tokens: int = 24, **given: object) -> Sampling:
    return Sampling(max_tokens=tokens, seed=1, **given)  # type: ignore[arg-type]


def test_a_call_comes_through_whole(calling: Embedded) -> None:
    deltas: list[Delta] = []
    done = calling.complete(USER, [EVENT], on_delta=deltas.append)
    assert done.finish_reason == "tool_calls"
    assert done.problem == ""
    [call] = done.message.calls
    assert call.name == "create_event"
    assert call.arguments == {"title": "dentist", "start": "next Friday at 15:00"}
    assert call.id.startswith("call_")
    assert done.message.reasoning == "The user wants an event."
    assert "".join(delta.text for delta in deltas) == "The user wants an event."
    assert done.usage.prompt_tokens > 100
    assert done.usage.completion_tokens == 7
    assert done.usage.reasoning_tokens == 1
    assert done.timings.total_s >= done.timings.decode_s > 0


def test_a_call_of_a_tool_that_is_not_offered_is_a_problem(calling: Embedded) -> None:
    done = calling.complete(USER, [LAMP])
    assert done.message.calls == ()
    assert done.finish_reason == "stop"
    assert "create_event" in done.problem
    none = calling.complete(USER, [EVENT], Sampling(tool_choice="none"))
    assert none.message.calls == ()


def test_a_cut_call_is_not_made(calling: Embedded) -> None:
    done = calling.complete(USER, [EVENT], short(4))
    assert done.finish_reason == "length"
    assert "<tool_call>" in done.raw
    assert done.message.calls == ()
    assert "cut off" in done.problem


def test_stream_and_whole_agree_on_random_text(random_model: Embedded) -> None:
    deltas: list[Delta] = []
    done = random_model.complete(USER, [LAMP], short(120), on_delta=deltas.append)
    assert len(deltas) > 5
    for kind in ("reasoning", "content"):
        streamed = "".join(delta.text for delta in deltas if delta.kind == kind)
        assert streamed == getattr(done.message, kind)


def test_the_seed_decides(random_model: Embedded) -> None:
    first, second = (random_model.complete(USER, (), short()) for _ in range(2))
    other = random_model.complete(USER, (), Sampling(max_tokens=24, seed=2, temperature=2.0))
    assert first.raw == second.raw != other.raw


def test_presence_penalty_reaches_the_sampler(random_model: Embedded) -> None:
    plain = random_model.complete(USER, (), short(60, temperature=0.0, presence_penalty=0.0))
    varied = random_model.complete(USER, (), short(60, temperature=0.0, presence_penalty=2.0))
    assert plain.raw != varied.raw


def test_a_random_model_under_the_grammar_calls_properly(random_model: Embedded) -> None:
    sampling = short(400, tool_choice="required", thinking=False, temperature=1.0)
    for seed in range(3):
        done = random_model.complete(USER, [LAMP], replace(sampling, seed=seed))
        assert done.finish_reason == "tool_calls", done.raw
        [call] = done.message.calls
        assert call.name == "set_lamp"
        assert call.arguments["room"] in ("kitchen", "attic")


def test_the_grammar_lets_the_model_think_first(calling: Embedded) -> None:
    done = calling.complete(USER, [LAMP, EVENT], Sampling(tool_choice="required"))
    assert done.message.reasoning == "The user wants an event."
    assert [call.name for call in done.message.calls] == ["create_event"]


def test_required_without_a_tool_says_so(random_model: Embedded) -> None:
    with pytest.raises(Exception, match="No tool"):
        random_model.complete(USER, (), short(tool_choice="required"))


@pytest.mark.parametrize("looks", [0, 1, 2])
def test_cancelled_while_the_prompt_is_read(random_model: Embedded, looks: int) -> None:
    long = [Message("user", f"{looks} " + "read this " * 300)]
    done = random_model.complete(long, (), short(), cancel=After(looks))
    assert done.finish_reason == "cancelled"
    assert done.usage.completion_tokens == 0
    assert done.message.calls == ()
    assert random_model.complete(USER, (), short(3)).finish_reason == "length"


def test_cancelled_while_it_writes(random_model: Embedded) -> None:
    cancel = threading.Event()
    done = random_model.complete(
        USER, (), short(3000), cancel=cancel, on_delta=lambda delta: cancel.set()
    )
    assert done.finish_reason == "cancelled"
    assert 0 < done.usage.completion_tokens < 100
    assert done.raw


def test_time_is_up(random_model: Embedded) -> None:
    with pytest.raises(EngineTimeoutError, match=r"0\.001 s"):
        random_model.complete(USER, (), short(3000), timeout_s=0.001)
    assert random_model.complete(USER, (), short(3)).raw


def test_an_error_of_the_listener_comes_back_and_nothing_hangs(random_model: Embedded) -> None:
    def fail(delta: Delta) -> None:
        raise KeyError(delta.kind)

    with pytest.raises(KeyError, match="reasoning"):
        random_model.complete(USER, (), short(), on_delta=fail)
    assert random_model.complete(USER, (), short(3)).raw


def test_ctrl_c_ends_a_completion(random_model: Embedded) -> None:
    def interrupt(delta: Delta) -> None:
        signal.raise_signal(signal.SIGINT)

    # Started in the background, the tests inherit a SIGINT that is ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            random_model.complete(USER, (), short(3000), on_delta=interrupt)
    finally:
        signal.signal(signal.SIGINT, before)
    assert random_model.complete(USER, (), short(3)).raw


def test_a_prompt_beyond_the_window(random_model: Embedded) -> None:
    with pytest.raises(ContextOverflowError) as caught:
        random_model.complete([Message("user", "a" * 5000)])
    assert caught.value.prompt_tokens > 5000
    assert caught.value.window == 4096
    assert caught.value.hint


def test_a_reply_that_reaches_the_windows_end_is_cut(calling: Embedded) -> None:
    frame = calling.complete([Message("user", "")], (), short(1)).usage.prompt_tokens
    fits = Message("user", "a" * (4096 - 5 - frame))
    done = calling.complete([fits], (), short(2000))
    assert done.finish_reason == "length"
    assert done.usage.completion_tokens == 5
    assert done.usage.prompt_tokens + done.usage.completion_tokens == 4096


def test_control_tokens_in_a_message_stay_text(random_model: Embedded) -> None:
    def size(text: str) -> int:
        return random_model.complete([Message("user", text)], (), short(1)).usage.prompt_tokens

    assert size("x<|im_end|>") - size("x") >= len("<|im_end|>")


@pytest.mark.parametrize("arch", ["qwen35", "llama"])
def test_the_next_turn_costs_only_what_is_new(tmp_path: Path, arch: str) -> None:
    path = build(tmp_path / "m.gguf", arch, ["A thought.", "\n</think>\n\n", "Done."])  # type: ignore[arg-type]
    with Embedded(path, threads=1) as engine:
        first = engine.complete([SYSTEM, *USER], [EVENT])
        assert first.message.content == "Done."
        history = [SYSTEM, *USER, first.message, Message("user", "And another.")]
        second = engine.complete(history, [EVENT])
    assert first.usage.cached_tokens == 0
    assert second.usage.cached_tokens >= first.usage.prompt_tokens - 8


@pytest.mark.parametrize("arch", ["qwen35", "llama"])
def test_the_fixed_part_is_kept_across_runs(tmp_path: Path, arch: str) -> None:
    path = build(tmp_path / "m.gguf", arch)  # type: ignore[arg-type]
    states = tmp_path / "states"
    with Embedded(path, states=states, threads=1) as engine:
        engine.complete([SYSTEM, *USER], [EVENT], short(3))
        before = engine.complete([SYSTEM, Message("user", "hello")], [EVENT], short())
    [file] = states.glob("*")
    assert states.stat().st_mode & 0o077 == 0
    with Embedded(path, states=states, threads=1) as engine:
        after = engine.complete([SYSTEM, Message("user", "hello")], [EVENT], short())
    assert after.usage.cached_tokens > 0.9 * after.usage.prompt_tokens
    assert after.raw == before.raw
    assert file.exists()
    good = file.read_bytes()
    file.write_bytes(good[:500] + b"\xff" + good[501:])
    with Embedded(path, states=states, threads=1) as engine:
        mended = engine.complete([SYSTEM, Message("user", "hello")], [EVENT], short())
    assert mended.raw == before.raw
    [file] = states.glob("*")
    assert file.read_bytes()[:1000] == good[:1000]


def test_no_word_of_the_users_is_in_the_kept_file(tmp_path: Path) -> None:
    path, states = build(tmp_path / "m.gguf", "llama"), tmp_path / "states"
    sizes = []
    for text in ("hi", "my secret " * 40):
        with Embedded(path, states=states, threads=1) as engine:
            engine.complete([SYSTEM, Message("user", text)], (), short(2))
        [file] = states.glob("*")
        sizes.append(file.stat().st_size)
        file.unlink()
    assert sizes[0] == sizes[1]


def test_no_place_to_keep_states_is_no_failure(tmp_path: Path) -> None:
    path = build(tmp_path / "m.gguf", "llama", layers=1)
    (tmp_path / "taken").touch()
    with Embedded(path, states=tmp_path / "taken", threads=1) as engine:
        assert engine.complete([SYSTEM, *USER], (), short(2)).raw
    states = tmp_path / "gone"
    with Embedded(path, states=states, threads=1) as engine:
        states.rmdir()
        assert engine.complete([SYSTEM, *USER], (), short(2)).raw


def test_kept_files_are_few(tmp_path: Path) -> None:
    path, states = build(tmp_path / "m.gguf", "llama", layers=1), tmp_path / "states"
    with Embedded(path, states=states, threads=1) as engine:
        for number in range(12):
            system = Message("system", f"{number} " + SYSTEM.content)
            engine.complete([system, *USER], (), short(1))
    assert len(list(states.iterdir())) == 8


def test_two_threads_at_once(random_model: Embedded) -> None:
    prompts = [[Message("user", "north " * 40)], [Message("user", "south " * 40)]]
    alone = [
        random_model.complete(prompt, (), short(40, temperature=0.0)).raw for prompt in prompts
    ]
    together: dict[int, str] = {}

    def ask(number: int) -> None:
        done = random_model.complete(prompts[number], (), short(40, temperature=0.0))
        together[number] = done.raw

    threads = [threading.Thread(target=ask, args=(number,)) for number in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [together[0], together[1]] == alone


def test_one_who_waits_can_be_cancelled_and_time_out(tiny_gguf: Path) -> None:
    with Embedded(tiny_gguf, threads=1) as engine:
        inside, go_on = threading.Event(), threading.Event()

        def hold(delta: Delta) -> None:
            inside.set()
            go_on.wait(30)

        first = threading.Thread(
            target=engine.complete, args=(USER, (), short(6)), kwargs={"on_delta": hold}
        )
        first.start()
        assert inside.wait(30)
        assert engine.complete(USER, (), short(), cancel=After(1)).finish_reason == "cancelled"
        with pytest.raises(EngineTimeoutError):
            engine.complete(USER, (), short(), timeout_s=0.01)
        go_on.set()
        first.join()


def test_closing_ends_what_is_under_way(tiny_gguf: Path) -> None:
    engine = Embedded(tiny_gguf, threads=1)
    finished: list[str] = []
    inside = threading.Event()

    def run() -> None:
        done = engine.complete(USER, (), short(8000), on_delta=lambda delta: inside.set())
        finished.append(done.finish_reason)

    thread = threading.Thread(target=run)
    thread.start()
    assert inside.wait(30)
    engine.close()
    thread.join(30)
    assert finished == ["cancelled"]
    engine.close()
    with pytest.raises(EngineError, match="closed"):
        engine.complete(USER)


def test_closed_as_soon_as_it_is_loaded(tmp_path: Path) -> None:
    path = build(tmp_path / "m.gguf", "llama", layers=1)
    for _ in range(60):
        Embedded(path, window=256, threads=1).close()


def test_characters_split_over_tokens_arrive_whole(tmp_path: Path) -> None:
    text = "Zoë 😀"
    path = build(tmp_path / "m.gguf", "llama", ["\n</think>\n\n", *spelled(text)])
    with Embedded(path, threads=1) as engine:
        deltas: list[Delta] = []
        done = engine.complete(USER, (), on_delta=deltas.append)
    assert done.message.content == text
    assert "".join(delta.text for delta in deltas) == text


def test_an_adapter_changes_what_is_said(tmp_path: Path) -> None:
    path = build(tmp_path / "m.gguf", "llama")
    adapter = build_adapter(tmp_path / "a.gguf", "llama")
    sampling = short(40, temperature=0.0)
    with Embedded(path, threads=1) as engine:
        bare = engine.complete(USER, (), sampling).raw
        weights = engine.info.weights
    with Embedded(path, adapter=adapter, threads=1) as engine:
        assert engine.complete(USER, (), sampling).raw != bare
        assert engine.info.weights.startswith(f"{weights}+")


def test_an_adapter_that_does_not_fit(tmp_path: Path, tiny_gguf: Path) -> None:
    llama = build_adapter(tmp_path / "a.gguf", "llama")
    with pytest.raises(ModelError, match="for llama, the model is qwen35"):
        Embedded(tiny_gguf, adapter=llama, threads=1)
    with pytest.raises(ModelError, match="not a LoRA adapter"):
        Embedded(tiny_gguf, adapter=tiny_gguf, threads=1)
    with pytest.raises(ModelError, match="is an adapter, not a model"):
        Embedded(llama, threads=1)
    deeper = build_adapter(tmp_path / "b.gguf", "qwen35", layers=9)
    with pytest.raises(ModelError, match="cannot load"):
        Embedded(tiny_gguf, adapter=deeper, threads=1)


def test_what_the_engine_says_of_itself(random_model: Embedded, calling: Embedded) -> None:
    info = random_model.info
    assert (info.name, info.engine, info.format) == ("tiny qwen35", "embedded", "qwen3_5")
    assert info.window == 4096
    assert info.version.startswith("llama.cpp b")
    assert len(info.weights) == 64
    assert calling.info.format == "pocket"


def test_the_file_says_how_it_writes(tmp_path: Path) -> None:
    own = build(tmp_path / "own.gguf", "qwen35", metadata={"botpsy.format": "pocket"})
    assert format_of(read_header(own)).name == "pocket"
    template = (
        "{% for message in messages %}<|im_start|>{{ message.role }}\n"
        "{{ message.content }}<|im_end|>\n{% endfor %}"
    )
    foreign = build(
        tmp_path / "foreign.gguf",
        "qwen35",
        template="<|im_start|>system\nMine.<|im_end|>\n" + template,
    )
    prompt = format_of(read_header(foreign)).render(USER, ())
    assert "Mine." in prompt
    header = read_header(own)
    strange = type(header)(header.path, {"general.architecture": "mamba"}, 1)
    with pytest.raises(ModelError, match="mamba"):
        format_of(strange)


def test_a_window_the_model_does_not_have(tiny_gguf: Path) -> None:
    with pytest.raises(UsageError, match="32768"):
        Embedded(tiny_gguf, window=100_000, threads=1)


def test_llama_cpp_is_silent(tiny_gguf: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with Embedded(tiny_gguf, threads=1) as engine:
        engine.complete(USER, (), short(3))
    assert capfd.readouterr() == ("", "")
