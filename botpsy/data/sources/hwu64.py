"""Spoken requests of HWU64 (Liu, Eshghi, Swietojanski, Rieser 2019) as calls of botpsy's own tools.

Each intent has a plan (``_hwu64_*``) that says which tool serves it and how its slots become
arguments; the call is carried out in a seeded world where what it needs is there, so that results
and answers are real, and the world's judge has the last word. A request whose slots do not fit is
refused with the reason, at once (``refusal``) or when its world is played. What no tool serves is
declined, what lacks a required value is asked for.

Only requests with odd answer ids, or none, are used, and none that stands among the even ones as
well: the even half is what choosing tools is measured on (``benchmarks/selection.py``).

Options: ``intents`` chooses (``alarm/set``), ``talk`` is the share of small talk that is kept,
``reasoning`` the share of conversations in which the assistant thinks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random

from pydantic import BaseModel, ConfigDict, Field

from botpsy.chat.types import Message, ToolSpec
from botpsy.data import reasoning
from botpsy.data.recipe import SourceRecipe
from botpsy.data.sources import Source, options_of, reading
from botpsy.data.sources._annotated import Item, read_item
from botpsy.data.sources._cases import PLANS, Case
from botpsy.data.sources._hwu64_talk import DECLINES, TALK, Decline, Talk
from botpsy.data.sources._wording import decline, like, styled
from botpsy.data.sources.worlds import conversation
from botpsy.data.types import MissingDataError, Row, UnusableError
from botpsy.errors import ConfigError
from botpsy.worlds.acts import says
from botpsy.worlds.episode import system_text
from botpsy.worlds.registry import HELD_OUT_TOOLS
from botpsy.worlds.scenario import Domain, Kind, Scenario
from botpsy.worlds.scene import TOOL_DOMAINS, About, Scene
from botpsy.worlds.world import WorldFault, all_tools

FILE = "train.jsonl"
LICENCE = "CC-BY-4.0"
FEWEST, MOST = 4, 8
"""Tools on offer."""

for _module in ("home", "days", "lists", "people", "ways", "finds"):
    import_module(f"botpsy.data.sources._hwu64_{_module}")

_BROKEN = re.compile(r"\b(by|from|the|of|with|my|at|and|a)$")


class Options(BaseModel):
    """See the module."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    intents: tuple[str, ...] = ()
    talk: float = Field(default=0.3, ge=0.0, le=1.0)
    reasoning: float = Field(default=1.0, ge=0.0, le=1.0)


def open_source(recipe: SourceRecipe, seed: int, corpora: Path) -> Source:
    """Conversations of the requests, in an order drawn from the seed."""
    options = options_of(recipe, Options)
    items = read_items(corpora / (recipe.path or "hwu64") / FILE)
    known = {f"{scenario}/{intent}" for scenario, intent in (*PLANS, *DECLINES, *TALK)}
    if unknown := set(options.intents) - known:
        raise ConfigError(
            f"source hwu64: options.intents: {', '.join(sorted(unknown))} is unknown."
        )
    rng = Random(f"hwu64:{seed}")  # noqa: S311 - chance, not secrets
    kept = [
        item
        for item in items
        if f"{item.scenario}/{item.intent}" in (options.intents or known)
        and ((item.scenario, item.intent) not in TALK or rng.random() < options.talk)
        and not refusal(item)
    ]
    if not kept:
        raise ConfigError("source hwu64: the options leave no request.")
    rng.shuffle(kept)

    def make(number: int) -> Row:
        chance = Random(f"hwu64:{seed}:{number}")  # noqa: S311 - chance, not secrets
        item = kept[number % len(kept)]
        # A seed for each number: what is found in the world differs each time round.
        row = row_of(
            item, seed * 100_000_000 + number, thinking=chance.random() < options.reasoning
        )
        return replace(row, seed=seed)

    pool = [tool.spec for name, tool in all_tools().items() if name not in HELD_OUT_TOOLS]
    return Source(make, size=len(kept), pool=pool)


@cache
def read_items(path: Path) -> tuple[Item, ...]:
    """The odd half, once each.

    Raises:
        MissingDataError: the file is not there.
        ConfigError: it is not the corpus.
    """
    try:
        with reading(path, "HWU64 as JSON lines"):
            even, odd = _halves(path)
    except FileNotFoundError:
        raise MissingDataError(
            f"The corpus HWU64 ({LICENCE}) is not there: {path} is missing.",
            f"It is the project xliuhw/NLU-Evaluation-Data; make {path.name} of its table, one "
            "JSON object a line: answerid, scenario, intent, answer_annotation.",
        ) from None
    return tuple(item for item in odd.values() if item.text and item.text.lower() not in even)


def _halves(path: Path) -> tuple[set[str], dict[tuple[str, str, str], Item]]:
    """What the even half says, and the odd half's items."""
    even: set[str] = set()
    odd: dict[tuple[str, str, str], Item] = {}
    for line in map(json.loads, filter(None, path.read_text("utf-8").splitlines())):
        annotated = line["answer_annotation"]
        item = read_item(line["answerid"], line["scenario"], line["intent"], annotated)
        if item.id.isdigit() and int(item.id) % 2 == 0:
            even.add(item.text.lower())
        else:
            odd.setdefault((item.scenario, item.intent, item.text.lower()), item)
    if not odd:
        raise ValueError("there is no request in it")
    return even, odd


