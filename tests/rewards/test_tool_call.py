"""Calls against gold calls: numbers worked out by hand, properties, and attacks."""

from __future__ import annotations

import time
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.chat.formats import POCKET, QWEN3_5
from botpsy.chat.parser import read
from botpsy.chat.schema import check_arguments
from botpsy.chat.types import FinishReason, Json, JsonObject, Message, ToolCall, ToolSpec
from botpsy.errors import SchemaError, UsageError
from botpsy.rewards import verifier
from botpsy.rewards.matching import equal
from botpsy.rewards.tool_call import FLOOR, MAX_CALLS, binary, prepare, score, verify


def tool(name: str, required: Sequence[str] = (), **properties: Any) -> ToolSpec:
    schema = {"type": "object", "properties": properties, "required": [*required]}
    return ToolSpec(name, "", schema)


TEXT, FLAG = {"type": "string"}, {"type": "boolean"}
TOOLS = (
    tool("look", ["city"], city=TEXT, days={"type": "integer"}, units={"enum": ["metric", "us"]}),
    tool(
        "send", ["to", "text"], to=TEXT, text=TEXT, urgent=FLAG,
        labels={"type": "array", "items": TEXT},
    ),
    tool("ping"),
    tool("free", anything={}, many={"type": "array"}),
)  # fmt: skip
SPECS = {spec.name: spec for spec in TOOLS}


def call(name: str, /, **arguments: Any) -> ToolCall:
    return ToolCall(name, arguments)


def gold(*calls: ToolCall | JsonObject, **more: Any) -> JsonObject:
    tools: list[Json] = [
        {"name": spec.name, "description": "", "parameters": spec.parameters} for spec in TOOLS
    ]
    return {"tools": tools, "calls": [plain(each) for each in calls], **more}


def plain(each: ToolCall | JsonObject) -> JsonObject:
    if isinstance(each, ToolCall):
        return {"name": each.name, "arguments": each.arguments}
    return each


def reply(*calls: ToolCall, content: str = "", reasoning: str = "Clear.") -> str:
    return POCKET.reply(Message("assistant", content, reasoning, calls), TOOLS)


def worth(reference: JsonObject, *calls: ToolCall) -> float:
    return verify(reference, reply(*calls)).value


# By hand: (1 + shared / all + right) / (2 + all), one more below where the schema refuses


@pytest.mark.parametrize(
    ("wanted", "made", "share"),
    [
        (call("look", city="Oslo", days=2), call("look", city="Oslo", days=2), 1),
        (call("look", city="Oslo", days=2), call("look", days=2, city="Oslo"), 1),
        (call("look", city="Oslo", days=2), call("look", city="Oslo", days=3), 3 / 4),
        (call("look", city="Oslo", days=2), call("look", city="Rome", days=3), 2 / 4),
        (call("look", city="Oslo", days=2), call("look", city="Oslo"), (1 + 1 / 2 + 1) / 4),
        (call("look", city="Oslo"), call("look", city="Oslo", days=2), (1 + 1 / 2 + 1) / 4),
        (call("look", city="Oslo"), call("look", city="Oslo", sky="x"), (1 + 1 / 2 + 1) / 5),
        (call("look", city="Oslo"), call("look"), 1 / 4),
        (call("look", city="Oslo", units="us"), call("look", city="Oslo", units="u"), 3 / 5),
        (call("look", city="Oslo", days=2), call("send", city="Oslo", days=2), 0),
        (call("look", city="Oslo", days=2), call("peek", city="Oslo", days=2), 0),
        (call("ping"), call("ping"), 1),
        (call("ping"), call("ping", loud=True), 1 / 4),
    ],
)
def test_one_call(wanted: ToolCall, made: ToolCall, share: float) -> None:
    assert worth(gold(wanted), made) == pytest.approx(6 * share - 3)


OSLO, ROME, PING = call("look", city="Oslo"), call("look", city="Rome"), call("ping")


