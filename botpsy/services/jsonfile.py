"""One JSON object in one file: read whole, written whole, changed by one process at a time.

A file that is not the JSON object it should be is left as it is and reported.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from botpsy.errors import ServiceError
from botpsy.services.storage import explained, locked, write_atomically

AFRESH = "Mend the file, or move it away to start afresh."


def read(path: Path) -> dict[str, Any] | None:
    """The object in the file, or None where there is no file.

    Raises:
        ServiceError: the file cannot be read, or is not a JSON object.
    """
    try:
        value = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ServiceError(f"{path} cannot be read ({error.strerror}).") from error
    except (ValueError, RecursionError) as error:
        raise ServiceError(f"{path} is not JSON.", hint=AFRESH) from error
    if not isinstance(value, dict):
        raise ServiceError(f"{path} does not hold a JSON object.", hint=AFRESH)
    return value


def write(path: Path, value: dict[str, Any]) -> None:
    """Replace the file in one step; after a crash it is the old one or the new one.

    Raises:
        ServiceError: it cannot be written (permissions, full disk); the old file stays.
    """
    with explained(f"{path} cannot be written"):
        write_atomically(path, json.dumps(value, ensure_ascii=False, indent=2).encode() + b"\n")


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold the file's lock among processes and threads."""
    with explained(f"{path} cannot be written"), locked(path):
        yield
