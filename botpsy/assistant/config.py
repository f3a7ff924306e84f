"""``config.toml``: what botpsy may reach. A wrong key or value is an error that names it."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from botpsy.errors import ConfigError
from botpsy.services.home import Kind

STARTER = """\
# What botpsy knows of you and may reach. Everything is optional.

# timezone = "Europe/Paris"       # otherwise the computer's
# model = "default"               # a .gguf file, hf:owner/repo/file.gguf, or http://host:port/v1

[files]
# Folders the assistant may work in. Nothing outside them can be touched.
# roots = ["~/Documents"]         # otherwise the folder "files" in this one

[documents]
# Folders whose text can be searched. Otherwise the roots above.
# folders = ["~/Documents"]

[web]
# A SearXNG server with its JSON format switched on. Without one there is no web search.
# searxng = "http://127.0.0.1:8888"
# Hosts on your own network that pages may be read from; all others there are refused.
# allow_private_hosts = []

[home_assistant]
# Without a url, a simulated flat in devices.json stands in.
# url = "http://homeassistant.local:8123"
# token = "keyring:home-assistant"   # or "env:HA_TOKEN"; never the token itself
# Only what is listed here exists for the assistant. "*" and "?" stand for any letters.
# entities = [
#   { id = "light.*" },
#   { id = "switch.plug_3", name = "Coffee machine", area = "Kitchen", kind = "appliance" },
# ]
"""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Files(_Section):
    """Folders the assistant may work in."""

    roots: tuple[str, ...] = ()


class Documents(_Section):
    """Folders whose text is indexed for search."""

    folders: tuple[str, ...] = ()


class Web(_Section):
    """Web search and page reading."""

    searxng: str = ""
    allow_private_hosts: tuple[str, ...] = ()


class Entity(_Section):
    """A Home Assistant entity the assistant may use; see ``home_assistant.Exposed``."""

    id: str
    name: str = ""
    area: str = ""
    aliases: tuple[str, ...] = ()
    kind: Kind | None = None


class HomeAssistant(_Section):
    """A Home Assistant server; ``token`` is a reference, never the secret."""

    url: str = ""
    token: str = ""
    entities: tuple[Entity, ...] = ()


class Config(_Section):
    """The whole file."""

    timezone: str = ""
    model: str = "default"
    files: Files = Field(default_factory=Files)
    documents: Documents = Field(default_factory=Documents)
    web: Web = Field(default_factory=Web)
    home_assistant: HomeAssistant = Field(default_factory=HomeAssistant)


def load(path: Path) -> Config:
    """Read ``config.toml``; a missing file means the defaults.

    Raises:
        ConfigError: the file cannot be read or holds a wrong key or value.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Config()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}.") from None
    try:
        return Config.model_validate(document)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        raise ConfigError(f"{path}: {key}: {first['msg']}.") from None


def zone(name: str) -> ZoneInfo:
    """The time zone with this IANA name; ``""`` gives the computer's.

    Raises:
        ConfigError: there is no such zone.
    """
    if not name:
        from tzlocal import get_localzone_name

        name = get_localzone_name() or "UTC"
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ConfigError(
            f"There is no time zone {name!r}.", hint="Use a name like Europe/Paris."
        ) from None


def secret(reference: str) -> str:
    """The secret that ``env:NAME`` or ``keyring:NAME`` stands for; ``""`` for no reference.

    Raises:
        ConfigError: it is not there, or the text is not a reference. It is never repeated in the
            message, since it may be the secret itself.
    """
    if not reference:
        return ""
    kind, _, name = reference.partition(":")
    if kind == "env" and name:
        value = os.environ.get(name)
        if value:
            return value
        raise ConfigError(f"The environment variable {name} is not set.")
    if kind == "keyring" and name:
        import keyring
        import keyring.errors

        try:
            value = keyring.get_password("botpsy", name)
        except keyring.errors.KeyringError as error:
            raise ConfigError(f"The keyring cannot be read: {error}.") from None
        if value:
            return value
        raise ConfigError(
            f"The keyring holds no secret {name!r}.", hint=f"Store it: keyring set botpsy {name}"
        )
    raise ConfigError(
        "A secret in config.toml must be a reference.", hint='Write "keyring:NAME" or "env:NAME".'
    )
