"""The matrices whose ranks decide where a robot is singular (nabat2005 section III).

Letters: s rod direction, f direction from one rod of a pair to the other (the motor axis), e vector from the plate's
centre; J_x, J_q of (1), J_tp of (2) and (8), J_int of (10) and (11).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import casadi as ca

from parapick.formulas.expression import Expression
from parapick.formulas.kinematics import task_scale, task_vector
from parapick.kernel import noted, numbered
from parapick.mechanism import Robot
from parapick.mechanism.plates import PlatePose


@final
@dataclass(frozen=True)
class Constraints:
    """The closures of all legs to first order, dimensionless.

    Attributes:
        levers: rod . w / (|w| L) of every leg with rods, the diagonal of J_q.
        plate: J_x, one row a leg: unit rod on the velocity of B, yaw in units of the plate's yaw length.
        internal: J_int, one row a rod pair: (f x s)' turn; None where the plate has no internal kind.
        radicands: must be >= 0.
    """

    levers: Any
    plate: Any
    internal: Any
    radicands: Any


def constraints(robot: Robot, x: Any) -> Constraints:
    """The closures of all legs at a symbolic task vector.

    Args:
        x: task vector (dof x 1), of symbols.
    """
    plate = robot.plate_pose(x)
    scale = task_scale(robot)
    rows, radicands = [], []
    for leg, end in numbered("leg", zip(robot.legs(), robot.ends(x), strict=True)):
        pose = leg.close(noted("plate point", "B", end))
        row = leg.unit_row(ca.mtimes(pose.rod.T, ca.jacobian(end, x)), scale)
        rows.append(noted("row of J_x, of a unit rod", "J_x", row))
        radicands.append(pose.radicand)
    poses = [(leg, leg.close(point)) for leg, point in zip(robot.rod_legs(), plate.points, strict=True)]
    levers = [pose.lever / (leg.radius * leg.rod) for leg, pose in poses]
    pairs = None
    if robot.limb.rods == 2 and plate.internal is not None:
        turns = zip(poses, plate.internal, strict=True)
        pairs = ca.vertcat(
            *(ca.mtimes(ca.cross(leg.pair, pose.rod / leg.rod).T, internal.turn) for (leg, pose), internal in turns)
        )
    return Constraints(ca.vertcat(*levers), ca.vertcat(*rows), pairs, ca.vertcat(*radicands))


def constraint_matrices(robot: Robot) -> Expression:
    """J_q (its diagonal), J_x and, with rod pairs, J_int, all dimensionless."""
    x = task_vector(robot)
    closures = constraints(robot, x)
    outputs = {"J_q": closures.levers, "J_x": closures.plate}
    if closures.internal is not None:
        outputs["J_int"] = closures.internal
    return Expression({"x": x}, outputs, closures.radicands)


def rod_pair_matrix(robot: Robot) -> Expression:
    """J_tp: one row a rod, from the task rates and the internal speeds to the rate of the rod's length (nabat2005 (8)).

    `rows 2i, 2i+1 = s_i' [dB_i/dx | drift_i -+ (f/2) f_i x turn_i]`; columns of task rates (m/s, rad/s), then
    internal speeds (rad/s).
    """
    x = task_vector(robot)
    plate = robot.plate_pose(x)
    radicands = [leg.close(point).radicand for leg, point in zip(robot.rod_legs(), plate.points, strict=True)]
    rows = [row for pair in pair_rows(robot, plate, x) for row in pair]
    return Expression({"x": x}, {"J_tp": ca.vertcat(*rows)}, ca.vertcat(*radicands))


def pair_rows(robot: Robot, plate: PlatePose, x: Any) -> list[tuple[Any, Any]]:
    """The two rows of J_tp of every pair of rods (1 x (dof + k) each); none where the plate has no internal kind.

    Args:
        plate: its plate at the task vector.
        x: task vector, a column of symbols.
    """
    pairs = []
    for i, leg in enumerate(robot.rod_legs() if plate.internal is not None else ()):
        direction = leg.close(plate.points[i]).rod / leg.rod
        internal = plate.internal[i]  # pyright: ignore[reportOptionalSubscript]
        slope = ca.jacobian(plate.points[i], x)
        rows = []
        for side in (-0.5, 0.5):
            offset = side * leg.rods.spacing * leg.pair
            motion = ca.horzcat(slope, internal.drift - ca.mtimes(ca.skew(offset), internal.turn))
            rows.append(ca.mtimes(direction.T, motion))
        pairs.append((rows[0], rows[1]))
    return pairs
