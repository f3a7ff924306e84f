"""Music, radio, podcasts and the player: the right thing on, and only that."""

from __future__ import annotations

from typing import Final

from botpsy.worlds.acts import both, call, say, says
from botpsy.worlds.people import first_name
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.tunes import (
    PODCASTS,
    STATIONS,
    TRACKS,
    now_on,
    podcast,
    songs,
    station,
    track,
)

DOMAIN: Final = "lifestyle"


@family(DOMAIN, "single")
def one_song(s: Scene) -> Scenario:
    """A song by its title, with or without the artist."""
    mine = s.choose(songs(s, 5))
    title = s.choose((mine.title, f"{mine.title} by {mine.by}"))
    return s.scenario(
        s.say(
            "play {title}",
            "I want to hear {title}",
            "put on {title}, please",
            "how about some music? {title}",
            title=title,
        ),
        [call("play_music", what=title), say("Playing {playing}.")],
        offer=["play_radio", "now_playing"],
    )


@family(DOMAIN, "single")
def mood_music(s: Scene) -> Scenario:
    """A genre or an artist instead of a song."""
    picked = songs(s, 6)
    mine = s.choose(picked)
    what = s.choose((mine.tags[0], mine.by))
    return s.scenario(
        s.say(
            "I'm in the mood for {what}, put some on",
            "play me some {what}",
            "music! {what} would be nice",
            "let's listen to {what}",
            what=what,
        ),
        [call("play_music", what=what), say("Playing {playing}.")],
        offer=["play_radio"],
    )


@family(DOMAIN, "single")
def a_station(s: Scene) -> Scenario:
    """A radio station by name or by what it sends."""
    songs(s, 3)
    pairs = [s.pick(STATIONS) for _ in range(4)]
    for title, tag in pairs:
        station(s, title, tag)
    title, tag = s.choose(pairs)
    name, said = s.choose(((title, title), (tag, f"the {tag} station")))
    return s.scenario(
        s.say(
            "turn the radio on, {said}",
            "tune in to {said}",
            "switch on {said}",
            "can I have {said} on the radio?",
            said=said,
        ),
        [call("play_radio", station=name), say("{playing} is on.")],
        offer=["play_music"],
    )


@family(DOMAIN, "single")
def the_player_obeys(s: Scene) -> Scenario:
    """One press of a button."""
    lined = songs(s, 4)
    action, done, wordings = s.choose(
        (
            ("pause", "Paused.", ("hold the music for a second", "pause, I'm on the phone")),
            ("next", "On to the next.", ("skip this one", "next song, please", "not this, go on")),
            ("previous", "Back by one.", ("go back one song", "the song before that again")),
            ("stop", "Stopped.", ("stop the music for good", "that's enough, no more music")),
        )
    )
    now_on(s, lined, 1)
    return s.scenario(
        s.say(*wordings),
        [call("control_playback", action=action), says(done)],
        offer=["play_music", "mute", "set_volume"],
    )


@family(DOMAIN, "single")
def who_sings_this(s: Scene) -> Scenario:
    """What is on."""
    lined = songs(s, 4)
    mine = lined[2]
    now_on(s, lined, 2)
    return s.scenario(
        s.say(
            "who sings this, and what's it called?",
            "this is lovely, what is it and who is it by?",
            "title and artist of this song?",
            "tell me what I'm listening to, song and singer",
            "what song is on right now, and by whom?",
        ),
        [call("now_playing"), says(f"This is {mine.title} by {mine.by}.")],
        offer=["play_music", "control_playback"],
        answer=(mine.title, mine.by),
    )


@family(DOMAIN, "single", held_out=True)
def the_latest_episode(s: Scene) -> Scenario:
    """A podcast, from its newest episode."""
    songs(s, 2)
    shows = [s.pick(PODCASTS) for _ in range(3)]
    for show, titles in shows:
        podcast(s, show, titles)
    show, _ = s.choose(shows)
    return s.scenario(
        s.say(
            "play the latest {show}",
            "is there a new episode of {show}? Put it on",
            "I'd like to listen to {show}, the newest one",
            "{show}, please, whatever came out last",
            show=show,
        ),
        [call("play_podcast", podcast=show), say("Playing {playing}.")],
        offer=["play_radio", "play_music"],
    )


@family(DOMAIN, "lookalike", held_out=True)
def episode_not_song(s: Scene) -> Scenario:
    """An episode that is called like a song."""
    title, by, tag = s.pick(TRACKS)
    song = track(s, title, by, tag)
    songs(s, 2)
    show, titles = s.pick(PODCASTS)
    podcast(s, show, (titles[0], title, titles[1]))
    return s.scenario(
        s.say(
            "play the {show} episode {title}",
            "{title}, I mean the episode of {show}, not the song",
            "I missed {title} on {show}, put that on",
            title=title,
            show=show,
        ),
        [call("play_podcast", podcast=show, episode=title), say("Playing {playing}.")],
        offer=["play_music"],
        near={
            "the song": [call("play_music", what=song.title), says("Playing.")],
            "the newest": [call("play_podcast", podcast=show), says("Playing.")],
        },
    )


@family(DOMAIN, "parallel")
def music_at_a_volume(s: Scene) -> Scenario:
    """Music and the volume at once."""
    mine = s.choose(songs(s, 5))
    s.settings |= {"volume": 50, "muted": False}
    level = s.choose((15, 25, 35, 70, 80))
    return s.scenario(
        s.say(
            "play {title} and set the volume to {level}",
            "volume at {level} percent and {title} on, please",
            "put {title} on, at a volume of {level}%",
            title=mine.title,
            level=level,
        ),
        [
            both(call("play_music", what=mine.title), call("set_volume", level=f"{level}%")),
            say(f"{{playing}} is on, at {level}%."),
        ],
    )


@family(DOMAIN, "multi_step")
def send_the_title(s: Scene) -> Scenario:
    """Look what is on, then tell somebody."""
    lined, friend = songs(s, 3), s.person()
    mine = lined[1]
    now_on(s, lined, 1)
    name = first_name(friend)
    return s.scenario(
        s.say(
            "text {name} what song this is, and who it's by",
            "{name} would love this. Message them the title and the artist of what's playing",
            "find out what's on and send {name} the song and the singer in a text",
            name=name,
        ),
        [
            call("now_playing"),
            call(
                "send_message", to=name, text=f"I'm listening to {mine.title} by {mine.by}."
            ).because("the title and artist that are on"),
            says(f"I have texted {name}: {mine.title} by {mine.by}."),
        ],
        mentions=(mine.title, mine.by),
        loose=["messages/*/text"],
        near={
            "without looking": [
                call("send_message", to=name, text="You would love the song that is on."),
                says("I have texted them."),
            ]
        },
    )


@family(DOMAIN, "lookalike")
def carry_on(s: Scene) -> Scenario:
    """What was paused goes on; it does not begin anew."""
    lined = songs(s, 5)
    at = s.choose((1, 2, 3))
    now_on(s, lined, at, playing=False)
    return s.scenario(
        s.say(
            "I'm back, carry on with the music",
            "play on where I left off",
            "un-pause",
            "go on with that song",
        ),
        [call("control_playback", action="resume"), say("Going on with {playing}.")],
        offer=["play_music"],
        near={
            "from the start": [call("play_music"), says("Playing.")],
            "the song alone": [call("play_music", what=lined[at].title), says("Playing.")],
        },
    )
