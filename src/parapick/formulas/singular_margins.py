"""Margins to the singularities, conditioning and manipulability, as expressions.

nabat2005 section III: under-mobility is J_q singular, over-mobility J_x, internal J_int.
"""

from __future__ import annotations

import math
from typing import Any

import casadi as ca

from parapick.algebra import largest, singular_values, smallest
from parapick.formulas.constraints import constraints
from parapick.formulas.expression import Expression
from parapick.formulas.kinematics import kinematics, task_scale, task_vector
from parapick.mechanism import Robot


def margins(robot: Robot) -> Expression:
    """The three margins."""
    x = task_vector(robot)
    closures = constraints(robot, x)
    internal = ca.SX(math.inf) if closures.internal is None else smallest(singular_values(closures.internal))
    outputs = {
        "under": smallest(ca.fabs(closures.levers)),
        "over": smallest(singular_values(closures.plate)),
        "internal": internal,
    }
    return Expression({"x": x}, outputs, closures.radicands)


def indices(robot: Robot) -> Expression:
    """Conditioning and manipulability."""
    both = kinematics(robot)
    x = both.inputs["x"]
    closures = constraints(robot, x)
    speeds = singular_values(both.outputs["J"] / ca.repmat(task_scale(robot), robot.motors, 1))
    product = ca.SX(1.0)
    for value in ca.vertsplit(speeds):
        product = product * value
    outputs = {
        "conditioning": _ratio(speeds),
        "plate_conditioning": _ratio(singular_values(closures.plate)),
        "internal_conditioning": ca.SX(math.inf)
        if closures.internal is None
        else _ratio(singular_values(closures.internal)),
        "manipulability": 1 / product,
    }
    return Expression({"x": x}, outputs, closures.radicands)


def _ratio(values: Any) -> Any:
    return smallest(values) / largest(values)
