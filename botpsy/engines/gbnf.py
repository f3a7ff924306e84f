"""The letters of a GBNF grammar: literals, character classes, integer ranges, guarded text.

GBNF is llama.cpp's notation for grammars (grammars/README.md there).
"""

from __future__ import annotations

import re
from collections.abc import Sequence


def literal(text: str) -> str:
    """Exactly this text."""
    return '"' + "".join(_ESCAPES.get(char) or _control(char) for char in text) + '"'


def one_of(chars: str, *, negate: bool = False) -> str:
    """One character of these, or one of all others."""
    escaped = "".join(f"\\x{ord(char):02X}" if char in r"\]^-[" else char for char in chars)
    return f"[{'^' if negate else ''}{escaped}]"


def names_in(body: str) -> list[str]:
    """The names of the rules that a rule's body uses."""
    return re.findall(r"[a-z][a-z0-9-]*", _LITERAL.sub(" ", body))


def avoiding(words: Sequence[str], name: str) -> dict[str, str]:
    """Rules by name; ``name`` is any text, of any length, that contains none of the words.

    There is one rule for each state of the automaton that looks out for all words at once
    (Aho and Corasick, Efficient string matching, 1975). The words are of ASCII.
    """
    states = sorted({word[:end] for word in words for end in range(len(word))}, key=len)
    names = {state: f"{name}-{number}" if state else name for number, state in enumerate(states)}
    rules = {}
    for state in states:
        forbidden = {word[-1] for word in words if (state + word[-1]).endswith(word)}
        moves: dict[str, str] = {}
        for char in sorted({char for word in words for char in word} - forbidden):
            seen = state + char
            target = next(seen[at:] for at in range(len(seen) + 1) if seen[at:] in names)
            if target:
                moves[target] = moves.get(target, "") + char
        special = "".join(sorted(forbidden.union(*moves.values())))
        options = [f"{one_of(special, negate=True)} {name}"]
        options += [f"{one_of(chars)} {names[target]}" for target, chars in moves.items()]
        rules[names[state]] = f"({' | '.join(options)})?"
    return rules


def integers(low: int, high: int) -> list[str]:
    """Alternatives that together match the integers from ``low`` to ``high`` and nothing else."""
    options = []
    if low < 0:
        options += [f'"-" {option}' for option in _naturals(max(1, -high), -low)]
    if high >= 0:
        options += _naturals(max(low, 0), high)
    return options


def _naturals(low: int, high: int) -> list[str]:
    options = []
    while low <= high:
        if low == 0:
            options.append('"0"')
            low = 1
            continue
        # The largest block that starts here: fixed digits, a range of one digit, free digits.
        free = 0
        while low % 10 ** (free + 1) == 0 and low + 10 ** (free + 1) - 1 <= high:
            free += 1
        step = 10**free
        head, digit = divmod(low // step, 10)
        last = min(9, digit + (high - low + 1) // step - 1)
        parts = [literal(str(head))] if head else []
        parts.append(f"[{digit}-{last}]")
        parts += [f"[0-9]{{{free}}}"] if free else []
        options.append(" ".join(parts))
        low += (last - digit + 1) * step
    return options


_LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]')
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _control(char: str) -> str:
    return f"\\x{ord(char):02X}" if ord(char) < 0x20 or ord(char) == 0x7F else char
