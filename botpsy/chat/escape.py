"""Text that can't be taken for markup: exactly reversible neutralising of special tokens.

A tokenizer turns the string ``<|im_end|>`` into a control token whoever wrote it, a mail included.
So every text that is rendered (a user's, a tool's, a schema's, the model's own) is stuffed: a
U+2060 WORD JOINER, which is invisible and takes no width, goes in after each ``<`` that begins one
of ``TAGS`` or is followed by a word joiner already. In stuffed text a word joiner after ``<`` is
thus always one of ours, and taking one away after each ``<`` gives the text back, for every text.

The same rule is written with ``replace`` filters in the Jinja templates.
"""

from __future__ import annotations

import re

JOINER = "\u2060"

TAGS = (
    # every control token of the <|name|> kind
    "<|",
    # the wire format; added tokens in Qwen's tokenizers, markup to the parser
    "<think>",
    "</think>",
    "<tool_call>",
    "</tool_call>",
    "<tool_response>",
    "</tool_response>",
    "<function=",
    "</function>",
    "<parameter=",
    "</parameter>",
    "<tools>",
    "</tools>",
    # further special tokens of Qwen's tokenizers
    "<tts_",
    # further special tokens of SmolLM2's tokenizer
    "<repo_name>",
    "<reponame>",
    "<file_sep>",
    "<filename>",
    "<gh_stars>",
    "<issue_start>",
    "<issue_comment>",
    "<issue_closed>",
    "<jupyter_start>",
    "<jupyter_text>",
    "<jupyter_code>",
    "<jupyter_output>",
    "<jupyter_script>",
    "<empty_output>",
)
"""What a neutralised text never contains."""

_DANGEROUS = re.compile(
    "<(?=" + "|".join(re.escape(tag[1:]) for tag in (*TAGS, f"<{JOINER}")) + ")"
)


def escape(text: str) -> str:
    """The text without any of ``TAGS``; ``unescape`` gives it back."""
    return _DANGEROUS.sub(f"<{JOINER}", text) if "<" in text else text


def unescape(text: str) -> str:
    """The inverse of ``escape``."""
    return text.replace(f"<{JOINER}", "<")
