"""Stiffness of the tool: servo, rods and arms in series in every leg, the legs in parallel.

A leg holds the plate along its rod only. A unit force along the rod, direction s, turns the motor, bends the arm and
strains the rods; what the plate's point gives way along s is the leg's compliance,

    c_i = (s . w)^2 / k_i  +  (1 - (s . a)^2) l^3 / (3 E I)  +  L / (rods E A)

k_i servo stiffness at the joint, w = dA/dq, a the arm's direction, E I of the arm as a cantilever of the same stiffness
in and across its plane, E A of one rod. With r_i = s' dB_i/dx the stiffness of the plate is `sum r_i' r_i / c_i`, which
is J_m' k J_m where arms and rods are rigid. Preload changes it a little and is left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from parapick.algebra import gram, largest, singular_values, smallest
from parapick.capability.effort import STRETCHED, Settings
from parapick.capability.kernels import constants, kernel_for
from parapick.errors import ParameterError
from parapick.formulas import Expression, task_vector
from parapick.mechanism import Robot
from parapick.motors import SERVO, per_motor

if TYPE_CHECKING:
    from parapick.model import Model


class Stiffness(NamedTuple):
    """Stiffness of a batch of poses; NaN where unreachable.

    With yaw, the three translational numbers are those of a force without a moment: the plate may turn.

    Attributes:
        smallest: in the softest direction (...), N/m.
        largest: in the stiffest direction (...), N/m.
        ratio: `largest` over `smallest` (...).
        matrix: in the task vector (..., dof, dof), N/m, N/rad and N m/rad.
    """

    smallest: np.ndarray
    largest: np.ndarray
    ratio: np.ndarray
    matrix: np.ndarray


def stiffness(
    model: Model,
    x: ArrayLike,
    *,
    servo: float | Sequence[float] = SERVO,
    rods: float | Literal["file"] | None = None,
    arms: float | None = None,
) -> Stiffness:
    """Stiffness of the tool from that of the servos, and of rods and arms where they are given.

    Args:
        model: the robot; it needs no masses.
        x: task vectors (..., dof), m and rad.
        servo: stiffness of the position loops (N m/rad at the joint, N/m of a carriage), one number or one per motor.
            With the default, 1, the answers are per N m/rad: enough to compare robots and poses.
        rods: axial stiffness E A of one rod (N), "file" for that of the robot's file, or None where they are rigid.
        arms: bending stiffness E I of an arm (N m2), or None where they are rigid.

    Raises:
        ParameterError: a stiffness that is not greater than 0, or that the robot's file does not give.
    """
    axial = axial_stiffness(model) if rods == "file" else rods
    numbers = [compliance_of(name, value) for name, value in (("rods", axial), ("arms", arms))]
    given = constants(
        model,
        per_motor(model.motors, "servo", servo, model.robot.limb.axis.stiffness),
        number=numbers[0],
        other=numbers[1],
    )
    return Stiffness(*kernel_for(model, "stiffness", stiffness_expression)(x, given))


def axial_stiffness(model: Model) -> float:
    """E A of one rod (N), by the file.

    Raises:
        ParameterError: the file lacks modulus or radius.
    """
    limb = model.numbers.limb
    for name in ("rod_modulus", "rod_radius"):
        if getattr(limb, name) is None:
            raise ParameterError(f"limb.{name}", f"the file of {model.robot.name} does not state it; give rods= (N)")
    return axial_rigidity(limb)


def axial_rigidity(limb: Any) -> Any:
    """E A of one rod (N): its modulus times its section, a disk or a ring.

    Args:
        limb: a limb whose modulus and radius are stated, as numbers or as symbols.
    """
    return limb.rod_modulus * (math.pi * (limb.rod_radius**2 - (limb.rod_bore or 0.0) ** 2))


def compliance_of(name: str, value: float | str | None) -> float:
    """One over a stiffness; 0 where it is rigid.

    Args:
        name: of the argument, for messages.
        value: the stiffness, or None.

    Raises:
        ParameterError: it is not greater than 0.
    """
    if value is None:
        return 0.0
    if isinstance(value, str) or not (np.isfinite(value) and value > 0):
        raise ParameterError(name, f"is {value!r}; it must be finite and greater than 0, or None where rigid")
    return 1.0 / value


def stiffness_expression(robot: Robot, settings: Settings) -> Expression:
    """All of `Stiffness` at a pose.

    Args:
        robot: with symbols in its fields.
        settings: stiffness of the servos in `limits`, compliance of a rod (1/N) in `number` and of an arm (1/(N m2)) in
            `other`.
    """
    x = task_vector(robot)
    rows, radicands = [], []
    servos = ca.vertsplit(settings.limits)
    for leg, point, servo in zip(robot.rod_legs(), robot.points(x), servos[: robot.arms], strict=True):
        pose = leg.close(point)
        compliance = leg.compliance(pose, servo, settings.other, settings.number)
        rows.append(ca.mtimes((pose.rod / leg.rod).T, ca.jacobian(point, x)) / ca.sqrt(compliance))
        radicands.append(pose.radicand)
    rows += own_rows(robot, x, servos[robot.arms :])
    matrix = gram(ca.vertcat(*rows))
    values = singular_values(_translational(matrix))
    least, most = smallest(values), largest(values)
    outputs = {"smallest": least, "largest": most, "ratio": most / least, "matrix": matrix}
    return Expression({"x": x}, outputs, ca.vertcat(*radicands) - STRETCHED)


def own_rows(robot: Robot, x: Any, servos: Sequence[Any]) -> list[Any]:
    """Rows of the plate's own legs, each divided by the root of its compliance: servo, and shaft where it is not rigid.

    Args:
        robot: with symbols in its fields.
        x: task vector.
        servos: stiffness of the position loop of each.
    """
    shafts = robot.plate_pose(x).own_compliance or (ca.SX(0),) * len(servos)
    legs = zip(robot.plate.linear, servos, shafts, strict=True)
    return [leg.row / ca.sqrt(1 / servo + shaft) for leg, servo, shaft in legs]


def _translational(matrix: Any) -> Any:
    """Stiffness against a force without a moment: what is left when yaw gives way."""
    if matrix.shape[0] == 3:
        return matrix
    return matrix[:3, :3] - ca.mtimes(matrix[:3, 3], matrix[3, :3]) / matrix[3, 3]
