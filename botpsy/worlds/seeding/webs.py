"""Little webs of linked pages about things that do not exist: towns, bridges, firms, people.

    web = Web(s)
    bridge = web.bridge()                  # its page, and those of its town and its designer
    bridge.facts["length"].answer          # "412"
    bridge.links["designer"].facts["born in"]

Names, places and numbers are drawn from the seed, so that nothing can be known without reading.
Every entry has a page of its own; some webs print the addresses of what a page speaks of.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from botpsy.services.web import Page
from botpsy.services.web.memory import MemoryWeb
from botpsy.worlds.acts import Calls, call
from botpsy.worlds.people import FAMILY, GIVEN, ascii_of
from botpsy.worlds.words import mentions

if TYPE_CHECKING:
    from botpsy.worlds.scene import Scene

_STEMS = (
    "Ardl", "Brask", "Cald", "Drev", "Elv", "Fesk", "Gransk", "Hask", "Ilm", "Juv", "Kolm", "Lunt",
    "Myr", "Nyll", "Okk", "Pell", "Quen", "Ruv", "Skel", "Tarv", "Ulm", "Vorn", "Wend", "Yarr",
    "Zell", "Ovel", "Brem", "Tolk", "Sarn", "Halv",
)  # fmt: skip
TOWNS = tuple(
    stem + end
    for stem in _STEMS
    for end in ("ford", "mouth", "stad", "wick", "haven", "mere", "ness", "ona", "burgh", "by")
)
RIVERS = tuple(stem + end for stem in _STEMS for end in ("ar", "enne", "isk", "ow"))
REGIONS = ("in the Ostrel Valley", "on the Vessen coast", "in the Nordal hills",
           "in the Karrow lowlands", "in the Tissin highlands", "on Lake Ambra")  # fmt: skip
CRAFTS = ("smoked eel", "blue pottery", "rye gin", "bell founding", "woven straw hats",
          "salt caramels", "violin making", "felt boots", "pear brandy", "paper lanterns",
          "sheep's cheese", "clockmaking")  # fmt: skip
MATERIALS = ("steel", "granite", "brick", "cast iron", "oak", "reinforced concrete")
_BRIDGES = ("{} Bridge", "{} Viaduct", "{} Crossing")
_FIRM_ENDS = ("Works", "& Sons", "Instruments", "Cycles", "Kitchenware", "Optics", "Lamps")
_FIRM_STEMS = tuple(
    start + end
    for start in ("Ax", "Bel", "Cor", "Dax", "Fer", "Gil", "Hy", "Jor", "Lum", "Mon", "Nex", "Orb",
                  "Pra", "Rin", "Sol", "Ter", "Vel", "Zan")
    for end in ("aro", "etto", "ivia", "ondo", "umar")
)  # fmt: skip
_PRODUCTS = tuple(
    f"{name} {number}"
    for name in ("Heron", "Tamarack", "Lyra", "Kestrel", "Basalt", "Marlin", "Juniper", "Quartz")
    for number in ("2", "40", "Go", "Plus", "Mini", "700")
)
_THINGS = ("folding bicycle", "desk lamp", "kettle", "pair of binoculars", "coffee grinder",
           "barometer", "sewing machine", "field telescope")  # fmt: skip
_MUSEUMS = ("Museum of Clocks", "Rope Museum", "Lighthouse Museum", "Glass Museum", "Canal Museum",
            "Museum of Weights", "Puppet Museum", "Tram Museum")  # fmt: skip
_WORK = ("engineer", "architect", "botanist", "cartographer", "instrument maker", "composer")
_STUDIES = ("geology", "naval engineering", "mathematics", "law", "chemistry", "philosophy")
_SITES = ("pocketpedia.example", "openatlas.example", "lexikon.example", "factbook.example.org")

DESCRIBED: Mapping[str, tuple[str, ...]] = {
    "designer": ("the engineer who designed {name}", "the designer of {name}"),
    "architect": ("the architect of {name}", "the architect behind {name}"),
    "town": ("the town where {name} stands", "the town that {name} is in"),
    "seat": ("the town where {name} has its head office", "the home town of {name}"),
    "founder": ("the founder of {name}", "the person who founded {name}"),
    "maker": ("the company that makes {name}", "the maker of {name}"),
    "birthplace": ("the town where {name} was born", "the birthplace of {name}"),
}
"""How people speak of one thing by way of another, for each link."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a page says.

    ``asked`` are questions with ``{name}``; ``said`` is the sentence, with ``{it}``; ``answer`` is
    what an answer must mention.
    """

    label: str
    value: str
    said: str
    asked: tuple[str, ...]
    answer: str


@dataclass(frozen=True, slots=True)
class Entry:
    """Something with a page; ``links`` are the entries that its page speaks of."""

    kind: str
    name: str
    page: Page
    facts: Mapping[str, Fact]
    links: Mapping[str, Entry] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """The page's address."""
        return self.page.url

    @property
    def called(self) -> str:
        """The name as it stands in a sentence: "the Myrness Bridge"."""
        return _the(self.kind, self.name)

    def told(self, fact: Fact) -> str:
        """The fact as an answer."""
        return _sentence(fact.said, self.called)

    def described(self, link: str, scene: Scene) -> str:
        """What the link leads to, in a roundabout way: "the founder of Nexondo Lamps"."""
        return scene.choose(DESCRIBED[link]).format(name=self.called)


