"""Rows as a person reads them: what is learnt is marked as the mask has it; nothing acts."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.chat.formats import POCKET, QWEN3_5, ChatFormat
from botpsy.chat.tokens import Characters, Tokens
from botpsy.chat.types import Message, ToolCall
from botpsy.data.show import choose, show
from botpsy.data.types import Row
from tests.data.test_audit import Altered, write
from tests.data.test_types import row


def shown(each: Row, chat: Any = POCKET, *, colour: bool = False) -> str:
    return show(each, chat, Characters(POCKET.specials), "characters", colour=colour).plain


def test_all_of_a_conversation() -> None:
    text = shown(row())
    for part in (
        "test/1", "home · single · simple · test (Apache-2.0)", "proof: ",
        "turn_on(device: string)  -- Switch a thing on.", "user\n  lights on",
        '»(On.)\n  → turn_on(device: "lamp")  c1 ■«', 'result c1 of turn_on\n  {"state": "on"}',
        "»(Done.)\n  The lamp is on. ■«",
    ):  # fmt: skip
        assert part in text
    assert text.count("»") == text.count("«") == 2


def test_colour_instead_of_marks() -> None:
    text = show(row(), POCKET, Characters(POCKET.specials), "characters", colour=True)
    assert "»" not in text.plain
    green = [text.plain[span.start : span.end] for span in text.spans if "green" in str(span.style)]
    assert "  The lamp is on. ■\n" in green
    assert not any("lights on" in each for each in green)


@pytest.mark.parametrize(
    ("change", "covered"),
    [
        (lambda mask: [0] * len(mask), ""),
        (lambda mask: [1, *mask[1:]], "»<|im_start|>«"),
        (lambda mask: [*mask[:-2], 0, 0], "»Done.\n  </think>\n  \n  The lamp is on.«"),
    ],
)
def test_a_wrong_mask_is_shown_as_it_is(change: Any, covered: str) -> None:
    text = shown(row(), Altered2(POCKET, change))
    assert text.count("■«") < 2
    assert covered in text
    assert ("covers something else" in text) == bool(covered)


class Altered2(Altered):
    def reply(self, *given: Any) -> str:
        return self.chat.reply(*given)


def test_a_task() -> None:
    asked = (
        Message("user", "Which?"),
        Message("assistant", "Which what?"),
        Message("user", "Fish"),
    )
    text = shown(row(messages=asked, verifier="choice", reference={"answer": "B"}))
    assert "nothing is imitated" in text
    assert "»" not in text
    assert 'verifier: choice\n  {\n   "answer": "B"\n  }' in text


@given(st.text(alphabet=st.characters(codec="utf-8")))
def test_nothing_that_a_terminal_acts_on(text: str) -> None:
    evil = f"\x1b]0;x\x07\u202e[bold]{text}\r"
    each = row(
        id=evil,
        domain=evil,
        messages=(
            Message("system", evil),
            Message("user", evil),
            Message("assistant", evil, evil, (ToolCall("turn_on", {evil: evil}, evil),)),
            Message("tool", evil, call_id=evil, name=evil),
        ),
        verifier=evil,
        reference={evil: evil},
    )
    plain = shown(each)
    assert not {"\x1b", "\x07", "\r", "\u202e"} & set(plain)
    assert "[bold]" in plain


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A byte-level tokenizer with a few merges, as models have them."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=list(QWEN3_5.specials),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    made.train_from_iterator(["the lamp is on", "lights on"] * 9, trainer)
    path = tmp_path_factory.mktemp("tokenizer") / "tokenizer.json"
    made.save(str(path))
    return path


@pytest.mark.parametrize("chat", [POCKET, QWEN3_5])
def test_with_a_real_tokenizer(tokenizer: Path, chat: ChatFormat) -> None:
    from botpsy.chat.tokens import tokenizer_of

    tokens = tokenizer_of(tokenizer)
    assert isinstance(tokens, Tokens)
    each = row(messages=(*row().messages[:3], Message("assistant", "Élan … 🎉", "Ω")))
    text = show(each, chat, tokens, "tokens", colour=False).plain
    assert text.count("■«") == 2
    assert "covers something else" not in text
    assert f"{len(chat.encode(each.messages, each.tools, tokens)[0]):,} tokens" in text


# --- choosing -------------------------------------------------------------------------------------


def rows(n: int = 40) -> Sequence[Row]:
    return [row(id=f"test/{i}", kind="single" if i % 2 else "missing") for i in range(n)]


def test_choosing() -> None:
    assert [each.id for each in choose(rows(), 2)] == ["test/0", "test/1"]
    assert [each.id for each in choose(rows(), 2, kind="single")] == ["test/1", "test/3"]
    assert [each.id for each in choose(rows(), 9, beginning="test/39")] == ["test/39"]
    assert choose(rows(), 2, domain="none") == choose(rows(), 2, source="none") == []
    drawn = choose(rows(), 5, kind="missing", seed=3)
    assert drawn == choose(rows(), 5, kind="missing", seed=3) != choose(rows(), 5, kind="missing")
    assert len({each.id for each in drawn}) == 5
    assert choose(rows(3), 5, seed=1) == rows(3)


def test_every_row_has_the_same_chance() -> None:
    drawn = [choose(rows(10), 3, seed=seed) for seed in range(1000)]
    times = [sum(f"test/{i}" in {each.id for each in some} for some in drawn) for i in range(10)]
    assert all(240 < each < 360 for each in times)  # 300 ± 4 standard deviations


def test_the_command(
    tmp_path: Path,
    tokenizer: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from botpsy.cli.main import main

    def run(*arguments: str | Path) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["botpsy", "data", "show", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            main()
        streams = capsys.readouterr()
        return int(stop.value.code or 0), streams.out + streams.err

    write(tmp_path / "conversations.jsonl", *rows(4))
    code, out = run(tmp_path, "--n", "2", "--tokens", tokenizer, "--format", "qwen3_5")
    assert code == 0
    assert ("test/0" in out, "test/1" in out, "test/2" in out) == (True, True, False)
    assert "tokens, " in out
    assert run(tmp_path / "conversations.jsonl", "--id", "test/3", "--kind", "single")[0] == 0
    assert run(tmp_path, "--kind", "nothing") == (2, run(tmp_path, "--kind", "nothing")[1])
    assert run(tmp_path, "--format", "morse")[0] == 2
    (tmp_path / "conversations.jsonl").write_text(json.dumps({"id": 1}))
    assert run(tmp_path)[0] == 2
