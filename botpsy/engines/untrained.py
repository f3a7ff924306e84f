"""Makes a model usable that was never trained to call tools, and says that it does so.

``Guided`` is an engine around a model in this process. It divides the work by what measurements
showed each side to be good at (docs/models.md):

- which tool, or none: the function ``choose`` that it is given, since the model chooses worse;
- times: the clock finds the phrase in the request;
- texts: code proposes stretches of the request (``spans``), and the model weighs them, each as the
  continuation of worked examples, by log-probability over the root of its length; values of
  several parameters are chosen together and never overlap;
- what a tool gave back is put in words by code.

It reads the last user message only, makes one call for it at most, copies values and never invents
any, leaves out optional parameters but those whose value shows what it is (``sight``), and asks for
a required value that the request does not have.
Same request, same answer: nothing is sampled.
"""

from __future__ import annotations

import itertools
import math
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from botpsy.chat.escape import escape
from botpsy.chat.types import Completion, Json, JsonObject, Message, Sampling, Timings, ToolSpec
from botpsy.chat.wire import write_name, write_value
from botpsy.engines.base import Cancel, EngineInfo, OnDelta
from botpsy.engines.reply import Reply, cancelled
from botpsy.engines.results import in_words, plain_name
from botpsy.engines.sight import in_plain_sight, is_text
from botpsy.engines.spans import TIMES, Candidates, Words, candidates, stem, time_phrase
from botpsy.errors import EngineTimeoutError

Choose = Callable[[str, Sequence[ToolSpec]], str | None]
"""(request, tools on offer) -> the name of the one that fits it, None for none."""

MIN_SHARED = 0.275
"""Words that ``by_words`` asks for, per root of the request's words."""
MAX_CHOICES = 24
"""Values that are weighed for one parameter."""
NOTE = (
    "This model is not trained to call tools: botpsy guides it, one call for one short, plain "
    "request at a time."
)
DECLINE = "None of my tools fits that, and I am not trained to answer questions myself."
_OFF = frozenset(["off", "false", "disable", "deactivate", "stop", "unmute", "no", "without"])
_EXAMPLES = (
    (
        "Book a haircut with Lea for Monday at 4 pm",
        "create event, title (What it is, short)",
        "haircut with Lea",
    ),
    ("Write to Tom that the train is delayed", "send message, to (Name or phone number)", "Tom"),
    (
        "Write to Tom that the train is delayed",
        "send message, text (The message)",
        "the train is delayed",
    ),
    (
        "Please switch on the lamp in the hall",
        "turn on, device (Device, or room and kind: kitchen lights)",
        "lamp in the hall",
    ),
    (
        "Look for a recipe for plum cake on the internet",
        "web search, query (What to search for)",
        "recipe for plum cake",
    ),
    (
        "Add eggs to the groceries list",
        "add to list, list (Name of the list, like shopping)",
        "groceries",
    ),
    (
        "Add eggs to the groceries list",
        "add to list, items (Items to add; may be empty for a new list)",
        "eggs",
    ),
    (
        "Remind me to feed the cat at seven",
        "set reminder, text (What to be reminded of)",
        "feed the cat",
    ),
    (
        "Remove the party with Eve from my diary",
        "delete event, event (Which event: its title words or id)",
        "party with Eve",
    ),
    (
        "What is the address of Mr Miller?",
        "find contact, name (Name or nickname; leave out for everyone)",
        "Mr Miller",
    ),
    (
        "Note that the meter reading is 4711",
        "create note, title (Short title)",
        "the meter reading is 4711",
    ),
    (
        "Dim the bathroom to 40 percent",
        "set light, brightness (Percent, or brighter, dimmer, max, min)",
        "40 percent",
    ),
)


class Scorer(Protocol):
    """A model that tells how likely a text is."""

    @property
    def info(self) -> EngineInfo: ...

    def score(self, prompt: str, text: str) -> tuple[float, int]:
        """The natural-log probability that ``text`` follows ``prompt``, and its tokens."""
        ...

    def close(self) -> None: ...


def by_words(request: str, tools: Sequence[ToolSpec]) -> str | None:
    """The tool whose name and description share most words with the request; None for too few."""
    asked = {stem(word) for word in re.findall(r"\w+", request.lower()) if len(word) > 2}
    best, most = None, MIN_SHARED * math.sqrt(len(asked) or 1)
    for tool in tools:
        name, about = _stems(plain_name(tool.name)), _stems(tool.description)
        shared = len(asked & name) + 0.7 * len(asked & about - name)
        if shared > most:
            best, most = tool.name, shared
    return best