def question(scene: Scene, fact: Fact, name: str) -> str:
    """The fact asked for, of something that is called so."""
    return scene.choose(fact.asked).format(name=name)


def shows(scene: Scene, query: str, page: Page, answer: str) -> bool:
    """Whether the page's search result tells it, so that the page need not be opened."""
    found = MemoryWeb(scene.records[Page]).search(query)
    text = "\n".join(f"{each.title}\n{each.snippet}" for each in found if each.url == page.url)
    return mentions(text, answer)


def finding(scene: Scene, query: str, page: Page, answer: str) -> list[Calls]:
    """The calls by which it is found: a search, and the page where the results do not tell it."""
    found = [call("web_search", query=query)]
    if not shows(scene, query, page, answer):
        found.append(opening(page.url, "the results do not say it, so open the page"))
    return found


def opening(url: str, why: str = "") -> Calls:
    """The call that opens a page."""
    return call("read_page", url=url).because(why)


def number(n: int) -> str:
    """``48,210``."""
    return f"{n:,}"


class Web:
    """A web that grows in the scene. ``linked``: pages print the addresses of one another."""

    def __init__(self, scene: Scene, *, linked: bool | None = None) -> None:
        self.scene = scene
        self.site = scene.choose(_SITES)
        self.linked = scene.chance(0.5) if linked is None else linked
        self._sheets = scene.chance(0.4)
        self._paths = scene.choose(("wiki/", "", "entry/"))

    def some(self) -> Entry:
        """Anything, with all that it links to."""
        return self.scene.choose((self.town, self.bridge, self.firm, self.product, self.museum))()

    def fill(self, entries: int = 2) -> None:
        """A few more pages that have nothing to do with the rest."""
        for _ in range(entries):
            self.some()

    def name(self) -> str:
        """A person's name."""
        return f"{self.scene.pick(GIVEN)} {self.scene.pick(FAMILY)}"

    def town(self) -> Entry:
        """A town. Its mayor has no page."""
        s, name, river = self.scene, self.scene.pick(TOWNS), self.scene.pick(RIVERS)
        people, founded = s.rng.randint(2_100, 98_000), s.rng.randint(1050, 1790)
        mayor, craft, height = self.name(), s.pick(CRAFTS), s.rng.randint(12, 1480)
        return self._entry(
            "town", name, f"{name} is a town {s.choose(REGIONS)}.",
            Fact("Population", f"{number(people)}", f"{{it}} has {number(people)} inhabitants.",
                 ("how many people live in {name}?", "what's the population of {name}?",
                  "how many inhabitants does {name} have?"), str(people)),
            Fact("River", f"the {river}", f"The river {river} flows through {{it}}.",
                 ("which river flows through {name}?", "what river is {name} on?"), river),
            Fact("Mayor", mayor, f"The mayor of {{it}} is {mayor}.",
                 ("who is the mayor of {name}?", "who runs the town hall in {name}?"),
                 _family(mayor)),
            Fact("Founded", str(founded), f"{{it}} was founded in {founded}.",
                 ("when was {name} founded?", "what year was {name} founded in?"), str(founded)),
            Fact("Known for", craft, f"{{it}} is known for its {craft}.",
                 ("what is {name} known for?", "what's the speciality of {name}?"), craft),
            Fact("Elevation", f"{number(height)} metres",
                 f"{{it}} lies {number(height)} metres above the sea.",
                 ("how high above the sea is {name}?", "what's the elevation of {name}?"),
                 str(height)),
        )  # fmt: skip

    def person(self, birthplace: Entry | None = None, work: str = "") -> Entry:
        """Somebody of note, and the town they were born in."""
        s, name, home = self.scene, self.name(), birthplace or self.town()
        born, work = s.rng.randint(1925, 1969), work or s.choose(_WORK)
        studies, award = s.choose(_STUDIES), s.rng.randint(1995, 2019)
        return self._entry(
            "person", name, f"{name} is known as an {work}." if work[0] in "aei"
            else f"{name} is known as a {work}.",
            Fact("Born in", home.name, f"{{it}} was born in {home.name}.",
                 ("where was {name} born?", "which town does {name} come from?"), home.name),
            Fact("Year of birth", str(born), f"{{it}} was born in {born}.",
                 ("what year was {name} born in?", "when was {name} born?"), str(born)),
            Fact("Studied", studies, f"{{it}} studied {studies} first.",
                 ("what did {name} study?", "what subject did {name} study?"), studies),
            Fact("Award", f"the Meridian Medal ({award})",
                 f"{{it}} received the Meridian Medal in {award}.",
                 ("when did {name} get the Meridian Medal?",
                  "in which year was {name} given the Meridian Medal?"), str(award)),
            birthplace=home,
        )  # fmt: skip

    def bridge(self, town: Entry | None = None, designer: Entry | None = None) -> Entry:
        """A bridge, its town and its designer."""
        s, town = self.scene, town or self.town()
        designer = designer or self.person(work="engineer")
        name = s.choose(_BRIDGES).format(s.pick(TOWNS))
        length, opened = s.rng.randint(64, 2400), s.rng.randint(1962, 2018)
        stuff, traffic = s.choose(MATERIALS), s.rng.randint(12, 480) * 100
        return self._entry(
            "bridge", name, f"The {name} is a bridge in {town.name}.",
            Fact("Designer", designer.name, f"{{it}} was designed by {designer.name}.",
                 ("who designed {name}?", "whose design is {name}?"), _family(designer.name)),
            Fact("Length", f"{number(length)} metres", f"{{it}} is {number(length)} metres long.",
                 ("how long is {name}?", "what's the length of {name}?"), str(length)),
            Fact("Opened", str(opened), f"{{it}} was opened in {opened}.",
                 ("when did {name} open?", "in what year was {name} opened?"), str(opened)),
            Fact("Material", stuff, f"{{it}} is built of {stuff}.",
                 ("what is {name} built of?", "what's {name} made of?"), stuff),
            Fact("Traffic", f"{number(traffic)} vehicles a day",
                 f"About {number(traffic)} vehicles cross {{it}} every day.",
                 ("how many vehicles cross {name} in a day?",
                  "how much traffic does {name} carry a day?"), str(traffic)),
            town=town, designer=designer,
        )  # fmt: skip

    def firm(self, seat: Entry | None = None, founder: Entry | None = None) -> Entry:
        """A firm, its seat and its founder."""
        s, seat, founder = self.scene, seat or self.town(), founder or self.person()
        name = f"{s.pick(_FIRM_STEMS)} {s.choose(_FIRM_ENDS)}"
        founded, staff = s.rng.randint(1988, 2019), s.rng.randint(31, 4200)
        chief = self.name()
        return self._entry(
            "firm", name, f"{name} is a maker of household and outdoor goods.",
            Fact("Head office", seat.name, f"{{it}} has its head office in {seat.name}.",
                 ("where is {name} based?", "which town does {name} have its head office in?"),
                 seat.name),
            Fact("Founder", founder.name, f"{{it}} was founded by {founder.name}.",
                 ("who founded {name}?", "who's the founder of {name}?"), _family(founder.name)),
            Fact("Founded", str(founded), f"{{it}} was founded in {founded}.",
                 ("when was {name} founded?", "since what year has {name} existed?"), str(founded)),
            Fact("Employees", number(staff), f"{{it}} employs {number(staff)} people.",
                 ("how many people work for {name}?", "how many employees does {name} have?"),
                 str(staff)),
            Fact("Chief executive", chief, f"The chief executive of {{it}} is {chief}.",
                 ("who is the chief executive of {name}?", "who is the boss of {name}?"),
                 _family(chief)),
            seat=seat, founder=founder,
        )  # fmt: skip

    def product(self, maker: Entry | None = None) -> Entry:
        """A product and its maker."""
        s, maker = self.scene, maker or self.firm()
        name, thing, since = s.pick(_PRODUCTS), s.choose(_THINGS), s.rng.randint(2008, 2025)
        grams, years = s.rng.randint(21, 990) * 10, s.choose((2, 3, 5, 7, 10))
        return self._entry(
            "product", name, f"The {name} is a {thing}.",
            Fact("Maker", maker.name, f"{{it}} is made by {maker.name}.",
                 ("who makes {name}?", "which company makes {name}?"),
                 maker.name.split()[0]),
            Fact("Weight", f"{number(grams)} grams", f"{{it}} weighs {number(grams)} grams.",
                 ("how much does {name} weigh?", "what's the weight of {name}?"),
                 f"{grams}|{grams / 1000:g}"),
            Fact("On sale since", str(since), f"{{it}} has been on sale since {since}.",
                 ("since when has {name} been on sale?",
                  "what year did {name} come out?"), str(since)),
            Fact("Guarantee", f"{years} years", f"{{it}} comes with a guarantee of {years} years.",
                 ("how long is the guarantee on {name}?",
                  "how many years of guarantee come with {name}?"), str(years)),
            maker=maker,
        )  # fmt: skip

    def museum(self, town: Entry | None = None, architect: Entry | None = None) -> Entry:
        """A museum, its town and its architect."""
        s, town = self.scene, town or self.town()
        architect = architect or self.person(work="architect")
        name = f"{town.name} {s.pick(_MUSEUMS)}"
        opened, pieces = s.rng.randint(1978, 2021), s.rng.randint(310, 18_000)
        return self._entry(
            "museum", name, f"The {name} is a museum in {town.name}.",
            Fact("Architect", architect.name, f"The building of {{it}} is by {architect.name}.",
                 ("who is the architect of {name}?", "who designed the building of {name}?"),
                 _family(architect.name)),
            Fact("Opened", str(opened), f"{{it}} was opened in {opened}.",
                 ("when was {name} opened?", "since what year has there been {name}?"),
                 str(opened)),
            Fact("Collection", f"{number(pieces)} pieces",
                 f"The collection of {{it}} has {number(pieces)} pieces.",
                 ("how many pieces are in the collection of {name}?",
                  "how big is the collection of {name}?"), str(pieces)),
            town=town, architect=architect,
        )  # fmt: skip

    def page(self, title: str, text: str, *, host: str = "") -> Page:
        """Any other page, at an address made of its title, on this site or another."""
        slug = "-".join(filter(None, map(ascii_of, title.lower().split())))
        return self.scene.page(f"https://{host or self.site}/{slug}", title, text)

    def _entry(self, kind: str, name: str, lead: str, *facts: Fact, **links: Entry) -> Entry:
        s = self.scene
        order = list(facts)
        s.rng.shuffle(order)
        it = _the(kind, name)
        if self._sheets:
            body = "\n".join(f"{fact.label}: {fact.value}" for fact in order)
        else:
            half, other = len(order) // 2, _family(name) if kind == "person" else "it"
            said = [
                _sentence(fact.said, it if n in (0, half) else other)
                for n, fact in enumerate(order)
            ]
            body = " ".join(said[:half]) + "\n\n" + " ".join(said[half:])
        more = ""
        if self.linked and links:
            lines = (f"- {link.name}: {link.url}" for link in links.values())
            more = "\n\nSee also\n" + "\n".join(lines)
        slug = "_".join(filter(None, map(_slug, name.split())))
        url = f"https://{self.site}/{self._paths}{slug}"
        page = s.page(url, f"{name} | {self.site.split('.')[0].title()}", f"{lead}\n\n{body}{more}")
        return Entry(kind, name, page, {fact.label.lower(): fact for fact in facts}, links)


def _slug(word: str) -> str:
    made = ascii_of(word)
    return made.title() if word[:1].isupper() else made


def _sentence(said: str, it: str) -> str:
    text = re.sub(r"^The ([a-z ]+) of it ", r"Its \1 ", said.format(it=it))
    return text[:1].upper() + text[1:]


def _the(kind: str, name: str) -> str:
    return f"the {name}" if kind in ("bridge", "product", "museum") else name


def _family(name: str) -> str:
    return name.partition(" ")[2]
