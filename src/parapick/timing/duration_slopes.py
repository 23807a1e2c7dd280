"""How the fastest time along a path changes with the limits and with every number of the robot.

At the fastest profile every squared speed is held down by a limit that is reached. Both passes of `speed_profile` run
backwards give what the time would gain if such a row left a little more, its multiplier. A number of the robot changes
the time by what it changes the rows, weighted by their multipliers,

    dT/dp = sum over rows of multiplier . d(alpha b + beta u + gamma + delta sqrt(u))/dp

which is one reverse sweep per point of the path.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, final

import numpy as np

from parapick.errors import MotionError, ParapickError
from parapick.motion import Path
from parapick.parameters import leaves
from parapick.timing.fastest import TimingLimits
from parapick.timing.gripper_slopes import gripper_slopes
from parapick.timing.limit_rows import CAP, CURVATURE, linear_rows
from parapick.timing.limits_along import KEPT, PathLimits
from parapick.timing.refinement import Course, TimedStretch, fastest_stretches, resting_looks
from parapick.timing.speed_profile import NOT_GIVEN, Cells, profile
from parapick.timing.timed_paths import courses_of
from parapick.timing.timing_steps import mean_times

if TYPE_CHECKING:
    from parapick.model import Model

# Share to which a limit that holds the plate back is met: to rounding.
_MET: Final = 1e-7
# Share of the coefficient of p below which that of q is that of a row that holds p alone.
_LEVEL: Final = 1e-6


@final
@dataclass(frozen=True, eq=False)
class DurationSlopes:
    """Slopes of the fastest time along a path.

    Attributes:
        duration: the time itself (s).
        parameters: by the numbers of the robot, by path (s per SI unit), with the limits at the joints as they are.
        payload: by what is held, the gripper with it (5,): mass (s/kg), offset (s/m) and inertia (s/(kg m2)).
        torque: by the largest torque of every motor (n,), s/(N m), at the shaft.
        speed: by the largest speed of every motor (n,), s/(rad/s), at the shaft.
        v_max: by the largest speed of the plate (s2/m).
        a_max: by the largest acceleration of the plate (s3/m).
    """

    duration: float
    parameters: dict[str, float]
    payload: np.ndarray
    torque: np.ndarray
    speed: np.ndarray
    v_max: float
    a_max: float


def duration_slopes(model: Model, path: Path, limits: TimingLimits | None = None) -> DurationSlopes:
    """Slopes of the time that `fastest` takes along a path.

    Args:
        model: the robot, with what it carries.
        path: the path.
        limits: what must hold, without a bound on jerk; the peak ratings of the drives if not given.

    Raises:
        MotionError: a bound on jerk; and what `fastest` raises.
    """
    limits = limits or TimingLimits()
    if limits.j_max is not None or (limits.joint_jerk and np.isfinite(model.motors.joint_jerk).any()):
        raise MotionError(
            "slopes of the duration are known without a bound on jerk only; leave j_max out, or joint_jerk aside"
        )
    held = limits.of(model)
    courses = courses_of(held, path)
    duration, slopes = 0.0, []
    for course, stretch in zip(courses, fastest_stretches(courses), strict=True):
        if isinstance(stretch, ParapickError):
            raise stretch
        duration += float(mean_times(stretch.grid.nodes, stretch.u).sum())
        slopes.append(_slopes(course, stretch))
    numbers, payload, torque, speed, plate, a_max = (np.sum(values, axis=0) for values in zip(*slopes, strict=True))
    motors = model.motors
    # Kernels take what the tool holds as a load beside the numbers of the robot, among which the gripper is.
    numbers = numbers + payload @ gripper_slopes(model.robot)
    return DurationSlopes(
        duration=duration,
        parameters=dict(zip((name for name, _ in leaves(model.robot)), numbers.tolist(), strict=True)),
        payload=payload,
        torque=torque * (1.0 - KEPT) * motors.ratio,
        speed=speed * (1.0 - KEPT) / motors.ratio,
        v_max=float(plate[0]),
        a_max=float(a_max) * (1.0 - KEPT),
    )


def _slopes(course: Course, stretch: TimedStretch) -> list[np.ndarray]:
    """Slopes of the time of a stretch by the constants of its rows, and by the bound on the plate's acceleration."""
    limits, grid, tight = course.lowered, stretch.grid, stretch.tight[:, None, None]
    u, resting, count = (
        np.stack([stretch.u[:-1], stretch.u[1:]], axis=1),
        resting_looks(grid, [course], 2),
        limits.form.count,
    )
    b = np.broadcast_to((np.diff(stretch.u) / (2.0 * grid.h))[:, None], u.shape)
    rows = limits.rows(grid.ends(), resting, np.sqrt(u))
    coefficients = [tight * value for value in _tangents(limits, rows, b, u)]
    caps = np.minimum(np.append(rows[:, 0, CAP], np.inf), np.append(np.inf, rows[:, 1, CAP]))
    costs, by_cap = _costs(
        _CellRows.of(grid.h, coefficients, u),
        _saved(grid.h, stretch.u),
        stretch.u >= _reachable(course, stretch, rows, u) * (1.0 - _MET),
        stretch.u >= caps * (1.0 - _MET),
    )
    costs = tight * costs.reshape(*u.shape, -1)
    weights = np.zeros_like(rows)
    factors = [b, u, np.ones_like(u), *([np.sqrt(u)] if limits.form.rough else [])]
    weights[..., :CAP] = np.concatenate([costs[..., :count] * factor[..., None] for factor in factors], axis=-1)
    # Each node takes the lower of the caps of its cells.
    lower = rows[:, 0, CAP] <= caps[:-1]
    weights[:, 0, CAP], weights[:-1, 1, CAP] = -by_cap[:-1] * lower, -by_cap[1:-1] * ~lower[1:]
    slopes = limits.slopes(grid.ends(), resting, np.sqrt(u), weights)
    return [*slopes, -costs[..., count:].sum() / limits.a_max]


