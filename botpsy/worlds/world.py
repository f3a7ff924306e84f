"""A world: memory services under a fixed clock, in which the product's own tools are run.

A tool that cannot do what is asked gives a result (``invalid`` or ``failed``); what is the world's
own fault raises ``WorldFault``. The same calls on equal worlds give equal results and states.
"""

from __future__ import annotations

import base64
import copy
import hashlib
import json
import types
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cache
from typing import Any, Literal
from zoneinfo import ZoneInfo

from botpsy.chat.types import Json, JsonObject, ToolCall
from botpsy.clock import Clock
from botpsy.errors import BotpsyError, SchemaError, ToolError
from botpsy.services.bundle import Services
from botpsy.tools import catalogue
from botpsy.tools.base import Context, ToolDef

Status = Literal["done", "invalid", "failed"]

# Derived from other services, so no state of their own.
_DERIVED = frozenset({"documents"})


class WorldFault(Exception):  # noqa: N818 - the word the design uses
    """The world itself is broken: never the agent's doing, so never scored."""


@dataclass(frozen=True, slots=True)
class StepResult:
    """What became of one call. ``invalid``: it breaks its schema; ``failed``: the tool says no.

    ``shown`` holds the arguments as they were resolved ("Friday at 3" -> an absolute time).
    """

    call: ToolCall
    status: Status
    result: Json = None
    error: str = ""
    shown: JsonObject | None = None
    effect: str = "read"

    @property
    def text(self) -> str:
        """As the model reads it."""
        if self.status != "done":
            return f"error: {self.error}"
        result = self.result
        return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Dump:
    """A world's whole state as JSON, by service; ``new`` are the ids that calls have made."""

    state: Mapping[str, Any]
    new: tuple[str, ...] = ()


class World:
    """See the module. ``tools`` are those that can be called; all of botpsy's by default."""

    def __init__(
        self,
        services: Services,
        clock: Clock,
        seed: str = "",
        tools: Mapping[str, ToolDef] | None = None,
    ) -> None:
        assert clock.fixed is not None, "a world's clock stands still"
        self.services = services
        self.clock = clock
        self.seed = seed
        self.tools: Mapping[str, ToolDef] = all_tools() if tools is None else tools
        self.log: list[StepResult] = []
        self._made: Counter[str] = Counter()
        self._new: list[str] = []
        self._origin: World | None = None
        self._dumped: tuple[int, dict[str, Any]] | None = None

    def step(self, call: ToolCall) -> StepResult:
        """Carry out one call and log it.

        Raises:
            WorldFault: a tool or service broke.
        """
        result = self._step(call)
        self.log.append(result)
        return result

    def note(self, step: StepResult, made: str) -> None:
        """Log a call that was carried out on the services by somebody else, under that id."""
        self.log.append(step)
        if step.effect != "read":
            self._new.append(made)

    def dump(self) -> Dump:
        """The present state, not to be written to: what no call changed is shared with forks."""
        if self._dumped is None or self._dumped[0] != len(self.log):
            services, origin = self.services, self._origin
            known = origin._known() if origin else {}
            state: dict[str, Any] = {}
            for name in services.names():
                if name in _DERIVED:
                    continue
                service: Any = services.get(name)
                if name in known and origin and vars(service) == vars(origin.services.get(name)):
                    state[name] = known[name]
                else:
                    state[name] = service.dump()
            self._dumped = (len(self.log), state)
        return Dump(self._dumped[1], tuple(self._new))

    def _known(self) -> Mapping[str, Any]:
        """The dump, where one was made and still holds."""
        fresh = self._dumped is not None and self._dumped[0] == len(self.log)
        return self._dumped[1] if self._dumped and fresh else {}

    def fork(self) -> World:
        """An independent copy, log and all. Nothing done to one shows in the other."""
        memo: dict[int, Any] = {}
        services = self.services
        copies = {name: _copied(getattr(services, name), memo) for name in services.names()}
        world = World(Services(**copies), self.clock, self.seed, self.tools)
        world.log = list(self.log)
        world._made = Counter(self._made)
        world._new = list(self._new)
        world._origin = self
        return world

    def replay(self, log: Iterable[StepResult]) -> World:
        """A fork in which the logged calls have been made again.

        Raises:
            WorldFault: a result is not what the log says.
        """
        world = self.fork()
        for n, logged in enumerate(log, 1):
            again = world.step(logged.call)
            if again != logged:
                raise WorldFault(f"step {n}, {logged.call.name}: {again} is not {logged}")
        return world

    def _step(self, call: ToolCall) -> StepResult:
        tool = self.tools.get(call.name)
        if tool is None:
            return StepResult(call, "invalid", error=f"There is no tool {call.name}.")
        try:
            tool.check(call.arguments)
            context = Context(self.services, self.clock)
            bound = tool.bind(call.arguments, context)
        except SchemaError as error:
            return StepResult(call, "invalid", error=str(error), effect=tool.effect)
        except ToolError as error:
            return StepResult(call, "failed", error=str(error), effect=tool.effect)
        except Exception as error:
            raise WorldFault(f"{call.name} {call.arguments}: {error!r}") from error
        if tool.effect != "read":
            context = replace(context, action_id=self._mint(tool, bound.shown))
        try:
            result = tool.run(bound, context)
        except BotpsyError as error:
            return StepResult(call, "failed", None, str(error), bound.shown, tool.effect)
        except Exception as error:
            raise WorldFault(f"{call.name} {call.arguments}: {error!r}") from error
        return StepResult(call, "done", result, "", bound.shown, tool.effect)

    def _mint(self, tool: ToolDef, shown: JsonObject) -> str:
        """An id by what is done, so that worlds agree on it whatever else was called before."""
        what = json.dumps([self.seed, tool.name, shown], sort_keys=True)
        self._made[what] += 1
        digest = hashlib.sha256(f"{what}{self._made[what]}".encode()).digest()
        minted = base64.b32encode(digest)[:10].decode().lower()
        self._new.append(minted)
        return minted


