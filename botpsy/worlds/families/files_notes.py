"""Notes and lists: written, read, added to, ticked off; several at once, step by step."""

from __future__ import annotations

from typing import Final

from botpsy.worlds.acts import both, call, say, says
from botpsy.worlds.compare import Loose
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.papers import MEMOS, memo
from botpsy.worlds.seeding.pools import GROCERIES, PACKING

DOMAIN: Final = "files"
_FOOD = tuple(x for x in GROCERIES if x not in {"toothpaste", "batteries", "dishwasher tabs"})
# what is to be noted, a title for it, words that the note must have
_JOTS = (
    ("the gate code is 4471", "Gate code", ("gate", "4471")),
    ("the spare key is with Mrs Okafor", "Spare key", ("key", "Okafor")),
    ("our bin day is Wednesday", "Bin day", ("bin", "Wednesday")),
    ("the hall paint is called Nordic 42", "Hall paint", ("paint", "Nordic 42")),
    ("Ada is allergic to walnuts", "Ada's allergy", ("Ada", "walnuts")),
    ("my locker is number 218", "Locker", ("locker", "218")),
    ("the good plumber is called Piet", "Plumber", ("plumber", "Piet")),
    ("the cat gets her tablet with tuna", "Cat's tablet", ("cat", "tuna")),
)


@family(DOMAIN, "single")
def jot_it_down(s: Scene) -> Scenario:
    """A note whose title is left to the assistant."""
    fact, title, words = s.pick(_JOTS)
    text = f"{fact[0].upper()}{fact[1:]}."
    return s.scenario(
        s.say(
            "note down that {fact}",
            "make a note: {fact}",
            "I want to remember this, write it down for me: {fact}",
            "can you jot down that {fact}?",
            fact=fact,
        ),
        [
            call("create_note", title=title, text=text).because("no title was given; a short one"),
            say("Noted under {created}."),
        ],
        offer=["add_to_list", "create_file"],
        loose=[Loose("notes/note/*", words=words, any_name=True)],
        near={
            "on a list": [call("add_to_list", list="To do", items=[text]), says("Noted.")],
            "half of it": [call("create_note", title=title, text=words[0]), says("Noted.")],
        },
    )


@family(DOMAIN, "single")
def a_note_with_a_title(s: Scene) -> Scenario:
    """A new note, title and text given."""
    title, text, *_ = s.pick(MEMOS)
    return s.scenario(
        s.say(
            'start a note titled "{title}": {text}',
            'new note "{title}", it should say: {text}',
            'under the title "{title}", write me a note that says: {text}',
            title=title,
            text=text.rstrip("."),
            exact=True,
        ),
        [
            call("create_note", title=title, text=text.rstrip(".")),
            say("The note {created} is there."),
        ],
        offer=["append_to_note"],
    )


@family(DOMAIN, "single")
def what_did_i_note(s: Scene) -> Scenario:
    """A note is read for one thing in it."""
    title, text, question, fact, _ = memo(s)
    return s.scenario(
        s.say(
            "{question} I have a note called {title}",
            "look in my note on {title}: {question}",
            "check the {title} note: {question}",
            title=title.lower(),
            question=question,
        ),
        [call("read_note", note=title), says(f"Your note says: {text}")],
        answer=(fact,),
    )


@family(DOMAIN, "single")
def more_for_a_note(s: Scene) -> Scenario:
    """Something is added to a note."""
    title, *_, more = memo(s)
    return s.scenario(
        s.say(
            "add this to my {title} note: {more}",
            "my note about {title} needs one more thing: {more}",
            'put "{more}" into the {title} note, after what is there',
            title=title.lower(),
            more=more,
        ),
        [
            call("append_to_note", note=title.lower(), text=more),
            say("Added to your note {added_to}."),
        ],
        offer=["create_note"],
        near={
            "a new note": [call("create_note", title=f"{title} 2", text=more), says("Noted.")],
        },
    )


@family(DOMAIN, "single", held_out=True)
def in_which_note_was_it(s: Scene) -> Scenario:
    """Search in the notes."""
    title, text, word = s.choose(
        (
            ("Gift ideas", "Ada: a kite. Tom: fountain pen.", "fountain pen"),
            ("Curtains", "Living room 240 by 180 cm, velvet.", "velvet"),
            ("Sunday soup", "Leeks, barley, a bay leaf.", "barley"),
            ("Old flat", "The landlord was called Brandt.", "Brandt"),
        )
    )
    s.notes[title] = text
    return s.scenario(
        s.say(
            "which of my notes has something about {word}?",
            "I wrote {word} down in some note, what's that note called?",
            "search my notes for {word} and give me the title",
            word=word,
        ),
        [call("find_notes", query=word), says(f"It is in the note {title}.")],
        answer=(title,),
    )


