"""The fastest profile of a stretch under a bound on the plate's jerk as well.

Over the length s the acceleration b is linear in every cell, and the jerk of the plate is
`sqrt(u) |x' b' + 3 x'' b + x''' u|`. It stays below J where a convex function, the norm, stays below another one,
`J / sqrt(u)`. A tangent of the latter lies below it and makes the bound linear: what a linear programme finds then
keeps the true bound, and the tangents move to what it found (the convex-concave procedure). The norm is the largest of
its projections, of which those that mattered are kept.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from parapick.motion.errors import LimitError, MotionError
from parapick.timing.grid import LOOKS, Grid
from parapick.timing.jerk_programme import Programme
from parapick.timing.limits_along import KEPT, PathLimits
from parapick.timing.refinement import Stretch, resting_looks
from parapick.timing.smooth_profile import Spline
from parapick.timing.timing_steps import Steps

# Cells to begin with. Each round solves some programmes and cuts the cells that exceed a limit or leave all unused.
_CELLS: Final = 120
_ROUNDS: Final = 6
_CUTTING: Final = 3
_PROGRAMMES: Final = 12
# A round is solved when the norm of the jerk is met this well and the time changes by less than this share.
_MET: Final = 0.5 * KEPT
_STEADY: Final = 1e-4
# Share by which a lowered limit may be exceeded between nodes. The rounds after the last cut tighten all limits by what
# is left above it; more than this is too much to be handed out.
_OVER: Final = 0.8 * KEPT
_TOO_MUCH: Final = 4e-3
# A cell in which every limit is used less than this is cut, unless it takes less than this share of the time.
_ACTIVE: Final = 0.97
_BRIEF: Final = 1e-3
# Share of the largest second derivative that counts as a jump: above the rounding of a spline.
_JUMP: Final = 1e-6


def check_smooth(grid: Grid) -> None:
    """Raise `LimitError` where the curvature of a path jumps, so that the plate's jerk is infinite at any speed.

    Args:
        grid: the grid of a stretch.
    """
    d2 = grid.points.d2[..., :3]
    jump = np.linalg.norm(d2[1:, 0] - d2[:-1, -1], axis=-1)
    if jump.max(initial=0.0) > _JUMP * np.linalg.norm(d2, axis=-1).max():
        where = float(grid.s[1:-1][int(np.argmax(jump))])
        raise LimitError(
            "j_max", f"the curvature jumps at {where:.6g} m of the path, so no bound on jerk holds; use via points"
        )


def jerk_bounded(limits: PathLimits, stretch: Stretch, j_max: float, start: float = 0.0, end: float = 0.0) -> Steps:
    """The fastest timing of a stretch under a bound on jerk, with no acceleration along the path at its ends.

    Args:
        limits: what it must hold besides.
        stretch: its fastest profile without that bound.
        j_max: largest jerk of the plate (m/s3).
        start: speed along the path at its start (m/s).
        end: speed along the path at its end (m/s).

    Raises:
        MotionError: none was found.
    """
    lowered, bound, speeds = limits.lowered(), j_max * (1.0 - KEPT), (start, end)

    def programme(grid: Grid, tight: float) -> Programme:
        return Programme(grid, lowered.rows(grid.ends(), resting_looks(grid, 2, *speeds)), bound, speeds, tight)

    grid, tight = limits.with_turns(_smooth_grid(stretch.grid)), 1.0
    first = programme(grid, tight)
    spline, directions = _converged(first, first.guess(stretch), [])
    for turn in range(_ROUNDS):
        use = _use(lowered, spline, bound, speeds)
        over, parts = float(use.max()) - 1.0, _parts(spline, use)
        if over <= _OVER and (turn >= _CUTTING or (parts == 1).all()):
            return spline.steps()
        if turn < _CUTTING:
            grid, directions = grid.split(parts), [np.repeat(value, parts, axis=0) for value in directions]
        else:
            tight *= 1.0 + over
        guess = np.interp(grid.s, spline.grid.s, spline.u)
        spline, directions = _converged(programme(grid, tight), guess, directions)
    over = float(_use(lowered, spline, bound, speeds).max()) - 1.0
    if over > _TOO_MUCH:
        raise MotionError(f"no timing with this bound on jerk was found: a limit is still exceeded by {over:.2%}")
    return spline.steps()


def _smooth_grid(grid: Grid) -> Grid:
    """Nodes evenly spaced in the time of a smooth motion, with the borders of pieces kept."""
    tau = np.linspace(0.0, 1.0, _CELLS + 1)
    s = grid.s[0] + (grid.s[-1] - grid.s[0]) * tau**3 * (10.0 - 15.0 * tau + 6.0 * tau**2)
    border = np.flatnonzero(np.diff(grid.piece)) + 1
    kept = np.concatenate([[grid.s[0]], grid.s[border], [grid.s[-1]]])
    # A border takes the place of the node next to it, so that no cell becomes a sliver.
    nearest = [int(np.argmin(np.abs(s - node))) for node in kept]
    return Grid.of(grid.path, kept, grid.piece[np.append(0, border)]).with_nodes(np.delete(s, nearest))


def _converged(programme: Programme, u: np.ndarray, directions: list[np.ndarray]) -> tuple[Spline, list[np.ndarray]]:
    """The spline around which programmes settle, and the directions in which its jerk is bounded."""
    path, found = programme.grid.ends(), [*directions]
    tangent = path.d1[..., :3]
    spline = Spline(programme.grid, *programme.solved(u, [tangent, -tangent, *found]), programme.rest)
    for _ in range(_PROGRAMMES):
        jerk = spline.jerk(path, LOOKS[[0, -1]])
        size = np.linalg.norm(jerk, axis=-1)
        met = float(size.max()) <= programme.j_max * (1.0 + _MET)
        if not met:
            found.append(jerk / np.maximum(size, np.finfo(float).tiny)[..., None])
        near, before = programme.near(spline.u, spline.b), float(spline.durations.sum())
        u, b = programme.solved(spline.u, [tangent, -tangent, *found], near)
        spline = Spline(programme.grid, u, b, programme.rest)
        if met and abs(before / float(spline.durations.sum()) - 1.0) <= _STEADY:
            break
    return spline, found


def _use(limits: PathLimits, spline: Spline, j_max: float, speeds: tuple[float, float]) -> np.ndarray:
    """How much of its nearest limit the plate uses, jerk included, at every look into every cell (N, looks)."""
    grid = spline.grid
    u, b, _ = spline.looked(LOOKS)
    jerk = np.linalg.norm(spline.jerk(grid.points, LOOKS), axis=-1)
    return np.maximum(limits.rows(grid.points, resting_looks(grid, len(LOOKS), *speeds)).use(b, u), jerk / j_max)


def _parts(spline: Spline, use: np.ndarray) -> np.ndarray:
    """Into how many parts each cell should fall (N,)."""
    share = spline.durations / spline.durations.sum()
    idle = (use.min(axis=1) < _ACTIVE) & (share > _BRIEF)
    parts = np.where(idle | (use.max(axis=1) > 1.0 + _OVER), 2, 1)
    # The cells next to rest have constant jerk by construction.
    parts[[0, -1]] = np.where(spline.rest, 1, parts[[0, -1]])
    return parts
