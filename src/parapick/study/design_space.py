"""The space of designs: free numbers of a robot, and those that follow them; from a design to the robot's numbers.

A design is a row of values of the free numbers. Every number of the robot is then affine in the design,
`numbers = offset + matrix design`, where an option of a choice counts as 1 or 0: so slopes by the robot's numbers
become slopes by the design by one product.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

import numpy as np

from parapick.fields import Quantity, quantity_of
from parapick.mechanism import Robot
from parapick.parameters import Follow, leaves, structure, symbolic
from parapick.search import Free, Space


@final
@dataclass(frozen=True)
class Dependent:
    """A number of the robot that follows others: `plus + times_1 of_1 + times_2 of_2 + ...`.

    Attributes:
        path: its path.
        of: paths of the numbers that it follows.
        times: a factor for each of them.
        plus: what is added (SI).
    """

    path: str
    of: tuple[str, ...]
    times: tuple[float, ...]
    plus: float


@final
@dataclass(frozen=True)
class DesignSpace:
    """The designs of a study.

    Attributes:
        robot: the robot whose numbers are varied.
        free: the free numbers.
        dependent: the numbers that follow them, each after those that it follows.
    """

    robot: Robot
    free: tuple[Free, ...]
    dependent: tuple[Dependent, ...] = ()

    @cached_property
    def ranges(self) -> Space:
        """The free numbers within their bounds: what methods search."""
        return Space(self.free)

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """Paths of all numbers of the robot, in the order in which kernels take them."""
        return tuple(path for path, _ in leaves(self.robot))

    @cached_property
    def _affine(self) -> tuple[np.ndarray, np.ndarray]:
        index = {path: i for i, path in enumerate(self.paths)}
        offset = np.array([value for _, value in leaves(self.robot)])
        matrix, column = np.zeros((len(offset), sum(map(_width, self.free)))), 0
        for free in self.free:
            for path in free.paths:
                offset[index[path]], matrix[index[path], column] = 0.0, 1.0
            for path, values in free.sets:
                matrix[index[path], column : column + len(values)] = values
            column += _width(free)
        for dependent in self.dependent:
            rows = [index[path] for path in dependent.of]
            matrix[index[dependent.path]] = np.array(dependent.times) @ matrix[rows]
            offset[index[dependent.path]] = dependent.plus + float(np.array(dependent.times) @ offset[rows])
        return offset, matrix

    @cached_property
    def _terms(self) -> tuple[tuple[int, int, float], ...]:
        """Number, column and factor of every term that a design adds to the numbers of the robot."""
        matrix = self._affine[1]
        return tuple(
            (row, int(column), matrix[row, column]) for row in self.varied for column in np.flatnonzero(matrix[row])
        )

    @cached_property
    def structure(self) -> Robot:
        """The robot with its numbers zeroed: what kernels are made from."""
        return structure(self.robot)

    @cached_property
    def varied(self) -> tuple[int, ...]:
        """Places of the numbers that differ between designs, among all numbers of the robot."""
        return tuple(np.flatnonzero(self._affine[1].any(axis=1)).tolist())

    @cached_property
    def slopes(self) -> np.ndarray:
        """Slopes of the varied numbers by the design (varied, free); by a choice there are none."""
        whole = self._affine[1][list(self.varied)]
        firsts = np.cumsum([0, *map(_width, self.free)])[:-1]
        slopes = whole[:, firsts]
        slopes[:, [bool(free.options) for free in self.free]] = 0.0
        return slopes

    def _columns(self, designs: np.ndarray) -> np.ndarray:
        """What numbers are affine in (..., columns): values of numbers, and for each option whether it is chosen."""
        parts = [
            (designs[..., i, None] == np.arange(len(free.options))).astype(float)
            if free.options
            else designs[..., i, None]
            for i, free in enumerate(self.free)
        ]
        return np.concatenate(parts, axis=-1)

    def numbers(self, designs: np.ndarray) -> np.ndarray:
        """The numbers of the robot (..., all) of designs.

        Args:
            designs: values of the free numbers (..., free), SI.
        """
        offset, columns = self._affine[0], self._columns(designs)
        # Entry by entry, so that a design has the same numbers in every batch, to the last bit.
        numbers = np.empty((*designs.shape[:-1], len(offset)))
        numbers[...] = offset
        for row, column, factor in self._terms:
            numbers[..., row] += factor * columns[..., column]
        return numbers

    def robot_of(self, design: np.ndarray) -> Robot:
        """The robot of one design.

        Args:
            design: values of the free numbers (free,), SI.
        """
        return symbolic(self.robot, self.numbers(design).tolist())

    def objections(self, designs: np.ndarray) -> list[str]:
        """For each design what number no robot can have, and why; empty where all are possible.

        Args:
            designs: values of the free numbers (m, free), SI.
        """
        numbers, said = self.numbers(designs), [""] * len(designs)
        index = {path: i for i, path in enumerate(self.paths)}
        for path, stated, value in quantities(self.robot):
            follows = isinstance(value, Follow)
            column = _followed(value, path, numbers, index) if follows else numbers[:, index[path]]
            for row in np.flatnonzero(_outside(column, stated)):
                said[row] = said[row] or f"{path} {stated.objection(float(column[row]))}"
        return said


def _width(free: Free) -> int:
    """Columns of a free number: one, or one for each option."""
    return len(free.options) or 1


def _followed(follow: Follow, path: str, numbers: np.ndarray, index: dict[str, int]) -> np.ndarray:
    """Value of a polynomial in every design (m,): its coefficients are among the numbers."""
    coefficients: Any = tuple(
        numbers[:, index[f"{path}.coefficients.{i + 1}"]] for i in range(len(follow.coefficients))
    )
    return replace(follow, coefficients=coefficients).value(numbers[:, index[follow.of]])


def quantities(node: Any, prefix: str = "") -> Iterator[tuple[str, Quantity, float | Follow]]:
    """Every number of a description with its path and what its field states.

    Args:
        node: the description, or a part of it.
        prefix: path of the part, with a dot behind it.
    """
    for field in dataclasses.fields(node):
        path, value, stated = f"{prefix}{field.name}", getattr(node, field.name), quantity_of(field)
        if stated is not None:
            yield from _numbers(path, value, stated)
        elif dataclasses.is_dataclass(value):
            yield from quantities(value, f"{path}.")


def _numbers(path: str, value: Any, stated: Quantity) -> Iterator[tuple[str, Quantity, float | Follow]]:
    if isinstance(value, tuple):
        for i, item in enumerate(value):
            yield from _numbers(f"{path}.{i + 1}", item, stated.of_item(item, i))
    elif isinstance(value, (float, Follow)):
        yield path, stated, value


def _outside(column: np.ndarray, stated: Quantity) -> np.ndarray:
    """Which values a field does not take, or are none."""
    wrong = ~np.isfinite(column)
    if stated.above is not None:
        wrong |= ~(column > stated.above)
    if stated.at_least is not None:
        wrong |= ~(column >= stated.at_least)
    if stated.at_most is not None:
        wrong |= ~(column <= stated.at_most)
    return wrong
