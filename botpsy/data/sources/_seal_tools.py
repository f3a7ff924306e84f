"""Seal-Tools' descriptions of tools as specs, and which tools are near others.

Near is: of the same field, with words in common, and yet not able to do the other's job. So much is
judged by names and descriptions alone.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from botpsy.chat.types import Schema, ToolSpec
from botpsy.data.sources._seal_results import label
from botpsy.worlds.scenario import Domain

TYPES = {"str": "string", "int": "integer", "float": "number", "bool": "boolean"}
HELD_OUT_PERCENT = 15
_LISTED = re.compile(r"\(([a-z]+(?:, (?:or )?[a-z]+)+)\)")
_READS = frozenset({
    "get", "retrieve", "find", "search", "fetch", "list", "check", "show", "provide", "lookup",
    "look", "view", "read", "explore", "query", "access", "obtain"
})  # fmt: skip
READING = frozenset({"get", "calculate", "analyze", "analyse", "estimate", "measure", "assess",
                     "determine", "predict", "compare", "identify"})  # fmt: skip
"""Verbs of tools that change nothing (see ``Tool.verb``)."""
_SMALL = frozenset({
    "a", "an", "the", "of", "for", "to", "in", "on", "and", "or", "with", "by", "from", "about",
    "information", "info", "data", "details", "given", "specified", "specific", "based", "its",
    "their", "related", "using", "retrieve", "get", "find"
})  # fmt: skip
_DOMAINS: tuple[tuple[str, Domain], ...] = (
    (r"event|schedul", "calendar"),
    (r"communicat|telecom|foreign lang|linguist|public relations|social media|journalis|media|"
     r"advertis|customer service", "communication"),
    (r"librar|publish|cloud|software|web dev|mobile dev|database|data|literature|writing|"
     r"information technology|computer|hardware", "files"),
    (r"internet of things|interior|automotive|robot|electrical|energy|home|vehicle", "home"),
    (r"sport|hospital(?!ity)|hospitality|gaming|fitness|travel|touris|fashion|food|music|dance|"
     r"film|theat|entertain|culinary|physical education|art|restaurant|nutrition", "lifestyle"),
    (r"finance|insurance|commerce|retail|real estate|econom|account|bank", "commerce"),
    (r"business|marketing|human resources|management|consult|logistic|supply|manufactur|"
     r"non-profit|construction|administration", "business"),
)  # fmt: skip


IN_A_BENCHMARK = frozenset({"convertCurrency", "getCurrencyConversion", "resolveTicket"})
"""Tools that BFCL v4 has, too: the same name, the same parameters."""
QUOTES = frozenset({"dev-easy-167"})
"""Items whose request quotes what a benchmark quotes."""


def held_out_tool(name: str) -> bool:
    """Training never sees this tool: about 15 % of all, by the name's hash, and what benchmarks
    have."""
    return (
        name in IN_A_BENCHMARK
        or int(hashlib.sha256(name.encode()).hexdigest()[:8], 16) % 100 < HELD_OUT_PERCENT
    )


@dataclass(frozen=True)
class Tool:
    """A tool: what a model sees of it, its field (``Science/Geology``), and what it returns, by
    name, as a JSON type and a description."""

    spec: ToolSpec
    field: str
    results: Mapping[str, tuple[str, str]]

    @property
    def name(self) -> str:
        """Its name."""
        return self.spec.name

    @property
    def domain(self) -> Domain:
        """The domain nearest to its field."""
        parts = self.field.casefold().split("/")
        for part in (parts[0], parts[-1]):
            for pattern, domain in _DOMAINS:
                if re.search(pattern, part):
                    return domain
        return "research"

    @cached_property
    def verb(self) -> str:
        """The first word of its name; one for all that only read."""
        first = (label(self.name).split() or [""])[0]
        return "get" if first in _READS else first

    @cached_property
    def thing(self) -> str:
        """Its name without the verb."""
        words = label(self.name).split()
        return " ".join(words[1:] or words)

    @cached_property
    def nouns(self) -> frozenset[str]:
        """Words of its name, without the verb."""
        return frozenset(_stems(self.thing))

    @cached_property
    def words(self) -> frozenset[str]:
        """Words of its name and description."""
        return self.nouns | frozenset(_stems(self.spec.description))


class Toolbox:
    """All tools, by name and by field."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self.tools = {each.name: each for each in tools}
        self._fields: dict[str, list[Tool]] = defaultdict(list)
        for each in self.tools.values():
            if not held_out_tool(each.name):
                self._fields[each.field].append(each)
                self._fields[each.field.split("/")[0]].append(each)

    def near(self, rng: Random, called: Sequence[Tool], wanted: int) -> list[Tool]:
        """Tools of the called ones' fields that can do none of their jobs; at most ``wanted``."""
        names = {each.name for each in called}
        found: dict[str, tuple[int, int, str]] = {}
        for own in called:
            for far, field in enumerate((own.field, own.field.split("/")[0])):
                for other in self._fields.get(field, ()):
                    if other.name in names or any(_alike(each, other) for each in called):
                        continue
                    rank = (far, -len(own.words & other.words), other.name)
                    found[other.name] = min(rank, found.get(other.name, rank))
        best = sorted(found, key=found.__getitem__)[: 2 * wanted + 2]
        return [self.tools[name] for name in rng.sample(best, min(wanted, len(best)))]


def _alike(one: Tool, other: Tool) -> bool:
    """One may do the other's job."""
    if one.verb == other.verb:
        both = one.nouns & other.nouns
        if both and (both in (one.nouns, other.nouns) or 2 * len(both) > len(one.nouns)):
            return True
    shared = len(one.words & other.words)
    return shared >= 0.6 * min(len(one.words), len(other.words))


def read_tool(stored: Mapping[str, Any]) -> Tool:
    """A tool from a line of the corpus."""
    properties = {name: _schema(each) for name, each in stored["parameters"].items()}
    parameters: Schema = {
        "type": "object",
        "properties": properties,
        "required": list(stored["required"]),
    }
    results = {
        name: (TYPES[each["type"]], each["description"])
        for name, each in stored["responses"].items()
    }
    spec = ToolSpec(stored["api_name"], stored["api_description"], parameters)
    return Tool(spec, stored["field"], results)


def _schema(stored: Mapping[str, Any]) -> Schema:
    schema: Schema = {"type": TYPES[stored["type"]], "description": stored["description"]}
    if schema["type"] == "string" and (options := stored.get("choices") or _options(stored)):
        schema["enum"] = options
    return schema


def _options(stored: Mapping[str, Any]) -> list[str]:
    """What a description lists as all there is; examples are not."""
    found = _LISTED.search(stored["description"])
    return re.split(r", (?:or )?", found[1]) if found else []


def _stems(text: str) -> list[str]:
    words = re.findall(r"[a-z]+", text.casefold())
    return [re.sub(r"(?<=\w\w\w)(?:ies|es|s|y)$", "", word) for word in words if word not in _SMALL]
