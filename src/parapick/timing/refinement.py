"""The fastest profiles of stretches without stops: solved on a grid, looked at between its nodes, and refined.

Limits hold at both ends of every cell. Between them they may be exceeded by what their coefficients change within the
cell, and they are left unused where a cell is wide. Both shrink with the cells that show it; a cell that is short and
still exceeds a limit gets a tighter one. Stretches of many paths, robots and payloads are refined side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, final

import numpy as np

from parapick.errors import MotionError, ParapickError
from parapick.motion import LimitError, Path, PathRates
from parapick.timing.checks import check_reach, check_rest, check_rows
from parapick.timing.errors import SingularPathError
from parapick.timing.grid import LOOKS, PARTS, Cuts, PathGrid, first_grid
from parapick.timing.limit_rows import UNBOUNDED, RowForm
from parapick.timing.limits_along import KEPT, PathLimits
from parapick.timing.speed_profile import NOT_GIVEN, Cells, CellUse, SpeedProfile, profile, use_of_cells

# Share by which a lowered limit may be exceeded between nodes, a little less than it is lowered by because the looks
# into a cell may miss the worst of it; and what is too much to be handed out after all rounds.
_OVER: Final = 0.8 * KEPT
_TOO_MUCH: Final = 4e-3
# A cell in which the nearest limit is used less than this is idle, and this share of the time may be.
_ACTIVE: Final = 0.985
_IDLE: Final = 0.01
# An idle cell that takes less than this share of the time is not worth cutting. What is left unused shrinks with the
# length of a cell; others fall into so many times the parts that would just do, since the speeds change with the cuts.
_BRIEF: Final = 2e-4
_AHEAD: Final = 1.25
# Sum of the speeds at both ends of a cell (m/s) in the place of none, for a plate that is stuck in it.
_STUCK: Final = 1e-100
# A cell shorter than this share of the stretch is not cut because of a limit that is exceeded, but given a tighter one.
_SHORT: Final = 2e-5
_ROUNDS: Final = 14
# Rounds of linearised viscous friction: it converges quadratically, and five are enough unless friction is everything.
_SETTLING: Final = 20
_SETTLED: Final = 1e-8
# Share by which a given speed may miss what the limits allow, because they allow it to rounding only.
_MET: Final = 1e-6
# Stretches that are refined side by side: enough to hide the cost of a call, few enough for the processor's cache.
_SIDE_BY_SIDE: Final = 32


@final
@dataclass(frozen=True, eq=False)
class Course:
    """A stretch of a path without stops, to be timed.

    Attributes:
        limits: what must hold.
        path: the path.
        pieces: its first piece, and the one after its last.
        speeds: speeds along the path at its ends (m/s).
    """

    limits: PathLimits
    path: Path
    pieces: tuple[int, int]
    speeds: tuple[float, float] = (0.0, 0.0)

    @cached_property
    def lowered(self) -> PathLimits:
        """The limits less what is kept free."""
        return self.limits.lowered()


@final
@dataclass(frozen=True, eq=False)
class TimedStretch:
    """A profile along a stretch of a path.

    Attributes:
        grid: the grid, of one stretch.
        u: squared speeds at its nodes (N + 1,), m2/s2; linear between them.
        tight: how much tighter than the lowered limits those of the cells were taken (N,).
    """

    grid: PathGrid
    u: np.ndarray
    tight: np.ndarray


def fastest_stretches(courses: Sequence[Course]) -> list[TimedStretch | ParapickError]:
    """The fastest profiles of stretches, or why there is none: what `fastest` raises, as a value."""
    answers: dict[int, TimedStretch | ParapickError] = {}
    alike: dict[tuple[RowForm, int], list[tuple[int, PathGrid, np.ndarray]]] = {}
    for number, course in enumerate(courses):
        try:
            grid, rows = _begun(course, first_grid(course.path, *course.pieces))
        except ParapickError as error:
            answers[number] = error
            continue
        alike.setdefault((course.lowered.form, course.path.dof), []).append((number, grid, rows))
    for (form, _), begun in alike.items():
        for k in range(0, len(begun), _SIDE_BY_SIDE):
            numbers, some, rows = zip(*begun[k : k + _SIDE_BY_SIDE], strict=True)
            together = PathGrid.joined(some)
            stacked = rows[0] if len(rows) == 1 else np.concatenate(rows)
            batch = CourseBatch.of(form, tuple(courses[i] for i in numbers), together, stacked)
            answers |= dict(zip(numbers, _refined(batch), strict=True))
    return [answers[number] for number in range(len(courses))]


def _begun(course: Course, grid: PathGrid) -> tuple[PathGrid, np.ndarray]:
    """The first grid of a course and its rows (N, looks, width); raises where there is no timing at all."""
    check_reach(course.limits.model, grid)
    grid = course.limits.with_turns(grid)
    rows = course.lowered.rows(grid.rates, resting_looks(grid, [course]) if course.lowered.form.rough else None)
    check_rows(grid, rows, crossing=True)
    check_rest(course.lowered, grid, rows)
    return grid, rows


def resting_looks(grid: PathGrid, courses: Sequence[Course], looks: int = len(LOOKS)) -> np.ndarray:
    """Whether the plate rests at looks into the cells (N, looks): only at ends of a stretch without a speed."""
    resting = np.zeros((len(grid.h), looks), dtype=bool)
    start, end = np.array([course.speeds for course in courses]).T
    resting[grid.first, 0], resting[grid.last, -1] = start == 0.0, end == 0.0
    return resting


@final
@dataclass(frozen=True, eq=False)
class CourseBatch:
    """Stretches that are refined side by side.

    Attributes:
        form: what their rows consist of.
        courses: what is asked of each.
        grid: their cells.
        rows: limits at the looks into the cells (N, looks, width).
        tight: how much tighter than lowered the limits are taken (N,).
        u: squared speeds at both ends of the cells (N, 2), m2/s2: a guess, or found.
        a_max: bound on the acceleration of the plate in every cell (N,), m/s2.
    """

    form: RowForm
    courses: tuple[Course, ...]
    grid: PathGrid
    rows: np.ndarray
    tight: np.ndarray
    u: np.ndarray
    a_max: np.ndarray

    @staticmethod
    def of(form: RowForm, courses: tuple[Course, ...], grid: PathGrid, rows: np.ndarray) -> CourseBatch:
        """A batch to begin with."""
        tight, u = np.ones(len(grid.h)), np.zeros((len(grid.h), 2))
        return CourseBatch(form, courses, grid, rows, tight, u, _a_max(courses, grid))

    @staticmethod
    def along(courses: Sequence[Course], timed: Sequence[TimedStretch]) -> CourseBatch:
        """The batch of courses of one form that have profiles already, at the speeds of these and without slivers."""
        grid, keep = PathGrid.joined([stretch.grid for stretch in timed]).without_slivers()
        u = np.concatenate([np.stack([stretch.u[:-1], stretch.u[1:]], axis=1) for stretch in timed])[keep]
        # A node has one speed, that after its sliver.
        u[:-1, 1] = np.where(grid.owner[1:] == grid.owner[:-1], u[1:, 0], u[:-1, 1])
        tight, form = np.concatenate([stretch.tight for stretch in timed])[keep], courses[0].lowered.form
        rows = np.empty((len(u), len(LOOKS), form.width))
        return CourseBatch(form, tuple(courses), grid, rows, tight, u, _a_max(courses, grid)).with_rows()

    @property
    def speeds(self) -> np.ndarray:
        """Speeds along the paths at the starts and at the ends of the stretches (2, courses), m/s."""
        return np.array([course.speeds for course in self.courses]).T

    @property
    def slipping(self) -> bool:
        """Whether rows of some stretch hold at one speed only."""
        return any(course.limits.slipping for course in self.courses)

    def with_speeds(self, u: np.ndarray) -> CourseBatch:
        """The batch at squared speeds at both ends of the cells (N, 2), m2/s2, its rows with it."""
        batch = replace(self, u=u)
        return batch.with_rows() if self.slipping else batch

    def with_rows(self) -> CourseBatch:
        """The batch with all rows found anew, at its speeds."""
        batch = replace(self, rows=np.empty_like(self.rows))
        batch.fill_rows(np.ones(len(self.u), dtype=bool))
        return batch

    @property
    def looks(self) -> np.ndarray:
        """Squared speeds at the looks into the cells (N, looks), m2/s2."""
        return (self.u[:, 0] + (self.u[:, 1] - self.u[:, 0]) * LOOKS[:, None]).T

    def fill_rows(self, fresh: np.ndarray) -> None:
        """Find the rows of some cells (N,) anew, at the speeds of the batch, in the place of those it has."""
        where, rough = fresh.nonzero()[0], self.form.rough
        cuts = np.searchsorted(self.grid.owner[where], np.arange(len(self.courses) + 1))
        resting, speed = (resting_looks(self.grid, self.courses), np.sqrt(self.looks)) if rough else (None, None)
        for course, first, last in zip(self.courses, cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
            if first < last:
                here = where[first:last]
                at = (resting[here], speed[here]) if resting is not None and speed is not None else ()
                self.rows[here] = course.lowered.rows(PathRates(*self.grid.points.take(here, axis=1)), *at)

    def settled(self) -> tuple[CourseBatch, SpeedProfile]:
        """The batch with the fastest profile; the tangents of viscous friction are moved until they touch."""
        grid, speeds = self.grid, self.speeds
        start, end = np.full((2, len(grid.h)), NOT_GIVEN)
        start[grid.first], end[grid.last] = speeds * speeds
        slipping, batch = self.slipping, self
        steady = all(course.limits.steady for course in self.courses)
        found = SpeedProfile(self.u, self.u)
        for _ in range(_SETTLING):
            if slipping:
                batch.fill_rows(np.ones(len(grid.h), dtype=bool))
            cells = Cells(batch.rows[:, 0], batch.rows[:, -1], grid.h, batch.tight, batch.a_max)
            found = profile(batch.form, cells, start, end, batch.u)
            done = steady or np.abs(found.u - batch.u).max() <= _SETTLED * found.u.max()
            batch = replace(batch, u=found.u)
            if done:
                break
        return batch, found

    def use(self) -> CellUse:
        """How much of its nearest limit the plate uses in every cell."""
        return use_of_cells(self.form, self.rows, self.grid.h, self.u, self.a_max)

    def split(self, parts: np.ndarray, tighter: np.ndarray) -> CourseBatch:
        """The batch with its cells cut into numbers of parts (N,), their limits tighter; with no parts left out."""
        cuts = Cuts.of(parts)
        cell, u = cuts.cell, np.empty((len(cuts.cell), 2))
        p, rise = self.u[:, 0][cell], (self.u[:, 1] - self.u[:, 0])[cell]
        u[:, 0], u[:, 1] = p + rise * (cuts.number / cuts.counts), p + rise * ((cuts.number + 1) / cuts.counts)
        courses = tuple(self.courses[k] for k in self.grid.kept(cuts).tolist())
        rows, tight, a_max = self.rows.take(cell, axis=0), (self.tight * tighter)[cell], self.a_max[cell]
        batch = CourseBatch(self.form, courses, self.grid.split(cuts), rows, tight, u, a_max)
        batch.fill_rows(cuts.counts > 1)
        return batch

    def stretch(self, number: int) -> TimedStretch:
        """The profile of one of the stretches."""
        grid, here = self.grid.stretch(number), slice(self.grid.first[number], self.grid.last[number] + 1)
        return TimedStretch(grid, np.concatenate([self.u[here, 0], self.u[here, 1][-1:]]), self.tight[here])


def _a_max(courses: Sequence[Course], grid: PathGrid) -> np.ndarray:
    """Bound on the acceleration of the plate in every cell (N,), m/s2."""
    return np.array([course.lowered.a_max for course in courses])[grid.owner]


def _refined(batch: CourseBatch) -> list[TimedStretch | ParapickError]:
    """The profiles of the stretches of a batch, or why there are none."""
    answers: dict[int, TimedStretch | ParapickError] = {}
    numbers = np.arange(len(batch.courses))
    # First grids have none: `_begun` raised what is found on them.
    singular: dict[int, ParapickError] = {}
    for turn in range(_ROUNDS + 1):
        if singular:
            # What is not a number would not stay within its stretch.
            batch = replace(batch, rows=np.where(np.isnan(batch.rows), 0.0, batch.rows))
        batch, found = batch.settled()
        use, wrong = batch.use(), _wrong_speeds(batch, found) | singular
        parts, tighter, done = _cuts(batch, use)
        if turn == _ROUNDS:
            done[:], wrong = True, _exceeded(batch, use) | wrong
        done[[*wrong]] = True
        answers |= {int(numbers[k]): wrong.get(k) or batch.stretch(k) for k in done.nonzero()[0].tolist()}
        if done.all():
            break
        parts = np.where(done[batch.grid.owner], 0, parts) if done.any() else parts
        batch, numbers = batch.split(parts, tighter), numbers[~done]
        singular = _singular(batch)
    return [answers[k] for k in range(len(answers))]


def _singular(batch: CourseBatch) -> dict[int, ParapickError]:
    """Which stretches lead through a singularity."""
    wrong: dict[int, ParapickError] = {}
    # The least of numbers is not a number where one of them is not.
    if np.isnan(batch.rows.min()):
        for k in np.unique(batch.grid.owner[np.isnan(batch.rows).any(axis=(1, 2))]).tolist():
            here = batch.grid.owner == k
            try:
                check_rows(batch.grid.stretch(k), batch.rows[here])
            except SingularPathError as error:
                wrong[k] = error
    return wrong


def _wrong_speeds(batch: CourseBatch, found: SpeedProfile) -> dict[int, ParapickError]:
    """Which stretches are bounded by nothing, or cannot have the speeds that are asked for at their ends."""
    grid, wrong, (start, end) = batch.grid, {}, batch.speeds
    (p, q), reachable = found.u.T, found.reachable[:, 0]
    stuck = np.minimum.reduceat(p + q, grid.first) <= 0.0
    unbounded, first, last = np.maximum.reduceat(q, grid.first) >= UNBOUNDED, reachable[grid.first], q[grid.last]
    late, early = last < end * end * (1.0 - _MET), start * start > first * (1.0 + _MET)
    if not (late | early | stuck | unbounded).any():
        return {}
    for k in np.flatnonzero(late).tolist():
        text = f"is {end[k]:g} m/s at the end; the limits allow at most {np.sqrt(last[k]):.6g} m/s"
        wrong[k] = LimitError("end_speeds", text)
    for k in np.flatnonzero(early).tolist():
        text = f"is {start[k]:g} m/s at the start; the limits allow at most {np.sqrt(first[k]):.6g} m/s"
        wrong[k] = LimitError("end_speeds", text)
    for k in np.flatnonzero(stuck).tolist():
        wrong[k] = MotionError("the path could not be timed: the limits allow no motion at all somewhere on it")
    for k in np.flatnonzero(unbounded).tolist():
        text = "nothing bounds the acceleration along the path; give a_max or torques of all motors"
        wrong[k] = LimitError("a_max", text)
    return wrong


def _exceeded(batch: CourseBatch, use: CellUse) -> dict[int, ParapickError]:
    """Which stretches exceed a limit by more than is handed out."""
    over = np.maximum.reduceat(use.most, batch.grid.first) - 1.0
    text = "the path could not be timed: a limit is still exceeded by {:.2%}; round its corners"
    return {k: MotionError(text.format(over[k])) for k in np.flatnonzero(over > _TOO_MUCH).tolist()}


def _cuts(batch: CourseBatch, use: CellUse) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Into how many parts each cell should fall (N,), how much tighter its limits should be (N,), which are done."""
    grid, (p, q), idle = batch.grid, np.sqrt(batch.u).T, use.least < _ACTIVE
    times = 2.0 * grid.h / np.maximum(p + q, _STUCK)
    share = times / np.add.reduceat(times, grid.first)[grid.owner]
    good = np.maximum.reduceat(use.most, grid.first) - 1.0 <= _OVER
    good &= np.add.reduceat(share * idle, grid.first) <= _IDLE
    if good.all():
        return np.ones(len(idle), dtype=int), np.ones(len(idle)), good
    wanted = np.minimum(np.maximum(np.ceil(_AHEAD * (1.0 - use.least) / (1.0 - _ACTIVE)), 2), PARTS)
    parts = np.where(idle & (share > _BRIEF), wanted, 1).astype(int)
    more, tighter = cuts_where_exceeded(batch, use)
    parts = np.maximum(parts, more)
    changed = np.logical_or.reduceat((parts > 1) | (tighter > 1.0), grid.first)
    return parts, tighter, good | ~changed


def cuts_where_exceeded(batch: CourseBatch, use: CellUse) -> tuple[np.ndarray, np.ndarray]:
    """Into how many parts each cell should fall (N,), and how much tighter its limits should be (N,).

    Only where limits are exceeded between nodes.
    """
    grid, over = batch.grid, use.most - 1.0
    exceeded = over > _OVER
    if not exceeded.any():
        return np.ones(len(over), dtype=int), np.ones(len(over))
    short = grid.h <= _SHORT * np.add.reduceat(grid.h, grid.first)[grid.owner]
    # Where accelerations alternate between cells, a limit that is exceeded moves to the next cell when its own is cut.
    beside, alike = exceeded.copy(), grid.owner[1:] == grid.owner[:-1]
    beside[1:] |= exceeded[:-1] & alike
    beside[:-1] |= exceeded[1:] & alike
    return np.where(beside & ~short, 2, 1), np.where(exceeded & short, 1.0 + over, 1.0)
