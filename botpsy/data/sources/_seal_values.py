"""Whether a value follows from a request, and in which form: what an argument is held against.

A string is copied as the request has it ("manta rays", not "manta ray"); a number gets the type
of its schema; a date or time in words becomes YYYY-MM-DD or HH:MM.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass

from botpsy.chat.types import Json, Schema

Span = tuple[int, int]
_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september",
           "october", "november", "december")  # fmt: skip
_MONTH = rf"(?P<month>{'|'.join(f'{name[:3]}(?:{name[3:]})?' for name in _MONTHS)})\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{4})"
_DATES = [
    re.compile(rf"(?<!\w)(?:{form})(?!\w)", re.IGNORECASE)
    for form in (
        rf"{_YEAR}-(?P<month>\d\d)-(?P<day>\d\d)",
        rf"{_MONTH} {_DAY},? (?:of )?{_YEAR}",
        rf"{_DAY} (?:of )?{_MONTH},? {_YEAR}",
    )
]
_SLASHED = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})")
_CLOCK = re.compile(
    r"(?<![\d:])(?P<hour>\d{1,2})(?::(?P<minute>\d\d))?(?::\d\d)?\s*(?P<half>[ap])\.?m\b\.?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.,/:-])[$€£]?(?P<number>-?\d[\d,]*(?:\.\d+)?)(?P<percent>\s?%)?")
_CODE_AFTER = re.compile(r"\w*\d|[_/:.@]\w|-\d")
_COUNTS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
           "eleven", "twelve")  # fmt: skip
_GAP = r"[\s,'’\"“”-]+(?:(?:the|a|an|of|and|or)\s+){0,2}"
_VAGUE = re.compile(
    r"\b(?:specific|specified|given|certain|particular|desired|provided|chosen|your|some|any)\s+$",
    re.IGNORECASE,
)
# Values that stand where they make no sense, and what a parameter for them speaks of.
_MISPLACED = (
    (re.compile(r"\d{1,3}(?:\.\d{1,3}){3}"), re.compile(r"\bip\b|address|host|server|network|"
                                                      r"domain|device|url|node|source|target")),
    (re.compile(r"[\w.]+@[\w.]+"), re.compile(r"mail|contact|recipient|user|account|sender|"
                                              r"address|participant|invite")),
    (re.compile(r"(?=\w*\d)(?=\w*[a-z])(?=\w*[A-Z])\w{8,}"),
     re.compile(r"\bid\b|ids\b|identif|code|key|token|number|password|serial|sequence|name|hash|"
                r"credential|sample|reference|account|secret|session")),
    (re.compile(r"\d{4}-\d\d-\d\d.*"), re.compile(r"date|day|time|birth|deadline|when|start|"
                                                  r"\bend|from|until|period|schedule|year")),
)  # fmt: skip
GENERIC = frozenset({
    "address", "area", "city", "company", "country", "customer", "date", "device", "id",
    "identifier", "location", "name", "organization", "patient", "person", "place", "product",
    "project", "region", "school", "specific", "specified", "state", "time", "title", "topic",
    "type", "user"
})  # fmt: skip
"""Words for sorts of things, which name none of them."""


@dataclass(frozen=True)
class Found:
    """A value, where in the request it stands, and how it follows where that is not plain.

    ``vague``: the request names only the sort of thing ("a specific country").
    """

    value: Json
    span: Span
    why: str = ""
    vague: bool = False


def ground(value: Json, name: str, schema: Schema, request: str) -> Found | None:
    """The value as the request and the parameter's schema have it; None where it does not follow
    from the request."""
    match schema["type"]:
        case "integer" | "number":
            return _number(value, schema["type"], request)
        case "string" if isinstance(value, str | int | float) and not isinstance(value, bool):
            return _string(str(value).strip(), name, schema, request)
    return None


def loose_ends(request: str, used: list[Span]) -> list[str]:
    """Quoted texts and numbers in the request that are in none of the spans, nor the same again."""
    known = {request[slice(*span)].strip("'\"").casefold() for span in used}
    quoted = re.finditer(r"(?<!\w)(?:\"([^\"]+)\"|'([^']+)'|“([^”]+)”|‘([^’]+)’)(?!\w)", request)
    spans = [match.span() for match in quoted] + [
        match.span() for match in re.finditer(r"(?<![\w-])\d[\d.,:/-]*\d|(?<![\w-])\d\b", request)
    ]
    return [
        request[start:end]
        for start, end in spans
        if not any(start < last and first < end for first, last in used)
        and request[start:end].strip("'\"“”‘’").casefold() not in known
    ]


def _number(value: Json, kind: str, request: str) -> Found | None:
    try:
        wanted = float(str(value).replace(",", ""))
    except ValueError:
        return None
    whole = int(wanted) if wanted.is_integer() else None
    if kind == "integer" and whole is None:
        return None
    typed: Json = whole if whole is not None else wanted
    for match in _NUMBER.finditer(request):
        said = float(match["number"].rstrip(",").replace(",", ""))
        if _CODE_AFTER.match(request, match.end("number")):
            continue
        if said == wanted:
            # "1,000" is not in the call as it stands.
            why = f"{match['number'].rstrip(',')} → {typed}" if "," in match["number"][:-1] else ""
            return Found(typed, match.span(), why)
        if match["percent"] and kind == "number" and round(said / 100, 6) == wanted:
            return Found(typed, match.span(), f"{match[0].strip()} → {typed}")
    if whole is not None and 0 <= whole < len(_COUNTS):
        word = re.search(rf"\b{_COUNTS[whole]}\b", request, re.IGNORECASE)
        # "one" is more often a pronoun.
        if word and whole != 1:
            return Found(typed, word.span())
    return None


def _string(value: str, name: str, schema: Schema, request: str) -> Found | None:
    if not value:
        return None
    purpose = f"{name.replace('_', ' ')} {schema.get('description', '')}".casefold()
    for shape, purposes in _MISPLACED:
        if shape.fullmatch(value) and not purposes.search(purpose):
            return None
    if options := schema.get("enum"):
        meant = [option for option in options if option.casefold() == value.casefold()]
        span = _stands(value, request)
        return Found(meant[0], span) if meant and span else None
    for form in (value, value.rstrip(".!?")):
        if form and (span := _stands(form, request)):
            if re.match(r"\d+(:\d\d)?\s*[ap]\.?m\b", request[span[0] :], re.IGNORECASE):
                continue  # half of a time
            text = request[slice(*span)]
            return Found(text, span, vague=_vague(text, span[0], name, request))
    return _date(value, request) or _time(value, request) or _list(value, request)


def _list(value: str, request: str) -> Found | None:
    """``user1, user2`` where the request has "user1" and "user2"."""
    parts = [part.strip() for part in value.split(",")]
    spans = [_stands(part, request) for part in parts if part]
    if len(spans) < 2 or None in spans:
        return None
    found = [span for span in spans if span]
    text = ", ".join(request[slice(*span)] for span in found)
    return Found(text, (min(found)[0], max(found)[1]))


def _stands(value: str, request: str) -> Span | None:
    """Where the value stands: as it is, but for capitals, endings and small words between."""
    plain = re.compile(rf"(?<!\w){re.escape(value)}(?!\w)", re.IGNORECASE)
    if match := plain.search(request):
        return match.span()
    words = re.findall(r"\w+", value)
    if not words or len(words) > 12 or any(map(str.isdigit, value)) or len(words[-1]) < 3:
        return None
    stems = [re.sub(r"(?<=\w\w\w)(?:es|s)$", "", word, flags=re.IGNORECASE) for word in words]
    loose = rf"(?<!\w){_GAP.join(rf'{re.escape(stem)}(?:es|s|ing|ed)?' for stem in stems)}(?!\w)"
    match = re.search(loose, request, re.IGNORECASE)
    return match.span() if match else None


def _vague(text: str, start: int, name: str, request: str) -> bool:
    words = text.casefold().split()
    if len(words) > 2 or not text.islower():
        return False
    own = set(re.split(r"[_\W]+", name.casefold()))
    return bool(_VAGUE.search(request, 0, start)) or set(words) <= own | GENERIC


def _date(value: str, request: str) -> Found | None:
    meant = {day for day, _ in _days(value)}
    for match in _SLASHED.finditer(value):
        one, two, year = map(int, match.groups())
        meant |= set(filter(None, (_day(year, one, two), _day(year, two, one))))
    for day, span in _days(request):
        if day in meant:
            said = request[slice(*span)]
            return Found(day.isoformat(), span, f"{said} → {day.isoformat()}")
    return None


def _days(text: str) -> Iterator[tuple[dt.date, Span]]:
    for form in _DATES:
        for match in form.finditer(text):
            month = match["month"].casefold()
            number = (
                int(month)
                if month.isdigit()
                else 1 + next(n for n, each in enumerate(_MONTHS) if each.startswith(month[:3]))
            )
            if day := _day(int(match["year"]), number, int(match["day"])):
                yield day, match.span()


def _day(year: int, month: int, day: int) -> dt.date | None:
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None


def _time(value: str, request: str) -> Found | None:
    wanted = re.fullmatch(r"(\d{1,2}):(\d\d)(?::00)?", value) or _CLOCK.fullmatch(value)
    if not wanted:
        return None
    meant = _minutes(wanted) if wanted.re is _CLOCK else int(wanted[1]) * 60 + int(wanted[2])
    for match in _CLOCK.finditer(request):
        if _minutes(match) == meant:
            form = f"{meant // 60:02}:{meant % 60:02}"
            return Found(form, match.span(), f"{match[0].rstrip('.')} → {form}")
    return None


def _minutes(match: re.Match[str]) -> int:
    afternoon = 12 if match["half"].casefold() == "p" else 0
    return (int(match["hour"]) % 12 + afternoon) * 60 + int(match["minute"] or 0)
