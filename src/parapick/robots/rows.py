"""The numbers of a robot as rows of a table: path, value, unit, meaning and source."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, final

from parapick.mechanism.fields import Quantity, doc_of, quantity_of
from parapick.mechanism.parameters import Follow
from parapick.mechanism.robot import TASK_NAMES
from parapick.robots.contents import RobotFile
from parapick.robots.schema import NOT_IN_FILES

__all__ = ["Row", "rows"]


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


def rows(contents: RobotFile) -> tuple[Row, ...]:
    """Every number of a robot in the order of the description; the working mode is not a number.

    Args:
        contents: a robot file, read.
    """
    return tuple(_rows(contents, contents.robot, ""))


def _rows(contents: RobotFile, node: Any, prefix: str) -> Iterator[Row]:
    for field in dataclasses.fields(node):
        path, value, stated = f"{prefix}{field.name}", getattr(node, field.name), quantity_of(field)
        if path in NOT_IN_FILES:
            continue
        if stated is not None:
            yield from _numbers(contents, path, value, stated, doc_of(field))
        elif dataclasses.is_dataclass(value):
            yield from _rows(contents, value, f"{path}.")


def _numbers(contents: RobotFile, path: str, value: Any, stated: Quantity, meaning: str) -> Iterator[Row]:
    if isinstance(value, tuple):
        for index, item in enumerate(value, start=1):
            yield from _numbers(contents, f"{path}.{index}", item, stated, meaning)
    elif value is not None:
        unit = stated.unit
        if path.startswith("home."):
            unit = "rad" if path == f"home.{len(TASK_NAMES)}" else "m"
        yield Row(path, value, unit, meaning, contents.source_of(path))
