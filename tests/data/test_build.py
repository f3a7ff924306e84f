"""A build is the same whoever does it and however often it is killed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from botpsy.chat.types import Message
from botpsy.data import build as building
from botpsy.data.audit import audit
from botpsy.data.build import Job, Unit, build, units_of, write_unit
from botpsy.data.files import read_rows
from botpsy.data.recipe import DataRecipe, read_recipe
from botpsy.data.sources import Source
from botpsy.data.types import MissingDataError, UnusableError
from botpsy.errors import ConfigError, UsageError
from tests.data.rows import assert_sound
from tests.data.test_types import row

FAMILIES = ["calendar.book_appointment", "calendar.two_errands", "reminders.start_timer"]


@pytest.fixture(autouse=True)
def small_units(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "UNIT", 20)


def recipe(rows: int = 46, **fields: Any) -> DataRecipe:
    source = {"name": "worlds", "rows": rows, "options": {"families": FAMILIES}}
    return DataRecipe.model_validate({"name": "test", "source": [source]} | fields)


def outputs(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_one_worker_or_two(tmp_path: Path) -> None:
    one = build(recipe(), tmp_path / "one", corpora=tmp_path)
    two = build(recipe(), tmp_path / "two", corpora=tmp_path, workers=2)
    assert one == two
    assert one.rows == {"conversations.jsonl": 46}
    assert outputs(tmp_path / "one") == outputs(tmp_path / "two")
    rows = list(read_rows(tmp_path / "one" / "conversations.jsonl"))
    assert len({each.id for each in rows}) == 46
    for each in rows:
        assert_sound(each)


def test_killed_and_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = build(recipe(), tmp_path / "whole", corpora=tmp_path)
    made: list[Unit] = []

    def fragile(job: Job, unit: Unit) -> None:
        if len(made) == 2:
            raise KeyboardInterrupt
        made.append(unit)
        write_unit(job, unit)

    monkeypatch.setattr(building, "write_unit", fragile)
    with pytest.raises(KeyboardInterrupt):
        build(recipe(), tmp_path / "killed", corpora=tmp_path)
    assert not (tmp_path / "killed" / "conversations.jsonl").exists()
    left: list[Unit] = []
    monkeypatch.setattr(building, "write_unit", lambda j, u: (left.append(u), write_unit(j, u)))
    seen: list[tuple[int, int]] = []
    again = build(
        recipe(), tmp_path / "killed", corpora=tmp_path, progress=lambda *at: seen.append(at)
    )
    assert again == whole
    assert outputs(tmp_path / "killed") == outputs(tmp_path / "whole")
    assert [unit.n for unit in left] == [2]
    assert seen == [(3, 3)]


def test_a_whole_build_is_not_built_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = build(recipe(20), tmp_path / "out", corpora=tmp_path)
    monkeypatch.setattr(building, "write_unit", None)
    assert build(recipe(20), tmp_path / "out", corpora=tmp_path) == first


@pytest.mark.parametrize("other", [recipe(20, seed=1), recipe(21)])
def test_another_recipe_does_not_mix_in(tmp_path: Path, other: DataRecipe) -> None:
    build(recipe(20), tmp_path / "out", corpora=tmp_path)
    before = outputs(tmp_path / "out")
    with pytest.raises(UsageError, match=r"another build.*recipe"):
        build(other, tmp_path / "out", corpora=tmp_path)
    assert outputs(tmp_path / "out") == before


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(UsageError, match="not empty"):
        build(recipe(20), tmp_path, corpora=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_folder_in_use_is_left_to_its_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def meanwhile(job: Job, unit: Unit) -> None:
        with pytest.raises(UsageError, match="at work in"):
            build(recipe(20), tmp_path / "out", corpora=tmp_path)
        seen.append("refused")
        write_unit(job, unit)

    monkeypatch.setattr(building, "write_unit", meanwhile)
    report = build(recipe(20), tmp_path / "out", corpora=tmp_path)
    assert seen == ["refused"]
    assert report.rows == {"conversations.jsonl": 20}
    assert set(outputs(tmp_path / "out")) == {"build.json", "conversations.jsonl"}


def test_what_failed_before_it_made_anything_keeps_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(job: Job, unit: Unit) -> None:
        raise ConfigError("this is no tokenizer")

    with monkeypatch.context() as patch:
        patch.setattr(building, "write_unit", failing)
        with pytest.raises(ConfigError, match="no tokenizer"):
            build(recipe(20), tmp_path / "out", corpora=tmp_path)
    report = build(recipe(20, seed=1), tmp_path / "out", corpora=tmp_path)
    assert report.rows == {"conversations.jsonl": 20}


def test_a_build_without_its_files_is_not_called_whole(tmp_path: Path) -> None:
    build(recipe(20), tmp_path / "out", corpora=tmp_path)
    (tmp_path / "out" / "conversations.jsonl").unlink()
    with pytest.raises(UsageError, match=r"without its conversations\.jsonl"):
        build(recipe(20), tmp_path / "out", corpora=tmp_path)


@pytest.mark.parametrize("stored", [b"[1", b"[1]", b'{"identity": 3}', b"\xff"])
def test_a_damaged_manifest_is_another_build(tmp_path: Path, stored: bytes) -> None:
    build(recipe(20), tmp_path / "out", corpora=tmp_path)
    (tmp_path / "out" / "build.json").write_bytes(stored)
    before = outputs(tmp_path / "out")
    with pytest.raises(UsageError, match="another build"):
        build(recipe(20), tmp_path / "out", corpora=tmp_path)
    assert outputs(tmp_path / "out") == before


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(UsageError, match="no folder"):
        build(recipe(20), tmp_path / "out", corpora=tmp_path)
    assert (tmp_path / "out").read_text() == "mine"


def test_validation_is_apart_by_group(tmp_path: Path) -> None:
    report = build(recipe(60, validation=0.4, seed=5), tmp_path / "out", corpora=tmp_path)
    assert sum(report.rows.values()) == 60
    train = read_rows(tmp_path / "out" / "conversations.jsonl")
    kept = read_rows(tmp_path / "out" / "conversations.validation.jsonl")
    groups = [{each.group for each in rows} for rows in (train, kept)]
    assert all(groups)
    assert not groups[0] & groups[1]


def test_parquet_holds_the_same_rows(tmp_path: Path) -> None:
    build(recipe(30), tmp_path / "lines", corpora=tmp_path)
    build(recipe(30), tmp_path / "table", corpora=tmp_path, form="parquet")
    lines = list(read_rows(tmp_path / "lines" / "conversations.jsonl"))
    assert list(read_rows(tmp_path / "table" / "conversations.parquet")) == lines


def test_a_table_that_is_half_there_is_named(tmp_path: Path) -> None:
    build(recipe(20), tmp_path / "out", corpora=tmp_path, form="parquet")
    table = tmp_path / "out" / "conversations.parquet"
    table.write_bytes(table.read_bytes()[:-100])
    with pytest.raises(ConfigError, match=r"conversations\.parquet cannot be read"):
        list(read_rows(table))
    with pytest.raises(ConfigError, match=r"conversations\.parquet cannot be read"):
        audit([tmp_path / "out"])


@pytest.mark.parametrize(("form", "reader"), [("jsonl", "json"), ("parquet", "parquet")])
def test_datasets_makes_no_nulls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: Any, reader: str
) -> None:
    from datasets import load_dataset

    build(recipe(20), tmp_path / "out", corpora=tmp_path, form=form)
    path = tmp_path / "out" / f"conversations.{form}"
    table = load_dataset(reader, data_files=str(path), cache_dir=str(tmp_path / "cache"))["train"]
    from botpsy.data.types import Row

    assert [Row.from_json(each) for each in table] == list(read_rows(path))
    arguments = [call for each in table for call in json.loads(each["messages"]) if "calls" in call]
    assert arguments
    assert "null" not in json.dumps(arguments)


def test_too_long_is_left_out_and_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Words:
        def encode(self, text: str) -> list[int]:
            return [1] * len(text.split())

        def token_id(self, special: str) -> int:
            return 2

    monkeypatch.setattr(building, "_tokens", lambda path: Words())
    limited = recipe(40, max_tokens=260)
    with pytest.raises(ConfigError, match="tokenizer"):
        build(limited, tmp_path / "out", corpora=tmp_path)
    tokenizer = tmp_path / "tokenizer.json"
    tokenizer.write_text("{}")
    report = build(limited, tmp_path / "out", corpora=tmp_path, tokenizer=tokenizer)
    refused = report.refused["worlds"]["more than 260 tokens"]
    assert refused
    rows = list(read_rows(tmp_path / "out" / "conversations.jsonl"))
    assert len(rows) + report.short["worlds"] == 40
    from botpsy.chat.formats import POCKET

    assert all(len(POCKET.encode(each.messages, each.tools, Words())[0]) <= 260 for each in rows)
    assert all(each.messages[-1].content for each in rows)


def test_what_cannot_be_made_and_what_repeats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make(number: int) -> Any:
        if number % 2:
            raise UnusableError("odd")
        if number < 10:
            raise UnusableError("small")
        said = Message("user", f"say {number % 25}")
        return row(id=f"test/{number}", messages=(said, Message("assistant", "ok")))

    monkeypatch.setattr(building, "_open", lambda *_: Source(make))
    report = build(recipe(100), tmp_path / "out", corpora=tmp_path)
    assert report.short == {"worlds": 50}
    assert report.refused["worlds"] == {"odd": 50 * building.TRIES, "small": 5}
    assert report.repeated == {"worlds": 25}
    assert report.by_source == {"worlds": 25}


def test_an_absent_corpus_is_named_and_the_rest_builds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = building._open

    def open_(text: str, at: int, corpora: Path) -> Source:
        if at == 1:
            raise MissingDataError("sgd: dev.jsonl.gz is not there (CC-BY-SA-4.0).", "Get it.")
        return opened(text, at, corpora)

    monkeypatch.setattr(building, "_open", open_)
    both = recipe(20)
    both = both.model_copy(update={"source": both.source * 2})
    report = build(both, tmp_path / "out", corpora=tmp_path)
    assert "CC-BY-SA-4.0" in report.missing["worlds"]
    assert report.by_source == {"worlds": 20}


def test_units_cover_the_recipe() -> None:
    units = units_of(recipe(50))
    assert [(unit.first, unit.count) for unit in units] == [(0, 20), (20, 20), (40, 10)]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("name = 'a'", "source"),
        ("name = 'a'\nseeds = 1\n[[source]]\nname='worlds'\nrows=1", "seeds: this key is not"),
        ("name = '[bold]A B/..'\n[[source]]\nname='worlds'\nrows=1", "name"),
        ("name = 'a'\n[[source]]\nname='worlds'\nrows=0", "rows"),
        ("name = 'a'\n[[source]]\nname='worlds'\nrows=1000000000000", "rows"),
        ("name = 'a'\n[[source]]\nname='worlds'\nrows=1\n[source.augment]\nnear=2", "near"),
        ("name = ", "not TOML"),
    ],
)
def test_recipes_that_say_nothing_sensible(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=why):
        read_recipe(path)


def test_unknown_sources_and_options(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no source 'nowhere'"):
        build(
            DataRecipe.model_validate({"name": "a", "source": [{"name": "nowhere", "rows": 1}]}),
            tmp_path / "out",
            corpora=tmp_path,
        )
    for options in ({"colour": 1}, {"kinds": ["happy"]}, {"families": ["calendar.nothing"]}):
        source = {"name": "worlds", "rows": 1, "options": options}
        with pytest.raises(ConfigError, match="source worlds: options"):
            build(
                DataRecipe.model_validate({"name": "a", "source": [source]}),
                tmp_path / "out",
                corpora=tmp_path,
            )
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_ray_builds_the_same(tmp_path: Path) -> None:
    import ray

    from botpsy.data.scale import run_on_ray

    local = build(recipe(), tmp_path / "local", corpora=tmp_path)
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        spread = build(recipe(), tmp_path / "ray", corpora=tmp_path, run=run_on_ray)
    finally:
        ray.shutdown()
    assert spread == local
    assert outputs(tmp_path / "ray") == outputs(tmp_path / "local")
