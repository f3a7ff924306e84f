"""HWU64 at home: sound, lights, plugs, the vacuum, coffee, music and radio."""

from __future__ import annotations

import re

from botpsy.data.sources._annotated import Item
from botpsy.data.sources._cases import Case, plan, title_case
from botpsy.data.types import UnusableError
from botpsy.services.home import COLOURS
from botpsy.worlds.acts import call, say, says
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding import tunes

_SOUND = r"volume|sound|audio|loud|quiet|louder|speakers?\b|music\b|noise"
_ROOMS = frozenset(
    ("kitchen", "bedroom", "bathroom", "hall", "hallway", "garage", "office", "study", "balcony",
     "basement", "attic", "cellar", "porch", "garden", "nursery", "lounge", "corridor",
     "living room", "dining room", "guest room", "bed room", "laundry room")
)  # fmt: skip
_WHOLE = frozenset(("house", "home", "room", "apartment", "flat"))
_AMOUNT = r"^(?:to|at)\s+(.+)$"


# --- sound ----------------------------------------------------------------------------------------


def _amount(item: Item) -> str:
    """``to fifty percent`` -> ``fifty percent``.

    Raises:
        UnusableError: it is not told whether it is a step or a level.
    """
    said = item.value("change_amount")
    if said in ("", "a bit", "a little", "a little bit"):
        return ""
    found = re.match(_AMOUNT, said)
    level = found[1] if found else ""
    if not re.fullmatch(r"[\w ]*?(percent|\d+|maximum|max|full|minimum|ty|ten)", level):
        raise UnusableError("an amount that may be a step or a level")
    return level.removeprefix("the ")


@plan("home", "audio/volume_up", "audio/volume_down")
def volume(s: Scene, item: Item) -> Case:
    """Louder, quieter, or to a level; and the sound back on."""
    item.only("change_amount", "device_type")
    s.settings |= {"volume": s.choose((30, 40, 50, 60)), "muted": False}
    if re.search(r"\bunmute\b", item.text):
        s.settings["muted"] = True
        text = s.choose(("The sound is on again.", "Unmuted.", "Sound is back."))
        return Case([call("mute", on=False), says(text)], offer=["set_volume"])
    item.need(
        _SOUND, r"\bmute|\bbass\b|\bon\b|\boff\b|bright|light|talking|decrease and|settings?$"
    )
    level = _amount(item)
    if not level and item.intent == "volume_up":
        item.need(r"\bup\b|higher|increase|raise|louder|more|boost|can'?t hear|too low|too quiet",
                  r"decrease|lower|down|quieter|reduce")  # fmt: skip
        level = "up"
    elif not level:
        item.need(r"\bdown\b|lower|decrease|reduce|quieter|softer|too loud|less(en)?\b|really loud",
                  r"increase|higher|\bup\b|raise")  # fmt: skip
        level = "down"
    answer = s.choose(("The volume is at {volume}%.", "Done, volume {volume}%.",
                       "It is set to {volume}% now."))  # fmt: skip
    return Case([call("set_volume", level=level), say(answer)], barred=["mute"])


@plan("home", "audio/volume_mute")
def mute(s: Scene, item: Item) -> Case:
    """No sound at all."""
    item.only("device_type")
    item.need(
        r"\bmute|silent|silence|sounds? off|speakers? off|no sound|quiet",
        r"unmute|turn down|lower|until|minutes|hour|time|quieter|answer|talk|speak\b",
    )
    s.settings |= {"volume": s.choose((30, 55, 80)), "muted": False}
    answer = s.choose(("Muted.", "The sound is off.", "Done, everything is silent."))
    return Case([call("mute"), says(answer)], barred=["set_volume"], offer=["get_setting"])


# --- lights ---------------------------------------------------------------------------------------


def _lights(s: Scene, item: Item, state: str) -> str:
    """The lights that are meant, as they are called; puts them into the home.

    Raises:
        UnusableError: it is not clear which, or only a part of a room.
    """
    room = item.value("house_place").removesuffix("'s")
    if room and room not in _ROOMS | _WHOLE:
        raise UnusableError("a place that is no room")
    s.bare("home")
    inside = room if room in _ROOMS else s.choose(("living room", "bedroom", "kitchen"))
    brightness = s.choose((30, 40, 50, 60))
    names = [f"{inside} light"] if s.chance(0.6) else [f"{inside} light", f"{inside} lamp"]
    for name in names:
        s.device(name[:1].upper() + name[1:], "light", inside, state,
                 brightness=brightness, colour="warm white")  # fmt: skip
    other = s.choose(sorted(_ROOMS - {inside, "bed room"}))
    if room in _ROOMS:
        s.device(f"{title_case(other)} light", "light", other, "off", brightness=70, colour="white")
    s.device("Kettle plug", "plug", "kitchen")
    if room in _ROOMS:
        return f"{room} lights"
    return "all lights"


