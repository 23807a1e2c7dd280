"""The form of a robot file: that of the description, and what a file has beyond it.

Field names, units, bounds and defaults are those of `mechanism/`. A number may follow another one of the file. Instead
of the description's branches and modes a file has `working_modes`; `description` and `sources` are about the robot.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final, final

from parapick import forms
from parapick.fields import POSE, Quantity
from parapick.forms import UNREAD, Entry, FilePlace, Listed, Number, TableForm
from parapick.mechanism import Robot, WorkingMode
from parapick.names import NAME_MAX, TEXT_MAX, text_objection
from parapick.parameters import Follow
from parapick.robots.robot_file import RobotFile
from parapick.toml import in_words

NOT_IN_FILES: Final = ("branches", "modes")
"""Fields of a description that a file states as `working_modes`."""

_SIGNS: Final = re.compile(r"[+-]+")
_SIGN: Final = {"+": 1.0, "-": -1.0}
_COEFFICIENT: Final = Number(Quantity("", "coefficient"))
_FOLLOW: Final[dict[str, Any]] = {
    "type": "object",
    "title": "Follow",
    "description": "a number that follows another one by a polynomial: c0 + c1 u + c2 u^2 + ...",
    "properties": {
        "of": {"type": "string", "description": "path of the number that is followed, such as limb.rod_length"},
        "coefficients": {
            "type": "array",
            "items": {"type": "number"},
            "minItems": 1,
            "description": "c0, c1, ... in SI units",
        },
    },
    "required": ["of", "coefficients"],
    "additionalProperties": False,
}


@final
@dataclass(frozen=True)
class FollowingNumber:
    """A number, or a table that says which other number of the file it follows.

    Attributes:
        stated: unit and bounds.
    """

    stated: Quantity

    @property
    def stand_in(self) -> float:
        """Not a number."""
        return math.nan

    def read(self, value: object, place: FilePlace) -> Any:
        """The number in SI, or the polynomial."""
        if not isinstance(value, Mapping):
            return Number(self.stated).read(value, place)
        path, coefficients = value.get("of"), value.get("coefficients")
        if set(value) != {"of", "coefficients"} or not isinstance(path, str) or not isinstance(coefficients, list):
            example = '{ of = "limb.rod_length", coefficients = [c0, c1] }'
            return place.refuse(f"is a table; a number that follows another one is written {example}")
        numbers = tuple(_COEFFICIENT.read(coefficient, place) for coefficient in coefficients)
        return UNREAD if UNREAD in numbers else Follow(path, numbers)

    def schema(self, defs: dict[str, Any]) -> dict[str, Any]:
        """A number, a text, or the polynomial."""
        defs["Follow"] = _FOLLOW
        return {"anyOf": [*Number(self.stated).schema(defs)["anyOf"], {"$ref": "#/$defs/Follow"}]}


@final
@dataclass(frozen=True)
class Modes:
    """Working modes by name, with one sign for each arm, and the one to start with."""

    def read(self, value: object, place: FilePlace) -> Any:
        """Signs by name, and the default."""
        if not isinstance(value, Mapping):
            return place.refuse(f"is {in_words(value)}; it must be a table")
        objections = list(_objections(value))
        for name, objection in objections:
            place.at(name).refuse(objection)
        return UNREAD if objections else dict(value)

    def schema(self, defs: dict[str, Any]) -> dict[str, Any]:
        """An object with texts."""
        return {"type": "object", "additionalProperties": {"type": "string"}}


def _objections(modes: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Name, and what is wrong with the mode of that name."""
    for name, signs in modes.items():
        if not isinstance(signs, str):
            yield name, f"is {in_words(signs)}; it must be text in quotes"
        elif name == "default":
            continue
        elif _SIGNS.fullmatch(name) or not name.strip():
            yield name, "is not a name for a working mode; use letters"
        elif objection := text_objection(name, NAME_MAX):
            yield name, f"is not a name for a working mode: it {objection}"
        elif not _SIGNS.fullmatch(signs):
            yield name, f"is {signs!r}; it must be one + or - for each arm"
    default = modes.get("default")
    if "default" not in modes:
        yield "default", 'is missing; name the working mode to start with, such as "outward"'
    elif isinstance(default, str) and (default == "default" or default not in modes) and not _SIGNS.fullmatch(default):
        known = ", ".join(name for name in modes if name != "default") or "none is named here"
        yield "default", f"is {default!r}; it must be a working mode ({known}) or signs such as '++-'"


@cache
def file_form() -> TableForm:
    """The form of a whole robot file."""
    table = forms.table_of(Robot, FollowingNumber)
    entries = {name: entry for name, entry in table.entries.items() if name not in NOT_IN_FILES}
    home = Listed(tuple(Number(Quantity(unit, "home")) for unit in POSE), 3, 4)
    entries["home"] = replace(entries["home"], form=home)
    text = "default: the working mode to start with; every other name: its signs, one + or - an arm; all + if not given"
    entries["working_modes"] = Entry(Modes(), text, lambda: None)
    text = "what the robot is and how the file was made"
    entries["description"] = Entry(forms.Text(TEXT_MAX, lines=True), text, lambda: "")
    text = "where each number comes from, by its path or the path of its table"
    entries["sources"] = Entry(forms.Sources(), text, dict)
    return forms.file_of(TableForm("RobotFile", "A robot for parapick.", entries, _contents))


def _contents(values: dict[str, Any]) -> RobotFile:
    """What a file holds, from its values by field."""
    values = dict(values)
    modes = values.pop("working_modes") or {"default": "+" * values["base"].count}
    description, sources = values.pop("description"), values.pop("sources")
    default = modes["default"]
    named = tuple(WorkingMode(name, signs) for name, signs in modes.items() if name != "default")
    branches = tuple(_SIGN[sign] for sign in modes.get(default, default))
    return RobotFile(Robot(**values, branches=branches, modes=named), description, sources)
