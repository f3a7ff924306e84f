"""What a suite's verdicts are made by: a hash of its module and all of ours that it imports."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from botpsy.evals.registry import module_of

APART = ("botpsy.engines", "botpsy.errors")
"""They answer and complain; they judge nothing. Their versions stand in a run by themselves."""


@cache
def code_of(name: str) -> str:
    """A hash that changes with any line that could change a verdict of the suite.

    Imports inside functions count as well. Code of other packages does not.
    """
    waiting, files = [f"botpsy.evals.suites.{module_of(name)}"], dict[str, Path]()
    while waiting:
        module = waiting.pop()
        if module in files or module.startswith(APART):
            continue
        path = _file(module)
        if path is None:  # a name in a module, not a module
            continue
        files[module] = path
        if path.name == "__init__.py" and ".suites." in module:
            package = sorted(path.parent.rglob("*.py"))
            waiting += [_name(module, path.parent, each) for each in package if each != path]
        waiting += _imports(ast.parse(path.read_bytes()))
    total = hashlib.sha256()
    for module in sorted(files):
        total.update(f"{module}\0".encode())
        total.update(files[module].read_bytes())
    return total.hexdigest()[:16]


def _imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{each.name}" for each in node.names)]
        yield from (each for each in names if each.startswith("botpsy."))


def _file(module: str) -> Path | None:
    try:
        spec = importlib.util.find_spec(module)
    except (ModuleNotFoundError, ValueError):
        return None
    return Path(spec.origin) if spec is not None and spec.origin else None


def _name(package: str, folder: Path, path: Path) -> str:
    inner = path.relative_to(folder).with_suffix("")
    return ".".join([package, *inner.parts]).removesuffix(".__init__")