def _tangents(limits: PathLimits, rows: np.ndarray, b: np.ndarray, u: np.ndarray) -> list[np.ndarray]:
    """Alpha, beta and gamma (N, 2, k) at accelerations and squared speeds (N, 2), the circle last, by its tangent."""
    coefficients = linear_rows(limits.form, rows, u)
    if not limits.form.bounded:
        return coefficients
    curvature = rows[..., CURVATURE]
    size = np.maximum(np.hypot(b, curvature * u), np.finfo(float).tiny) * limits.a_max
    tangent = b / size, curvature**2 * u / size, np.zeros_like(size)
    return [np.append(ours, more[..., None], axis=-1) for ours, more in zip(coefficients, tangent, strict=True)]


def _reachable(course: Course, stretch: TimedStretch, rows: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Largest squared speeds at the nodes from which the end can be met (N + 1,), m2/s2."""
    limits, h = course.lowered, stretch.grid.h
    start, end = np.full((2, len(h)), NOT_GIVEN)
    start[0], end[-1] = np.square(course.speeds)
    cells = Cells(rows[:, 0], rows[:, 1], h, stretch.tight, np.full(len(h), limits.a_max))
    reachable = profile(limits.form, cells, start, end, u).reachable
    return np.append(reachable[:, 0], reachable[-1, 1])


def _saved(h: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Time that a squared speed saves at each node (N + 1,), s3/m2; those at the ends are given."""
    speed = np.sqrt(u)
    share, saved = h / (speed[:-1] + speed[1:]) ** 2, np.zeros_like(u)
    saved[1:-1] = (share[:-1] + share[1:]) / speed[1:-1]
    return saved


class _CellRows(NamedTuple):
    """Rows `A q + B p <= C` of cells at the starts and then at the ends of the cells (N, 2 k), and what is left."""

    A: np.ndarray
    B: np.ndarray
    left: np.ndarray

    @staticmethod
    def of(h: np.ndarray, coefficients: list[np.ndarray], u: np.ndarray) -> _CellRows:
        """The rows of cells of lengths h (N,) with alpha, beta and gamma at both ends (N, 2, k), at speeds (N, 2)."""
        alpha, beta, gamma = coefficients
        slope = alpha / (2.0 * h[:, None, None])
        A = np.concatenate([slope[:, 0], slope[:, 1] + beta[:, 1]], axis=1)
        B = np.concatenate([beta[:, 0] - slope[:, 0], -slope[:, 1]], axis=1)
        left = 1.0 - np.concatenate([gamma[:, 0], gamma[:, 1]], axis=1) - A * u[:, 1:] - B * u[:, :1]
        return _CellRows(np.where(np.abs(A) > _LEVEL * np.abs(B), A, 0.0), B, left)


def _costs(
    rows: _CellRows, saved: np.ndarray, reached: np.ndarray, capped: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Time that each row costs (N, 2 k), s per share of its limit, and that a cap on each node saves (N + 1,).

    Args:
        rows: the rows of the cells.
        saved: time that the squared speeds at the nodes save directly (N + 1,), s3/m2; 0 where they are given.
        reached: whether the largest speed from which the end can be met is reached at the nodes (N + 1,).
        capped: whether a cap is (N + 1,).
    """
    A, B, left = rows
    costs, saved, held, by_cap = np.zeros_like(A), saved.copy(), np.zeros_like(saved), np.zeros_like(saved)
    ahead = np.where(A > 0.0, left, np.inf).argmin(axis=1)
    behind = np.where(A < 0.0, left, np.inf).argmin(axis=1)
    back = np.where((A <= 0.0) & (B > 0.0), left, np.inf).argmin(axis=1)
    for i in range(len(A) - 1, -1, -1):
        if reached[i + 1]:
            held[i + 1] = saved[i + 1]
        else:
            r = ahead[i]
            costs[i, r] += saved[i + 1] / A[i, r]
            saved[i] -= saved[i + 1] * B[i, r] / A[i, r]
    for i in np.flatnonzero(reached[:-1]).tolist():
        r, s = back[i], behind[i]
        if capped[i]:
            by_cap[i] = held[i]
        elif left[i, r] < _MET and (reached[i + 1] or A[i, r] == 0.0):
            costs[i, r] += held[i] / B[i, r]
            held[i + 1] -= held[i] * A[i, r] / B[i, r]
        else:
            # The largest p of a cell, where an upper and a lower bound on q meet.
            r = ahead[i]
            across = A[i, s] * B[i, r] - A[i, r] * B[i, s]
            costs[i, r] += held[i] * A[i, s] / across
            costs[i, s] -= held[i] * A[i, r] / across
    return costs, by_cap
