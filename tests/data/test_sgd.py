"""Dialogues become conversations whose calls and answers follow from what is shown."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from botpsy.data.recipe import SourceRecipe
from botpsy.data.sources import Source, open_source
from botpsy.data.sources._spoken import without
from botpsy.data.sources.sgd import HELD_OUT, LICENCE, moved
from botpsy.data.types import MissingDataError, Row, UnusableError
from botpsy.errors import ConfigError
from tests.data.rows import assert_sound


def slot(name: str, *values: str) -> dict[str, Any]:
    return {
        "name": name,
        "description": f"The {name.replace('_', ' ')}",
        "is_categorical": bool(values),
        "possible_values": list(values),
    }


def intent(
    name: str, required: list[str], optional: dict[str, str], *, acts: bool
) -> dict[str, Any]:
    return {
        "name": name,
        "description": f"{name[:4]} something",
        "is_transactional": acts,
        "required_slots": required,
        "optional_slots": optional,
        "result_slots": [],
    }


SAUNAS = {
    "service_name": "Saunas_1",
    "description": "Saunas by the hour",
    "slots": [
        slot("town"), slot("sauna_name"), slot("visit_date"), slot("visit_time"),
        slot("guests", "1", "2", "3"), slot("has_pool", "True", "False"),
        slot("heat", "mild", "fierce"), slot("price"),
    ],
    "intents": [
        intent("FindSauna", ["town"], {"has_pool": "dontcare", "guests": "1"}, acts=False),
        intent("BookSauna", ["sauna_name", "visit_date", "visit_time", "guests"],
               {"heat": "mild"}, acts=True),
    ],
}  # fmt: skip
BUSES = {
    "service_name": "Buses_1",
    "description": "Coaches",
    "slots": [slot("start"), slot("leaving_date")],
    "intents": [intent("FindBus", ["start", "leaving_date"], {}, acts=False)],
}
ALARM = {
    "service_name": "Alarm_1",
    "description": "Wakes you",
    "slots": [slot("alarm_time")],
    "intents": [intent("AddAlarm", ["alarm_time"], {}, acts=True)],
}
ROWS = [
    {
        "sauna_name": name, "town": "Turku", "has_pool": pool, "price": price, "guests": "2",
    }
    for name, pool, price in (
        ("Löyly", "True", "30"), ("Old Smoke", "False", "24.50"), ("Bay", "True", "18"),
        ("Fifth Stone", "True", "40"), ("Sixth", "False", "12"),
    )
]  # fmt: skip


def act(name: str, slot: str = "", canonical: str = "", said: str = "") -> dict[str, Any]:
    values = [canonical] if canonical else []
    return {
        "act": name, "slot": slot, "canonical_values": values,
        "values": [said] if said else values,
    }  # fmt: skip


def user(
    text: str, state: dict[str, str], *acts: dict[str, Any], service: str = "Saunas_1"
) -> dict[str, Any]:
    frame = {
        "service": service, "actions": list(acts), "slots": [],
        "state": {"active_intent": "", "requested_slots": [],
                  "slot_values": {name: [value] for name, value in state.items()}},
    }  # fmt: skip
    return {"speaker": "USER", "utterance": text, "frames": [frame]}


def system(
    text: str,
    *acts: dict[str, Any],
    call: tuple[str, dict[str, str]] | None = None,
    results: list[dict[str, str]] | None = None,
    service: str = "Saunas_1",
) -> dict[str, Any]:
    frame: dict[str, Any] = {"service": service, "actions": list(acts), "slots": []}
    if call:
        frame["service_call"] = {"method": call[0], "parameters": dict(call[1])}
        frame["service_results"] = results or []
    return {"speaker": "SYSTEM", "utterance": text, "frames": [frame]}


FOUND = {"town": "Turku"}
CHOSEN = FOUND | {"sauna_name": "Fifth Stone"}
WHEN = CHOSEN | {"visit_date": "this Sunday", "visit_time": "half six in the evening",
                 "guests": "2"}  # fmt: skip
BOOKING = ("BookSauna", {"sauna_name": "Fifth Stone", "visit_date": "2019-03-03",
                         "visit_time": "17:30", "guests": "2"})  # fmt: skip


def evening(name: str = "1_00001", *, fails: bool = False) -> dict[str, Any]:
    """Search, another offer, a booking that is asked for and confirmed."""
    turns = [
        user("A sauna for us, please.", {}, act("INFORM_INTENT", "intent", "FindSauna")),
        system("In which town?", act("REQUEST", "town")),
        user("Turku it is.", FOUND, act("INFORM", "town", "Turku")),
        system(
            "I found 5. Löyly has a pool and costs 30.",
            act("INFORM_COUNT", "count", "5"),
            act("OFFER", "sauna_name", "Löyly"),
            act("OFFER", "price", "30"),
            call=("FindSauna", FOUND),
            results=ROWS,
        ),
        user("Something else?", FOUND, act("REQUEST_ALTS")),
        system("Fifth Stone costs 40.", act("OFFER", "sauna_name", "Fifth Stone")),
        user(
            "Good. Book it this Sunday at half six in the evening, for two.",
            WHEN,
            act("SELECT"),
            act("INFORM", "visit_date", "2019-03-03", "this Sunday"),
            act("INFORM", "visit_time", "17:30", "half six in the evening"),
            act("INFORM", "guests", "2", "two"),
        ),
        system(
            "Fifth Stone on March 3rd at 5:30 pm for 2, right?",
            act("CONFIRM", "sauna_name", "Fifth Stone"),
            act("CONFIRM", "visit_date", "2019-03-03", "March 3rd"),
            act("CONFIRM", "visit_time", "17:30", "5:30 pm"),
        ),
        user("Yes.", WHEN, act("AFFIRM")),
        system(
            "That could not be done." if fails else "Booked.",
            act("NOTIFY_FAILURE" if fails else "NOTIFY_SUCCESS"),
            call=BOOKING,
            results=[] if fails else [ROWS[3] | BOOKING[1]],
        ),
    ]
    return {"dialogue_id": name, "services": ["Saunas_1"], "turns": turns}


def coach() -> dict[str, Any]:
    turns = [
        user(
            "I want the bus from Oulu tomorrow.",
            {"start": "Oulu", "leaving_date": "tomorrow"},
            act("INFORM", "start", "Oulu"),
            act("INFORM", "leaving_date", "2019-03-02", "tomorrow"),
            service="Buses_1",
        ),
        system(
            "None goes then.",
            act("NOTIFY_FAILURE"),
            act("REQ_MORE"),
            call=("FindBus", {"start": "Oulu", "leaving_date": "2019-03-02"}),
            service="Buses_1",
        ),
    ]
    return {"dialogue_id": "2_00001", "services": ["Buses_1"], "turns": turns}


def alarm() -> dict[str, Any]:
    turns = [
        user("Wake me at 7.", {"alarm_time": "7"}, service="Alarm_1"),
        system("Done.", call=("AddAlarm", {"alarm_time": "07:00"}), service="Alarm_1"),
    ]
    return {"dialogue_id": "3_00001", "services": ["Alarm_1"], "turns": turns}


Open = Callable[..., Source]


@pytest.fixture
def opened(tmp_path: Path) -> Open:
    def write(*dialogues: dict[str, Any], **options: Any) -> Source:
        folder = tmp_path / "sgd"
        folder.mkdir(exist_ok=True)
        parts = {"train": dialogues or (evening(), coach(), alarm()), "dev": ({},)}
        for part, held in parts.items():
            lines = "\n".join(json.dumps(each) for each in held)
            (folder / f"{part}.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
            schema = [SAUNAS, BUSES] if part == "train" else [BUSES, ALARM]
            (folder / f"{part}_schema.json").write_text(json.dumps(schema), "utf-8")
        recipe = SourceRecipe(name="sgd", rows=1, options={"turns": 5} | options)
        return open_source(recipe, 1, tmp_path)

    return write


def some(source: Source, n: int = 60) -> list[Row]:
    rows = []
    for number in range(n):
        try:
            rows.append(source.make(number))
        except UnusableError:
            continue
    return rows


def whole(source: Source) -> Row:
    return max(some(source), key=lambda row: len(row.messages))


def test_rows_are_sound(opened: Open) -> None:
    rows = some(opened())
    assert {row.kind for row in rows} >= {"single", "multi_turn", "missing", "no_tool"}
    for row in rows:
        assert_sound(row)
        assert row.licence == LICENCE
        assert len(row.tools) > 1


def test_held_out_services_are_nowhere(opened: Open) -> None:
    source = opened(no_tool=0.5)
    assert source.size == 2
    assert "Alarm_1" in HELD_OUT
    for tool in [*source.pool, *(tool for row in some(source) for tool in row.tools)]:
        assert "alarm" not in tool.name.lower()


def test_a_conversation_from_question_to_booking(opened: Open) -> None:
    row = whole(opened(evening(), no_tool=0, missing=0))
    search, booking = (call for message in row.messages for call in message.calls)
    assert search.arguments == FOUND
    values = booking.arguments
    assert values["guests"] == 2
    assert values["visit_time"] == "17:30"
    assert str(values["visit_date"]).endswith("-03")
    thought = next(m.reasoning for m in row.messages if booking in m.calls)
    assert "March 3rd → " in thought or "November 3rd → " in thought
    found, booked = (json.loads(m.content) for m in row.messages if m.role == "tool")
    # The first, the one spoken of later, and one more; what only repeats the question is left out.
    assert found["count"] == 5
    assert [each["sauna_name"] for each in found["results"]] == ["Löyly", "Old Smoke",
                                                                 "Fifth Stone"]  # fmt: skip
    assert found["results"][1] == {
        "sauna_name": "Old Smoke", "has_pool": False, "price": 24.5, "guests": 2,
    }  # fmt: skip
    assert booked["status"] == "success"
    assert row.kind == "multi_turn"
    assert row.messages[0].content.startswith(("Before", "Searching", "Ask"))


def test_a_failure_is_a_result(opened: Open) -> None:
    row = whole(opened(evening(fails=True), no_tool=0, missing=0))
    assert json.loads(row.messages[-2].content) == {"status": "failed"}
    assert row.messages[-1].content == "That could not be done."


def test_nothing_found(opened: Open) -> None:
    row = whole(opened(coach(), no_tool=0))
    assert json.loads(row.messages[-2].content) == {"count": 0, "results": []}
    assert row.kind == "single"
    assert row.difficulty == "simple"
    assert row.without == {}


def test_what_is_missing_is_asked(opened: Open) -> None:
    rows = some(opened(evening(), no_tool=0, missing=1))
    assert {row.kind for row in rows} == {"missing"}
    for row in rows:
        assert [m.role for m in row.messages] == ["system", "user", "assistant"]
        assert row.messages[-1].content == "In which town?"
        assert "town" in row.messages[-1].reasoning


def test_no_tool_for_the_request(opened: Open) -> None:
    for row in some(opened(coach(), no_tool=1)):
        assert row.kind == "no_tool"
        assert all("bus" not in tool.name.lower() for tool in row.tools)
        assert "buses" in row.messages[-1].content
    # A request that could be for anything is not declined.
    assert some(opened(evening(), no_tool=1)) == []


def test_tools_are_typed(opened: Open) -> None:
    pool = {tool.name: tool.parameters for tool in opened().pool}
    book, find = pool["book_sauna"], pool["find_sauna"]
    guests = {"type": "integer", "description": "The guests", "minimum": 1, "maximum": 3}
    assert book["properties"]["guests"] == guests
    assert find["properties"]["guests"] == guests | {"default": 1}
    assert find["properties"]["has_pool"]["type"] == "boolean"
    assert "default" not in find["properties"]["has_pool"]
    assert book["properties"]["heat"]["enum"] == ["mild", "fierce"]
    assert book["properties"]["visit_date"]["format"] == "date"
    assert book["required"] == ["sauna_name", "visit_date", "visit_time", "guests"]


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        ((3, "actions", 1, "canonical_values", 0), "Tenth", "an offer that is in no result"),
        ((3, "actions", 2, "canonical_values", 0), "31", "an offer that is in no result"),
        ((3, "service_call", "parameters", "town"), "Espoo", "a value that was not said"),
        ((3, "service_call", "parameters", "guests"), "1", "an argument that was not said"),
        ((9, "service_call", "parameters", "guests"), "two", "a value of another type"),
        ((9, "service_call", "parameters", "visit_time"), "18:30", "a value that was not said"),
    ],
)
def test_what_does_not_follow_is_refused(
    opened: Open, path: tuple[Any, ...], value: str, reason: str
) -> None:
    dialogue = evening()
    place = dialogue["turns"][path[0]]["frames"][0]
    for step in path[1:-1]:
        place = place[step]
    place[path[-1]] = value
    source = opened(dialogue, no_tool=0, missing=0)
    reasons = []
    for number in range(30):
        try:
            source.make(number)
        except UnusableError as error:
            reasons.append(error.message)
    assert reasons
    assert all(each.startswith(reason) for each in reasons)


def test_words_stay_as_said(opened: Open) -> None:
    """A name for a place is not rewritten; nothing but the corpus knows that Åbo is Turku."""
    dialogue = evening()
    for turn in dialogue["turns"][2:4]:
        turn["utterance"] = turn["utterance"].replace("Turku", "Åbo")
    dialogue["turns"][2]["frames"][0]["actions"][0]["values"] = ["Åbo"]
    row = whole(opened(dialogue, no_tool=0, missing=0))
    assert next(m.calls[0] for m in row.messages if m.calls).arguments == {"town": "Åbo"}


def test_the_day_is_moved() -> None:
    line = '"on March 3rd, in the march of 2019" 2019-03-03 Mar 3 Martha'
    assert moved(line, 2024, 11) == (
        '"on November 3rd, in the november of 2019" 2024-11-03 November 3 Martha'
    )


@pytest.mark.parametrize(
    ("text", "value", "left"),
    [
        ("Find me a bus from Oulu.", "Oulu", "Find me a bus."),
        ("Is there a room in Rome for two?", "Rome", "Is there a room for two?"),
        ('Show the posts by "Ada" please.', "Ada", "Show the posts please."),
        ("Oulu", "Oulu", ""),
        ("Fly from Oulu to Oulu.", "Oulu", ""),
        ("Tell me the Oulu weather.", "Oulu", ""),
        ("I need rooms near Sydney, NSW.", "Sydney", ""),
        ("Go to Oulu and Turku with me.", "Oulu", ""),
    ],
)
def test_a_request_without_its_value(text: str, value: str, left: str) -> None:
    assert without(text, value) == left


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError, match=r"train_schema\.json") as caught:
        open_source(SourceRecipe(name="sgd", rows=1), 1, tmp_path)
    assert LICENCE in str(caught.value.hint)


def test_options(opened: Open) -> None:
    assert opened(services=["Buses_1"]).size == 1
    with pytest.raises(ConfigError, match="no dialogue"):
        opened(services=["Alarm_1"])
    with pytest.raises(ConfigError, match="turns"):
        opened(turns=0)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(numbers=st.lists(st.integers(0, 500), min_size=2, max_size=6))
def test_the_same_number_gives_the_same_row(opened: Open, numbers: list[int]) -> None:
    source = opened()

    def all_of(order: list[int]) -> dict[int, Row | str]:
        made: dict[int, Row | str] = {}
        for number in order:
            try:
                made[number] = source.make(number)
            except UnusableError as error:
                made[number] = error.message
        return made

    assert all_of(numbers) == all_of(numbers[::-1])


def test_services_of_a_benchmark_are_kept_out(tmp_path: Path) -> None:
    from botpsy.data.sources.sgd import IN_A_BENCHMARK, KEPT_OUT

    assert {"Movies_1", "Weather_1"} <= IN_A_BENCHMARK <= KEPT_OUT
