"""The device the assistant runs on, and a home with things that can be switched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from botpsy.services.device import Value
from botpsy.services.device.memory import MemoryDevice
from botpsy.services.home import Device
from botpsy.services.home import Kind as DeviceKind
from botpsy.services.home.memory import MemoryHome

if TYPE_CHECKING:
    from botpsy.worlds.scene import Scene

# Things for a family to put in: name, (kind,) room.
LAMPS = (
    ("Floor lamp", "living room"), ("Reading lamp", "bedroom"), ("Piano lamp", "living room"),
    ("Desk lamp", "study"), ("Night light", "bedroom"), ("Mirror light", "bathroom"),
    ("Counter light", "kitchen"), ("Lantern", "balcony"), ("Stair light", "hall"),
    ("Workbench light", "cellar"),
)  # fmt: skip
DOORS = (("Front door", "hall"), ("Back door", "kitchen"), ("Cellar door", "cellar"),
         ("Balcony door", "balcony"), ("Garage side door", "garage"))  # fmt: skip
BLINDS = (
    ("Living room blinds", "living room"), ("Bedroom curtains", "bedroom"),
    ("Kitchen shutters", "kitchen"), ("Study blinds", "study"), ("Nursery blinds", "nursery"),
)  # fmt: skip
GADGETS: tuple[tuple[str, DeviceKind, str], ...] = (
    ("Bedroom fan", "fan", "bedroom"), ("Aquarium pump", "switch", "study"),
    ("TV", "tv", "living room"), ("Kitchen radio", "plug", "kitchen"),
    ("Heated blanket", "plug", "bedroom"), ("Towel warmer", "switch", "bathroom"),
    ("Balcony plug", "plug", "balcony"), ("Dehumidifier", "appliance", "cellar"),
)  # fmt: skip
MACHINES = (("Coffee machine", "kitchen"), ("Dishwasher", "kitchen"), ("Bread maker", "kitchen"),
            ("Washing machine", "bathroom"), ("Rice cooker", "kitchen"),
            ("Tumble dryer", "cellar"))  # fmt: skip
ROOMS = ("kitchen", "living room", "bedroom", "bathroom", "hall", "study", "balcony", "cellar")
# name, kind, room, attributes
_USUAL: tuple[tuple[str, DeviceKind, str, dict[str, Any]], ...] = (
    ("Kitchen light", "light", "kitchen", {"brightness": 80, "colour": "warm white"}),
    ("Living room light", "light", "living room", {"brightness": 60, "colour": "warm white"}),
    ("Bedside lamp", "light", "bedroom", {"brightness": 40, "colour": "warm white"}),
    ("Desk lamp", "light", "study", {"brightness": 100, "colour": "cool white"}),
    ("Hall light", "light", "hall", {"brightness": 80, "colour": "white"}),
    ("Front door", "lock", "hall", {}),
    ("Cellar door", "lock", "cellar", {}),
    ("Living room blinds", "cover", "living room", {"position": 100}),
    ("Bedroom curtains", "cover", "bedroom", {"position": 100}),
    ("Thermostat", "thermostat", "hall", {"target": 20.0, "temperature": 19.5}),
    ("Robot vacuum", "vacuum", "hall", {}),
    ("Coffee machine", "appliance", "kitchen", {}),
    ("Dishwasher", "appliance", "kitchen", {}),
    ("Balcony plug", "plug", "balcony", {}),
    ("Bedroom fan", "fan", "bedroom", {}),
    ("TV", "tv", "living room", {}),
)
_STATES: dict[DeviceKind, tuple[str, ...]] = {
    "light": ("off", "off", "on"),
    "lock": ("locked",),
    "cover": ("open",),
    "thermostat": ("heat",),
    "vacuum": ("docked",),
}
_SWITCHES = ("bluetooth", "do_not_disturb", "dark_mode", "location")


def lamp(scene: Scene, state: str = "off", brightness: int = 80, **more: Any) -> Device:
    """One of ``LAMPS``."""
    name, room = scene.pick(LAMPS)
    more = {"colour": "warm white", **more}
    return scene.device(name, "light", room, state, brightness=brightness, **more)


def door(scene: Scene, state: str = "locked") -> Device:
    """One of ``DOORS``."""
    name, room = scene.pick(DOORS)
    return scene.device(name, "lock", room, state)


def blinds(scene: Scene, position: int = 100) -> Device:
    """One of ``BLINDS``, open that far."""
    name, room = scene.pick(BLINDS)
    return scene.device(name, "cover", room, "open" if position else "closed", position=position)


def gadget(scene: Scene, state: str = "off") -> Device:
    """One of ``GADGETS``: something that is switched on and off."""
    name, kind, room = scene.pick(GADGETS)
    return scene.device(name, kind, room, state)


def thermostat(scene: Scene, target: float = 20.0, now: float = 19.5, **more: Any) -> Device:
    """The one in the hall. Degrees."""
    more = {"target": target, "temperature": now, **more}
    return scene.device("Thermostat", "thermostat", "hall", "heat", **more)


def spoken(device: Device) -> str:
    """Its name in the middle of a sentence."""
    return device.name if device.name.isupper() else device.name.lower()


def services(scene: Scene) -> dict[str, Any]:
    """``device`` and ``home``."""
    settings: dict[str, Value] = {}
    if not scene.is_bare("device"):
        settings = {name: scene.chance(0.3) for name in _SWITCHES}
        settings |= {"volume": scene.choose((20, 30, 40, 50)), "brightness": scene.choose((50, 70))}
    device = MemoryDevice(settings | scene.settings)
    return {"device": device, "home": MemoryHome(_devices(scene))}


def _devices(scene: Scene) -> list[Device]:
    own: list[Device] = scene.records[Device]
    if scene.is_bare("home"):
        return own
    kept = {(device.kind, device.area) for device in own}
    names = {device.name.casefold() for device in own}
    lone = {device.kind for device in own if device.kind in ("thermostat", "vacuum", "tv")}
    room = [
        each
        for each in _USUAL
        if (each[1], each[2]) not in kept and each[0].casefold() not in names
        and each[1] not in lone
    ]  # fmt: skip
    chosen = sorted(scene.rng.sample(range(len(room)), min(6, len(room))))
    more = []
    for name, kind, area, attributes in (room[n] for n in chosen):
        state = scene.choose(_STATES.get(kind, ("off",)))
        id = f"{kind}.{name.lower().replace(' ', '_')}"
        more.append(Device(id, name, kind, area, (), state, dict(attributes)))
    return sorted([*own, *more], key=lambda each: each.id)