@pytest.mark.parametrize(
    ("wanted", "made", "share"),
    [
        ([OSLO, PING], [PING, OSLO], 1),
        ([OSLO, ROME], [ROME, OSLO], 1),
        ([OSLO, PING], [OSLO], 1 / 2),
        ([OSLO], [OSLO, PING], 1 / 2),
        ([OSLO], [OSLO, OSLO], 1 / 2),
        ([OSLO, OSLO], [OSLO], 1 / 2),
        ([OSLO, ROME], [OSLO, OSLO], (1 + 2 / 3) / 2),
        ([OSLO], [ROME, OSLO, PING], 1 / 3),
        ([OSLO], [PING], 0),
        ([OSLO, PING], [], 0),
        # the first gold call could as well have the first call made; the second could not
        (
            [call("look", city="Oslo", days=1), call("look", city="Oslo", days=2)],
            [call("look", city="Oslo", days=2), call("look", city="Rome", days=1)],
            (3 / 4 + 1) / 2,
        ),
    ],
)
def test_several_calls(wanted: list[ToolCall], made: list[ToolCall], share: float) -> None:
    assert worth(gold(*wanted), *made) == pytest.approx(6 * share - 3)


def test_the_parts_say_where_it_comes_from() -> None:
    reference = gold(call("look", city="Oslo", days=2), PING)
    assert verify(reference, reply(call("look", city="Oslo", units="x"))).parts == {
        "format": 1.0, "schema": 0.0, "names": 1 / 2, "arguments": 1 / 6, "values": 1 / 6,
        "exact": 0.0,
    }  # fmt: skip
    assert set(verify(reference, "?").parts.values()) == {0.0}


# What is admitted


def test_of_alternatives_the_best_counts() -> None:
    reference = gold(OSLO, alternatives=[[plain(ROME), plain(PING)], []])
    assert worth(reference, OSLO) == worth(reference, PING, ROME) == 3
    assert verify(reference, reply(content="Which city?")).value == 3
    assert worth(reference, OSLO, PING) == 6 * (1 + 2 / 3) / 2 - 3


def test_values_left_open() -> None:
    arguments: JsonObject = {"to": "Bob", "text": "On my way"}
    open_: JsonObject = {"text": True, "to": ["bob@b.org"], "urgent": [False]}
    reference = gold({"name": "send", "arguments": arguments, "any": open_})
    for to in ("Bob", "bob@b.org"):
        for text in ("On my way", "Coming!"):
            assert worth(reference, call("send", to=to, text=text)) == 3
            assert worth(reference, call("send", to=to, text=text, urgent=False)) == 3
    assert worth(reference, call("send", to="Rob", text="")) == 6 * 3 / 4 - 3
    assert worth(reference, call("send", to="Bob", text="", urgent=True)) < 3
    assert worth(reference, call("send", to="Bob")) < 3


def test_lists_are_ordered_unless_declared() -> None:
    wanted: JsonObject = {
        "name": "send",
        "arguments": {"to": "B", "text": "x", "labels": ["a", "b"]},
    }
    made = call("send", to="B", text="x", labels=["b", "a"])
    assert worth(gold(wanted), made) == pytest.approx(6 * 4 / 5 - 3)
    assert worth(gold({**wanted, "unordered": ["labels"]}), made) == 3


@pytest.mark.parametrize(
    ("wanted", "made", "same"),
    [
        (1, 1.0, True),
        (1, True, False),
        (1, "1", False),
        ("1", "1", True),
        (None, "null", False),
        ({"a": [1], "b": None}, {"b": None, "a": [1.0]}, True),
        ({"a": [1, 2]}, {"a": [2, 1]}, False),
        ("caf\u00e9", "cafe\u0301", True),
        ("Bob", "Bob ", False),
        ("a", "а", False),  # Cyrillic
    ],
)
def test_equality_is_typed(wanted: Json, made: Json, same: bool) -> None:
    value = worth(gold(call("free", anything=wanted)), call("free", anything=made))
    assert value == (3 if same else 6 * 2 / 3 - 3)


