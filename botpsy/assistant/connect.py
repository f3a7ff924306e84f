"""The services of one home: local files, and what ``config.toml`` connects."""

from __future__ import annotations

from pathlib import Path

from botpsy.assistant.config import secret
from botpsy.assistant.home import Home
from botpsy.clock import Clock
from botpsy.errors import ConfigError
from botpsy.services.bundle import Services


def connect(home: Home, clock: Clock) -> Services:
    """Open every service that this home has. Nothing is contacted or created by this.

    Raises:
        ConfigError: a folder in config.toml does not exist, or a secret is missing.
    """
    from botpsy.services.calendar.ics import IcsCalendar
    from botpsy.services.contacts.local import LocalContacts
    from botpsy.services.device.memory import LocalDevice
    from botpsy.services.documents.folders import FolderDocuments
    from botpsy.services.files.local import LocalFiles
    from botpsy.services.mail.local import LocalMail
    from botpsy.services.messages.local import LocalMessages
    from botpsy.services.notes.local import LocalNotes
    from botpsy.services.reminders.local import LocalReminders

    path, config = home.path, home.config
    roots = _folders(config.files.roots, "files.roots") or [_own(path / "files")]
    folders = _folders(config.documents.folders, "documents.folders") or roots
    services: dict[str, object] = {
        "calendar": IcsCalendar(path / "calendar.ics", clock.tz, clock.now),
        "contacts": LocalContacts(path / "contacts.vcf"),
        "device": LocalDevice(path / "device.json"),
        "documents": FolderDocuments(folders, path / "documents.sqlite"),
        "files": LocalFiles(roots, path / "state"),
        "home": _home(home),
        "mail": LocalMail(path / "mail"),
        "messages": LocalMessages(path / "messages"),
        "notes": LocalNotes(path / "notes"),
        "reminders": LocalReminders(path / "reminders.json"),
    }
    if config.web.searxng:
        from botpsy.services.web.searxng import SearxngWeb

        services["web"] = SearxngWeb(config.web.searxng, config.web.allow_private_hosts)
    return Services(**services)  # type: ignore[arg-type]


def _home(home: Home) -> object:
    settings = home.config.home_assistant
    if not settings.url:
        from botpsy.services.home.memory import LocalHome

        return LocalHome(home.path / "devices.json")
    from botpsy.services.home.home_assistant import Exposed, HomeAssistant

    exposed = [Exposed(**entity.model_dump()) for entity in settings.entities]
    return HomeAssistant(settings.url, secret(settings.token), exposed)


def _folders(names: tuple[str, ...], key: str) -> list[Path]:
    folders = [Path(name).expanduser() for name in names]
    for folder in folders:
        if not folder.is_dir():
            raise ConfigError(f"config.toml: {key}: there is no folder {folder}.")
    return folders


def _own(folder: Path) -> Path:
    try:
        folder.mkdir(exist_ok=True, mode=0o700)
    except OSError as error:
        raise ConfigError(f"The folder {folder} cannot be made: {error.strerror}.") from None
    return folder
