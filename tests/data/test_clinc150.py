"""One tool among near ones, none of them, or just an answer."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botpsy.chat.schema import gate
from botpsy.data.recipe import SourceRecipe
from botpsy.data.sources import Source, open_source
from botpsy.data.sources._clinc_talk import TALK
from botpsy.data.sources._clinc_tools import TOOLS, Values, filled, result_of
from botpsy.data.sources._clinc_words import ALIKE
from botpsy.data.sources._wording import purpose
from botpsy.data.sources.clinc150 import (
    DOMAINS,
    Corpus,
    Request,
    arguments_of,
    held_out_intent,
    read_corpus,
    row_of,
)
from botpsy.data.types import MissingDataError, Row, UnusableError
from botpsy.errors import ConfigError
from botpsy.worlds.words import declines
from botpsy.worlds.world import all_tools
from tests.data.rows import assert_sound

DOMAIN = {
    "banking": ["balance", "bill_due", "pay_bill", "freeze_account", "transfer", "routing"],
    "credit_cards": ["apr", "new_card", "credit_limit"],
    "utility": ["timer", "alarm", "spelling", "flip_coin", "date"],
    "travel": ["vaccines", "timezone"],
    "small_talk": ["greeting", "tell_joke", "what_can_i_ask_you"],
}
SAID = {
    "balance": ("tell me my balance", "tell me my savings balance", "what is my balance at chase"),
    "bill_due": ("when must i pay the water bill", "when must i pay the bill"),
    "pay_bill": ("pay the gas bill", "please pay my bill"),
    "freeze_account": ("freeze my account", "please freeze it"),
    "transfer": ("move $20 from my savings to my checking", "move money"),
    "routing": ("my routing number please", "the routing number please"),
    "apr": ("what is the apr of my visa", "what is my apr"),
    "new_card": ("i want a new card", "apply for a new card"),
    "credit_limit": ("what is my limit", "tell me my limit"),
    "timer": ("set a timer for ten minutes", "set a timer please"),
    "alarm": ("make an alarm for me", "set an alarm for 6:30 am"),
    "spelling": ("how do i spell otter", "spell otter"),
    "flip_coin": ("flip a coin", "please flip a coin"),
    "date": ("what day is it", "tell me the date"),
    "vaccines": ("which shots do i need for peru", "do i need shots to go there"),
    "timezone": ("the time zone of oslo", "what is the time zone of peru"),
    "greeting": ("hello you", "hi there"),
    "tell_joke": ("tell me a joke", "a joke about otters"),
    "what_can_i_ask_you": ("what can you do", "what can i ask"),
}
NOWHERE = ("how deep is the sea", "who wrote this hymn", "is it good to hum")


def corpus(folder: Path) -> Path:
    (folder / "clinc150").mkdir(parents=True)
    pairs = [[text, intent] for intent, texts in SAID.items() for text in texts]
    data = {
        "train": pairs[::2],
        "val": pairs[1::2],
        "oos_train": [[text, "oos"] for text in NOWHERE[:2]],
        "oos_val": [[text, "oos"] for text in NOWHERE[2:]],
    }
    (folder / "clinc150" / "train_val.json").write_text(json.dumps(data), "utf-8")
    (folder / "clinc150" / "domains.json").write_text(json.dumps(DOMAIN), "utf-8")
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return corpus(tmp_path_factory.mktemp("corpora"))


@pytest.fixture(scope="module")
def known(folder: Path) -> Corpus:
    return read_corpus(folder / "clinc150")


def opened(folder: Path, seed: int = 1, **options: Any) -> Source:
    return open_source(SourceRecipe(name="clinc150", rows=1, options=options), seed, folder)


def request(known: Corpus, text: str) -> Request:
    (found,) = [each for each in known.requests if each.text == text]
    return found


def calls(row: Row) -> list[tuple[str, dict[str, Any]]]:
    return [(call.name, call.arguments) for message in row.messages for call in message.calls]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tell me my savings balance", {"account": "savings"}),
        ("what is my balance at chase", {"bank": "chase"}),
        ("when must i pay the water bill", {"bill": "water"}),
        ("what is the apr of my visa", {"card": "visa"}),
        ("what is my apr", {}),
        ("set an alarm for 6:30 am", {"ring_at": "6:30 am"}),
        ("how do i spell otter", {"word": "otter"}),
        ("which shots do i need for peru", {"country": "peru"}),
    ],
)
def test_values_come_from_the_request(known: Corpus, text: str, expected: dict[str, str]) -> None:
    found = request(known, text)
    assert arguments_of(found, known) == (expected, "")
    row = row_of("call", found, known, Random(4), 1)
    assert_sound(row)
    assert row.kind == "single"
    assert calls(row) == [(TOOLS[found.intent].name, expected)]


@pytest.mark.parametrize(
    "text", ["when must i pay the bill", "do i need shots to go there", "a joke about otters"]
)
def test_what_may_say_more_is_not_called(folder: Path, known: Corpus, text: str) -> None:
    source = opened(folder, decline=0.0, talk=1.0)
    said = [source.make(number).messages[0].content.lower().rstrip(".?") for number in range(200)]
    assert text not in said
    found = request(known, text)
    if found.intent in TOOLS:
        with pytest.raises(UnusableError):
            arguments_of(found, known)


def test_a_word_that_is_rare_in_an_intent_may_be_a_value() -> None:
    usual = {"balance": frozenset(("tell", "me", "my", "balance"))}
    corpus = Corpus((), {"balance": "banking"}, usual)
    assert arguments_of(Request("tell me my balance", "balance", 0), corpus) == ({}, "")
    with pytest.raises(UnusableError, match="rare"):
        arguments_of(Request("tell me my otterbank balance", "balance", 0), corpus)
    usual["balance"] |= {"walmart", "phone"}
    for brand in ("walmart", "phone"):
        with pytest.raises(UnusableError, match="no argument"):
            arguments_of(Request(f"tell me my {brand} balance", "balance", 0), corpus)


def test_a_missing_value_is_asked_for(known: Corpus) -> None:
    for seed in range(8):
        row = row_of("call", request(known, "make an alarm for me"), known, Random(seed), 1)
        assert_sound(row)
        assert row.kind == "missing"
        assert row.messages[1].content.endswith("?")
        ((_, arguments),) = calls(row)
        assert str(arguments["ring_at"]) in row.messages[2].content


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 3))
def test_any_row_is_sound(folder: Path, number: int, seed: int) -> None:
    row = opened(folder, seed, decline=0.3, talk=1.0).make(number)
    assert_sound(row)
    assert 4 <= len(row.tools) <= 10
    assert len({tool.name for tool in row.tools}) == len(row.tools)
    assert row.source == "clinc150"
    assert row.licence == "CC-BY-3.0"
    intent = row.group.removeprefix("clinc150.")
    assert intent == "none" or not held_out_intent(intent)
    answer = row.messages[-1].content
    assert "{" not in answer
    if row.proof == "no tool on offer serves it":
        assert declines(answer), answer
        assert intent == "none" or TOOLS[intent].name not in {tool.name for tool in row.tools}
    if row.kind == "no_tool":
        assert not calls(row)
    else:
        barred = {TOOLS[n].name for names in ALIKE if intent in names for n in names}
        assert {tool.name for tool in row.tools} & barred <= {TOOLS[intent].name}


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(0, 10**6), min_size=2, max_size=4))
def test_the_same_number_gives_the_same_row(folder: Path, numbers: list[int]) -> None:
    first, again = opened(folder), opened(folder)
    rows = [first.make(number) for number in numbers]
    assert [again.make(number) for number in reversed(numbers)] == rows[::-1]


def test_held_out_intents_are_nowhere(folder: Path) -> None:
    held = [name for name in (*TOOLS, *TALK) if held_out_intent(name)]
    assert 0.1 <= len(held) / len({*TOOLS, *TALK}) <= 0.2
    names = {TOOLS[name].name for name in held if name in TOOLS}
    source = opened(folder, decline=0.3)
    assert not names & {tool.name for tool in source.pool}
    for number in range(60):
        assert not names & {tool.name for tool in source.make(number).tools}


def test_every_line_of_the_table_is_whole() -> None:
    assert len(TOOLS) == 130
    names = [tool.name for tool in TOOLS.values()]
    assert len(set(names)) == len(names)
    assert not set(names) & set(all_tools())
    assert not gate([tool.spec for tool in TOOLS.values()]).refused
    for intent, tool in TOOLS.items():
        assert len(tool.description) <= 100, intent
        assert tool.description.endswith("."), intent
        assert purpose(tool.spec), intent
        assert "the user" not in purpose(tool.spec), intent
        re.compile(tool.never)
        for parameter in tool.parameters.values():
            assert parameter.pattern.groups == 1, intent
        arguments = {name: "otter" for name, each in tool.parameters.items() if each.needed}
        for seed in range(3):
            values = Values(Random(seed), arguments)
            result = result_of(tool, values)
            assert result, intent
            for answer in tool.answers:
                assert "{" not in filled(answer, values)
        if tool.question:
            assert tool.question.parameter in tool.parameters
    assert all(name in TOOLS for names in ALIKE for name in names)


def test_answers_say_what_results_say() -> None:
    values = Values(Random(1), {})
    tool = TOOLS["transactions"]
    rows, answer = result_of(tool, values)["transactions"], filled(tool.answers[0], values)
    assert isinstance(rows, list)
    assert all(str(row).split()[-1] in answer for row in rows)
    assert values["item"] != values["item2"]
    assert Values(Random(1), {"word": "otter"})["word_letters"] == "O-T-T-E-R"


def test_talk_is_answered(known: Corpus) -> None:
    for intent in ("greeting", "tell_joke", "what_can_i_ask_you"):
        if held_out_intent(intent):
            continue
        row = row_of("talk", request(known, SAID[intent][0]), known, Random(2), 1)
        assert row.kind == "no_tool"
        assert not calls(row)
        assert row.domain == DOMAINS["small_talk"]


def test_options(folder: Path) -> None:
    none = opened(folder, decline=0.0, talk=0.0, reasoning=0.0)
    rows = [none.make(number) for number in range(none.size)]
    assert {row.group for row in rows if row.kind == "no_tool"} == {"clinc150.none"}
    assert not any(message.reasoning for row in rows for message in row.messages)
    with pytest.raises(ConfigError, match="options"):
        opened(folder, decline=2)


def test_no_corpus_and_a_broken_one(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError, match=r"CC-BY-3.0.*train_val.json"):
        opened(tmp_path)
    (tmp_path / "clinc150").mkdir()
    for name in ("train_val.json", "domains.json"):
        (tmp_path / "clinc150" / name).write_text("[]", "utf-8")
    with pytest.raises(ConfigError, match="does not hold CLINC150"):
        opened(tmp_path)
