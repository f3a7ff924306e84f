"""Families are found, deterministic on every machine, and split cleanly."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from botpsy.errors import UsageError
from botpsy.worlds.registry import HELD_OUT_SHARE, HELD_OUT_TOOLS, families, scenario
from botpsy.worlds.world import all_tools
from tests.worlds.scenes import scene

_DIGEST = """
import hashlib, json
from botpsy.worlds.registry import families, scenario
digest = hashlib.sha256()
for name in families():
    made = scenario(name, 5)
    digest.update(repr(made).encode())
    digest.update(json.dumps(made.world.dump().state).encode())
print(digest.hexdigest())
"""


def test_the_same_in_every_process() -> None:
    seen = set()
    for hash_seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", _DIGEST],
            env={"PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        )
        seen.add(done.stdout)
    assert len(seen) == 1


def test_worlds_know_no_engine_and_no_assistant() -> None:
    code = (
        "import sys; from botpsy.worlds import prove, registry; registry.families();"
        "print([name for name in sys.modules if name.startswith(('botpsy.engines',"
        " 'botpsy.assistant', 'torch'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_unknown_family() -> None:
    with pytest.raises(UsageError, match="nothing"):
        scenario("calendar.nothing", 0)


def test_enough_is_held_out_in_each_domain() -> None:
    everything = Counter(each.domain for each in families().values())
    held_out = Counter(each.domain for each in families().values() if each.held_out)
    for domain, number in everything.items():
        assert held_out[domain] >= HELD_OUT_SHARE * number, domain


def test_held_out_tools_are_real_and_not_in_training() -> None:
    assert all_tools().keys() >= HELD_OUT_TOOLS
    for name, each in families().items():
        if not each.held_out:
            for seed in range(2):
                assert HELD_OUT_TOOLS.isdisjoint(scenario(name, seed).tools), name


def test_names_and_docstrings() -> None:
    for name, each in families().items():
        assert name == name.lower()
        assert (each.make.__doc__ or "").strip(), name


def test_the_background_keeps_clear_of_the_story() -> None:
    for seed in range(30):
        s = scene(seed=seed)
        when = s.when()
        friend = s.person()
        world = s.scenario("hi", [], asked=[]).world
        found = world.services.calendar.find(*s.clock.period(when.at.isoformat()))
        assert not [event for event in found if not event.all_day]
        people = world.services.contacts.all()
        assert len({person.name.split()[0] for person in people}) == len(people)
        assert friend in people
        for person in people:
            assert all(mail.isascii() for mail in person.emails)


def test_every_phrase_means_its_moment() -> None:
    for seed in range(200):
        s = scene(seed=seed)
        for _ in range(3):
            when, day = s.when(), s.day()
            assert s.clock.instant(when.text) == when.at > s.now
            assert s.clock.day(day.text) == day.at.date()
            assert s.clock.instant(s.plain(when.at)) == when.at


def test_the_table_in_the_documentation_is_true() -> None:
    table = (Path(__file__).parents[2] / "docs/worlds.md").read_text("utf-8")
    rows = [[cell.strip(" *") for cell in line.strip("|").split("|")]
            for line in table.splitlines() if line.startswith("| ")]  # fmt: skip
    head = [name.replace(" ", "_") for name in rows[0]]
    stated = {row[0]: dict(zip(head[1:], row[1:], strict=True)) for row in rows[1:]}
    counted = Counter((each.domain, each.kind) for each in families().values())
    for domain in {each.domain for each in families().values()}:
        for kind in head[1:-2]:
            number = counted[domain, kind]  # type: ignore[index]
            assert stated[domain][kind] == (str(number) if number else "–"), (domain, kind)
    assert stated["all"]["all"] == str(len(families()))