@family(DOMAIN, "single")
def we_have_run_out(s: Scene) -> Scenario:
    """Several things go on the shopping list."""
    things = [s.pick(GROCERIES) for _ in range(s.choose((1, 2, 3)))]
    s.lists["Groceries"] = [s.pick(GROCERIES) for _ in range(2)]
    said = " and ".join(filter(None, (", ".join(things[:-1]), things[-1])))
    return s.scenario(
        s.say(
            "we've run out of {things}, put that on the groceries list",
            "groceries list: {things}",
            "next time I go shopping I need {things}. Add it to my groceries",
            "can you add {things} to the grocery list?",
            things=said,
        ),
        [
            call("add_to_list", list="groceries", items=things),
            says(f"On your groceries list now: {said}."),
        ],
        offer=["create_note"],
    )


@family(DOMAIN, "single")
def got_that_one(s: Scene) -> Scenario:
    """A thing comes off a list."""
    thing, kind = s.choose(((s.pick(GROCERIES), "groceries"), (s.pick(PACKING), "packing")))
    pool = GROCERIES if kind == "groceries" else PACKING
    s.lists[kind.title()] = [s.pick(pool), thing, s.pick(pool)]
    return s.scenario(
        s.say(
            "no need for {thing} any more, take that off the {kind} list",
            "cross {thing} off my {kind} list",
            "{kind} list: {thing} can come off, I have that",
            thing=thing,
            kind=kind,
        ),
        [call("remove_from_list", list=kind, item=thing), say("Off the list: {removed}.")],
        offer=["delete_list", "add_to_list"],
    )


@family(DOMAIN, "single")
def what_is_left_on_it(s: Scene) -> Scenario:
    """Read out a list."""
    things = [s.pick(PACKING) for _ in range(3)]
    s.lists["Packing"] = things
    return s.scenario(
        s.say(
            "what do I still have to pack?",
            "read me the packing list",
            "which things are on my packing list?",
            "is anything left on the packing list? Go through it",
        ),
        [call("show_list", list="packing"), says(f"Still to pack: {', '.join(things)}.")],
        answer=things,
    )


@family(DOMAIN, "parallel")
def one_for_each_list(s: Scene) -> Scenario:
    """Two lists at once."""
    food, thing = s.pick(GROCERIES), s.pick(PACKING)
    s.lists |= {"Groceries": [s.pick(GROCERIES)], "Packing": [s.pick(PACKING)]}
    return s.scenario(
        s.say(
            "{food} for the groceries list and {thing} for the packing list",
            "add {food} to groceries, and {thing} to packing",
            "put {thing} on the packing list, and while you're at it {food} on the groceries",
            food=food,
            thing=thing,
        ),
        [
            both(
                call("add_to_list", list="groceries", items=[food]),
                call("add_to_list", list="packing", items=[thing]),
            ),
            says(f"Done: {food} to buy, {thing} to pack."),
        ],
    )


@family(DOMAIN, "parallel", held_out=True)
def this_instead_of_that(s: Scene) -> Scenario:
    """One thing off a list, another one on."""
    old, new = s.pick(GROCERIES), s.pick(GROCERIES)
    s.lists["Groceries"] = [s.pick(GROCERIES), old]
    return s.scenario(
        s.say(
            "on the groceries list, swap {old} for {new}",
            "no {old} this time, {new} instead. Change the groceries list",
            "replace {old} with {new} on my grocery list",
            old=old,
            new=new,
        ),
        [
            both(
                call("remove_from_list", list="groceries", item=old),
                call("add_to_list", list="groceries", items=[new]),
            ),
            says(f"I have put {new} on the list in place of {old}."),
        ],
    )


@family(DOMAIN, "multi_step")
def buy_what_is_missing(s: Scene) -> Scenario:
    """A recipe's ingredients, less what is in the pantry, go on the shopping list."""
    dish = s.choose(("curry", "traybake", "picnic", "lunchbox"))
    needs = [s.pick(_FOOD) for _ in range(4)]
    missing = ([each for each in needs if s.chance(0.5)] or needs)[:3]
    s.files[f"Documents/Cooking/{dish}.md"] = f"# {dish}\n" + "".join(f"- {n}\n" for n in needs)
    pantry = [each for each in needs if each not in missing] + [s.pick(GROCERIES)]
    s.lists |= {"Pantry": pantry, "Groceries": [s.pick(GROCERIES)]}
    return s.scenario(
        s.say(
            "I'm making the {dish} from {dish}.md. Whatever isn't on the pantry list goes on the "
            "groceries list",
            "compare {dish}.md with my pantry list and add what's missing to groceries",
            "read {dish}.md, see what we have on the list Pantry, and put the rest on Groceries",
            dish=dish,
        ),
        [
            both(call("read_file", path=f"{dish}.md"), call("show_list", list="Pantry")),
            call("add_to_list", list="groceries", items=missing).because(
                "in the recipe, not in the pantry"
            ),
            says(f"On the groceries list now: {', '.join(missing)}."),
        ],
    )


