"""A corpus that is damaged, half there or another file is named; it never becomes a traceback, nor
fewer rows in silence."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from botpsy.data.recipe import SourceRecipe
from botpsy.data.sources import open_source
from botpsy.errors import ConfigError

TOOL = {
    "api_name": "getWeather",
    "api_description": "Tell the weather.",
    "field": "Weather",
    "parameters": {"city": {"type": "str", "description": "Where."}},
    "required": ["city"],
    "responses": {},
}
REQUEST = {
    "id": "dev-easy-1",
    "query": "What is the weather in Oslo?",
    "calling": [{"api": "getWeather", "parameters": {"city": "Oslo"}, "responses": []}],
}
SERVICE = {"service_name": "Shops_1", "description": "", "slots": [], "intents": []}
SAID = {"answerid": "1", "scenario": "alarm", "intent": "set", "answer_annotation": "wake me up"}
FILES: dict[str, dict[str, bytes]] = {
    "seal_tools": {
        "tool.jsonl": json.dumps(TOOL).encode(),
        "dev.jsonl": json.dumps(REQUEST).encode(),
        "test_in_domain.jsonl": json.dumps(REQUEST | {"id": "dev-easy-2"}).encode(),
    },
    "sgd": {
        "train_schema.json": json.dumps([SERVICE]).encode(),
        "train.jsonl.gz": gzip.compress(b'{"services": ["Shops_1"]}\n' * 9),
        "dev_schema.json": json.dumps([SERVICE]).encode(),
        "dev.jsonl.gz": gzip.compress(b'{"services": ["Shops_1"]}\n'),
    },
    "hwu64": {"train.jsonl": json.dumps(SAID).encode()},
    "clinc150": {
        "train_val.json": json.dumps(
            {"train": [["hi", "greeting"]], "val": [], "oos_train": [], "oos_val": []}
        ).encode(),
        "domains.json": json.dumps({"small_talk": ["greeting"]}).encode(),
    },
}
DAMAGE = {
    "half": lambda content: content[: len(content) // 2],
    "empty": lambda content: b"",
    "other bytes": lambda content: b"\xff\xfe\x00" * 40,
    "another object": lambda content: b'{"a": 1}',
    "a list": lambda content: b"[1]",
}


@pytest.mark.parametrize("corpus", FILES)
def test_what_is_whole_opens(tmp_path: Path, corpus: str) -> None:
    for name, content in FILES[corpus].items():
        (tmp_path / name).write_bytes(content)
    assert open_source(SourceRecipe(name=corpus, rows=1, path="."), 1, tmp_path).size


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize(("corpus", "name"), [(c, n) for c, files in FILES.items() for n in files])
def test_a_damaged_file_is_named(tmp_path: Path, corpus: str, name: str, damage: str) -> None:
    for each, content in FILES[corpus].items():
        path = tmp_path / corpus / each
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(DAMAGE[damage](content) if each == name else content)
    with pytest.raises(ConfigError, match=rf"{corpus}(/{name})? does not hold ") as caught:
        open_source(SourceRecipe(name=corpus, rows=1), 1, tmp_path)
    assert len(caught.value.message) < 400


def test_a_dialogue_that_is_cut_is_named(tmp_path: Path) -> None:
    for name, content in FILES["sgd"].items():
        (tmp_path / name).write_bytes(content)
    source = open_source(SourceRecipe(name="sgd", rows=1, path="."), 1, tmp_path)
    with pytest.raises(ConfigError, match="does not hold the Schema-Guided Dialogue corpus"):
        source.make(1)
