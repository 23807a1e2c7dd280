"""Forms of what only study files have: free numbers by path, bounds by measure, tasks as files or tables."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, final

from parapick.fields import Quantity
from parapick.forms import UNREAD, Entry, FilePlace, Flag, Listed, Number, TableForm, Whole, Word
from parapick.limits import MOST, count_objection
from parapick.search import Bound
from parapick.study.account import LEAVABLE
from parapick.study.study_measures import STUDY_MEASURES
from parapick.tasks import TaskFileError, UnknownTaskError, load_task, read_task
from parapick.toml import in_words
from parapick.units import UNITS

RANGE: Final = ("from", "to", "step", "count", "values", "choose")
"""Fields of a free number that is stated as a table."""

FOLLOWS: Final = ("of", "times", "plus")
"""Fields of a number that follows others."""

POINTS: Final = (7, 48, 6)
"""Points of a workspace along radius, azimuth and z of a cylinder where the file states none."""


@final
@dataclass(frozen=True)
class PlainTable:
    """A table by path, whose values are read when the robot is known.

    Attributes:
        doc: what the values are.
    """

    doc: str

    def read(self, value: object, place: FilePlace) -> Any:
        """The table as it is."""
        return dict(value) if isinstance(value, Mapping) else place.refuse(f"is {in_words(value)}; it must be a table")

    def schema(self, defs: dict[str, Any]) -> dict[str, Any]:
        """An object of anything."""
        return {"type": "object", "description": self.doc, "additionalProperties": True}


@final
@dataclass(frozen=True)
class FreeTable:
    """The free numbers by path: a list of values, or a table with a range."""

    def read(self, value: object, place: FilePlace) -> Any:
        """The numbers by their whole path, as the file states them."""
        if not isinstance(value, Mapping):
            return place.refuse(f"is {in_words(value)}; it must be a table")
        return dict(flattened(value, RANGE))

    def schema(self, defs: dict[str, Any]) -> dict[str, Any]:
        """An object of lists and tables."""
        return {"type": "object", "additionalProperties": True}


def flattened(table: Mapping[str, Any], leaf: tuple[str, ...], prefix: str = "") -> list[tuple[str, Any]]:
    """Values by whole path: `"limb.arm" = ...` and a table `[limb]` with `arm = ...` are the same.

    Args:
        table: as the file has it.
        leaf: fields by which a table is a value and no table of values.
        prefix: path of the table, with a dot behind it.
    """
    values: list[tuple[str, Any]] = []
    for key, value in table.items():
        if isinstance(value, Mapping) and not set(value) & set(leaf):
            values += flattened(value, leaf, f"{prefix}{key}.")
        else:
            values.append((f"{prefix}{key}", value))
    return values


@final
@dataclass(frozen=True)
class TaskForm:
    """A task: the name of a shipped one, the path of a file, or a table as a task file has it."""

    def read(self, value: object, place: FilePlace) -> Any:
        """The task."""
        if isinstance(value, str):
            path = place.folder / value
            try:
                return load_task(str(path) if path.is_file() else value)
            except (TaskFileError, UnknownTaskError) as error:
                return place.refuse(str(error))
        if not isinstance(value, Mapping):
            return place.refuse(f"is {in_words(value)}; it must be the name of a task, or a table")
        document = {"format": 1, "name": place.path.replace(".", "-"), **value}
        task, problems = read_task(document, place.folder)
        for problem in problems:
            place.at(problem.path).refuse(problem.message)
        return UNREAD if task is None else task

    def schema(self, defs: dict[str, Any]) -> dict[str, Any]:
        """A text, or an object."""
        return {"anyOf": [{"type": "string"}, {"type": "object", "additionalProperties": True}]}


@final
@dataclass(frozen=True)
class BoundsForm:
    """Requirements: `reach`, bounds of measures by their names, and what of `evaluate` is left out."""

    def read(self, value: object, place: FilePlace) -> Any:
        """Points of the workspace under "reach", names under "leave_out", and a `Bound` by measure."""
        return _table().read(value, place)

    def schema(self, defs: dict[str, Any]) -> dict[str, Any]:
        """The object."""
        return _table().schema(defs)


def _table() -> TableForm:
    entries = {
        "reach": Entry(ReachForm(), "the workspace is reached all over, within all limits", lambda: None),
        "leave_out": Entry(
            Listed((Word(LEAVABLE),)),
            "requirements of evaluate that designs need not keep along the tasks; all others count",
            lambda: None,
        ),
    }
    for measure in STUDY_MEASURES.values():
        bounds = {side: _bound(measure.unit, side) for side in ("at_least", "at_most")}
        doc = f"{measure.doc} ({measure.unit})" if measure.unit else measure.doc
        entries[measure.name] = Entry(
            TableForm(f"Bounds_{measure.name}", doc, bounds, lambda values: values, what="of a bound"),
            doc,
            lambda: None,
        )

    def make(values: dict[str, Any]) -> dict[str, Any]:
        stated = {name: value for name, value in values.items() if value is not None}
        bounds = {name: Bound(name, **value) for name, value in stated.items() if name in STUDY_MEASURES}
        return {**bounds, **{name: stated[name] for name in ("reach", "leave_out") if stated.get(name)}}

    return TableForm("Requirements", "What every design must keep.", entries, make, what="of the requirements")


def _bound(unit: str, side: str) -> Entry:
    words = {"at_least": "smallest value", "at_most": "largest value"}[side]
    # Joules and watts have no other spellings.
    number = Number(Quantity(unit if unit in UNITS else "", words))
    return Entry(number, f"{words} ({unit})" if unit else words, lambda: None)


@final
@dataclass(frozen=True)
class ReachForm:
    """Whether the workspace is reached: true, or a table that says at how many points it is looked at."""

    def read(self, value: object, place: FilePlace) -> Any:
        """Points along each axis; None where nothing is required."""
        if isinstance(value, bool):
            return POINTS if value else None
        return _REACH.read(value, place)

    def schema(self, defs: dict[str, Any]) -> dict[str, Any]:
        """A flag or a table."""
        return {"anyOf": [Flag().schema(defs), _REACH.schema(defs)]}


@final
@dataclass(frozen=True)
class _Points:
    """Points along each axis of a workspace, of which there are not too many in all."""

    def read(self, value: object, place: FilePlace) -> Any:
        """The numbers of points."""
        counts = _AXES.read(value, place)
        objection = None if counts is UNREAD else count_objection("reach", float(math.prod(counts)))
        return place.refuse(f"makes so many points that their number {objection}") if objection else counts

    def schema(self, defs: dict[str, Any]) -> dict[str, Any]:
        """An array of integers."""
        return _AXES.schema(defs)


_AXES: Final = Listed((Whole(1, MOST["reach"]),), 3, 4)

_REACH: Final = TableForm(
    "Reach",
    "How closely the workspace is sampled.",
    {
        "points": Entry(
            _Points(),
            "points along radius, azimuth and z of a cylinder, or x, y and z of a box, and along yaw",
            lambda: POINTS,
        )
    },
    lambda values: values["points"],
    what="of reach",
)
