"""The grid on which paths are timed: cells that lie within one piece of a path each, with the path in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Final, NamedTuple, final

import numpy as np

from parapick.motion import Path, PathRates

LOOKS: Final = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
"""Shares of a cell at which the path is known: limits hold by construction at its ends and are looked at between."""

_BY_LOOK: Final = LOOKS[:, None]

PARTS: Final = 8
"""Most parts into which a cell is cut at once."""

# Cells of a path to begin with, and the fewest of a piece.
_CELLS: Final = 160
_FEWEST: Final = 8
# Grids that are kept: a path is often timed again, for another robot, load or limit, and so are all ways of a tray.
_GRIDS: Final = 64
# The first and the last cell are cut at these shares of them: a plate spends long in its first millimetre.
_GRADED: Final = 0.25 ** np.arange(5.0, 0.0, -1.0)
# Most steps that find where a joint turns back; some six are enough, and each asks the robot.
_SECANTS: Final = 40
# Which of the looks compares a polynomial with the path, away from the middle where its errors vanish; and how well it
# must meet it, as a share of what it is.
_LOOKED: Final = 1
_EXACT: Final = 1e-8
# Share of the path within which two nodes are one.
_SAME: Final = 1e-9


_OF_CELLS: Final = ("s", "h", "piece")


class Cuts(NamedTuple):
    """Cells that are cut into equal parts, of one cell after the other.

    Attributes:
        parts: into how many parts each cell is cut (N,).
        cell: cell that each part lies in (M,).
        number: its number within its cell, from 0 (M,).
        counts: into how many parts its cell is cut (M,).
    """

    parts: np.ndarray
    cell: np.ndarray
    number: np.ndarray
    counts: np.ndarray

    @staticmethod
    def of(parts: np.ndarray) -> Cuts:
        """Cells cut into numbers of parts (N,)."""
        cell = np.arange(len(parts)).repeat(parts)
        return Cuts(parts, cell, np.arange(len(cell)) - (parts.cumsum() - parts)[cell], parts[cell])

    @property
    def looks(self) -> np.ndarray:
        """Where `_looks_of_parts` has each part (M,)."""
        return self.counts * (self.counts - 1) // 2 + self.number


@final
@dataclass(frozen=True, eq=False)
class PathGrid:
    """Cells along stretches of paths, of one stretch after the other.

    Attributes:
        paths: the whole path of each stretch.
        owner: stretch that each cell belongs to (N,), rising.
        s: lengths from the start of its path at which each cell begins (N,), m.
        h: lengths of the cells (N,), m.
        piece: piece of its path that each cell lies in (N,).
        points: the path and its three derivatives at `LOOKS` of every cell (4, N, looks, dof); at the ends of a cell as
            its own piece has it.
    """

    paths: tuple[Path, ...]
    owner: np.ndarray
    s: np.ndarray
    h: np.ndarray
    piece: np.ndarray
    points: np.ndarray

    @staticmethod
    def of(path: Path, nodes: np.ndarray, piece: np.ndarray) -> PathGrid:
        """A grid of nodes (N + 1,), m, along a stretch of a path, in its pieces (N,), with the path looked up."""
        h, count, looks = nodes[1:] - nodes[:-1], len(piece), len(LOOKS)
        lengths = nodes[:-1] + h * _BY_LOOK
        lengths[-1] = nodes[1:]
        # What two cells of one piece share is looked up once.
        run = np.concatenate([[0], (piece[1:] != piece[:-1]).cumsum()])
        place = (looks - 1) * np.arange(count) + run + np.arange(looks)[:, None]
        s, index = np.empty(place[-1, -1] + 1), np.empty(place[-1, -1] + 1, dtype=int)
        s[place], index[place] = lengths, piece
        points, by_cell = np.empty((4, count, looks, path.dof)), np.ascontiguousarray(place.T)
        for whole, rate in zip(points, path.in_pieces(index, s), strict=True):
            # With the mode "raise" what is taken would be buffered.
            rate.take(by_cell, axis=0, out=whole, mode="clip")
        return PathGrid((path,), np.zeros(len(piece), dtype=int), nodes[:-1], h, piece, points)

    @staticmethod
    def joined(grids: Sequence[PathGrid]) -> PathGrid:
        """The stretches of several grids, each of one, one after the other."""
        if len(grids) == 1:
            return grids[0]
        owner = np.repeat(np.arange(len(grids)), [len(grid.h) for grid in grids])
        s, h, piece = (np.concatenate([getattr(grid, name) for grid in grids]) for name in _OF_CELLS)
        points = np.concatenate([grid.points for grid in grids], axis=1)
        return PathGrid(tuple(grid.paths[0] for grid in grids), owner, s, h, piece, points)

    @cached_property
    def first(self) -> np.ndarray:
        """Where the cells of each stretch begin (stretches,)."""
        return self.owner.searchsorted(np.arange(len(self.paths)))

    @cached_property
    def last(self) -> np.ndarray:
        """The last cell of each stretch (stretches,)."""
        return self.owner.searchsorted(np.arange(len(self.paths)), side="right") - 1

    @property
    def nodes(self) -> np.ndarray:
        """Lengths of the nodes of a single stretch (N + 1,), m."""
        return np.append(self.s, self.s[-1] + self.h[-1])

    @property
    def lengths(self) -> np.ndarray:
        """Lengths from the start of the path at `LOOKS` of every cell (N, looks), m."""
        return self.s[:, None] + self.h[:, None] * LOOKS

    @property
    def rates(self) -> PathRates:
        """The path at `LOOKS` of every cell (N, looks, dof)."""
        return PathRates(*self.points)

    def ends(self) -> PathRates:
        """The path at both ends of every cell (N, 2, dof)."""
        return PathRates(*self.points[:, :, [0, -1]])

    def stretch(self, number: int) -> PathGrid:
        """The grid of one of the stretches."""
        here = slice(self.first[number], self.last[number] + 1)
        if len(self.paths) == 1:
            return self
        s, h, piece = (getattr(self, name)[here] for name in _OF_CELLS)
        return PathGrid((self.paths[number],), np.zeros_like(self.owner[here]), s, h, piece, self.points[:, here])

    def within(self, cell: np.ndarray, share: np.ndarray) -> PathRates:
        """The path at shares (M,) of some cells (M,)."""
        s = self.s[cell] + self.h[cell] * share
        return PathRates(*_points(self.paths, self.owner[cell], self.piece[cell], s))

    def without_slivers(self) -> tuple[PathGrid, np.ndarray]:
        """The grid without cells so short that their ends are one node, and which cells it keeps (N,).

        Joints that turn back at one place, but for rounding, make such cells.
        """
        keep = self.h > _SAME * np.add.reduceat(self.h, self.first)[self.owner]
        s, h, piece = (getattr(self, name)[keep] for name in _OF_CELLS)
        return PathGrid(self.paths, self.owner[keep], s, h, piece, self.points[:, keep]), keep

    def kept(self, cuts: Cuts) -> np.ndarray:
        """Stretches whose cells are cut into some parts, rather than none."""
        return np.bincount(self.owner[cuts.cell]).nonzero()[0]

    def split(self, cuts: Cuts) -> PathGrid:
        """The grid with its cells cut into parts.

        What is known of whole cells is kept; stretches whose cells are cut into no parts are left out. Polynomials
        through the ends of a cell stand for the path between them where they meet it.
        """
        kept, cell = self.kept(cuts), cuts.cell
        paths, owner, piece = [self.paths[k] for k in kept.tolist()], self.owner[cell], self.piece[cell]
        owner = owner if len(paths) == len(self.paths) else np.searchsorted(kept, owner)
        h = self.h[cell] / cuts.counts
        s, points = self.s[cell] + h * cuts.number, self.points.take(cell, axis=1)
        cut = (cuts.parts > 1).nonzero()[0]
        if len(cut):
            # The parts of cells that are cut, and which of these cells each lies in.
            fresh, which = (cuts.counts > 1).nonzero()[0], np.arange(len(cut)).repeat(cuts.parts[cut])
            known, powers = self.points.take(cut, axis=1), _powers(self.h[cut])
            ends = _ends(known, powers)
            met = self._met_by_polynomials(cut, known, ends, powers)[which]
            easy, hard = fresh[met], fresh[~met]
            points[:, easy] = _between(ends, powers, which[met], cuts.looks[easy])
            if len(hard):
                points[:, hard] = _points(paths, owner[hard], piece[hard], s[hard, None] + h[hard, None] * LOOKS)
        return PathGrid(tuple(paths), owner, s, h, piece, points)

    def _met_by_polynomials(
        self, cell: np.ndarray, points: np.ndarray, ends: np.ndarray, powers: np.ndarray
    ) -> np.ndarray:
        """Whether polynomials through the ends of some cells meet their paths (M,); the rest as for `_between`."""
        # A cell as the only part of itself.
        between = _looks_of_parts()[0].reshape(4, len(LOOKS), 8)[:3, _LOOKED] @ ends / powers[:, :3, None]
        error = np.abs(between.swapaxes(0, 1) - points[:3, :, _LOOKED]).max(axis=2)
        scales = _powers(1.0 / np.array([path.length for path in self.paths])).T[:3]
        size = np.abs(points[:3]).max(axis=(2, 3)) + scales.take(self.owner[cell], axis=1)
        return (error <= _EXACT * size).all(axis=0)

    def with_nodes(self, s: np.ndarray) -> PathGrid:
        """A single stretch with further nodes at lengths (m,) of its path; those next to a node are left out."""
        nodes = self.nodes
        apart = np.abs(s[:, None] - nodes).min(axis=1, initial=np.inf) > _SAME * (nodes[-1] - nodes[0])
        every = np.unique(np.concatenate([nodes, s[apart]]))
        cell = np.clip(np.searchsorted(nodes, every[:-1], side="right") - 1, 0, len(self.piece) - 1)
        return PathGrid.of(self.paths[0], every, self.piece[cell])


@lru_cache(_GRIDS)
def first_grid(path: Path, first: int, last: int) -> PathGrid:
    """A grid from one piece of a path up to another, which is not included; finer near its ends."""
    total = path.offsets[last] - path.offsets[first]
    lengths = path.offsets[first + 1 : last + 1] - path.offsets[first:last]
    counts = np.maximum(_FEWEST, np.ceil(_CELLS * lengths / total)).astype(int)
    begin, end = _GRADED * lengths[0] / counts[0], _GRADED[::-1] * lengths[-1] / counts[-1]
    cuts = Cuts.of(counts)
    own = cuts.cell
    nodes = path.offsets[first:last][own] + lengths[own] * (cuts.number / cuts.counts)
    nodes = np.concatenate([nodes[:1], nodes[0] + begin, nodes[1:], path.offsets[last] - end, path.offsets[[last]]])
    graded = [[end] * len(_GRADED) for end in (0, last - first - 1)]
    return PathGrid.of(path, nodes, first + np.concatenate([graded[0], own, graded[1]]))


def with_turns(grid: PathGrid, rates: Callable[[PathRates], np.ndarray], still: float) -> PathGrid:
    """A single stretch with a node wherever a joint turns back, because friction and losses jump there.

    `rates` gives joint rates per length (..., n) at points of a path, rad/m; below `still` a joint does not move.
    """
    ends = rates(grid.ends())
    moving = (np.abs(ends) > still).all(axis=1)
    cell, joint = np.nonzero((ends[:, 0] * ends[:, 1] < 0.0) & moving)
    if len(cell) == 0:
        return grid
    # By secants between two sides; where one stays a second time its value is halved, so that both close in (Illinois).
    share, behind = np.zeros((2, len(cell)))
    (low, high), (below, above) = np.outer([0.0, 1.0], np.ones(len(cell))), ends[cell, :, joint].T
    for _ in range(_SECANTS):
        share = (low * above - high * below) / (above - below)
        rate = rates(grid.within(cell, share))[np.arange(len(cell)), joint]
        if (np.abs(rate) <= 0.1 * still).all():
            break
        again, behind = behind, np.sign(rate * below)
        keep = np.where(again == behind, 0.5, 1.0)
        low, high = np.where(behind > 0.0, share, low), np.where(behind > 0.0, high, share)
        below, above = np.where(behind > 0.0, rate, keep * below), np.where(behind > 0.0, keep * above, rate)
    return grid.with_nodes(grid.s[cell] + grid.h[cell] * share)


def _hermite(count: int) -> np.ndarray:
    """From values and derivatives, `count` of them at 0 and then at 1, to coefficients of a polynomial."""
    powers = np.arange(2 * count)
    rows = [
        [np.prod(p - np.arange(k)) * (float(p == k) if end == 0 else 1.0) for p in powers]
        for k in range(count)
        for end in (0, 1)
    ]
    return np.linalg.inv(rows)


@cache
def _looks_of_parts() -> np.ndarray:
    """From what is known of the ends of a cell to `LOOKS` of its parts (`parts (parts - 1) / 2 + number`, 4 looks, 8).

    The path is the polynomial through all that is known of it at both ends of its cell, its derivatives are those of
    another one through the first and what follows it.
    """
    shares = [(number + LOOKS) / parts for parts in range(1, PARTS + 1) for number in range(parts)]
    powers, exponents = np.array(shares)[..., None] ** np.arange(8), np.arange(6.0)
    looks, five = np.zeros((len(shares), 4, len(LOOKS), 8)), _hermite(3)
    looks[:, 0] = powers @ _hermite(4)
    for order in (1, 2, 3):
        looks[:, order, :, 2:] = powers[..., : len(five)] @ five
        five = (exponents[: len(five), None] * five)[1:]
    return looks.reshape(len(shares), -1, 8)


def _ends(points: np.ndarray, powers: np.ndarray) -> np.ndarray:
    """Paths and their three derivatives at both ends of cells, by shares of the cells (M, 8, dof)."""
    ends = np.empty((len(powers), 4, 2, points.shape[-1]))
    inner = points[:, :, :: len(LOOKS) - 1].transpose(1, 0, 2, 3)
    return np.multiply(inner, powers[:, :, None, None], out=ends).reshape(len(powers), 8, -1)


def _powers(h: np.ndarray) -> np.ndarray:
    """Powers 0 to 3 of lengths (M, 4)."""
    powers = np.ones((len(h), 4))
    powers[:, 1], powers[:, 2], powers[:, 3] = h, h * h, h * h * h
    return powers


def _between(ends: np.ndarray, powers: np.ndarray, cell: np.ndarray, part: np.ndarray) -> np.ndarray:
    """Paths and their three derivatives (4, M, looks, dof) in parts of cells, by polynomials.

    Args:
        ends: what `_ends` gives of each cell (N, 8, dof).
        powers: powers of the lengths of the cells (N, 4).
        cell: cell that each part lies in (M,).
        part: where `_looks_of_parts` has it (M,).
    """
    looks = _looks_of_parts()[part] @ ends[cell]
    by_order = looks.reshape(len(cell), 4, len(LOOKS), ends.shape[-1])
    by_order /= powers[cell][:, :, None, None]
    return by_order.transpose(1, 0, 2, 3)


def _points(paths: Sequence[Path], owner: np.ndarray, piece: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Paths and their three derivatives (4, M, ..., dof) at lengths (M, ...) in given pieces of the owners' paths (M,).

    Stretches of one path are looked up together.
    """
    distinct = [*{id(path): path for path in paths}.values()]
    number = {id(path): i for i, path in enumerate(distinct)}
    which, looks = np.array([number[id(path)] for path in paths])[owner], s[:1].size
    points = np.empty((4, *s.shape, paths[0].dof))
    for i, path in enumerate(distinct):
        here = which == i
        rates = path.in_pieces(np.repeat(piece[here], looks), s[here].ravel())
        points[:, here] = np.stack(rates).reshape(4, -1, *points.shape[2:])
    return points
