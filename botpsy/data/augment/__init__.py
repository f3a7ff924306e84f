"""Augmentation: the same request, harder to answer by habit.

Each augmentation is tried on its share of a source's rows (``botpsy.data.recipe.Augment``) and
leaves a row alone that it does not suit; what was done is in ``Row.changes``. Values that an
argument repeats from the request are never spoilt, names that are changed are changed in every
place, and a row whose right answer rests on the list of tools gets no others.

- ``tools``: which are offered, and how they are called and described.
- ``needs``: a tool or a value that is needed is not there.
- ``words``: how the user writes or speaks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from botpsy.chat.types import ToolSpec
from botpsy.data.augment import needs, tools, words
from botpsy.data.recipe import Augment
from botpsy.data.types import Row


def augment(
    row: Row,
    settings: Augment,
    rng: Random,
    pool: Sequence[ToolSpec],
    another: Callable[[], Row] | None = None,
) -> Row:
    """The row with the augmentations that chance chose. Tasks stay as they are.

    Args:
        pool: tools for distractors.
        another: gives a further row of the same source, to be joined to this one.
    """
    if row.is_task:
        return row
    # All dice are thrown, whatever is done: switching one augmentation off changes no other.
    dice = {name: rng.random() < share for name, share in settings}
    if dice["join"] and another:
        row = needs.join(row, another())
    if dice["remove_value"]:
        row = needs.remove_value(row, rng)
    for name, wanted in (("near", rng.randint(1, 3)), ("far", rng.randint(1, 3))):
        if dice[name]:
            row = tools.add(row, rng, pool, name, wanted)
    if dice["long_list"]:
        row = tools.add(row, rng, pool, "long_list", rng.randint(20, 40) - len(row.tools))
    # After others were added, so that none of them can stand in for it.
    if dice["remove_tool"] and "remove_value" not in row.changes:
        row = needs.remove_tool(row, rng)
    if dice["shuffle"]:
        row = tools.shuffle(row, rng)
    if dice["rename_tools"]:
        row = tools.rename_tools(row, rng)
    if dice["rename_parameters"]:
        row = tools.rename_parameters(row, rng)
    if dice["shorten"] and not {"rename_tools", "rename_parameters"} & set(row.changes):
        row = tools.shorten(row, rng)
    if dice["locale"]:
        row = words.locale(row, rng)
    if dice["typos"]:
        row = words.typos(row, rng)
    if dice["speech"]:
        row = words.speech(row)
    return row
