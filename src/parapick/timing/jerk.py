"""The fastest profile of a stretch under bounds on the jerk of the plate and of joints as well.

Over the length s the acceleration b is linear in every cell, and the jerk of the plate is
`sqrt(u) |x' b' + 3 x'' b + x''' u|`; that of a joint is the same with its coordinate in the place of x. It stays below
J where a convex function, the norm, stays below another one, `J / sqrt(u)`. A tangent of the latter lies below it and
makes the bound linear: what a linear programme finds then keeps the true bound, and the tangents move to what it found
(the convex-concave procedure). The norm is the largest of its projections, of which those that mattered are kept; a
joint has two, one to either side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.errors import MotionError
from parapick.timing.grid import LOOKS, Cuts, PathGrid
from parapick.timing.jerk_bounds import JerkBounds, plate_rates
from parapick.timing.jerk_programme import Programme, cell_times
from parapick.timing.limits_along import KEPT
from parapick.timing.refinement import Course, TimedStretch, resting_looks
from parapick.timing.speed_profile import use_of
from parapick.timing.timing_steps import Steps, mean_times

# Cells to begin with, and cells of constant jerk, of which fewer do: with 80 of them cycles take 0.02 to 0.07 % longer
# than with 320, with 40 up to 0.6 %. Each round solves some programmes and cuts the cells that exceed a limit or leave
# all unused.
_CELLS: Final = 120
_EVEN_CELLS: Final = 80
_ROUNDS: Final = 10
_CUTTING: Final = 3
_PROGRAMMES: Final = 12
# A round is solved when the norm of the jerk is met this well and the time changes by less than this share.
_MET: Final = 0.5 * KEPT
_STEADY: Final = 1e-4
# Share by which a lowered limit may be exceeded between nodes. The rounds after the last cut tighten the limits of each
# cell by what is left above it, and cut those in which it is more than a cell of this length should miss; more than the
# last of these is too much to be handed out.
_OVER: Final = 0.8 * KEPT
_CUT: Final = 0.02
_TOO_MUCH: Final = 4e-3
# A cell in which every limit is used less than this is cut, unless it takes less than this share of the time.
_ACTIVE: Final = 0.97
_BRIEF: Final = 1e-3
# Share of the time by which a round must gain for cells to be cut again.
_GAINED: Final = 3e-4
# Newton steps that find how long a cell takes; the start is the mean speed.
_NEWTON: Final = 8


def jerk_bounded(course: Course, stretch: TimedStretch, bounds: JerkBounds) -> Steps:
    """The fastest timing of a stretch under bounds on jerk, with no acceleration along the path at its ends.

    It starts from the fastest profile without that bound and keeps the speeds at the ends; raises `MotionError` where
    none was found.
    """
    bound = bounds.lowered()

    def programme(grid: PathGrid, tight: np.ndarray) -> Programme:
        return Programme(course, grid, bound, tight)

    cells = _EVEN_CELLS if bounds.even else _CELLS
    turned = course.limits.with_turns(_smooth_grid(stretch.grid, cells))
    grid, _ = turned.without_slivers()
    tight = np.ones(len(grid.h))
    first = programme(grid, tight)
    spline, directions = _converged(first, first.guess(stretch), [])
    cutting, before = _CUTTING, math.inf
    for turn in range(_ROUNDS):
        use = _use(course, spline, bound)
        over, parts, time = use.max(axis=1) - 1.0, _parts(spline, use), float(spline.durations.sum())
        if bounds.even and before / time - 1.0 <= _GAINED:
            cutting = min(cutting, turn)
        before = time
        if over.max() <= _OVER and (turn >= cutting or (parts == 1).all()):
            return spline.steps()
        if turn >= cutting:
            parts = np.where(over > _CUT, parts, 1)
            tight = tight * (1.0 + np.clip(over, 0.0, _CUT))
        grid, directions = grid.split(Cuts.of(parts)), [np.repeat(value, parts, axis=0) for value in directions]
        tight = np.repeat(tight, parts)
        guess = np.interp(grid.nodes, spline.grid.nodes, spline.u)
        spline, directions = _converged(programme(grid, tight), guess, directions)
    over = float(_use(course, spline, bound).max()) - 1.0
    if over > _TOO_MUCH:
        raise MotionError(f"no timing with this bound on jerk was found: a limit is still exceeded by {over:.2%}")
    return spline.steps()


def _smooth_grid(grid: PathGrid, cells: int) -> PathGrid:
    """Nodes evenly spaced in the time of a smooth motion, so many cells, with the borders of pieces kept."""
    tau = np.linspace(0.0, 1.0, cells + 1)
    start, end = grid.nodes[[0, -1]]
    s = start + (end - start) * tau**3 * (10.0 - 15.0 * tau + 6.0 * tau**2)
    border = np.flatnonzero(np.diff(grid.piece)) + 1
    kept = np.concatenate([[start], grid.s[border], [end]])
    # A border takes the place of the node next to it, so that no cell becomes a sliver.
    nearest = [int(np.argmin(np.abs(s - node))) for node in kept]
    return PathGrid.of(grid.paths[0], kept, grid.piece[np.append(0, border)]).with_nodes(np.delete(s, nearest))


def _converged(programme: Programme, u: np.ndarray, directions: list[np.ndarray]) -> tuple[_Spline, list[np.ndarray]]:
    """The spline around which programmes settle, and the directions in which its jerk is bounded."""
    path, bounds = programme.grid.ends(), programme.bounds
    tangent, rates, met = path.d1[..., :3], plate_rates(path), True
    own = [tangent, -tangent] if bounds.plate < math.inf else []
    found = [*directions]
    spline = _Spline(programme.grid, *programme.solved(u, [*own, *found]), programme.rest, bounds.even)
    for _ in range(_PROGRAMMES):
        if own:
            jerk = rates.jerks(*spline.looked(LOOKS[[0, -1]]))
            size = np.linalg.norm(jerk, axis=-1)
            met = float(size.max()) <= bounds.plate * (1.0 + _MET)
            found += [] if met else [jerk / np.maximum(size, np.finfo(float).tiny)[..., None]]
        near, before = programme.near(spline.u, spline.b), float(spline.durations.sum())
        u, b = programme.solved(spline.u, [*own, *found], near, spline.b)
        spline = _Spline(programme.grid, u, b, programme.rest, bounds.even)
        if met and abs(before / float(spline.durations.sum()) - 1.0) <= _STEADY:
            break
    return spline, found


def _use(course: Course, spline: _Spline, bounds: JerkBounds) -> np.ndarray:
    """How much of its nearest limit the plate uses, jerk included, at every look into every cell (N, looks)."""
    limits, grid = course.lowered, spline.grid
    u, b, slope = spline.looked(LOOKS)
    rows = limits.rows(grid.rates, resting_looks(grid, [course], len(LOOKS)), np.sqrt(u))
    use = use_of(limits.form, rows, b, u, np.array(limits.a_max))
    if bounds.plate < math.inf:
        jerk = np.linalg.norm(plate_rates(grid.rates).jerks(u, b, slope), axis=-1)
        use = np.maximum(use, jerk / bounds.plate)
    if len(bounds.limited):
        jerks = np.abs(bounds.joint_rates(grid.rates).jerks(u, b, slope))
        use = np.maximum(use, (jerks / bounds.joints_limited).max(axis=-1))
    return use


def _parts(spline: _Spline, use: np.ndarray) -> np.ndarray:
    """Into how many parts each cell should fall (N,)."""
    share = spline.durations / spline.durations.sum()
    idle = (use.min(axis=1) < _ACTIVE) & (share > _BRIEF)
    parts = np.where(idle | (use.max(axis=1) > 1.0 + _OVER), 2, 1)
    # The cells next to rest have constant jerk by construction.
    parts[[0, -1]] = np.where(spline.rest, 1, parts[[0, -1]])
    return parts


@final
@dataclass(frozen=True, eq=False)
class _Spline:
    """A profile whose acceleration is continuous: squared speeds and accelerations at the nodes of a grid.

    Within a cell b is linear in s and u its integral, or the jerk along the path is constant. In a cell out of rest, or
    into it, `u ~ s^(4/3)`.

    Attributes:
        grid: the grid.
        u: squared speeds (N + 1,), m2/s2.
        b: accelerations (N + 1,), m/s2.
        rest: which ends of the stretch are at rest.
        even: whether the jerk along the path is constant in all cells.
    """

    grid: PathGrid
    u: np.ndarray
    b: np.ndarray
    rest: tuple[bool, bool]
    even: bool = False

    @property
    def durations(self) -> np.ndarray:
        """Times of the cells (N,), s; where the jerk is not constant from their mean speeds, `steps` has the exact."""
        return cell_times(self.grid.h, self.u, self.b) if self.even else mean_times(self.grid.nodes, self.u)

    def looked(self, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Squared speeds, accelerations and their slopes by the length, at shares (looks,) of every cell (N, looks)."""
        if self.even:
            return self._evenly(shares)
        along = self.grid.h[:, None] * shares
        slope = np.repeat((np.diff(self.b) / self.grid.h)[:, None], len(shares), axis=1)
        b = self.b[:-1, None] + slope * along
        u = np.maximum(self.u[:-1, None] + along * (self.b[:-1, None] + b), 0.0)
        for cell, node, away, sign in ((0, 1, shares, 1.0), (-1, -2, 1.0 - shares, -1.0)):
            if self.rest[cell]:
                # At rest itself the slope is infinite, and its product with the speed is not.
                x, h = np.maximum(away, np.finfo(float).eps), self.grid.h[cell]
                u[cell], b[cell] = self.u[node] * x ** (4 / 3), sign * (2 / 3) * self.u[node] / h * np.cbrt(x)
                slope[cell] = (2 / 9) * self.u[node] / h**2 * x ** (-2 / 3)
        return u, b, slope

    def _evenly(self, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What `looked` gives where the jerk is constant in all cells."""
        steps, times = self.steps(), self.durations[:, None]
        cell, place = np.arange(len(times))[:, None], self.grid.s[:, None] + self.grid.h[:, None] * shares
        # By cubes in a cell out of rest or into it, where Newton's method would start with no speed.
        out, into = np.cbrt(shares), 1.0 - np.cbrt(1.0 - shares)
        part = np.where(cell == 0, out, shares) if self.rest[0] else np.broadcast_to(shares, place.shape)
        t = times * (np.where(cell == len(times) - 1, into, part) if self.rest[1] else part)
        still = np.zeros(place.shape, dtype=bool)
        still[0], still[-1] = self.rest
        for _ in range(_NEWTON):
            reached = steps.within(np.broadcast_to(cell, t.shape), t)
            t = np.where(still, t, t - (reached.s - place) / np.where(still, 1.0, reached.sd))
        reached = steps.within(np.broadcast_to(cell, t.shape), t)
        # At rest itself the slope is infinite, and its product with the speed is not.
        speed = np.maximum(reached.sd, np.finfo(float).eps)
        return speed**2, reached.sdd, steps.jerk[:, None] / speed

    def steps(self) -> Steps:
        """The profile as a timing."""
        if self.even:
            times = self.durations
            jerk = np.diff(self.b) / times
            return Steps(times, self.grid.s, np.sqrt(self.u[:-1]), self.b[:-1], jerk, np.zeros_like(jerk))
        h, speed, slope = self.grid.h, np.sqrt(self.u), np.diff(self.b) / self.grid.h
        acceleration, jerk, times = self.b[:-1].copy(), np.zeros_like(slope), self.durations
        free = np.ones(len(slope), dtype=bool)
        for cell, node in ((0, 1), (-1, -2)):
            if self.rest[cell]:
                # s = j t^3 / 6, v = j t^2 / 2
                times[cell] = 3.0 * h[cell] / speed[node]
                jerk[cell] = 2.0 * speed[node] / times[cell] ** 2
                acceleration[cell] = 0.0 if cell == 0 else -jerk[cell] * times[cell]
                slope[cell], free[cell] = 0.0, False
        cells = np.flatnonzero(free)
        for _ in range(_NEWTON):
            reached = Steps(times, self.grid.s, speed[:-1], acceleration, jerk, slope).within(cells, times[cells])
            times[cells] -= (reached.s - self.grid.nodes[cells + 1]) / reached.sd
        return Steps(times, self.grid.s, speed[:-1], acceleration, jerk, slope)
