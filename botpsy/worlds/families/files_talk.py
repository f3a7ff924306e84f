"""Files, notes and lists in conversation: corrections, second thoughts, follow-ups, questions."""

from __future__ import annotations

from typing import Final

from botpsy.worlds.acts import Act, ask, call, got, say, says
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.papers import FOLDERS, journal, memo, scrap, spoken
from botpsy.worlds.seeding.pools import GROCERIES, PACKING

DOMAIN: Final = "files"


@family(DOMAIN, "multi_turn")
def the_other_folder_after_all(s: Scene) -> Scenario:
    """A correction of where a file belongs."""
    wrong, right = s.pick(FOLDERS), s.pick(FOLDERS)
    name, _ = scrap(s)
    scrap(s, wrong)
    scrap(s, right)
    return s.scenario(
        [
            s.say(
                "{name} can go into {wrong}",
                "file {name} under {wrong}",
                "sort {name} into the folder {wrong}, will you",
                name=name,
                wrong=wrong,
            ),
            s.say(
                "hang on, that belongs in {right}",
                "no, {right} is the better place for it",
                "I said {wrong} but meant {right}",
                wrong=wrong,
                right=right,
            ),
        ],
        [
            call("move_file", path=name, to=wrong),
            say("It is {to} now."),
            call("move_file", path=got("to"), to=right),
            say("Moved once more: {to}."),
        ],
    )


@family(DOMAIN, "multi_turn")
def the_old_name_back(s: Scene) -> Scenario:
    """A second thought: a file gets its old name back."""
    name, _ = scrap(s)
    stem, _, ending = name.rpartition(".")
    new = s.choose((f"old-{stem}", f"{stem}-done", f"2025-{stem}")) + f".{ending}"
    back = call("move_file", path=got("to"), to=name).because("its name before")
    return s.scenario(
        [
            s.say(
                "rename {name} to {new}",
                "the file {name} should be called {new}",
                "can you change the name of {name} to {new}?",
                name=name,
                new=new,
                exact=True,
            ),
            s.say(
                "hmm, I liked the old name better, change it back",
                "no, undo that, the old name was fine",
                "on second thoughts give it back the name it had",
            ),
        ],
        [
            call("move_file", path=name, to=new),
            say("It is called {to} now."),
            back,
            say("It has its old name again: {to}."),
        ],
        order=("move_file", "move_file"),
        answer=(spoken(name),),
    )


@family(DOMAIN, "multi_turn")
def and_that_too_but_not_this(s: Scene) -> Scenario:
    """A list in three turns: a thing, another one, and the first not after all."""
    one, two = s.pick(GROCERIES), s.pick(GROCERIES)
    s.lists["Groceries"] = [s.pick(GROCERIES)]
    return s.scenario(
        [
            s.say(
                "{one} for the groceries list",
                "I need {one}, add that to groceries",
                "groceries: {one}",
                one=one,
            ),
            s.say("{two} as well", "oh, and {two}", "and could you add {two} too?", two=two),
            s.say(
                "I just found some {one} in the cupboard, so not that",
                "forget the {one}, we've got some",
                "take the {one} off again",
                one=one,
            ),
        ],
        [
            call("add_to_list", list="groceries", items=[one]),
            says(f"Added: {one}."),
            call("add_to_list", list="groceries", items=[two]),
            says(f"Added: {two}."),
            call("remove_from_list", list="groceries", item=one),
            says(f"I took off the {one} again. Still on the list: {two}."),
        ],
    )


@family(DOMAIN, "multi_turn", held_out=True)
def not_that_list(s: Scene) -> Scenario:
    """A thing was put on the wrong list."""
    thing = s.choose(("tissues", "water bottle", "plasters", "cereal bars", "shampoo"))
    s.lists |= {"Groceries": [s.pick(GROCERIES)], "Packing": [s.pick(PACKING)]}
    one, two = s.rng.sample(("groceries", "packing"), 2)
    return s.scenario(
        [
            s.say(
                "{thing} on the {one} list",
                "write {thing} on my {one} list",
                thing=thing,
                one=one,
            ),
            s.say(
                "wrong list, sorry! I meant {two}",
                "argh, {two}, not {one}",
                "that should have gone on the {two} list instead",
                one=one,
                two=two,
            ),
        ],
        [
            call("add_to_list", list=one, items=[thing]),
            says(f"It is on the {one} list."),
            call("remove_from_list", list=one, item=thing),
            call("add_to_list", list=two, items=[thing]),
            says(f"Off the {one} list, and on the {two} list: {thing}."),
        ],
    )


@family(DOMAIN, "multi_turn")
def the_second_of_those(s: Scene) -> Scenario:
    """A listing, and then one of the files in it by its place or by what it is."""
    folder = s.pick(FOLDERS)
    names = sorted(scrap(s, folder)[0] for _ in range(3))
    at = s.rng.randrange(3)
    nth = ("first", "second", "last")[at]
    return s.scenario(
        [
            s.say(
                "show me what's in {folder}",
                "which files do I have in the {folder} folder?",
                "list {folder}",
                folder=folder,
            ),
            s.say(
                "throw the {nth} one away",
                "I don't need the {nth} one any more, delete it",
                "the {nth} of those can go into the trash",
                nth=nth,
            ),
        ],
        [
            call("list_files", folder=folder),
            says(f"Three: {names[0]}, {names[1]} and {names[2]}."),
            call("delete_file", path=got(f"files.{at}.path")).because(f"the {nth} one"),
            says(f"{names[at]} is in the trash."),
        ],
    )