@cache
def all_tools() -> Mapping[str, ToolDef]:
    """botpsy's tools, by name."""
    return types.MappingProxyType(catalogue())


_ATOMS: tuple[type, ...] = (
    str, int, float, bytes, type(None), datetime, date, timedelta, ZoneInfo, tuple, frozenset,
    types.FunctionType, types.BuiltinFunctionType, types.MappingProxyType, type,
)  # fmt: skip


class _Shared(dict[type, bool]):
    """Whether values of a type cannot change: atoms, tuples and frozen dataclasses."""

    def __missing__(self, kind: type) -> bool:
        parameters = getattr(kind, "__dataclass_params__", None)
        self[kind] = issubclass(kind, _ATOMS) or bool(parameters and parameters.frozen)
        return self[kind]


_shared = _Shared()


def _copied(value: Any, memo: dict[int, Any]) -> Any:
    """A deep copy that shares what cannot change.

    Several times as fast as ``copy.deepcopy`` on services, whose records are frozen.
    """
    kind = type(value)
    if _shared[kind]:
        return value
    known = memo.get(id(value))
    if known is not None:
        return known
    made: Any
    if kind is dict:
        made = memo[id(value)] = dict(value)
        for key, part in value.items():
            if not _shared[type(part)]:
                made[key] = _copied(part, memo)
    elif kind is list or kind is set:
        made = memo[id(value)] = kind(_copied(part, memo) for part in value)
    elif kind is types.MethodType:
        made = types.MethodType(value.__func__, _copied(value.__self__, memo))
    elif hasattr(value, "__dict__") and not hasattr(kind, "__slots__"):
        made = memo[id(value)] = object.__new__(kind)
        made.__dict__.update(_copied(vars(value), memo))
    else:
        made = memo[id(value)] = copy.deepcopy(value, memo)
    return made


def names_of(calls: Sequence[StepResult]) -> list[str]:
    """Names of the tools that did something, in order."""
    return [step.call.name for step in calls if step.status == "done"]
