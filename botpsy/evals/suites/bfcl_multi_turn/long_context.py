"""What the long-context cases add to the environments: the official file of constants.

It is a Python file in the official package. It is read as data, literal by literal; nothing in it
is run.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

from botpsy.errors import ConfigError

_NAMES = {
    "file_content": "FILE_CONTENT_EXTENSION",
    "file_names": "POPULATE_FILE_EXTENSION",
    "kept_files": "FILES_TAIL_USED",
    "watch_list": "WATCH_LIST_EXTENSION",
    "transactions": "TRANSACTION_HISTORY_EXTENSION",
    "ma_5": "MA_5_EXTENSION",
    "ma_20": "MA_20_EXTENSION",
    "technology": "TECHNOLOGY_EXTENSION",
    "automobile": "AUTOMOBILE_EXTENSION",
    "order_details": "ORDER_DETAIL_EXTENSION",
    "car": "CAR_STATUS_METADATA_EXTENSION",
    "brake": "PARKING_BRAKE_INSTRUCTION",
    "weather": "LONG_WEATHER_EXTENSION",
    "cities": "INTERMEDIARY_CITIES",
    "cards": "CREDIT_CARD_EXTENSION",
    "bookings": "BOOKING_RECORD_EXTENSION",
}


def read_long_context(path: Path) -> dict[str, Any]:
    """The constants, by what they are for.

    Raises:
        ConfigError: the file is none, or lacks one.
    """
    found: dict[str, Any] = {}
    try:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    found[name] = ast.literal_eval(value)
    except (SyntaxError, ValueError, OSError) as error:
        raise ConfigError(f"{path} cannot be read: {error}.") from None
    missing = [name for name in _NAMES.values() if name not in found]
    if missing:
        raise ConfigError(f"{path} lacks {', '.join(missing)}.")
    named = {ours: found[theirs] for ours, theirs in _NAMES.items()}
    sectors = {"Technology": named.pop("technology"), "Automobile": named.pop("automobile")}
    return named | {"sectors": sectors}
