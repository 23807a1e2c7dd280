"""The fastest profile of one stretch without stops: solved on a grid, looked at between its nodes, and refined.

Limits hold at both ends of every cell. Between them they may be exceeded by what their coefficients change within the
cell, and they are left unused where a cell is wide. Both shrink with the cells that show it; a cell that is short and
still exceeds a limit gets a tighter one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.motion.errors import LimitError, MotionError
from parapick.timing.checks import check_crossing, check_reach, check_regular, check_rest
from parapick.timing.grid import LOOKS, Grid
from parapick.timing.limits_along import KEPT, PathLimits, Rows
from parapick.timing.speed_profile import UNBOUNDED, cell_rows, profile
from parapick.timing.timing_steps import mean_times

# Share by which a lowered limit may be exceeded between nodes, a little less than it is lowered by because the looks
# into a cell may miss the worst of it; and what is too much to be handed out after all rounds.
_OVER: Final = 0.8 * KEPT
_TOO_MUCH: Final = 4e-3
# A cell in which the nearest limit is used less than this is idle, and this share of the time may be.
_ACTIVE: Final = 0.985
_IDLE: Final = 0.01
# An idle cell that takes less than this share of the time is not worth cutting; others fall into at most so many parts.
_BRIEF: Final = 2e-4
_PARTS: Final = 4
# A cell shorter than this share of the stretch is not cut because of a limit that is exceeded, but given a tighter one.
_SHORT: Final = 2e-5
_ROUNDS: Final = 14
# Rounds of linearised viscous friction: it converges quadratically, and five are enough unless friction is everything.
_SETTLING: Final = 20
_SETTLED: Final = 1e-8
# What a row keeps free at rest where it is tightened or linearised.
_ROOM: Final = 1e-9
# Share by which a given speed may miss what the limits allow, because they allow it to rounding only.
_MET: Final = 1e-6


@final
@dataclass(frozen=True, eq=False)
class Stretch:
    """A profile along a stretch of a path.

    Attributes:
        grid: the grid.
        u: squared speeds at its nodes (N + 1,), m2/s2; linear between them.
    """

    grid: Grid
    u: np.ndarray

    @property
    def acceleration(self) -> np.ndarray:
        """Accelerations along the path in the cells (N,), m/s2."""
        return np.diff(self.u) / (2.0 * self.grid.h)

    @property
    def durations(self) -> np.ndarray:
        """Times of the cells (N,), s."""
        return mean_times(self.grid.s, self.u)


def fastest_stretch(limits: PathLimits, grid: Grid, start: float = 0.0, end: float = 0.0) -> Stretch:
    """The fastest profile of a stretch, with given speeds along the path at its ends (m/s).

    It starts from a first grid. Raises what `fastest` raises: for a path that cannot be reached, is singular or on
    which a motor cannot hold the plate, for speeds that the limits do not allow, and where nothing bounds it.
    """
    check_reach(limits.model, grid)
    check_crossing(limits.model, grid)
    grid = limits.with_turns(grid)
    check_rest(limits, grid)
    lowered, speeds, tight = limits.lowered(), (start, end), np.ones(len(grid.piece))
    stretch, use = _solved(lowered, grid, tight, np.zeros(len(grid.s)), speeds)
    for _ in range(_ROUNDS):
        parts, tighter = _refined(stretch, use)
        if parts is None:
            break
        grid, tight = grid.split(parts), np.repeat(tight * tighter, parts)
        stretch, use = _solved(lowered, grid, tight, np.interp(grid.s, stretch.grid.s, stretch.u), speeds)
    over = float(use.max()) - 1.0
    if over > _TOO_MUCH:
        raise MotionError(f"the path could not be timed: a limit is still exceeded by {over:.2%}; round its corners")
    return stretch


def resting_looks(grid: Grid, looks: int, start: float, end: float) -> np.ndarray:
    """Whether the plate rests at looks into the cells (N, looks): only at ends of the stretch without a speed."""
    resting = np.zeros((len(grid.piece), looks), dtype=bool)
    resting[0, 0], resting[-1, -1] = start == 0.0, end == 0.0
    return resting


def _solved(
    limits: PathLimits, grid: Grid, tight: np.ndarray, guess: np.ndarray, speeds: tuple[float, float]
) -> tuple[Stretch, np.ndarray]:
    """The profile on a grid, and how much of its nearest limit it uses at every look into every cell (N, looks)."""
    rows = limits.rows(grid.ends(), resting_looks(grid, 2, *speeds))
    check_regular(grid, rows)
    stretch = Stretch(grid, _settled(grid, rows, tight, guess, speeds))
    u = stretch.u[:-1, None] + np.diff(stretch.u)[:, None] * LOOKS
    b = np.broadcast_to(stretch.acceleration[:, None], u.shape)
    return stretch, limits.rows(grid.points, resting_looks(grid, len(LOOKS), *speeds)).use(b, u)


def _settled(grid: Grid, rows: Rows, tight: np.ndarray, guess: np.ndarray, speeds: tuple[float, float]) -> np.ndarray:
    """Squared speeds at the nodes; the tangents of viscous friction are moved until they touch."""
    u, scale = guess, tight[:, None, None]
    for _ in range(_SETTLING):
        beta, gamma = rows.linear(np.stack([u[:-1], u[1:]], axis=1))
        room = np.maximum(1.0 - gamma * scale, _ROOM)
        cells = cell_rows(grid.h, rows.alpha * scale, beta * scale, room, rows.cap)
        before, (u, reachable) = u, profile(cells, speeds[0] ** 2, speeds[1] ** 2)
        _check_speeds(u, reachable, speeds)
        if rows.steady or np.abs(u - before).max() <= _SETTLED * u.max():
            break
    return u


def _check_speeds(u: np.ndarray, reachable: np.ndarray, speeds: tuple[float, float]) -> None:
    start, end = speeds
    if u.max() >= UNBOUNDED:
        raise LimitError("a_max", "nothing bounds the acceleration along the path; give a_max or torques of all motors")
    if start**2 > reachable[0] * (1.0 + _MET):
        raise LimitError(
            "start_speed", f"is {start:g} m/s; the limits allow at most {np.sqrt(reachable[0]):.6g} m/s at the start"
        )
    if u[-1] < end**2 * (1.0 - _MET):
        raise LimitError("end_speed", f"is {end:g} m/s; the limits allow at most {np.sqrt(u[-1]):.6g} m/s at the end")


def _refined(stretch: Stretch, use: np.ndarray) -> tuple[np.ndarray | None, np.ndarray]:
    """Into how many parts each cell should fall, None if all is well, and how much tighter its limits should be."""
    over, used = use.max(axis=1) - 1.0, use.min(axis=1)
    idle = used < _ACTIVE
    share = stretch.durations / stretch.durations.sum()
    if over.max() <= _OVER and share[idle].sum() <= _IDLE:
        return None, over
    wanted = np.clip(np.ceil((1.0 - used) / (1.0 - _ACTIVE)), 2, _PARTS)
    parts = np.where(idle & (share > _BRIEF), wanted, 1).astype(int)
    short = stretch.grid.h <= _SHORT * (stretch.grid.s[-1] - stretch.grid.s[0])
    parts = np.where((over > _OVER) & ~short, np.maximum(parts, 2), parts)
    tighter = np.where((over > _OVER) & short, 1.0 + over, 1.0)
    return (None if (parts == 1).all() and (tighter == 1.0).all() else parts), tighter
