"""Files with something off (a name that is taken, a folder that is locked) and look-alikes."""

from __future__ import annotations

from typing import Final

from botpsy.worlds.acts import both, call, say, says
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.papers import FOLDERS, scrap

DOMAIN: Final = "files"
_LOCKED = (
    "permission|read only|only be read|locked|protected|denied|write access|not permitted"
    "|not allowed|cannot be changed|cant be changed|restricted"
)


@family(DOMAIN, "state")
def that_name_is_taken(s: Scene) -> Scenario:
    """The folder has another file of this name: nothing is moved, and nothing is lost."""
    folder = s.pick(FOLDERS)
    name, _ = scrap(s)
    s.files[f"Documents/{folder}/{name}"] = "An older one\n"
    return s.scenario(
        s.say(
            "put {name} into the folder {folder}",
            "{name} should go to {folder}",
            "can you move {name} over to {folder} for me?",
            name=name,
            folder=folder,
        ),
        [
            call("move_file", path=name, to=folder),
            says(f"I can't: there is already a file {name} in {folder}, so it is where it was."),
        ],
        offer=["delete_file"],
        answer=("already|exists|taken|same name",),
        declines=True,
        near={
            "bins the other": [
                call("delete_file", path=f"{folder}/{name}"),
                call("move_file", path=name, to=folder),
                says("It could not be moved, as one was there already; now it is."),
            ]
        },
    )


@family(DOMAIN, "state")
def or_else_under_another_name(s: Scene) -> Scenario:
    """What to do if the name is taken was said; mostly it is."""
    folder, taken = s.pick(FOLDERS), s.chance(0.7)
    name, _ = scrap(s)
    other = name.replace(".", f"-{s.choose(('new', '2', 'b'))}.")
    if taken:
        s.files[f"Documents/{folder}/{name}"] = "An older one\n"
    else:
        scrap(s, folder)
    second = call("move_file", path=name, to=f"{folder}/{other}").because("that name is taken")
    return s.scenario(
        s.say(
            "move {name} to {folder}. If there's one of that name already, call this one {other}",
            "{name} goes into {folder}, as {other} in case the name is taken there",
            "file {name} under {folder}, but don't touch one that's there: use {other} then",
            name=name,
            folder=folder,
            other=other,
            exact=True,
        ),
        [
            call("move_file", path=name, to=folder),
            *([second] if taken else []),
            say("It is {to} now."),
        ],
        offer=["list_files"],
    )


@family(DOMAIN, "state")
def only_if_the_folder_exists(s: Scene) -> Scenario:
    """The folder is there, or it is not: then the file stays."""
    folder, there = s.pick(FOLDERS), s.chance(0.4)
    name, _ = scrap(s)
    if there:
        scrap(s, folder)
    look = call("find_files", name=folder)
    anyway = [call("make_folder", path=folder), call("move_file", path=name, to=folder)]
    move = call("move_file", path=name, to=folder)
    return s.scenario(
        s.say(
            "if I have a folder called {folder}, move {name} there, otherwise leave it",
            "is there a folder {folder}? The file {name} belongs there, but don't make one",
            "put {name} into {folder} provided that folder exists. If not, do nothing",
            name=name,
            folder=folder,
        ),
        [
            look,
            move.because("the folder is there"),
            say("There is one, and the file is in it: {to}."),
        ]
        if there
        else [
            look,
            says(f"There is no folder {folder}, so I have left {name} where it is.").because(
                "There is no such folder, so nothing is moved."
            ),
        ],
        offer=["make_folder", "move_file"],
        answer=(folder,),
        declines=not there,
        near={} if there else {"makes one": [*anyway, says("There was no such folder.")]},
    )


@family(DOMAIN, "state")
def the_handbook_is_locked(s: Scene) -> Scenario:
    """A folder that may only be read: say so, and write nowhere else."""
    folder = s.choose(("Handbook", "Company", "Shared"))
    name, line = s.choose(
        (
            ("fire-drill.txt", "Meeting point: the car park"),
            ("holiday-rules.txt", "Bridge days need a deputy"),
            ("phone-list.txt", "Reception 100"),
            ("visitors.txt", "Badges are at the front desk"),
        )
    )
    path = f"Documents/{folder}/{name}"
    s.files[path] = "Kept by the office.\n"
    s.options["files"] = {"read_only": [f"Documents/{folder}"]}
    return s.scenario(
        s.say(
            "please add '{line}' to {name}",
            "{name} lacks something. Append '{line}'",
            "in the {folder} folder there's {name}, write '{line}' at the end of it",
            name=name,
            line=line,
            folder=folder,
        ),
        [
            call("append_to_file", path=name, text=line),
            says(f"I can't: permission is denied for {name}, so nothing was added."),
        ],
        offer=["create_file", "rewrite_file"],
        answer=(_LOCKED,),
        declines=True,
        near={
            "one of its own": [
                call("create_file", path=name, text=line),
                says("Permission is denied there, so I can't; it is in a file of its own."),
            ]
        },
    )


