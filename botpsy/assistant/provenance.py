"""Where the values in a conversation come from: the user's words, a trusted store, or others.

``Tracker`` is fed everything the model gets to read and labels a call's arguments by it.

How a value is labelled, first match first:

1. ``USER``: the value stands in the user's own words, as a run of whole words, as the user wrote
   it: letter case and spacing aside, nothing is taken away from the value, so ``bob@x.org`` does
   not vouch for ``bob@x.org.evil.io``, nor for a look-alike, an encoded or a dotted form of it. A
   numeral or a text of two characters counts only where the latest message has it, a single letter
   never, and for a destination common words ("all", "the") never. Of several recipients in one
   text ("Ann, bob@x.org") each is looked for by itself.
2. ``TRUSTED``: it stands so in a trusted store's output, or it is what the tool would use anyway
   (the schema's default).
3. ``MODEL``: nothing untrusted has been read in this conversation. Or the tool's author listed the
   choices (truth values, enumerations, small ranges) and it is no destination: such a value can
   smuggle nothing, and who made the choice is what ``control`` says.
4. ``UNTRUSTED``: all else.

What follows from "as the user wrote it": text that the user pastes counts as the user's own. A
value that stands both in the user's words and in untrusted text is the user's.

``control`` is untrusted from the first untrusted text until ``reset``: that text stays in the
model's view, and a later message of the user names values, not the tool that will be chosen. So it
is after a list of the user's own things whose names others may have given; their values stay
trusted.

Nothing is laundered through a trusted tool: its output counts as untrusted where the call had
untrusted arguments (it might echo them), and so does, from then on, all output of a service to
which such a call wrote.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from botpsy.assistant.types import Action, Labels, Source
from botpsy.chat.types import Json, JsonObject, Schema
from botpsy.tools.base import ToolDef

SMALL_RANGE = 1000
"""A declared integer range of at most this width counts as a list of choices."""

_QUOTES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"'})
_OPENING = "\"'([{<«‹„‚¿¡「『（"
_CLOSING = "\"')]}>»›.,;:!?…、。，！？；：」』）"
_UNSPACED = (
    r"[\u0e00-\u0edf\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
    r"\uf900-\ufaff\U00020000-\U0003134f]"
)
# Scripts written without spaces: each character is a word, except inside an address or a path.
_UNSPACED_WORD = re.compile(rf"(?<![@./\\:_-])({_UNSPACED})(?![@./\\:_-])")
_LIST = re.compile(r" *[,;] *| +and +")
_NUMERAL = re.compile(r"(?<![\w.,])[-+]?\d+(?:,\d{3})*(?:\.\d+)?")
_COMMON_WORDS = """
    all and any are but can each every everybody everyone for from had has have he her here
    him his how it its my no not now of on one or our out she some someone that the their
    them then there these they this those to us was we what when where which who will with
    you your
"""
_COMMON = frozenset(_COMMON_WORDS.split())


class Tracker:
    """What one conversation has read, by source."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget everything: a new conversation, whose context holds nothing of the old one."""
        self._user, self._latest, self._trusted = _Words(), _Words(), _Words()
        self._tainted = self._steered = False
        self._written: set[str] = set()

    @property
    def tainted(self) -> bool:
        """Whether text by others has been read."""
        return self._tainted

    def user(self, text: str) -> None:
        """A message of the user, as typed."""
        self._latest = _Words()
        self._latest.add(text)
        self._user.add(text)

    def untrusted(self) -> None:
        """Text by others has come into view: an attachment, a peer's answer, a tool's error."""
        self._tainted = True

    def result(self, tool: ToolDef, value: Json, labels: Labels) -> None:
        """What a call gave back, error texts included; ``labels`` are those of the call."""
        if Source.UNTRUSTED in labels.arguments.values():
            self._tainted = True
            if tool.effect != "read":
                self._written.add(tool.service)
        elif tool.untrusted_output or tool.service in self._written:
            self._tainted = True
        else:
            self._steered |= tool.names_by_others
            for leaf, _ in _leaves(value, {}):
                self._trusted.add(leaf if isinstance(leaf, str) else _numeral(leaf))

    def label(self, tool: ToolDef, arguments: JsonObject) -> Labels:
        """The sources of a call's arguments, as the model wrote them, and of the call itself."""
        properties = tool.schema.get("properties", {})
        sources = {
            name: self._source(value, properties.get(name, {}), name in tool.destinations)
            for name, value in arguments.items()
        }
        steered = self._tainted or self._steered
        return Labels(sources, Source.UNTRUSTED if steered else Source.USER)

    def _source(self, value: Json, schema: Schema, destination: bool) -> Source:
        if value is None or ("default" in schema and _same(value, schema["default"])):
            return Source.TRUSTED
        return max(self._leaf(leaf, sub, destination) for leaf, sub in _leaves(value, schema))

    def _leaf(self, leaf: Json, schema: Schema, destination: bool) -> Source:
        if self._said(leaf, destination):
            return Source.USER
        if self._trusted.has(leaf, destination):
            return Source.TRUSTED
        if not self._tainted or (not destination and _listed(leaf, schema)):
            return Source.MODEL
        # In a path a comma separates nothing.
        if destination and isinstance(leaf, str) and not ("/" in leaf or "\\" in leaf):
            parts = _LIST.split(leaf)
            if len(parts) > 1:
                return max(self._leaf(part, {}, destination) for part in parts)
        return Source.UNTRUSTED

    def _said(self, leaf: Json, destination: bool) -> bool:
        text = leaf.strip() if isinstance(leaf, str) else _numeral(leaf)
        if destination and text.casefold() in _COMMON:
            return False
        digits = sum(c.isdigit() for c in text)
        if len(text) == 1 and not digits and not re.match(_UNSPACED, text):
            return False
        weak = len(text) < 3 or (digits < 4 and not any(c.isalpha() for c in text))
        return (self._latest if weak else self._user).has(leaf, destination)


