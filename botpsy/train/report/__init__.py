"""A run on one page: what each stage chose and why, every suite at every checkpoint, the curves.

``report.html`` stands alone; ``curves.png`` is the picture at its top, ``STAGE/curves.png`` those
of what each stage logged. Written of what there is so far, also of a run under way or dead.
"""

from __future__ import annotations

from pathlib import Path

from botpsy.data.files import write_whole
from botpsy.train.recipe import TrainRecipe
from botpsy.train.report.curves import logged, overview
from botpsy.train.report.page import page
from botpsy.train.report.seen import stages_of


def write_report(folder: Path, recipe: TrainRecipe) -> Path:
    """Write the report of what there is so far; the page.

    Raises:
        UsageError: there is no run in the folder.
    """
    stages = stages_of(folder, recipe)
    pictures = {"": overview(stages, recipe)}
    pictures |= {each.name: logged(each) for each in stages if each.metrics}
    for name, picture in pictures.items():
        write_whole(folder / name / "curves.png", picture)
    out = folder / "report.html"
    write_whole(out, page(folder, recipe, stages, pictures).encode("utf-8", "replace"))
    return out
