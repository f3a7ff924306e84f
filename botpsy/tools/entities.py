"""Arguments that mean devices at home: "desk lamp", "kitchen lights", "the lights in the hall".

Words are resolved in a fixed order, first match first: an id; a name or alias, each alias on its
own; an area and a kind ("kitchen lights", "all lights", "kitchen"); words that all occur in one
device's name, area and kind; the same again with spelling mended. Several candidates for one thing,
or none, is a ``ToolError`` that names the likely ones. A device of the wrong kind is refused, never
made to do something else: "turn off the front door" does not lock or unlock it.

The resolved form is the tuple of device ids, and resolves to itself.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator, Field, ValidationInfo, WithJsonSchema

from botpsy.errors import ToolError
from botpsy.services.home import Device, Kind
from botpsy.tools.values import context_of


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_FILLERS = _set("the my a an our your please in of at on to for and s room's please")
_ALL = _set("all every both everything each")
_WHOLE = _set("home house flat apartment whole entire everywhere")
_ANYTHING = _set("device devices thing things everything")
_BY_KIND: tuple[tuple[Kind, str], ...] = (
    ("light", "light lamp bulb lighting lightbulb chandelier"),
    ("switch", "switch"),
    ("plug", "plug socket outlet"),
    ("fan", "fan ventilator"),
    ("lock", "lock door"),
    ("cover", "cover blind curtain shutter shade drape"),
    ("thermostat", "thermostat heating heater heat radiator climate"),
    ("vacuum", "vacuum hoover robot cleaner"),
    ("appliance", "appliance machine"),
    ("tv", "tv television telly"),
    ("sensor", "sensor"),
)
_KIND_WORDS: dict[str, Kind] = {word: kind for kind, words in _BY_KIND for word in words.split()}
_SINGULAR_NAME = {
    "lock": "a lock",
    "cover": "a blind or cover",
    "tv": "a TV",
    "appliance": "an appliance",
}
_TOOLS: dict[str, str] = {
    "lock": "lock_door or unlock_door",
    "cover": "open_cover or close_cover",
    "thermostat": "set_temperature",
    "vacuum": "start_cleaning or stop_cleaning",
    "sensor": "device_state",
}
_AND = re.compile(r",|;|&|\band\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Words:
    """A phrase without fillers, in the singular; ``many`` where it was a plural, or said "all"."""

    words: tuple[str, ...]
    many: bool
    every: bool


def _words(text: str) -> _Words:
    plain = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(char for char in plain if not unicodedata.combining(char))
    raw = [word for word in re.findall(r"\w+", plain.replace("_", " ")) if word not in _FILLERS]
    words = [_singular(word) for word in raw if word not in _ALL]
    every = len(words) < len(raw)
    many = every or any(word in _WHOLE or word != _singular(word) for word in raw)
    return _Words(tuple(words), many, every)


def _singular(word: str) -> str:
    if word.endswith(("ches", "shes", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def resolve(devices: Sequence[Device], phrase: Any, kinds: Collection[Kind]) -> tuple[str, ...]:
    """The ids of the devices meant, all of one of ``kinds``.

    Raises:
        ToolError: none is meant, or it cannot be told which, or it is not of these kinds.
    """
    if isinstance(phrase, list | tuple):
        found = [key for part in phrase for key in resolve(devices, part, kinds)]
        return _ordered(devices, found)
    if not isinstance(phrase, str) or not phrase.strip():
        raise ToolError(f"A device must be named in words, not {phrase!r}.")
    if any(device.id == phrase for device in devices):
        return _fitting([d for d in devices if d.id == phrase], kinds, phrase)
    words = _words(phrase)
    meant = _match(devices, words, kinds, phrase)
    if not meant and len(parts := _parts(devices, phrase)) > 1:
        return resolve(devices, parts, kinds)
    if not meant:
        mended = _mended(devices, words)
        meant = _match(devices, mended, kinds, phrase) if mended != words else []
    if not meant:
        raise ToolError(
            f"There is no {phrase.strip()!r} here.", hint=_nearest(devices, phrase, kinds)
        )
    return _fitting(meant, kinds, phrase)


def _match(
    devices: Sequence[Device], words: _Words, kinds: Collection[Kind], phrase: str
) -> list[Device]:
    """The devices meant, of whatever kind; empty for none."""
    if not words.words and not words.every:
        return []
    if named := [d for d in devices if any(_words(n).words == words.words for n in _names(d))]:
        return _one(named, words, kinds, phrase)
    area, rest = _area(devices, words.words)
    rest = tuple(word for word in rest if word not in _WHOLE)
    general = all(word in _ANYTHING for word in rest)
    if general or all(word in _KIND_WORDS or word in _ANYTHING for word in rest):
        wanted = {_KIND_WORDS[word] for word in rest if word in _KIND_WORDS} or set(kinds)
        group = [d for d in devices if d.kind in wanted and (area is None or _same(d.area, area))]
        if general and not words.many:
            # "Kitchen" alone means its lights, where lights are among what could be meant.
            lights = [d for d in group if d.kind == "light"]
            return (lights or group) if area is not None else []
        if group:
            return group if words.many else _one(group, words, kinds, phrase)
    wanted_words = set(words.words)
    described = [
        d
        for d in devices
        if any(
            wanted_words <= {*_words(name).words, *_words(d.area).words, *_kind_words(d.kind)}
            for name in (*_names(d), d.id.partition(".")[2])
        )
    ]
    return _one(described, words, kinds, phrase) if described else []


def _one(found: list[Device], words: _Words, kinds: Collection[Kind], phrase: str) -> list[Device]:
    """The one device meant, or all where many were asked for."""
    fitting = [device for device in found if device.kind in kinds] or found
    if len(fitting) == 1 or words.many:
        return fitting
    names = ", ".join(device.name for device in fitting[:8])
    raise ToolError(f"{phrase.strip()!r} could be any of: {names}.", hint="Say which.")


def _fitting(meant: Sequence[Device], kinds: Collection[Kind], phrase: str) -> tuple[str, ...]:
    fitting = [device.id for device in meant if device.kind in kinds]
    if fitting:
        return tuple(fitting)
    device = meant[0]
    use = _TOOLS.get(device.kind, "turn_on or turn_off")
    what = _SINGULAR_NAME.get(device.kind, f"a {device.kind}")
    raise ToolError(f"{device.name} is {what}; this does not work on it.", hint=f"Use {use}.")


def _names(device: Device) -> tuple[str, ...]:
    return (device.name, *device.aliases)


def _kind_words(kind: Kind) -> list[str]:
    return [word for word, of in _KIND_WORDS.items() if of == kind]


def _same(area: str, other: str) -> bool:
    return _words(area).words == _words(other).words


def _area(devices: Sequence[Device], words: tuple[str, ...]) -> tuple[str | None, tuple[str, ...]]:
    """The longest area named in the words, and the words without it."""
    areas = sorted({d.area for d in devices if d.area}, key=lambda a: (-len(_words(a).words), a))
    for area in areas:
        name = _words(area).words
        for i in range(len(words) - len(name) + 1):
            if name and words[i : i + len(name)] == name:
                return area, words[:i] + words[i + len(name) :]
    return None, words


def _parts(devices: Sequence[Device], phrase: str) -> list[str]:
    """ "kitchen and hall lights" -> "kitchen lights", "hall lights"; one part where not a list."""
    parts = [part.strip() for part in _AND.split(phrase) if part.strip()]
    if len(parts) < 2:
        return parts
    kind = [
        word for word in re.findall(r"\w+", parts[-1]) if _singular(word.lower()) in _KIND_WORDS
    ]
    bare = [_area(devices, _words(part).words) for part in parts]
    return [
        f"{part} {' '.join(kind)}" if area is not None and not rest else part
        for part, (area, rest) in zip(parts, bare, strict=True)
    ]


def _mended(devices: Sequence[Device], words: _Words) -> _Words:
    """The words with each unknown one replaced by the known one that is spelled nearly so."""
    known = {word for d in devices for n in (*_names(d), d.area) for word in _words(n).words}
    known |= set(_KIND_WORDS) | _WHOLE | _ANYTHING
    near = tuple(
        word
        if word in known
        else next(iter(difflib.get_close_matches(word, sorted(known), 1, 0.8)), word)
        for word in words.words
    )
    return _Words(near, words.many, words.every)


def _nearest(devices: Sequence[Device], phrase: str, kinds: Collection[Kind]) -> str:
    fitting = [device for device in devices if device.kind in kinds]
    if not fitting:
        return "No device of that kind is connected."
    by_name = {name.casefold(): device.name for device in fitting for name in _names(device)}
    close = difflib.get_close_matches(phrase.casefold(), list(by_name), 4, 0.6)
    names = list(dict.fromkeys(by_name[name] for name in close)) or [d.name for d in fitting[:8]]
    return f"There is: {', '.join(names)}."


def _ordered(devices: Sequence[Device], keys: Collection[str]) -> tuple[str, ...]:
    return tuple(device.id for device in devices if device.id in keys)


def _validator(kinds: Collection[Kind]) -> Callable[[Any, ValidationInfo], tuple[str, ...]]:
    def validate(value: Any, info: ValidationInfo) -> tuple[str, ...]:
        devices = context_of(info).services.home.devices()
        if value is None:
            only = [device for device in devices if device.kind in kinds]
            if len(only) != 1:
                raise ToolError("Say which device.", hint=_nearest(devices, "", kinds))
            return (only[0].id,)
        return resolve(devices, value, kinds)

    return validate


SWITCHABLE: tuple[Kind, ...] = ("light", "switch", "plug", "fan", "tv", "appliance")
ANY: tuple[Kind, ...] = (
    *SWITCHABLE,
    "lock",
    "cover",
    "thermostat",
    "vacuum",
    "sensor",
)
_TEXT = WithJsonSchema({"type": "string"})
_DEFAULT = Field(validate_default=True)

Entities: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(_validator(ANY)), _TEXT]
"""Any devices, by id."""
Switchables: TypeAlias = Annotated[
    tuple[str, ...], BeforeValidator(_validator((*SWITCHABLE, "thermostat"))), _TEXT
]
Lights: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(_validator(("light",))), _TEXT]
Locks: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(_validator(("lock",))), _TEXT]
Covers: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(_validator(("cover",))), _TEXT]
Appliances: TypeAlias = Annotated[
    tuple[str, ...], BeforeValidator(_validator(("appliance",))), _TEXT
]
# None means the only one there is; resolved, so that it is shown.
Thermostats: TypeAlias = Annotated[
    tuple[str, ...] | None, BeforeValidator(_validator(("thermostat",))), _TEXT, _DEFAULT
]
Vacuums: TypeAlias = Annotated[
    tuple[str, ...] | None, BeforeValidator(_validator(("vacuum",))), _TEXT, _DEFAULT
]