# No call is right; or there is none


def test_no_call() -> None:
    none = gold()
    assert verify(none, reply(content="No tool here books flights.")).value == 3
    assert verify(none, reply(content="それはできません。")).value == 3
    for nothing in ("", " \n ", "…", "\u200b\u2060", "**", "🙂"):
        assert verify(none, reply(content=nothing)).value == FLOOR
    assert verify(none, reply(PING, content="No tool here books flights.")).value == FLOOR
    assert verify(none, reply(content="", reasoning="No tool here books flights.")).value == FLOOR
    assert verify(none, reply(content="a " * 40_000)).value == FLOOR


def test_words_for_a_call_are_the_floor() -> None:
    for words in ("Done!", "look(city='Oslo')", '{"name": "look"}', "Which city?"):
        assert verify(gold(OSLO), reply(content=words)).value == FLOOR


def test_content_and_reasoning_beside_calls_are_left_alone() -> None:
    assert verify(gold(OSLO), reply(OSLO, content="One moment.", reasoning="")).value == 3


@pytest.mark.parametrize("finish", ["length", "cancelled", "error"])
def test_what_was_cut_off_is_the_floor(finish: FinishReason) -> None:
    assert verify(gold(), reply(content="I can't"), finish).value == FLOOR
    assert verify(gold(OSLO), reply(OSLO), finish).value == FLOOR


# Attacks

RIGHT = (
    "<tool_call>\n<function=look>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>"
)


@pytest.mark.parametrize(
    "raw",
    [
        "",
        RIGHT,
        f"So: {RIGHT}",
        f"{RIGHT}</think>",
        f"{RIGHT}\n</think>\n\nDone.",
        f"x</think>{RIGHT} and done",
        f"x</think>{RIGHT}<think>{RIGHT}</think>",
        f"x</think><think>y</think>{RIGHT}",
        f"x</think></think>{RIGHT}",
        f"x</think>{RIGHT[:-1]}",
        f"x</think>{RIGHT[:-30]}",
        f"x</think>{RIGHT}<tool_call>",
        "x</think><tool_call></tool_call>",
        "x</think><tool_call>\n<function=>\n</function>\n</tool_call>",
        f"x</think><tool_call>{RIGHT}</tool_call>",
        f"x</think>{RIGHT.replace('<tool_call>', '<tool_call><tool_call>')}",
        f"x</think>{RIGHT.replace('Oslo', 'Oslo</parameter><parameter=city>Rome')}",
        f"x</think>{RIGHT.replace('Oslo', '<parameter=city>Oslo</parameter>')}",
        f"x</think>{RIGHT.replace('<function=look>', '<function=look><function=look>')}",
        'x</think><tool_call>\n{"name": "look", "arguments": {"city": "Oslo"}}\n</tool_call>',
        'x</think><tool_call>\n<function=look>\n{"city": "Oslo"}\n</function>\n</tool_call>',
        'x</think>{"name": "look", "arguments": {"city": "Oslo"}}',
        f"x</think>```\n{RIGHT}\n```",
        f"x</think>{RIGHT}".replace("look", "lооk"),  # Cyrillic
        f"x</think>{RIGHT}".replace("look", "l\u200book"),
        f"x</think>{RIGHT}".replace("look", "Look"),
        f"x</think>{RIGHT}".replace("<tool_call>", "<tool_саll>"),
        f"x</think>{RIGHT}".replace("<tool_call>", "<tool_call >"),
        f"x</think>{RIGHT}".replace("Oslo", "Oslo\n</parameter>\n<parameter=days>\nTrue"),
        f"x</think>{RIGHT}".replace("Oslo", "Oslo\n</parameter>\n<parameter=days>\n2 days"),
        "x</think>" + RIGHT * 50,
        "x</think>" + "<tool_call>" * 5_000,
        "<think>" * 5_000,
    ],
)
def test_no_credit_for(raw: str) -> None:
    assert verify(gold(OSLO), raw).value == FLOOR
    assert binary(gold(OSLO), raw).value == 0