class Guided:
    """An engine over an untrained model.

    Args:
        model: the model; it is closed with this engine.
        choose: says which tool fits a request; by default by the words they share.
    """

    def __init__(self, model: Scorer, choose: Choose = by_words) -> None:
        self.model = model
        self.choose = choose

    @property
    def info(self) -> EngineInfo:
        """The model's, with a note."""
        return replace(self.model.info, note=NOTE)

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec] = (),
        sampling: Sampling = Sampling(),
        *,
        on_delta: OnDelta | None = None,
        cancel: Cancel | None = None,
        timeout_s: float | None = None,
    ) -> Completion:
        """See ``Engine.complete``. Of ``sampling`` only ``tool_choice`` matters."""
        started = time.monotonic()
        asking = _Asking(self.model, cancel, timeout_s, started)
        offered = () if sampling.tool_choice == "none" else tuple(tools)
        reply = Reply(
            offered,
            in_thinking=False,
            required=sampling.tool_choice == "required",
            on_delta=on_delta,
        )
        try:
            reply.feed(self._reply(messages, offered, asking))
        except _CancelledError:
            return cancelled()
        spent = time.monotonic() - started
        return reply.completion("stop", timings=Timings(decode_s=spent, total_s=spent))

    def close(self) -> None:
        """Free the model."""
        self.model.close()

    def _reply(self, messages: Sequence[Message], tools: Sequence[ToolSpec], ask: _Asking) -> str:
        last = max((i for i, m in enumerate(messages) if m.role != "tool"), default=-1)
        if results := messages[last + 1 :]:
            return escape("\n".join(in_words(result) for result in results))
        request = messages[last].content if last >= 0 and messages[last].role == "user" else ""
        name = self.choose(request, tools) if request.strip() and tools else None
        tool = next((tool for tool in tools if tool.name == name), None)
        if tool is None:
            return DECLINE
        arguments, missing = fill(tool, Words(request), ask)
        if missing:
            about = _properties(tool)[missing].get("description", missing)
            return escape(f"To {plain_name(tool.name)} I need one more thing: {missing} ({about}).")
        return write_call(tool, arguments)


def write_call(tool: ToolSpec, arguments: JsonObject) -> str:
    """A call in the wire format."""
    blocks = [
        f"<parameter={write_name(name)}>\n{escape(write_value(value, _properties(tool)[name]))}\n"
        "</parameter>\n"
        for name, value in arguments.items()
    ]
    name = write_name(tool.name)
    return f"<tool_call>\n<function={name}>\n{''.join(blocks)}</function>\n</tool_call>"


@dataclass(frozen=True)
class _Asking:
    """The model, with an eye on the clock and on the cancel flag."""

    model: Scorer
    cancel: Cancel | None
    timeout_s: float | None
    started: float
    weighed: dict[tuple[str, str], float] = field(default_factory=dict)

    def weigh(self, prompt: str, value: str) -> float:
        """How well a value continues a prompt; the larger the better."""
        if self.cancel is not None and self.cancel.is_set():
            raise _CancelledError
        if self.timeout_s is not None and time.monotonic() - self.started > self.timeout_s:
            raise EngineTimeoutError(f"The model did not finish within {self.timeout_s:g} s.")
        if (prompt, value) not in self.weighed:
            likelihood, tokens = self.model.score(prompt, f" {value}\n")
            self.weighed[prompt, value] = likelihood / math.sqrt(max(tokens, 1))
        return self.weighed[prompt, value]


class _CancelledError(Exception):
    """The caller gave up."""


def fill(tool: ToolSpec, words: Words, ask: _Asking) -> tuple[JsonObject, str]:
    """The arguments that the request has for a tool, and a required one that it has not."""
    properties = _properties(tool)
    required = [name for name in properties if name in tool.parameters.get("required", ())]
    found: JsonObject = {}
    used: set[int] = set()
    for name in required or properties:
        format = str(properties[name].get("format"))
        if format in TIMES and (phrase := time_phrase(words, format, used)):
            found[name] = phrase[0]
            used |= phrase[1]
            if not required:
                break
    for name in properties:
        if name not in found and (plain := in_plain_sight(properties[name], words, used)):
            found[name] = plain[0]
            used |= plain[1]
    texts = [name for name in required if name not in found and is_text(properties[name])]
    if not required and not found:
        # Everything can be left out, but a request has its reason: its first text says which one.
        open_ = (name for name in properties if properties[name].get("default") is None)
        texts = [name for name in open_ if is_text(properties[name])][:1]
    lists = [
        name for name in properties if name not in required and _is_open_list(properties[name])
    ]
    for names, anywhere in (([*texts, *lists], False), (texts, False), (texts, True)):
        if values := _texts(tool, names, words, used, ask, anywhere=anywhere):
            found |= values
            break
    for name in required:
        if name not in found:
            value = _plain_value(tool, name, words, used, ask)
            if value is None:
                return {}, name
            found[name] = value
    return {name: found[name] for name in properties if name in found}, ""


