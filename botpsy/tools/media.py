"""Tools for listening: music, radio, podcasts, and the player."""

from __future__ import annotations

from typing import Annotated

from botpsy.chat.types import JsonObject
from botpsy.errors import ToolError
from botpsy.services.base import Ref
from botpsy.services.media import PLAYER, Act, Item, Kind
from botpsy.services.text import plain_line
from botpsy.tools.base import Context, ToolDef, tool

_LISTED = 6
_PLAYER = [Ref("media", PLAYER)]


def _find(ctx: Context, kind: Kind, text: str, what: str) -> list[Item]:
    found = ctx.services.media.find(kind, text)
    if found:
        return found
    everything = ctx.services.media.find(kind, "")
    names = dict.fromkeys(each.by if kind == "episode" else each.title for each in everything)
    listed = ", ".join(list(names)[:_LISTED])
    raise ToolError(
        f"There is no {what} {plain_line(text)[:80]!r}.",
        hint=f"There is: {listed}." if listed else "",
    )


def _on(ctx: Context, item: Item | None) -> JsonObject:
    player = ctx.services.media.player()
    if item is None:
        return {"playing": "nothing"}
    state = "playing" if player.playing else "paused"
    result: JsonObject = {state: plain_line(item.show())}
    if left := len(player.queue) - player.at - 1:
        result["after_it"] = left
    return result


@tool(
    effect="control",
    service="media",
    domain="lifestyle",
    undo=lambda _ctx, _: _PLAYER,
    examples=(
        "play some jazz",
        "put on the new album by Adele",
        "I want to hear Bohemian Rhapsody",
        "play my workout playlist",
        "play music for me",
        "listen to classical music",
        "put some music on please",
        "play songs by Rihanna",
        "start my party playlist",
        "play the Beatles",
        "Find jazz on my playlist",
        "play led zeppelin",
    ),
)
def play_music(
    ctx: Context,
    what: Annotated[str | None, "Song, artist, album, genre or playlist; any if left out"] = None,
) -> JsonObject:
    """Play music: a song, an artist, an album, a genre or a playlist."""
    found = _find(ctx, "track", what or "", "music")
    return _on(ctx, ctx.services.media.play(found))


@tool(
    effect="control",
    service="media",
    domain="lifestyle",
    undo=lambda _ctx, _: _PLAYER,
    examples=(
        "turn on the radio",
        "play BBC Radio 4",
        "put on the news station",
        "tune in to 107.5 FM",
        "switch the radio to a pop station",
        "start radio",
        "play the classical channel",
        "88.9 FM please",
        "I'd like to listen to 99.5",
        "turn on NPR",
        "I want to listen to the morning show",
        "play the radio programme with sports commentary",
    ),
)
def play_radio(
    ctx: Context, station: Annotated[str | None, "Station or genre; any if left out"] = None
) -> JsonObject:
    """Play a radio station."""
    found = _find(ctx, "station", station or "", "station")
    if len(found) > 1 and station:
        exact = ", ".join(each.title for each in found[:_LISTED])
        raise ToolError(f"{plain_line(station)!r} could be: {exact}.", hint="Say which.")
    return _on(ctx, ctx.services.media.play(found[:1]))


@tool(
    effect="control",
    service="media",
    domain="lifestyle",
    untrusted_output=True,
    undo=lambda _ctx, _: _PLAYER,
    examples=(
        "play the latest episode of Deep Sea Talks",
        "I want to listen to a podcast",
        "play the podcast about gardening",
        "put on yesterday's episode of the news podcast",
        "start my favourite podcast",
        "play the newest podcast episode",
        "continue the podcast series",
    ),
)
def play_podcast(
    ctx: Context,
    podcast: Annotated[str, "Name of the podcast, or what it is about"],
    episode: Annotated[str | None, "Words of the episode; the latest if left out"] = None,
) -> JsonObject:
    """Play an episode of a podcast."""
    found = _find(ctx, "episode", podcast, "podcast")
    if episode:
        named = _find(ctx, "episode", episode, "episode")
        found = [each for each in found if each in named]
        if not found:
            raise ToolError(f"This podcast has no episode {plain_line(episode)!r}.")
    shows = list(dict.fromkeys(each.by for each in found))
    if len(shows) > 1:
        raise ToolError(f"Several podcasts fit: {', '.join(shows[:_LISTED])}.", hint="Say which.")
    return _on(ctx, ctx.services.media.play(found[:1]))


@tool(
    effect="control",
    service="media",
    domain="lifestyle",
    undo=lambda _ctx, _: _PLAYER,
    examples=(
        "pause the music",
        "skip this song",
        "next track please",
        "go back to the previous song",
        "resume the podcast",
        "stop playing",
        "continue the music",
        "jump to the next episode",
        "pause",
        "play the last song again",
    ),
)
def control_playback(ctx: Context, action: Annotated[Act, "What to do"]) -> JsonObject:
    """Pause, resume, skip or stop the song, radio or podcast that is on."""
    return _on(ctx, ctx.services.media.control(action))


@tool(
    service="media",
    domain="lifestyle",
    untrusted_output=True,
    examples=(
        "what song is this",
        "who sings this",
        "what am I listening to",
        "what's playing right now",
        "name of the current song",
        "which artist is this music by",
        "what song is on the radio",
    ),
)
def now_playing(ctx: Context) -> JsonObject:
    """Tell which song, station or episode is on, and by whom."""
    return _on(ctx, ctx.services.media.current())


TOOLS: tuple[ToolDef, ...] = (
    play_music,
    play_radio,
    play_podcast,
    control_playback,
    now_playing,
)