def test_look_alike_names_of_arguments_are_other_names() -> None:
    raw = f"x</think>{RIGHT}".replace("city", "сity")
    assert verify(gold(OSLO), raw).value == pytest.approx(6 * 1 / 5 - 3)


def test_arguments_as_one_text_are_no_arguments() -> None:
    made = call("look", arguments='{"city": "Oslo"}')
    assert worth(gold(OSLO), made) == pytest.approx(6 * 1 / 5 - 3)
    wanted = call("free", many=["a"])
    assert worth(gold(wanted), call("free", many='["a"]')) == 6 * 2 / 4 - 3


def test_calling_everything_or_the_same_again_and_again_does_not_pay() -> None:
    every = [OSLO, call("send", to="B", text="x"), PING, call("free")]
    assert worth(gold(OSLO), *every) == 6 / 4 - 3
    assert worth(gold(OSLO), *[OSLO] * MAX_CALLS) == pytest.approx(6 / MAX_CALLS - 3)
    assert worth(gold(OSLO), *[OSLO] * (MAX_CALLS + 1)) == FLOOR
    guesses = [call("look", city=city) for city in ("Rome", "Riga", "Oslo", "Bonn")]
    assert worth(gold(OSLO), *guesses) < worth(gold(OSLO), ROME)


@pytest.mark.parametrize(
    "raw",
    [
        reply(call("look", **{f"a{n}": "x" for n in range(5_000)})),
        reply(call("look", city="x" * 500_000)),
        reply(*[call("look", city=str(n)) for n in range(MAX_CALLS)]),
        reply(call("free", many=[[n] for n in range(50_000)])),
        reply(call("free", many=["["] * 50_000)),
        "x</think>" + RIGHT.replace("Oslo", "<" * 100_000),
        "x</think>" + RIGHT.replace("look", "look" * 50_000),
        "x</think>" + "<tool_call>\n<function=f>\n" * 10_000,
        "x</think>" + "</think>" * 50_000,
        "\n" * 300_000,
        "x</think><tool_call><function=free><parameter=many>" + "[" * 100_000,
    ],
    ids=range(11),
)
def test_hostile_texts_take_no_time(raw: str) -> None:
    reference = gold(*[call("look", city=str(n)) for n in range(15)], call("free", many=[]))
    began = time.process_time()
    assert FLOOR <= verify(reference, raw).value < 3
    assert time.process_time() - began < 3  # quadratic work would take minutes


# Properties

CITIES = st.sampled_from(["Oslo", "Rome", "x\n</parameter>", "", "5"])
DAYS = st.integers(1, 3)
ANYTHING = st.sampled_from([None, True, 1, "1", [1], {"a": 1}])
ARGUMENTS: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "look": {"city": CITIES, "days": DAYS, "units": st.sampled_from(["metric", "us"])},
    "send": {"to": CITIES, "text": CITIES, "urgent": st.booleans(), "labels": st.lists(CITIES)},
    "ping": {},
    "free": {"anything": ANYTHING, "many": st.lists(CITIES)},
}


def calls_of(name: str, *, valid: bool) -> st.SearchStrategy[ToolCall]:
    required = SPECS[name].parameters["required"] if valid else []
    must = {each: ARGUMENTS[name][each] for each in required}
    may = {each: values for each, values in ARGUMENTS[name].items() if each not in must}
    if not valid:
        may |= {"days": DAYS, "sky": CITIES, "units": st.just("no")}
    made = st.fixed_dictionaries(must, optional=may)
    return made.map(lambda arguments: ToolCall(name, arguments))


