"""``Assistant``: everything put together, for the command line and for your own program."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from botpsy.assistant.choice import chooser
from botpsy.assistant.connect import connect
from botpsy.assistant.home import Home, open_home
from botpsy.assistant.loop import Budget, Conversation, OnEvent, Reply
from botpsy.assistant.types import Approver, Outcome
from botpsy.chat.schema import gate
from botpsy.engines import load
from botpsy.engines.base import Engine
from botpsy.errors import SchemaError, UsageError
from botpsy.services.bundle import Services
from botpsy.tools import catalogue
from botpsy.tools.base import ToolDef


class Assistant:
    """A conversation with a local model that can act, within the policy of one home.

        from botpsy import Assistant

        with Assistant() as assistant:
            print(assistant.ask("Put dentist on my calendar next Friday at 15:00").answer)

    Args:
        home: the folder with settings, policy, data and ledger; default ``BOTPSY_HOME`` or
            ``~/.botpsy``. Made at first use.
        model: a model's name; default what ``config.toml`` says.
        engine: a ready engine instead of a model's name.
        tools: your own tools, besides botpsy's. The policy speaks of them by name and effect.
        approver: who is asked; without one, what would be asked is denied.
        services: other back ends than those of the home (worlds, tests).
        tz, now: another time zone, a pretended present.
        dry_run: judge and show, touch nothing.

    Raises:
        UsageError: a tool of yours has the name of another tool.
        ConfigError, ModelError, EngineError, LedgerError: as their names say.
    """

    def __init__(
        self,
        home: Path | str | None = None,
        *,
        model: str = "",
        engine: Engine | None = None,
        tools: Sequence[ToolDef] = (),
        approver: Approver | None = None,
        services: Services | None = None,
        tz: str = "",
        now: str = "",
        dry_run: bool = False,
        budget: Budget | None = None,
    ) -> None:
        self.home: Home = open_home(Path(home) if home is not None else None)
        self.clock = self.home.clock(tz, now)
        self.services = services or connect(self.home, self.clock)
        self.tools = offered(self.services, tools)
        self.ledger = self.home.ledger()
        self.executor = self.home.executor(
            self.services, self.clock, self.ledger, approver=approver, dry_run=dry_run
        )
        self.recovered: list[Outcome] = [] if dry_run else self.executor.recover()
        self.engine = engine or load(model or self.home.config.model, choose=chooser(self.tools))
        self._budget = budget
        self.conversation = self._new_conversation()

    def ask(self, text: str, *, on_event: OnEvent | None = None) -> Reply:
        """Carry out one request in the running conversation; ``on_event`` follows it live.

        Raises:
            UsageError: the request is empty.
            EngineError, LedgerError: as their names say; the ledger knows what was done.
        """
        if not text.strip():
            raise UsageError("The request is empty.", hint="Say what should be done.")
        return self.conversation.ask(text, on_event=on_event)

    def reset(self) -> None:
        """Begin a new conversation: nothing said or read before counts any more."""
        self.conversation = self._new_conversation()

    def undo(self, action_id: str = "", *, force: bool = False) -> Outcome:
        """Undo an action, or the latest one that can be. See ``Executor.undo``."""
        return self.executor.undo(action_id, force=force)

    def close(self) -> None:
        """Free the model and close the ledger."""
        self.engine.close()
        self.ledger.close()

    def __enter__(self) -> Assistant:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _new_conversation(self) -> Conversation:
        return Conversation(self.engine, self.tools, self.executor, budget=self._budget)


def offered(services: Services, own: Sequence[ToolDef] = ()) -> dict[str, ToolDef]:
    """botpsy's tools whose service is connected, and the user's own.

    Raises:
        UsageError: two tools have one name.
        SchemaError: a tool of the user's has a schema that no model can be held to.
    """
    tools = {name: tool for name, tool in catalogue().items() if services.has(tool.service)}
    for tool in own:
        if tool.name in tools:
            raise UsageError(
                f"There is a tool named {tool.name} already.", hint="Give yours another name."
            )
        for refusal in gate([tool.spec]).refused:
            raise SchemaError(
                f"The tool {refusal.tool} cannot be offered to a model: {refusal.path}: "
                f"{refusal.reason}",
                tool=refusal.tool,
                path=refusal.path,
            )
        tools[tool.name] = tool
    return tools