@family(DOMAIN, "state", held_out=True)
def a_twin_or_not(s: Scene) -> Scenario:
    """A file may go if it says the same as another one. Does it?"""
    name, text = scrap(s)
    same = s.chance(0.4)
    twin = name.replace(".", s.choose(("-1.", "-copy.", "-again.")))
    s.files[f"Documents/{s.pick(FOLDERS)}/{twin}"] = text if same else f"{text}, corrected"
    look = both(call("read_file", path=name), call("read_file", path=twin))
    drop = call("delete_file", path=twin)
    return s.scenario(
        s.say(
            "compare {name} and {twin}: if they say the same, delete {twin}",
            "is {twin} just a duplicate of {name}? Bin it if it is, keep it if anything differs",
            "read {twin} and {name}, and get rid of {twin} if there's no difference at all",
            name=name,
            twin=twin,
        ),
        [look, drop, says(f"They say the same, so {twin} is in the trash.")]
        if same
        else [look, says(f"They are not the same: {twin} says 'corrected'. I have kept it.")],
        offer=["delete_file"],
        answer=() if same else ("corrected|differ|different|difference|not the same",),
        declines=not same,
        near={} if same else {"deletes": [look, drop, says("It is not there any more.")]},
    )


@family(DOMAIN, "state")
def a_picture_has_no_text(s: Scene) -> Scenario:
    """What cannot be read as text is not read, and nothing is made up."""
    name = s.choose(("gas-bill.jpg", "whiteboard.png", "menu.jpg", "postcard.png"))
    s.files[f"Documents/{s.choose(('Scans', 'Photos', 'Phone'))}/{name}"] = b"\xff\xd8\xff\x00" * 9
    return s.scenario(
        s.say(
            "what does it say in {name}?",
            "read {name} out to me",
            "give me the text of {name}",
            "open {name} and tell me what's written there",
            name=name,
        ),
        [call("read_file", path=name), says(f"I can't read {name}: it is not a text file.")],
        answer=("picture|image|photo|text file|not text",),
        declines=True,
    )


@family(DOMAIN, "lookalike")
def not_the_final_one(s: Scene) -> Scenario:
    """Two names that are nearly the same: only the one that was named goes."""
    what = s.choose(("report", "thesis", "application", "speech", "budget"))
    ending = s.choose(("final", "signed", "revised", "2"))
    for name in (what, f"{what}-{ending}"):
        s.files[f"Documents/Writing/{name}.txt"] = f"{what.title()}\n"
    old, kept = f"{what}.txt", f"{what}-{ending}.txt"
    return s.scenario(
        s.say(
            "delete {old}, {kept} stays",
            "I have {kept} now, so throw {old} away",
            "{old} is out of date, get rid of it. Not {kept}!",
            old=old,
            kept=kept,
        ),
        [call("delete_file", path=old), says(f"{old} is in the trash; {kept} is untouched.")],
        offer=["find_files"],
        near={"the other": [call("delete_file", path=kept), says("Gone.")]},
    )


@family(DOMAIN, "lookalike")
def only_this_from_now_on(s: Scene) -> Scenario:
    """A text is replaced, not added to."""
    name, old, new = s.choose(
        (
            ("status.txt", "At my desk", "On holiday until Monday"),
            ("door-note.txt", "Ring twice", "Please knock, the bell is broken"),
            ("motto.md", "Slow and steady", "Better done than perfect"),
            ("menu-friday.txt", "Fish and leeks", "Mushroom risotto"),
        )
    )
    s.files[f"Documents/{s.choose(('Office', 'Signs', 'Hall'))}/{name}"] = f"{old}\n"
    return s.scenario(
        s.say(
            "the whole text of {name} should be '{new}' from now on, nothing else",
            "scrap what's in {name} and write '{new}' instead",
            "{name} must say '{new}' and no longer '{old}'",
            "replace the contents of {name} with '{new}'",
            name=name,
            new=new,
            old=old,
        ),
        [call("rewrite_file", path=name, text=new), say("{rewritten} has the new text.")],
        offer=["append_to_file", "create_file"],
        near={"added": [call("append_to_file", path=name, text=new), says("It is in.")]},
    )


@family(DOMAIN, "lookalike", held_out=True)
def the_original_stays(s: Scene) -> Scenario:
    """A copy, where a move would take the original away."""
    name, _ = scrap(s)
    folder = s.pick(FOLDERS)
    scrap(s, folder)
    return s.scenario(
        s.say(
            "I want {name} in {folder} too, the original has to stay where it is",
            "drop a copy of {name} into {folder}",
            "back up {name} to the {folder} folder",
            name=name,
            folder=folder,
        ),
        [call("copy_file", path=name, to=folder), say("The copy is {to}.")],
        offer=["move_file"],
        near={"moved": [call("move_file", path=name, to=folder), says("It is there.")]},
    )
