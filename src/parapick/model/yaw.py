"""How far a plate can turn at each position: the interval of yaw around a start in which everything holds.

A coarse scan walks outward from the start until something fails; bisection then finds the place. Both work on whole
batches of positions with the native kernels of the model.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import ArrayLike

from parapick.arrays import reals
from parapick.errors import ParameterError, ShapeError
from parapick.mechanism import Robot, stance
from parapick.model.margins import Margins
from parapick.model.reach import reach_at
from parapick.model.robot_kernels import RobotKernels
from parapick.model.yaw_interval import YawInterval
from parapick.roots import bisected, halvings_to

TOLERANCE: Final = 1e-9
"""Width (rad) to which bisection narrows an end; slacks of a metre-sized robot are rounded at about 1e-16."""

TRAVEL_SHARE: Final = 1 / 400
"""A step of the scan moves no plate point by more than this share of the shortest rod: 2 mm for a rod of 0.8 m. Slacks
and margins change little on that scale, so a gap that the scan steps over is a shallow one."""

STEP_MAX: Final = math.pi / 8
"""Longest step of the scan (rad), for plates whose points hardly move with yaw."""

BLOCK: Final = 4096
"""Poses looked at in one call while few positions are left: enough to make the price of a call disappear."""

STEPS_MAX: Final = 100_000
"""Most steps of the scan to a side: 10 ms a position. The step that is chosen itself makes some hundred."""

CLOSED_TURN: Final = 1e-9
"""Plate points that return this near (m) after a whole turn are back where they were."""


def yaw_interval(
    kernels: RobotKernels,
    position: ArrayLike,
    *,
    start: ArrayLike | None = None,
    step: float | None = None,
    margin: float | None = None,
    clearance: float | None = None,
) -> YawInterval:
    """How far the plate can turn either way from a start, at each position.

    All legs must close and all limits of the robot hold. The ends are found to 1e-9 rad, on the side that holds. A gap
    narrower than a step of the scan can be missed.

    Args:
        kernels: those of a robot with yaw.
        position: positions (..., 3), m.
        start: yaw to start from (rad), one number or one a position; the robot's home if not given.
        step: step of the scan (rad); if not given, one that moves the plate points by a 400th of the shortest rod.
        margin: smallest value that each margin to a singularity must keep; not looked at if not given.
        clearance: smallest distance between links of different legs, surface to surface (m), beside what the robot's
            limits ask for; not looked at if not given.

    Raises:
        ParameterError: the robot has no yaw, or the step is not a positive number, or too small a one.
        ShapeError: positions are not (..., 3), or the start does not fit them.
    """
    robot = kernels.robot
    if robot.dof != 4:
        raise ParameterError(robot.name, "has no yaw; robots whose plate has a fourth freedom do")
    places, starts = _poses(position, robot.home[3] if start is None else start)
    travel = _travel(kernels)
    stride = travel.step if step is None else step
    if not (math.isfinite(stride) and stride > 0):
        raise ParameterError("step", f"is {step}; it must be a positive angle (rad)")
    _check_steps(robot, starts, stride, travel.end)
    conditions = _Conditions(kernels, margin, clearance)
    begins = conditions.causes(np.column_stack([places, starts]))
    ends, reasons = [], []
    rows = np.flatnonzero(begins == "")
    for sense, limit in ((-1.0, robot.limits.yaw_min), (1.0, robot.limits.yaw_max)):
        end, reason = _Side(conditions, places, starts, sense, limit).end(rows, stride, travel.end)
        ends.append(np.where(begins == "", end, np.nan))
        reasons.append(np.where(begins == "", reason, begins))
    tools = np.sort(np.stack(ends) * travel.tool_ratio, axis=0)
    shape = np.shape(position)[:-1]
    return YawInterval(*(column.reshape(shape) for column in (*ends, *tools, *reasons)))


def _check_steps(robot: Robot, starts: np.ndarray, step: float, far: float) -> None:
    """Raise if the scan would take more than `STEPS_MAX` steps to a side."""
    sides = ((-1.0, robot.limits.yaw_min), (1.0, robot.limits.yaw_max))
    ways = [far if limit is None else np.minimum(far, sense * (limit - starts)) for sense, limit in sides]
    longest = float(np.max([np.max(way, initial=0.0) for way in ways]))
    if longest / step > STEPS_MAX:
        least = f"{longest / STEPS_MAX:.3g} rad"
        raise ParameterError(
            "step", f"of {step:.3g} rad makes more than {STEPS_MAX} steps over {longest:.3g} rad; give at least {least}"
        )


def _poses(position: ArrayLike, start: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Positions (n, 3) and starting yaws (n,)."""
    places = reals("position", position)
    if places.shape[-1:] != (3,):
        raise ShapeError("position", places.shape, "(..., 3)")
    starts = reals("start", start)
    try:
        starts = np.broadcast_to(starts, places.shape[:-1])
    except ValueError as error:
        raise ShapeError("start", starts.shape, f"one number, or {places.shape[:-1]} as the positions") from error
    return places.reshape(-1, 3), starts.reshape(-1)


@final
@dataclass(frozen=True)
class _Travel:
    """What yaw does to a plate: step of a scan (rad), how far one need go (rad), and turns of the tool a turn."""

    step: float
    end: float
    tool_ratio: float


