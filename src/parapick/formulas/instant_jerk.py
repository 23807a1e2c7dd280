"""The jerk of joints as a limit of an instant: infinite where the acceleration jumps, and limited by payload."""

from __future__ import annotations

from typing import Any, Final

import casadi as ca

from parapick.formulas.dynamics import PlateState
from parapick.formulas.kinematics import joint_jerks
from parapick.mechanism import Robot, jerk_ratings

_STILL: Final = 1e-9
"""A joint that moves less than this with a task coordinate (rad/m) does not move with it: it is rounding."""


def jerk_values(robot: Robot, state: PlateState, xddd: Any) -> Any:
    """Magnitudes of the jerks of all joints (n x 1), rad/s3.

    Infinite for joints that move with a coordinate whose own jerk is infinite. A kernel must not add what is infinite:
    such a coordinate counts as 0 in the others.

    Args:
        xddd: jerk of the plate (dof x 1), infinite in coordinates whose acceleration jumps.
    """
    whole = joint_jerks(robot)
    jumps = ca.fabs(xddd) == ca.inf
    slopes = ca.densify(ca.jacobian(whole.outputs["qddd"], whole.inputs["xddd"]))
    there = [state.x, state.xd, state.xdd, ca.if_else(jumps, 0, xddd)]
    jerks, slopes = ca.substitute([whole.outputs["qddd"], slopes], [*whole.inputs.values()], there)
    moved = ca.mtimes(ca.fabs(slopes) > _STILL, jumps)
    return ca.if_else(moved > 0, ca.inf, ca.fabs(jerks))


def jerk_limits(robot: Robot, held: Any) -> Any:
    """Largest jerk of every joint (n x 1), rad/s3, by what is carried; infinite where the file states none.

    Args:
        held: what the tool holds, its gripper included (5 x 1).
    """
    ratings = jerk_ratings(robot, held[0] - robot.gripper.mass)
    return ca.vertcat(*(ca.SX(ca.inf) if rating is None else ca.SX(rating) for rating in ratings))
