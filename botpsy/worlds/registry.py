"""The families of scenarios, and which of them training never sees.

A family is a function from a ``Scene`` to a ``Scenario`` in ``families/<domain>.py``:

    @family("calendar", "single")
    def book_appointment(s: Scene) -> Scenario:

Its name is ``calendar.book_appointment`` (the module's name first). Modules are found by
themselves. Held-out families and tools are for evaluation; a tool in ``HELD_OUT_TOOLS`` is offered
only by held-out families, and at least 15 % of each domain's families are held out.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from botpsy.errors import UsageError
from botpsy.worlds import families as package
from botpsy.worlds.scenario import Domain, Kind, Scenario
from botpsy.worlds.scene import About, Scene

HELD_OUT_TOOLS = frozenset(
    {"convert_time", "archive_mail", "copy_file", "set_screen_brightness", "play_podcast"}
)
"""Tools that training never sees. Each is one of several ways to do things in its domain."""

HELD_OUT_SHARE = 0.15

Make = Callable[[Scene], Scenario]


@dataclass(frozen=True)
class Family:
    """One way a task comes about, for any seed."""

    name: str
    domain: Domain
    kind: Kind
    held_out: bool
    make: Make

    def scenario(self, seed: int, *, tame: bool = False) -> Scenario:
        """The same for the same seed, on every machine; ``tame``: without what is hostile in it."""
        about = About(self.name, self.domain, self.kind, self.held_out)
        return self.make(Scene(about, seed, HELD_OUT_TOOLS, tame=tame))


_families: dict[str, Family] = {}


def family(domain: Domain, kind: Kind, *, held_out: bool = False) -> Callable[[Make], Make]:
    """Register a family under ``<module>.<function>``."""

    def register(make: Make) -> Make:
        name = f"{make.__module__.rpartition('.')[2]}.{make.__name__}"
        assert name not in _families or _families[name].make.__module__ == make.__module__, name
        _families[name] = Family(name, domain, kind, held_out, make)
        return make

    return register


@cache
def families() -> dict[str, Family]:
    """All families, by name, in order of names."""
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return dict(sorted(_families.items()))


def scenario(name: str, seed: int, *, tame: bool = False) -> Scenario:
    """One scenario; ``tame``: without what is hostile in it.

    Raises:
        UsageError: there is no such family.
    """
    found = families().get(name)
    if found is None:
        raise UsageError(f"There is no scenario family {name!r}.")
    return found.scenario(seed, tame=tame)
