"""HWU64 on lists: what is put on them, taken off, read and thrown away."""

from __future__ import annotations

import re

from botpsy.data.sources._annotated import Item
from botpsy.data.sources._cases import Case, gaps, plan
from botpsy.data.types import UnusableError
from botpsy.worlds.acts import ask, call, say, says
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding import pools

_ADD = re.compile(
    r"(?:please |can you |could you |i want you to |i need you to |i need to )?"
    r"(?:add|put|include|insert)(?: some| the)? (?P<item>[a-z' -]+?) (?:to|on|onto|in|into)"
    r"(?: my| the)? (?P<list>[a-z -]+?)(?: list)?(?: please| for me)?"
)
_TAKE = re.compile(
    r"(?:please |can you |could you )?(?:remove|delete|take|cross|erase|scratch)(?: the)? "
    r"(?P<item>[a-z' -]+?) (?:from|off|off of|out of)(?: my| the)? (?P<list>[a-z -]+?)(?: list)?"
    r"(?: please)?"
)
_DROP = re.compile(
    r"(?:please |can you |could you )?(?:delete|remove|erase|get rid of|destroy)(?: my| the)? "
    r"(?P<list>[a-z -]+?) list(?: please| for me)?"
)
_VAGUE = (
    r"\b(item|items|this|that|it|new|something|things?|last|first|all|everything|and|list|more)\b"
)
_NO_LIST = ("list", "calendar", "playlist", "contacts", "contact", "cart", "it", "this")


def _list_of(item: Item, pattern: re.Pattern[str]) -> re.Match[str]:
    item.only("list_name")
    found = pattern.fullmatch(item.text.lower())
    if not found:
        raise UnusableError("a list's words that the patterns do not read")
    name = found["list"]
    if not item.all("list_name") or name in _NO_LIST or re.search(_VAGUE + "|playlist|song", name):
        raise UnusableError("no list by name")
    if "item" in found.groupdict() and (
        re.search(_VAGUE, found["item"]) or len(found["item"]) > 40
    ):
        raise UnusableError("an item that is not named")
    return found


@plan("files", "lists/createoradd")
def add_item(s: Scene, item: Item) -> Case:
    """One thing for a list; the list is asked for where none is named."""
    bare = re.fullmatch(r"(?:please )?(?:add|put) (?P<item>[a-z ]+?) (?:to|on) (?:the|my|a) list",
                        item.text.lower())  # fmt: skip
    if bare and not item.slots and not re.search(_VAGUE, bare["item"]):
        name = s.choose(("shopping", "packing", "party", "to do"))
        question = s.choose(("Which list?", "To which list should I add it?"))
        return Case(
            [ask(question, "which"), call("add_to_list", list=name, items=[bare["item"]]),
             says(f"On the {name} list now: {bare['item']}.")],
            kind="missing", facts={"which": name},
            barred=["append_to_note", "create_note", "append_to_file"],
        )  # fmt: skip
    found = _list_of(item, _ADD)
    name, thing = found["list"], found["item"]
    if s.chance(0.7):
        s.lists[name] = [s.pick(pools.GROCERIES), s.pick(pools.GROCERIES)]
    answer = s.choose((f"On the {name} list now: {thing}.", f"Added to the {name} list: {thing}."))
    return Case(
        [call("add_to_list", list=name, items=[thing]), says(answer)],
        barred=["append_to_note", "create_note", "append_to_file", "set_reminder", "create_event"],
        offer=["remove_from_list"],
        gaps=gaps(item, list=f"{name} list"),
    )


@plan("files", "lists/query")
def read_list(s: Scene, item: Item) -> Case:
    """What is on a list, or which there are."""
    item.only("list_name")
    name = item.value("list_name").removesuffix(" list").lower()
    barred = ["find_notes", "read_note", "search_documents", "list_files", "list_reminders"]
    if not name:
        if not re.fullmatch(r"(please )?(what|which|show|tell|list|display|give|read|name)( me)?"
                            r"( are| all)?( of)?( the| my| available)*( names of( the| my)?)? ?"
                            r"(lists?( names)?|available lists)( do i have| i have| are there"
                            r"| available)?( please)?", item.text.lower()) or not re.search(
                                r"lists|names", item.text):  # fmt: skip
            raise UnusableError("no list by name")
        s.bare("notes")
        names = s.rng.sample(("Groceries", "Packing", "Party", "Repairs"), 2)
        for each in names:
            s.lists[each] = [s.pick(pools.GROCERIES)]
        answer = s.choose(("There are two: {lists[0]} and {lists[1]}.",
                           "Your lists: {lists[0]}, {lists[1]}."))  # fmt: skip
        return Case([call("show_list"), say(answer)], barred=barred, offer=["add_to_list"])
    if name in _NO_LIST or re.search(
        r"playlist|song|music|contact|friend|video|buy|done|dvr", name
    ):
        raise UnusableError("no list by name")
    item.need(
        r"what|show|read|tell|check|open|display|see|give",
        r"\badd|remove|how many|is there|first|last|number|\bnext|send|did|create|on top|due",
    )
    things = [s.pick(pools.GROCERIES) for _ in range(s.rng.randint(2, 3))]
    if re.search(r"to ?do|task", name):
        things = [s.pick(pools.CHORES) for _ in range(2)]
    s.lists[name] = things
    told = f"{', '.join(things[:-1])} and {things[-1]}"
    answer = s.choose((f"On it: {told}.", f"Your {name} list has {told}.", f"It says {told}."))
    return Case([call("show_list", list=name), says(answer)], barred=barred, offer=["add_to_list"])


@plan("files", "lists/remove")
def remove_item(s: Scene, item: Item) -> Case:
    """A thing off a list, or a whole list."""
    if whole := _DROP.fullmatch(item.text.lower()):
        item.only("list_name")
        name = whole["list"]
        if not item.all("list_name") or re.search(_VAGUE + "|play|song|contact", name):
            raise UnusableError("no list by name")
        s.lists[name] = [s.pick(pools.GROCERIES), s.pick(pools.GROCERIES)]
        answer = s.choose((f"The {name} list is gone.", f"Deleted: the {name} list."))
        return Case([call("delete_list", list=name), says(answer)],
                    barred=["delete_note", "delete_file"], offer=["remove_from_list"])  # fmt: skip
    found = _list_of(item, _TAKE)
    name, thing = found["list"], found["item"]
    s.lists[name] = [s.pick(pools.GROCERIES), thing, s.pick(pools.GROCERIES)]
    answer = s.choose((f"Off the {name} list: {thing}.", f"Taken off the {name} list: {thing}."))
    return Case(
        [call("remove_from_list", list=name, item=thing), says(answer)],
        barred=["delete_note", "remove_from_cart"],
        offer=["delete_list", "add_to_list"],
    )
