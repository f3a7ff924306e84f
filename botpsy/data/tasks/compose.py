"""Texts that hold to constraints because they were made to, and the constraints they hold to.

A plan says the shape of a text and its features; ``render`` makes the text; ``demands`` says in
constraints what the plan asks for; ``measured`` finds further constraints that a text happens to
hold to. As a text witnesses every set of constraints, no set contradicts itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from botpsy.data.tasks.topics import Topic
from botpsy.rewards.instructions import holds, paragraphs_of, sentences_of, words_of

Constraint = Mapping[str, Any]

SHAPES = ("prose", "prose", "prose", "bullets", "numbered", "sections", "separated", "json")
OPENINGS = ("Here is what I know.", "Good morning everyone.", "This is worth a few words.",
            "Let us begin at the beginning.")  # fmt: skip
CLOSINGS = ("That is all for today.", "More about this next week.", "Thank you for reading.",
            "And so it goes on.")  # fmt: skip
TITLE_MARKS = (("<<", ">>"), ("== ", " =="), ("~ ", " ~"), ("{", "}"))
SEPARATORS = ("***", "=====", "-----", "+++", "# # #")
LABELS = ("Part", "Section", "Chapter", "Step")
POSTSCRIPTS = ("P.S.", "PS:", "Note:")
NAMES = ("opening", "detail", "advice", "closing", "summary", "surprise")

GROUPS: Mapping[str, Sequence[str]] = {
    "head": ("title", "starts"),
    "tail": ("ends", "postscript"),
    "case": ("lower", "upper", "capitals"),
    "marks": ("emphasised", "blanks"),
    "around": ("quoted",),
}
"""At most one feature of each group. What stands around a text excludes head and tail."""


@dataclass(frozen=True, slots=True)
class Plan:
    """``lines`` are grouped into the paragraphs, items or parts of the shape."""

    topic: Topic
    shape: str
    lines: tuple[tuple[str, ...], ...]
    label: str
    mark: str
    names: tuple[str, ...]


def plan(rng: Random, topic: Topic) -> Plan:
    """A shape with some of the topic's sentences."""
    shape = rng.choice(SHAPES)
    lines = rng.sample(topic.lines, len(topic.lines))
    if shape in ("bullets", "numbered", "json"):
        count = rng.randint(3, 6 if shape != "json" else 4)
        sizes = [1] * count
    else:
        count = rng.randint(2, 4) if shape != "prose" else rng.randint(1, 4)
        sizes = [rng.randint(1 if count > 1 else 3, 2 if count > 2 else 4) for _ in range(count)]
    grouped = tuple(tuple(lines[sum(sizes[:n]) : sum(sizes[: n + 1])]) for n in range(count))
    return Plan(topic, shape, grouped, rng.choice(LABELS), rng.choice(SEPARATORS),
                tuple(rng.sample(NAMES, len(grouped))))  # fmt: skip


def features(rng: Random, made: Plan, group: str) -> Constraint:
    """A feature of that group, with its values drawn."""
    kind = rng.choice(GROUPS[group])
    places = sum(map(len, made.lines))
    given: dict[str, dict[str, Any]] = {
        "title": dict(zip(("left", "right"), rng.choice(TITLE_MARKS), strict=True)),
        "starts": {"phrase": rng.choice(OPENINGS)},
        "ends": {"phrase": rng.choice(CLOSINGS)},
        "postscript": {"mark": rng.choice(POSTSCRIPTS)},
        "capitals": {"least": rng.randint(1, min(3, places))},
        "emphasised": {"count": rng.randint(1, min(3, places))},
        "blanks": {"count": rng.randint(1, 2)},
    }
    return {"kind": kind, **given.get(kind, {})}


def groups_for(made: Plan) -> list[str]:
    """Groups of features that the shape admits."""
    if made.shape == "json":
        return ["case_json"]
    return [each for each in GROUPS if each != "around" or made.shape == "prose"]


def render(made: Plan, chosen: Mapping[str, Constraint]) -> str:
    """The text of a plan with features by group."""
    kinds = {each["kind"]: each for each in chosen.values()}
    lines = [list(group) for group in made.lines]
    _mark_words(lines, kinds, made.topic)
    body = _body(made, lines)
    gap = " " if made.shape == "prose" else "\n\n"
    if "starts" in kinds:
        body = f"{kinds['starts']['phrase']}{gap}{body}"
    if "title" in kinds:
        body = f"{kinds['title']['left']}{made.topic.title}{kinds['title']['right']}\n\n{body}"
    if "ends" in kinds:
        body = f"{body}{gap}{kinds['ends']['phrase']}"
    if "postscript" in kinds:
        body = f"{body}\n\n{kinds['postscript']['mark']} I could go on for hours."
    if "quoted" in kinds:
        body = f'"{body}"'
    if "lower" in kinds:
        body = body.lower()
    if "upper" in kinds:
        body = body.upper()
    return body


