"""Requests become conversations in which every argument follows from what was said or found."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from botpsy.data.recipe import SourceRecipe
from botpsy.data.sources import Source, open_source
from botpsy.data.sources._seal_results import answer, invent, label
from botpsy.data.sources._seal_tools import Toolbox, read_tool
from botpsy.data.sources._seal_values import ground, loose_ends
from botpsy.data.sources.seal_tools import LICENCE, held_out_tool
from botpsy.data.types import MissingDataError, Row, UnusableError
from botpsy.errors import ConfigError
from tests.data.rows import assert_sound

STRING = {"type": "string", "description": ""}
HIDDEN = next(f"getThing{n}" for n in range(100) if held_out_tool(f"getThing{n}"))


def tool(
    name: str,
    description: str,
    field: str,
    responses: dict[str, str] | None = None,
    **parameters: str,
) -> dict[str, Any]:
    """A tool of the corpus; ``?`` after a type makes a parameter optional."""
    assert name == HIDDEN or not held_out_tool(name)
    return {
        "api_name": name,
        "api_description": description,
        "field": field,
        "parameters": {
            key: {"type": kind.rstrip("?"), "description": f"The {key.replace('_', ' ')}"}
            for key, kind in parameters.items()
        },
        "required": [key for key, kind in parameters.items() if not kind.endswith("?")],
        "responses": {
            key: {"type": kind, "description": f"What {key} came to"}
            for key, kind in (responses or {"summary": "str"}).items()
        },
    }


TOOLS = [
    tool("getTideTimes", "Tell when the tide turns at a harbour", "Science/Seas",
         {"high_water": "str", "height": "float"}, harbour="str", day="str?", gauge="str?"),
    tool("bookBerth", "Reserve a berth in a harbour", "Hospitality/Boats", {"berth_id": "str"},
         harbour="str", nights="int", start="str", length="float?"),
    tool("payBerth", "Pay for a reserved berth", "Hospitality/Boats", {"success": "bool"},
         berth_id="str"),
    tool("scrubHull", "Order the cleaning of a hull", "Hospitality/Boats", {"status": "str"},
         vessel="str"),
    tool("hireKayak", "Hire a kayak by the hour", "Hospitality/Boats", {"price": "float"},
         hours="int"),
    tool("measureSalt", "Measure the salt in a sample of water", "Science/Seas",
         {"grams": "float"}, sample_id="str"),
    tool("countSeals", "Count seals on a shore", "Science/Seas", {"count": "int"}, shore="str"),
    tool(HIDDEN, "Nobody may see this", "Science/Seas", thing="str"),
]  # fmt: skip


def item(number: str, query: str, *calls: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    made, given = [], 0
    returns = {each["api_name"]: len(each["responses"]) for each in TOOLS}
    for name, parameters in calls:
        numbers = range(given, given + returns[name])
        made.append({"api": name, "parameters": parameters,
                     "responses": [f"API_call_{n}" for n in numbers]})  # fmt: skip
        given += returns[name]
    return {"id": number, "query": query, "calling": made}


SINGLE = item(
    "one", "When does the tide turn in Whitby on 3rd May 2021?",
    ("getTideTimes", {"harbour": "whitby", "day": "03/05/2021", "gauge": "north"}),
)  # fmt: skip
PARALLEL = item(
    "two", "Measure the salt in sample Kx9 and count the seals on the north shore.",
    ("countSeals", {"shore": "north shore"}), ("measureSalt", {"sample_id": "Kx9"}),
)  # fmt: skip
NESTED = item(
    "three", "Book a berth in Whitby for two nights from 2021-05-03, and pay for that berth.",
    ("bookBerth", {"harbour": "Whitby", "nights": "2", "start": "2021-05-03"}),
    ("payBerth", {"berth_id": "API_call_0"}),
)  # fmt: skip
ORDERED = item(
    "four", "Once the seals on the south shore are counted, clean the hull of the 'Ada'.",
    ("countSeals", {"shore": "south shore"}), ("scrubHull", {"vessel": "Ada"}),
)  # fmt: skip
VAGUE = item("five", "When does the tide turn in a certain harbour?",
             ("getTideTimes", {"harbour": "harbour"}))  # fmt: skip
UNSAID = item("six", "Hire a kayak for the usual hours.", ("hireKayak", {"hours": 3}))
BAD = {
    "a required value that does not follow from the request": item(
        "b1", "I want to go boating.", ("hireKayak", {"hours": 3})
    ),
    "a value in the request that no call takes": item(
        "b2", "Hire a kayak for 3 hours, and one more for 4.", ("hireKayak", {"hours": 3})
    ),
    "a request that speaks of calls": item(
        "b3", "Use the hireKayak API for 3 hours.", ("hireKayak", {"hours": 3})
    ),
    "the same call twice": item(
        "b4", "Hire a kayak for 3 hours.", ("hireKayak", {"hours": 3}), ("hireKayak", {"hours": 3})
    ),
}
GOOD = [SINGLE, PARALLEL, NESTED, ORDERED, VAGUE, UNSAID]

Open = Callable[..., Source]


@pytest.fixture
def opened(tmp_path: Path) -> Open:
    def write(*items: dict[str, Any], tools: list[dict[str, Any]] = TOOLS) -> Source:
        folder = tmp_path / "seal_tools"
        folder.mkdir(exist_ok=True)
        unused = {"id": "none", "query": "", "calling": [{"api": "none"}]}
        for name, held in (("tool", tools), ("dev", items), ("test_in_domain", [unused])):
            text = "\n".join(json.dumps(each) for each in held)
            (folder / f"{name}.jsonl").write_text(text, "utf-8")
        return open_source(SourceRecipe(name="seal_tools", rows=1), 1, tmp_path)

    return write


def only(source: Source) -> Row:
    assert source.size == 1
    return source.make(0)


def calls(row: Row) -> list[list[tuple[str, dict[str, Any]]]]:
    return [[(call.name, call.arguments) for call in message.calls]
            for message in row.messages if message.calls]  # fmt: skip


def test_rows_are_sound(opened: Open) -> None:
    source = opened(*GOOD)
    rows = [source.make(number) for number in range(60)]
    assert {row.kind for row in rows} == {"single", "parallel", "multi_step", "missing"}
    for row in rows:
        assert_sound(row)
        assert row.licence == LICENCE
        assert (row.difficulty == "simple") == (row.kind == "single")
        called = {call.name for message in row.messages for call in message.calls}
        assert 1 <= len(row.tools) - len(called) <= 4 + (row.kind == "missing")


def test_the_next_time_round_is_in_another_order(opened: Open) -> None:
    source = opened(*GOOD)
    once, again = ([source.make(n + lap * 6).id for n in range(6)] for lap in (0, 1))
    assert sorted(once) == sorted(again) == sorted(f"seal_tools/{each['id']}" for each in GOOD)
    assert all(one != other for one, other in zip(once, again, strict=True))


def test_held_out_tools_are_nowhere(opened: Open) -> None:
    needs_it = item("hidden", "Get the thing Kx9.", (HIDDEN, {"thing": "Kx9"}))
    source = opened(SINGLE, needs_it)
    assert source.size == 1
    assert HIDDEN not in {tool.name for tool in source.pool}
    assert all(HIDDEN not in {t.name for t in source.make(n).tools} for n in range(40))
    assert 0.1 < sum(held_out_tool(f"tool{n}") for n in range(2000)) / 2000 < 0.2


def test_one_call(opened: Open) -> None:
    row = only(opened(SINGLE))
    # Copied as said, the date in one form, and what was never said left out.
    assert calls(row) == [[("getTideTimes", {"harbour": "Whitby", "day": "2021-05-03"})]]
    assert "3rd May 2021 → 2021-05-03" in row.messages[1].reasoning
    assert row.domain == "research"
    assert row.without == {"harbour": "When does the tide turn on 3rd May 2021?"}
    found = json.loads(row.messages[2].content)
    assert list(found) == ["high_water", "height"]
    assert isinstance(found["height"], float)
    assert str(found["height"]) in row.messages[-1].content


def test_several_calls_at_once_in_the_order_of_the_request(opened: Open) -> None:
    row = only(opened(PARALLEL))
    assert calls(row) == [
        [("measureSalt", {"sample_id": "Kx9"}), ("countSeals", {"shore": "north shore"})]
    ]
    assert [message.role for message in row.messages] == ["user", "assistant", "tool", "tool",
                                                          "assistant"]  # fmt: skip


def test_a_result_goes_into_the_next_call(opened: Open) -> None:
    row = only(opened(NESTED))
    (booking,), (payment,) = calls(row)
    assert booking[1] == {"harbour": "Whitby", "nights": 2, "start": "2021-05-03"}
    given = json.loads(row.messages[2].content)["berth_id"]
    assert payment == ("payBerth", {"berth_id": given})
    assert "from the result" in row.messages[3].reasoning
    assert row.kind == "multi_step"


def test_a_result_has_the_type_that_is_needed(opened: Open) -> None:
    changed = json.loads(json.dumps(TOOLS))
    changed[2]["parameters"]["berth_id"]["type"] = "int"
    row = only(opened(NESTED, tools=changed))
    assert isinstance(calls(row)[1][0][1]["berth_id"], int)
    assert_sound(row)


def test_what_was_asked_about_comes_back(opened: Open) -> None:
    changed = json.loads(json.dumps(TOOLS))
    changed[0]["responses"]["harbour"] = {"type": "str", "description": "Where"}
    row = only(opened(SINGLE, tools=changed))
    assert json.loads(row.messages[2].content)["harbour"] == "Whitby"


def test_a_result_that_makes_no_sense_is_not_taken(opened: Open) -> None:
    senseless = item(
        "n", "Tell when the tide turns in Whitby and clean the hull.",
        ("getTideTimes", {"harbour": "Whitby"}), ("scrubHull", {"vessel": "API_call_0"}),
    )  # fmt: skip
    with pytest.raises(UnusableError, match="required value"):
        only(opened(senseless))


def test_what_is_to_come_after_comes_after(opened: Open) -> None:
    assert [[name for name, _ in step] for step in calls(only(opened(ORDERED)))] == [
        ["countSeals"], ["scrubHull"],
    ]  # fmt: skip


@pytest.mark.parametrize(("asked", "thing"), [(VAGUE, "harbour"), (UNSAID, "hours")])
def test_what_is_missing_is_asked(opened: Open, asked: dict[str, Any], thing: str) -> None:
    row = only(opened(asked))
    assert row.kind == "missing"
    assert calls(row) == []
    assert thing in row.messages[-1].content
    assert thing in row.messages[-1].reasoning


@pytest.mark.parametrize("reason", BAD)
def test_an_item_is_refused(opened: Open, reason: str) -> None:
    with pytest.raises(UnusableError) as caught:
        only(opened(BAD[reason]))
    assert caught.value.message == reason


def test_a_request_without_its_value(opened: Open) -> None:
    row = only(opened(item("w", "Please hire a kayak for 3 hours.", ("hireKayak", {"hours": 3}))))
    assert row.without == {}
    row = only(opened(item("w", "Count the seals on Long Strand.",
                           ("countSeals", {"shore": "Long Strand"}))))  # fmt: skip
    assert row.without == {"shore": "Count the seals."}


@pytest.mark.parametrize(
    ("value", "kind", "request_", "found"),
    [
        ("85", "integer", "for 85 minutes", 85),
        ("85", "integer", "room 185, 8.5 or A85", None),
        (85.5, "integer", "for 85.5 minutes", None),
        ("1000", "number", "a budget of $1,000 a year", 1000),
        (0.05, "number", "at 5% a year", 0.05),
        ("3", "integer", "three of them", 3),
        ("1", "integer", "the one I meant", None),
        (30, "integer", "a 30-year-old horse", 30),
        (2021, "integer", "on 2021-05-03", None),
        ("thriller", "string", "some thrillers please", "thrillers"),
        ("RSA", "string", "with rsa", "rsa"),
        ("rats", "string", "no carats", None),
        ("The hull is red.", "string", "write 'the hull is red' on it", "the hull is red"),
        ("Really?", "string", "say 'Really?' to her", "Really?"),
        ("Ada, Bo", "string", 'invite "Ada" and then "Bo"', "Ada, Bo"),
        ("Ada, Cy", "string", 'invite "Ada" and then "Bo"', None),
        ("14:47", "string", "at 2:47 p.m. sharp", "14:47"),
        ("12:30", "string", "at 12:30 am", None),
        ("2:47 pm", "string", "at 2:47 PM", "14:47"),
        ("9:05", "string", "at 9:05", "9:05"),
        ("2020-02-30", "string", "on February 30, 2020", None),
        ("2020-02-03", "string", "on Feb. 3rd, 2020", "2020-02-03"),
        ("", "string", "anything", None),
        (True, "string", "True or not", None),
        (["a"], "string", "a list", None),
        ("a" * 500, "string", "b" * 500, None),
        ("(*[", "string", "a pattern (*[ here", "(*["),
    ],
)
def test_a_value_follows_or_not(value: Any, kind: str, request_: str, found: Any) -> None:
    made = ground(value, "date", {"type": kind}, request_)
    assert (made.value if made else None) == found
    assert made is None or type(made.value) is type(found)


@pytest.mark.parametrize(
    ("value", "right", "wrong"),
    [
        ("192.168.7.4", "server_ip", "description"),
        ("ada@example.org", "email", "colour"),
        ("Kx9pLm2Q", "order_id", "mood"),
        ("2021-05-03", "start_date", "plan"),
    ],
)
def test_a_value_in_the_wrong_place(value: str, right: str, wrong: str) -> None:
    assert ground(value, right, STRING, f"Take {value} for it.")
    assert ground(value, wrong, STRING, f"Take {value} for it.") is None


def test_an_option_is_as_listed() -> None:
    schema = STRING | {"enum": ["left", "right"]}
    made = ground("Left", "side", schema, "the LEFT one")
    assert made
    assert made.value == "left"
    assert ground("middle", "side", schema, "the middle one") is None


@pytest.mark.parametrize("request_", ["in a specific country", "the country", "of your country"])
def test_a_sort_of_thing_is_no_value(request_: str) -> None:
    made = ground("country", "country", STRING, request_)
    assert made
    assert made.vague


def test_what_no_call_takes() -> None:
    request = "Call \"Ada\" and 'Bo' at 5:30 on 2021-05-03, don't ask Cy's 12 dogs about \"Ada\"."
    assert loose_ends(request, [(6, 9)]) == ["'Bo'", "5:30", "2021-05-03", "12"]


def test_near_tools_cannot_do_the_job() -> None:
    twins = [
        tool("findHotels", "Search hotels in a town", "Travel/Rooms", town="str"),
        tool("searchHotelList", "Find hotels of a town", "Travel/Rooms", town="str"),
        tool("cancelHotel", "Call a reservation off", "Travel/Rooms", code="str"),
        tool("rateHotel", "Leave stars for a stay", "Travel/Rooms", code="str"),
        tool("bakeBread", "Bake a loaf", "Food/Bread", town="str"),
    ]
    toolbox = Toolbox(map(read_tool, twins))
    own = [toolbox.tools["findHotels"]]
    for seed in range(20):
        near = toolbox.near(Random(seed), own, 4)
        assert {each.name for each in near} == {"cancelHotel", "rateHotel"}


@given(name=st.text(max_size=20), kind=st.sampled_from(["string", "integer", "number", "boolean"]),
       description=st.text(max_size=40), seed=st.integers(0, 99))  # fmt: skip
def test_invented_results_have_their_type(
    name: str, kind: str, description: str, seed: int
) -> None:
    types = {"string": str, "integer": int, "number": float, "boolean": bool}
    made = invent(Random(seed), name, kind, description)
    assert type(made) is types[kind]
    assert made != ""
    assert made == invent(Random(seed), name, kind, description)


@given(seed=st.integers(0, 99))
def test_an_answer_tells_what_came_out(seed: int) -> None:
    one = answer(Random(seed), [("tide times", {"high_water": "06:15", "height": 4.2})])
    assert "06:15" in one
    assert "4.2" in one
    two = answer(Random(seed), [("seals", {"count": 12}), ("berth", {"success": True})])
    assert "12" in two
    assert "Berth: done" in two
    assert answer(Random(seed), [("berth", {"success": True})])


def test_labels() -> None:
    assert label("searchDNAData") == "search DNA data"
    assert label("eco-friendly_hotels") == "eco friendly hotels"


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError, match=r"tool\.jsonl") as caught:
        open_source(SourceRecipe(name="seal_tools", rows=1), 1, tmp_path)
    assert LICENCE in str(caught.value.hint)
    with pytest.raises(ConfigError, match="speed"):
        open_source(SourceRecipe(name="seal_tools", rows=1, options={"speed": 1}), 1, tmp_path)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(numbers=st.lists(st.integers(0, 500), min_size=2, max_size=6))
def test_the_same_number_gives_the_same_row(opened: Open, numbers: list[int]) -> None:
    source = opened(*GOOD)
    one = {number: source.make(number) for number in numbers}
    other = {number: source.make(number) for number in reversed(numbers)}
    assert one == other
