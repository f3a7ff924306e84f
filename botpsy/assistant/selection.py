"""Which tools the model gets to see for a request: at most a few, chosen without a model.

Every tool is a small collection of sentences: its name, its description with its parameters, and
its example requests. A request is compared with each sentence by the words, word pairs and pieces
of words they share, rare ones counting more; a tool scores by its best sentence and by all its
sentences together. A tool without examples is found by its name and description. Nothing is
learned: to improve the ranking, write better examples.

The order is made for prompt prefixes to be used again. The first request of a conversation gets its
tools in catalogue order. Later ones get the tools of the turn before (``recent``), unchanged, as
long as the request's likely ones are among them; otherwise the best push out the worst, those
that stay keep their places, and newcomers are put behind them in catalogue order.
"""

from __future__ import annotations

import inspect
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from botpsy.tools.base import Context, ToolDef

LIMIT = 8
_SURE = 6
_SURE_SHARE = 0.35
"""So many of a request's best tools, of this share of the best one's score at least, are offered
whatever was offered before."""
_ALL_SENTENCES = 0.5
"""How much all sentences together count beside the best one."""
_PAIR, _PIECE = 0.4, 0.3
"""What a word pair and a piece of a word count beside a word."""
_EXAMPLE, _NAME, _DESCRIPTION = 1.0, 0.9, 0.8
"""What sentences of each kind count."""
_READ = 2000
"""Characters of a request that are looked at."""

_RARE = "xrare"
"""Stands for a word that is nowhere else: "who is X", "email X" differ in what X may be."""

# Words that mean the same to these tools; each line's first stands for all.
_SAME_WORDS = """
email mail gmail inbox mailbox
event appointment meeting calendar schedule agenda
light lamp bulb lighting lamps lights
off out
volume sound audio speaker speakers loudness
up louder increase raise higher turnup brighter
down quieter decrease reduce lower softer dimmer
mute silence silent quiet hush
vacuum hoover roomba cleaner
coffee espresso latte cappuccino
socket plug outlet wemo
tv television telly
lock bolt
delete remove erase cancel clear drop
add create new put make include insert
list lists checklist
note notes memo
show tell give display read
contact contacts
alarm alarms wake
reminder remind reminders
phone number telephone mobile
colour color
"""
# Said one, a tool named by the other is hardly meant: "off" must not switch on.
_OPPOSITES = (
    ("off", "on"),
    ("unlock", "lock"),
    ("close", "open"),
    ("stop", "start"),
    ("delete", "add"),
    ("delete", "set"),
)
_BOTH_WAYS = (*_OPPOSITES, *((b, a) for a, b in _OPPOSITES))
_OPPOSED = 0.4
"""What a tool's score is worth when the request says the opposite of its name."""
_CANON = {
    word: line.split()[0] for line in _SAME_WORDS.strip().splitlines() for word in line.split()[1:]
}
_SHAPES = (
    (re.compile(r"\S{1,64}@\S+"), " xaddress "),
    (re.compile(r"https?://\S+|www\.\S+"), " xurl "),
    (
        re.compile(r"\b\d{1,2}([:.]\d\d)? ?([ap]\.? ?m\b\.?)|\bo'?clock\b|\b(noon|midnight)\b"),
        " xtime ",
    ),
    (re.compile(r"\d+(\.\d+)? ?(%|percent)"), " xpercent "),
    (re.compile(r"\d+ ?[-+*/x^] ?\d+"), " xsum "),
    (re.compile(r"\d+([.,:]\d+)*"), " xnumber "),
    (re.compile(r"\b(?!(?:what|it|that|who|where|when|how|there|here|let)'s)\w+'s\b"), " xwhose "),
)
_DAYS = """
today tomorrow tonight monday tuesday wednesday thursday friday saturday sunday january february
march april june july august september october november december weekend
"""
_NUMBERS = """
two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty
seventy eighty ninety hundred thousand
"""
_SHAPE_OF = {**dict.fromkeys(_DAYS.split(), "xday"), **dict.fromkeys(_NUMBERS.split(), "xnumber")}
_POLITE_WORDS = """
please pls plz kindly can could would will you hey hi hello ok okay thanks olly alexa siri cortana
google pda assistant botpsy computer
"""
_POLITE = frozenset(_POLITE_WORDS.split())


def select(
    text: str, tools: Sequence[ToolDef], *, recent: Sequence[str] = (), limit: int = LIMIT
) -> list[ToolDef]:
    """The tools to offer for a request, at most ``limit``, in the order described above.

    ``recent`` names the tools offered in the turn before, in their order; unknown ones are ignored.
    """
    if len(tools) <= limit:
        return list(tools)
    scores = _index(tuple(tools)).scores(text)
    place = {tool.name: i for i, tool in enumerate(tools)}
    ranking = sorted(place, key=lambda name: -scores[place[name]])
    enough = max(_SURE_SHARE * max(scores), 1e-9)
    sure = [name for name in ranking[: min(_SURE, limit)] if scores[place[name]] >= enough]
    kept = [name for name in dict.fromkeys(recent) if name in place][:limit]
    if len(kept) == limit and set(sure) <= set(kept):
        return [tools[place[name]] for name in kept]
    chosen = list(dict.fromkeys([*sure, *sorted(kept, key=ranking.index), *ranking]))[:limit]
    stay = [name for name in kept if name in chosen]
    come = sorted(set(chosen) - set(stay), key=place.__getitem__)
    return [tools[place[name]] for name in (*stay, *come)]


