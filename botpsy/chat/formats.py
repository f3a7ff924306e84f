"""Chat formats: a conversation as the text, or the token ids, that a model reads.

Both formats are ChatML turns (``<|im_start|>role``, text, ``<|im_end|>``) with one wire format for
reasoning and calls (``botpsy.chat.parser``); they differ in how tools are shown.

- ``qwen3_5``: tools as JSON between ``<tools>`` tags, as Qwen3.5 checkpoints expect them.
- ``pocket``: tools as compact signatures (``botpsy.chat.signature``), for small models on a CPU.

What holds for both:

- Prefix property: rendering a longer conversation extends rendering a shorter one. For every cut
  before an assistant turn, the prompt for that turn is a prefix of the whole, in text and in ids.
  Reasoning in the history is kept for that; a turn without reasoning has an empty, closed think
  block. The offered tools are part of the beginning, so they must stay the same.
- Leading system messages become one system turn, joined by an empty line; a later one is a system
  turn at its place, since moving it would break the prefix. No other role is required.
- Results of tools are ``<tool_response>`` blocks in a user turn; consecutive ones share a turn.
- Text from outside is neutralised (``botpsy.chat.escape``), so special-token strings in the
  rendered text are ours alone, and an engine may tokenize it with special tokens on.
- The Jinja templates in ``templates/`` give the same text, byte for byte, for messages and tools in
  OpenAI form with arguments as objects. (llama.cpp's own Jinja writes floats with six digits.)

The loss mask is 1 on what the model wrote: reasoning, content, calls and the end of its turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Any, Protocol

from botpsy.chat.escape import escape
from botpsy.chat.signature import signature
from botpsy.chat.types import Json, Message, ToolCall, ToolSpec
from botpsy.chat.wire import properties_of, write_json, write_name, write_value
from botpsy.errors import UsageError

SystemBlock = Callable[[str, Sequence[ToolSpec]], str]
"""System text and tools, not yet neutralised -> everything before the first turn."""

TOOLS_INTRO = "You can act by calling tools. These are on offer, one per line:"
CALL_FORM = """\
A call has this form, with one block per parameter:
<tool_call>
<function=TOOL>
<parameter=NAME>
value
</parameter>
</function>
</tool_call>