class _Words:
    """Texts in which runs of whole words can be found."""

    def __init__(self) -> None:
        self._text = "\n"
        self._numbers: set[float] = set()

    def add(self, text: str) -> None:
        # As written, and in plain letters where the user typed full-width or the like. Values are
        # never normalised, so that no value passes which is itself the dressed-up form.
        plain = (unicodedata.normalize("NFC", text), unicodedata.normalize("NFKC", text))
        for form in dict.fromkeys((text, *plain)):
            words = _fold(form).split()
            bare = [_bare(word) for word in words]
            stems = [word.removesuffix("'s") for word in bare]
            for run in dict.fromkeys(" ".join(run) for run in (words, bare, stems)):
                self._text += f" {run} \n"
            self._numbers |= {float(n.replace(",", "")) for n in _NUMERAL.findall(form)}

    def has(self, leaf: Json, destination: bool) -> bool:
        if isinstance(leaf, bool) or leaf is None:
            return False
        if isinstance(leaf, int | float):
            return leaf in self._numbers
        assert isinstance(leaf, str), "leaves are scalars"
        if len(leaf) > len(self._text) or (destination and not leaf.isprintable()):
            return False
        value = " ".join(_fold(leaf).split())
        if not value:
            return False
        if f" {value} " in self._text:
            return True
        if value.startswith("https://"):  # "example.org" is named by its address, too
            rest = value.removeprefix("https://").removesuffix("/")
            return f" {rest} " in self._text
        if " " in value and not any(c in value for c in "@/\\"):  # prose: punctuation aside
            return f" {' '.join(_bare(word) for word in value.split(' '))} " in self._text
        return False


def _fold(text: str) -> str:
    """Lower case and plain quotes. A character never folds into ASCII: the Kelvin sign is no k."""
    if text.isascii():
        return text.lower()
    text = text.translate(_QUOTES)
    folded = "".join(_fold_letter(c) for c in text)
    return _UNSPACED_WORD.sub(r" \1 ", folded)


def _fold_letter(letter: str) -> str:
    low = letter.casefold()
    return low if letter.isascii() or not any(c.isascii() for c in low) else letter


def _bare(word: str) -> str:
    """A word without the punctuation around it. ``/home/me/..`` keeps its dots: they mean much."""
    bare = word.lstrip(_OPENING).rstrip(_CLOSING)
    if bare.endswith(("/", "\\")) and "." in word[len(bare) :]:
        return word
    return bare or word


def _leaves(value: Json, schema: Schema) -> Iterator[tuple[Json, Schema]]:
    """Scalars with their schemas; keys that the schema does not declare are values, too."""
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        for key, item in value.items():
            if key not in properties:
                yield key, {}
            yield from _leaves(item, properties.get(key, {}))
        if not value:
            yield "", schema
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item, schema.get("items", {}))
        if not value:
            yield "", schema
    else:
        yield value, schema


def _listed(leaf: Json, schema: Schema) -> bool:
    """Whether the tool's author wrote down every value that could stand here."""
    if leaf is None or leaf == "" or isinstance(leaf, bool):
        return True
    if "const" in schema or "enum" in schema:
        return any(_same(leaf, choice) for choice in schema.get("enum", [schema.get("const")]))
    low, high = schema.get("minimum"), schema.get("maximum")
    return (
        isinstance(leaf, int)
        and isinstance(low, int | float)
        and isinstance(high, int | float)
        and low <= leaf <= high
        and high - low <= SMALL_RANGE
    )


def _same(one: Json, other: Json) -> bool:
    return type(one) is type(other) and one == other


def _numeral(leaf: Json) -> str:
    return "" if leaf is None or isinstance(leaf, bool) else str(leaf)


def argument_sources(action: Action) -> dict[str, Source]:
    """Where each argument comes from. One that the model gave and nobody labelled is untrusted;
    one that it did not give is the tool's own default.
    """
    labels, given = action.labels.arguments, action.call.arguments
    names = dict.fromkeys((*given, *action.bound.shown, *labels))
    return {
        name: labels.get(name, Source.UNTRUSTED if name in given else Source.TRUSTED)
        for name in names
    }


def worst(action: Action) -> Source:
    """The least trusted source that had a part in the call."""
    return max((*argument_sources(action).values(), action.labels.control))
