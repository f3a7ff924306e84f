"""A scenario: a start, what a user says, the ways to do it right, and what else must hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from botpsy.chat.types import ToolSpec
from botpsy.worlds.acts import Calls, Solution
from botpsy.worlds.compare import Loose
from botpsy.worlds.world import World

Kind = Literal[
    "single", "parallel", "multi_step", "state", "multi_turn", "missing", "wrong_value", "no_tool",
    "lookalike", "policy", "research", "hostile",
]  # fmt: skip
DECLINING: frozenset[Kind] = frozenset({"wrong_value", "no_tool", "policy"})
"""Kinds whose right answer says that something cannot be, unless a gold solution changes state."""

Domain = Literal[
    "calendar", "communication", "files", "home", "research", "lifestyle", "commerce", "business"
]
Difficulty = Literal["simple", "complex"]


@dataclass(frozen=True)
class Scenario:
    """One task, with its proof.

    The goal is the state after a gold solution, nothing else changed; and, where given:

    Attributes:
        turns: what the user says of their own accord, in order.
        facts: what the user answers when asked, by slot; None is a slot they cannot fill.
        system: what the agent is told of its role and rules, before the date.
        tools: names of the tools offered, distractors among them.
        gold: ways to do it right; the first is the one to learn from.
        world: the start. Never stepped; ``start()`` gives a copy.
        answer: what the last turn's answers must mention ("15:00|3 pm").
        never: what no answer may mention (a secret, a hostile text's wish).
        withheld: what no call may carry, even one that only reads (a secret that a page asks for).
        mentions: what the new mails, messages, tickets and notes must mention.
        loose: where the state may differ from the gold one.
        order: tools that must have done their work in this order, others in between or not.
        asked: slots that must have been asked for before anything was changed.
        declines: the last answer must say that something cannot be or will not be done.
        near: solutions that are nearly right and must fail, by name.
        without: tools that must not be on offer, since they would do what cannot be done.
        offer: tools that are on offer on purpose, besides gold's: what tempts.
        hostile: the text by others in the world that gives orders, word for word.
    """

    id: str
    family: str
    domain: Domain
    kind: Kind
    seed: int
    turns: tuple[str, ...]
    tools: tuple[str, ...]
    gold: tuple[Solution, ...]
    world: World = field(repr=False, compare=False)
    system: str = ""
    facts: Mapping[str, str | None] = field(default_factory=dict)
    answer: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    loose: tuple[Loose, ...] = ()
    order: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    declines: bool = False
    near: Mapping[str, Solution] = field(default_factory=dict)
    without: tuple[str, ...] = ()
    offer: tuple[str, ...] = ()
    hostile: str = ""
    held_out: bool = False

    @cached_property
    def difficulty(self) -> Difficulty:
        """``simple``: one turn, one call."""
        acts = [act for act in self.gold[0] if isinstance(act, Calls)]
        one = len(self.turns) == 1 and len(acts) == 1 and len(acts[0].calls) == 1
        return "simple" if one and self.kind == "single" else "complex"

    def start(self) -> World:
        """A fresh copy of the start."""
        return self.world.fork()

    @cached_property
    def specs(self) -> tuple[ToolSpec, ...]:
        """What the model is told of the tools offered."""
        return tuple(self.world.tools[name].spec for name in self.tools)
