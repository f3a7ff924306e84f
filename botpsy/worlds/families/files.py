"""Files and folders: look, read, write, move, throw away; several at once, step by step."""

from __future__ import annotations

from typing import Final

from botpsy.worlds.acts import both, call, got, say, says
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.papers import FOLDERS, FRESH, journal, paper, scrap, spoken
from botpsy.worlds.seeding.pools import PLACES

DOMAIN: Final = "files"
_FIRMS = (("Haas", "Lindner"), ("Okoro", "Vidal"), ("Brandt", "Moss"), ("Adler", "Quinn"))


@family(DOMAIN, "single")
def look_into_a_folder(s: Scene) -> Scenario:
    """What is in a folder."""
    folder = s.pick(FOLDERS)
    names = sorted(scrap(s, folder)[0] for _ in range(s.choose((2, 3))))
    return s.scenario(
        s.say(
            "what's in the {folder} folder?",
            "list everything I have in {folder}",
            "which files are in {folder}?",
            "show me the contents of my folder {folder}",
            folder=folder,
        ),
        [call("list_files", folder=folder), says(f"In {folder} are {', '.join(names)}.")],
        answer=[spoken(name) for name in names],
    )


@family(DOMAIN, "single")
def where_is_it(s: Scene) -> Scenario:
    """In which folder a file is."""
    it = paper(s)
    return s.scenario(
        s.say(
            "where did I save the {subject} file?",
            "I can't find the file with the {subject}, which folder is it in?",
            "locate the file {subject} for me",
            "in what folder is my {subject} file?",
            subject=it.subject,
        ),
        [call("find_files", name=it.subject), says(f"It is {it.path}.")],
        answer=(it.folder,),
    )


@family(DOMAIN, "single")
def what_it_says(s: Scene) -> Scenario:
    """Read a file for one thing in it."""
    it = paper(s)
    return s.scenario(
        s.say(
            "open {name}: {question}",
            "what does {name} say about {about}?",
            "{question} It should be in {name}",
            "have a look at {name} and tell me about {about}",
            name=it.name,
            question=it.question,
            about=it.about,
        ),
        [call("read_file", path=it.name), says(f"It says: {it.line()}")],
        answer=(it.fact,),
    )


@family(DOMAIN, "single")
def save_this(s: Scene) -> Scenario:
    """A new file, its name and text given."""
    name, text = s.pick(FRESH)
    return s.scenario(
        s.say(
            'make a text file "{name}" that says "{text}"',
            'save "{text}" as {name}',
            'I need a new file, {name}, with this in it: "{text}"',
            'create {name} and write "{text}" into it',
            name=name,
            text=text,
            exact=True,
        ),
        [call("create_file", path=name, text=text), say("I have made {created}.")],
    )


@family(DOMAIN, "single")
def one_line_more(s: Scene) -> Scenario:
    """Something is added at the end of a file."""
    name, path, line = journal(s)
    full = path.rpartition("/")[2]
    said, file = s.choose(((f"the {name} file", name), (full, full)))
    return s.scenario(
        s.say(
            'add "{line}" to {file}',
            'new entry for {file}: "{line}"',
            'please put "{line}" at the bottom of {file}',
            'write "{line}" into {file}, below the rest',
            file=said,
            line=line,
        ),
        [call("append_to_file", path=file, text=line), say("Added to {added_to}.")],
    )


@family(DOMAIN, "single")
def into_the_bin(s: Scene) -> Scenario:
    """A file is thrown away."""
    name, _ = scrap(s, s.choose(("", s.pick(FOLDERS))))
    return s.scenario(
        s.say(
            "delete {name}",
            "bin {name}, I don't need it",
            "{name} can go, get rid of it",
            "could you trash {name}?",
            name=name,
        ),
        [call("delete_file", path=name), say("{moved_to_trash} is in the trash.")],
    )


@family(DOMAIN, "single")
def a_new_folder(s: Scene) -> Scenario:
    """A folder inside another one."""
    it = paper(s)
    new = s.choose(("2027", "Copies", "Drafts", "Done", "Photos", "Letters out"))
    return s.scenario(
        s.say(
            'make a folder "{new}" in {parent}',
            "I want a subfolder called '{new}' under {parent}",
            'in {parent}, set up a new folder with the name "{new}"',
            new=new,
            parent=it.folder,
            exact=True,
        ),
        [
            call("make_folder", path=f"{it.folder}/{new}").because(f"a folder in {it.folder}"),
            say("The folder {folder} is there."),
        ],
    )


