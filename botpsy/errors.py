"""Every error a user can meet has one base class, and says what to do.

``BotpsyError`` carries a message (what is wrong) and a hint (what to do about it); the command
line prints both and exits with ``exit_code``. A broken invariant of ours is an ``AssertionError``,
never one of these.
"""

from __future__ import annotations


class BotpsyError(Exception):
    """Something a user can understand and act on."""

    exit_code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".rstrip()


class UsageError(BotpsyError):
    """The command, the arguments or a setting cannot be used as given."""

    exit_code = 2


class ConfigError(UsageError):
    """A settings file is missing, unreadable or wrong; the message names file and key."""


class ParseError(BotpsyError):
    """A model's output breaks the wire format.

    ``span`` is the (start, end) character range of the raw text at fault.
    """

    def __init__(self, message: str, span: tuple[int, int] = (0, 0), hint: str = "") -> None:
        super().__init__(message, hint)
        self.span = span


class SchemaError(BotpsyError):
    """A tool's schema cannot be honoured, or arguments do not fit it; names tool and path."""

    def __init__(self, message: str, tool: str = "", path: str = "", hint: str = "") -> None:
        super().__init__(message, hint)
        self.tool = tool
        self.path = path


class EngineError(BotpsyError):
    """The model could not be run or reached."""


class EngineTimeoutError(EngineError):
    """The engine did not answer in the time given."""


class ContextOverflowError(EngineError):
    """The prompt does not fit the model's window; sizes in tokens."""

    def __init__(self, prompt_tokens: int, window: int, hint: str = "") -> None:
        super().__init__(
            f"The conversation has {prompt_tokens} tokens; the model reads {window}.", hint
        )
        self.prompt_tokens = prompt_tokens
        self.window = window


class ModelError(BotpsyError):
    """A model file is missing, damaged, or cannot be fetched."""


class ToolError(BotpsyError):
    """A tool could not do what was asked. It is an answer to the model, not a crash."""


class ServiceError(ToolError):
    """The place where an action lands (file, server, device) failed or refused."""


class TimePhraseError(ToolError):
    """A time phrase cannot be understood or does not exist (for example 31 February)."""


class PolicyError(ConfigError):
    """The policy file is missing or broken. Everything is denied until it is mended."""

    exit_code = 3


class LedgerError(BotpsyError):
    """The ledger cannot be written or does not verify."""


class UndoError(BotpsyError):
    """An action cannot be undone, or no longer safely."""