def rank(text: str, tools: Sequence[ToolDef]) -> list[ToolDef]:
    """All tools, the likeliest first; equals in catalogue order."""
    scores = _index(tuple(tools)).scores(text)
    return [tools[i] for i in sorted(range(len(tools)), key=lambda i: -scores[i])]


@dataclass(frozen=True, slots=True)
class _Index:
    """Postings: feature -> its weight, and (sentence, weight in it) wherever it occurs."""

    rarity: Mapping[str, float]
    postings: Mapping[str, Sequence[tuple[int, float]]]
    owner: Sequence[int]
    names: Sequence[frozenset[str]]

    def scores(self, text: str) -> list[float]:
        features = _features(text)
        opposed = {b for a, b in _BOTH_WAYS if a in features and b not in features}
        if any(_is_word(feature) and feature not in self.rarity for feature in features):
            features[_RARE] = 1.0
        sentence = [0.0] * len(self.owner)
        for feature, count in features.items():
            weight = count * self.rarity.get(feature, 0.0)
            for number, there in self.postings.get(feature, ()):
                sentence[number] += weight * there
        best = [0.0] * len(self.names)
        total = [0.0] * len(self.names)
        for number, score in enumerate(sentence):
            tool = self.owner[number]
            best[tool] = max(best[tool], score)
            total[tool] += score
        return [
            (b + _ALL_SENTENCES * math.sqrt(b * t)) * (_OPPOSED if name & opposed else 1.0)
            for b, t, name in zip(best, total, self.names, strict=True)
        ]


@lru_cache(maxsize=16)
def _index(tools: tuple[ToolDef, ...]) -> _Index:
    sentences = [
        (number, _features(text), weight)
        for number, tool in enumerate(tools)
        for text, weight in _sentences(tool)
    ]
    spread = Counter(feature for _, features, _ in sentences for feature in features)
    for _, features, weight in sentences:
        if weight == _EXAMPLE and any(_is_word(f) and spread[f] == 1 for f in features):
            features[_RARE] = 1.0
    owners: defaultdict[str, set[int]] = defaultdict(set)
    for number, features, _ in sentences:
        for feature in features:
            owners[feature].add(number)
    rarity = {f: math.log(1 + len(tools) / len(where)) for f, where in owners.items()}
    postings: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
    for at, (_, features, weight) in enumerate(sentences):
        size = math.sqrt(sum((n * rarity[f]) ** 2 for f, n in features.items())) or 1.0
        for feature, count in features.items():
            postings[feature].append((at, weight * count * rarity[feature] / size))
    names = [frozenset(words_of(tool.name)) for tool in tools]
    return _Index(rarity, postings, [number for number, _, _ in sentences], names)


def _sentences(tool: ToolDef) -> Iterable[tuple[str, float]]:
    # The schema would also tell what parameters mean, but costs more to make than all the rest.
    parameters = inspect.signature(tool.function).parameters.values()
    about = (
        tool.description,
        *(p.name for p in parameters if p.annotation not in (Context, "Context")),
    )
    yield tool.name, _NAME
    yield tool.description, _DESCRIPTION
    yield " ".join(about), _DESCRIPTION
    for example in tool.examples:
        yield example, _EXAMPLE


def _features(text: str) -> dict[str, float]:
    """Words, word pairs and pieces of words, with how much each counts."""
    words = words_of(text)
    found = dict.fromkeys(words, 1.0)
    found |= {f"{one} {two}": _PAIR for one, two in pairwise(words)}
    for word in set(words):
        if len(word) > 4:
            padded = f"_{word}_"
            found |= {f"~{padded[i : i + 4]}": _PIECE for i in range(len(padded) - 3)}
    return found


def _is_word(feature: str) -> bool:
    return " " not in feature and not feature.startswith("~")


def words_of(text: str) -> list[str]:
    """The words that count, each in its one form."""
    text = text[:_READ].lower().replace("_", " ").replace("’", "'")
    for pattern, shape in _SHAPES:
        text = pattern.sub(shape, text)
    words = re.findall(r"[^\W_]+", text.replace("'", ""))
    return [_word(word) for word in words if word not in _POLITE] or words


def _word(word: str) -> str:
    if word in _SHAPE_OF:
        return _SHAPE_OF[word]
    word = _CANON.get(word, word)
    for ending in ("ing", "ed", "es", "s"):
        if len(word) > len(ending) + 3 and word.endswith(ending):
            return _CANON.get(word[: -len(ending)], word[: -len(ending)])
    return word
