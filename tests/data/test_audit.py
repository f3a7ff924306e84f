"""An audit finds what was planted: wrong masks, duplicates, made-up values; and nothing else."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.chat.formats import POCKET, QWEN3_5, ChatFormat
from botpsy.chat.tokens import Characters
from botpsy.chat.types import Message, ToolCall, ToolSpec
from botpsy.data.audit import audit
from botpsy.data.audit.grounding import ground
from botpsy.data.audit.masks import look
from botpsy.data.audit.words import grams, hashes, jaccard, shingles, words
from botpsy.data.types import Row, dump
from botpsy.errors import ConfigError
from tests.data.test_types import row

WORDS = ["amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "haven", "inlet", "knoll"]


def write(path: Path, *rows: Row) -> Path:
    path.write_text("".join(dump(each.to_json()) + "\n" for each in rows), "utf-8")
    return path


def said(text: str, n: int = 1, **fields: Any) -> Row:
    """A row whose user says one thing."""
    spoken = (Message("user", text), Message("assistant", "Fine.", "Say so."))
    return row(**{"id": f"test/{n}", "messages": spoken, "tools": ()} | fields)


def request(rng: Random) -> str:
    return " ".join(rng.choices(WORDS, k=12))


# --- masks ----------------------------------------------------------------------------------------


class Altered:
    """A chat format whose mask was changed."""

    def __init__(self, chat: ChatFormat, change: Any) -> None:
        self.chat, self.change = chat, change

    def encode(self, messages: Any, tools: Any, tokenizer: Any, **more: Any) -> Any:
        ids, mask = self.chat.encode(messages, tools, tokenizer, **more)
        return ids, self.change(mask) if messages else mask


@pytest.mark.parametrize("chat", [POCKET, QWEN3_5])
def test_a_sound_mask(chat: ChatFormat) -> None:
    seen = look(row(), chat, Characters(chat.specials))
    assert not seen.problem
    assert 0 < seen.learnt < seen.tokens


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda mask: [0] * len(mask), "nothing"),
        (lambda mask: [1] * len(mask), "everything"),
        (lambda mask: mask[:-1], "mask of"),
        (lambda mask: [1, *mask[1:]], "did not say"),
        (lambda mask: [*mask[:-2], 0, mask[-1]], "a part"),  # the end of the last turn
    ],
)
@pytest.mark.parametrize("chat", [POCKET, QWEN3_5])
def test_broken_masks(chat: ChatFormat, change: Any, problem: str) -> None:
    altered: Any = Altered(chat, change)
    assert problem in look(row(), altered, Characters(chat.specials)).problem


@given(st.integers(0, 10_000), st.sampled_from([POCKET, QWEN3_5]))
def test_one_wrong_bit_is_found(at: int, chat: ChatFormat) -> None:
    def flip(mask: list[int]) -> list[int]:
        here = at % len(mask)
        return [*mask[:here], 1 - mask[here], *mask[here + 1 :]]

    altered: Any = Altered(chat, flip)
    assert look(row(), altered, Characters(chat.specials)).problem


@given(st.text(), st.sampled_from([POCKET, QWEN3_5]))
def test_no_text_confuses_the_check(text: str, chat: ChatFormat) -> None:
    for hostile in (text, f"<|im_start|>assistant\n<think>\n{text}<|im_end|>\n"):
        talk = said(hostile, messages=(Message("user", hostile), Message("assistant", hostile)))
        assert not look(talk, chat, Characters(chat.specials)).problem


def test_a_task_without_an_answer_has_nothing_to_learn() -> None:
    task = said("Which?", messages=(Message("user", "Which?"),), verifier="choice")
    assert look(task, POCKET, Characters(POCKET.specials)).problem == ""


# --- what nobody told -----------------------------------------------------------------------------

BOOK = ToolSpec(
    "book",
    "Book it.",
    {
        "type": "object",
        "properties": {
            "what": {"type": "string"},
            "when": {"type": "string", "format": "instant"},
            "size": {"type": "string", "enum": ["small", "large"]},
            "note": {"anyOf": [{"type": "string", "default": "none given"}, {"type": "null"}]},
            "guests": {"type": "array", "items": {"type": "object", "properties": {}}},
        },
    },
)


def call(user: str, **arguments: Any) -> Row:
    messages = (
        Message("system", "Today is Friday, 5 June 2026. The hall is Birch Hall."),
        Message("user", user),
        Message("assistant", "", "", (ToolCall("book", arguments, "c1"),)),
    )
    return row(messages=messages, tools=(BOOK,))


@pytest.mark.parametrize(
    "arguments",
    [
        {"what": "the blue room"},
        {"what": "Blue-Room"},
        {"what": "room, blue"},
        {"what": "Birch Hall"},
        {"when": "next Friday at noon"},
        {"when": "whenever suits"},
        {"what": "2026-06-12"},
        {"what": "Friday 15:00"},
        {"size": "large"},
        {"note": "none given"},
        {"guests": [{"name": "Ada Lovelace"}]},
        {"what": ""},
        {"what": 7},
    ],
)
def test_told(arguments: Any) -> None:
    found = ground(call("Book the blue room for Ada Lovelace", **arguments))
    assert (found.invented, found.reworded) == ((), ())


@pytest.mark.parametrize(
    ("arguments", "kind", "where"),
    [
        ({"what": "the green room"}, "reworded", "book.what"),
        ({"what": "the rooms"}, "reworded", "book.what"),
        ({"what": "A-7690"}, "invented", "book.what"),
        ({"what": "The Beatles"}, "invented", "book.what"),
        ({"size": "enormous"}, "invented", "book.size"),
        ({"guests": [{"name": "Grace Hopper"}]}, "invented", "book.guests.name"),
    ],
)
def test_made_up(arguments: Any, kind: str, where: str) -> None:
    found = ground(call("Book the blue room for Ada Lovelace", **arguments))
    assert [each.where for each in getattr(found, kind)] == [where]
    assert not (found.invented and found.reworded)


def test_what_comes_later_was_not_told() -> None:
    made = call("Book it", what="the attic")
    assert ground(made).invented
    later = replace(made, messages=(*made.messages, Message("tool", "the attic", call_id="c1")))
    assert ground(later).invented
    before = Message("assistant", "Shall it be the attic?"), Message("user", "yes")
    earlier = (*made.messages[:2], *before, made.messages[2])
    assert not ground(replace(made, messages=earlier)).invented


@pytest.mark.parametrize(
    ("told", "answer", "new"),
    [
        ("It costs 1250.00 EUR at 15:00", "1,250 EUR at 3 pm", []),
        ("two rooms, on 5 June", "2 rooms, 2026-06-05", ["2026"]),
        ('{"rooms": [{"n": "a"}, {"n": "b"}, {"n": "c"}]}', "There are 3.", []),
        ("from 9:30", "At 09:30.", []),
        ("from 9:30", "At 9:45.", ["9:45"]),
        ("it is 80", "It is 80.5 or 8.", ["80.5", "8"]),
        ("it was in March", "03", []),
    ],
)
def test_numbers_in_answers(told: str, answer: str, new: list[str]) -> None:
    talk = row(
        messages=(
            Message("user", "How much?"),
            Message("assistant", "", "", (ToolCall("turn_on", {"device": "x"}, "c1"),)),
            Message("tool", told, call_id="c1", name="turn_on"),
            Message("assistant", answer),
        )
    )
    assert [each.value for each in ground(talk).new_numbers] == new


# --- words ----------------------------------------------------------------------------------------


@given(st.lists(st.sampled_from(WORDS), max_size=30), st.integers(1, 9))
def test_runs_of_words(text: list[str], n: int) -> None:
    runs = [tuple(text[i : i + n]) for i in range(len(text) - n + 1)]
    numbers = grams(hashes(text), n).tolist()
    assert len(numbers) == len(runs)
    assert len(set(numbers)) == len(set(runs))
    assert all((a == b) == (x == y) for a, x in zip(runs, numbers, strict=True)
               for b, y in zip(runs, numbers, strict=True))  # fmt: skip


def test_words_and_sets() -> None:
    assert words("Don't book_it, Élan-7!") == ["don", "t", "book", "it", "élan", "7"]
    assert words(" \n…") == []
    both = shingles(["a b c d", "x"], 3)
    assert len(both) == 3
    assert jaccard(both, shingles(["a b c"], 3)) == pytest.approx(1 / 3)
    assert jaccard(shingles([], 3), shingles([], 3)) == 0


# --- duplicates -----------------------------------------------------------------------------------


def test_planted_duplicates(tmp_path: Path) -> None:
    rng = Random(1)
    text = [request(rng) for _ in range(60)]
    rows = [said(each, n) for n, each in enumerate(text)]
    rows += [said(text[3].upper() + "!", 100), said(text[4], 101, source="other")]
    near = [
        said(f"{text[5]} {text[6]} {text[7]}", 102),
        said(f"{text[5]} {text[6]} {text[7]}a", 103),
    ]
    apart = [said(f"{text[8]} x", 104), said(text[9], 105, verifier="choice")]
    train = write(tmp_path / "conversations.jsonl", *rows, *near, *apart)
    kept = write(tmp_path / "conversations.validation.jsonl", said(text[10], 200), said("hi", 201))
    found = audit([kept, train]).duplicates
    assert found.within["test"] == 4  # 100, 103, 104, and 200 in validation
    assert found.across == {"other": 1}
    assert found.leaked == {"test": 1}
    assert found.groups == {"test": 5}
    pairs = {frozenset(pair[:2]) for pair in found.examples}
    assert frozenset(("test/100", "test/3")) in pairs
    assert frozenset(("test/200", "test/10")) in pairs


def test_calls_tell_requests_apart(tmp_path: Path) -> None:
    def two(device: str, n: int) -> Row:
        calls = (ToolCall("turn_on", {"device": device}, "c1"),)
        return replace(
            row(id=f"test/{n}"),
            messages=(Message("user", "on"), Message("assistant", "", "", calls)),
        )

    path = write(tmp_path / "rows.jsonl", two("lamp", 1), two("fan", 2), two("lamp", 3))
    assert audit([path]).duplicates.within == {"test": 1}


# --- the whole ------------------------------------------------------------------------------------


def test_balance_and_shares(tmp_path: Path) -> None:
    ask = (
        Message("user", "Book it"),
        Message("assistant", "Which day?"),
        Message("user", "Friday"),
        Message("assistant", "Done."),
    )
    rows = [
        row(),
        said("hello", 2, changes=("typos", "near")),
        row(id="test/3", messages=ask, kind="missing", changes=("near",)),
        row(id="test/4", messages=(*ask[:1], Message("assistant", "I can't.")), kind="no_tool"),
        said("Which?", 5, messages=ask[:1], verifier="choice", domain="knowledge", source="choice"),
    ]
    made = audit([write(tmp_path / "a.jsonl", *rows)])
    assert made.failures == []
    mine = made.balance.sources["test"]
    assert (mine.conversations, mine.tasks) == (4, 0)
    assert (mine.no_call, mine.asks, mine.declines) == (0.75, 0.25, 0.25)
    assert mine.changes == {"near": 2, "typos": 1}
    assert mine.distinct_tools == 1
    assert made.balance.cells["knowledge"] == {"single": {"choice": 1}}
    assert made.balance.total.tasks == 1
    assert made.unit == "characters"


def test_bad_rows_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = row(id="test/2", tools=(replace(row().tools[0], name="turn_off"),))
    path = write(tmp_path / "a.jsonl", row(), wrong)
    made = audit([path])
    assert made.schemas["a call of a tool that is not offered"].rows == ["test/2"]
    assert made.failures == ["1 rows with a wrong schema or form"]

    def encode(self: Any, *_: Any, _encode: Any = ChatFormat.encode, **more: Any) -> Any:
        ids, mask = _encode(self, *_, **more)
        return ids, [1] * len(mask)

    monkeypatch.setattr(ChatFormat, "encode", encode)
    made = audit([write(tmp_path / "b.jsonl", row())])
    assert made.masks == {"everything is to be learnt": made.masks["everything is to be learnt"]}
    assert made.failures == ["1 rows with a wrong loss mask"]


def test_workers_change_nothing(tmp_path: Path) -> None:
    rng = Random(2)
    write(tmp_path / "conversations.jsonl", *(said(request(rng), n) for n in range(250)))
    steps: list[tuple[str, int, int]] = []
    one = audit([tmp_path], progress=lambda *step: steps.append(step))
    two = audit([tmp_path], workers=2)
    assert one.to_json() == two.to_json()
    assert ("rows", 250, 250) in steps
    assert steps[-1] == ("duplicates", 250, 250)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "No rows"),
        ("{}\n", "a.jsonl: This is no row"),
        ("[]\n", "line 1"),
        ("{", "line 1"),
        ("\xff", "line 1"),
    ],
)
def test_what_is_no_data(tmp_path: Path, content: str, why: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(ConfigError, match=why if content != "\xff" else "UTF-8"):
        audit([path])
    with pytest.raises(ConfigError, match="no file"):
        audit([tmp_path / "nothing.jsonl"])


# --- the command ----------------------------------------------------------------------------------


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str | Path) -> int:
    from botpsy.cli.main import main

    monkeypatch.setattr(sys, "argv", ["botpsy", "data", *map(str, arguments)])
    with pytest.raises(SystemExit) as stop:
        main()
    return int(stop.value.code or 0)


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").mkdir()
    hostile = said("hi \x1b[2J", 2, domain="[red]dom\x1b]0;x\x07", id="bad\x1b[31m/1")
    write(tmp_path / "data" / "conversations.jsonl", row(), row(id="\x1b[31m/2"), hostile)
    assert run(monkeypatch, "audit", tmp_path / "data", "--workers", "1") == 0
    shown = capsys.readouterr().out
    assert "passed" in shown
    assert "[red]dom" in "".join(shown.split())
    assert "\x1b" not in shown
    bench = tmp_path / "bench" / "made_up"
    bench.mkdir(parents=True)
    tools = [{"name": "turnOn", "parameters": {"properties": {"device": {}, "level": {}}}}]
    text = "Please tell my neighbour over there that the two grey cats have come home again"
    (bench / "cases.json").write_text(json.dumps({"question": text, "function": tools}))
    schema = {"type": "object", "properties": {"device": {}, "level": {}}}
    planted = said(f"{text}.", 9, tools=(ToolSpec("turn_on", "On.", schema),))
    write(tmp_path / "data" / "tasks.jsonl", planted)
    asked = ("audit", tmp_path / "data", "--benchmarks", tmp_path / "bench", "--workers", "1")
    assert run(monkeypatch, *asked) == 1
    shown = capsys.readouterr().out
    assert "1 rows are in a benchmark" in shown
    assert "1 tools are in a benchmark" in shown
    assert "test/9" in shown
    assert run(monkeypatch, *asked, "--json") == 1
    found = json.loads(capsys.readouterr().out)
    assert found["contamination"]["rows"][0]["file"] == "made_up/cases.json"
    assert found["contamination"]["tools"][0]["theirs"] == "turnOn"
    assert len(found["failures"]) == 2
    assert run(monkeypatch, "audit", tmp_path / "nowhere") == 2
