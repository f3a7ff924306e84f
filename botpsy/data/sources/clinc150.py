"""Requests of CLINC150 (Larson et al. 2019): choosing one tool among near ones, and none.

Each intent is a tool (``_clinc_*``, in our own words), and a request is answered by a call of the
right one among others of its domain. The corpus marks no values: an argument is what a pattern
finds in the request, word for word, and a request with words that are rare in its intent, outside
what patterns found, is not used, since they may be values that the tool would have to be told.
Results are invented, and answers say what they say. The same requests, and those of the corpus that
belong to no intent, are declined where the tool is not among those offered. Small talk is answered.

About 15 % of the intents, by their names, are for evaluation (``held_out_intent``): neither their
requests nor their tools are used.

Options: ``decline`` is the share of an intent's requests whose tool is not offered, ``talk`` the
share of small talk that is kept, ``reasoning`` the share of conversations in which the assistant
thinks.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from botpsy.chat.types import Message, ToolCall, ToolSpec
from botpsy.data import reasoning
from botpsy.data.recipe import SourceRecipe
from botpsy.data.sources import Source, options_of, reading
from botpsy.data.sources._clinc_talk import TALK
from botpsy.data.sources._clinc_tools import TOOLS, Tool, Values, filled, result_of
from botpsy.data.sources._clinc_words import ALIKE, MONEY, NO_VALUE, VAGUE, VALUES
from botpsy.data.sources._spoken import without
from botpsy.data.sources._wording import decline, either, purpose, styled
from botpsy.data.types import MissingDataError, Row, UnusableError, dump
from botpsy.errors import ConfigError
from botpsy.worlds.scenario import Domain, Kind

FILES = ("train_val.json", "domains.json")
LICENCE = "CC-BY-3.0"
FEWEST, MOST = 4, 10
"""Tools on offer."""
HELD_OUT_SHARE = 15

for _module in ("money", "life", "travel", "daily", "work"):
    import_module(f"botpsy.data.sources._clinc_{_module}")

DOMAINS: Mapping[str, Domain] = {
    "banking": "commerce", "credit_cards": "commerce", "kitchen_and_dining": "lifestyle",
    "home": "home", "auto_and_commute": "home", "travel": "lifestyle", "utility": "lifestyle",
    "work": "business", "small_talk": "communication", "meta": "home",
}  # fmt: skip
_WORD = re.compile(r"[^\W_]+(?:'\w+)?")

Part = Literal["call", "decline", "talk"]


class Options(BaseModel):
    """See the module."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    decline: float = Field(default=0.12, ge=0.0, le=1.0)
    talk: float = Field(default=0.4, ge=0.0, le=1.0)
    reasoning: float = Field(default=1.0, ge=0.0, le=1.0)


def held_out_intent(name: str) -> bool:
    """Whether an intent is kept for evaluation."""
    digest = hashlib.sha256(f"clinc150:{name}".encode()).digest()
    return int.from_bytes(digest) % 100 < HELD_OUT_SHARE


@dataclass(frozen=True, slots=True)
class Request:
    """What a user says, and what it is; no intent where the corpus knows none."""

    text: str
    intent: str
    number: int


@dataclass(frozen=True)
class Corpus:
    """Requests that may be trained on, intents by the corpus's own domains, and each intent's usual
    words."""

    requests: tuple[Request, ...]
    domain: Mapping[str, str]
    usual: Mapping[str, frozenset[str]]


def open_source(recipe: SourceRecipe, seed: int, corpora: Path) -> Source:
    """Conversations of the requests, in an order drawn from the seed."""
    options = options_of(recipe, Options)
    corpus = read_corpus(corpora / (recipe.path or "clinc150"))
    rng = Random(f"clinc150:{seed}")  # noqa: S311 - chance, not secrets
    parts: list[tuple[Part, Request]] = []
    for request in corpus.requests:
        if request.intent in TALK:
            if rng.random() < options.talk and not TALK[request.intent].never.search(request.text):
                parts.append(("talk", request))
        elif not request.intent or rng.random() < options.decline:
            parts.append(("decline", request))
        elif request.intent and _usable(request, corpus):
            parts.append(("call", request))
    if not parts:
        raise ConfigError("source clinc150: the options leave no request.")
    rng.shuffle(parts)

    def make(number: int) -> Row:
        part, request = parts[number % len(parts)]
        chance = Random(f"clinc150:{seed}:{number}")  # noqa: S311 - chance, not secrets
        thinking = chance.random() < options.reasoning
        return row_of(part, request, corpus, chance, seed, thinking=thinking)

    return Source(make, size=len(parts), pool=[tool.spec for tool in _offerable().values()])


