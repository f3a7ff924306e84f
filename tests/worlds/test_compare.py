"""States are compared by what they hold: new ids are no difference, other values are."""

from __future__ import annotations

from botpsy.worlds.compare import ABSENT, Loose, diff, leaves, renamed, same, touched
from botpsy.worlds.world import Dump
from tests.worlds.scenes import tool_call
from tests.worlds.test_world import world


def test_diff_is_readable() -> None:
    here = world()
    before = here.dump()
    here.step(tool_call("set_volume", level="77"))
    here.step(tool_call("set_timer", duration="10 minutes", label="tea"))
    after = here.dump()
    lines = [str(change) for change in diff(before, after)]
    assert any(line.startswith("device/volume: ") and line.endswith("-> 77") for line in lines)
    assert 'reminders/new:1/text: (absent) -> "tea"' in lines
    assert all(here.dump().new[-1] not in line for line in lines)
    assert touched(before, after) == {"device", "reminders"}
    assert diff(after, after) == ()


def test_new_records_are_named_by_what_they_hold() -> None:
    one, two = world(), world()
    calls = [
        tool_call("create_event", title="choir", start="tomorrow at 19:00"),
        tool_call("create_event", title="chess", start="tomorrow at 21:00"),
        tool_call("set_timer", duration="5 minutes"),
    ]
    for each in calls:
        one.step(each)
    for each in reversed(calls):
        two.step(each)
    assert leaves(one.dump()) == leaves(two.dump())
    two.step(calls[2])
    assert leaves(one.dump()) != leaves(two.dump())


def test_wording_does_not_shuffle_new_records() -> None:
    one, two = world(), world()
    for here, a, b in ((one, "choir", "chess club"), (two, "the choir", "a chess club")):
        here.step(tool_call("create_event", title=a, start="tomorrow at 19:00"))
        here.step(tool_call("create_event", title=b, start="tomorrow at 21:00"))
    left, right = leaves(one.dump()), leaves(two.dump())
    assert left.keys() == right.keys()
    assert all(same(path, left[path], right[path]) for path in left)


def test_what_will_do_for_what() -> None:
    assert same("calendar/new:1/title", "dentist", "Dentist appointment")
    assert not same("calendar/new:1/title", "dentist", "haircut")
    assert not same("calendar/new:1/title", "dentist", ABSENT)
    assert not same("calendar/new:1/title", "dentist", "")
    assert same("calendar/new:1/location", "Room 4", "room 4")
    assert not same("calendar/new:1/location", "room 4", "room 5")
    assert not same("device/volume", 50, 51)
    assert not same("device/muted", False, 0) or False == 0
    assert same("mail/new:1/subject", "Moved", "The meeting has moved to Thursday")
    text = "I'm running ten minutes late"
    assert same("messages/new:1/text", text, "I am running 10 minutes late!")
    assert not same("messages/new:1/text", text, "I'm running twenty minutes late")
    assert not same("messages/new:1/text", "I can come", "I can't come")
    assert not same("messages/new:1/text", text, text + " blah" * 60)


def test_loose_paths() -> None:
    loose = (Loose("reminders/*/text"), Loose("calendar/*/location", ("luna|moon",)))
    assert same("reminders/new:1/text", "tea", "anything", loose)
    assert same("calendar/e1/location", "Café Luna", "the Moon bar", loose)
    assert not same("calendar/e1/location", "Café Luna", "the Sun bar", loose)
    assert not same("calendar/e1/title", "tea", "anything", loose)


def test_unknown_ids_in_references_do_not_break_the_naming() -> None:
    dump = Dump({"mail": {"x": {"references": "<abc@h>"}}}, ("abc",))
    assert leaves(dump) == {"mail/x/references": "<new:?@h>"}


def test_what_a_note_is_called() -> None:
    start = {"notes/note/Bike": "x"}
    gold = {**start, "notes/note/gate code": "# gate code\n\nIt is 44.\n"}
    mine = {**start, "notes/note/Gate Code": "# Gate Code\n\nIt is 44.\n"}
    assert renamed(mine, start, gold, ()).keys() == gold.keys()
    other = {**start, "notes/note/Code": "# Code\n\n44\n"}
    assert renamed(other, start, gold, ()) == other
    free = (Loose("notes/note/*", words=("44",), any_name=True),)
    left, right = renamed(gold, start, {}, free), renamed(other, start, gold, free)
    assert left.keys() == right.keys()
    assert all(same(path, left[path], right[path], free) for path in left)
    twice = renamed({**other, "notes/note/Again": "44"}, start, gold, free)
    (more,) = twice.keys() - left.keys()
    assert not same(more, ABSENT, twice[more], free)
    assert not same("notes/note/*1", left["notes/note/*1"], ABSENT, free)
    gone = renamed({"notes/note/bike": "x"}, start, start, ())
    assert gone == {"notes/note/Bike": "x"}


def test_a_tickets_notes_may_be_worded_freely_but_not_left_out() -> None:
    def state(*notes: str) -> Dump:
        written = [{"at": "2026-01-05T09:00:00", "text": note} for note in notes]
        return Dump({"business": {"ticket": {"T-1": {"status": "open", "notes": written}}}})

    gold, none = leaves(state("will call back")), leaves(state())
    worded = leaves(state("Customer wants a call"))
    assert gold.keys() == worded.keys()
    assert all(same(path, gold[path], worded[path]) for path in gold)
    assert not all(same(p, gold.get(p, ABSENT), none.get(p, ABSENT)) for p in gold.keys() | none)
    twice = leaves(state("will call back", "will call back"))
    assert twice.keys() != gold.keys()


def test_where_a_taxi_goes_may_be_worded_freely_but_not_be_elsewhere() -> None:
    path, gold = "travel/*/title", "City Cabs, your place to the airport"
    assert same(path, gold, "City Cabs, your place to airport")
    assert not same(path, gold, "City Cabs, your place to the station")
    assert not same(path, "IC 211, Graz to Lyon", "IC 212, Graz to Lyon")


def test_what_is_loose_must_still_be_there_and_say_its_words() -> None:
    loose = (Loose("mail/*/text", ("49",)),)
    assert same("mail/new:1/text", "It costs 49 euros.", "49 is the price", loose)
    assert not same("mail/new:1/text", "It costs 49 euros.", "It costs some euros.", loose)
    assert not same("mail/new:1/text", "It costs 49 euros.", "49 " * 200, loose)
    free = (Loose("reminders/*/text"),)
    assert not same("reminders/new:1/text", "tea", ABSENT, free)
    assert not same("reminders/new:1/text", ABSENT, "tea", free)
