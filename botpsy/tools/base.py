"""One tool, one definition: a typed function with a docstring, and what it does to the world.

``@tool`` reads the signature once. From it come the JSON schema the model sees, the validation of
arguments, their resolution to what will really happen ("Friday at 3 pm" -> an absolute time,
"Bob" -> Bob's address), the fingerprint that grants are bound to, and the undo. The assistant runs
the function over real services, a world runs the very same over memory services.

    @tool(effect="write", service="calendar", undo=lambda ctx, a: [Ref("calendar", ctx.action_id)])
    def create_event(
        ctx: Context,
        title: Annotated[str, "Short title"],
        start: Annotated[Instant, "When it starts"],
    ) -> JsonObject:
        \"\"\"Put a new event into the calendar.\"\"\"

A parameter annotated ``Context`` is handed in and not shown to the model. The docstring's first
paragraph is the description. ``Annotated[T, "text"]`` describes a parameter.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, overload

from botpsy.chat.schema import admits, check_arguments
from botpsy.chat.types import Json, JsonObject, Schema, ToolSpec
from botpsy.clock import Clock
from botpsy.errors import SchemaError, ToolError
from botpsy.services.base import Ref
from botpsy.services.bundle import Services

if TYPE_CHECKING:
    from pydantic import BaseModel

Effect = Literal["read", "write", "send", "spend", "control"]
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Context:
    """What a tool may reach: the services, the clock, and the id of the action under way.

    ``action_id`` is minted before the action is logged. A tool that creates a record names it by
    this id, so that the same action can never create two, and undo knows what to remove.
    """

    services: Services
    clock: Clock
    action_id: str = "action"


@dataclass(frozen=True, slots=True)
class Bound:
    """Arguments that passed validation and resolution.

    ``values`` are the Python objects the function gets; ``shown`` is the same as JSON, absolute and
    complete: what the approver sees, what policy matches, what the ledger keeps.
    """

    values: Mapping[str, Any]
    shown: JsonObject


Undo = Callable[[Context, Mapping[str, Any]], Sequence[Ref]]


@dataclass(frozen=True)
class ToolDef:
    """A tool and what it does to the world.

    Attributes:
        effect: what kind of act it is; everything but ``read`` changes something.
        service: the service it acts on, ``""`` for none.
        destinations: parameters that say where something goes (recipient, path, host, entity).
        untrusted_output: its result holds text written by others.
        names_by_others: its result is the user's own and right, but others may have named what is
            in it: it vouches for values, not for what is done next.
        undo: names the records the call will touch; None means that it cannot be undone.
        domain: the area of life it belongs to, for people and statistics.
        examples: short requests that call for it, for ranking; never shown to the model.
    """

    function: Callable[..., Any]
    name: str
    description: str
    effect: Effect
    service: str = ""
    destinations: tuple[str, ...] = ()
    untrusted_output: bool = False
    names_by_others: bool = False
    undo: Undo | None = None
    domain: str = ""
    examples: tuple[str, ...] = ()
    _context_parameter: str = field(default="", repr=False)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The plain function, for tests and for use from Python."""
        return self.function(*args, **kwargs)

    @property
    def irreversible(self) -> bool:
        """It changes something and has no undo."""
        return self.effect != "read" and self.undo is None

    @cached_property
    def spec(self) -> ToolSpec:
        """What the model is told."""
        return ToolSpec(self.name, self.description, self.schema)

    @cached_property
    def schema(self) -> Schema:
        """JSON Schema of the parameters: one plain object, references inlined."""
        return _plain(self._model.model_json_schema())

    def check(self, arguments: JsonObject) -> None:
        """Hold arguments against the schema, quickly where they fit.

        Raises:
            SchemaError: they do not fit; ``botpsy.chat.schema.check_arguments`` says why.
        """
        if not self._admitted(arguments):
            check_arguments(self.spec, arguments)

    @cached_property
    def _admitted(self) -> Callable[[JsonObject], bool]:
        return admits(self.spec)

    @cached_property
    def fingerprint(self) -> str:
        """sha256 over all that a grant relies on; a changed definition voids the grant."""
        parts = [
            self.name,
            self.description,
            self.schema,
            self.effect,
            self.service,
            list(self.destinations),
            self.untrusted_output,
            self.names_by_others,
            self.irreversible,
        ]
        text = json.dumps(parts, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    def bind(self, arguments: JsonObject, context: Context) -> Bound:
        """Validate and resolve arguments.

        Raises:
            SchemaError: an argument is missing, unknown or of the wrong type.
            ToolError: an argument is well formed but means nothing here (no such contact, a time
                that does not exist, a path outside the roots).
        """
        from pydantic import ValidationError

        try:
            model = self._model.model_validate(arguments, context=context)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            path = ".".join(str(part) for part in first["loc"])
            raise SchemaError(
                f"{self.name}: {path or 'arguments'}: {first['msg']}.", tool=self.name, path=path
            ) from None
        values = {name: getattr(model, name) for name in type(model).model_fields}
        # A default that was not spelled out is still what runs, so it is shown; None says nothing.
        shown = model.model_dump(mode="json", exclude_none=True)
        return Bound(values, shown)

    def touches(self, bound: Bound, context: Context) -> tuple[Ref, ...]:
        """The records this call will change; empty for reads and irreversible calls."""
        return tuple(self.undo(context, bound.values)) if self.undo else ()

    def run(self, bound: Bound, context: Context) -> Json:
        """Do it.

        Raises:
            ToolError: it could not be done; the message is for the model and the user.
        """
        extra = {self._context_parameter: context} if self._context_parameter else {}
        result: Json = self.function(**bound.values, **extra)
        return result

    @cached_property
    def _model(self) -> type[BaseModel]:
        from pydantic import ConfigDict, Field, create_model

        # The result's type is left out: it may name what this module cannot see.
        parameters = {k: v for k, v in self.function.__annotations__.items() if k != "return"}
        hints = typing.get_type_hints(
            types.SimpleNamespace(__annotations__=parameters),
            globalns=self.function.__globals__,
            include_extras=True,
        )
        fields: dict[str, Any] = {}
        for name, parameter in inspect.signature(self.function).parameters.items():
            if name == self._context_parameter:
                continue
            annotation = hints.get(name)
            if annotation is None:
                raise SchemaError(
                    f"{self.name}: parameter {name} has no type.", tool=self.name, path=name
                )
            described = Field(description=_description(annotation))
            if parameter.default is inspect.Parameter.empty:
                fields[name] = (Annotated[annotation, described], ...)
            else:
                fields[name] = (Annotated[annotation, described], parameter.default)
        model: type[BaseModel] = create_model(
            self.name, __config__=ConfigDict(extra="forbid", strict=False), **fields
        )
        return model


@overload
def tool(function: F, /) -> ToolDef: ...
@overload
def tool(
    *,
    effect: Effect = "read",
    service: str = "",
    destinations: Sequence[str] = (),
    untrusted_output: bool = False,
    names_by_others: bool = False,
    undo: Undo | None = None,
    domain: str = "",
    examples: Sequence[str] = (),
    name: str = "",
) -> Callable[[F], ToolDef]: ...
def tool(
    function: F | None = None,
    /,
    *,
    effect: Effect = "read",
    service: str = "",
    destinations: Sequence[str] = (),
    untrusted_output: bool = False,
    names_by_others: bool = False,
    undo: Undo | None = None,
    domain: str = "",
    examples: Sequence[str] = (),
    name: str = "",
) -> ToolDef | Callable[[F], ToolDef]:
    """Make a tool of a typed function. ``@tool`` alone declares a trusted read.

    Raises:
        SchemaError: no docstring, or a destination that is not a parameter.
    """

    def define(function: F) -> ToolDef:
        tool_name = name or function.__name__
        description = " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split())
        if not description:
            raise SchemaError(
                f"{tool_name} has no docstring.",
                tool=tool_name,
                hint="The model reads it to know what the tool does.",
            )
        parameters = inspect.signature(function).parameters
        for destination in destinations:
            if destination not in parameters:
                raise SchemaError(
                    f"{tool_name}: destination {destination} is not a parameter.",
                    tool=tool_name,
                    path=destination,
                )
        return ToolDef(
            function=function,
            name=tool_name,
            description=description,
            effect=effect,
            service=service,
            destinations=tuple(destinations),
            untrusted_output=untrusted_output,
            names_by_others=names_by_others,
            undo=undo,
            domain=domain,
            examples=tuple(examples),
            _context_parameter=_context_parameter(function),
        )

    return define(function) if function is not None else define


def _context_parameter(function: Callable[..., Any]) -> str:
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.annotation in (Context, "Context"):
            return name
    return ""


def _description(annotation: Any) -> str | None:
    """The last plain string in ``Annotated[T, ...]``, also inside an optional."""
    if typing.get_origin(annotation) is Annotated:
        texts = [part for part in typing.get_args(annotation)[1:] if isinstance(part, str)]
        return texts[-1] if texts else None
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        for part in typing.get_args(annotation):
            if text := _description(part):
                return text
    return None


def _plain(schema: Schema) -> Schema:
    """pydantic's schema without what a model has no use for: titles, null branches, references."""
    definitions = schema.get("$defs", {})

    def walk(node: Any, seen: tuple[str, ...] = ()) -> Any:
        if isinstance(node, list):
            return [walk(item, seen) for item in node]
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            name = node["$ref"].rsplit("/", 1)[-1]
            if name in seen:
                raise SchemaError(f"{schema.get('title', '')}: {name} contains itself.")
            siblings = {key: value for key, value in node.items() if key != "$ref"}
            return walk({**definitions[name], **siblings}, (*seen, name))
        if "anyOf" in node:
            branches = [branch for branch in node["anyOf"] if branch != {"type": "null"}]
            if len(branches) == 1:
                rest = {
                    key: value for key, value in node.items() if key not in ("anyOf", "default")
                }
                return walk({**branches[0], **rest}, seen)
        plain = {}
        for key, value in node.items():
            if key == "properties":
                plain[key] = {name: walk(sub, seen) for name, sub in value.items()}
            elif key == "default" and value is None:
                continue
            elif key not in ("title", "$defs"):
                plain[key] = walk(value, seen)
        return plain

    result = walk(schema)
    assert isinstance(result, dict)
    result.setdefault("properties", {})
    return result


__all__ = ["Bound", "Context", "Effect", "Ref", "ToolDef", "ToolError", "tool"]