def _which(names: str) -> str:
    return "the lights are" if names == "all lights" else f"the {names} are"


@plan("home", "iot/hue_lightchange")
def colour(s: Scene, item: Item) -> Case:
    """Another colour."""
    item.only("color_type", "house_place")
    item.need(r"\blight|\blamp|house|room", r"\bor\b|\band\b|different|random|all my|warmer|cooler")
    wanted = item.value("color_type").lower()
    if wanted not in COLOURS:
        raise UnusableError("a colour that lights do not have")
    names = _lights(s, item, "on")
    answer = s.choose((f"Done, {_which(names)} {wanted}.", f"{_which(names)} {wanted} now."))
    return Case(
        [call("set_light", light=names, colour=wanted), says(answer[:1].upper() + answer[1:])],
        barred=["turn_on", "turn_off"] if s.chance(0.3) else [],
        offer=["device_state"],
    )


@plan("home", "iot/hue_lightdim", "iot/hue_lightup")
def brightness(s: Scene, item: Item) -> Case:
    """Dimmer, brighter, or to a level."""
    item.only("change_amount", "house_place")
    up = item.intent == "hue_lightup"
    never = r"colou?r|\bon\b|\boff\b|mode|connect|\bto (?!max|the max|full|\w+ percent)\w+$"
    if up:
        item.need(
            r"bright|increase|raise|turn (\w+ )*up|\bup\b.*light|more light", never + "|dim|down"
        )
    else:
        item.need(r"\bdim|lower|\bdown\b|darken|less bright|decrease|reduce|too bright",
                  never + "|increase|raise")  # fmt: skip
    item.need(r"light|lamp|room|bright|dim|house", r"screen|volume|percent$" if not item.all(
        "change_amount") else r"screen|volume")  # fmt: skip
    level = _amount(item) or ("brighter" if up else "dimmer")
    names = _lights(s, item, "on")
    answer = s.choose(("{devices[0][name]} is at {devices[0][brightness]}%.",
                       "Done: {devices[0][brightness]}% now."))  # fmt: skip
    return Case(
        [call("set_light", light=names, brightness=level), say(answer)],
        barred=["turn_on"] if up else ["turn_off"],
        offer=["device_state"],
    )


@plan("home", "iot/hue_lighton", "iot/hue_lightoff")
def light_switch(s: Scene, item: Item) -> Case:
    """Lights on or off, of a room or all."""
    item.only("house_place")
    on = item.intent == "hue_lighton"
    item.need(
        r"\blights?\b", r"blue|red|high|except|dim|\band\b|this|outdoors|overhead|corner|dark"
    )
    item.need(r"\bon\b" if on else r"\boff\b|\bout\b", r"\boff\b" if on else r"\bon\b")
    names = _lights(s, item, "off" if on else "on")
    state = "on" if on else "off"
    answer = s.choose((f"{_which(names)} {state}.", f"done, {_which(names)} {state}."))
    return Case(
        [
            call("turn_on" if on else "turn_off", device=names),
            says(answer[:1].upper() + answer[1:]),
        ],
        barred=["set_light"],
        offer=["device_state"],
    )


# --- plugs, vacuum, coffee ------------------------------------------------------------------------

_PLUGS = re.compile(r"(\w+ )*(plug|socket|outlet|charger|wemo|fan|tv|radio)$")


