"""Plate speeds that the motors allow: `|J_m xd| <= v`, a polytope with one pair of facets a motor.

Its largest ball, `min_i v_i / |row_i|`, is the speed in any direction; its farthest vertex the speed in the best.
"""

from __future__ import annotations

import math
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from parapick.algebra import solve
from parapick.capability.effort import STRETCHED, Settings
from parapick.capability.kernels import constants, kernel_for
from parapick.errors import ParameterError
from parapick.formulas import Expression, kinematics
from parapick.mechanism import Robot
from parapick.motors import SpeedLimit

if TYPE_CHECKING:
    from parapick.model import Model

WITHIN: Final = 1e-12
"""How far, as a share, a vertex may lie beyond the limit of another motor: rounding where several meet in a vertex."""

PARALLEL: Final = 1e-12
"""Three motors whose rows have a determinant below this share of their lengths have no vertex."""


class Speed(NamedTuple):
    """Plate speeds of a batch of poses; NaN where unreachable.

    Attributes:
        any: speed that is possible in any direction (...), m/s; negative where the yaw rate alone is too much.
        best: speed in the best direction (...), m/s; infinite where the plate can move and no motor does, NaN where
            the yaw rate alone is too much for every direction.
        ratio: `best` over `any` (...).
    """

    any: np.ndarray
    best: np.ndarray
    ratio: np.ndarray


def speed(model: Model, x: ArrayLike, *, speed: SpeedLimit = "peak", yaw: float = 0.0) -> Speed:
    """Plate speeds that the motors allow, in any direction and in the best.

    Args:
        model: the robot; it needs no masses.
        x: task vectors (..., dof), m and rad.
        speed: "peak" of the drives, one number or one per motor (rad/s, at the motor).
        yaw: yaw rate that is kept meanwhile (rad/s).

    Raises:
        ParameterError: a speed limit that the robot's file does not state, or a yaw rate where there is no yaw.
    """
    given = constants(model, model.motors.joint_speed(speed), number=_yaw(model.robot, yaw))
    return Speed(*kernel_for(model, "speed", _all)(x, given))


def speed_along(
    model: Model, x: ArrayLike, direction: ArrayLike, *, speed: SpeedLimit = "peak", yaw: float = 0.0
) -> np.ndarray:
    """Largest plate speed in a given direction (...), m/s; NaN where the yaw rate leaves none.

    Args:
        model: the robot; it needs no masses.
        x: task vectors (..., dof), m and rad.
        direction: directions (..., 3) of any length but 0.
        speed: "peak" of the drives, one number or one per motor (rad/s, at the motor).
        yaw: yaw rate that is kept meanwhile (rad/s).
    """
    given = constants(model, model.motors.joint_speed(speed), number=_yaw(model.robot, yaw))
    return kernel_for(model, "speed_along", _directed)(x, direction, given)[0]


def _yaw(robot: Robot, yaw: float) -> float:
    if robot.dof == 3 and yaw:
        raise ParameterError("yaw", f"{robot.name} has no yaw; leave it out")
    if not np.isfinite(yaw):
        raise ParameterError("yaw", f"is {yaw:g} rad/s; it must be finite")
    return float(yaw)


def _rows(robot: Robot, settings: Settings) -> tuple[Any, list[Any], list[Any], Any]:
    """Task vector, translational row and joint rate at zero translation of every motor, and validity."""
    both = kinematics(robot)
    jacobian = both.outputs["J"]
    rows = [jacobian[i, :3].T for i in range(robot.motors)]
    turning = [jacobian[i, 3] * settings.number if robot.dof == 4 else ca.SX(0) for i in range(robot.motors)]
    return both.inputs["x"], rows, turning, both.validity - STRETCHED


def _smallest(tops: list[Any], bottoms: list[Any]) -> Any:
    """Smallest quotient; one by zero counts as infinite, of the sign of its top."""
    best = ca.SX(ca.inf)
    for top, bottom in zip(tops, bottoms, strict=True):
        value = ca.if_else(bottom > 0, top / bottom, ca.if_else(top < 0, -math.inf, math.inf))
        best = ca.if_else(value < best, value, best)
    return best


def _all(robot: Robot, settings: Settings) -> Expression:
    x, rows, turning, validity = _rows(robot, settings)
    limits = ca.vertsplit(settings.limits)
    left = [limit - ca.fabs(rate) for limit, rate in zip(limits, turning, strict=True)]
    least = _smallest(left, [ca.norm_2(row) for row in rows])
    best = _farthest(rows, turning, limits, least)
    return Expression({"x": x}, {"any": least, "best": best, "ratio": best / least}, validity)


def _farthest(rows: list[Any], turning: list[Any], limits: list[Any], least: Any) -> Any:
    """Length of the farthest vertex: three motors at their limits, the others within.

    Without any vertex the polytope has no end if it holds the origin (`least` >= 0), or is taken for empty.
    """
    best = ca.SX(-1)
    for three in combinations(range(len(rows)), 3):
        matrix = ca.vertcat(*(rows[i].T for i in three))
        inverse, value = solve(matrix, ca.SX.eye(3))
        size = ca.SX(PARALLEL * PARALLEL)
        for i in three:
            size = size * ca.sumsqr(rows[i])
        for signs in product((-1, 1), repeat=3):
            right = ca.vertcat(*(sign * limits[i] - turning[i] for sign, i in zip(signs, three, strict=True)))
            velocity = ca.mtimes(inverse, right)
            fits = value * value > size
            for k in set(range(len(rows))) - set(three):
                rate = ca.fabs(ca.dot(rows[k], velocity) + turning[k])
                fits = ca.logic_and(fits, rate <= (1 + WITHIN) * limits[k])
            square = ca.sumsqr(velocity)
            best = ca.if_else(ca.logic_and(fits, square > best), square, best)
    return ca.if_else(best >= 0, ca.sqrt(best), ca.if_else(least >= 0, math.inf, math.nan))


def _directed(robot: Robot, settings: Settings) -> Expression:
    x, rows, turning, validity = _rows(robot, settings)
    direction, limits = ca.SX.sym("direction", 3), ca.vertsplit(settings.limits)
    slopes = [ca.dot(row, direction) / ca.norm_2(direction) for row in rows]
    toward = [ca.copysign(1.0, slope) * rate for slope, rate in zip(slopes, turning, strict=True)]
    sizes = [ca.fabs(slope) for slope in slopes]
    high = _smallest([limit - rate for limit, rate in zip(limits, toward, strict=True)], sizes)
    low = _smallest([limit + rate for limit, rate in zip(limits, toward, strict=True)], sizes)
    value = ca.if_else(high + low < 0, math.nan, high)
    validity = ca.vertcat(validity, ca.if_else(ca.sumsqr(direction) > 0, 1.0, -1.0))
    return Expression({"x": x, "direction": direction}, {"speed": value}, validity)
