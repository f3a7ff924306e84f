"""Conditions on values, as policy rules and remembered approvals state them.

A condition looks at one scalar and answers yes, no, or ``None``: it cannot tell (a number bound on
a text, a path with ``..`` in it, a name dressed up with hidden characters). ``holds`` applies it
to a whole argument and always errs against the call: to *permit*, every scalar inside the argument
must be a clear yes; to *restrict*, one scalar that is not a clear no is enough.

Patterns know ``*`` (any text) and ``?`` (any one character), match the whole value, ignore case,
and take time linear in the value for a given pattern. There are no regular expressions.
"""

from __future__ import annotations

import fnmatch
import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import isnan
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from botpsy.chat.types import Json

Truth = bool | None
Scalar = str | int | float | bool | None
KINDS = ("is", "in", "glob", "min", "max", "under", "domain", "not")
MAX_PATTERN = 500

_HOST = re.compile(r"(?!-)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*")
_NAMED_ADDRESS = re.compile(r'[^<>,;@"]*<([^<>,;\s]+)>')


class ConditionError(ValueError):
    """A condition is not well formed; the text says what is wrong."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A test of one scalar, and its wording for people."""

    test: Callable[[Scalar], Truth]
    text: str


def holds(condition: Condition, value: Json, *, permit: bool) -> bool:
    """Whether the condition is met by all of ``value`` (permit) or by any of it (restrict)."""
    answers = [condition.test(leaf) for leaf in scalars(value)]
    if permit:
        return bool(answers) and all(answer is True for answer in answers)
    return any(answer is not False for answer in answers)


def scalars(value: Json) -> Iterator[Scalar]:
    """Every scalar inside a JSON value."""
    if isinstance(value, dict):
        for item in value.values():
            yield from scalars(item)
    elif isinstance(value, list):
        for item in value:
            yield from scalars(item)
    else:
        yield value


def condition(raw: object, home: str) -> Condition:
    """Read a condition as a policy file states it.

    A text is a pattern, a number or truth value must be equal, a list means any of these, and a
    table gives one or more of ``KINDS``, all of which must hold. ``home`` stands for ``~``.

    Raises:
        ConditionError: it is not well formed.
    """
    if isinstance(raw, str):
        return _glob(raw)
    if isinstance(raw, bool | int | float):
        return _equal(raw)
    if isinstance(raw, list):
        if not raw:
            raise ConditionError("an empty list matches nothing")
        return _any([condition(item, home) for item in raw])
    if isinstance(raw, dict):
        if not raw:
            raise ConditionError("an empty table says nothing")
        return _all([_kind(kind, value, home) for kind, value in raw.items()])
    raise ConditionError(f"{raw!r} is not a text, number, list or table")


def _kind(kind: str, value: object, home: str) -> Condition:
    if kind == "is":
        if not isinstance(value, str | bool | int | float):
            raise ConditionError("`is` takes one text, number or truth value")
        return _equal(value)
    if kind == "in":
        if not isinstance(value, list):
            raise ConditionError("`in` takes a list")
        return condition(value, home)
    if kind in ("min", "max"):
        if isinstance(value, bool) or not isinstance(value, int | float) or isnan(value):
            raise ConditionError(f"`{kind}` takes a number")
        return _bound(kind, value)
    if kind == "not":
        inner = condition(value, home)

        def negated(leaf: Scalar) -> Truth:
            answer = inner.test(leaf)
            return None if answer is None else not answer

        return Condition(negated, f"not ({inner.text})")
    if kind not in KINDS:
        raise ConditionError(f"`{kind}` is not one of {', '.join(KINDS)}")
    given = value if isinstance(value, list) else [value]
    choices = [choice for choice in given if isinstance(choice, str)]
    if not choices or choices != given:
        raise ConditionError(f"`{kind}` takes a text or a list of texts")
    if kind == "under":
        return _any([_under(choice, home) for choice in choices])
    make = _glob if kind == "glob" else _domain
    return _any([make(choice) for choice in choices])


def _any(parts: list[Condition]) -> Condition:
    def test(leaf: Scalar) -> Truth:
        answers = [part.test(leaf) for part in parts]
        return True if True in answers else None if None in answers else False

    return parts[0] if len(parts) == 1 else Condition(test, " or ".join(p.text for p in parts))


def _all(parts: list[Condition]) -> Condition:
    def test(leaf: Scalar) -> Truth:
        answers = [part.test(leaf) for part in parts]
        return False if False in answers else None if None in answers else True

    return parts[0] if len(parts) == 1 else Condition(test, " and ".join(p.text for p in parts))


