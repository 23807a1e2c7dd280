"""The grid on which a path is timed: cells that lie within one piece of the path each, with the path in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.motion.bisection import bisected
from parapick.motion.path import Path, PathRates, gathered

LOOKS: Final = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
"""Shares of a cell at which the path is known: limits hold by construction at its ends and are looked at between."""

# Cells of a path to begin with, and the fewest of a piece.
_CELLS: Final = 160
_FEWEST: Final = 8
# The first and the last cell are cut at these shares of them: a plate spends long in its first millimetre.
_GRADED: Final = 0.25 ** np.arange(5.0, 0.0, -1.0)
# Halvings that find where a joint turns back: to 1e-12 of a cell; each asks the robot.
_HALVINGS: Final = 40
# Share of the path within which two nodes are one.
_SAME: Final = 1e-9


@final
@dataclass(frozen=True, eq=False)
class Grid:
    """Nodes along a stretch of a path.

    Attributes:
        path: the whole path.
        s: lengths of the nodes from its start (N + 1,), m.
        piece: piece of the path that each cell lies in (N,).
        points: the path at `LOOKS` of every cell (N, looks, dof); at the ends as the cell's own piece has it.
    """

    path: Path
    s: np.ndarray
    piece: np.ndarray
    points: PathRates

    @staticmethod
    def of(path: Path, s: np.ndarray, piece: np.ndarray) -> Grid:
        """A grid of nodes (N + 1,), m, in pieces of a path (N,), with the path looked up."""
        return Grid(path, s, piece, _points(path, piece, s[:-1, None] + np.diff(s)[:, None] * LOOKS))

    @property
    def h(self) -> np.ndarray:
        """Lengths of the cells (N,), m."""
        return np.diff(self.s)

    @property
    def lengths(self) -> np.ndarray:
        """Lengths from the start of the path at `LOOKS` of every cell (N, looks), m."""
        return self.s[:-1, None] + self.h[:, None] * LOOKS

    def ends(self) -> PathRates:
        """The path at both ends of every cell (N, 2, dof)."""
        return PathRates(*(value[:, [0, -1]] for value in self.points))

    def within(self, cell: np.ndarray, share: np.ndarray) -> PathRates:
        """The path at shares (M,) of some cells (M,)."""
        return _points(self.path, self.piece[cell], self.s[cell] + self.h[cell] * share)

    def split(self, parts: np.ndarray) -> Grid:
        """The grid with every cell cut into a number of equal parts (N,); what is known of whole cells is kept."""
        cell = np.repeat(np.arange(len(parts)), parts)
        first = np.concatenate([[0], np.cumsum(parts)[:-1]])
        share = (np.arange(len(cell)) - first[cell]) / parts[cell]
        s, piece = np.append(self.s[cell] + self.h[cell] * share, self.s[-1]), self.piece[cell]
        fresh = parts[cell] > 1
        points = [value[cell] for value in self.points]
        looked = (s[:-1, None] + np.diff(s)[:, None] * LOOKS)[fresh]
        for whole, part in zip(points, _points(self.path, piece[fresh], looked), strict=True):
            whole[fresh] = part
        return Grid(self.path, s, piece, PathRates(*points))

    def with_nodes(self, s: np.ndarray) -> Grid:
        """The grid with further nodes at lengths (m,) from the start of the path; those next to a node are left out."""
        apart = np.abs(s[:, None] - self.s).min(axis=1) > _SAME * (self.s[-1] - self.s[0])
        every = np.unique(np.concatenate([self.s, s[apart]]))
        cell = np.clip(np.searchsorted(self.s, every[:-1], side="right") - 1, 0, len(self.piece) - 1)
        return Grid.of(self.path, every, self.piece[cell])


def first_grid(path: Path, first: int, last: int) -> Grid:
    """A grid from one piece of a path up to another, which is not included; finer near its ends."""
    nodes, pieces = [], []
    total = path.offsets[last] - path.offsets[first]
    for i in range(first, last):
        length = path.pieces[i].length
        count = max(_FEWEST, int(np.ceil(_CELLS * length / total)))
        nodes.append(path.offsets[i] + length * np.arange(count) / count)
        pieces.append(np.full(count, i))
    grid = Grid.of(path, np.append(np.concatenate(nodes), path.offsets[last]), np.concatenate(pieces))
    return grid.with_nodes(np.concatenate([grid.s[0] + grid.h[0] * _GRADED, grid.s[-1] - grid.h[-1] * _GRADED]))


def with_turns(grid: Grid, rates: Callable[[PathRates], np.ndarray], still: float) -> Grid:
    """The grid with a node wherever a joint turns back, because friction and losses jump there.

    `rates` gives joint rates per length (..., n) at points of a path, rad/m; below `still` a joint does not move.
    """
    ends = rates(grid.ends())
    moving = (np.abs(ends) > still).all(axis=1)
    cell, joint = np.nonzero((ends[:, 0] * ends[:, 1] < 0.0) & moving)
    if len(cell) == 0:
        return grid
    rising = ends[cell, 1, joint] > 0.0

    def before(share: np.ndarray) -> np.ndarray:
        rate = rates(grid.within(cell, share))[np.arange(len(cell)), joint]
        return (rate > 0.0) != rising

    _, turn = bisected(before, np.zeros(len(cell)), np.ones(len(cell)), _HALVINGS)
    return grid.with_nodes(grid.s[cell] + grid.h[cell] * turn)


def _points(path: Path, piece: np.ndarray, s: np.ndarray) -> PathRates:
    """The path at lengths (M, ...) in given pieces (M,)."""

    def at(i: int, here: np.ndarray) -> PathRates:
        return path.pieces[i].at(np.clip(s[here] - path.offsets[i], 0.0, path.pieces[i].length))

    return PathRates(*gathered(piece, at))
