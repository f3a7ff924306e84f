"""What an agent can do, as gold solutions are written: call tools, ask, say.

    call("create_event", title="dentist", start="next Friday at 3 pm")
    both(call(...), call(...))                 # several calls in one go
    ask("What time?", "time")                  # a question about a slot
    say("{title} is in: {start}.")             # formatted with the latest result

``got("events.0.id")`` as an argument stands for that part of the latest result.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from botpsy.chat.types import Json, JsonObject, Message, ToolCall, ToolSpec
from botpsy.worlds.phrases import When
from botpsy.worlds.world import WorldFault


@dataclass(frozen=True, slots=True)
class Got:
    """A part of an earlier result: of the ``back``-th latest, by keys and indices."""

    path: str
    back: int = 1


@dataclass(frozen=True, slots=True)
class Calls:
    """Calls made in one go. ``why`` is how the values follow, for training's short reasoning."""

    calls: tuple[ToolCall, ...]
    why: str = ""

    def because(self, why: str) -> Calls:
        """The same with a reason."""
        return Calls(self.calls, why)


@dataclass(frozen=True, slots=True)
class Ask:
    """A question that the request cannot do without; ``slot`` is what it asks for."""

    question: str
    slot: str
    why: str = ""

    def because(self, why: str) -> Ask:
        """The same with a reason."""
        return replace(self, why=why)


@dataclass(frozen=True, slots=True)
class Say:
    """An answer. ``{name}`` is a field of the latest result, ``{0[name]}`` of the first of several.

    ``literal`` takes the text as it is.
    """

    text: str
    why: str = ""
    literal: bool = False

    def because(self, why: str) -> Say:
        """The same with a reason: how it follows from the results."""
        return replace(self, why=why)


Act: TypeAlias = Calls | Ask | Say
Solution: TypeAlias = tuple[Act, ...]


def call(tool: str, /, **arguments: Any) -> Calls:
    """One call. ``None`` arguments are left out; a ``When`` is written as it was said."""
    given = {name: _plain(value) for name, value in arguments.items() if value is not None}
    return Calls((ToolCall(tool, given),))


def both(*acts: Calls) -> Calls:
    """Independent calls made in one go."""
    why = "; ".join(act.why for act in acts if act.why)
    return Calls(tuple(each for act in acts for each in act.calls), why)


def ask(question: str, slot: str) -> Ask:
    """A question for a slot the user knows (or does not)."""
    return Ask(question, slot)


def say(text: str) -> Say:
    """An answer, formatted with the latest results."""
    return Say(text)


def says(text: str) -> Say:
    """An answer as it stands (for text that may hold braces)."""
    return Say(text, literal=True)


def got(path: str, back: int = 1) -> Any:
    """That part of an earlier result."""
    return Got(path, back)


def _plain(value: Any) -> Any:
    if isinstance(value, When):
        return value.text
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    return value


@dataclass
class Script:
    """An agent that does what it was told: acts, one a message, whatever happens."""

    acts: Sequence[Act]
    _at: int = field(default=0, init=False)

    def __call__(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Message:
        if self._at >= len(self.acts):
            return Message("assistant", "")
        act = self.acts[self._at]
        self._at += 1
        match act:
            case Calls(calls):
                results = _results(messages) if any(_has_got(c.arguments) for c in calls) else []
                made = tuple(
                    ToolCall(c.name, _filled(c.arguments, results), f"c{self._at}.{n}")
                    for n, c in enumerate(calls)
                )
                return Message("assistant", calls=made)
            case Ask(question):
                return Message("assistant", question)
            case Say(text, _, literal):
                return Message("assistant", text if literal else _formatted(text, messages))


def _has_got(value: Any) -> bool:
    if isinstance(value, dict):
        return any(_has_got(part) for part in value.values())
    return isinstance(value, Got) or (isinstance(value, list) and any(map(_has_got, value)))


def _filled(value: Any, results: Sequence[Json]) -> Any:
    if isinstance(value, dict):
        return {key: _filled(part, results) for key, part in value.items()}
    if isinstance(value, list):
        return [_filled(part, results) for part in value]
    if not isinstance(value, Got):
        return value
    try:
        found: Any = results[-value.back]
        for part in value.path.split("."):
            found = found[int(part)] if isinstance(found, list) else found[part]
    except (LookupError, TypeError, ValueError) as error:
        raise WorldFault(f"{value.path} is not in the result {results[-3:]!r}") from error
    return found


def _results(messages: Sequence[Message]) -> list[Json]:
    return [_parsed(message.content) for message in messages if message.role == "tool"]


def _parsed(text: str) -> Json:
    try:
        value: Json = json.loads(text)
    except ValueError:
        return text
    return value


def _formatted(text: str, messages: Sequence[Message]) -> str:
    if "{" not in text:
        return text[:1].upper() + text[1:]
    last = [n for n, message in enumerate(messages) if message.calls]
    after = messages[last[-1] + 1 :] if last else ()
    results = _results([m for m in after if m.role == "tool"])
    named: JsonObject = {}
    for result in results:
        if isinstance(result, dict):
            named |= result
    try:
        filled = text.format(*results, **named)
    except (LookupError, TypeError, AttributeError, ValueError) as error:
        raise WorldFault(f"{text!r} does not fit the results {results!r}") from error
    return filled[:1].upper() + filled[1:]
