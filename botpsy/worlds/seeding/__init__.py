"""From a scene to services in memory: the family's records, and a small background around them.

The background is a pure function of the scene's chance. It uses no name, title or time that the
family has drawn, and leaves alone what the family keeps bare (``Scene.bare``).
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from botpsy.services.bundle import Services
from botpsy.worlds.seeding import home, office, outside, trade

if TYPE_CHECKING:
    from botpsy.worlds.scene import Scene


def services(scene: Scene) -> Services:
    """Everything a world has. What ``Scene.only`` gave is taken as it is."""
    made = home.services(scene) | office.services(scene)
    made |= outside.services(scene, made["device"]) | trade.services(scene, made["device"])
    made |= scene.services
    known = {field.name for field in fields(Services)}
    assert made.keys() <= known, made.keys() - known
    return Services(**made)
