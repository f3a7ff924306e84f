"""Mail in a Maildir on disk, which mail programs and fetchers share.

The inbox is the Maildir itself, or its ``INBOX`` folder; the other folders are Maildir++ folders
(``.Drafts``) or plain ones (``Drafts``), whichever is there. A mail's id is its unique file name,
which stays through moves and flag changes. Nothing leaves the machine: what is sent is put into
the Outbox, for a program with an account to deliver.

Source: Maildir (cr.yp.to/proto/maildir.html), Maildir++ (Courier).
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from pathlib import Path
from typing import Any

from botpsy.errors import ServiceError, ToolError
from botpsy.services.mail import (
    FOLDERS,
    Folder,
    Mail,
    Mailbox,
    Outgoing,
    Status,
    handle_of,
    matches,
)
from botpsy.services.mail.parse import READ_AT_MOST, parse
from botpsy.services.storage import encoded, explained, sync_folder

_TEXT_INDEXED = 4000
_OURS: tuple[Folder, ...] = ("drafts", "outbox")


@dataclass(frozen=True, slots=True)
class _File:
    """Where a mail lies: ``base`` is the folder's path, ``part`` is ``new`` or ``cur``."""

    folder: Folder
    base: Path
    part: str
    name: str

    @property
    def id(self) -> str:
        return self.name.partition(":")[0]

    @property
    def unread(self) -> bool:
        return "S" not in self.name.partition(":2,")[2]

    @property
    def place(self) -> str:
        return f"{self.part}/{self.name}"

    @property
    def path(self) -> Path:
        return self.base / self.place


