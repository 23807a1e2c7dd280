"""The fastest profile of a stretch under a bound on the plate's jerk as well.

Over the length s the acceleration b is linear in every cell, so that u is a quadratic spline, and the jerk of the
plate is `sqrt(u) |x' b' + 3 x'' b + x''' u|`. It stays below J where a convex function, the norm, stays below another
one, `J / sqrt(u)`. A tangent of the latter lies below it and makes the bound linear: what a linear programme finds
then keeps the true bound, and the tangents move to what it found (the convex-concave procedure). The norm is the
largest of its projections, of which those that mattered are kept. Out of rest the jerk is constant through the first
cell, where u grows with the power 4/3 of the length.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from parapick.motion.errors import LimitError, MotionError
from parapick.motion.path import PathRates
from parapick.motion.timing_grid import LOOKS, Grid
from parapick.motion.timing_programme import Programme, rest_growth
from parapick.motion.timing_rows import PathLimits
from parapick.motion.timing_steps import Steps
from parapick.motion.timing_stretch import Stretch, resting_looks

__all__ = ["check_smooth", "jerk_bounded"]

# Nodes of the grid: as many as resolve a switch of the jerk to about a percent of the time.
_NODES: Final = 200
_ROUNDS: Final = 20
# The programme is solved when the norm of the jerk is met this well and the time changes by less than this share.
_MET: Final = 1e-3
_STEADY: Final = 1e-5
# Share by which a limit may be exceeded between nodes; what is left above is slowed away.
_OVER: Final = 1e-3
_SLOWING: Final = 20
# Share of the largest second derivative that counts as a jump: above the rounding of a spline.
_JUMP: Final = 1e-6
# Newton steps that find how long a cell takes; the start is the mean speed.
_NEWTON: Final = 8


def check_smooth(grid: Grid) -> None:
    """Raise `LimitError` where the curvature of a path jumps, so that the plate's jerk is infinite at any speed.

    Args:
        grid: the grid of a stretch.
    """
    d2 = grid.points.d2[..., :3]
    jump = np.linalg.norm(d2[1:, 0] - d2[:-1, -1], axis=-1)
    if jump.max(initial=0.0) > _JUMP * np.linalg.norm(d2, axis=-1).max():
        where = float(grid.s[1:-1][int(np.argmax(jump))])
        raise LimitError("j_max", f"the curvature jumps at {where:.6g} m of the path, so no bound on jerk holds; use via points")


def jerk_bounded(limits: PathLimits, stretch: Stretch, j_max: float, start: float = 0.0, end: float = 0.0) -> Steps:
    """The fastest timing of a stretch under a bound on jerk, with no acceleration along the path at its ends.

    Args:
        limits: what it must hold besides.
        stretch: its fastest profile without that bound.
        j_max: largest jerk of the plate (m/s3).
        start: speed along the path at its start (m/s).
        end: speed along the path at its end (m/s).
    """
    grid = _smooth_grid(stretch.grid)
    resting = resting_looks(grid, 2, start, end)
    rest = bool(resting[0, 0]), bool(resting[-1, -1])
    programme = Programme(grid, limits.rows(grid.ends(), resting), j_max, (start, end), rest)
    u, b = programme.guess(stretch), np.zeros(len(grid.s))
    directions, duration = [grid.ends().d1[..., :3], -grid.ends().d1[..., :3]], math.inf
    for _ in range(_ROUNDS):
        u, b = programme.solved(u, directions)
        before, duration = duration, float(_durations(grid, u).sum())
        vector, size = _jerk(grid.ends(), *_looked(grid, u, b, rest, np.array([0.0, 1.0])))
        directions.append(vector / np.maximum(size, np.finfo(float).tiny)[..., None])
        if size.max() <= j_max * (1.0 + _MET) and abs(before - duration) <= _STEADY * duration:
            break
    u, b = _slowed(limits, grid, u, b, j_max, (start, end), rest)
    return _steps(grid, u, b, rest)


def _smooth_grid(grid: Grid) -> Grid:
    """Nodes evenly spaced in the time of a smooth motion, with the borders of pieces and all turns of joints kept."""
    tau = np.linspace(0.0, 1.0, _NODES + 1)
    s = grid.s[0] + (grid.s[-1] - grid.s[0]) * tau**3 * (10.0 - 15.0 * tau + 6.0 * tau**2)
    border = np.flatnonzero(np.diff(grid.piece)) + 1
    kept = np.concatenate([[grid.s[0]], grid.s[border], [grid.s[-1]]])
    nearest = np.array([int(np.argmin(np.abs(s - node))) for node in kept])
    coarse = Grid.of(grid.path, kept, grid.piece[np.concatenate([[0], border])])
    return coarse.with_nodes(np.delete(s, nearest))


def _looked(
    grid: Grid, u: np.ndarray, b: np.ndarray, rest: tuple[bool, bool], shares: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Squared speeds, accelerations and their slopes by the length at shares of every cell (N, looks)."""
    along = grid.h[:, None] * shares
    slope = np.diff(b) / grid.h
    us = np.maximum(u[:-1, None] + along * (2.0 * b[:-1, None] + slope[:, None] * along), 0.0)
    bs = b[:-1, None] + slope[:, None] * along
    slopes = np.repeat(slope[:, None], len(shares), axis=1)
    for cell, node, shares_out, sign in ((0, 1, shares, 1.0), (-1, -2, 1.0 - shares, -1.0)):
        if rest[0 if cell == 0 else 1]:
            # At rest itself the slope is infinite and its product with the speed is not.
            x = np.maximum(shares_out, np.finfo(float).eps)
            h = grid.h[cell]
            us[cell], bs[cell] = u[node] * x ** (4 / 3), sign * (2 / 3) * u[node] / h * np.cbrt(x)
            slopes[cell] = (2 / 9) * u[node] / h**2 * x ** (-2 / 3)
    return us, bs, slopes


