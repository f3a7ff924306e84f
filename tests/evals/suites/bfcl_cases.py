"""Functions and answers of our own, of all types that BFCL has, in its three languages."""

from __future__ import annotations

from typing import Any


def function(name: str, required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    described = {key: {"description": f"The {key}.", **part} for key, part in properties.items()}
    parameters = {"type": "dict", "properties": described, "required": list(required)}
    return {"name": name, "description": f"{name} it.", "parameters": parameters}


def kind(name: str, inner: str = "", **more: Any) -> dict[str, Any]:
    return {"type": name, **({"items": {"type": inner}} if inner else {}), **more}


BOIL = function(
    "kitchen.boil", ("what",), what=kind("string"), minutes=kind("integer"), salt=kind("boolean")
)
WEIGH = function(
    "weigh", ("grams",), grams=kind("float"), tags=kind("array", "string"),
    steps=kind("array", "integer"), pair=kind("tuple", "float"), note=kind("any"),
)  # fmt: skip
PLACE = function(
    "place_order", ("dish",), dish=kind("dict"), extras=kind("array", "dict"), table=kind("integer")
)
JAVA = function(
    "Menu.print", ("title",), title=kind("String"), copies=kind("integer"), price=kind("double"),
    rate=kind("float"), serial=kind("long"), bold=kind("boolean"), mark=kind("char"),
    pages=kind("Array", "integer"), names=kind("Array", "String"),
    guests=kind("ArrayList", "String"), sizes=kind("ArrayList", "float"), map=kind("HashMap"),
    writer=kind("any"),
)  # fmt: skip
SCRIPT = function(
    "renderMenu", ("title",), title=kind("String"), copies=kind("integer"), price=kind("float"),
    serial=kind("Bigint"), bold=kind("Boolean"), options=kind("dict"),
    pages=kind("array", "integer"), names=kind("array", "String"), writer=kind("any"),
)  # fmt: skip

CASES: dict[str, tuple[str, list[Any], list[Any]]] = {
    "boil": ("python", [BOIL], [
        {"kitchen.boil": {"what": ["two eggs", "eggs, two"], "minutes": [6, ""],
                          "salt": ["", True]}}
    ]),
    "weigh": ("python", [WEIGH], [
        {"weigh": {"grams": [250.0, 250], "tags": [["Dry Goods", "new"], ["dry-goods"]],
                   "steps": [[1, 2], ""], "pair": [[0.5, 1.5], ""], "note": ["", "for Ana's cake"]}}
    ]),
    "variable": ("python", [WEIGH], [
        {"weigh": {"grams": ["scale_reading"], "tags": ["all_tags", ""], "steps": [""],
                   "pair": [""], "note": ["", "x_1"]}}
    ]),
    "place": ("python", [PLACE], [
        {"place_order": {
            "dish": [{"name": ["Soup of the day", "soup"], "hot": [True, ""], "size": [2]}],
            "extras": [[{"name": ["bread"], "count": [2, ""]}, {"name": ["butter"]}], ""],
            "table": [7, ""]}}
    ]),
    "multiple": ("python", [WEIGH, BOIL, PLACE], [
        {"kitchen.boil": {"what": ["rice"], "minutes": [12], "salt": [True, ""]}}
    ]),
    "parallel": ("python", [BOIL], [
        {"kitchen.boil": {"what": ["rice"], "minutes": [12], "salt": [""]}},
        {"kitchen.boil": {"what": ["rice", "pasta"], "minutes": [12, 9], "salt": [""]}},
        {"kitchen.boil": {"what": ["rice"], "minutes": [12], "salt": [""]}},
    ]),
    "parallel_multiple": ("python", [BOIL, WEIGH], [
        {"weigh": {"grams": [80], "tags": ["", []], "steps": [""], "pair": [""], "note": [""]}},
        {"kitchen.boil": {"what": ["tea"], "minutes": [4], "salt": [False, ""]}},
    ]),
    "simple_java": ("java", [JAVA], [
        {"Menu.print": {
            "title": ["Lunch"], "copies": [3, ""], "price": [7.5, ""], "rate": [0.5, ""],
            "serial": [12345678901, ""], "bold": [True, ""], "mark": ["'x'", ""],
            "pages": [[1, 2], ""], "names": [['"a"', '"b"'], ["a", "b"], ""],
            "guests": [["Ana", "Ben"], ""], "sizes": [[1.5, 2.0], ""],
            "map": [{"soup": [4], "tea": ["green", ""]}, ""], "writer": ["out", ""]}}
    ]),
    "simple_javascript": ("javascript", [SCRIPT], [
        {"renderMenu": {
            "title": ["Lunch"], "copies": [3, ""], "price": [7.5, 7, ""], "serial": [99, ""],
            "bold": [False, ""], "options": [{"wide": [True], "tags": [["a", "b"], ""]}, ""],
            "pages": [[1, 2], ""], "names": [["a", "b"], ""], "writer": ["page.out", ""]}}
    ]),
}  # fmt: skip
"""By name: language, functions, answer."""