@plan("home", "iot/wemo_on", "iot/wemo_off")
def plug(s: Scene, item: Item) -> Case:
    """A plug or what hangs on it."""
    item.only("device_type", "house_place")
    on = item.intent == "wemo_on"
    name = item.value("device_type").lower()
    room = item.value("house_place")
    if not _PLUGS.fullmatch(name) or (room and room not in _ROOMS):
        raise UnusableError("a device that is no plug")
    item.need(r"\bon\b|start|power up|activate" if on else r"\boff\b|shut|disable|power down",
              r"\bif\b|when|music|\band\b")  # fmt: skip
    s.bare("home")
    kind = "fan" if name.endswith("fan") else "tv" if name.endswith("tv") else "plug"
    s.device(title_case(name) if name != "tv" else "TV", kind, room or "living room",  # type: ignore[arg-type]
             "off" if on else "on", aliases=(name,))  # fmt: skip
    s.device("Hall light", "light", "hall", "off", brightness=70, colour="white")
    said = f"{room} {name}" if room else name
    state = "on" if on else "off"
    answer = s.choose((f"The {said} is {state}.", f"Done, the {said} is {state} now."))
    return Case(
        [call("turn_on" if on else "turn_off", device=said), says(answer)],
        barred=["start_appliance", "control_playback", "play_radio"],
        offer=["device_state"],
        gaps={},
    )


@plan("home", "iot/cleaning")
def cleaning(s: Scene, item: Item) -> Case:
    """The robot sets out; it cannot be told where."""
    item.only("device_type", "house_place")
    item.need(r"vacuum|clean|robot|roomba|hoover|irobot",
              r"\bstop|\boff\b|\bwhen|schedule|\bkitchen|bedroom|living|every|not\b|status|remind"
              r"|dishes|window|dust\b|mop|wash|company|hire|book\b|after")  # fmt: skip
    place = item.value("house_place")
    if place and place not in {*_WHOLE, "floor", "floors", "carpet", "house cleaning", "the house"}:
        raise UnusableError("a place that the vacuum cannot be told")
    s.bare("home")
    s.device(s.choose(("Robot vacuum", "Vacuum", "Roomba")), "vacuum", "hall", "docked")
    s.device("Hall light", "light", "hall", "off", brightness=70, colour="white")
    answer = s.choose(
        (
            "The {devices[0][name]} has started cleaning.",
            "Cleaning has begun.",
            "Done: {devices[0][name]} is {devices[0][state]}.",
        )
    )
    return Case([call("start_cleaning"), say(answer)], barred=["turn_on", "start_appliance"],
                offer=["stop_cleaning"])  # fmt: skip


@plan("home", "iot/coffee")
def coffee(s: Scene, item: Item) -> Case:
    """The coffee machine at home, now, with what is in it."""
    item.only("device_type")
    item.need(
        r"coffee|brew",
        r"\border|\bfrom\b|starbucks|shop|\bwhen|nearest|where|\bat\b|\bin\b|how|cups|two"
        r"|remind|every|schedule|stop|off\b|set |cold|\bready\b|that you made|settings?"
        r"|filter|black|hot|strong|one|three|four|five|six|sugar|milk|cream|latte|capp|more",
    )
    machine = item.value("device_type").lower() or "coffee machine"
    if machine not in ("coffee machine", "coffee maker", "coffee pot", "coffee brewer"):
        raise UnusableError("a device that makes no coffee")
    s.bare("home")
    s.device("Coffee machine", "appliance", "kitchen", "off",
             aliases=("coffee maker", "coffee pot", "coffee brewer"))  # fmt: skip
    s.device("Dishwasher", "appliance", "kitchen", "off")
    answer = s.choose(("The coffee is on its way.", "The coffee machine is running.",
                       "Coffee is being made."))  # fmt: skip
    return Case([call("start_appliance", appliance=machine), says(answer)], barred=["turn_on"],
                offer=["device_state"])  # fmt: skip


# --- listening ------------------------------------------------------------------------------------


def _others(s: Scene) -> None:
    """What else is in the library."""
    tunes.songs(s, 3)
    tunes.station(s, *s.pick(tunes.STATIONS))


