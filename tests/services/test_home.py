"""The contract of every home, whatever is behind it, and what is particular to each."""

from __future__ import annotations

import json
import logging
import multiprocessing
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.errors import BotpsyError, ConfigError, ServiceError
from botpsy.services.home import (
    ACTS,
    COLOURS,
    Act,
    Command,
    Device,
    HomeService,
    Kind,
    changed,
    colour_name,
    rgb,
)
from botpsy.services.home.home_assistant import Exposed, HomeAssistant
from botpsy.services.home.memory import LocalHome, MemoryHome, small_flat
from tests.services.servers import FakeHomeAssistant, Request, Response, as_json, serving

TOKEN = "canary-7f3a9c-token"


def fake_house() -> FakeHomeAssistant:
    return FakeHomeAssistant(
        TOKEN,
        {
            "light.kitchen_ceiling": (
                "on",
                {
                    "friendly_name": "Kitchen ceiling light",
                    "brightness": 204,
                    "color_mode": "rgb",
                    "rgb_color": [255, 0, 0],
                },
            ),
            "light.bedroom": (
                "on",
                {"brightness": 128, "color_mode": "color_temp", "color_temp_kelvin": 2700},
            ),
            "light.secret": ("on", {"friendly_name": "Not exposed"}),
            "switch.boiler": ("off", {"friendly_name": "Boiler"}),
            "switch.socket": ("off", {"device_class": "outlet"}),
            "switch.coffee": ("off", {}),
            "lock.front_door": ("locked", {"friendly_name": "Front door"}),
            "cover.living_room": ("open", {"current_position": 100}),
            "climate.flat": (
                "heat",
                {"temperature": 20, "current_temperature": 19.5, "min_temp": 7, "max_temp": 28},
            ),
            "vacuum.robot": ("docked", {}),
            "media_player.tv": ("off", {}),
            "sensor.outside": ("11.5", {"unit_of_measurement": "°C"}),
            "alarm_control_panel.house": ("armed_away", {}),
        },
    )


EXPOSED = (
    Exposed("light.kitchen_ceiling", area="kitchen", aliases=("big light", "cooking light")),
    Exposed("light.bedroom", name="Bedroom light", area="bedroom"),
    Exposed("switch.coffee", name="Coffee machine", kind="appliance"),
    Exposed("switch.*"),
    Exposed("lock.front_door"),
    Exposed("cover.living_room"),
    Exposed("climate.flat", name="Thermostat"),
    Exposed("vacuum.robot"),
    Exposed("media_player.tv"),
    Exposed("sensor.outside"),
    Exposed("light.not_installed"),
)


def flat_for_contract() -> list[Device]:
    """The small flat with ids as Home Assistant would give them."""
    names = {"thermostat.flat": "climate.flat", "tv.living_room": "media_player.tv"}
    return [Device.from_json({**d.to_json(), "id": names.get(d.id, d.id)}) for d in small_flat()]


