"""When a call is right, by BFCL's rules for single turns (its AST checker, v4).

An answer allows each argument a list of values; ``""`` among them says that it may be left out.
What holds, odd as some of it is, since the numbers are to be comparable:

- All required arguments are there, none that the answer does not know, and those left out may be.
- A value has the declared type, ``int`` for ``float`` alone is converted; or the type of the first
  allowed value, where that is another one: then it names a variable and is compared as it is.
- Text is the same after removing spaces and ``,./-_*^``, in small letters, with one kind of
  quotes. So is text one level deep in lists and dictionaries, and no deeper.
- An empty list is allowed where the argument may be left out.
- Several calls: as many as in the answer; each gold call takes the first call that is right for it.

Source: the published package, bfcl-eval 2026.3.23.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from botpsy.chat.types import Json, ToolCall
from botpsy.evals.suites.bfcl.literals import JAVA, JAVASCRIPT, java_value, javascript_value

Language = Literal["python", "java", "javascript"]
Allowed = Sequence[Any]
"""Values that an argument may have; ``""``: it may be left out."""

PYTHON: dict[str, type] = {
    "string": str, "integer": int, "float": float, "boolean": bool, "array": list, "tuple": list,
    "dict": dict, "any": str,
}  # fmt: skip
_NESTED = ("array", "tuple", "Array", "ArrayList")
_IGNORED = re.compile(r"[ ,./\-_*^]")
_TYPES: dict[Language, dict[str, type]] = {
    "python": PYTHON,
    "java": JAVA,
    "javascript": JAVASCRIPT,
}
_READ: dict[Language, Callable[[str, str, str], Any]] = {
    "java": java_value,
    "javascript": javascript_value,
}


def right(
    functions: Sequence[Mapping[str, Any]],
    calls: Sequence[ToolCall],
    answer: Sequence[Mapping[str, Mapping[str, Allowed]]],
    language: Language,
    called: Callable[[str], str],
) -> str:
    """Why calls are wrong; nothing if they are right.

    Args:
        functions: as the data describes them.
        answer: of each gold call its name, and what is allowed for each argument.
        called: what a function's name is to the model.
    """
    if len(calls) != len(answer):
        return f"{len(calls)} calls, {len(answer)} are right"
    by_name = {each["name"]: each for each in functions}
    left = list(calls)
    for gold in answer:
        [(name, allowed)] = gold.items()
        if name not in by_name:
            return f"the data has no function {name}"
        reasons = []
        for n, call in enumerate(left):
            why = _wrong(by_name[name], call, allowed, language, called(name))
            if not why:
                del left[n]
                break
            reasons.append(why)
        else:
            return reasons[0] if len(calls) == 1 else f"no call is right for {name}: {reasons}"
    return ""


def _wrong(
    function: Mapping[str, Any],
    call: ToolCall,
    answer: Mapping[str, Allowed],
    language: Language,
    name: str,
) -> str:
    if call.name != name:
        return f"{call.name} was called, {name} is right"
    declared: Mapping[str, Any] = function["parameters"]["properties"]
    for key in function["parameters"].get("required", ()):
        if key not in call.arguments:
            return f"{key} is missing"
    for key, value in call.arguments.items():
        if key not in declared or key not in answer:
            return f"{key} is too much"
        try:
            if not _allowed(value, declared[key], answer[key], language):
                return f"{key}: {value!r} is none of {answer[key]}"
        except (LookupError, TypeError, AttributeError) as error:  # theirs breaks off here as well
            return f"{key}: {value!r} cannot be compared ({error})"
    for key, allowed in answer.items():
        if key not in call.arguments and "" not in allowed:
            return f"{key} may not be left out"
    return ""


def _allowed(
    value: Json, declared: Mapping[str, Any], allowed: Allowed, language: Language
) -> bool:
    types, kind = _TYPES[language], declared["type"]
    wanted = types[kind]
    inner_kind = declared["items"]["type"] if kind in _NESTED else ""
    inner = types[inner_kind] if inner_kind else None
    if language != "python":
        if not isinstance(value, str):
            return False
        value = _READ[language](value, kind, inner_kind)
    elif kind == "float" and type(value) is int:
        value = float(value)
    fits, variable = _typed(value, allowed, wanted, inner)
    if not fits:
        return False
    if variable:
        return value in allowed
    if wanted is dict:
        assert isinstance(value, dict)
        return _same_dict(value, allowed)
    if wanted is list:
        assert isinstance(value, list)
        return _same_dicts(value, allowed) if inner is dict else _same_list(value, allowed)
    if wanted is str:
        assert isinstance(value, str)
        return plain(value) in [plain(each) for each in allowed if isinstance(each, str)]
    return value in allowed


def _typed(
    value: Any, allowed: Allowed, wanted: type[Any], inner: type[Any] | None = None
) -> tuple[bool, bool]:
    """Whether the type is right, and whether the value names a variable."""
    first = next((type(each) for each in allowed if each != ""), None)
    variable = first is not None and first is not wanted
    if type(value) is not wanted:
        return first is not None and type(value) is first, True
    if inner is None:
        return True, variable
    for each in allowed:
        if not isinstance(each, list) or all(_typed(item, each, inner)[0] for item in value):
            return True, variable
    return False, variable


def plain(text: str) -> str:
    """Text as it is compared."""
    return _IGNORED.sub("", text).lower().replace("'", '"')


def _plain(value: Any) -> Any:
    return plain(value) if isinstance(value, str) else value


def _same_list(value: list[Any], allowed: Allowed) -> bool:
    wanted = [[_plain(item) for item in each] for each in allowed]
    return [_plain(item) for item in value] in wanted


def _same_dict(value: Mapping[str, Any], allowed: Allowed) -> bool:
    return any(_one_dict(value, each) for each in allowed if each != "")


def _one_dict(value: Mapping[str, Any], allowed: Mapping[str, Allowed]) -> bool:
    for key, part in value.items():
        if key not in allowed:
            return False
        among = allowed[key]
        if _plain(part) not in [_plain(among[n]) for n in range(len(among))]:
            return False
    return all(key in value or "" in among for key, among in allowed.items())


def _same_dicts(value: list[Any], allowed: Allowed) -> bool:
    return any(
        len(value) == len(each)
        and all(
            part != "" and _one_dict(item, part) for item, part in zip(value, each, strict=True)
        )
        for each in allowed
    )