@cache
def read_corpus(folder: Path) -> Corpus:
    """The corpus in a folder, held-out intents left away.

    Raises:
        MissingDataError: a file is not there.
        ConfigError: it is not the corpus.
    """
    for name in FILES:
        if not (folder / name).is_file():
            raise MissingDataError(
                f"The corpus CLINC150 ({LICENCE}) is not there: {folder / name} is missing.",
                "It is the project clinc/oos-eval: take domains.json, and train, val, oos_train "
                f"and oos_val of data_full.json as {FILES[0]}.",
            )
    with reading(folder, "CLINC150"):
        data, domains = (json.loads((folder / name).read_text("utf-8")) for name in FILES)
        domain = {intent: name for name, intents in domains.items() for intent in intents}
        said = [(text, intent) for part in ("train", "val") for text, intent in data[part]]
        said += [(text, "") for part in ("oos_train", "oos_val") for text, _ in data[part]]
    known = {*TOOLS, *TALK}
    requests = {
        text: Request(text, intent, n)
        for n, (text, intent) in enumerate(said)
        if not intent or (intent in known and not held_out_intent(intent))
    }
    return Corpus(tuple(requests.values()), domain, _usual(list(requests.values())))


def _usual(requests: Sequence[Request]) -> dict[str, frozenset[str]]:
    """The words that requests of an intent share, or those of many intents."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    totals: Counter[str] = Counter()
    for request in requests:
        if request.intent:
            counts[request.intent].update(set(_words(request.text)))
            totals[request.intent] += 1
    spread = Counter(word for words in counts.values() for word in words)
    common = {word for word, n in spread.items() if n >= max(12, len(counts) // 5)}
    return {
        intent: frozenset(
            common | {word for word, n in words.items() if n >= math.ceil(totals[intent] * 0.03)}
        )
        for intent, words in counts.items()
    }


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


# --- arguments ------------------------------------------------------------------------------------


def arguments_of(request: Request, corpus: Corpus) -> tuple[dict[str, str], str]:
    """The arguments in a request, and the name of one that must be asked for, if any.

    Raises:
        UnusableError: it may say something that the tool would have to be told.
    """
    tool = TOOLS[request.intent]
    text = request.text
    if re.search(tool.never, text, re.IGNORECASE):
        raise UnusableError("words that ask for more than the tool does")
    found: dict[str, str] = {}
    rest = text
    missing = ""
    for name, parameter in tool.parameters.items():
        match = parameter.pattern.search(text)
        value = match[1] if match else ""
        if match and value:
            words = set(_words(value))
            if words <= VAGUE - {"on", "off"} or words & NO_VALUE:
                raise UnusableError("no value by name")
            if len(parameter.pattern.findall(text)) > 1:
                raise UnusableError("several values for one argument")
            found[name] = value
            rest = rest.replace(value, " ", 1)
        elif parameter.needed:
            asked = tool.question
            if not asked or asked.parameter != name or not asked.bare.search(text):
                raise UnusableError("a needed value that no pattern finds")
            missing = name
    usual = corpus.usual[request.intent]
    left = _words(rest)
    if any(word not in usual or word.isdigit() for word in left):
        raise UnusableError("words that are rare in the intent")
    values = VALUES | (MONEY if DOMAINS[corpus.domain[request.intent]] == "commerce" else set())
    if not values.isdisjoint(left):
        raise UnusableError("a value that is no argument")
    return found, missing


def _usable(request: Request, corpus: Corpus) -> bool:
    try:
        arguments_of(request, corpus)
    except UnusableError:
        return False
    return True


# --- rows -----------------------------------------------------------------------------------------


def row_of(
    part: Part, request: Request, corpus: Corpus, rng: Random, seed: int, *, thinking: bool = True
) -> Row:
    """The conversation that a request becomes.

    Raises:
        UnusableError: it becomes none; says why.
    """
    domain = DOMAINS.get(corpus.domain.get(request.intent, ""), "research")
    kind: Kind = "no_tool"
    gaps: dict[str, str] = {}
    user = Message("user", styled(request.text, rng))
    if part == "call":
        tool = TOOLS[request.intent]
        found, missing = arguments_of(request, corpus)
        kind = "missing" if missing else "single"
        tools = _offer(request, corpus, rng, [tool.spec])
        rest = _calling(tool, user, found, missing, rng)
        for name, value in found.items():
            if tool.parameters[name].needed and (text := without(user.content, value)):
                gaps[name] = text
    elif part == "decline":
        tools = _offer(request, corpus, rng, [])
        near = [
            spec for spec in tools if _domain_of(spec, corpus) == corpus.domain.get(request.intent)
        ]
        helpful = near if near and rng.random() < 0.7 else tools
        rest = [Message("assistant", decline(rng, helpful), reasoning.for_decline(rng))]
    else:
        tools = _offer(request, corpus, rng, [])
        able = [can for each in tools if (can := purpose(each))]
        can = either(rng.sample(able, min(len(able), 2)))
        answer = rng.choice(TALK[request.intent].answers).replace("{can}", can)
        rest = [Message("assistant", answer, reasoning.for_chat(rng))]
    if not thinking:
        rest = [_thoughtless(message) for message in rest]
    return Row(
        id=f"clinc150/{request.intent or 'none'}/{request.number}",
        messages=(user, *rest),
        tools=tuple(tools),
        source="clinc150",
        licence=LICENCE,
        domain=domain,
        kind=kind,
        difficulty="simple" if kind == "single" else "complex",
        seed=seed,
        group=f"clinc150.{request.intent or 'none'}",
        proof={"call": "schema", "decline": "no tool on offer serves it", "talk": "needs no tool"}[
            part
        ],
        without=gaps,
    )


def _calling(
    tool: Tool, user: Message, found: Mapping[str, str], missing: str, rng: Random
) -> list[Message]:
    arguments = dict(found)
    made: list[Message] = []
    if missing:
        asked = tool.question
        assert asked
        reply = rng.choice(asked.replies)
        said = _SPOKEN.get(missing, missing.replace("_", " "))
        made = [
            Message("assistant", asked.text, reasoning.for_question(rng, said)),
            Message("user", reply),
        ]
        arguments[missing] = _bare(reply)
    # In the order of the schema, whatever was found first.
    arguments = {name: arguments[name] for name in tool.parameters if name in arguments}
    call = ToolCall(tool.name, {**arguments}, "c1")
    values = Values(rng, arguments)
    thought = reasoning.for_calls(rng, [call], [user, *made])
    result = Message("tool", dump(result_of(tool, values)), call_id="c1", name=tool.name)
    answer = filled(rng.choice(tool.answers), values)
    return [
        *made,
        Message("assistant", "", thought, (call,)),
        result,
        Message("assistant", answer[:1].upper() + answer[1:], reasoning.for_answer(rng, [result])),
    ]


_SPOKEN = {"ring_at": "time", "text": "wording", "new_name": "name", "length": "length of time"}


def _bare(reply: str) -> str:
    """The value in a user's reply: ``Make it 5:45 am.`` -> ``5:45 am``."""
    return re.sub(
        r"^(?:make it|at|it is|call me|call yourself) ", "", reply, flags=re.IGNORECASE
    ).rstrip(".")