Write strings as they are and every other value as JSON. Give all required parameters, and of the \
optional ones those that the request names. Calls end your reply; several may follow one another. \
If a required value is missing, ask for it. If no tool fits, say so."""
POCKET_INTRO = "Call tools when they fit; ask for missing values; say so when no tool fits.\nTools:"


class Tokenizer(Protocol):
    """What ``encode`` needs of a tokenizer."""

    def encode(self, text: str) -> list[int]:
        """Ids of plain text: special tokens neither added nor recognised."""
        ...

    def token_id(self, special: str) -> int:
        """The id of a special token."""
        ...


@dataclass(frozen=True, slots=True)
class ChatFormat:
    """A way to write conversations. ``specials`` are strings that are one token each."""

    name: str
    specials: tuple[str, ...]
    system_block: SystemBlock

    @property
    def template(self) -> str:
        """The Jinja template that ships inside the weights."""
        return files("botpsy.chat").joinpath(f"templates/{self.name}.jinja").read_text("utf-8")

    def with_template(self, jinja_source: str) -> ChatFormat:
        """This format with the system block of a checkpoint's own template.

        A checkpoint was trained on its own wording of how tools are called. The block is what that
        template writes before the first user turn; turns stay ours.

        Raises:
            ModelError: the template cannot be read. Rendering raises it if the template fails.
        """
        from botpsy.chat.foreign import system_block_of  # Jinja takes a while to import

        return replace(self, system_block=system_block_of(jinja_source))

    def render(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec] = (),
        *,
        add_generation_prompt: bool = True,
        thinking: bool = True,
    ) -> str:
        """The conversation as text; ``thinking`` says how the generation prompt ends."""
        segments = self._segments(messages, tools, add_generation_prompt, thinking)
        return "".join(text for text, _ in segments)

    def reply(self, message: Message, tools: Sequence[ToolSpec] = ()) -> str:
        """What a model writes for this assistant message, after a prompt that opens thinking."""
        schemas = {spec.name: properties_of(spec) for spec in tools}
        whole = _assistant(message, schemas).removesuffix("<|im_end|>")
        return whole.removeprefix(_prompt(thinking=True))

    def encode(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        tokenizer: Tokenizer,
        *,
        add_generation_prompt: bool = False,
        thinking: bool = True,
    ) -> tuple[list[int], list[int]]:
        """Token ids and loss mask.

        A turn is tokenized in two parts, prompt and reply, as it is when the model is run. With
        ``thinking`` a turn without reasoning counts as one that closed its think block itself; else
        as one whose prompt had it closed.
        """
        ids: list[int] = []
        mask: list[int] = []
        segments = self._segments(messages, tools, add_generation_prompt, thinking)
        for supervised, group in groupby(segments, key=lambda segment: segment[1]):
            for part in _splitter(self.specials).split("".join(text for text, _ in group)):
                if part in self.specials:
                    ids.append(tokenizer.token_id(part))
                elif part:
                    ids += tokenizer.encode(part)
            mask += [int(supervised)] * (len(ids) - len(mask))
        return ids, mask

    def _segments(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        add_generation_prompt: bool,
        thinking: bool,
    ) -> Iterator[tuple[str, bool]]:
        """Text, and whether the model wrote it. The one place where either is decided."""
        schemas = {spec.name: properties_of(spec) for spec in tools}
        leading = next(
            (n for n, message in enumerate(messages) if message.role != "system"), len(messages)
        )
        system = "\n\n".join(message.content for message in messages[:leading] if message.content)
        yield self.system_block(system, tools), False
        for n, message in enumerate(messages[leading:], leading):
            match message.role:
                case "user" | "system":
                    text = escape(message.content)
                    yield f"<|im_start|>{message.role}\n{text}<|im_end|>\n", False
                case "tool":
                    opens = n == 0 or messages[n - 1].role != "tool"
                    closes = n + 1 == len(messages) or messages[n + 1].role != "tool"
                    text = f"\n<tool_response>\n{escape(message.content)}\n</tool_response>"
                    yield "<|im_start|>user" * opens + text + "<|im_end|>\n" * closes, False
                case "assistant":
                    prompt = _prompt(thinking=thinking or bool(message.reasoning))
                    yield prompt, False
                    yield _assistant(message, schemas).removeprefix(prompt), True
                    yield "\n", False
        if add_generation_prompt:
            yield _prompt(thinking=thinking), False


def chat_format(name: str) -> ChatFormat:
    """The format of that name.

    Raises:
        UsageError: there is none.
    """
    if name not in _FORMATS:
        raise UsageError(
            f"There is no chat format named {name!r}.", f"Known: {', '.join(_FORMATS)}."
        )
    return _FORMATS[name]


def openai_tool(spec: ToolSpec) -> dict[str, Any]:
    """A tool as chat APIs and templates describe it."""
    function = {
        "name": spec.name,
        "description": spec.description,
        "parameters": spec.parameters,
    }
    return {"type": "function", "function": function}


def _prompt(*, thinking: bool) -> str:
    return "<|im_start|>assistant\n<think>\n" + ("" if thinking else "\n</think>\n\n")


def _assistant(message: Message, schemas: Mapping[str, Mapping[str, Any]]) -> str:
    """A whole assistant turn, but for the newline after it."""
    calls = "\n".join(_call(call, schemas.get(call.name, {})) for call in message.calls)
    gap = "\n\n" if message.content and calls else ""
    return (
        f"{_prompt(thinking=True)}{escape(message.reasoning)}\n</think>\n\n"
        f"{escape(message.content)}{gap}{calls}<|im_end|>"
    )


def _call(call: ToolCall, schemas: Mapping[str, Any]) -> str:
    parameters = "".join(
        f"<parameter={write_name(name)}>\n{_argument(value, schemas.get(name))}\n</parameter>\n"
        for name, value in call.arguments.items()
    )
    return f"<tool_call>\n<function={write_name(call.name)}>\n{parameters}</function>\n</tool_call>"


def _argument(value: Json, schema: Any) -> str:
    return escape(write_value(value, schema))


@cache
def _splitter(specials: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("(" + "|".join(map(re.escape, specials)) + ")")


def _block(system: str, tools: str) -> str:
    if not system and not tools:
        return ""
    gap = "\n\n" if system and tools else ""
    return f"<|im_start|>system\n{escape(system)}{gap}{tools}<|im_end|>\n"


def _qwen3_5_block(system: str, tools: Sequence[ToolSpec]) -> str:
    if not tools:
        return _block(system, "")
    lines = "\n".join(escape(write_json(openai_tool(spec))) for spec in tools)
    return _block(system, f"{TOOLS_INTRO}\n<tools>\n{lines}\n</tools>\n\n{CALL_FORM}")


def _pocket_block(system: str, tools: Sequence[ToolSpec]) -> str:
    if not tools:
        return _block(system, "")
    return _block(system, "\n".join([POCKET_INTRO, *(escape(signature(spec)) for spec in tools)]))


_TURN_MARKS = ("<|im_start|>", "<|im_end|>")
QWEN3_5 = ChatFormat(
    "qwen3_5",
    (
        *_TURN_MARKS,
        "<think>",
        "</think>",
        "<tool_call>",
        "</tool_call>",
        "<tool_response>",
        "</tool_response>",
    ),
    _qwen3_5_block,
)
POCKET = ChatFormat("pocket", _TURN_MARKS, _pocket_block)
_FORMATS = {format.name: format for format in (QWEN3_5, POCKET)}
