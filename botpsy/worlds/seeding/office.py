"""People, calendar, reminders, mail, messages, notes, lists and files."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from botpsy.services.calendar import Event
from botpsy.services.calendar.memory import MemoryCalendar
from botpsy.services.contacts import Contact
from botpsy.services.contacts.memory import MemoryContacts
from botpsy.services.documents.memory import MemoryDocuments
from botpsy.services.files.memory import MemoryFiles
from botpsy.services.mail import Mail
from botpsy.services.mail.memory import MemoryMail
from botpsy.services.messages import TextMessage
from botpsy.services.messages.memory import MemoryMessages
from botpsy.services.notes.memory import MemoryNotes
from botpsy.services.reminders import Reminder
from botpsy.services.reminders.memory import MemoryReminders
from botpsy.worlds.people import first_name
from botpsy.worlds.phrases import some_moment
from botpsy.worlds.seeding import pools

if TYPE_CHECKING:
    from botpsy.worlds.scene import Scene

_WHOLE = (0, 30)
"""How much there is besides what a family puts in."""
EVENTS, PEOPLE, MAILS, MESSAGES = 4, 5, 3, 3


class _Texts:
    """The files' texts as they are now, for document search."""

    def __init__(self, files: MemoryFiles) -> None:
        self._files = files

    def __call__(self) -> Mapping[str, str]:
        return {path: text for path, text in self._files.dump().items() if text is not None}


def services(scene: Scene) -> dict[str, Any]:
    """The eight services of an office."""
    people = _people(scene)
    _background(scene, people)
    records = scene.records
    files = MemoryFiles(_files(scene), **scene.options["files"])
    notes, lists = _notes(scene)
    account = {"account": scene.connected}
    return {
        "contacts": MemoryContacts(records[Contact]),
        "calendar": MemoryCalendar(scene.clock.tz, records[Event]),
        "reminders": MemoryReminders(records[Reminder]),
        "mail": MemoryMail(records[Mail], scene.me, **{**account, **scene.options["mail"]}),
        "messages": MemoryMessages(records[TextMessage], **account),
        "notes": MemoryNotes(notes, lists),
        "files": files,
        "documents": MemoryDocuments(_Texts(files)),
    }


def _people(scene: Scene) -> list[Contact]:
    """Background people; the family's own do not write or meet by chance."""
    if scene.is_bare("contacts"):
        return [scene.stranger() for _ in range(2)]
    return [scene.person() for _ in range(PEOPLE)]


def _background(scene: Scene, people: list[Contact]) -> None:
    if not scene.is_bare("calendar"):
        for _ in range(EVENTS):
            at = some_moment(scene.rng, scene.clock, (1, 14), (8, 19), _WHOLE)
            if scene.free(at):
                pool = scene.choose((pools.APPOINTMENTS, pools.MEETINGS, pools.LEISURE))
                place = scene.pick(pools.PLACES) if scene.chance(0.4) else ""
                scene.event(scene.pick(pool), at, scene.choose((30, 60)), location=place)
    if not scene.is_bare("reminders"):
        at = some_moment(scene.rng, scene.clock, (1, 6), (8, 20), _WHOLE)
        if scene.free(at):
            scene.ringing("reminder", scene.pick(pools.CHORES), at)
    if not scene.is_bare("mail"):
        for n in range(MAILS):
            sender = scene.choose(people)
            subject, text = scene.pick(pools.MAILS)
            names = {"name": first_name(sender), "me": scene.me.name.split()[0]}
            ago = timedelta(hours=7 + 20 * n + scene.rng.randint(0, 9))
            scene.mail(sender, subject, text.format(**names), ago=ago, unread=scene.chance(0.4))
    if not scene.is_bare("messages"):
        for n in range(MESSAGES):
            ago = timedelta(minutes=95 + 600 * n + scene.rng.randint(0, 300))
            other = scene.choose(people)
            scene.message(other, scene.pick(pools.MESSAGES), ago=ago, mine=scene.chance(0.3))


def _notes(scene: Scene) -> tuple[dict[str, str], dict[str, list[str]]]:
    notes, lists = dict(scene.notes), {name: list(items) for name, items in scene.lists.items()}
    if scene.is_bare("notes"):
        return notes, lists
    for _ in range(2):
        title, text = scene.pick(pools.NOTES)
        notes.setdefault(title, text)
    if not scene.lists:
        lists["Groceries"] = [scene.pick(pools.GROCERIES) for _ in range(3)]
        lists["Packing"] = [scene.pick(pools.PACKING) for _ in range(2)]
    return notes, lists


def _files(scene: Scene) -> dict[str, str | bytes | None]:
    files = dict(scene.files)
    if not scene.is_bare("files"):
        for _ in range(3):
            path, text = scene.pick(pools.FILES)
            files.setdefault(path, text)
    return files