def _jerk(path: PathRates, u: np.ndarray, b: np.ndarray, slope: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Jerk of the plate (..., 3) and its norm (...), m/s3."""
    d1, d2, d3 = (value[..., :3] for value in path[1:])
    vector = np.sqrt(u)[..., None] * (d1 * slope[..., None] + 3.0 * d2 * b[..., None] + d3 * u[..., None])
    return vector, np.linalg.norm(vector, axis=-1)


def _slowed(
    limits: PathLimits,
    grid: Grid,
    u: np.ndarray,
    b: np.ndarray,
    j_max: float,
    speeds: tuple[float, float],
    rest: tuple[bool, bool],
) -> tuple[np.ndarray, np.ndarray]:
    """The profile slowed as a whole until every limit holds between the nodes too."""
    rows = limits.rows(grid.points, resting_looks(grid, len(LOOKS), *speeds))
    for _ in range(_SLOWING):
        us, bs, slopes = _looked(grid, u, b, rest, LOOKS)
        over = float(rows.use(bs, us).max()) - 1.0
        jerk = float(_jerk(grid.points, us, bs, slopes)[1].max()) / j_max
        if over <= _OVER and jerk <= 1.0 + _OVER:
            return u, b
        if speeds != (0.0, 0.0):
            break
        slower = max(1.0 + 2.0 * max(over, 0.0), jerk ** (2 / 3))
        u, b = u / slower, b / slower
    raise MotionError("no timing with this bound on jerk was found; allow more jerk, or begin and end at rest")


def _durations(grid: Grid, u: np.ndarray) -> np.ndarray:
    speed = np.sqrt(u)
    return 2.0 * grid.h / (speed[:-1] + speed[1:])


def _steps(grid: Grid, u: np.ndarray, b: np.ndarray, rest: tuple[bool, bool]) -> Steps:
    speed, slope = np.sqrt(u), np.diff(b) / grid.h
    acceleration, jerk = b[:-1].copy(), np.zeros_like(slope)
    times = _durations(grid, u)
    free = np.ones(len(slope), dtype=bool)
    for cell, node, resting in ((0, 1, rest[0]), (-1, -2, rest[1])):
        if resting:
            times[cell] = 3.0 * grid.h[cell] / speed[node]
            jerk[cell] = 2.0 * speed[node] / times[cell] ** 2
            slope[cell], free[cell] = 0.0, False
            acceleration[cell] = 0.0 if cell == 0 else -jerk[cell] * times[cell]
    steps = Steps(times, grid.s[:-1], speed[:-1], acceleration, jerk, slope)
    cells = np.flatnonzero(free)
    for _ in range(_NEWTON):
        reached = steps.within(cells, times[cells])
        times[cells] -= (reached.s - grid.s[cells + 1]) / reached.sd
    return Steps(times, grid.s[:-1], speed[:-1], acceleration, jerk, slope)
