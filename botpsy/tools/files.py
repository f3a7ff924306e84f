"""Tools for files and folders inside the user's roots.

Names of files may come from others (downloads, attachments), so listings are untrusted output, and
so is all that names an existing file, errors ("Did you mean ...?") included. A destination is where
something is written; the file that is read, moved or deleted is none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import BeforeValidator, ValidationInfo, WithJsonSchema

from botpsy.chat.types import JsonObject
from botpsy.errors import ToolError
from botpsy.services.base import Ref
from botpsy.services.files import Entry, paths
from botpsy.services.text import hidden_note
from botpsy.tools.base import Context, ToolDef, tool
from botpsy.tools.values import context_of

_LISTED = 50
_BYTES_READ = 8000


def _existing(words: str, context: Context, _: ValidationInfo) -> str:
    return paths.locate(context.services.files, words).path


def _folder(words: str, context: Context, _: ValidationInfo) -> str:
    entry = paths.locate(context.services.files, words)
    if entry.kind != "folder":
        raise ToolError(f"{paths.label(entry.path, context.services.files.roots)} is no folder.")
    return entry.path


def _new(words: str, context: Context, _: ValidationInfo) -> str:
    return paths.place(context.services.files, words)


def _target(words: str, context: Context, info: ValidationInfo) -> str:
    """Into an existing folder; else to a new path; else, for a bare name, in the same folder.

    A file keeps an ending: what has none is taken for a folder, and that is not there.
    """
    files = context.services.files
    source = info.data.get("path", "")
    folder, _, name = source.rpartition("/")
    try:
        found = paths.locate(files, words)
    except ToolError:
        found = None
    if found is not None and found.kind == "folder" and found.path != source:
        return f"{found.path}/{name}"
    target = paths.place(files, words if "/" in words.strip("/") else f"{folder}/{words.strip()}")
    ending = name.rpartition(".")[1:]
    entry = files.entry(source)
    if all(ending) and entry and entry.kind == "file" and "." not in paths.name_of(target):
        raise ToolError(
            f"There is no folder {paths.label(target, files.roots)}.",
            hint="Make it first (make_folder); to rename the file, give its whole new name, "
            f"like {paths.name_of(target)}{''.join(ending)}.",
        )
    return target


def _value(resolve: Callable[[str, Context, ValidationInfo], str]) -> BeforeValidator:
    def validate(value: Any, info: ValidationInfo) -> str:
        if not isinstance(value, str):
            raise ToolError(f"A file must be named in words, not {value!r}.")
        return resolve(value, context_of(info), info)

    return BeforeValidator(validate)


_STRING = WithJsonSchema({"type": "string"})
FilePath = Annotated[str, _value(_existing), _STRING]
"""An existing file or folder, resolved to its absolute path inside the roots."""
FolderPath = Annotated[str, _value(_folder), _STRING]
"""An existing folder."""
NewPath = Annotated[str, _value(_new), _STRING]
"""Where something new is to be; its folder exists."""
TargetPath = Annotated[str, _value(_target), _STRING]
"""Where ``path`` is to go: a folder, a new path, or a new name."""


def _refs(*names: str) -> Callable[[Context, Any], list[Ref]]:
    return lambda _, values: [Ref("files", values[name]) for name in names]


def _label(path: str, ctx: Context) -> str:
    return paths.label(path, ctx.services.files.roots)


def _shown(entries: list[Entry], ctx: Context) -> JsonObject:
    shown: list[JsonObject] = []
    for entry in entries[:_LISTED]:
        line: JsonObject = {"path": _label(entry.path, ctx)}
        if entry.kind != "file":
            line["kind"] = entry.kind
        else:
            line["bytes"] = entry.size
        if entry.modified is not None and entry.kind == "file":
            line["changed"] = entry.modified.astimezone(ctx.clock.tz).strftime("%Y-%m-%d %H:%M")
        shown.append(line)
    result: JsonObject = {"files": list(shown)}
    if len(entries) > _LISTED:
        result["note"] = f"{len(entries)} in all; the first {_LISTED} are listed."
    return result


@tool(
    service="files",
    untrusted_output=True,
    domain="files",
    examples=(
        "what's in my documents folder",
        "list the files in Downloads",
        "Show me everything inside the Taxes folder",
        "which files do I have",
        "what did I put in the folder called recipes",
    ),
)
def list_files(
    ctx: Context, folder: Annotated[FolderPath | None, "Which folder; all if left out"] = None
) -> JsonObject:
    """List the files in a folder."""
    files = ctx.services.files
    if folder is not None:
        return _shown(files.entries(folder), ctx)
    if len(files.roots) == 1:
        return _shown(files.entries(files.roots[0]), ctx)
    return {"folders": [_label(root, ctx) for root in files.roots]}


@tool(
    service="files",
    untrusted_output=True,
    domain="files",
    examples=(
        "where is my CV file",
        "find all pdf files",
        "Search for the spreadsheet called budget",
        "do I have a file named invoice",
        "locate the photo from Rome on my computer",
        "look for files with contract in the name",
    ),
)
def find_files(
    ctx: Context, name: Annotated[str, "Words of the file name, or a pattern like *.pdf"]
) -> JsonObject:
    """Find files by their name, in all folders."""
    if not name.strip():
        raise ToolError("Say what the file is called.")
    return _shown(paths.find(ctx.services.files, name.strip()), ctx)


@tool(
    service="files",
    untrusted_output=True,
    domain="files",
    examples=(
        "open the file packing.txt and read it to me",
        "what does readme.md say",
        "Show the contents of todo.txt in Documents",
        "read me the text file about the lease",
        "display the file meeting-minutes",
    ),
)
def read_file(ctx: Context, path: Annotated[FilePath, "File name or path"]) -> JsonObject:
    """Read the text of a file."""
    content = ctx.services.files.read(path, _BYTES_READ)
    result: JsonObject = {"path": _label(path, ctx), "text": content.text}
    if content.left_out:
        result["left_out"] = f"{content.left_out} of {content.size} bytes"
    notes = []
    if not content.exact:
        notes.append("The file is not UTF-8; some characters may be wrong.")
    if note := hidden_note(content.text):
        notes.append(f"The text has {note}")
    if notes:
        result["notes"] = list(notes)
    return result


@tool(
    effect="write",
    service="files",
    destinations=("path",),
    undo=_refs("path"),
    domain="files",
    examples=(
        "create a file called ideas.txt with the text try bouldering",
        "make a new text file named guestlist in Documents",
        "Save this as poem.txt: roses are red",
        "write a file greeting.md saying hello world",
        "put that into a new file summary.txt",
    ),
)
def create_file(
    ctx: Context,
    path: Annotated[NewPath, "New file name, like letter.txt or Work/plan.txt"],
    text: Annotated[str, "What it contains"] = "",
) -> JsonObject:
    """Create a new text file. Does not touch a file that exists."""
    ctx.services.files.create(path, text)
    return {"created": _label(path, ctx)}


@tool(
    effect="write",
    service="files",
    untrusted_output=True,
    destinations=("path",),
    undo=_refs("path"),
    domain="files",
    examples=(
        "add a line to log.txt saying watered the plants",
        "append buy stamps to the file errands.txt",
        "Write 'paid' at the end of invoices.md",
        "add Friday's numbers to the file sales.csv",
        "put another line in journal.txt: slept well",
    ),
)
def append_to_file(
    ctx: Context,
    path: Annotated[FilePath, "File name or path"],
    text: Annotated[str, "Text to add at the end"],
) -> JsonObject:
    """Add text at the end of an existing file."""
    ctx.services.files.append(path, text, ctx.action_id)
    return {"added_to": _label(path, ctx)}


@tool(
    effect="write",
    service="files",
    untrusted_output=True,
    destinations=("path",),
    undo=_refs("path"),
    domain="files",
    examples=(
        "replace everything in status.txt with: on holiday",
        "overwrite the file draft.md with this new version",
        "change the contents of motd.txt to welcome back",
        "rewrite agenda.txt so it only says cancelled",
        "set the text of the file sign.txt to closed",
    ),
)
def rewrite_file(
    ctx: Context,
    path: Annotated[FilePath, "File name or path"],
    text: Annotated[str, "The whole new text"],
) -> JsonObject:
    """Replace the whole text of an existing file."""
    ctx.services.files.replace(path, text)
    return {"rewritten": _label(path, ctx)}


@tool(
    effect="write",
    service="files",
    untrusted_output=True,
    destinations=("to",),
    undo=_refs("path", "to"),
    domain="files",
    examples=(
        "move contract.pdf to the Archive folder",
        "rename draft.txt to final.txt",
        "Put the photo from Downloads into Pictures",
        "shift the folder 2025 into Old",
        "give the file scan001.pdf the name passport.pdf",
    ),
)
def move_file(
    ctx: Context,
    path: Annotated[FilePath, "File or folder to move"],
    to: Annotated[TargetPath, "Folder to move it to, or its new name"],
) -> JsonObject:
    """Move or rename a file or folder."""
    ctx.services.files.move(path, to)
    return {"moved": _label(path, ctx), "to": _label(to, ctx)}


@tool(
    effect="write",
    service="files",
    untrusted_output=True,
    destinations=("to",),
    undo=_refs("to"),
    domain="files",
    examples=(
        "copy budget.csv to the Backup folder",
        "make a copy of letter.txt called letter-old.txt",
        "Duplicate the file plan.md as plan2.md",
        "put a copy of my CV in Downloads",
        "back up the folder Recipes to Backup",
    ),
)
def copy_file(
    ctx: Context,
    path: Annotated[FilePath, "File or folder to copy"],
    to: Annotated[TargetPath, "Folder for the copy, or the copy's name"],
) -> JsonObject:
    """Copy a file or folder."""
    ctx.services.files.copy(path, to)
    return {"copied": _label(path, ctx), "to": _label(to, ctx)}


@tool(
    effect="write",
    service="files",
    untrusted_output=True,
    undo=_refs("path"),
    domain="files",
    examples=(
        "delete old-notes.txt from Documents",
        "throw away the file setup.exe in Downloads",
        "Remove the folder Temp",
        "trash the duplicate photo file",
        "get rid of the pdf called flyer",
    ),
)
def delete_file(ctx: Context, path: Annotated[FilePath, "File or folder to delete"]) -> JsonObject:
    """Move a file or folder to the trash."""
    ctx.services.files.delete(path)
    return {"moved_to_trash": _label(path, ctx)}


@tool(
    effect="write",
    service="files",
    destinations=("path",),
    undo=_refs("path"),
    domain="files",
    examples=(
        "make a folder called Holiday",
        "create a new directory Receipts in Documents",
        "I need a folder for the wedding photos",
        "Set up a subfolder named 2027 inside Taxes",
        "new folder: Projects",
    ),
)
def make_folder(
    ctx: Context, path: Annotated[NewPath, "New folder name, like Holiday or Work/2027"]
) -> JsonObject:
    """Make a new folder."""
    ctx.services.files.make_folder(path)
    return {"folder": _label(path, ctx)}


TOOLS: tuple[ToolDef, ...] = (
    list_files,
    find_files,
    read_file,
    create_file,
    append_to_file,
    rewrite_file,
    move_file,
    copy_file,
    delete_file,
    make_folder,
)