@pytest.fixture(params=["memory", "local", "home assistant"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[HomeService]:
    if request.param == "memory":
        yield MemoryHome(flat_for_contract())
    elif request.param == "local":
        yield LocalHome(tmp_path / "home.json", flat_for_contract())
    else:
        with serving(fake_house()) as url:
            yield HomeAssistant(url, TOKEN, EXPOSED)


def device(home: HomeService, key: str) -> Device:
    return next(device for device in home.devices() if device.id == key)


@pytest.mark.parametrize(
    ("key", "command", "state"),
    [
        ("light.bedroom", Command("turn_off"), "off"),
        ("light.bedroom", Command("turn_on"), "on"),
        ("light.bedroom", Command("set", brightness=30), "on"),
        ("light.bedroom", Command("set", brightness=0), "off"),
        ("light.kitchen_ceiling", Command("set", colour="blue"), "on"),
        ("light.kitchen_ceiling", Command("set", brightness=55, colour="#123456"), "on"),
        ("switch.boiler", Command("turn_on"), "on"),
        ("lock.front_door", Command("unlock"), "unlocked"),
        ("lock.front_door", Command("lock"), "locked"),
        ("cover.living_room", Command("close"), "closed"),
        ("cover.living_room", Command("open"), "open"),
        ("cover.living_room", Command("set", position=40), "open"),
        ("climate.flat", Command("set", target=22.5), "heat"),
        ("climate.flat", Command("turn_off"), "off"),
        ("vacuum.robot", Command("start"), "cleaning"),
        ("vacuum.robot", Command("stop"), "docked"),
        ("media_player.tv", Command("turn_on"), "on"),
    ],
)
def test_a_command_does_what_it_says_and_restore_takes_it_back(
    home: HomeService, key: str, command: Command, state: str
) -> None:
    before = home.snapshot(key)
    assert before is not None
    after = home.apply(key, command)
    assert after == device(home, key)
    assert after.state == state
    for name, value in (
        ("brightness", command.brightness),
        ("colour", command.colour),
        ("target", command.target),
        ("position", command.position),
    ):
        if value:
            assert after.attributes[name] == value
    for _ in range(2):
        home.restore(key, before)
        assert home.snapshot(key) == before


@pytest.mark.parametrize(
    ("key", "command"),
    [
        ("lock.front_door", Command("turn_on")),
        ("lock.front_door", Command("open")),
        ("sensor.outside", Command("turn_off")),
        ("switch.boiler", Command("set", brightness=10)),
        ("vacuum.robot", Command("turn_on")),
        ("light.bedroom", Command("set", brightness=101)),
        ("light.bedroom", Command("set", brightness=-1)),
        ("light.bedroom", Command("set", colour="octarine")),
        ("climate.flat", Command("set", target=90)),
        ("cover.living_room", Command("set", position=400)),
        ("light.nowhere", Command("turn_on")),
    ],
)
def test_what_a_device_cannot_do_is_refused_and_changes_nothing(
    home: HomeService, key: str, command: Command
) -> None:
    before = home.devices()
    with pytest.raises(ServiceError):
        home.apply(key, command)
    assert home.devices() == before


def test_devices_cannot_be_removed_and_unknown_ones_have_no_snapshot(home: HomeService) -> None:
    assert home.snapshot("light.nowhere") is None
    home.restore("light.nowhere", None)
    with pytest.raises(ServiceError, match="vanish"):
        home.restore("light.bedroom", None)


@given(
    st.lists(
        st.tuples(
            st.sampled_from([d.id for d in small_flat()]),
            st.builds(
                Command,
                st.sampled_from(sorted({act for acts in ACTS.values() for act in acts})),
                brightness=st.none() | st.integers(-5, 105),
                colour=st.none() | st.sampled_from([*COLOURS, "#00ff7f", "mud"]),
                target=st.none() | st.floats(0, 40),
                position=st.none() | st.integers(-5, 105),
            ),
        ),
        max_size=12,
    )
)
def test_any_run_of_commands_is_undone_by_the_snapshots_in_reverse(
    steps: list[tuple[str, Command]],
) -> None:
    home = MemoryHome(small_flat())
    start = home.dump()
    taken = []
    for key, command in steps:
        before = home.snapshot(key)
        try:
            home.apply(key, command)
        except ServiceError:
            assert home.snapshot(key) == before
        else:
            taken.append((key, before))
    for key, before in reversed(taken):
        home.restore(key, before)
    assert home.dump() == start


@pytest.mark.parametrize("kind", list(ACTS))
@pytest.mark.parametrize("act", sorted({act for acts in ACTS.values() for act in acts}))
def test_unlocking_and_opening_happen_only_by_their_own_names(kind: Kind, act: Act) -> None:
    start = Device(f"{kind}.x", "X", kind, state="locked" if kind == "lock" else "closed")
    try:
        after = changed(start, Command(act))
    except ServiceError:
        return
    assert (after.state == "unlocked") == (kind == "lock" and act == "unlock")
    assert (after.state == "open") == (kind == "cover" and act == "open")


def test_colours_are_names_or_codes() -> None:
    assert colour_name(rgb(" Warm  White ")) == "warm white"
    assert rgb("#A0b1C2") == "#a0b1c2"
    for wrong in ("", "#12345", "#gggggg", "123456", "blue; drop"):
        with pytest.raises(ServiceError, match="not a colour"):
            rgb(wrong)


class TestLocal:
    def test_a_new_home_is_a_flat_and_survives(self, tmp_path: Path) -> None:
        path = tmp_path / "deep" / "home.json"
        LocalHome(path).apply("light.desk", Command("turn_on"))
        again = LocalHome(path)
        assert device(again, "light.desk").state == "on"
        assert len(again.devices()) == len(small_flat())

    @pytest.mark.parametrize(
        "content",
        [
            "",
            "[]",
            "{",
            '{"devices": 3}',
            '{"devices": [3]}',
            '{"devices": [{"id": "a"}]}',
            '{"devices": [{"id": "a", "name": "b", "kind": "bomb"}]}',
            '{"devices": [{"id": 1, "name": "b", "kind": "light"}]}',
            "\x00\xff",
            "[" * 100_000,
        ],
    )
    def test_a_damaged_file_is_reported_and_kept(self, tmp_path: Path, content: str) -> None:
        path = tmp_path / "home.json"
        path.write_text(content, encoding="latin-1")
        home = LocalHome(path)
        with pytest.raises(ServiceError):
            home.devices()
        with pytest.raises(ServiceError):
            home.apply("light.desk", Command("turn_on"))
        assert path.read_text(encoding="latin-1") == content

    def test_a_folder_that_cannot_be_written_is_reported(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(ServiceError, match="cannot be written"):
            LocalHome(tmp_path / "file" / "home.json").apply("light.desk", Command("turn_on"))

    def test_two_processes_lose_nothing(self, tmp_path: Path) -> None:
        path = tmp_path / "home.json"
        lights = [d.id for d in small_flat() if d.kind == "light"]
        context = multiprocessing.get_context("fork")
        workers = [context.Process(target=_switch_on, args=(path, lights[i::2])) for i in range(2)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        assert all(device(LocalHome(path), key).state == "on" for key in lights)


def _switch_on(path: Path, keys: list[str]) -> None:
    for key in keys:
        LocalHome(path).apply(key, Command("turn_on"))


class TestHomeAssistant:
    def test_only_exposed_entities_exist(self) -> None:
        house = fake_house()
        with serving(house) as url:
            home = HomeAssistant(url, TOKEN, EXPOSED)
            ids = {device.id for device in home.devices()}
            assert "light.secret" not in ids
            assert "switch.socket" in ids  # through the pattern
            for key in (
                "light.secret",
                "alarm_control_panel.house",
                "switch.*",
                "../config",
                "light.secret/../light.bedroom",
                "switch.x?y=1",
            ):
                assert home.snapshot(key) is None
                with pytest.raises(ServiceError, match="no device"):
                    home.apply(key, Command("turn_off"))
                with pytest.raises(ServiceError, match="no device"):
                    home.restore(key, '{"state": "off", "attributes": {}}')
            assert house.calls == []

    def test_names_areas_aliases_and_kinds_come_from_the_user_first(self) -> None:
        with serving(fake_house()) as url:
            home = HomeAssistant(url, TOKEN, EXPOSED)
            light = device(home, "light.kitchen_ceiling")
            assert (light.name, light.area) == ("Kitchen ceiling light", "kitchen")
            assert light.aliases == ("big light", "cooking light")
            assert light.attributes == {"brightness": 80, "colour": "red"}
            assert device(home, "switch.coffee").kind == "appliance"
            assert device(home, "switch.socket").kind == "plug"
            assert device(home, "climate.flat").kind == "thermostat"

    def test_each_command_calls_the_service_it_names(self) -> None:
        house = fake_house()
        with serving(house) as url:
            home = HomeAssistant(url, TOKEN, EXPOSED)
            home.apply("lock.front_door", Command("unlock"))
            home.apply("switch.coffee", Command("start"))
            home.apply("light.bedroom", Command("set", brightness=40, colour="red"))
            home.apply("climate.flat", Command("turn_off"))
            home.apply("climate.flat", Command("set", target=21))
        assert house.calls == [
            ("lock.unlock", {"entity_id": "lock.front_door"}),
            ("switch.turn_on", {"entity_id": "switch.coffee"}),
            (
                "light.turn_on",
                {
                    "entity_id": "light.bedroom",
                    "brightness_pct": 40,
                    "rgb_color": [255, 0, 0],
                },
            ),
            ("climate.turn_off", {"entity_id": "climate.flat"}),
            (
                "climate.set_temperature",
                {"entity_id": "climate.flat", "temperature": 21, "hvac_mode": "heat"},
            ),
        ]

    @pytest.mark.parametrize(
        ("answer", "message"),
        [
            (Response(401), "refused the access token"),
            (Response(500, b"oops"), "answered 500"),
            (Response(302, headers={"location": "http://127.0.0.1:1/steal"}), "answered 302"),
            (Response(200, b"<html>router login</html>"), "no JSON"),
            (as_json({"message": "hi"}), "no list of states"),
        ],
    )
    def test_failures_say_what_is_wrong(self, answer: Response, message: str) -> None:
        with serving(lambda _: answer) as url, pytest.raises(ServiceError, match=message):
            HomeAssistant(url, TOKEN, EXPOSED).devices()

    def test_nobody_there_and_too_slow(self) -> None:
        import threading

        release = threading.Event()

        def hang(_: Request) -> Response:
            release.wait(10)
            return Response(200, b"[]")

        with serving(hang) as url:
            with pytest.raises(ServiceError, match=r"within 0\.2 s"):
                HomeAssistant(url, TOKEN, EXPOSED, timeout_s=0.2).devices()
            release.set()
        with pytest.raises(ServiceError, match="cannot be reached"):
            HomeAssistant(url, TOKEN, EXPOSED).devices()

    def test_the_token_is_nowhere_but_in_the_header(
        self, caplog: pytest.LogCaptureFixture, tmp_path: Path
    ) -> None:
        caplog.set_level(logging.DEBUG)
        seen: list[Request] = []
        house = fake_house()

        def keep(request: Request) -> Response:
            seen.append(request)
            return house(request)

        texts = []
        with serving(keep) as url:
            home = HomeAssistant(url, TOKEN, EXPOSED)
            texts.append(repr(home))
            texts.append(repr(home.devices()))
            texts.append(repr(home.apply("light.bedroom", Command("turn_off"))))
            texts.append(str(home.snapshot("light.bedroom")))
        for broken in (Response(401), Response(500), Response(200, b"{")):
            with serving(lambda _, broken=broken: broken) as url:
                try:
                    HomeAssistant(url, TOKEN, EXPOSED).devices()
                except BotpsyError as error:
                    texts.append("".join(traceback.format_exception(error)))
        texts.append(caplog.text)
        assert all(TOKEN not in text for text in texts)
        assert all(TOKEN not in request.path + str(request.body) for request in seen)
        assert all(request.headers["Authorization"] == f"Bearer {TOKEN}" for request in seen)

    @pytest.mark.parametrize(
        ("url", "token", "entity"),
        [
            ("homeassistant.local", TOKEN, "light.x"),
            ("http://x", "", "light.x"),
            ("http://x", "bad\ntoken", "light.x"),
            ("http://x", TOKEN, "kitchen"),
            ("http://x", TOKEN, "*.*"),
            ("http://x", TOKEN, "alarm_control_panel.house"),
            ("http://x", TOKEN, "light.x/../../config"),
        ],
    )
    def test_wrong_settings_are_refused_at_once(self, url: str, token: str, entity: str) -> None:
        with pytest.raises(ConfigError) as error:
            HomeAssistant(url, token, [Exposed(entity)])
        assert not token or token not in str(error.value)


def test_a_snapshot_is_json_and_small() -> None:
    text = MemoryHome(small_flat()).snapshot("thermostat.flat")
    assert text is not None
    assert json.loads(text)["state"] == "heat"
