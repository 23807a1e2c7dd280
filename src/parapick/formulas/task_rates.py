"""How the plate moves when its joints do: what a controller that commands joints asks."""

from __future__ import annotations

import casadi as ca

from parapick.algebra import least_squares
from parapick.formulas.expression import Expression
from parapick.formulas.inline import inlined
from parapick.formulas.kinematics import inverse_jacobian, joint_accelerations, task_scale, task_vector
from parapick.mechanism import Robot


def task_rates(robot: Robot) -> Expression:
    """Rate and acceleration of the task vector from those of the joints.

    `J_m xd = qd` and `J_m xdd = qdd - dJ_m/dt xd`, corbel2010 (17) and (29); of redundant robots by least squares.
    """
    x = task_vector(robot)
    qd, qdd = ca.SX.sym("qd", robot.motors), ca.SX.sym("qdd", robot.motors)
    slope, bending = inverse_jacobian(robot), joint_accelerations(robot)
    scale = task_scale(robot)
    (jacobian,) = inlined([slope.outputs["J"]], [slope.inputs["x"]], [x])
    jacobian = jacobian / ca.repmat(scale, robot.motors, 1)
    xd = least_squares(jacobian, qd) / scale.T
    still = ca.SX.zeros(robot.dof)
    (own,) = inlined([bending.outputs["qdd"]], [*bending.inputs.values()], [x, xd, still])
    xdd = least_squares(jacobian, qdd - own) / scale.T
    (radicands,) = inlined([slope.validity], [slope.inputs["x"]], [x])
    return Expression({"x": x, "qd": qd, "qdd": qdd}, {"xd": xd, "xdd": xdd}, radicands)
