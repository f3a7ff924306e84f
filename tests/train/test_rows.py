"""Rows become tokens whole, with the mask of the chat format; passes hold every row."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.chat.formats import POCKET, QWEN3_5, ChatFormat
from botpsy.chat.tokens import Characters
from botpsy.chat.types import Message
from botpsy.errors import ConfigError
from botpsy.train.rows import Example, count, encode_row, passes, read_examples
from tests.train.toy import lamp_row, write_rows


@pytest.mark.parametrize("chat", [POCKET, QWEN3_5], ids=["pocket", "qwen3_5"])
def test_only_what_the_assistant_wrote_is_learnt(chat: ChatFormat) -> None:
    tokens = Characters(chat.specials)
    row = lamp_row(0)
    example = encode_row(row, chat, tokens)
    learnt = tokens.decode([n for n, on in zip(example.ids, example.mask, strict=True) if on])
    replies = [each for each in row.messages if each.role == "assistant"]
    assert learnt == "".join(chat.reply(each, row.tools) + "<|im_end|>" for each in replies)
    assert "Done." not in learnt
    assert tokens.decode(example.ids) == chat.render(
        row.messages, row.tools, add_generation_prompt=False
    )


def test_a_long_row_is_refused_and_never_cut(tmp_path: Path) -> None:
    tokens = Characters(POCKET.specials)
    rows = [lamp_row(n) for n in range(8)]
    sizes = [len(encode_row(row, POCKET, tokens)) for row in rows]
    path = write_rows(tmp_path / "conversations.jsonl", rows)
    whole = read_examples([path], POCKET, tokens, max(sizes))
    assert [len(each) for each in whole] == sizes
    assert count(whole).longest == max(sizes)
    with pytest.raises(ConfigError, match=r"1 row has more than .* lamp/4\."):
        read_examples([path], POCKET, tokens, max(sizes) - 1)
    with pytest.raises(ConfigError, match=r"8 rows have .* lamp/0, lamp/1, lamp/2, …"):
        read_examples([path], POCKET, tokens, 20)


def test_tasks_and_nothing_are_refused(tmp_path: Path) -> None:
    tokens = Characters(POCKET.specials)
    task = write_rows(tmp_path / "tasks.jsonl", [lamp_row(1, task=True)])
    with pytest.raises(ConfigError, match="lamp/1 is a task"):
        read_examples([task], POCKET, tokens, 999)
    empty = write_rows(tmp_path / "conversations.jsonl", [])
    with pytest.raises(ConfigError, match="There are no rows"):
        read_examples([empty], POCKET, tokens, 999)


def test_a_row_with_nothing_to_learn_is_refused(tmp_path: Path) -> None:
    row = replace(lamp_row(1), messages=(Message("user", "Hello?"),))
    path = write_rows(tmp_path / "conversations.jsonl", [row])
    with pytest.raises(ConfigError, match="nothing, or everything, to be learnt: lamp/1"):
        read_examples([path], POCKET, Characters(POCKET.specials), 999)


def test_a_row_with_everything_to_learn_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_rows(tmp_path / "conversations.jsonl", [lamp_row(1)])
    monkeypatch.setattr(
        "botpsy.train.rows.encode_row", lambda row, *_: Example(row.id, (1, 2, 3), (0, 1, 1))
    )
    with pytest.raises(ConfigError, match="nothing, or everything, to be learnt: lamp/1"):
        read_examples([path], POCKET, Characters(POCKET.specials), 999)


lengths = st.lists(st.integers(1, 60), min_size=1, max_size=80)


@given(lengths, st.integers(60, 200), st.integers(1, 4), st.integers(1, 3), st.integers(0, 9))
def test_every_row_once_an_epoch_within_the_budget(
    sizes: list[int], budget: int, multiple: int, epochs: int, seed: int
) -> None:
    if len(sizes) < multiple:
        with pytest.raises(ConfigError, match="cannot fill one step"):
            passes(sizes, budget=budget, multiple=multiple, epochs=epochs, seed=seed)
        return
    made = passes(sizes, budget=budget, multiple=multiple, epochs=epochs, seed=seed)
    assert made == passes(sizes, budget=budget, multiple=multiple, epochs=epochs, seed=seed)
    assert len(made) % (epochs * multiple) == 0 or epochs > 1
    assert len(made) % multiple == 0
    assert all(rows for rows in made)
    assert all(max(sizes[n] for n in rows) * len(rows) <= budget for rows in made)
    seen = [n for rows in made for n in rows]
    assert set(seen) == set(range(len(sizes)))
    # Rows come again within an epoch only to fill a step of single rows.
    surplus = len(seen) - epochs * len(sizes)
    assert 0 <= surplus < epochs * multiple
    if surplus:
        assert len(made) > len(sizes) or all(len(rows) == 1 for rows in made)


def test_another_seed_or_epoch_is_another_order() -> None:
    sizes = [10 + n % 7 for n in range(200)]
    one = passes(sizes, budget=100, multiple=2, epochs=2, seed=1)
    half = len(one) // 2
    assert one[:half] != one[half:]
    assert one != passes(sizes, budget=100, multiple=2, epochs=2, seed=2)


def test_little_padding() -> None:
    sizes = [5 + (n * 37) % 200 for n in range(2000)]
    made = passes(sizes, budget=2000, multiple=1, epochs=1, seed=0)
    padded = sum(max(sizes[n] for n in rows) * len(rows) for rows in made)
    assert padded < 1.1 * sum(sizes)