@family(DOMAIN, "multi_turn")
def then_write_that_in(s: Scene) -> Scenario:
    """A note is read, then its gap is filled."""
    title, text, question, _, more = memo(s)
    return s.scenario(
        [
            s.say(
                "{question} I noted it under {title}",
                "there's a note on {title}: {question}",
                "{question} Look in my note on {title}",
                title=title.lower(),
                question=question,
            ),
            s.say(
                "thanks. Add to that note: {more}",
                "good. One more thing for it: {more}",
                "ok, then put this in there too: {more}",
                more=more,
            ),
        ],
        [
            call("read_note", note=title.lower()),
            says(f"It says: {text}"),
            call("append_to_note", note=title.lower(), text=more),
            say("It is in your note {added_to}."),
        ],
    )


@family(DOMAIN, "missing")
def two_of_that_name(s: Scene) -> Scenario:
    """Two files have the name: ask which one goes."""
    name = s.choose(("todo.txt", "costs.txt", "ideas.md", "draft.txt", "contacts.txt"))
    one, two = s.rng.sample(("Work", "Garden", "Travel", "Club", "House"), 2)
    for folder in (one, two):
        s.files[f"Documents/{folder}/{name}"] = f"{folder}\n"
    rest: list[Act] = [
        ask(f"There are two: one in {one}, one in {two}. Which one shall I delete?", "which"),
        call("delete_file", path=f"{two}/{name}").because(f"the one in {two}"),
        say("{moved_to_trash} is in the trash."),
    ]
    return s.scenario(
        s.say(
            "delete {name}",
            "I'm finished with {name}, it can be deleted",
            "would you throw out {name}?",
            name=name,
        ),
        [call("delete_file", path=name), *rest],
        also=[[call("find_files", name=name), *rest]],
        facts={
            "which": s.say("the one in {two}", "{two}", "I mean the {two} one", two=two),
            "place": s.say("in {two}", two=two),
        },
        asked=["which"],
    )


@family(DOMAIN, "missing")
def renamed_to_what(s: Scene) -> Scenario:
    """A new name is wanted, and not given."""
    name, _ = scrap(s)
    stem, _, ending = name.rpartition(".")
    new = f"{s.choose(('2026', 'my', 'final', 'family'))}-{stem}.{ending}"
    return s.scenario(
        s.say(
            "rename {name}",
            "{name} is a bad name for that file. Give it another one",
            "I'd like {name} to have a different name",
            name=name,
            exact=True,
        ),
        [
            ask("What should it be called?", "name"),
            call("move_file", path=name, to=new),
            say("It is called {to} now."),
        ],
        facts={"name": s.say("call it {new}", "{new}", new=new, exact=True)},
    )


@family(DOMAIN, "missing")
def on_which_list(s: Scene) -> Scenario:
    """Several lists would do: ask which."""
    thing = s.choose(("tape", "string", "candles", "a torch", "paper plates", "sun cream"))
    one, two = s.rng.sample(("Camping", "Birthday", "School fair", "Hardware store", "Boat"), 2)
    s.lists |= {one: ["plastic cups"], two: ["a big bag"]}
    return s.scenario(
        s.say(
            "put {thing} on my list",
            "add {thing} to the list",
            "{thing}, write that on the list for me",
            thing=thing,
        ),
        [
            call("show_list"),
            ask(f"Which list, {one} or {two}?", "which"),
            call("add_to_list", list=two, items=[thing]),
            says(f"It is on the {two} list: {thing}."),
        ],
        facts={"which": s.say("the {two} list", "{two}", "for {two}", two=two)},
    )


@family(DOMAIN, "missing", held_out=True)
def add_what(s: Scene) -> Scenario:
    """Something is to be added to a file, but what?"""
    name, path, line = journal(s)
    return s.scenario(
        s.say(
            "add an entry to the file {name}",
            "I've got something to add to {file}",
            "the {name} file needs another line",
            name=name,
            file=path.rpartition("/")[2],
        ),
        [
            ask("What should I write?", "text"),
            call("append_to_file", path=path.rpartition("/")[2], text=line),
            say("It is in {added_to}."),
        ],
        facts={"text": s.say('"{line}"', 'write "{line}"', line=line, exact=True)},
    )


@family(DOMAIN, "missing")
def no_idea_where_to(s: Scene) -> Scenario:
    """A file is to go elsewhere, and the user does not know where either: it stays."""
    name, _ = scrap(s)
    folder = s.pick(FOLDERS)
    scrap(s, folder)
    where = ask("Where should it go?", "place")
    return s.scenario(
        s.say(
            "{name} shouldn't be there, move it",
            "move {name} somewhere else",
            "I want {name} out of the way, in some other folder",
            name=name,
        ),
        [where, says(f"Then I'll leave {name} where it is until you know.")],
        facts={"place": None, "which": None},
        asked=["place"],
        offer=["move_file", "list_files", "delete_file"],
        near={
            "guesses": [where, call("move_file", path=name, to=folder), says("It is moved.")],
            "bins it": [where, call("delete_file", path=name), says("It is gone.")],
        },
    )
