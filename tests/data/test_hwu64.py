"""Spoken requests with slots become calls of botpsy's own tools, or are refused with a reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botpsy.data.recipe import SourceRecipe
from botpsy.data.sources import Source, open_source
from botpsy.data.sources._annotated import number_of, read_item
from botpsy.data.sources._hwu64_finds import expression
from botpsy.data.sources.hwu64 import read_items, row_of
from botpsy.data.types import MissingDataError, Row, UnusableError
from botpsy.errors import ConfigError
from botpsy.worlds.registry import HELD_OUT_TOOLS
from botpsy.worlds.words import declines
from tests.data.rows import assert_sound

REQUESTS = (
    ("alarm", "set", "be so kind: set an alarm for [date : tomorrow] at [time : six am]"),
    ("alarm", "set", "make an alarm for me"),
    ("alarm", "query", "which alarms did we set for [date : tomorrow]"),
    ("alarm", "remove", "drop it, cancel the alarm at [time : five am]"),
    ("audio", "volume_up", "make the sound a little louder"),
    ("audio", "volume_down", "olly lower the volume [change_amount : to twenty percent]"),
    ("audio", "volume_mute", "mute the whole thing"),
    ("calendar", "set", "put a [event_name : roof inspection] on [date : friday] at [time : ten am]"
     " into my calendar"),
    ("calendar", "set", "book a [event_name : budget meeting] with [person : paula]"),
    ("calendar", "query", "what events do i have [date : tomorrow]"),
    ("calendar", "remove", "delete the [event_name : piano recital] on [date : sunday]"),
    ("cooking", "recipe", "i want a recipe for [food_type : onion tart]"),
    ("datetime", "query", "tell me what time it is in [place_name : tokyo]"),
    ("datetime", "convert", "what is the time difference between [place_name : peru] and here"),
    ("email", "query", "do i have unread mails from [person : petra]"),
    ("email", "querycontact", "give me [person : ruben's] [personal_info : phone number]"),
    ("email", "addcontact", "save [email_address : kim@lake dot net] as a new contact"),
    ("email", "sendemail", "please write an email to [relation : mom]"),
    ("general", "joke", "one more joke, i want to laugh"),
    ("general", "praise", "well done, olly."),
    ("general", "repeat", "what did you say just then"),
    ("iot", "cleaning", "have the [device_type : robot] clean the [house_place : floor]"),
    ("iot", "coffee", "brew me a fresh coffee please"),
    ("iot", "hue_lightchange", "[color_type : green] light in the [house_place : bedroom] please"),
    ("iot", "hue_lightdim", "dim the light in the [house_place : kitchen]"),
    ("iot", "hue_lightoff", "all lights off please"),
    ("iot", "wemo_on", "switch the [device_type : heater plug] on"),
    ("lists", "createoradd", "put green tea on the [list_name : shopping] list"),
    ("lists", "query", "read the [list_name : packing] list to me"),
    ("lists", "remove", "take green tea off the [list_name : shopping] list"),
    ("music", "likeness", "mark this song as a favourite"),
    ("music", "query", "what song is playing"),
    ("news", "query", "latest news about the [news_topic : tram strike]"),
    ("play", "game", "let us play [game_name : battleships]"),
    ("play", "music", "play something by [artist_name : the paper kites]"),
    ("play", "podcasts", "skip to the next podcast"),
    ("play", "radio", "tune in to [radio_name : harbour radio] on the radio"),
    ("qa", "currency", "what is the rate of [currency_name : dollars] to [currency_name : euros]"),
    ("qa", "definition", "define [definition_word : estuary]"),
    ("qa", "maths", "work out thirty five times twelve"),
    ("qa", "stock", "what does a share of [business_name : lumen works] cost"),
    ("recommendation", "locations", "find a [business_type : pharmacy] nearby"),
    ("social", "post", "[media_type : tweet] that the ferry is late again"),
    ("takeaway", "order", "order two pizzas for us"),
    ("transport", "query", "[transport_type : train] from [place_name : bergen]"
     " to [place_name : oslo]"
     " [date : tomorrow]"),
    ("transport", "taxi", "i need a [transport_type : taxi]"),
    ("transport", "traffic", "how bad is the traffic"),
    ("weather", "query", "is it going to [weather_descriptor : rain] in [place_name : ghent]"
     " [date : tomorrow]"),
)  # fmt: skip


def corpus(folder: Path, extra: tuple[tuple[str, str, str, str], ...] = ()) -> Path:
    lines = [(str(2 * n + 1), *each) for n, each in enumerate(REQUESTS)]
    (folder / "hwu64").mkdir(parents=True)
    with (folder / "hwu64" / "train.jsonl").open("w", encoding="utf-8") as file:
        for id, scenario, intent, annotated in (*lines, *extra):
            file.write(
                json.dumps(
                    {"answerid": id, "scenario": scenario, "intent": intent,
                     "answer_annotation": annotated}
                ) + "\n"
            )  # fmt: skip
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return corpus(tmp_path_factory.mktemp("corpora"))


def opened(folder: Path, seed: int = 1, **options: Any) -> Source:
    return open_source(SourceRecipe(name="hwu64", rows=1, options=options), seed, folder)


def made(scenario: str, intent: str, annotated: str, seed: int = 3) -> Row:
    return row_of(read_item("1", scenario, intent, annotated), seed)


def calls(row: Row) -> list[tuple[str, dict[str, Any]]]:
    return [(call.name, call.arguments) for message in row.messages for call in message.calls]


def refusal(scenario: str, intent: str, annotated: str) -> str:
    with pytest.raises(UnusableError) as caught:
        made(scenario, intent, annotated)
    return caught.value.message


def test_every_request_becomes_a_sound_row() -> None:
    kinds = set()
    for scenario, intent, annotated in REQUESTS:
        row = made(scenario, intent, annotated)
        assert_sound(row)
        assert 4 <= len(row.tools) <= 8, row.id
        assert not HELD_OUT_TOOLS & {tool.name for tool in row.tools}
        assert row.source == "hwu64"
        assert row.licence == "CC-BY-4.0"
        assert row.messages[0].content.startswith("Today is ")
        assert "olly" not in row.messages[1].content.lower()
        assert "[" not in row.messages[1].content
        if row.kind == "no_tool":
            assert not calls(row)
        else:
            assert calls(row)
        kinds.add(row.kind)
    assert kinds == {"single", "missing", "multi_step", "no_tool"}


def test_slots_become_arguments_as_they_were_said() -> None:
    assert calls(made(*REQUESTS[0])) == [("set_alarm", {"time": "tomorrow at six am"})]
    assert calls(made("weather", "query", REQUESTS[-1][2])) == [
        ("get_weather", {"place": "ghent", "day": "tomorrow"})
    ]
    row = made("audio", "volume_down", "lower the volume [change_amount : to ten percent]")
    assert calls(row) == [("set_volume", {"level": "ten percent"})]
    assert calls(made("qa", "maths", "work out thirty five times twelve")) == [
        ("calculate", {"expression": "35 * 12"})
    ]
    row = made(
        "qa", "currency", "how much is forty [currency_name : usd] in [currency_name : euros]"
    )
    assert calls(row) == [
        ("exchange_rate", {"from_currency": "USD", "to_currency": "EUR", "amount": 40})
    ]


def test_answers_rest_on_the_result() -> None:
    row = made("weather", "query", REQUESTS[-1][2])
    forecast = json.loads(row.messages[-2].content)["forecast"][0]
    assert forecast["sky"] in row.messages[-1].content.lower()
    row = made("qa", "maths", "work out thirty five times twelve")
    assert "420" in row.messages[-1].content


def test_what_is_missing_is_asked_for() -> None:
    row = made("alarm", "set", "make an alarm for me")
    assert row.kind == "missing"
    assert row.messages[2].content.endswith("?")
    assert not row.messages[2].calls
    (call,) = calls(row)
    assert call[0] == "set_alarm"
    assert str(call[1]["time"]).removeprefix("at ") in row.messages[3].content


def test_one_of_several_alarms_is_looked_up_first() -> None:
    row = made("alarm", "remove", "cancel the alarm at [time : five am]")
    (look, _), (stop, arguments) = calls(row)
    assert (look, stop) == ("list_reminders", "cancel_reminder")
    found = json.loads(row.messages[3].content)["set"]
    (right,) = [each["id"] for each in found if "05:00" in each["rings"]]
    assert arguments == {"which": right}


def test_what_no_tool_serves_is_declined() -> None:
    for number in range(20):
        row = made("takeaway", "order", "order two pizzas for us", number)
        assert row.kind == "no_tool"
        assert declines(row.messages[-1].content)
        offered = {tool.name for tool in row.tools}
        assert not offered & {"find_restaurants", "place_order", "web_search", "search_products"}


def test_talk_is_answered_without_a_call() -> None:
    row = made("general", "joke", "tell me a joke")
    assert row.kind == "no_tool"
    assert not declines(row.messages[-1].content) or "?" in row.messages[-1].content


def test_a_known_request_tells_how_it_is_without_a_value() -> None:
    row = made("alarm", "set", "set an alarm for [time : seven am]")
    assert row.without["time"].lower().rstrip(".") == "set an alarm"


@pytest.mark.parametrize(
    ("scenario", "intent", "annotated", "reason"),
    [
        ("alarm", "set", "set an alarm for [time : daybreak]", "clock does not read"),
        ("alarm", "set", "set an alarm for [time : six am] [date : every day]", "clock|one moment"),
        ("alarm", "set", "set an alarm for [time : ten am] on [house_place : deck]", "house_place"),
        ("audio", "volume_up", "raise the volume [change_amount : by twenty]", "step or a level"),
        ("iot", "cleaning", "vacuum the [house_place : bedroom]", "cannot be told|more than"),
        ("iot", "hue_lightchange", "make the lights [color_type : plaid]", "colour"),
        ("iot", "coffee", "make a [coffee_type : flat white]", "coffee_type"),
        ("lists", "createoradd", "add that item to my [list_name : shopping] list", "not named"),
        ("qa", "currency", "how many [currency_name : euros] is one [currency_name : dollar]",
         "order"),
        ("qa", "maths", "what is x if x plus two is five", "patterns"),
        ("datetime", "query", "what time is it in [place_name : nowhereville]", "could not do it"),
        ("transport", "query", "a [transport_type : train] to [place_name : oslo]", "too much"),
        ("play", "music", "play the greatest hits of", "breaks off"),
        ("weather", "query", "will it rain [date : next week]", "more than|stretch"),
        ("general", "whim", "whatever you like", "no tool serves"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(
    scenario: str, intent: str, annotated: str, reason: str
) -> None:
    assert any(part in refusal(scenario, intent, annotated) for part in reason.split("|"))


def test_what_does_not_fit_is_left_out_at_once(tmp_path: Path) -> None:
    extra = (("901", "alarm", "set", "set an alarm on [house_place : deck]"),
             ("903", "play", "music", "play the greatest hits of"),
             ("905", "general", "whim", "whatever you like"))  # fmt: skip
    source = opened(corpus(tmp_path, extra), talk=1.0)
    assert source.size == len(REQUESTS)
    ids = {source.make(number).id.rpartition("/")[2] for number in range(source.size)}
    assert not ids & {"901", "903", "905"}


def test_the_even_half_is_left_alone(tmp_path: Path) -> None:
    extra = (
        ("100", "audio", "volume_mute", "mute the radio in the den"),
        ("102", "audio", "volume_mute", "Mute the kids"),
        ("103", "audio", "volume_mute", "mute the kids"),
        ("null", "audio", "volume_mute", "mute the neighbours"),
    )
    texts = [item.text for item in read_items(corpus(tmp_path, extra) / "hwu64" / "train.jsonl")]
    assert "mute the neighbours" in texts
    assert "mute the radio in the den" not in texts
    assert "mute the kids" not in texts


@settings(max_examples=15, deadline=None)
@given(numbers=st.lists(st.integers(0, 500), min_size=2, max_size=4), seed=st.integers(0, 5))
def test_the_same_number_gives_the_same_row(folder: Path, numbers: list[int], seed: int) -> None:
    def attempt(source: Source, number: int) -> Row | str:
        try:
            return source.make(number)
        except UnusableError as error:
            return error.message

    first, again = (opened(folder, seed, talk=1.0) for _ in range(2))
    rows = [attempt(first, number) for number in numbers]
    assert [attempt(again, number) for number in reversed(numbers)] == rows[::-1]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_any_row_is_sound(folder: Path, number: int) -> None:
    try:
        assert_sound(opened(folder, talk=1.0).make(number))
    except UnusableError:
        return


def test_options(folder: Path) -> None:
    source = opened(folder, intents=["audio/volume_mute"], reasoning=0.0)
    assert source.size == 1
    assert all(not message.reasoning for message in source.make(0).messages)
    with pytest.raises(ConfigError, match="unknown"):
        opened(folder, intents=["audio/whistle"])
    with pytest.raises(ConfigError, match="options"):
        opened(folder, volume=3)


def test_no_corpus_and_a_broken_one(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError, match=r"CC-BY-4.0.*train.jsonl"):
        opened(tmp_path)
    (tmp_path / "hwu64").mkdir()
    (tmp_path / "hwu64" / "train.jsonl").write_text('{"answerid": "1"}\n', "utf-8")
    with pytest.raises(ConfigError, match="does not hold HWU64"):
        opened(tmp_path)


def test_annotations_are_read() -> None:
    item = read_item("1", "a", "b", "hey olly wake me [date : Friday] at [time: five] in the"
                     " [timeofday : morning] ok")  # fmt: skip
    assert item.text == "wake me Friday at five in the morning ok"
    assert [item.text[slot.start : slot.end] for slot in item.slots] == [
        "Friday",
        "five",
        "morning",
    ]
    assert item.when() == "Friday at five in the morning"
    assert read_item("1", "a", "b", "meet in [time : two hours]").when() == "in two hours"
    assert (
        read_item("1", "a", "b", "at [time : ten] see me [date : today]").when() == "today at ten"
    )


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("seven", 7), ("twenty one", 21), ("two hundred and five", 205), ("ninety", 90),
        ("three thousand four hundred", 3400), ("12.5", 12.5), ("17", 17), ("seven twenty", None),
        ("hundred", None), ("", None), ("seven apples", None), ("zero", 0),
    ],
)  # fmt: skip
def test_numbers_in_words(words: str, number: float | None) -> None:
    assert number_of(words) == number


@pytest.mark.parametrize(
    ("words", "sum_"),
    [
        ("what is two hundred divided by ten", "200 / 10"),
        ("the square root of forty nine", "sqrt(49)"),
        ("how much is fifteen percent of eighty", "15% of 80"),
        ("what is left after subtracting four from nine", "9 - 4"),
        ("what is the remainder when nine is divided by four", "9 % 4"),
        ("one plus two minus three", "1 + 2 - 3"),
        ("if seven plus seven", ""),
        ("how many days has a week", ""),
        ("what is ten times", ""),
    ],
)
def test_sums_in_words(words: str, sum_: str) -> None:
    assert expression(words) == sum_
