"""The time in other places, and sums."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.clock import Clock
from botpsy.errors import ToolError
from botpsy.services.bundle import Services
from botpsy.tools import time as tools
from botpsy.tools import zones
from botpsy.tools.arithmetic import evaluate
from botpsy.tools.base import Context, ToolDef

PARIS = ZoneInfo("Europe/Paris")
CTX = Context(Services(), Clock(PARIS, datetime(2026, 12, 2, 10, 0, tzinfo=PARIS)))


def run(tool: ToolDef, **arguments: Any) -> Any:
    return tool.run(tool.bind(arguments, CTX), CTX)


def test_the_time_here_and_there() -> None:
    assert run(tools.current_time) == {"here": "Wed 2 Dec 2026, 10:00 CET"}
    assert run(tools.current_time, place="Tokyo") == {
        "here": "Wed 2 Dec 2026, 10:00 CET",
        "there": "Wed 2 Dec 2026, 18:00 JST",
        "zone": "Asia/Tokyo",
    }


def test_converting() -> None:
    assert run(
        tools.convert_time, time="3 pm", from_place="London", to_place="Los Angeles"
    ) == {"from": "Wed 2 Dec 2026, 15:00 GMT", "to": "Wed 2 Dec 2026, 07:00 PST"}  # fmt: skip
    assert run(tools.convert_time, time="5 pm", from_place="nyc")["to"].endswith("23:00 CET")
    assert run(tools.convert_time, time="noon", to_place="Delhi")["to"].endswith("16:30 IST")
    # "Today" is the other place's: it is 2 December in Paris at 23:30, already the 3rd in Tokyo.
    late = Context(Services(), Clock(PARIS, datetime(2026, 12, 2, 23, 30, tzinfo=PARIS)))
    bound = tools.convert_time.bind({"time": "today at 9 am", "from_place": "Tokyo"}, late)
    assert tools.convert_time.run(bound, late)["from"] == "Thu 3 Dec 2026, 09:00 JST"
    with pytest.raises(ToolError):
        run(tools.convert_time, time="whenever", from_place="Tokyo")


@pytest.mark.parametrize(
    ("place", "key"),
    [
        ("Tokyo", "Asia/Tokyo"), ("TOKYO time", "Asia/Tokyo"), ("São Paulo", "America/Sao_Paulo"),
        ("sao paulo", "America/Sao_Paulo"), ("Zürich", "Europe/Zurich"),
        ("EST", "America/New_York"),
        ("London, UK", "Europe/London"), ("Europe/Paris", "Europe/Paris"), ("utc", "UTC"),
        ("India", "Asia/Kolkata"), ("San Francisco", "America/Los_Angeles"),
        ("Washington D.C.", "America/New_York"), ("hong kong", "Asia/Hong_Kong"),
    ],
)  # fmt: skip
def test_places(place: str, key: str) -> None:
    assert zones.zone_of(place).key == key


def test_unknown_places_get_a_hint() -> None:
    with pytest.raises(ToolError, match="tokyo"):
        zones.zone_of("tokio")
    for place in ("", " ", "nowhere", "../../etc/passwd", "\x00", "x" * 9999, "/"):
        with pytest.raises(ToolError):
            zones.zone_of(place)


def test_every_alias_names_a_zone_of_the_database() -> None:
    assert set(zones._ALIASES) <= available_timezones()


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("17*23", 391), ("15% of 84", 12.6), ("129.90 - 20%", 103.92), ("200 + 10%", 220),
        ("1,250/7", 178.571428571), ("(4+5)*12", 108), ("2^16", 65536), ("0.1+0.2", 0.3),
        ("sqrt 2", 1.41421356237), ("√16", 4), ("10 % 3", 1), ("50%", 0.5), ("5 x 3", 15),
        ("7 ÷ 2 =", 3.5), ("-3 × −2", 6), ("max(3, 4) + pi", 7.14159265359), ("6/2", 3),
        ("100 - 20% of 50", 90),
    ],
)  # fmt: skip
def test_sums(expression: str, value: float) -> None:
    assert run(tools.calculate, expression=expression)["result"] == value


@pytest.mark.parametrize(
    "expression",
    [
        "", "1/0", "9**9**9", "9**999999", "10**-9999999", "(-8)**0.5", "1e308*10", "3 +", "(" * 90,
        "__import__('os')", "().__class__", "lambda: 1", "'a'*9", "True", "x", "0x10",
        "1 if 1 else 2",
        "[1]*9", "f(2)", "max()", "round(1, ndigits=2)", "1;2", "a:=1", "1\n2", "2(3)", "9" * 300,
        "9" * 150 + "*" + "9" * 49 + "**9", "sqrt(-1)", "log(0)", "exp(9999)", "1 << 99", "~1",
    ],
)  # fmt: skip
def test_what_is_no_sum(expression: str) -> None:
    with pytest.raises(ToolError):
        evaluate(expression)


@given(st.text("0123456789.+-*/%^() ,esqrtmaxpi√×", max_size=40))
def test_any_text_is_a_number_or_a_clear_error(text: str) -> None:
    try:
        assert isinstance(evaluate(text), int | float)
    except ToolError as error:
        assert error.message


def test_definitions_are_sound() -> None:
    for tool in tools.TOOLS:
        assert len(tool.examples) >= 5
        assert tool.effect == "read"
        assert all("description" in p for p in tool.schema["properties"].values()), tool.name