@family(DOMAIN, "multi_step")
def from_the_note_to_the_list(s: Scene) -> Scenario:
    """A note names things; they go on a list."""
    title = s.choose(("Bathroom shelf", "Campfire evening", "Kite workshop", "Balcony"))
    things = s.rng.sample(
        ("wood screws", "masking tape", "string", "sandpaper", "matches", "wire", "glue"), 3
    )
    s.notes[title] = f"We need {things[0]}, {things[1]} and {things[2]}."
    s.lists |= {"Hardware store": ["light bulbs"], "Packing": [s.pick(PACKING)]}
    return s.scenario(
        s.say(
            "my note {title} says what we need. Put it all on the hardware store list",
            "take the things from the {title} note over to the hardware store list",
            "look up what's needed in the note {title} and add it to my hardware store list",
            title=title,
        ),
        [
            call("read_note", note=title),
            call("add_to_list", list="hardware store", items=things),
            says(f"They are on the list: {', '.join(things)}."),
        ],
    )


@family(DOMAIN, "multi_step", held_out=True)
def the_list_as_a_file(s: Scene) -> Scenario:
    """What is on a list is saved in a file."""
    name = s.choose(("tour.txt", "weekend.txt", "luggage.txt", "for-mia.txt"))
    things = [s.pick(PACKING) for _ in range(3)]
    s.lists["Packing"] = things
    return s.scenario(
        s.say(
            "save my packing list as a file {name}, one thing per line",
            "write what's on the packing list to {name}, each item on a line of its own",
            "I need {name} with everything from the packing list in it, one item a line",
            name=name,
            exact=True,
        ),
        [
            call("show_list", list="packing"),
            call("create_file", path=name, text="\n".join(things)),
            say("It is in {created}."),
        ],
    )


@family(DOMAIN, "state")
def that_is_on_it_already(s: Scene) -> Scenario:
    """One of the things is on the list already: it stays there once, and that is said."""
    there, new = s.pick(GROCERIES), s.pick(GROCERIES)
    s.lists["Groceries"] = [there, s.pick(GROCERIES)]
    return s.scenario(
        s.say(
            "add {there} and {new} to the groceries list, and tell me if we had one on it already",
            "{there} and {new} for the groceries list. Was either on there before?",
            there=there,
            new=new,
        ),
        [
            call("add_to_list", list="groceries", items=[there, new]),
            says(f"You had {there} on it already; I have added {new}."),
        ],
        answer=("already|before", there),
        offer=["show_list"],
    )


@family(DOMAIN, "state")
def delete_it_if_nothing_is_left(s: Scene) -> Scenario:
    """A list may go if it is empty; mostly it is not."""
    empty, left = s.chance(0.4), s.pick(PACKING)
    name = s.choose(("Camping", "Moving house", "Wedding"))
    s.lists[name] = [] if empty else [left]
    drop = call("delete_list", list=name)
    return s.scenario(
        s.say(
            "if there's nothing left on the {name} list, delete it",
            "is the {name} list empty by now? Then get rid of it, otherwise keep it",
            "see whether anything is still on my {name} list; if not, it can go",
            name=name,
        ),
        [
            call("show_list", list=name),
            drop.because("it is empty"),
            say("It was empty, so I have deleted {deleted}."),
        ]
        if empty
        else [
            call("show_list", list=name),
            says(f"I have kept it. Still on it: {left}.").because(
                "Something is left on it, so it is kept."
            ),
        ],
        offer=["delete_list"],
        answer=() if empty else (left,),
        near={} if empty else {"deletes": [drop, says(f"Deleted; there was only {left}.")]},
    )


@family(DOMAIN, "state")
def to_the_note_or_a_new_one(s: Scene) -> Scenario:
    """There is such a note, or there is none yet."""
    title, text, *_, more = s.pick(MEMOS)
    there = s.chance(0.5)
    if there:
        s.notes[title] = text
    write = call("append_to_note", note=title, text=more)
    return s.scenario(
        s.say(
            '"{more}" goes into my note "{title}". If there is no such note yet, start one',
            'have I got a note "{title}"? Add "{more}" to it, or make one with that',
            'write "{more}" in the note "{title}", a new one if need be',
            more=more,
            title=title,
            exact=True,
        ),
        [
            call("find_notes", query=title),
            write.because("there is such a note"),
            say("You had one; it is in {added_to}."),
        ]
        if there
        else [
            call("find_notes", query=title),
            call("create_note", title=title, text=more).because("there is no such note yet"),
            say("There was none, so I have started {created}."),
        ],
        offer=["append_to_note", "create_note"],
    )
