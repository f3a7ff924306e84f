"""Files of rows: parts joined in an order by chance, repeats left out, validation apart; and read.

A part is one unit of a build: a line about the unit, then a row a line.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import IO, Any, BinaryIO, Literal

from botpsy.data.recipe import DataRecipe
from botpsy.data.types import Row
from botpsy.errors import ConfigError, UsageError

Form = Literal["jsonl", "parquet"]
LOCK = ".lock"
"""In a folder that somebody holds."""


@dataclass
class Report:
    """What was built.

    Attributes:
        rows: written, by file.
        by_source: written, by source.
        refused: items that made no row, by source and reason; others were tried instead.
        short: rows that could not be made at all, by source.
        repeated: rows left out because another is word for word the same, by source.
        missing: sources that were not there, with what to do.
    """

    rows: dict[str, int] = field(default_factory=dict)
    by_source: dict[str, int] = field(default_factory=dict)
    refused: dict[str, dict[str, int]] = field(default_factory=dict)
    short: dict[str, int] = field(default_factory=dict)
    repeated: dict[str, int] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)


def write_whole(path: Path, content: bytes) -> None:
    """All or nothing; two that write the same file at once do not meet."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    with temporary.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


@contextmanager
def alone(folder: Path, what: str, mark: str) -> Iterator[None]:
    """Hold a folder, made if need be, against others who would write in it at the same time.

    Args:
        what: is in it: "build", "run".
        mark: the file by which one is known that was begun.

    Raises:
        UsageError: it holds something else, or somebody is at work in it.
    """
    lock = folder / LOCK
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is no folder.", "Choose another.")
    if folder.exists() and not (folder / mark).exists() and set(folder.iterdir()) - {lock}:
        raise UsageError(f"{folder} is not empty and holds no {what}.", "Choose another folder.")
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(lock, f"Another {what} is at work in {folder}."):
        yield


@contextmanager
def _locked(lock: Path, busy: str) -> Iterator[None]:
    while True:
        with lock.open("a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise UsageError(busy, "Let it end, or choose another folder.") from None
            if not _is(file, lock):
                continue  # its last holder took the file away in between
            try:
                yield
            finally:
                lock.unlink(missing_ok=True)
            return


def _is(file: IO[str], path: Path) -> bool:
    """Whether a path still leads to an open file."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


@dataclass(frozen=True, slots=True)
class _Line:
    """Where a row's line stands, and where it is to go."""

    part: Path
    at: int
    size: int
    target: str


def join(recipe: DataRecipe, parts: Sequence[Path], out: Path, form: Form, report: Report) -> None:
    """Join the parts: repeats left out, order by chance, validation apart."""
    lines = list(_lines(recipe, parts, report))
    Random(f"order:{recipe.seed}").shuffle(lines)  # noqa: S311 - chance, not secrets
    targets = sorted({line.target for line in lines})
    for target in targets:
        mine = [line for line in lines if line.target == target]
        report.rows[f"{target}.{form}"] = len(mine)
        temporary = out / f".{target}.{form}"
        if form == "parquet":
            _parquet(temporary, _read(mine))
        else:
            with temporary.open("wb") as file:
                file.writelines(_read(mine))
        temporary.replace(out / f"{target}.{form}")


def _lines(recipe: DataRecipe, parts: Sequence[Path], report: Report) -> Iterator[_Line]:
    seen: set[bytes] = set()
    refused: defaultdict[str, Counter[str]] = defaultdict(Counter)
    short, repeated, made = Counter[str](), Counter[str](), Counter[str]()
    for part in parts:
        with part.open("rb") as file:
            head = json.loads(file.readline())
            name = head["source"]
            refused[name].update(head["refused"])
            short[name] += head["short"]
            at = file.tell()
            for line in file:
                row = json.loads(line)
                text = row["messages"] + row["tools"]
                key = hashlib.blake2b(text.encode(), digest_size=12).digest()
                if key in seen:
                    repeated[name] += 1
                else:
                    seen.add(key)
                    made[name] += 1
                    yield _Line(part, at, len(line), _target(recipe, row))
                at += len(line)
    report.refused = {name: dict(reasons) for name, reasons in refused.items()}
    report.short, report.repeated, report.by_source = dict(short), dict(repeated), dict(made)


def _target(recipe: DataRecipe, row: Mapping[str, Any]) -> str:
    kind = "tasks" if row["verifier"] else "conversations"
    group = hashlib.sha256(f"{recipe.seed}:{row['source']}:{row['group']}".encode()).digest()
    kept = int.from_bytes(group[:8], "big") < recipe.validation * 2**64
    return f"{kind}.validation" if kept else kind


def _read(lines: Iterable[_Line]) -> Iterator[bytes]:
    files: dict[Path, BinaryIO] = {}
    try:
        for line in lines:
            if line.part not in files:
                if len(files) > 200:
                    files.pop(next(iter(files))).close()
                files[line.part] = line.part.open("rb")
            file = files[line.part]
            file.seek(line.at)
            yield file.read(line.size)
    finally:
        for file in files.values():
            file.close()


def _parquet(path: Path, lines: Iterable[bytes]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    text, number = pa.string(), pa.int64()
    columns = {"seed": number, "changes": pa.list_(text)}
    names = list(Row.__dataclass_fields__)
    names.remove("without")
    schema = pa.schema([(name, columns.get(name, text)) for name in names])
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        batch: list[dict[str, Any]] = []
        for line in lines:
            batch.append(json.loads(line))
            if len(batch) == 1000:
                writer.write_table(pa.Table.from_pylist(batch, schema))
                batch.clear()
        writer.write_table(pa.Table.from_pylist(batch, schema))


def read_rows(path: Path) -> Iterator[Row]:
    """The rows in a file that ``build`` wrote, JSONL or Parquet.

    Raises:
        ConfigError: it is no such file; names the line.
    """
    for n, stored in enumerate(read_stored(path), 1):
        try:
            yield Row.from_json(stored)
        except ConfigError as error:
            raise ConfigError(f"{path}, row {n}: {error}") from None


def read_stored(path: Path) -> Iterator[dict[str, Any]]:
    """The same rows as they are stored: flat columns (``Row.to_json``).

    Raises:
        ConfigError: it is no such file; names the line.
    """
    if not path.is_file():
        raise ConfigError(f"There is no file {path}.", "Build it with `botpsy data build`.")
    if path.suffix == ".parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            for batch in pq.ParquetFile(path).iter_batches(1000):
                yield from batch.to_pylist()
        except pa.ArrowException as error:
            raise ConfigError(f"{path} cannot be read as Parquet: {error}.") from None
        return
    with path.open(encoding="utf-8") as file:
        try:
            for n, line in enumerate(file, 1):
                stored = json.loads(line)
                if not isinstance(stored, dict):
                    raise ConfigError(f"{path}, line {n}: this is no row of data.")
                yield stored
        except UnicodeDecodeError as error:
            raise ConfigError(f"{path} is not text in UTF-8: {error}.") from None
        except (ValueError, RecursionError) as error:
            raise ConfigError(f"{path}, line {n}: {error}") from None


def data_files(path: Path) -> list[Path]:
    """The files of rows in a folder that ``build`` made, or the one file that is named.

    Raises:
        ConfigError: there is none.
    """
    if not path.is_dir():
        return [path]
    found = [each for form in ("jsonl", "parquet") for each in sorted(path.glob(f"*.{form}"))]
    if not found:
        raise ConfigError(f"No data is in {path}.", "Build it with `botpsy data build`.")
    return found
