"""Forces inside the robot: in the rods, at the elbows, at the plate joints and at the arm bearings.

They are nearly free: the closures' multipliers lambda carry the plate's force into the legs. The arm pushes its rods with
`f_A + lambda rod` at the elbow, the plate holds them with `f_B - lambda rod`, f the force the rods need for their own motion and
weight. The two rods of a pair are taken to share its force equally: how a pair really shares depends on the plate's moment
and, with more pairs than the plate needs, on clearances.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import casadi as ca
import numpy as np

from parapick.errors import ParameterError
from parapick.mechanism.limb import Limb, per_leg
from parapick.mechanism.robot import Robot
from parapick.model.dynamics import PARTS, UP, arm_numbers, balance
from parapick.model.expression import Expression
from parapick.model.torques import shared_torque, state_of, validity_of

__all__ = ["InnerForces", "buckling_load", "inner_forces"]


class InnerForces(NamedTuple):
    """Forces of a batch of states.

    Attributes:
        axial_elbow: axial force of one rod at its elbow end (..., arms), N; tension is positive.
        axial_plate: the same at its plate end.
        elbow: force of the rods of a leg on its arm (..., arms, 3), N.
        plate: force of the rods of a leg on the plate (..., arms, 3), N.
        bearing: force of the frame on the arm at its motor axis (..., arms, 3), N.
        bearing_moment: moment of the frame on the arm there, without the motor's own torque (..., arms, 3), N m.
    """

    axial_elbow: np.ndarray
    axial_plate: np.ndarray
    elbow: np.ndarray
    plate: np.ndarray
    bearing: np.ndarray
    bearing_moment: np.ndarray


def inner_forces(robot: Robot) -> Expression:
    """All inner forces; redundant robots share by least norm."""
    state = state_of(robot)
    found = balance(robot, state)
    torque, value = shared_torque(robot, found, PARTS)
    own, _ = found.total()
    legs = robot.legs()
    rows: dict[str, list[Any]] = {name: [] for name in InnerForces._fields}
    for i, rod in enumerate(found.rods):
        pose, multiplier = rod.pose, (torque[i] - own[i]) / found.levers[i]
        push = rod.elbow + multiplier * pose.rod
        hold = rod.plate - multiplier * pose.rod
        direction = pose.rod / per_leg(robot.limb.rod_length, i)
        mass, center, _ = arm_numbers(robot.limb, i)
        middle = center / per_leg(robot.limb.arm, i) * pose.arm
        weight = mass * (center / per_leg(robot.limb.arm, i) * rod.ends.acceleration_a + robot.gravity * UP)
        moment = ca.cross(pose.arm, push) + ca.cross(middle, weight)
        axis = legs[i].axis
        rows["axial_elbow"].append(-ca.dot(push, direction) / robot.limb.rods)
        rows["axial_plate"].append(ca.dot(hold, direction) / robot.limb.rods)
        rows["elbow"].append(-push.T)
        rows["plate"].append(-hold.T)
        rows["bearing"].append((push + weight).T)
        rows["bearing_moment"].append((moment - ca.dot(moment, axis) * axis).T)
    inputs = {"x": state.x, "xd": state.xd, "xdd": state.xdd, "payload": state.payload}
    outputs = {name: ca.vertcat(*column) for name, column in rows.items()}
    return Expression(inputs, outputs, validity_of(found, value))


def buckling_load(limb: Limb, leg: int = 0) -> float:
    """Euler's load of a rod hinged at both ends, `pi^2 E I / L^2` (N), of a solid or hollow round section.

    Args:
        limb: the limb; `rod_modulus` and `rod_radius` must be given.
        leg: leg, from 0.
    """
    if limb.rod_modulus is None or limb.rod_radius is None:
        missing = [name for name in ("rod_modulus", "rod_radius") if getattr(limb, name) is None]
        raise ParameterError(f"limb.{missing[0]}", "is needed for the buckling load of the rods; give it in the file")
    bore = limb.rod_bore or 0.0
    second_moment = math.pi / 4 * (limb.rod_radius**4 - bore**4)
    return math.pi**2 * limb.rod_modulus * second_moment / per_leg(limb.rod_length, leg) ** 2