@family(DOMAIN, "single", held_out=True)
def a_second_copy(s: Scene) -> Scenario:
    """A copy under another name."""
    name, _ = scrap(s)
    stem, _, ending = name.rpartition(".")
    new = f"{stem}-{s.choose(('backup', 'mine', 'v2', 'spare'))}.{ending}"
    return s.scenario(
        s.say(
            "duplicate {name} as {new}",
            "make a copy of {name} and call it {new}",
            "I'd like to have {name} twice, the copy should be {new}",
            name=name,
            new=new,
            exact=True,
        ),
        [call("copy_file", path=name, to=new), say("{to} is a copy of {copied}.")],
        offer=["move_file"],
        near={"renamed": [call("move_file", path=name, to=new), says("There it is.")]},
    )


@family(DOMAIN, "parallel")
def file_these(s: Scene) -> Scenario:
    """Two papers go into two folders."""
    (one, _), (two, _) = scrap(s), scrap(s)
    here, there = s.pick(FOLDERS), s.pick(FOLDERS)
    scrap(s, here)
    scrap(s, there)
    return s.scenario(
        s.say(
            "move {one} to {here} and {two} to {there}",
            "{one} belongs in {here}, and {two} in {there}. File them",
            "tidy up for me: {one} goes into {here}, {two} into {there}",
            one=one,
            two=two,
            here=here,
            there=there,
        ),
        [
            both(call("move_file", path=one, to=here), call("move_file", path=two, to=there)),
            say("Filed: {0[to]} and {1[to]}."),
        ],
    )


@family(DOMAIN, "parallel")
def which_quote_is_lower(s: Scene) -> Scenario:
    """Two files are read and compared."""
    work, firms = s.choose(("roof", "kitchen", "fence", "bathroom")), s.choose(_FIRMS)
    sums = s.rng.sample(range(900, 4000, 35), 2)
    for firm, price in zip(firms, sums, strict=True):
        days = s.rng.randint(2, 9)
        s.files[f"Documents/House/{work}-{firm.lower()}.txt"] = (
            f"Quote for the {work}, {firm} Ltd\nWork takes {days} days.\nTotal: {price} euros.\n"
        )
    low = firms[sums.index(min(sums))]
    one, two = (f"{work}-{firm.lower()}.txt" for firm in firms)
    return s.scenario(
        s.say(
            "compare {one} and {two}: who is cheaper, and at what price?",
            "I have two quotes, {one} and {two}. Which firm asks for less, and how much is it?",
            "read {one} and {two} and tell me the lower price and whose it is",
            one=one,
            two=two,
        ),
        [
            both(call("read_file", path=one), call("read_file", path=two)),
            says(f"{low} is cheaper: {min(sums)} euros, the other one {max(sums)}.").because(
                f"{min(sums)} is less than {max(sums)}, so it is {low}."
            ),
        ],
        answer=(low, f"{min(sums)}"),
        near={
            "the dearer one": [
                both(call("read_file", path=one), call("read_file", path=two)),
                says(f"It is {max(sums)} euros."),
            ]
        },
    )


@family(DOMAIN, "parallel", held_out=True)
def a_folder_for_each(s: Scene) -> Scenario:
    """Two new folders in one sentence."""
    one, two = s.pick(FOLDERS), s.pick(FOLDERS)
    return s.scenario(
        s.say(
            "I need two new folders, {one} and {two}",
            "set up folders for {one} and for {two}",
            "make me a folder {one}, and another one, {two}",
            one=one,
            two=two,
            exact=True,
        ),
        [
            both(call("make_folder", path=one), call("make_folder", path=two)),
            say("Both folders are there: {0[folder]} and {1[folder]}."),
        ],
    )


