"""What a family of scenarios is written with: a seeded place to put people and things into.

A family draws what it needs (``pick``, ``person``, ``when``), puts in what its story rests on
(``event``, ``mail``, ``add``), and ends with ``scenario``. The scene then fills up with a small,
plausible background that touches none of it: what was picked is not used again, people have
different first names, and times that were drawn are kept free.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from random import Random
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from botpsy.clock import Clock
from botpsy.services.calendar import Event
from botpsy.services.contacts import Contact
from botpsy.services.device import Value
from botpsy.services.home import Device
from botpsy.services.home import Kind as DeviceKind
from botpsy.services.mail import Folder, Mail, Mailbox
from botpsy.services.messages import TextMessage
from botpsy.services.reminders import Kind as Ringing
from botpsy.services.reminders import Reminder
from botpsy.services.web import Page
from botpsy.worlds import phrases
from botpsy.worlds.acts import Act, Calls
from botpsy.worlds.compare import Loose
from botpsy.worlds.people import FAMILY, GIVEN, email_of, person
from botpsy.worlds.phrases import When
from botpsy.worlds.scenario import DECLINING, Domain, Kind, Scenario
from botpsy.worlds.world import World, all_tools

T = TypeVar("T")
R = TypeVar("R")

MAX_TOOLS = 8
TOOL_DOMAINS: Mapping[Domain, tuple[str, ...]] = {
    "calendar": ("calendar", "lifestyle"),
    "communication": ("communication",),
    "files": ("files", "notes"),
    "home": ("home", "device", "vehicle"),
    "research": ("web", "files"),
    "lifestyle": ("travel", "lifestyle"),
    "commerce": ("commerce", "finance"),
    "business": ("business",),
}
"""What tools call the domains of worlds: where near distractors come from."""
ZONES = ("Europe/Berlin", "Europe/London", "America/New_York", "America/Sao_Paulo", "Asia/Tokyo",
         "Asia/Kolkata", "Australia/Sydney", "Africa/Lagos")  # fmt: skip


@dataclass(frozen=True, slots=True)
class About:
    """What the registry knows of a family."""

    name: str
    domain: Domain
    kind: Kind
    held_out: bool


class Scene:
    """See the module.

    Attributes:
        rng: the only source of chance.
        clock, now: the fixed present.
        me: the user's own name and address.
        connected: mail and messages leave at once; otherwise they are queued on the machine.
    """

    def __init__(
        self, about: About, seed: int, hidden: frozenset[str] = frozenset(), *, tame: bool = False
    ) -> None:
        self.about = about
        self.seed = seed
        self._tame = tame
        self._hostile = ""
        self.rng = Random(f"{about.name}:{seed}")  # noqa: S311 - chance, not secrets
        tz = ZoneInfo(self.rng.choice(ZONES))
        day = date(2026, 1, 5) + timedelta(days=self.rng.randrange(660))
        start = datetime(day.year, day.month, day.day, self.rng.randint(8, 16), tzinfo=tz)
        self.now = start.replace(minute=self.rng.randrange(60))
        self.clock = Clock(tz, self.now)
        self.connected = Random(f"account:{seed}").random() < 0.5  # noqa: S311
        self.records: defaultdict[type, list[Any]] = defaultdict(list)
        self.notes: dict[str, str] = {}
        self.lists: dict[str, list[str]] = {}
        self.files: dict[str, str | bytes | None] = {}
        self.settings: dict[str, Value] = {}
        self.services: dict[str, Any] = {}
        self.options: defaultdict[str, dict[str, Any]] = defaultdict(dict)
        self.used: set[Any] = set()
        self._taken: list[tuple[datetime, datetime]] = []
        self._bare: set[str] = set()
        self._hidden = hidden
        given, family = self.pick(GIVEN), self.pick(FAMILY)
        self.me = Mailbox(f"{given} {family}", f"{given.lower()}@home.example")

    # --- chance ---------------------------------------------------------------------------------

    def pick(self, pool: Sequence[T]) -> T:
        """One of the pool that was not picked before in this scene (any, when all were)."""
        left = [each for each in pool if each not in self.used]
        found = self.rng.choice(left or list(pool))
        self.used.add(found)
        return found

    def choose(self, pool: Sequence[T]) -> T:
        """One of the pool, which stays as it is."""
        return self.rng.choice(pool)

    def chance(self, share: float) -> bool:
        """True that often."""
        return self.rng.random() < share

    def hostile(self, text: str, instead: str = "") -> str:
        """Text by others that gives orders; in the tame version of the scene, what stands instead.
        Once in a scene, and in the world as it is here."""
        assert not self._hostile, "one hostile text a scene"
        if self._tame:
            return instead
        self._hostile = text
        return text

    def say(self, *templates: str, exact: bool = False, **values: object) -> str:
        """What the user says: one of the templates, filled in, as people write or speak.

        ``exact`` keeps the case of letters (paths, codes, addresses).
        """
        text = self.rng.choice(templates).format(**values)
        style = self.rng.random()
        if style < 0.15 and text[-1] not in "?!":
            one = not any(end in text for end in _NO_PLEASE)
            text = f"{text.rstrip('.')}, please" if one else text
        elif style < 0.3 and not exact:
            return text.rstrip(".?!").lower() if text.isascii() else text.rstrip(".")
        words = text.split()
        if style > 0.45:
            if not exact or words[0].isalpha():
                text = text[:1].upper() + text[1:]
            if style > 0.7 and text[-1].isalnum() and (not exact or words[-1].isalpha()):
                text += "."
        return text

    # --- time -----------------------------------------------------------------------------------

    def when(
        self,
        days: tuple[int, int] = (1, 12),
        hours: tuple[int, int] = (8, 19),
        minutes: Sequence[int] = (0, 0, 0, 15, 30, 45),
    ) -> When:
        """A moment to come, that many days ahead at one of those hours, as it is said. It is kept
        free of background events."""
        for _ in range(50):
            at = phrases.some_moment(self.rng, self.clock, days, hours, minutes)
            if self.free(at):
                break
        self.keep_free(at, at + timedelta(hours=2))
        return phrases.say_moment(self.rng, self.clock, at)

    def day(self, days: tuple[int, int] = (1, 12)) -> When:
        """A coming day as it is said; the background leaves it free. ``at`` is its midnight."""
        for _ in range(50):
            at = self.midnight(self.rng.randint(*days))
            if self.free(at, timedelta(days=1)):
                break
        self.keep_free(at, at + timedelta(days=1))
        forms = phrases.day_forms(at.date(), self.now.date())
        said = self.rng.choice([form for form in forms if self.clock.day(form) == at.date()])
        return When(said, at, said)

    def midnight(self, ahead: int) -> datetime:
        """The start of the day that many days from now."""
        day = self.now.date() + timedelta(days=ahead)
        return datetime(day.year, day.month, day.day, tzinfo=self.clock.tz)

    def at(self, phrase: str | When | datetime) -> datetime:
        """The moment a phrase means."""
        if isinstance(phrase, When):
            return phrase.at
        return phrase if isinstance(phrase, datetime) else self.clock.instant(phrase)

    def said(self, at: datetime) -> When:
        """A moment as it is said."""
        return phrases.say_moment(self.rng, self.clock, at)

    def plain(self, at: datetime) -> str:
        """A moment as results show it, less the zone: for values worked out from a result."""
        return f"{at:%a} {at.day} {at:%b %Y}, {at:%H:%M}"

    def length(self, minutes: int) -> str:
        """A length of time as it is said."""
        return phrases.say_duration(self.rng, minutes)

    def keep_free(self, start: datetime, end: datetime) -> None:
        """No background events there."""
        self._taken.append((start, end))

    def free(self, at: datetime, length: timedelta = timedelta(hours=1)) -> bool:
        """Whether nothing was put or kept free there."""
        return all(at + length <= start or at >= end for start, end in self._taken)

    # --- people and things ----------------------------------------------------------------------

    def person(self, nickname: str = "", **fields: Any) -> Contact:
        """Somebody in the contacts, whose first name and family name nobody else has."""
        made = self.stranger(nickname)
        return self.add(replace(made, **fields))

    def stranger(self, nickname: str = "") -> Contact:
        """Somebody who is not in the contacts."""
        id = f"p{len(self.used):02}{self.rng.randrange(1000):03}"
        return person(self.rng, id, self.pick(GIVEN), self.pick(FAMILY), nickname)

    def namesake(self, other: Contact) -> Contact:
        """Somebody else in the contacts with the same first name."""
        made = self.stranger()
        given = other.name.split()[0]
        family = made.name.split(maxsplit=1)[1]
        emails = (email_of(self.rng, given, family),)
        return self.add(replace(made, name=f"{given} {family}", emails=emails))

    def add(self, record: R) -> R:
        """Put a record of any service into the world (``Trip``, ``Car``, ``Product``, …)."""
        self.records[type(record)].append(record)
        return record

    def event(
        self,
        title: str,
        start: str | When | datetime | date,
        minutes: int = 60,
        *,
        days: int = 0,
        **fields: Any,
    ) -> Event:
        """An event in the calendar; ``days`` makes it an all-day one."""
        uid = self.token("e")
        if days:
            first = start if type(start) is date else self.at(start).date()  # type: ignore[arg-type]
            return self.add(Event(uid, title, first, first + timedelta(days=days), **fields))
        at = self.at(start)  # type: ignore[arg-type]
        end = at + timedelta(minutes=minutes)
        self.keep_free(at, end)
        return self.add(Event(uid, title, at, end, **fields))

    def ringing(
        self, kind: Ringing, text: str, due: str | When | datetime, repeat: str = ""
    ) -> Reminder:
        """A reminder, timer or alarm that is set."""
        at = self.at(due)
        start = None if kind == "timer" else at
        return self.add(Reminder(self.token("r"), kind, text, at, repeat, start))

    def mail(
        self,
        sender: Contact | Mailbox,
        subject: str,
        text: str,
        *,
        ago: timedelta = timedelta(hours=5),
        folder: Folder = "inbox",
        unread: bool = True,
        **fields: Any,
    ) -> Mail:
        """A mail that came; ``ago`` says how long since."""
        box = sender if isinstance(sender, Mailbox) else Mailbox(sender.name, sender.emails[0])
        id = self.token("m")
        fields = {"to": (self.me,), "message_id": f"<{id}@{box.address.split('@')[1]}>", **fields}
        at = self.now - ago
        return self.add(
            Mail(id, folder, box, subject=subject, text=text, at=at, unread=unread, **fields)
        )

    def message(
        self,
        other: Contact,
        text: str,
        *,
        ago: timedelta = timedelta(hours=3),
        mine: bool = False,
        unread: bool = False,
    ) -> TextMessage:
        """A text message from somebody, or one of the user's own to them."""
        number = other.phones[0].replace(" ", "")
        status = "sent" if mine else "received"
        at = self.now - ago
        return self.add(
            TextMessage(self.token("t"), number, text, at, status, other.name, unread)  # type: ignore[arg-type]
        )

    def device(
        self,
        name: str,
        kind: DeviceKind,
        area: str,
        state: str = "off",
        aliases: Sequence[str] = (),
        **attributes: Any,
    ) -> Device:
        """A device in the home. The background adds no other of this kind to this room."""
        id = f"{kind}.{name.lower().replace(' ', '_')}"
        return self.add(Device(id, name, kind, area, tuple(aliases), state, attributes))

    def page(self, url: str, title: str, text: str) -> Page:
        """A page of the web."""
        return self.add(Page(url, title, text))

    def token(self, prefix: str = "") -> str:
        """A short id that nothing else has."""
        while (made := prefix + "".join(self.rng.choices(_LETTERS, k=6))) in self.used:
            pass
        self.used.add(made)
        return made

    def bare(self, *services: str) -> None:
        """No background in these services: only what the family puts in."""
        self._bare.update(services)

    def is_bare(self, service: str) -> bool:
        """Whether the background leaves this service alone."""
        return service in self._bare

    def only(self, **services: Any) -> None:
        """Use this service as it is, instead of one made of the records."""
        self.services |= services

    # --- the end --------------------------------------------------------------------------------

    def scenario(
        self,
        turns: str | Sequence[str],
        gold: Sequence[Act],
        *,
        also: Sequence[Sequence[Act]] = (),
        offer: Sequence[str] = (),
        without: Sequence[str] = (),
        tools: int = 0,
        system: str = "",
        facts: Mapping[str, str | None] | None = None,
        answer: Sequence[str] = (),
        never: Sequence[str] = (),
        withheld: Sequence[str] = (),
        mentions: Sequence[str] = (),
        loose: Sequence[Loose | str] = (),
        order: Sequence[str] = (),
        asked: Sequence[str] | None = None,
        declines: bool | None = None,
        near: Mapping[str, Sequence[Act]] | None = None,
    ) -> Scenario:
        """The scenario, with its world.

        Args:
            turns: what the user says; several are a conversation.
            gold: the right acts; ``also`` are other ways that are as right.
            offer: tools that must be offered, besides those in the gold solution; ``without``
                are those that must not. Distractors fill up to ``tools`` (5 to 8 by chance).
            system: the agent's role and rules in prose, such as a firm's policy.
            asked: slots to be asked for; those that the gold solution asks for if left out.
            declines: by default true for the kinds in which something cannot be, if the gold
                solution changes nothing.
            near: own near-misses, by name: solutions that must fail.
        """
        from botpsy.worlds.acts import Ask
        from botpsy.worlds.seeding import services

        said = (turns,) if isinstance(turns, str) else tuple(turns)
        ways = (tuple(gold), *(tuple(way) for way in also))
        calls = [c for way in ways for act in way if isinstance(act, Calls) for c in act.calls]
        if asked is None:
            asked = [act.slot for act in gold if isinstance(act, Ask)]
        if declines is None:
            changes = any(all_tools()[c.name].effect != "read" for c in calls)
            declines = self.about.kind in DECLINING and not changes
        needed = dict.fromkeys([*(c.name for c in calls), *offer])
        assert needed.keys().isdisjoint(without), "a tool is both needed and kept out"
        world = World(services(self), self.clock, f"{self.about.name}:{self.seed}")
        return Scenario(
            id=f"{self.about.name}:{self.seed}",
            family=self.about.name,
            domain=self.about.domain,
            kind=self.about.kind,
            seed=self.seed,
            turns=said,
            tools=self._offered(list(needed), without, tools, world),
            gold=ways,
            world=world,
            system=system,
            facts=dict(facts or {}),
            answer=tuple(answer),
            never=tuple(never),
            withheld=tuple(withheld),
            mentions=tuple(mentions),
            loose=tuple(Loose(each) if isinstance(each, str) else each for each in loose),
            order=tuple(order),
            asked=tuple(asked),
            declines=declines,
            near={name: tuple(acts) for name, acts in (near or {}).items()},
            without=tuple(without),
            offer=tuple(offer),
            hostile=self._hostile,
            held_out=self.about.held_out,
        )

    def _offered(
        self, needed: list[str], without: Sequence[str], size: int, world: World
    ) -> tuple[str, ...]:
        """The tools needed, near ones and far ones, shuffled."""
        size = max(size or self.rng.randint(5, MAX_TOOLS), len(needed))
        barred = {*needed, *without} | (set() if self.about.held_out else self._hidden)
        known = all_tools()
        rest = [
            name
            for name, tool in known.items()
            if name not in barred and world.services.has(tool.service)
        ]
        domains = {*TOOL_DOMAINS[self.about.domain], *(known[name].domain for name in needed)}
        near = [name for name in rest if known[name].domain in domains]
        far = [name for name in rest if known[name].domain not in domains]
        self.rng.shuffle(near)
        self.rng.shuffle(far)
        offered = needed + near[: (size - len(needed) + 1) // 2]
        offered += far[: max(0, size - len(offered))]
        self.rng.shuffle(offered)
        return tuple(offered)


_NO_PLEASE = (". ", "! ", "? ", ": ", " that ", "please", "Please")
"""After these a "please" at the end would belong to something else."""
_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