@cache
def refusal(item: Item) -> str:
    """Why a request makes no row, as far as that can be told without a world; empty if it may."""
    pair = item.scenario, item.intent
    if _BROKEN.search(item.text):
        return "a request that breaks off"
    if (pair in DECLINES and DECLINES[pair].fits(item)) or any(
        talk.fits(item) for talk in TALK.get(pair, ())
    ):
        return ""
    if pair not in PLANS:
        return "an intent that no tool serves"
    domain, plan = PLANS[pair]
    try:
        plan(_scene(item, domain, 0), item)
    except UnusableError as error:
        return error.message
    return ""


def row_of(item: Item, seed: int, *, thinking: bool = True) -> Row:
    """The conversation that a request becomes.

    Raises:
        UnusableError: it becomes none; says why.
    """
    if _BROKEN.search(item.text):
        raise UnusableError("a request that breaks off")
    pair = item.scenario, item.intent
    given = DECLINES.get(pair)
    rng = Random(f"hwu64:{item.id}:{item.text}:{seed}")  # noqa: S311 - chance, not secrets
    gaps: dict[str, str] = {}
    if given and given.fits(item) and (pair not in PLANS or rng.random() < given.share):
        kind: Kind = "no_tool"
        task = _declined(item, given, seed)
    elif talks := [each for each in TALK.get(pair, ()) if each.fits(item)]:
        return _talk(item, talks[0], seed, rng, thinking)
    elif pair in PLANS:
        domain, plan = PLANS[pair]
        scene = _scene(item, domain, seed)
        case = plan(scene, item)
        task, kind = _task(scene, item, case), case.kind
        first = task.turns[0]
        styled = first != item.text
        gaps = {name: like(text, first) if styled else text for name, text in case.gaps.items()}
    else:
        raise UnusableError("an intent that no tool serves")
    try:
        row = conversation(task, rng, thinking=thinking)
    except WorldFault:
        raise UnusableError("the tool could not do it") from None
    if any(_failed(message) for message in row.messages):
        raise UnusableError("the tool could not do it")
    proof = row.proof if kind != "no_tool" else "no tool on offer serves it"
    return _row(item, row.messages, row.tools, task.domain, kind, proof, gaps)


def _row(  # noqa: PLR0917
    item: Item,
    messages: tuple[Message, ...],
    tools: tuple[ToolSpec, ...],
    domain: Domain,
    kind: Kind,
    proof: str,
    gaps: Mapping[str, str],
) -> Row:
    return Row(
        id=f"hwu64/{item.scenario}.{item.intent}/{item.id}",
        messages=messages,
        tools=tools,
        source="hwu64",
        licence=LICENCE,
        domain=domain,
        kind=kind,
        difficulty="simple" if kind == "single" else "complex",
        seed=0,
        group=f"hwu64.{item.scenario}.{item.intent}",
        proof=proof,
        without=gaps,
    )


def _talk(item: Item, talk: Talk, seed: int, rng: Random, thinking: bool) -> Row:
    scene = _scene(item, "communication", seed)
    answer = scene.choose(talk.answers)
    task = scene.scenario(styled(item.text, scene.rng), [says(answer)], tools=_size(scene))
    messages = (
        Message("system", system_text(task)),
        Message("user", task.turns[0]),
        Message("assistant", answer, reasoning.for_chat(rng) if thinking else ""),
    )
    return _row(item, messages, task.specs, task.domain, "no_tool", "needs no tool", {})


def _failed(message: Message) -> bool:
    return message.role == "tool" and message.content.startswith("error")


def _scene(item: Item, domain: Domain, seed: int, kind: Kind = "single") -> Scene:
    about = About(f"hwu64.{item.scenario}.{item.intent}.{item.id}", domain, kind, held_out=False)
    return Scene(about, seed, HELD_OUT_TOOLS)


def _size(scene: Scene) -> int:
    return scene.rng.randint(FEWEST, MOST)


def _task(scene: Scene, item: Item, case: Case) -> Scenario:
    scene.about = replace(scene.about, kind=case.kind)
    return scene.scenario(
        styled(item.text, scene.rng),
        case.acts,
        offer=[name for name in case.offer if name not in case.barred][:2],
        without=case.barred,
        tools=_size(scene),
        facts=case.facts,
    )


def _declined(item: Item, given: Decline, seed: int) -> Scenario:
    scene = _scene(item, given.domain, seed, "no_tool")
    near = [
        name
        for name, tool in all_tools().items()
        if tool.domain in TOOL_DOMAINS[given.domain] and name not in given.near
    ]
    barred = {*given.barred, *HELD_OUT_TOOLS}
    others = [name for name in all_tools() if name not in near]
    pool = scene.rng.sample(near, min(3, len(near))) + scene.rng.sample(others, 5)
    offered: Sequence[str] = [
        name for name in dict.fromkeys((*given.near, *pool)) if name not in barred
    ][: _size(scene)]
    # What is near is the likelier help.
    helpful = given.near if given.near and scene.chance(0.8) else offered
    specs = [all_tools()[name].spec for name in helpful if name in offered]
    what = scene.choose(given.whats) if scene.chance(0.7) else ""
    answer = decline(scene.rng, specs, what)
    return scene.scenario(
        styled(item.text, scene.rng), [says(answer)], offer=offered, tools=len(offered)
    )