@family(DOMAIN, "multi_step")
def gather_them_all(s: Scene) -> Scenario:
    """Find all files of a kind, then move each of them."""
    what, folder = s.choose(("invoice", "ticket", "receipt", "photo")), s.pick(FOLDERS)
    places = s.rng.sample(("Work", "House", "Travel", "Car"), 3)
    names = s.rng.sample(("may", "lyon", "garage", "hall", "tiles", "museum"), 3)
    for place, name in zip(places, names, strict=True):
        s.files[f"Documents/{place}/{what}-{name}.txt"] = f"{what.title()}, {name}"
    s.files[f"Documents/{folder}"] = None
    return s.scenario(
        s.say(
            "my {what}s are everywhere, move every file with {what} in its name to {folder}",
            "gather all files called {what}-something in {folder}",
            "find all my {what} files and put them into the {folder} folder",
            what=what,
            folder=folder,
        ),
        [
            call("find_files", name=what),
            both(*(call("move_file", path=got(f"files.{n}.path"), to=folder) for n in range(3))),
            says(f"All three are in {folder} now."),
        ],
    )


@family(DOMAIN, "multi_step")
def a_number_for_the_table(s: Scene) -> Scenario:
    """A number is read in one file and goes into another, in the form it has there."""
    what, month = s.choose(("electricity", "water", "phone", "gas")), s.choose(("April", "May"))
    paid = [f"{s.rng.randint(31, 98)}.{s.rng.randint(10, 99)}" for _ in range(3)]
    amount = paid[2]
    bill = f"{what}-{month.lower()}.txt"
    s.files[f"Documents/House/{bill}"] = (
        f"Your {what} bill for {month}\nStanding charge: 9.50\nTo be paid: {amount}\n"
    )
    s.files[f"Documents/House/{what}.csv"] = f"month,paid\nFebruary,{paid[0]}\nMarch,{paid[1]}\n"
    return s.scenario(
        s.say(
            "enter the amount to be paid from {bill} in {what}.csv, as another row like the others",
            "{bill} has come. Add a row for {month} to {what}.csv with what is to be paid",
            "carry the sum from {bill} over into {what}.csv, a row for {month} like those there",
            bill=bill,
            what=what,
            month=month,
        ),
        [
            both(call("read_file", path=bill), call("read_file", path=f"{what}.csv")),
            call("append_to_file", path=f"{what}.csv", text=f"{month},{amount}").because(
                f"the bill says {amount}; the rows are month,paid"
            ),
            says(f"I have added {month} with {amount}."),
        ],
    )


@family(DOMAIN, "multi_step")
def add_to_whichever_mentions_it(s: Scene) -> Scenario:
    """Search in the texts, then add to the file that was found."""
    _, path, line = journal(s)
    first = s.files[path].splitlines()[0]  # type: ignore[union-attr]
    return s.scenario(
        s.say(
            'one of my files has the line "{first}" in it. Find it and add "{line}" below',
            'look for the document that mentions "{first}" and write "{line}" at its end',
            'search my files for "{first}", the one it\'s in needs one more line: "{line}"',
            first=first,
            line=line,
        ),
        [
            call("search_documents", query=first),
            call("append_to_file", path=got("documents.0.path"), text=line),
            say("I have added it to {added_to}, below the rest."),
        ],
    )


@family(DOMAIN, "multi_step", held_out=True)
def the_same_for_someone_else(s: Scene) -> Scenario:
    """A text is read and saved again with another name in it."""
    one, two = (s.stranger().name.split()[0] for _ in range(2))
    what, place = s.choose(("invitation", "reminder", "welcome")), s.pick(PLACES)
    old, new = f"{what}-{one.lower()}.txt", f"{what}-{two.lower()}.txt"
    text = f"Dear {one},\nwe meet at {place} at seven. Bring a chair.\n"
    s.files[f"Documents/Club/{old}"] = text
    return s.scenario(
        s.say(
            "take {old} and save the same text for {two} as Club/{new}",
            "{two} should get the same letter as {one} did in {old}: write it to Club/{new}",
            "write Club/{new}, word for word like {old} but addressed to {two}",
            old=old,
            one=one,
            two=two,
            new=new,
            exact=True,
        ),
        [
            call("read_file", path=old),
            call("create_file", path=f"Club/{new}", text=text.replace(one, two)).because(
                f"the text of {old} with {two} for {one}"
            ),
            say("I have written {created}."),
        ],
    )