def _equal(wanted: str | int | float | bool) -> Condition:
    def test(leaf: Scalar) -> Truth:
        if isinstance(wanted, bool) or isinstance(leaf, bool):
            return leaf is wanted if isinstance(leaf, bool) and isinstance(wanted, bool) else None
        if isinstance(wanted, str) != isinstance(leaf, str):
            return None
        return leaf == wanted

    return Condition(test, f"is {json.dumps(wanted, ensure_ascii=False)}")


def _bound(kind: str, bound: float) -> Condition:
    def test(leaf: Scalar) -> Truth:
        if isinstance(leaf, bool) or leaf is None:
            return None
        try:
            number = float(leaf)
        except ValueError:
            return None
        if isnan(number):
            return None
        return number >= bound if kind == "min" else number <= bound

    return Condition(test, f"{'at least' if kind == 'min' else 'at most'} {bound:g}")


def _glob(pattern: str) -> Condition:
    matches = glob(pattern)
    ats = pattern.count("@")

    def test(leaf: Scalar) -> Truth:
        text = leaf if isinstance(leaf, str) else json.dumps(leaf)
        if text.isascii() and text.isprintable():
            answer = matches(text)
        else:
            # What it says and what it looks like must agree, else it is dressed up.
            answer, looks = matches(text), matches(plain(text))
            if answer != looks:
                return None
        # "*@example.org" speaks of one address; "evil@x.io,bob@example.org" is two.
        return None if answer and ats and text.count("@") != ats else answer

    return Condition(test, json.dumps(pattern, ensure_ascii=False))


@lru_cache(maxsize=1024)
def glob(pattern: str) -> Callable[[str], bool]:
    """A whole-text, case-blind matcher for a pattern with ``*`` and ``?``.

    Raises:
        ConditionError: the pattern is longer than ``MAX_PATTERN``.
    """
    if len(pattern) > MAX_PATTERN:
        raise ConditionError(f"a pattern has at most {MAX_PATTERN} characters")
    # fnmatch makes each star atomic, so no pattern backtracks; "[" is an ordinary character here.
    regex = re.compile(fnmatch.translate(pattern.casefold().replace("[", "[[]")))
    return lambda text: regex.match(text.casefold()) is not None


def plain(text: str) -> str:
    """Text as it looks: compatibility forms folded (NFKC), unseen characters dropped."""
    folded = unicodedata.normalize("NFKC", text)
    return "".join(c for c in folded if unicodedata.category(c) not in ("Cc", "Cf", "Cn", "Co"))


def _under(folder: str, home: str) -> Condition:
    expanded = home + folder[1:] if folder == "~" or folder.startswith("~/") else folder
    base = PurePosixPath(expanded)
    if not base.is_absolute() or ".." in base.parts:
        raise ConditionError("`under` takes an absolute folder, or one that starts with ~/")

    def test(leaf: Scalar) -> Truth:
        if not isinstance(leaf, str) or "\0" in leaf:
            return None
        text = home + leaf[1:] if leaf.startswith("~/") else leaf
        path = PurePosixPath(text)
        if not path.is_absolute() or ".." in path.parts:
            return None
        return path.is_relative_to(base)

    return Condition(test, f"under {base}")


def _domain(domain: str) -> Condition:
    wanted = _host(domain.removeprefix("@"))
    if wanted is None:
        raise ConditionError(f"{domain!r} is not a domain such as example.org")

    def test(leaf: Scalar) -> Truth:
        host = host_of(leaf) if isinstance(leaf, str) else None
        return None if host is None else host == wanted or host.endswith("." + wanted)

    return Condition(test, f"at {wanted}")


def host_of(text: str) -> str | None:
    """The host of one mail address, URL or host name, in ASCII; None where that is not certain."""
    if any(c.isspace() or not c.isprintable() or c in "\\,;" for c in text.replace(" ", "_")):
        return None
    if "://" in text:
        try:
            parts = urlsplit(text)
            host, authority = parts.hostname, parts.netloc
        except ValueError:
            return None
        return None if host is None or "@" in authority or "%" in authority else _host(host)
    if named := _NAMED_ADDRESS.fullmatch(text.strip()):
        text = named[1]
    local, at, host = text.rpartition("@")
    if at and (not local or "@" in local):
        return None
    return _host(host)


def _host(text: str) -> str | None:
    try:
        host = text.lower() if text.isascii() else text.encode("idna").decode("ascii").lower()
    except UnicodeError:
        return None
    host = host.removesuffix(".")
    return host if _HOST.fullmatch(host) else None