NAMES = st.sampled_from(sorted(SPECS))
VALID = NAMES.flatmap(lambda name: calls_of(name, valid=True))
UNKNOWN = st.just(call("unknown", city="Oslo"))
ANY = VALID | NAMES.flatmap(lambda name: calls_of(name, valid=False)) | UNKNOWN
MADE = st.lists(ANY, min_size=1, max_size=4)
GOLD = st.lists(VALID, min_size=1, max_size=4)
LESS = 1e-12

Pair = tuple[ToolCall, ToolCall]


def slow_credit(wanted: ToolCall, made: ToolCall) -> Fraction:
    if wanted.name != made.name:
        return Fraction(0)
    every = wanted.arguments.keys() | made.arguments.keys()
    shared = wanted.arguments.keys() & made.arguments.keys()
    right = sum(equal(wanted.arguments[name], made.arguments[name]) for name in shared)
    try:
        check_arguments(SPECS[made.name], made.arguments)
        refused = 0
    except SchemaError:
        refused = 1
    names = Fraction(len(shared), len(every)) if every else Fraction(1)
    return (1 + names + right) / (2 + len(every) + refused)


def slow(wanted: list[ToolCall], made: list[ToolCall]) -> tuple[float, tuple[Pair, ...]]:
    """The value, and a best pairing, by trying them all."""
    count = max(len(wanted), len(made))
    padded = [*wanted, *[UNPAIRED] * (count - len(wanted))]
    pairings = (tuple(zip(padded, some, strict=False)) for some in permutations(made))
    if len(made) < len(wanted):
        pairings = (tuple(zip(some, made, strict=True)) for some in permutations(wanted, len(made)))
    best = max(pairings, key=lambda pairs: sum(slow_credit(*pair) for pair in pairs))
    share = sum((slow_credit(*pair) for pair in best), Fraction(0)) / count
    return float(6 * share - 3), best


UNPAIRED = call("(nobody)")


@given(GOLD, MADE)
def test_it_is_what_trying_every_pairing_gives(
    wanted: list[ToolCall], made: list[ToolCall]
) -> None:
    assert worth(gold(*wanted), *made) == pytest.approx(slow(wanted, made)[0])


@given(st.lists(VALID, max_size=4), MADE, st.data())
def test_the_order_of_calls_and_arguments_does_not_matter(
    wanted: list[ToolCall], made: list[ToolCall], data: st.DataObject
) -> None:
    first = verify(gold(*wanted), reply(*made))
    assert FLOOR <= first.value <= 3
    assert all(0 <= part <= 1 for part in first.parts.values())
    assert first == verify(gold(*wanted), reply(*made))
    turned = [ToolCall(c.name, dict(reversed(c.arguments.items()))) for c in made]
    again = reply(*data.draw(st.permutations(turned)))
    assert verify(gold(*data.draw(st.permutations(wanted))), again) == first


@given(GOLD, MADE, st.data())
def test_one_more_right_argument_never_lowers_it(
    wanted: list[ToolCall], made: list[ToolCall], data: st.DataObject
) -> None:
    before, pairs = slow(wanted, made)
    mendable = [
        (right, wrong, name)
        for right, wrong in pairs
        if right.name == wrong.name
        for name, value in right.arguments.items()
        if name not in wrong.arguments or not equal(value, wrong.arguments[name])
    ]
    if mendable:
        right, wrong, name = data.draw(st.sampled_from(mendable))
        mended = ToolCall(wrong.name, {**wrong.arguments, name: right.arguments[name]})
        made[made.index(wrong)] = mended
        assert worth(gold(*wanted), *made) > before + LESS


@given(GOLD, MADE, st.data())
def test_a_right_call_in_place_of_a_spurious_one_never_lowers_it(
    wanted: list[ToolCall], made: list[ToolCall], data: st.DataObject
) -> None:
    before, pairs = slow(wanted, made)
    right, wrong = data.draw(st.sampled_from(pairs))
    if right is not UNPAIRED:
        made[made.index(wrong)] = right
        assert worth(gold(*wanted), *made) >= before - LESS
    assert worth(gold(*wanted), *wanted) == 3