def _thoughtless(message: Message) -> Message:
    return Message(message.role, message.content, "", message.calls, message.call_id, message.name)


@cache
def _offerable() -> dict[str, Tool]:
    """Tools of intents that are not held out, in the order of the table."""
    return {name: tool for name, tool in TOOLS.items() if not held_out_intent(name)}


@cache
def _intents() -> dict[str, str]:
    return {tool.name: intent for intent, tool in TOOLS.items()}


def _domain_of(spec: ToolSpec, corpus: Corpus) -> str:
    return corpus.domain.get(_intents()[spec.name], "")


def _offer(
    request: Request, corpus: Corpus, rng: Random, needed: Sequence[ToolSpec]
) -> list[ToolSpec]:
    """Tools on offer: near ones of the domain that could not do it, and some of other domains."""
    barred = {request.intent}.union(*(names for names in ALIKE if request.intent in names))
    near: list[ToolSpec] = []
    far: list[ToolSpec] = []
    mine = corpus.domain.get(request.intent)
    content = {word for word in _words(request.text) if len(word) > 3}
    for intent, tool in _offerable().items():
        if intent in barred:
            continue
        # What the corpus knows no intent for may still be near a tool that shares its words.
        if not request.intent and content & set(
            _words(f"{intent} {tool.description}".replace("_", " "))
        ):
            continue
        (near if corpus.domain.get(intent) == mine else far).append(tool.spec)
    size = rng.randint(FEWEST, MOST)
    count = max(2, round(size * rng.uniform(0.5, 1.0))) - len(needed)
    chosen = [*needed, *rng.sample(near, min(len(near), max(0, count)))]
    chosen += rng.sample(far, min(len(far), max(0, size - len(chosen))))
    rng.shuffle(chosen)
    return chosen
