"""Who belongs to whom, and what is the same: optimal assignment and typed JSON equality."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence

from botpsy.chat.types import Json


def assign(weights: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Pairs (row, column) whose weights have the largest sum; nobody is in two pairs.

    The shorter side is paired completely. Weights are finite. Takes O(r² c) steps for r rows and
    c ≥ r columns: the Hungarian method with potentials, one shortest augmenting path a row
    (Kuhn 1955; Jonker and Volgenant 1987).
    """
    if not weights or not weights[0]:
        return []
    if len(weights) > len(weights[0]):
        return sorted((row, column) for column, row in assign(list(zip(*weights, strict=True))))
    if len(weights) == 1:
        only = weights[0]
        return [(0, max(range(len(only)), key=only.__getitem__))]
    width = len(weights[0])
    free = width  # stands for "no column yet" while a path is being grown
    owner = [-1] * (width + 1)  # column -> row
    row_potential = [0.0] * len(weights)
    column_potential = [0.0] * (width + 1)
    for row in range(len(weights)):
        owner[free] = row
        reach = [math.inf] * width
        came_from = [free] * width
        done = [False] * (width + 1)
        column = free
        while owner[column] >= 0:
            done[column] = True
            here = owner[column]
            step, nearest = math.inf, free
            for other in range(width):
                if done[other]:
                    continue
                cost = -weights[here][other] - row_potential[here] - column_potential[other]
                if cost < reach[other]:
                    reach[other], came_from[other] = cost, column
                if reach[other] < step:
                    step, nearest = reach[other], other
            for other in range(width + 1):
                if done[other]:
                    row_potential[owner[other]] += step
                    column_potential[other] -= step
                elif other < width:
                    reach[other] -= step
            column = nearest
        while column != free:
            owner[column] = owner[came_from[column]]
            column = came_from[column]
        owner[free] = -1
    return sorted((row, column) for column, row in enumerate(owner[:free]) if row >= 0)


def equal(one: Json, other: Json, *, unordered: bool = False) -> bool:
    """Typed JSON equality.

    Strings are the same exactly, after NFC. Numbers are the same by value, as JSON Schema has it:
    1 is 1.0. True is not 1, "1" is not 1. The names in an object have no order. A list has one,
    unless ``unordered`` (which is said of this list, not of lists inside it).
    """
    if isinstance(one, str):
        return isinstance(other, str) and (one == other or _composed(one) == _composed(other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float):
        return isinstance(other, int | float) and one == other
    if isinstance(one, dict):
        return (
            isinstance(other, dict)
            and one.keys() == other.keys()
            and all(equal(value, other[name]) for name, value in one.items())
        )
    if isinstance(one, list):
        if not isinstance(other, list) or len(one) != len(other):
            return False
        if unordered:
            return _same_members(one, other)
        return all(map(equal, one, other))
    return one is None and other is None


def _composed(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _same_members(one: Sequence[Json], other: Sequence[Json]) -> bool:
    left = list(other)
    for member in one:
        place = next((n for n, candidate in enumerate(left) if equal(member, candidate)), None)
        if place is None:
            return False
        del left[place]
    return True
