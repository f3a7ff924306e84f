"""Tools for notes and for lists (shopping, to do, packing)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Any

from pydantic import BeforeValidator, ValidationInfo, WithJsonSchema

from botpsy.chat.types import JsonObject
from botpsy.errors import ToolError
from botpsy.services.base import Ref
from botpsy.services.notes import DocumentKind, clean_name, key_of, markdown
from botpsy.services.text import one_line
from botpsy.tools.base import Context, ToolDef, tool
from botpsy.tools.values import context_of

_TEXT_SHOWN = 4000
_LISTED = 30
_FILLERS = frozenset(["a", "an", "called", "list", "lists", "my", "named", "note", "of", "our",
                      "the"])  # fmt: skip


def _words(words: str) -> list[str]:
    """The telling words in their plainest form: "the groceries list" is "grocery"."""
    words = re.sub(r"(?<=\w)-(?=\w)|['’]s\b", "", words.casefold())
    parts = [part for part in re.findall(r"\w+", words) if part not in _FILLERS]
    return [re.sub(r"ies$", "y", part) if len(part) > 4 else part for part in parts]


def _stem(words: str) -> str:
    return "".join(word.rstrip("s") if len(word) > 3 else word for word in _words(words))


def _find(kind: DocumentKind, words: str, context: Context) -> str | None:
    """The one document that is meant; None when there is none.

    Raises:
        ToolError: several are.
    """
    names = context.services.notes.names(kind)
    exact = [name for name in names if name.casefold() == one_line(words).casefold()]
    stem = _stem(words)
    same = exact or [name for name in names if stem and _stem(name) == stem]
    if not same and not stem and len(names) == 1:
        return names[0]  # "my list", and there is but one
    wanted = set(_words(words))
    found = same or [name for name in names if wanted and wanted <= set(_words(name))]
    if len(found) > 1:
        raise ToolError(f"Several {kind}s fit {words!r}: {', '.join(found)}.", hint="Which one?")
    return found[0] if found else None


def _existing(kind: DocumentKind) -> BeforeValidator:
    def validate(value: Any, info: ValidationInfo) -> str:
        if not isinstance(value, str) or not value.strip():
            raise ToolError(f"A {kind} must be named in words, not {value!r}.")
        context = context_of(info)
        found = _find(kind, value, context)
        if found is None:
            have = ", ".join(context.services.notes.names(kind)[:_LISTED])
            hint = f"There are: {have}." if have else f"There are no {kind}s yet."
            raise ToolError(f"There is no {kind} called {one_line(value)!r}.", hint=hint)
        return found

    return BeforeValidator(validate)


def _list_name(value: Any, info: ValidationInfo) -> str:
    """An existing list, or the name for a new one."""
    if not isinstance(value, str) or not value.strip():
        raise ToolError(f"A list must be named in words, not {value!r}.")
    found = _find("list", value, context_of(info))
    if found is not None:
        return found
    name = re.sub(r"(?i)^(?:my|the|a|our)\s+|\s+lists?$", "", one_line(value))
    if not _words(name):
        raise ToolError("The list has no name.", hint="Ask the user which list.")
    return clean_name(name)


def _entries(value: Any) -> list[str]:
    parts = re.split(r"[,;\n]", value) if isinstance(value, str) else value
    if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
        raise ToolError("Items must be a list of texts.")
    items = [one_line(part) for part in parts if part.strip()]
    return list(dict.fromkeys(items))


_STRING = WithJsonSchema({"type": "string"})
NoteRef = Annotated[str, _existing("note"), _STRING]
"""An existing note, by title."""
ListRef = Annotated[str, _existing("list"), _STRING]
"""An existing list, by name."""
ListName = Annotated[str, BeforeValidator(_list_name), _STRING]
"""An existing list, or the name of a new one."""
Title = Annotated[str, BeforeValidator(lambda value: clean_name(str(value))), _STRING]
"""A name that is free to be used."""
Entries = Annotated[
    list[str],
    BeforeValidator(_entries),
    WithJsonSchema({"type": "array", "items": {"type": "string"}}),
]


def _ref(kind: DocumentKind, parameter: str) -> Callable[[Context, Any], list[Ref]]:
    return lambda _, values: [Ref("notes", key_of(kind, values[parameter]))]


def _text(kind: DocumentKind, name: str, ctx: Context) -> str:
    text = ctx.services.notes.text(kind, name)
    if text is None:
        raise ToolError(f"There is no {kind} called {name}.")
    return text


@tool(
    effect="write",
    service="notes",
    undo=_ref("note", "title"),
    domain="notes",
    examples=(
        "make a note: the wifi code is tulip42",
        "Note down that the boiler man comes on Tuesdays",
        "take a note called gift ideas: a kite, a telescope",
        "write a note about today's meeting, we agreed on blue",
        "take a note: the alarm code is four zeros",
        "make a note that the gate password is sesame",
        "jot this down, I parked on level three",
        "start a new note titled book quotes",
    ),
)
def create_note(
    ctx: Context,
    title: Annotated[Title, "Short title"],
    text: Annotated[str, "What the note says"] = "",
) -> JsonObject:
    """Write a new note."""
    ctx.services.notes.create("note", title, markdown.titled(title, text))
    return {"created": title}


@tool(
    service="notes",
    domain="notes",
    examples=(
        "which notes do I have",
        "find my note about the boiler",
        "Search my notes for wifi",
        "did I write down anything on Lisbon",
        "show all my notes",
    ),
)
def find_notes(
    ctx: Context,
    query: Annotated[str | None, "Words to look for; all notes if left out"] = None,
) -> JsonObject:
    """List notes, or search in them."""
    notes = ctx.services.notes
    found: list[JsonObject] = []
    for name in notes.names("note"):
        text = markdown.body(name, notes.text("note", name) or "")
        haystack = f"{name} {text}".casefold()
        if all(word in haystack for word in (query or "").casefold().split()):
            found.append({"title": name, "begins": one_line(text)[:80]})
    result: JsonObject = {"notes": list(found[:_LISTED])}
    if len(found) > _LISTED:
        result["note"] = f"{len(found)} in all; the first {_LISTED} are listed."
    return result


@tool(
    service="notes",
    domain="notes",
    examples=(
        "read my note on gift ideas",
        "what does the note about the boiler say",
        "Open the note book quotes",
        "show me what I noted on the meeting",
        "read out my wifi note",
    ),
)
def read_note(ctx: Context, note: Annotated[NoteRef, "Title of the note"]) -> JsonObject:
    """Read one note."""
    text = markdown.body(note, _text("note", note, ctx))
    result: JsonObject = {"title": note, "text": text[:_TEXT_SHOWN]}
    if len(text) > _TEXT_SHOWN:
        result["left_out"] = f"{len(text) - _TEXT_SHOWN} more characters"
    return result


@tool(
    effect="write",
    service="notes",
    undo=_ref("note", "note"),
    domain="notes",
    examples=(
        "add to my gift ideas note: a chess set",
        "put one more line in the meeting note, Tom does the slides",
        "Write in my boiler note that it was fixed in May",
        "extend the note book quotes with: still waters run deep",
        "also note under Lisbon that the hotel is near the river",
    ),
)
def append_to_note(
    ctx: Context,
    note: Annotated[NoteRef, "Title of the note"],
    text: Annotated[str, "Text to add"],
) -> JsonObject:
    """Add text to an existing note."""
    action = f"{ctx.action_id} {note} {text}"
    ctx.services.notes.change("note", note, lambda old: markdown.added(old, text), action)
    return {"added_to": note}


@tool(
    effect="write",
    service="notes",
    undo=_ref("note", "note"),
    domain="notes",
    examples=(
        "delete the note about the boiler",
        "remove my wifi note",
        "throw the meeting note away",
        "I don't need the note gift ideas any longer",
        "Erase the note book quotes",
    ),
)
def delete_note(ctx: Context, note: Annotated[NoteRef, "Title of the note"]) -> JsonObject:
    """Delete a whole note."""
    ctx.services.notes.delete("note", note)
    return {"deleted": note}


@tool(
    effect="write",
    service="notes",
    undo=_ref("list", "list"),
    domain="notes",
    examples=(
        "put oat milk and eggs on the shopping list",
        "Add call the vet to my to-do list",
        "we need toilet paper, write it on the groceries",
        "start a new list called camping gear",
        "add sunscreen to the packing list",
        "create a list for the party with balloons and candles",
        "remember batteries on my hardware store list",
        "pick up the parcel, put that on my to-dos",
        "include honey",
    ),
)
def add_to_list(
    ctx: Context,
    list: Annotated[ListName, "Name of the list, like shopping"],
    items: Annotated[Entries, "Items to add; may be empty for a new list"] = [],  # noqa: B006
) -> JsonObject:
    """Add items to a list (shopping, to do, ...). Makes the list if it is new."""
    notes = ctx.services.notes
    is_new = notes.text("list", list) is None
    if is_new:
        notes.create("list", list, markdown.with_items(markdown.titled(list), items))
        return {"new_list": list, "items": [*items]}
    before = {item.text.casefold() for item in markdown.items(_text("list", list, ctx))}
    notes.change("list", list, lambda old: markdown.with_items(old, items))
    result: JsonObject = {"list": list, "added": [i for i in items if i.casefold() not in before]}
    if there := [item for item in items if item.casefold() in before]:
        result["already_there"] = [*there]
    return result


@tool(
    service="notes",
    domain="notes",
    examples=(
        "what's on my shopping list",
        "Read me the to-do list",
        "show the packing list",
        "is there milk on the groceries",
        "which lists have I got",
        "what do I still have to buy",
    ),
)
def show_list(
    ctx: Context,
    list: Annotated[ListRef | None, "Name of the list; leave out to see which lists exist"] = None,
) -> JsonObject:
    """Show what is on a list, or which lists there are."""
    if list is None:
        return {"lists": [*ctx.services.notes.names("list")]}
    items = markdown.items(_text("list", list, ctx))
    result: JsonObject = {"list": list, "items": [item.text for item in items if not item.done]}
    if done := [item.text for item in items if item.done]:
        result["done"] = [*done]
    return result


@tool(
    effect="write",
    service="notes",
    undo=_ref("list", "list"),
    domain="notes",
    examples=(
        "take eggs off the shopping list",
        "Remove call the vet from my to-do list",
        "cross sunscreen off the packing list",
        "I bought the milk, strike it from the groceries",
        "delete balloons from the party list",
        "take that off",
        "scratch the milk",
    ),
)
def remove_from_list(
    ctx: Context,
    list: Annotated[ListRef, "Name of the list"],
    item: Annotated[str, "Item to take off"],
) -> JsonObject:
    """Take one item off a list."""
    removed = ""

    def edit(old: str) -> str:
        nonlocal removed
        document, removed = markdown.without_item(old, item)
        return document

    ctx.services.notes.change("list", list, edit)
    return {"list": list, "removed": removed}


@tool(
    effect="write",
    service="notes",
    undo=_ref("list", "list"),
    domain="notes",
    examples=(
        "delete the party list",
        "throw away my whole packing list",
        "Get rid of the list called camping gear",
        "erase the old shopping list completely",
        "I no longer need the hardware store list",
    ),
)
def delete_list(ctx: Context, list: Annotated[ListRef, "Name of the list"]) -> JsonObject:
    """Delete a whole list with everything on it."""
    ctx.services.notes.delete("list", list)
    return {"deleted": list}


TOOLS: tuple[ToolDef, ...] = (
    create_note,
    find_notes,
    read_note,
    append_to_note,
    delete_note,
    add_to_list,
    show_list,
    remove_from_list,
    delete_list,
)
