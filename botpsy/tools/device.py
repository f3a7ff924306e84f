"""Tools for the settings of this computer or phone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator, ValidationInfo, WithJsonSchema

from botpsy.chat.types import JsonObject
from botpsy.errors import ToolError
from botpsy.services.base import Ref
from botpsy.services.device import Level, Setting, Switch, Value, consequences
from botpsy.tools.base import Context, ToolDef, tool
from botpsy.tools.levels import level
from botpsy.tools.values import context_of

_STEP = 10


def _percent(name: Level) -> Any:
    def validate(value: Any, info: ValidationInfo) -> int:
        now = context_of(info).services.device.settings()[name]
        percent = round(level(value, now, 0, 100, _STEP))
        if not 0 <= percent <= 100:
            raise ToolError(f"The {name} is a percentage from 0 to 100, not {value}.")
        return percent

    return validate


_WORDS = WithJsonSchema({"type": "string"})
_Volume: TypeAlias = Annotated[int, BeforeValidator(_percent("volume")), _WORDS]
_Brightness: TypeAlias = Annotated[int, BeforeValidator(_percent("brightness")), _WORDS]


def _refs(ctx: Context, name: str, value: Value) -> Sequence[Ref]:
    after = consequences(ctx.services.device.settings(), name, value)
    return [Ref("device", key) for key in dict.fromkeys((name, *after))]


@tool(
    service="device",
    domain="device",
    examples=(
        "is the wifi on",
        "how loud is the volume",
        "is bluetooth enabled on this computer",
        "am I in airplane mode",
        "check whether do not disturb is on",
        "what's my screen brightness",
    ),
)
def get_setting(ctx: Context, name: Annotated[Setting, "Which setting"]) -> JsonObject:
    """Tell a setting of this computer or phone: volume, Wi-Fi, Bluetooth, do not disturb."""
    return {name: ctx.services.device.settings()[name]}


@tool(
    effect="control",
    service="device",
    undo=lambda ctx, values: _refs(ctx, "volume", values["level"]),
    domain="device",
    examples=(
        "turn the volume up",
        "louder please",
        "I can't hear you, speak up",
        "set the volume to forty percent",
        "lower the sound",
        "that's too loud, turn it down",
        "max volume",
        "turn up the music",
        "bring the speakers to 35",
        "the sound is too low",
        "play that louder",
    ),
)
def set_volume(
    ctx: Context, level: Annotated[_Volume, "Percent, or up, down, max, min"]
) -> JsonObject:
    """Change the sound volume: louder, quieter, or a percentage."""
    return dict(ctx.services.device.change("volume", level)) or {"volume": level}


@tool(
    effect="control",
    service="device",
    undo=lambda ctx, values: [Ref("device", "muted")],
    domain="device",
    examples=(
        "mute the sound",
        "be quiet",
        "silence please, no more noise",
        "stop talking",
        "don't say anything for a while",
        "turn the audio off",
        "unmute",
        "turn the sound back on",
        "you can talk again",
        "pause the audio",
        "keep quiet until further notice",
        "not a word now",
    ),
)
def mute(ctx: Context, *, on: Annotated[bool, "false to unmute"] = True) -> JsonObject:
    """Mute the sound, or unmute it."""
    ctx.services.device.change("muted", on)
    return {"muted": on}


@tool(
    effect="control",
    service="device",
    undo=lambda ctx, values: [Ref("device", "brightness")],
    domain="device",
    examples=(
        "make the screen brighter",
        "dim my display",
        "set screen brightness to 50",
        "the screen is too bright",
        "turn down the display brightness",
    ),
)
def set_screen_brightness(
    ctx: Context, level: Annotated[_Brightness, "Percent, or up, down, max, min"]
) -> JsonObject:
    """Change how bright the screen of this computer or phone is."""
    ctx.services.device.change("brightness", level)
    return {"brightness": level}


@tool(
    effect="control",
    service="device",
    undo=lambda ctx, values: _refs(ctx, values["name"], values["on"]),
    domain="device",
    examples=(
        "turn off the wifi",
        "enable bluetooth",
        "switch to airplane mode",
        "do not disturb for now",
        "go into power saving mode",
        "dark mode on",
        "stop sharing my location",
        "turn flight mode off",
    ),
)
def change_setting(
    ctx: Context,
    name: Annotated[Switch, "Which setting"],
    on: Annotated[bool, "true to turn it on, false to turn it off"],
) -> JsonObject:
    """Turn Wi-Fi, Bluetooth, airplane mode, do not disturb or another setting on or off."""
    changed: Mapping[str, Value] = ctx.services.device.change(name, on)
    return {name: on, **changed}


TOOLS: tuple[ToolDef, ...] = (
    get_setting,
    set_volume,
    mute,
    set_screen_brightness,
    change_setting,
)
