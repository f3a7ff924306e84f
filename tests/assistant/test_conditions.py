"""Conditions: exact about what they permit, suspicious about what they restrict."""

from __future__ import annotations

import fnmatch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.assistant.conditions import ConditionError, condition, glob, holds, host_of
from botpsy.chat.types import Json

HOME = "/home/me"


def verdict(raw: object, value: Json) -> str:
    """``yes`` (permits), ``no`` (restricts nothing), or ``doubt``."""
    test = condition(raw, HOME)
    permits, restricts = holds(test, value, permit=True), holds(test, value, permit=False)
    assert not (permits and not restricts), "what permits must also restrict"
    return "yes" if permits else "doubt" if restricts else "no"


@pytest.mark.parametrize(
    ("raw", "value", "expected"),
    [
        ("dentist*", "Dentist at noon", "yes"),
        ("dentist", "Dentist at noon", "no"),
        ("d?ntist", "dentist", "yes"),
        ("[ab]", "a", "no"),
        ("[ab]", "[ab]", "yes"),
        ("a*", "b\na", "no"),
        ("5", 5, "yes"),
        ("*@example.org", "bob@example.org", "yes"),
        ("*@example.org", "eve@evil.io,bob@example.org", "doubt"),
        ("*@example.org", "eve@evil.io\nbob@example.org", "doubt"),
        ("*@example.org", "bob@example.org.evil.io", "no"),
        ("*secret*", "my ｓｅｃｒｅｔ", "doubt"),
        ("*secret*", "my sec\u200bret", "doubt"),
        ("*secret*", "café", "no"),
        ("café*", "Café Central", "yes"),
        (5, 5, "yes"),
        (5, 5.0, "yes"),
        (5, 6, "no"),
        (5, "5", "doubt"),
        (1, True, "doubt"),
        (True, True, "yes"),
        (True, 1, "doubt"),
        (["a", "b*"], "bc", "yes"),
        (["a", "b*"], "c", "no"),
        ({"is": "A"}, "a", "no"),
        ({"is": "a*"}, "ab", "no"),
        ({"in": ["a", 5]}, 5, "yes"),
        ({"min": 1, "max": 10}, 10, "yes"),
        ({"min": 1, "max": 10}, 10.5, "no"),
        ({"max": 10}, "10", "yes"),
        ({"max": 10}, "ten", "doubt"),
        ({"max": 10}, "nan", "doubt"),
        ({"max": 10}, float("nan"), "doubt"),
        ({"max": 10}, float("-inf"), "yes"),
        ({"max": 10}, True, "doubt"),
        ({"max": 10}, None, "doubt"),
        ({"not": {"max": 10}}, 11, "yes"),
        ({"not": {"max": 10}}, 9, "no"),
        ({"not": {"max": 10}}, "many", "doubt"),
        ({"glob": ["a*", "b*"], "not": "ab"}, "ab", "no"),
        ({"glob": ["a*", "b*"], "not": "ab"}, "ac", "yes"),
        # Lists and objects: all of it to permit, any of it to restrict.
        ("*@x.org", ["a@x.org", "b@x.org"], "yes"),
        ("*@x.org", ["a@x.org", "b@y.org"], "doubt"),
        ("*@x.org", {"to": {"deep": ["b@y.org"]}, "cc": "a@x.org"}, "doubt"),
        ("*@x.org", [], "no"),
        ("*@x.org", {}, "no"),
        # Paths.
        ({"under": "~/Documents"}, "/home/me/Documents/a/b.txt", "yes"),
        ({"under": "~/Documents"}, "~/Documents/a.txt", "yes"),
        ({"under": "/home/me/Documents/"}, "/home/me/Documents", "yes"),
        ({"under": "~/Documents"}, "/home/me/Documents2/a.txt", "no"),
        ({"under": "~/Documents"}, "/home/me/documents/a.txt", "no"),
        ({"under": "~/Documents"}, "/home/me//Documents/./a.txt", "yes"),
        ({"under": "~/Documents"}, "/home/me/Documents/../secret", "doubt"),
        ({"under": "~/Documents"}, "Documents/a.txt", "doubt"),
        ({"under": "~/Documents"}, "/home/me/Documents/a\0b", "doubt"),
        ({"under": "~/Documents"}, "~root/Documents", "doubt"),
        ({"under": "~/Documents"}, 5, "doubt"),
        ({"under": ["/a", "/b"]}, "/b/c", "yes"),
        ({"under": "/"}, "/etc/passwd", "yes"),
        # Domains.
        ({"domain": "example.org"}, "bob@example.org", "yes"),
        ({"domain": "example.org"}, "Bob <bob@mail.Example.ORG>", "yes"),
        ({"domain": "@example.org"}, "bob@example.org.", "yes"),
        ({"domain": "example.org"}, "https://www.example.org:443/a?b#c", "yes"),
        ({"domain": "example.org"}, "example.org", "yes"),
        ({"domain": "example.org"}, "bob@evilexample.org", "no"),
        ({"domain": "example.org"}, "bob@example.org.evil.io", "no"),
        ({"domain": "example.org"}, "https://evil.io/example.org", "no"),
        ({"domain": "example.org"}, "https://example.org@evil.io/", "doubt"),
        ({"domain": "example.org"}, "https://example.org%2eevil.io/", "doubt"),
        ({"domain": "example.org"}, "https://evil.io\\@example.org/", "doubt"),
        ({"domain": "example.org"}, "eve@evil.io,bob@example.org", "doubt"),
        ({"domain": "example.org"}, "eve@evil.io bob@example.org", "doubt"),
        ({"domain": "example.org"}, "bob@example.org <eve@evil.io>", "doubt"),
        ({"domain": "example.org"}, "eve@evil.io@example.org", "doubt"),
        ({"domain": "example.org"}, "bob@example.org\nBcc: eve@evil.io", "doubt"),
        ({"domain": "example.org"}, "bob@ex\u200bample.org\u202e", "doubt"),
        ({"domain": "example.org"}, "bob@exаmple.org", "no"),  # Cyrillic a: another host
        ({"domain": "münchen.example"}, "a@xn--mnchen-3ya.example", "yes"),
        ({"domain": "example.org"}, "", "doubt"),
        ({"domain": "example.org"}, "@example.org", "doubt"),
        ({"domain": "example.org"}, "http://[::1", "doubt"),
        ({"domain": "example.org"}, "a@" + "x" * 70 + ".example.org", "doubt"),
    ],
)
def test_conditions(raw: object, value: Json, expected: str) -> None:
    assert verdict(raw, value) == expected


