"""Settings: one contract for the store in memory and the one on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from botpsy.errors import ServiceError
from botpsy.services.device import DEFAULTS, DeviceService
from botpsy.services.device.memory import LocalDevice, MemoryDevice


@pytest.fixture(params=["memory", "local"])
def device(request: pytest.FixtureRequest, tmp_path: Path) -> DeviceService:
    return MemoryDevice() if request.param == "memory" else LocalDevice(tmp_path / "device.json")


def test_settings_start_at_their_defaults_and_are_remembered(device: DeviceService) -> None:
    assert device.settings() == DEFAULTS
    assert device.change("volume", 80) == {"volume": 80}
    assert device.change("bluetooth", True) == {"bluetooth": True}
    assert device.settings() == {**DEFAULTS, "volume": 80, "bluetooth": True}


def test_one_setting_can_change_others_and_says_so(device: DeviceService) -> None:
    device.change("bluetooth", True)
    assert device.change("airplane_mode", True) == {
        "airplane_mode": True,
        "wifi": False,
        "bluetooth": False,
    }
    assert device.change("wifi", True) == {"wifi": True}
    device.change("muted", True)
    assert device.change("volume", 20) == {"volume": 20, "muted": False}
    assert device.change("volume", 20) == {}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("volume", 101),
        ("volume", -1),
        ("volume", True),
        ("volume", "40"),
        ("volume", 40.5),
        ("wifi", 1),
        ("wifi", None),
        ("warp_drive", True),
        ("", 0),
    ],
)
def test_what_a_setting_does_not_take_is_refused(
    device: DeviceService, name: str, value: object
) -> None:
    with pytest.raises(ServiceError):
        device.change(name, value)  # type: ignore[arg-type]
    assert device.settings() == DEFAULTS


def test_every_setting_goes_back_to_its_snapshot(device: DeviceService) -> None:
    before = {name: device.snapshot(name) for name in DEFAULTS}
    for name, value in DEFAULTS.items():
        device.change(name, not value if isinstance(value, bool) else 3)
    for name, text in before.items():
        device.restore(name, text)
        device.restore(name, text)
        assert device.snapshot(name) == text
    assert device.settings() == DEFAULTS
    assert device.snapshot("warp_drive") is None
    device.restore("warp_drive", None)
    with pytest.raises(ServiceError, match="cannot be removed"):
        device.restore("wifi", None)


@pytest.mark.parametrize(
    "content", ["", "[]", "nonsense", '{"volume": 900}', '{"unknown": true}', '{"wifi": "on"}']
)
def test_a_damaged_file_is_reported_and_kept(tmp_path: Path, content: str) -> None:
    path = tmp_path / "device.json"
    path.write_text(content)
    device = LocalDevice(path)
    with pytest.raises(ServiceError):
        device.settings()
    with pytest.raises(ServiceError):
        device.change("wifi", False)
    assert path.read_text() == content


def test_low_power_mode_keeps_the_location_off(tmp_path: Path) -> None:
    for device in (MemoryDevice(), LocalDevice(tmp_path / "settings.json")):
        device.change("location", False)
        device.change("low_power", True)
        before = dict(device.settings())
        with pytest.raises(ServiceError, match="turn low_power off first"):
            device.change("location", True)
        assert device.settings() == before
        assert device.change("location", False) == {}
        device.change("low_power", False)
        assert device.change("location", True) == {"location": True}


def test_undo_leads_back_to_a_location_on_under_low_power() -> None:
    device = MemoryDevice({"location": True, "low_power": True})
    kept = device.snapshot("location")
    device.change("location", False)
    device.restore("location", kept)
    assert device.settings()["location"] is True
