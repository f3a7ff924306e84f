"""Little webs: pages that hang together, and research that can be followed page by page."""

from __future__ import annotations

import re

import pytest

from botpsy.services.web import Page
from botpsy.services.web.memory import MemoryWeb
from botpsy.worlds.episode import play
from botpsy.worlds.registry import families, scenario
from botpsy.worlds.seeding.sites import WEEKDAYS, venue
from botpsy.worlds.seeding.webs import Web, finding, shows
from tests.worlds.scenes import scene

NAMES = [name for name, family in families().items() if family.domain == "research"]


@pytest.mark.parametrize("seed", range(8))
def test_a_page_says_what_the_entry_knows(seed: int) -> None:
    s = scene(seed=seed)
    web = Web(s, linked=True)
    product = web.product()
    for entry in (product, product.links["maker"], *product.links["maker"].links.values()):
        assert all(fact.value.split()[0] in entry.page.text for fact in entry.facts.values())
        assert all(link.url in entry.page.text for link in entry.links.values())
    pages = MemoryWeb(s.records[Page])
    for page in s.records[Page]:
        for url in re.findall(r"https://\S+", page.text):
            assert pages.read(url).url == url


def test_seeds_differ_and_agree_with_themselves() -> None:
    def texts(seed: int) -> list[Page]:
        s = scene(seed=seed)
        Web(s).fill(3)
        return list(s.records[Page])

    assert texts(1) == texts(1)
    urls = [page.url for seed in range(20) for page in texts(seed)]
    assert len(set(urls)) > 0.9 * len(urls)


def test_a_page_is_opened_only_where_the_results_do_not_tell() -> None:
    kinds = set()
    for seed in range(30):
        s = scene(seed=seed)
        town = Web(s).town()
        people = town.facts["population"].answer
        calls = finding(s, f"{town.name} population", town.page, people)
        assert (len(calls) == 1) == shows(s, f"{town.name} population", town.page, people)
        kinds.add(len(calls))
    assert kinds == {1, 2}


def test_a_venue_is_closed_one_day_and_no_two_days_are_alike() -> None:
    place = venue(Web(scene()))
    days = [place.hours[day] for day in WEEKDAYS]
    assert days.count(None) == 1
    assert len(set(days)) == 7


@pytest.mark.parametrize("name", NAMES)
def test_pages_are_read_where_their_address_is_known(name: str) -> None:
    """From the user, from search results, or from a page read before."""
    for seed in range(3):
        made = scenario(name, seed)
        _, episode = play(made, made.gold[0])
        seen = ""
        for message in episode.messages:
            for call in message.calls:
                if call.name == "read_page":
                    assert str(call.arguments["url"]) in seen, (name, seed)
            if message.role in ("user", "tool"):
                seen += message.content
