"""The numbers and legs of a robot as rows of a table."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any, final

import numpy as np

from parapick.fields import Quantity, doc_of, quantity_of
from parapick.mechanism import Gripper, Robot
from parapick.parameters import Follow
from parapick.robots.form import NOT_IN_FILES
from parapick.robots.robot_file import RobotFile


@final
@dataclass(frozen=True)
class Row:
    """One number of a robot.

    Attributes:
        path: dotted path, as in the file.
        value: the number (SI), or the polynomial it follows.
        unit: SI unit.
        meaning: one line.
        source: where it is from; None where the file does not say.
    """

    path: str
    value: float | Follow
    unit: str
    meaning: str
    source: str | None


def number_rows(contents: RobotFile) -> tuple[Row, ...]:
    """Every number of a robot in the order of the description; the working mode is not a number.

    Args:
        contents: a robot file, read.
    """
    return tuple(_rows(contents, contents.robot, ""))


def row_texts(numbers: Iterable[Row]) -> list[tuple[str, str, str]]:
    """Path, value and source as text, with the entries of a list that share their source in one line.

    Args:
        numbers: rows in the order of the description.
    """
    cells = []
    for (path, source), group in groupby(numbers, key=lambda row: (_field(row.path), row.source)):
        members = list(group)
        if len(members) == 1:
            cells.append((members[0].path, _value(members[0]), source or "-"))
        else:
            cells.append((path, "; ".join(_entries(members)), source or "-"))
    return cells


def legs_in_words(robot: Robot) -> list[tuple[str, ...]]:
    """Number, kind, motor centre (m), motor axis (or rail), arm (or rail, m) and rod (m) of every leg as text."""
    cells = []
    kind = f"{robot.limb.body} and rod"
    for number, leg in enumerate(robot.rod_legs(), start=1):
        lengths = (f"{float(leg.carrier):.6g}", f"{float(leg.rod):.6g}")
        cells.append((str(number), kind, _vector(leg.base), _vector(leg.axis), *lengths))
    for number, leg in enumerate(robot.plate.linear, start=robot.arms + 1):
        cells.append((str(number), f"linear, q = {_vector(leg.row)} . x", "", "", "", ""))
    return cells


def amount_with_degrees(value: float, unit: str) -> str:
    """A number with its unit; an angle also in degrees.

    Args:
        value: the number (SI).
        unit: SI unit.
    """
    text = f"{value:.6g} {unit}".rstrip()
    return f"{text} ({math.degrees(value):.6g} deg)" if unit == "rad" and value else text


def _vector(vector: Any) -> str:
    # Adding zero makes a rounded -0 a plain 0.
    return f"({', '.join(f'{value:.4g}' for value in np.round(np.array(vector).ravel(), 6) + 0.0)})"


def _field(path: str) -> str:
    """Path of the field that holds a number; the number may be an entry of a list in it."""
    return re.sub(r"(\.\d+)+$", "", path)


def _entries(rows: list[Row]) -> Iterator[str]:
    """The entries of a list; a vector is one entry."""
    for _, group in groupby(rows, key=lambda row: row.path.rpartition(".")[0]):
        members = list(group)
        numbers = [row.value for row in members if isinstance(row.value, float)]
        if len(members) == len(rows) or len(numbers) < len(members):
            yield from map(_value, members)
        elif len({row.unit for row in members}) > 1:
            # A point of a curve: torque at a speed.
            yield " ".join(map(_value, members))
        else:
            yield f"({', '.join(f'{number:.6g}' for number in numbers)}) {members[0].unit}".rstrip()


def _value(row: Row) -> str:
    if isinstance(row.value, Follow):
        coefficients = ", ".join(f"{coefficient:g}" for coefficient in row.value.coefficients)
        return f"polynomial in {row.value.of}: {coefficients} ({row.unit})"
    return amount_with_degrees(row.value, row.unit)


def _rows(contents: RobotFile, node: Any, prefix: str) -> Iterator[Row]:
    for field in dataclasses.fields(node):
        path, value, stated = f"{prefix}{field.name}", getattr(node, field.name), quantity_of(field)
        if path in NOT_IN_FILES or (path == "gripper" and value == Gripper()):
            continue
        if stated is not None:
            yield from _numbers(contents, path, value, stated, doc_of(field))
        elif dataclasses.is_dataclass(value):
            yield from _rows(contents, value, f"{path}.")


def _numbers(contents: RobotFile, path: str, value: Any, stated: Quantity, meaning: str) -> Iterator[Row]:
    if isinstance(value, tuple):
        for index, item in enumerate(value, start=1):
            yield from _numbers(contents, f"{path}.{index}", item, stated.of_item(item, index - 1), meaning)
    elif value is not None:
        yield Row(path, value, stated.unit, meaning, contents.source_of(path))