@plan("lifestyle", "play/music")
def music(s: Scene, item: Item) -> Case:
    """A song, an artist, a genre or a playlist."""
    item.only("artist_name", "music_genre", "song_name", "playlist_name")
    item.need(r"\bplay\b|\bput\b|listen|hear|start|turn on",
              r"shuffle|repeat|\bnext\b|after|radio|volume|latest|new\b|album|rated|favou?rite|add"
              r"|open|best|\btop\b|similar|random|again|last|except|\bnot\b|spotify|at the|first"
              r"|collection|older|beginning|from the")  # fmt: skip
    song, artist = item.value("song_name"), item.value("artist_name").removesuffix("'s")
    genre, named = item.value("music_genre"), item.value("playlist_name")
    if sum(map(bool, (song or artist, genre, named))) > 1:
        raise UnusableError("several values for one argument")
    _others(s)
    what: str | None
    if song:
        what = f"{song} by {artist}" if artist else song
        tunes.track(s, title_case(song), title_case(artist) or "The Late Ferries", "pop")
    elif artist:
        what = artist
        for title, _, tag in (s.pick(tunes.TRACKS), s.pick(tunes.TRACKS)):
            tunes.track(s, title, title_case(artist), tag)
    elif genre or named:
        what = genre or named
        for title, by, _ in (s.pick(tunes.TRACKS), s.pick(tunes.TRACKS)):
            tunes.track(s, title, by, what)
    else:
        if not re.fullmatch(r"(please )?(play|put on|start)( me| some| the)* (music|songs)"
                            r"( please| for me)?", item.text):  # fmt: skip
            raise UnusableError("music that no slot names")
        what = None
    answer = s.choose(("Playing {playing}.", "{playing} is on.", "Here is {playing}."))
    return Case([call("play_music", what=what), say(answer)], offer=["play_radio"],
                barred=["control_playback"] if what is None else [])  # fmt: skip


@plan("lifestyle", "play/radio")
def radio(s: Scene, item: Item) -> Case:
    """A station, or just the radio."""
    item.only("radio_name")
    item.need(r"radio|station|\bfm\b|\bam\b|tune|channel|listen",
              r"record|next|previous|alarm|when|volume|podcast|new\b|favou?rite|which|what|search"
              r"|episode|internet|stream|app\b|this|list|off\b|stop|set\b|last")  # fmt: skip
    name = item.value("radio_name").lower()
    if name in ("radio", "radio station", "station", "channel", "fm", "radio channel"):
        name = ""
    if not name and not re.search(r"\bradio\b", item.text):
        raise UnusableError("words that may mean something else")
    if name:
        tunes.station(s, title_case(name))
    tunes.songs(s, 2)
    tunes.station(s, *s.pick(tunes.STATIONS))
    answer = s.choose(("{playing} is on.", "You are listening to {playing}.", "Playing {playing}."))
    return Case([call("play_radio", station=name or None), say(answer)], offer=["play_music"],
                barred=[] if name else ["control_playback", "turn_on"])  # fmt: skip


@plan("lifestyle", "music/query")
def what_plays(s: Scene, item: Item) -> Case:
    """The name of what is on."""
    item.only()
    item.need(r"(song|track|music|tune|playing|singer|artist|band|sings?|title)",
              r"lyrics?|first|when|genre|favou?rite|do i have|year|album|release|where|like\b|most"
              r"|next|record|best|my |about|find out|similar|how|any\b")  # fmt: skip
    item.need(r"what|who|which|name|tell|title", r"\bplay\b")
    items = [tunes.track(s, *s.pick(tunes.TRACKS)) for _ in range(3)]
    tunes.now_on(s, items, s.rng.randrange(3))
    answer = s.choose(("This is {playing}.", "It is {playing}.", "You hear {playing}."))
    return Case([call("now_playing"), say(answer)], offer=["control_playback", "play_music"])


@plan("lifestyle", "music/settings", "play/podcasts")
def skipping(s: Scene, item: Item) -> Case:
    """The next one, in music and podcasts alike."""
    item.only("player_setting", "podcast_descriptor", "song_name", "media_type")
    pattern = (
        r"(please )?(can you |could you )?(skip|go|jump|continue|move|play|next)?( forward| on)?"
        r"( to| onto)?( the| this)? ?(next|skip)?( one)?"
        r"( song| track| podcast| episode)( in (the|this) podcast| of (the"
        r"|this) podcast)?( please)?"
    )
    if not re.fullmatch(pattern, item.text) or not re.search(r"next|skip", item.text):
        raise UnusableError("what the player does not do")
    if re.search(r"song|track", item.text):
        items = [tunes.track(s, *s.pick(tunes.TRACKS)) for _ in range(3)]
    else:
        show, titles = s.choose(tunes.PODCASTS)
        items = tunes.podcast(s, show, titles)
    tunes.now_on(s, items)
    answer = s.choose(("Now {playing}.", "Next up: {playing}.", "{playing} is on."))
    return Case([call("control_playback", action="next"), say(answer)],
                offer=["now_playing", "play_music"])  # fmt: skip
