"""Whether a reply follows its instructions: strictly, and loosely."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from botpsy.errors import ConfigError
from botpsy.evals.case import Leaf, Measured
from botpsy.evals.suites.instructions.classic import Check
from botpsy.evals.suites.instructions.english import English
from botpsy.evals.suites.instructions.text import Text

LEVELS = ("prompt strict", "instruction strict", "prompt loose", "instruction loose")
"""What all three benchmarks report."""


@dataclass(frozen=True)
class Instruction:
    """One instruction: its official name, what it states, and its check."""

    name: str
    stated: Mapping[str, Any]
    check: Check

    def followed_by(self, text: Text) -> bool:
        """An empty text follows nothing."""
        return bool(text.raw.strip()) and self.check(text, **self.stated)


def instructions_of(
    names: Sequence[str],
    stated: Sequence[Mapping[str, Any]],
    checks: Mapping[str, Check],
    where: str,
) -> list[Instruction]:
    """A prompt's instructions; what is stated as null is not stated.

    Raises:
        ConfigError: there is no such instruction; ``where`` is in the message.
    """
    found = []
    for name, given in zip(names, stated, strict=True):
        if name not in checks:
            raise ConfigError(f"{where}: there is no instruction {name!r}.", "Get the data anew.")
        kept = {key: value for key, value in given.items() if value is not None}
        found.append(Instruction(name, kept, checks[name]))
    return found


def followed(
    instructions: Iterable[Instruction], reply: str, english: English
) -> tuple[list[bool], list[bool]]:
    """Whether each is followed: by the reply as it is, and by any of its variants."""
    texts = [Text(each, english) for each in variants(reply)]
    asked = list(instructions)
    strict = [each.followed_by(texts[0]) for each in asked]
    loose = [
        ok or any(map(each.followed_by, texts[1:])) for ok, each in zip(strict, asked, strict=True)
    ]
    return strict, loose


def variants(reply: str) -> list[str]:
    """The reply; without its first line, its last, both; and all of these without stars."""
    lines = reply.split("\n")
    cut = ["\n".join(part).strip() for part in (lines[1:], lines[:-1], lines[1:-1])]
    kept = [reply, *cut]
    return list(dict.fromkeys([*kept, *(each.replace("*", "") for each in kept)]))


def measured(
    strict: Sequence[bool], loose: Sequence[bool], prefix: str = ""
) -> dict[str, Measured]:
    """The four levels' measures of one prompt."""
    return {
        f"{prefix}{how} {way}": (float(all(held)), 1.0) if how == "prompt" else _share(held)
        for way, held in (("strict", strict), ("loose", loose))
        for how in ("prompt", "instruction")
    }


def by_name(instructions: Sequence[Instruction], held: Sequence[bool]) -> dict[str, Measured]:
    """A measure for each instruction and each group (``keywords`` of ``keywords:existence``)."""
    found: dict[str, list[bool]] = {}
    for each, ok in zip(instructions, held, strict=True):
        for name in (each.name, group_of(each.name)):
            found.setdefault(name, []).append(ok)
    return {name: _share(oks) for name, oks in found.items()}


def leaves(names: Iterable[str], categories: tuple[str, ...]) -> Iterator[Leaf]:
    """A score for each instruction, and before them one for each group."""
    known = sorted(names)
    for name in (*dict.fromkeys(map(group_of, known)), *known):
        yield Leaf(name, categories, name)


def group_of(name: str) -> str:
    """The first half of an instruction's name."""
    return name.split(":", maxsplit=1)[0]


def missed(instructions: Sequence[Instruction], held: Sequence[bool]) -> str:
    """What was not followed, in words."""
    names = [each.name for each, ok in zip(instructions, held, strict=True) if not ok]
    return f"not followed: {', '.join(names)}" if names else ""


def _share(held: Sequence[bool]) -> Measured:
    return float(sum(held)), float(len(held))
