"""Stiffness of the tool in yaw: servos, arms, rods, and the shaft that turns it.

A pair of rods strains by its mean and by its difference. The mean, with servo and arm in series, holds the plate's
points (`stiffness`); the differences alone hold its bodies from turning at the internal speeds (nabat2005 (7)-(12)).
With m_i and d_i half the sum and the difference of the two rows of a pair in the 8-rod matrix J_tp, c_i the compliance
of a leg, E A / L that of a rod, the energy of task displacements and internal turns z together is

    1/2 z' ( sum_i m_i' m_i / c_i  +  sum_i d_i' d_i E A / (2 L) ) z = 1/2 z' K z

The tool turns by `t z`, so a moment on it meets the stiffness `1 / (t K^-1 t')`. With rigid rods nothing turns
internally, and t K^-1 t' is that of the task vector alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from parapick.algebra import smallest_solution
from parapick.capability.effort import STRETCHED, Settings
from parapick.capability.kernels import constants, kernel_for
from parapick.capability.stiffness import axial_stiffness, compliance_of, own_rows
from parapick.errors import ParameterError
from parapick.formulas import Expression, pair_rows, task_vector
from parapick.mechanism import Robot
from parapick.mechanism.plates import PlatePose
from parapick.motors import SERVO, per_motor

if TYPE_CHECKING:
    from parapick.model import Model


class YawStiffness(NamedTuple):
    """Stiffness of the tool against a moment about the vertical, without a force; NaN where unreachable.

    Attributes:
        tool: with all that gives way (...), N m/rad.
        level: the same if the plate's bodies could not turn against the task vector (...), N m/rad: that of the plate's
            yaw over the square of what gear or belt make of it, and no less than `tool`.
    """

    tool: np.ndarray
    level: np.ndarray


def yaw_stiffness(
    model: Model,
    x: ArrayLike,
    *,
    servo: float | Sequence[float] = SERVO,
    rods: float | Literal["file"] | None = None,
    arms: float | None = None,
) -> YawStiffness:
    """Stiffness of the tool in yaw; belts, gears and joints of the plate are rigid, a telescope is what its file says.

    Args:
        model: the robot, with yaw; it needs no masses.
        x: task vectors (..., 4), m and rad.
        servo: stiffness of the position loops (N m/rad at the joint, N/m of a carriage), one number or one per motor.
        rods: axial stiffness E A of one rod (N), "file" for that of the robot's file, or None where they are rigid.
        arms: bending stiffness E I of an arm (N m2), or None where they are rigid.

    Raises:
        ParameterError: a robot without yaw, a stiffness that is not greater than 0 or that the robot's file does not
            give, or elastic rods whose spacing it does not give.
    """
    robot = model.robot
    if robot.dof < 4:
        raise ParameterError("yaw", f"{robot.name} has no yaw; its plate does not turn")
    elastic = rods is not None and robot.plate_pose(task_vector(robot)).internal is not None
    if elastic and robot.limb.rods == 2 and robot.limb.rod_spacing is None:
        raise ParameterError("limb.rod_spacing", "is not in the file; elastic rods hold the plate level by it")
    given = constants(
        model,
        per_motor(model.motors, "servo", servo, robot.limb.axis.stiffness),
        number=compliance_of("rods", axial_stiffness(model) if rods == "file" else rods),
        other=compliance_of("arms", arms),
    )
    paired = elastic and robot.limb.rods == 2
    name = f"yaw_stiffness_{'elastic' if paired else 'level'}"
    return YawStiffness(*kernel_for(model, name, _elastic if paired else _level)(x, given))


def _level(robot: Robot, settings: Settings) -> Expression:
    x = task_vector(robot)
    value, radicands = _held_level(robot, settings, x)
    return Expression({"x": x}, {"tool": value, "level": value}, radicands - STRETCHED)


def _elastic(robot: Robot, settings: Settings) -> Expression:
    x = task_vector(robot)
    plate = robot.plate_pose(x)
    level, radicands = _held_level(robot, settings, x)
    rows, servos = [], ca.vertsplit(settings.limits)
    for leg, servo, point, (first, second) in zip(
        robot.rod_legs(), servos[: robot.arms], plate.points, pair_rows(robot, plate, x), strict=True
    ):
        compliance = leg.compliance(leg.close(point), servo, settings.other, settings.number)
        rows += [(first + second) / 2 / ca.sqrt(compliance), (second - first) / ca.sqrt(2 * leg.rod * settings.number)]
    speeds = rows[0].shape[1] - robot.dof
    rows += [ca.horzcat(row, ca.SX(1, speeds)) for row in own_rows(robot, x, servos[robot.arms :])]
    turn = ca.horzcat(_turn(plate, x), plate.tool.internal.turn[2, :])
    return Expression({"x": x}, {"tool": _against(rows, turn), "level": level}, radicands - STRETCHED)


def _held_level(robot: Robot, settings: Settings, x: Any) -> tuple[Any, Any]:
    """Stiffness of the tool if its bodies could not turn against the task vector, and the radicands."""
    rows, radicands, servos = [], [], ca.vertsplit(settings.limits)
    plate = robot.plate_pose(x)
    for leg, point, servo in zip(robot.rod_legs(), plate.points, servos[: robot.arms], strict=True):
        pose = leg.close(point)
        compliance = leg.compliance(pose, servo, settings.other, settings.number)
        rows.append(ca.mtimes((pose.rod / leg.rod).T, ca.jacobian(point, x)) / ca.sqrt(compliance))
        radicands.append(pose.radicand)
    rows += own_rows(robot, x, servos[robot.arms :])
    return _against(rows, _turn(plate, x)), ca.vertcat(*radicands)


def _turn(plate: PlatePose, x: Any) -> Any:
    """Turn of the tool by the task vector, a row."""
    return ca.jacobian(ca.SX(plate.tool.yaw), x)


def _against(rows: Sequence[Any], turn: Any) -> Any:
    """`1 / (t K^-1 t')` with K the gram matrix of the rows."""
    forces, _ = smallest_solution(ca.densify(ca.vertcat(*rows)), ca.densify(turn).T)
    return 1 / ca.sumsqr(forces)