def _travel(kernels: RobotKernels) -> _Travel:
    home = np.array(kernels.robot.home)
    here, slope, ratio = kernels("plate_turn", home)
    turned = kernels("plate_turn", home + np.array([0.0, 0.0, 0.0, 2 * math.pi]))[0]
    legs = stance(kernels.robot)
    speed = np.linalg.norm(slope, axis=1).max()
    step = TRAVEL_SHARE * legs.rod.min() / max(speed, 1e-12)
    lead = np.linalg.norm(turned - here, axis=1).max()
    # Where a turn brings the plate back, one turn tells all. Where it does not, a plate point that starts within the
    # length of arm and rod of its motor is out of their reach after twice that distance.
    turns = 1.0 if lead < CLOSED_TURN else 2 * legs.extent.max() / lead
    return _Travel(min(float(step), STEP_MAX), 2 * math.pi * float(turns), float(ratio))


@final
@dataclass(frozen=True)
class _Conditions:
    """What must hold at a pose: the model's reach, and if asked a floor of the margins and of the clearance (m)."""

    kernels: RobotKernels
    margin: float | None
    clearance: float | None

    def hold(self, poses: np.ndarray) -> np.ndarray:
        """Whether everything holds (...)."""
        return reach_at(self.kernels, poses).ok & ~self._cramped(poses) & ~self._singular(poses)

    def causes(self, poses: np.ndarray) -> np.ndarray:
        """What fails first (...), as text; empty where everything holds."""
        extra = np.where(self._cramped(poses), "clearance", np.where(self._singular(poses), "margin", ""))
        cause = reach_at(self.kernels, poses).cause
        return np.where(cause == "", extra, cause)

    def _cramped(self, poses: np.ndarray) -> np.ndarray:
        if self.clearance is None:
            return np.zeros(poses.shape[:-1], dtype=bool)
        return ~(self.kernels("clearance", poses)[0] >= self.clearance)

    def _singular(self, poses: np.ndarray) -> np.ndarray:
        if self.margin is None:
            return np.zeros(poses.shape[:-1], dtype=bool)
        margins = Margins(*self.kernels("margins", poses))
        return ~(np.minimum(np.minimum(margins.under, margins.over), margins.internal) >= self.margin)


@final
@dataclass(frozen=True)
class _Side:
    """One side of the start: what must hold, positions (n, 3), starting yaws (n,), sense (-1 or 1), the yaw limit."""

    conditions: _Conditions
    places: np.ndarray
    starts: np.ndarray
    sense: float
    limit: float | None

    def yaw(self, rows: np.ndarray, offsets: np.ndarray) -> np.ndarray:
        """Yaw (rows, k) at distances (rows, k) from the start; rounding never carries it past the limit."""
        yaw = self.starts[rows, None] + self.sense * offsets
        if self.limit is None:
            return yaw
        return np.minimum(yaw, self.limit) if self.sense > 0 else np.maximum(yaw, self.limit)

    def poses(self, rows: np.ndarray, offsets: np.ndarray) -> np.ndarray:
        """Poses (rows, k, 4) at distances (rows, k) from the start."""
        places = np.broadcast_to(self.places[rows, None, :], (*offsets.shape, 3))
        return np.concatenate([places, self.yaw(rows, offsets)[..., None]], axis=-1)

    def end(self, rows: np.ndarray, step: float, far: float) -> tuple[np.ndarray, np.ndarray]:
        """End of the interval (n,), rad, and what fails beyond it (n,), for the rows whose start holds.

        The scan goes no further than `far` (rad). Where nothing fails on the way, the interval ends at the plate's own
        limit, if it has one.
        """
        stop = np.full(self.starts.shape, far)
        if self.limit is not None:
            stop = np.minimum(stop, self.sense * (self.limit - self.starts))
        good, bad = self._scan(rows, step, stop)
        rows = np.flatnonzero(~np.isnan(bad))
        good, bad = self._narrowed(rows, good[rows, None], bad[rows, None], step)
        end = np.full(self.starts.shape, self.sense * math.inf if self.limit is None else self.limit)
        reason = np.full(self.starts.shape, "" if self.limit is None else "yaw", dtype="<U16")
        end[rows] = self.yaw(rows, good)[:, 0]
        reason[rows] = self.conditions.causes(self.poses(rows, bad))[:, 0]
        return end, reason

    def _scan(self, rows: np.ndarray, step: float, stop: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Distances (n,) of the last step that holds and of the first that fails, NaN where none does before `stop`."""
        good, bad = np.zeros(self.starts.shape), np.full(self.starts.shape, np.nan)
        done = 0
        while len(rows):
            count = max(1, BLOCK // len(rows))
            offsets = np.minimum(step * np.arange(done, done + count + 1), stop[rows, None])
            ok = self.conditions.hold(self.poses(rows, offsets[:, 1:]))
            failed = np.flatnonzero(~ok.all(axis=1))
            first = np.argmin(ok[failed], axis=1)
            good[rows[failed]], bad[rows[failed]] = offsets[failed, first], offsets[failed, first + 1]
            done += count
            rows = rows[ok.all(axis=1) & (step * done < stop[rows])]
        return good, bad

    def _narrowed(
        self, rows: np.ndarray, good: np.ndarray, bad: np.ndarray, step: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """The same distances (rows, 1), no further apart than the tolerance."""

        def holds(turn: np.ndarray) -> np.ndarray:
            return self.conditions.hold(self.poses(rows, turn))

        return bisected(holds, good, bad, max(1, halvings_to(step, TOLERANCE)))