def demands(made: Plan, chosen: Mapping[str, Constraint]) -> list[Constraint]:
    """What must hold of the text of a plan, its phrases in the case that the text has."""
    kinds = {each["kind"] for each in chosen.values()}
    count = len(made.lines)
    shape: dict[str, Constraint] = {
        "bullets": {"kind": "bullets", "count": count},
        "numbered": {"kind": "numbered", "count": count},
        "sections": {"kind": "sections", "label": made.label, "count": count},
        "separated": {"kind": "separated", "mark": made.mark, "count": count},
        "json": {"kind": "json", "names": [*made.names]},
    }
    found = [*([shape[made.shape]] if made.shape in shape else []), *chosen.values()]
    if "lower" in kinds or "upper" in kinds:
        turn = str.lower if "lower" in kinds else str.upper
        found = [
            {name: turn(value) if name in ("phrase", "mark", "label") else value
             for name, value in each.items()}
            for each in found
        ]  # fmt: skip
    return found


def measured(rng: Random, text: str, made: Plan) -> list[Constraint]:
    """Further constraints that a text holds to, in some order. Counts leave room to write."""
    words, sentences, blocks = len(words_of(text)), sentences_of(text), paragraphs_of(text)
    low, high = max(5, words * 4 // 5 // 5 * 5), -(-words * 5 // 4 // 5) * 5
    found: list[Constraint] = [
        rng.choice((
            {"kind": "words", "least": low}, {"kind": "words", "most": high},
            {"kind": "words", "least": low, "most": high},
        )),
        {"kind": "without", "marks": rng.choice(("!", "?", ";", "!?", ";:", "()"))},
        {"kind": "without", "marks": ","},
        {"kind": "characters", "most": -(-len(text) * 6 // 5 // 50) * 50},
        {"kind": "sentence_length", "most": rng.choice((16, 18, 20))},
    ]  # fmt: skip
    used = [word for word in made.topic.words if holds({"kind": "mentions", "word": word}, text)]
    spare = [word for word in made.topic.words if word not in used]
    if used:
        word = rng.choice(used)
        times = words_of(text).count(word)
        found.append(rng.choice((
            {"kind": "mentions", "word": word},
            {"kind": "repeats", "word": word, "least": times, "most": times},
            {"kind": "repeats", "word": word, "most": times + rng.randint(0, 1)},
        )))  # fmt: skip
    if spare:
        found.append({"kind": "avoids", "words": rng.sample(spare, min(len(spare), 2))})
    if made.shape == "prose":
        found += [
            {"kind": "paragraphs", "count": len(blocks)},
            rng.choice((
                {"kind": "sentences", "least": sentences, "most": sentences},
                {"kind": "sentences", "least": max(1, sentences - 1)},
                {"kind": "sentences", "most": sentences + 1},
            )),
        ]  # fmt: skip
        number = rng.randint(1, len(blocks))
        first = words_of(blocks[number - 1])[0]
        found.append({"kind": "paragraph_starts", "number": number, "word": first})
    found = [each for each in found if holds(each, text)]
    return rng.sample(found, len(found))


def _mark_words(lines: list[list[str]], kinds: Mapping[str, Constraint], topic: Topic) -> None:
    """Put stars, brackets or capitals on as many words as asked for, each in another line."""
    for kind, form in (("emphasised", "**{}**"), ("capitals", "{}"), ("blanks", "[{}]")):
        if kind not in kinds:
            continue
        left = kinds[kind].get("count", kinds[kind].get("least", 0))
        seen: set[str] = set()
        for group in lines:
            for n, line in enumerate(group):
                long = [word for word in re.findall(r"\b[a-z]{5,}\b", line) if word not in seen]
                if not left or not long:
                    continue
                word = max(long, key=lambda each: (each in topic.words, len(each)))
                seen.add(word)
                new = form.format(word.upper() if kind == "capitals" else word)
                group[n] = re.sub(rf"\b{word}\b", new, line, count=1)
                left -= 1


def _body(made: Plan, lines: Sequence[Sequence[str]]) -> str:
    parts = [" ".join(group) for group in lines]
    match made.shape:
        case "bullets":
            return "\n".join(f"- {part}" for part in parts)
        case "numbered":
            return "\n".join(f"{n}. {part}" for n, part in enumerate(parts, 1))
        case "sections":
            return "\n\n".join(f"{made.label} {n}\n{part}" for n, part in enumerate(parts, 1))
        case "separated":
            return f"\n{made.mark}\n".join(parts)
        case "json":
            return json.dumps(dict(zip(made.names, parts, strict=True)), indent=2)
        case _:
            return "\n\n".join(parts)