@pytest.mark.parametrize(
    "raw",
    [
        None,
        [],
        {},
        [None],
        {"regex": "a+"},
        {"domian": "x.org"},
        {"min": "1"},
        {"max": True},
        {"max": float("nan")},
        {"in": "a"},
        {"is": ["a"]},
        {"glob": 5},
        {"glob": []},
        {"under": "Documents"},
        {"under": "/a/../b"},
        {"under": "~other/x"},
        {"domain": "not a domain"},
        {"domain": ""},
        {"not": None},
        "x" * 501,
    ],
)
def test_what_is_not_a_condition_is_refused(raw: object) -> None:
    with pytest.raises(ConditionError):
        condition(raw, HOME)


def test_no_pattern_hangs() -> None:
    """It would not end within the age of the universe if it backtracked."""
    assert not glob("*a" * 200 + "b")("a" * 20_000)


@given(st.text(alphabet="ab*?[]", max_size=8), st.text(alphabet="abAB[]", max_size=8))
def test_patterns_know_star_and_question_mark_only(pattern: str, text: str) -> None:
    def slow(p: str, t: str) -> bool:
        if not p:
            return not t
        if p[0] == "*":
            return slow(p[1:], t) or (bool(t) and slow(p, t[1:]))
        return bool(t) and p[0] in ("?", t[0]) and slow(p[1:], t[1:])

    assert glob(pattern)(text) == slow(pattern.casefold(), text.casefold())
    if "[" not in pattern:
        assert glob(pattern)(text) == fnmatch.fnmatchcase(text.casefold(), pattern.casefold())


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


@given(json_values)
def test_whatever_the_value_nothing_raises_and_permitting_is_the_narrower(value: Json) -> None:
    for raw in ("a*", 3, True, {"max": 3}, {"under": "/a"}, {"domain": "x.org"}, {"not": "a"}):
        verdict(raw, value)


@given(st.text(max_size=30))
def test_a_host_is_plain_ascii_or_unknown(text: str) -> None:
    host = host_of(text)
    assert host is None or (host.isascii() and host == host.lower() and " " not in host)
