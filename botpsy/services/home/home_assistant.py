"""A real home through Home Assistant's REST API (developers.home-assistant.io, "REST API").

Only entities on the user's list can be seen or touched: every id is held against that list before
a request is made. The access token goes into the Authorization header and nowhere else; proxies,
redirects and netrc are off, so that it reaches the configured server alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

import httpx

from botpsy.errors import ConfigError, ServiceError
from botpsy.services.home import Command, Device, Kind, check, colour_name, no_such_device, rgb
from botpsy.services.http import client

_KINDS: Mapping[str, Kind] = {
    "light": "light",
    "switch": "switch",
    "input_boolean": "switch",
    "fan": "fan",
    "lock": "lock",
    "cover": "cover",
    "climate": "thermostat",
    "vacuum": "vacuum",
    "media_player": "tv",
    "button": "appliance",
    "script": "appliance",
    "sensor": "sensor",
    "binary_sensor": "sensor",
}
_ENTITY_ID = re.compile(r"([a-z_]+)\.[a-z0-9_]+")
_PATTERN = re.compile(r"([a-z_]+)\.[a-z0-9_*?]+")
_COLOUR_MODES = ("hs", "xy", "rgb", "rgbw", "rgbww")


@dataclass(frozen=True, slots=True)
class Exposed:
    """An entity the user lets botpsy use. Empty fields are filled from Home Assistant.

    ``id`` may be a pattern (``switch.*``, with ``*`` and ``?``) where there is nothing else to say.
    ``kind`` says what a plain switch really is (a coffee machine on a plug is an ``appliance``).
    """

    id: str
    name: str = ""
    area: str = ""
    aliases: tuple[str, ...] = ()
    kind: Kind | None = None


@dataclass(frozen=True)
class HomeAssistant:
    """Home Assistant at ``url`` (without ``/api``); timeouts in seconds."""

    url: str
    token: str = field(repr=False)
    exposed: Iterable[Exposed]
    timeout_s: float = 10.0

    def __post_init__(self) -> None:
        if not self.url.startswith(("http://", "https://")):
            raise ConfigError(f"The Home Assistant address {self.url!r} is not an http(s) URL.")
        if not self.token or not self.token.isascii() or not self.token.isprintable():
            raise ConfigError(
                "The Home Assistant token is empty or has characters no token has.",
                hint="Make one under Profile, Security, Long-lived access tokens.",
            )
        object.__setattr__(self, "exposed", tuple(self.exposed))
        for entry in self.exposed:
            match = _PATTERN.fullmatch(entry.id)
            if match is None or match[1] not in _KINDS:
                raise ConfigError(
                    f"{entry.id!r} is not an entity that can be used here.",
                    hint=f"Ids look like light.kitchen or switch.*; domains: {', '.join(_KINDS)}.",
                )

    def devices(self) -> Sequence[Device]:
        states = self._request("GET", "/api/states")
        if not isinstance(states, list):
            raise ServiceError("Home Assistant gave an answer that is no list of states.")
        found = {str(state.get("entity_id")): state for state in states if isinstance(state, dict)}
        exposed = [(key, self._entry(key), state) for key, state in sorted(found.items())]
        return tuple(_device(key, entry, state) for key, entry, state in exposed if entry)

    def apply(self, key: str, command: Command) -> Device:
        device = self._device(key)
        check(device, command)
        self._call(device, *_service(device, command))
        return self._device(key)

    def snapshot(self, key: str) -> str | None:
        if self._entry(key) is None:
            return None
        device = self._device(key)
        settable = ("brightness", "colour", "kelvin", "target", "position")
        attributes = {
            name: device.attributes[name] for name in settable if name in device.attributes
        }
        return json.dumps({"state": device.state, "attributes": attributes}, sort_keys=True)

    def restore(self, key: str, state: str | None) -> None:
        if state is None:
            if self._entry(key):
                raise ServiceError(f"{key} is a real thing; it cannot be made to vanish.")
            return
        device = self._device(key)
        before = json.loads(state)
        for service, data in _restoring(device, before["state"], before["attributes"]):
            self._call(device, service, data)

    def _entry(self, key: str) -> Exposed | None:
        """The user's word on this entity; None where it is not exposed."""
        if not _ENTITY_ID.fullmatch(key):
            return None
        named = (entry for entry in self.exposed if entry.id == key)
        return next(named, None) or next((e for e in self.exposed if fnmatchcase(key, e.id)), None)

    def _device(self, key: str) -> Device:
        entry = self._entry(key)
        if entry is None:
            raise no_such_device(key)
        state = self._request("GET", f"/api/states/{key}")
        if not isinstance(state, dict):
            raise ServiceError("Home Assistant gave an answer that is no state.")
        return _device(key, entry, state)

    def _call(self, device: Device, service: str, data: Mapping[str, Any]) -> None:
        domain = device.id.split(".")[0]
        body = {"entity_id": device.id, **data}
        self._request("POST", f"/api/services/{domain}/{service}", body)

    def _request(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        hint = "Check the address in botpsy's settings, and that Home Assistant is running."
        try:
            with client(self.timeout_s) as session:
                response = session.request(
                    method,
                    self.url.rstrip("/") + path,
                    json=body,
                    headers={"Authorization": f"Bearer {self.token}"},
                )
            if response.status_code in (401, 403):
                raise ServiceError(
                    "Home Assistant refused the access token.",
                    hint="Make a new one under Profile, Security, Long-lived access tokens.",
                )
            if response.status_code == 404 and path.startswith("/api/states/"):
                raise ServiceError(f"Home Assistant has no entity {path.rsplit('/', 1)[-1]}.")
            if response.status_code != 200:
                raise ServiceError(
                    f"Home Assistant answered {response.status_code} to {path}.", hint=hint
                )
            return response.json()
        except httpx.TimeoutException:
            raise ServiceError(
                f"Home Assistant did not answer within {self.timeout_s:g} s.",
                hint="The command may still arrive; look at the device before trying again."
                if method == "POST"
                else hint,
            ) from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ServiceError(
                f"Home Assistant cannot be reached at {self.url} ({type(error).__name__}).",
                hint=hint,
            ) from None
        except ValueError:
            raise ServiceError(
                f"What answers at {self.url} is not Home Assistant: no JSON.", hint=hint
            ) from None


def _device(key: str, entry: Exposed, state: Mapping[str, Any]) -> Device:
    """Our device of Home Assistant's state object."""
    found = state.get("attributes")
    raw: Mapping[str, Any] = found if isinstance(found, dict) else {}
    kind = entry.kind or _KINDS[key.partition(".")[0]]
    if entry.kind is None and raw.get("device_class") == "outlet":
        kind = "plug"
    attributes: dict[str, Any] = {}
    if isinstance(brightness := raw.get("brightness"), int | float):
        attributes["brightness"] = round(brightness * 100 / 255)
    if raw.get("color_mode") in _COLOUR_MODES and raw.get("rgb_color"):
        red, green, blue = raw["rgb_color"]
        attributes["colour"] = colour_name(f"#{red:02x}{green:02x}{blue:02x}")
    elif raw.get("color_mode") == "color_temp" and raw.get("color_temp_kelvin"):
        attributes["kelvin"] = raw["color_temp_kelvin"]
    for ours, theirs in (
        ("target", "temperature"),
        ("temperature", "current_temperature"),
        ("min", "min_temp"),
        ("max", "max_temp"),
        ("position", "current_position"),
        ("unit", "unit_of_measurement"),
    ):
        if raw.get(theirs) is not None:
            attributes[ours] = raw[theirs]
    name = entry.name or str(raw.get("friendly_name") or key)
    return Device(
        key,
        name,
        kind,
        entry.area,
        entry.aliases,
        state=str(state.get("state", "unknown")),
        attributes=attributes,
    )


def _service(device: Device, command: Command) -> tuple[str, dict[str, Any]]:
    """The Home Assistant service, within the entity's domain, that does the command."""
    domain = device.id.split(".")[0]
    match command.act:
        case "turn_on" | "start" if domain == "button":
            return "press", {}
        case "start" if domain == "vacuum":
            return "start", {}
        case "turn_on" | "start":
            return "turn_on", {}
        case "turn_off" if domain != "button":
            return "turn_off", {}
        case "lock" | "unlock" if domain == "lock":
            return command.act, {}
        case "open" | "close" if domain == "cover":
            return f"{command.act}_cover", {}
        case "stop" if domain == "vacuum":
            return "return_to_base", {}
        case "set" if domain == "light":
            return _light(command.brightness, command.colour)
        case "set" if domain == "climate" and command.target is not None:
            mode = {"hvac_mode": "heat"} if device.state == "off" else {}
            return "set_temperature", {"temperature": command.target, **mode}
        case "set" if domain == "cover" and command.position is not None:
            return "set_cover_position", {"position": command.position}
    raise ServiceError(f"{device.name} ({device.id}) cannot {command.act.replace('_', ' ')}.")


def _light(
    brightness: int | None, colour: str | None, kelvin: int | None = None
) -> tuple[str, dict[str, Any]]:
    if brightness == 0:
        return "turn_off", {}
    data: dict[str, Any] = {}
    if brightness is not None:
        data["brightness_pct"] = brightness
    if colour is not None:
        code = rgb(colour)
        data["rgb_color"] = [int(code[i : i + 2], 16) for i in (1, 3, 5)]
    elif kelvin is not None:
        data["color_temp_kelvin"] = kelvin
    return "turn_on", data


def _restoring(
    device: Device, state: str, attributes: Mapping[str, Any]
) -> Sequence[tuple[str, dict[str, Any]]]:
    """Service calls that bring the device back to a snapshot."""
    domain = device.id.split(".")[0]
    if domain == "light" and state == "on":
        return [
            _light(attributes.get("brightness"), attributes.get("colour"), attributes.get("kelvin"))
        ]
    if domain == "climate":
        target = attributes.get("target")
        calls: list[tuple[str, dict[str, Any]]] = [("set_hvac_mode", {"hvac_mode": state})]
        if target is not None:
            calls.insert(0, ("set_temperature", {"temperature": target}))
        return calls
    if domain == "cover":
        if "position" in attributes:
            return [("set_cover_position", {"position": attributes["position"]})]
        return [("close_cover" if state == "closed" else "open_cover", {})]
    if domain == "vacuum":
        return [("start" if state == "cleaning" else "return_to_base", {})]
    known = {"on": "turn_on", "off": "turn_off", "locked": "lock", "unlocked": "unlock"}
    if domain != "button" and state in known:
        return [(known[state], {})]
    if domain == "media_player":
        return [("turn_on", {})]
    raise ServiceError(f"{device.name} cannot be put back to {state!r}.")
