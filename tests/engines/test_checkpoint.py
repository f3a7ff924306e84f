"""Checkpoint folders complete chats as every engine does, with the model's own likeliest words."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from botpsy.chat.formats import POCKET
from botpsy.chat.types import Delta, Message, Sampling, ToolCall, ToolSpec
from botpsy.engines import load
from botpsy.errors import (
    ContextOverflowError,
    EngineError,
    EngineTimeoutError,
    ModelError,
    UsageError,
)
from tests.train.toy import NEEDS_TORCH

torch = pytest.importorskip("torch", reason=NEEDS_TORCH)

from botpsy.engines.checkpoint import Checkpoint, _pick  # noqa: E402
from botpsy.train.model import save  # noqa: E402
from botpsy.train.sample import Draw  # noqa: E402
from tests.train import tiny  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread")
USER = [Message("user", "Is it late, Zoë?")]
LAMP = ToolSpec("lamp", "Switch it.", {"type": "object", "properties": {"on": {"type": "boolean"}}})
GREEDY = Sampling(temperature=0.0, presence_penalty=0.0, max_tokens=12)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("checkpoint")
    save(tiny.model(), place)
    return place


@pytest.fixture
def engine(folder: Path) -> Iterator[Checkpoint]:
    made = Checkpoint(folder)
    yield made
    made.close()


def says(engine: Checkpoint, text: str) -> None:
    """Let it write this, and end."""
    ids = [*engine.tokens.encode(text), engine.tokens.token_id("<|im_end|>"), 5]
    engine._drawn = lambda prompt, sampling: iter(ids)  # type: ignore[method-assign]


def test_the_likeliest_words_are_those_of_training(folder: Path, engine: Checkpoint) -> None:
    done = engine.complete(USER, [LAMP], GREEDY)
    prompt, _ = POCKET.encode(USER, [LAMP], engine.tokens, add_generation_prompt=True)
    [wanted] = tiny.sampler(tiny.model(), temperature=0.0)([Draw(tuple(prompt), 0, 12)])
    ids = wanted.ids if wanted.cut else wanted.ids[:-1]
    assert done.raw == engine.tokens.decode(ids)
    assert done.finish_reason == ("length" if wanted.cut else "stop")
    assert (done.usage.prompt_tokens, done.usage.completion_tokens) == (
        len(prompt),
        len(wanted.ids),
    )
    assert done.timings.total_s >= done.timings.decode_s > 0


def test_it_is_found_by_its_folder(folder: Path) -> None:
    engine = load(str(folder), window=300)
    assert (engine.info.engine, engine.info.format, engine.info.window) == ("torch", "pocket", 300)
    assert len(engine.info.weights) == 64
    with pytest.raises(UsageError, match="adapter has no meaning"):
        load(str(folder), adapter="x.gguf")
    with pytest.raises(UsageError, match="window of 99999999 tokens"):
        load(str(folder), window=99_999_999)


def test_chance_repeats_by_its_seed(engine: Checkpoint) -> None:
    def said(seed: int | None, **more: Any) -> str:
        sampling = Sampling(temperature=3.0, top_p=1.0, top_k=0, max_tokens=20, seed=seed, **more)
        return engine.complete(USER, (), sampling).raw

    assert said(1) == said(1)
    assert len({said(1), said(2), said(3), said(None), said(None)}) > 2


def test_what_is_drawn_from() -> None:
    logits = torch.tensor([0.0, 3.0, 2.9, -1.0])
    chance = torch.Generator().manual_seed(0)

    def drawn(**settings: Any) -> set[int]:
        sampling = Sampling(**{"temperature": 1.0, "top_p": 1.0, "top_k": 0, **settings})
        return {_pick(torch, logits, sampling, chance) for _ in range(200)}

    assert drawn(temperature=0.0) == {1}
    assert drawn(top_k=2) == {1, 2}
    assert drawn(top_p=1e-9) == {1}
    assert drawn(top_p=0.6) == {1, 2}
    assert drawn() > {1, 2}


def test_what_was_said_is_not_said_again_where_it_costs(engine: Checkpoint) -> None:
    plain = Sampling(temperature=0.0, presence_penalty=0.0, max_tokens=30)
    costly = Sampling(temperature=0.0, presence_penalty=1e6, max_tokens=30)
    ids = [list(_first(engine, sampling, 30)) for sampling in (plain, costly)]
    assert len(set(ids[1])) == 30 > len(set(ids[0]))


def _first(engine: Checkpoint, sampling: Sampling, count: int) -> Iterator[int]:
    with torch.inference_mode():
        for _, token in zip(range(count), engine._drawn([5, 6, 7], sampling), strict=False):
            yield token


def test_a_call_is_read_as_everywhere(engine: Checkpoint) -> None:
    deltas: list[Delta] = []
    raw = POCKET.reply(Message("assistant", "Här: ☃", "Zoë.", (ToolCall("lamp", {"on": True}),)))
    says(engine, raw)
    done = engine.complete(USER, [LAMP], on_delta=deltas.append)
    assert done.raw == raw
    assert [(call.name, call.arguments) for call in done.message.calls] == [("lamp", {"on": True})]
    assert done.finish_reason == "tool_calls"
    assert "".join(each.text for each in deltas if each.kind == "content") == "Här: ☃"
    assert "".join(each.text for each in deltas if each.kind == "reasoning") == "Zoë."
    says(engine, "Hm.</think>\n\nNo.")
    assert engine.complete(USER, [LAMP]).message.content == "No."
    says(engine, "Hm")
    assert engine.complete(USER).problem
    says(engine, raw)
    assert not engine.complete(USER, [LAMP], Sampling(tool_choice="none")).message.calls


def test_it_gives_up_when_asked(engine: Checkpoint) -> None:
    cancel = threading.Event()
    said = engine.complete(USER, on_delta=lambda _: cancel.set(), cancel=cancel,
                           sampling=Sampling(max_tokens=4000))  # fmt: skip
    assert said.finish_reason == "cancelled"
    assert said.usage.completion_tokens < 100
    with pytest.raises(EngineTimeoutError):
        engine.complete(USER, (), Sampling(temperature=0.0, max_tokens=4000), timeout_s=0.0)
    with engine._lock:
        assert engine.complete(USER, cancel=cancel).finish_reason == "cancelled"
    engine.close()
    with pytest.raises(EngineError, match="closed"):
        engine.complete(USER)


def test_limits(folder: Path) -> None:
    engine = Checkpoint(folder, window=60)
    with pytest.raises(ContextOverflowError) as caught:
        engine.complete([Message("user", "word " * 100)])
    assert caught.value.window == 60
    says(engine, "a b c d e f g h i j k l m n o p q r s t u v w x y z" * 3)
    room = engine.complete(USER)
    assert room.finish_reason == "length"
    assert room.usage.prompt_tokens + room.usage.completion_tokens == 60
    with pytest.raises(UsageError, match="cannot be made to call"):
        engine.complete(USER, [LAMP], Sampling(tool_choice="required"))


def test_what_is_no_checkpoint(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="holds no model"):
        load(str(tmp_path))
    for name in ("config.json", "tokenizer.json", "chat_template.jinja"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    with pytest.raises(ModelError, match="cannot be loaded"):
        load(str(tmp_path))
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(ModelError, match="is no tokenizer"):
        load(str(tmp_path))
    (tmp_path / "config.json").write_text('{"model_type": "gpt2"}')
    (tmp_path / "chat_template.jinja").write_text("x")
    with pytest.raises(ModelError, match="kind gpt2; how it writes"):
        load(str(tmp_path))


def test_without_torch_it_says_what_to_install(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    with pytest.raises(UsageError, match="need torch"):
        load(str(folder))
