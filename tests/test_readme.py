"""What the README shows works as it stands."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from botpsy.chat.types import Message, ToolCall
from botpsy.engines.scripted import Scripted

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def test_the_python_example_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    [code] = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    engine = Scripted(
        [
            Message("assistant", calls=(ToolCall("pool_temperature", {}),)),
            lambda messages, tools: f"It says {messages[-1].content}.",
        ]
    )
    monkeypatch.setattr("botpsy.assistant.api.load", lambda *args, **kwargs: engine)
    exec(code, {"__name__": "example"})
    assert '"temperature": 24' in capsys.readouterr().out
    assert "pool_temperature" in [tool.name for tool in engine.asked[0].tools]


def test_every_command_shown_exists() -> None:
    shown = set(re.findall(r"^(?:\$ )?botpsy ((?:policy |audit |model )?[a-z]+)", README, re.M))
    assert {"ask", "chat", "undo", "model pull", "policy test", "audit show", "serve"} <= shown
    for command in shown:
        process = subprocess.run(
            [sys.executable, "-m", "botpsy", *command.split(), "--help"],
            capture_output=True,
            check=False,
        )
        assert process.returncode == 0, command


def test_every_page_linked_exists() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (Path(__file__).parents[1] / target).is_file(), target
