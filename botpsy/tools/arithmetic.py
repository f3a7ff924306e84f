"""A calculator that cannot do anything else: the expression is parsed, never evaluated as code.

``+ - * / // % **``, brackets, a few functions and constants. ``^`` is a power, ``15%`` a hundredth
part, ``15% of 80`` and ``80 - 15%`` what people mean by them. Sizes are bounded, so that no
expression takes time or memory.
"""

from __future__ import annotations

import ast
import math
import operator
import re
import warnings
from collections.abc import Callable
from typing import Any

from botpsy.errors import ToolError

_MAX_LENGTH = 200
_MAX_DIGITS = 300
_MAX_BITS = int(_MAX_DIGITS * 3.33)

_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sqrt": math.sqrt,
    "abs": abs,
    "round": round,
    "min": min,
    "max": max,
    "floor": math.floor,
    "ceil": math.ceil,
    "log": math.log,
    "ln": math.log,
    "log10": math.log10,
    "log2": math.log2,
    "exp": math.exp,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
}
_CONSTANTS = {"pi": math.pi, "e": math.e}


def evaluate(expression: str) -> int | float:
    """The value; whole numbers exact, others to 12 significant digits.

    Raises:
        ToolError: it is not arithmetic, is too large, or has no value.
    """
    if not expression.strip() or len(expression) > _MAX_LENGTH:
        raise ToolError("Give an expression of at most 200 characters.")
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(_python(expression), mode="eval")
        value = _value(tree.body)
    except (SyntaxError, RecursionError, MemoryError):
        raise ToolError(
            f"{expression!r} is not an arithmetic expression.",
            hint="Use numbers, + - * / ** and brackets.",
        ) from None
    except ZeroDivisionError:
        raise ToolError("That divides by zero.") from None
    except (ValueError, OverflowError, TypeError):
        raise ToolError(f"{expression!r} has no value that can be computed.") from None
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ToolError(f"{expression!r} has no finite value.")
        value = float(f"{value:.12g}")
        return int(value) if value.is_integer() and abs(value) < 1e15 else value
    return value


def _python(text: str) -> str:
    """How people write sums, as Python does."""
    text = text.strip().rstrip("=?").lower()
    if re.search(r"\b0[xob]", text):
        raise SyntaxError
    for sign, word in (("×", "*"), ("·", "*"), ("÷", "/"), ("−", "-"), ("^", "**"), ("√", "sqrt")):
        text = text.replace(sign, word)
    text = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)
    text = re.sub(r"(?<=[\d)])\s*x\s*(?=[\d(])", "*", text)
    text = re.sub(r"\bsqrt\s*(\d+(?:\.\d+)?)", r"sqrt(\1)", text)
    number = r"(\d+(?:\.\d+)?)"
    text = re.sub(number + r"\s*%\s*of\b", r"(\1/100)*", text)
    # 80 - 15% takes 15 % of what stands before it.
    text = re.sub(rf"^(.+?)\s*([+-])\s*{number}\s*%\s*$", r"(\1)*(1\g<2>\3/100)", text)
    return re.sub(number + r"\s*%(?!\s*[\d(a-z])", r"(\1/100)", text)


def _value(node: ast.expr) -> int | float:
    if isinstance(node, ast.Constant):
        if type(node.value) not in (int, float):
            raise SyntaxError
        return _bounded(node.value)  # type: ignore[arg-type]
    if isinstance(node, ast.Name) and node.id in _CONSTANTS:
        return _CONSTANTS[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        value = _value(node.operand)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp):
        left, right = _value(node.left), _value(node.right)
        if isinstance(node.op, ast.Pow):
            return _power(left, right)
        if type(node.op) in _OPERATORS:
            return _bounded(_OPERATORS[type(node.op)](left, right))
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in _FUNCTIONS
        and not node.keywords
    ):
        return _bounded(_FUNCTIONS[node.func.id](*[_value(each) for each in node.args]))
    raise SyntaxError


def _power(base: float, exponent: float) -> int | float:
    size = math.log2(abs(base)) * exponent if base else 0
    if size > _MAX_BITS or abs(exponent) > 1e6:
        raise ToolError("That number is too large to compute.")
    value = base**exponent
    if isinstance(value, complex):
        raise TypeError
    return _bounded(value)


def _bounded(value: int | float) -> int | float:
    if isinstance(value, int) and value.bit_length() > _MAX_BITS:
        raise ToolError("That number is too large to compute.")
    return value