def _texts(
    tool: ToolSpec,
    names: list[str],
    words: Words,
    used: set[int],
    ask: _Asking,
    *,
    anywhere: bool = False,
) -> JsonObject:
    """Values for all the parameters ``names``, chosen together; empty if there are not enough."""
    properties = _properties(tool)
    own = _stems(plain_name(tool.name)) - _stems(plain_name(" ".join(properties)))
    about = _stems(tool.description)
    choices = candidates(words, used, own=own, about=about, anywhere=anywhere)
    choices = dict(itertools.islice(choices.items(), MAX_CHOICES))
    best = _best(tool, names, choices, words, ask) if len(choices) >= len(names) else None
    if best is None:
        return {}
    return {
        name: [*_items(value)] if properties[name].get("type") == "array" else value
        for name, value in zip(names, best, strict=True)
    }


def _best(
    tool: ToolSpec, names: list[str], choices: Candidates, words: Words, ask: _Asking
) -> tuple[str, ...] | None:
    weights = [
        {value: ask.weigh(_prompt(words.request, tool, name), value) for value in choices}
        for name in names
    ]
    # The best few of each parameter: a value that is far behind in one is never right in the end.
    short = [sorted(of, key=lambda v: -of[v])[:8] for of in weights]
    apart = [
        combination
        for combination in itertools.product(*short)
        if sum(len(choices[value]) for value in combination)
        == len(frozenset[int]().union(*(choices[value] for value in combination)))
    ]
    return max(
        apart,
        key=lambda values: sum(of[value] for of, value in zip(weights, values, strict=True)),
        default=None,
    )


def _prompt(request: str, tool: ToolSpec, name: str) -> str:
    about = _properties(tool)[name].get("description", "")
    examples = "".join(f"Request: {r}\n{what}: {value}\n\n" for r, what, value in _EXAMPLES)
    what = f"{plain_name(tool.name)}, {name} ({about})"
    return f"{examples}Request: {escape(request)}\n{escape(what)}:"


def _plain_value(tool: ToolSpec, name: str, words: Words, used: set[int], ask: _Asking) -> Json:
    """A value of a closed kind: one of an enumeration, yes or no, or a number. None: not there."""
    schema = _properties(tool)[name]
    values: Sequence[Json] = schema.get("enum", ())
    if values:
        said = _letters(words.request)
        named = [value for value in values if _letters(str(value)) in said]
        if named:
            return max(named, key=lambda v: len(str(v)))
        prompt = _prompt(words.request, tool, name)
        return max(values, key=lambda v: ask.weigh(prompt, plain_name(str(v))))
    if schema.get("type") == "boolean":
        return not _OFF & set(words.plain)
    if schema.get("type") in ("integer", "number"):
        for i, word in enumerate(words.plain):
            if i not in used and (match := re.match(r"-?\d+(?:\.\d+)?", word)):
                number = float(match[0])
                return int(number) if number.is_integer() else number
    return None


def _items(text: str) -> list[str]:
    """What a text lists: "milk, eggs and bread"."""
    return [item for item in re.split(r",\s*(?:and\s+)?|\s+and\s+", text) if item]


def _properties(tool: ToolSpec) -> Mapping[str, Mapping[str, Any]]:
    properties: Mapping[str, Mapping[str, Any]] = tool.parameters.get("properties", {})
    return properties


def _is_open_list(schema: Mapping[str, Any]) -> bool:
    """A list of texts that is empty if left out: what the request is about, not a refinement."""
    return schema.get("default") == [] and is_text(schema.get("items", {}))


def _letters(text: str) -> str:
    return re.sub(r"[\W_]", "", text.lower())


def _stems(text: str) -> set[str]:
    return {stem(word) for word in re.findall(r"[^\W_]+", text.lower())}
