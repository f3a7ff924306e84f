"""Calls of real APIs: schemas hold, values are in the request, some services are kept out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botpsy.chat.schema import gate
from botpsy.chat.types import Json
from botpsy.data.augment import augment
from botpsy.data.recipe import Augment, SourceRecipe
from botpsy.data.sources import Source, _descriptions, open_source
from botpsy.data.sources._descriptions import operations, plain, services, snake
from botpsy.data.sources.apis import held_out, spec_of
from botpsy.data.types import MissingDataError, UnusableError
from botpsy.errors import ConfigError
from tests.data.rows import assert_sound

SERVICES = ["s3", "sqs", "drive.v3", "calendar.v3", "dynamodb"]
OPEN = [name for name in SERVICES if not held_out(name)]


def source(seed: int = 1, **options: Any) -> Source:
    recipe = SourceRecipe(name="apis", rows=1, options={"services": OPEN} | options)
    return open_source(recipe, seed, Path())


ALL = source()


def leaves(value: Json) -> list[Json]:
    if isinstance(value, dict):
        return [leaf for part in value.values() for leaf in leaves(part)]
    if isinstance(value, list):
        return [leaf for part in value for leaf in leaves(part)]
    return [value]


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10**6))
def test_any_row_is_sound_and_its_values_are_said(number: int) -> None:
    try:
        row = ALL.make(number)
    except UnusableError:
        return
    assert_sound(row)
    assert not held_out(row.group)
    said = row.messages[0].content
    for call in row.messages[1].calls:
        for value in leaves(call.arguments):
            assert isinstance(value, bool) or str(value) in said
    assert 1 <= len(row.tools) <= 8


def test_the_same_number_gives_the_same_row() -> None:
    again = source()
    for number in (40, 3, 17):
        assert again.make(number) == ALL.make(number)


def test_what_is_not_asked_for_is_not_given() -> None:
    bare = source(optional=0, parallel=0.0)
    for number in range(40):
        row = bare.make(number)
        call = row.messages[1].calls[0]
        spec = next(tool for tool in row.tools if tool.name == call.name)
        assert set(call.arguments) == set(spec.parameters.get("required", ()))
        assert row.kind == "single"


def test_a_value_can_be_taken_out() -> None:
    asked = 0
    for number in range(60):
        row = ALL.make(number)
        from random import Random

        made = augment(row, Augment(remove_value=1.0), Random(number), ())
        if made.changes:
            asked += 1
            assert made.messages[2].content not in made.messages[0].content
            assert_sound(made)
    assert asked > 10


def test_every_schema_passes_the_gate() -> None:
    for kind, service in services()[::60]:
        for operation in operations(kind, service):
            assert not gate([spec_of(operation)]).refused


def test_a_share_of_services_is_held_out() -> None:
    known = services()
    share = sum(held_out(name) for _, name in known) / len(known)
    assert 0.08 < share < 0.22
    held = next(name for _, name in known if held_out(name))
    with pytest.raises(ConfigError, match="held out"):
        source(services=[held])


def test_documentation_becomes_one_sentence() -> None:
    assert plain("<p>Creates a <b>queue</b>. More.</p>") == "Creates a queue"
    assert plain("Required. The parent, e.g. `projects/x`.") == "The parent, e.g"
    assert plain("A [link](https://example.org) to &lt;it&gt;") == "A link to <it>"
    assert len(plain("word " * 100, 80)) <= 80


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("DescribeDBInstances", "describe_db_instances"), ("drive.files_list", "drive_files_list")],
)
def test_names(name: str, wanted: str) -> None:
    assert snake(name) == wanted


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_descriptions.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingDataError, match=r"botocore \(Apache-2.0\).*botpsy\[data\]"):
        services()