class LocalMail:
    """A ``MailService`` over one Maildir."""

    def __init__(self, root: Path, me: Mailbox = Mailbox("", "me@localhost")) -> None:
        self._root = root
        self._me = me
        self._index: dict[str, Mail] = {}

    def search(
        self,
        words: str = "",
        senders: Collection[str] = (),
        unread: bool = False,
        folders: Sequence[Folder] = ("inbox",),
        limit: int = 20,
    ) -> list[Mail]:
        files = [file for folder in folders for file in self._files(folder)]
        found: list[Mail] = []
        for file in sorted(files, key=_arrived, reverse=True):
            if unread and not file.unread:
                continue
            mail = self._summary(file)
            if mail and matches(mail, words, senders, unread):
                found.append(mail)
                if len(found) == limit:
                    break
        return found

    def get(self, handle: str) -> Mail:
        files = [f for folder in FOLDERS for f in self._files(folder) if handle_of(f.id) == handle]
        if len(files) != 1:
            raise ToolError(f"There is no single mail {handle!r}.", hint="Search for it first.")
        with explained("The mail cannot be read"):
            return self._read(files[0])

    def draft(self, mail: Outgoing, id: str) -> None:
        self._write(mail, id, "drafts", "DS")

    def send(self, mail: Outgoing, id: str) -> Status:
        self._write(mail, id, "outbox", "S")
        return "queued"

    def move(self, id: str, folder: Folder) -> None:
        file = self._file(id)
        if file is None:
            raise ServiceError("The mail is not there any more.")
        self._rename(file, folder, file.place)

    def snapshot(self, key: str) -> str | None:
        file = self._file(key)
        if file is None:
            return None
        state = {"folder": file.folder, "place": file.place}
        if file.folder in _OURS:
            # These we remove ourselves on undo, so they are kept whole.
            with explained("The mail cannot be read"):
                state["raw"] = file.path.read_bytes().decode("utf-8", "surrogateescape")
        return json.dumps(state)

    def restore(self, key: str, state: str | None) -> None:
        file = self._file(key)
        if state is None:
            if file is not None:
                self._remove(file)
            return
        wanted = json.loads(state)
        if file is not None:
            self._rename(file, wanted["folder"], wanted["place"])
        elif "raw" in wanted:
            data = wanted["raw"].encode("utf-8", "surrogateescape")
            self._store(data, wanted["folder"], wanted["place"])
        else:
            raise ServiceError("The mail was deleted for good by another program.")

    def dump(self) -> dict[str, Any]:
        return {
            file.id: {
                "folder": file.folder,
                "place": file.place,
                "raw": file.path.read_bytes().decode("utf-8", "backslashreplace"),
            }
            for folder in FOLDERS
            for file in self._files(folder)
        }

    def _path(self, folder: Folder) -> Path:
        if folder == "inbox":
            inbox = self._root / "INBOX"
            return inbox if (inbox / "cur").is_dir() else self._root
        name = folder.title()
        plain = self._root / name
        return plain if (plain / "cur").is_dir() else self._root / f".{name}"

    def _files(self, folder: Folder) -> Iterator[_File]:
        base = self._path(folder)
        for part in ("new", "cur"):
            with explained(f"The mail folder {folder} cannot be read"):
                try:
                    with os.scandir(base / part) as entries:
                        names = [e.name for e in entries if e.is_file(follow_symlinks=False)]
                except FileNotFoundError:
                    continue
            yield from (_File(folder, base, part, n) for n in names if not n.startswith("."))

    def _file(self, id: str) -> _File | None:
        return next((f for folder in FOLDERS for f in self._files(folder) if f.id == id), None)

    def _read(self, file: _File) -> Mail:
        with file.path.open("rb") as stream:
            data = stream.read(READ_AT_MOST)
            size = os.fstat(stream.fileno()).st_size
        return parse(data, file.id, file.folder, file.unread, size)

    def _summary(self, file: _File) -> Mail | None:
        """The mail with its text cut; a file's content never changes, so it is read once."""
        mail = self._index.get(file.id)
        if mail is None:
            try:
                mail = self._read(file)
            except OSError:  # moved or deleted by another program since it was listed
                return None
            mail = replace(mail, text=mail.text[:_TEXT_INDEXED])
            self._index[file.id] = mail
        return replace(mail, folder=file.folder, unread=file.unread)

    def _write(self, mail: Outgoing, id: str, folder: Folder, flags: str) -> None:
        if self._file(id) is None:
            self._store(self._compose(mail, id), folder, f"cur/{id}:2,{flags}")

    def _compose(self, mail: Outgoing, id: str) -> bytes:
        message = EmailMessage(policy=SMTP)
        message["From"] = _address(self._me)
        message["To"] = [_address(person) for person in mail.to]
        if mail.cc:
            message["Cc"] = [_address(person) for person in mail.cc]
        message["Subject"] = mail.subject
        message["Date"] = format_datetime(mail.at)
        message["Message-ID"] = f"<{id}@botpsy.invalid>"
        if mail.answers and mail.answers.message_id.isascii() and mail.answers.message_id:
            message["In-Reply-To"] = mail.answers.message_id
            message["References"] = mail.references
        message.set_content(encoded(mail.text).decode(), charset="utf-8")
        return message.as_bytes()

    def _store(self, data: bytes, folder: Folder, place: str) -> None:
        """Write into ``tmp``, sync, then rename: no reader sees half a mail."""
        with explained("The mail cannot be written"):
            base = self._made(folder)
            temporary = base / "tmp" / f"{secrets.token_hex(8)}.botpsy"
            try:
                with temporary.open("xb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                temporary.rename(base / place)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
            sync_folder((base / place).parent)

    def _rename(self, file: _File, folder: Folder, place: str) -> None:
        with explained("The mail cannot be moved"):
            target = self._made(folder) / place
            if target != file.path:
                file.path.rename(target)
                sync_folder(target.parent)

    def _remove(self, file: _File) -> None:
        """Only what we made comes here: a draft or a mail still waiting."""
        if file.folder not in (*_OURS, "trash"):
            raise ServiceError("The mail has been sent already.")
        with explained("The mail cannot be removed"):
            try:
                file.path.unlink()
            except FileNotFoundError:
                raise ServiceError("The mail has been sent already.") from None

    def _made(self, folder: Folder) -> Path:
        base = self._path(folder)
        for part in ("tmp", "new", "cur"):
            (base / part).mkdir(parents=True, exist_ok=True, mode=0o700)
        if base.name.startswith("."):
            (base / "maildirfolder").touch()
        return base


def _arrived(file: _File) -> tuple[float, str]:
    """Delivery time: Maildir names begin with it; else the file's own time."""
    stamp = file.id.partition(".")[0]
    if stamp.isdigit() and len(stamp) <= 12:
        return float(stamp), file.id
    try:
        return file.path.stat().st_mtime, file.id
    except OSError:
        return 0.0, file.id


def _address(person: Mailbox) -> Address:
    try:
        return Address(person.name, addr_spec=person.address)
    except (ValueError, IndexError) as error:
        raise ToolError(f"{person} cannot be written into a mail: {error}.") from None
