"""Small wheels that stand in for the one with the default model."""

from __future__ import annotations

import hashlib
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from botpsy.engines import default_model
from botpsy.engines.wheel import WheelPin

PROJECT, VERSION = "tiny-model", "1.0"
NAME = "tiny_model-1.0-py3-none-any.whl"
MEMBER = "tiny_model/Tiny.gguf"


@dataclass(frozen=True)
class FakeWheel:
    path: Path
    body: bytes
    model: bytes
    pin: WheelPin


def build_wheel(folder: Path, model: bytes) -> FakeWheel:
    """A wheel that pip accepts, holding ``model``, and the pin that describes it."""
    info = f"tiny_model-{VERSION}.dist-info"
    path = folder / NAME
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(MEMBER, model)
        archive.writestr(
            f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {PROJECT}\nVersion: {VERSION}\n"
        )
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/RECORD", "")
    body = path.read_bytes()
    pin = WheelPin(
        project=PROJECT,
        version=VERSION,
        filename=NAME,
        sha256=hashlib.sha256(body).hexdigest(),
        size=len(body),
        member=MEMBER,
        member_sha256=hashlib.sha256(model).hexdigest(),
        member_size=len(model),
    )
    return FakeWheel(path, body, model, pin)


def isolate(monkeypatch: pytest.MonkeyPatch, cache: Path, pin: WheelPin) -> None:
    """Our own cache, the fake pin, and none of the tester's pip, proxy or hub settings."""
    for key in ("INDEX_URL", "EXTRA_INDEX_URL", "FIND_LINKS", "NO_INDEX", "CERT", "PROXY"):
        monkeypatch.delenv(f"PIP_{key}", raising=False)
    for key in ("HF_TOKEN", "HF_ENDPOINT"):
        monkeypatch.delenv(key, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("BOTPSY_CACHE", str(cache))
    monkeypatch.setattr(default_model, "PIN", pin)