@given(st.lists(VALID, min_size=1, max_size=4, unique_by=lambda c: c.name), MADE, st.data())
def test_a_spurious_call_never_raises_it(
    wanted: list[ToolCall], made: list[ToolCall], data: st.DataObject
) -> None:
    others = sorted(SPECS.keys() - {each.name for each in wanted}) or ["unknown"]
    other = call(data.draw(st.sampled_from(others)), city="Oslo")
    again = data.draw(st.sampled_from([other, *made]))
    before = worth(gold(*wanted), *made)
    assert worth(gold(*wanted), *made, again) <= before + LESS


@given(GOLD, MADE, st.data())
def test_a_spurious_argument_never_raises_it(
    wanted: list[ToolCall], made: list[ToolCall], data: st.DataObject
) -> None:
    before = worth(gold(*wanted), *made)
    place = data.draw(st.integers(0, len(made) - 1))
    old = made[place]
    taken = {name for each in (*wanted, old) for name in each.arguments}
    names = [name for name in ("sky", "days", "units", "many", "z") if name not in taken]
    name, value = data.draw(st.sampled_from(names)), data.draw(st.sampled_from(["x", 1, [1]]))
    made[place] = call(old.name, **old.arguments, **{name: value})
    assert worth(gold(*wanted), *made) <= before + LESS


@given(st.lists(VALID, max_size=3), MADE, st.sampled_from([POCKET, QWEN3_5]))
def test_it_says_what_the_executor_says(
    wanted: list[ToolCall], made: list[ToolCall], form: Any
) -> None:
    raw = form.reply(Message("assistant", "", "", tuple(made)), TOOLS)
    reward = verify(gold(*wanted), raw)
    message, problem = read(raw, TOOLS, in_thinking=True, finish="stop")
    assert reward.parts["schema"] == float(not problem)
    assert binary(gold(*wanted), raw).value == reward.parts["exact"] == float(reward.value == 3)
    if reward.value == 3:
        key = lambda each: repr((each.name, sorted(each.arguments.items())))  # noqa: E731
        assert sorted(message.calls, key=key) == sorted(wanted, key=key)
    assert score(prepare(gold(*wanted)), raw) == reward == verifier("tool_call")(gold(*wanted), raw)


@given(st.text(), st.sampled_from(["", "</think>", "x</think><tool_call>\n<function=look>"]))
def test_any_text_has_a_bounded_value(text: str, lead: str) -> None:
    for reference in (gold(), gold(OSLO)):
        assert FLOOR <= verify(reference, lead + text).value <= 3


# References


@pytest.mark.parametrize(
    "reference",
    [
        {},
        {"tools": [], "calls": [{"name": "look", "arguments": {}}]},
        gold(call("look")),
        gold(call("look", city=5)),
        gold(call("look", city="x", units="no")),
        gold({"name": "look"}),
        gold({"name": "look", "arguments": {"city": "x"}, "any": {"sky": True}}),
        gold({"name": "look", "arguments": {"city": "x"}, "any": {"days": ["two"]}}),
        gold({"name": "look", "arguments": {"city": "x"}, "unordered": ["sky"]}),
        gold(*[PING] * 17),
        gold(alternatives=[[{"name": "look"}]]),
    ],
)
def test_a_reference_that_cannot_be_met_is_refused(reference: JsonObject) -> None:
    with pytest.raises(UsageError):
        prepare(reference)


def test_a_reference_made_ready_does_not_change_with_what_it_was_made_of() -> None:
    wanted = plain(call("send", to="B", text="x", labels=["a"]))
    reference = gold(wanted)
    ready = prepare(reference)
    assert isinstance(wanted["arguments"], dict)
    wanted["arguments"]["to"] = "C"
    assert score(ready, reply(call("send", to="B", text="x", labels=["a"]))).value == 3
    assert worth(reference, call("send", to="B", text="x", labels=["a"])) < 3
