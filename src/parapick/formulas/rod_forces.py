"""Forces inside the robot: in the rods, at the elbows, at the plate joints and at the arm bearings.

They are nearly free: the closures' multipliers lambda carry the plate's force into the legs. The arm pushes the rods of
a leg with `push = f_A + lambda rod` at the elbow, the plate holds them with `hold = f_B - lambda rod`, f the force that
their own motion and weight need.

Both rods of a pair move alike, so they need the same forces across themselves. Along themselves they differ: the second
carries delta more than half the pair's force, the first delta less, and only these differences keep the plate level.
At the internal speeds of the plate (nabat2005 (7)-(12)) points drift and bodies turn; the forces on the plate have no
power at any of them:

    sum_i spacing_i delta_i turn_i' (f_i x s_i) = -sum_i drift_i' hold_i - sum_k (drift_k' m_k (a_k + g) + turn_k' M_k)

i over the legs, k over the bodies of the plate and the payload, M_k the moment that accelerates a turning body, f_i
from the first rod of a pair to the second, s_i along both. As many pairs as internal speeds have one solution. More
have many, which differ by preload; the one of least norm is taken, which is what equal elastic rods between rigid
bodies do when nothing is out of size. Where J_int loses rank no finite forces keep the plate level, and all are NaN.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, final

import casadi as ca

from parapick.formulas.dynamics import PARTS, Balance, EndForces, PlateState, balance, plate_loads
from parapick.formulas.expression import Expression
from parapick.formulas.redundancy import least_norm
from parapick.formulas.terms import Motions, total
from parapick.formulas.torques import SINGULAR, shared_torque, state_of, validity_of
from parapick.mechanism import Robot, per_leg
from parapick.mechanism.legs import RodLeg
from parapick.mechanism.plates import PlatePose

FORCES: Final = ("axial_elbow", "axial_plate", "elbow", "plate", "bearing", "bearing_moment")
"""Outputs of `inner_forces`, a row per leg each."""


@final
@dataclass(frozen=True)
class HeldRods:
    """A leg in motion with the forces at both ends of its rods, all rods together.

    Attributes:
        leg: the leg.
        rod: how the rods move.
        direction: unit vector of the rods, elbow to plate.
        push: force of the arm on them (N, 3 x 1).
        hold: force of the plate on them (N, 3 x 1).
    """

    leg: RodLeg
    rod: EndForces
    direction: Any
    push: Any
    hold: Any


def inner_forces(robot: Robot) -> Expression:
    """All inner forces; redundant robots share by least norm, and so do more rod pairs than the plate needs.

    The two rods of a pair share equally where the file does not give their spacing.
    """
    state = state_of(robot)
    forces = balance(robot, state)
    torque, value = shared_torque(robot, forces, PARTS)
    legs = held_rods(robot, forces, torque)
    deltas, twists, regular = pair_differences(robot, state, legs)
    rows: dict[str, list[Any]] = {name: [] for name in FORCES}
    for i, rods in enumerate(legs):
        elbow = rods.rod.ends.acceleration_a
        force, moment = rods.leg.bearing(rods.rod.pose, elbow, rods.push, twists[i], robot.gravity)
        rows["axial_elbow"].append(_shared(robot, -ca.dot(rods.push, rods.direction), deltas[i]))
        rows["axial_plate"].append(_shared(robot, ca.dot(rods.hold, rods.direction), deltas[i]))
        rows["elbow"].append(-rods.push.T)
        rows["plate"].append(-rods.hold.T)
        rows["bearing"].append(force.T)
        rows["bearing_moment"].append(moment.T)
    outputs = {name: ca.vertcat(*column) for name, column in rows.items()}
    return Expression(state.inputs, outputs, ca.vertcat(validity_of(forces, value), regular))


def axial_forces(robot: Robot, state: PlateState, forces: Balance) -> tuple[Any, Any, Any]:
    """Axial force at elbow and plate of every rod (arms x rods), N, tension positive, and what must be >= 0.

    Redundant robots share by least norm. The forces are linear in what moves and weighs.

    Args:
        state: the symbolic state.
        forces: its balance.
    """
    torque, _ = shared_torque(robot, forces, PARTS)
    legs = held_rods(robot, forces, torque)
    deltas, _, regular = pair_differences(robot, state, legs)
    elbow = [_shared(robot, -ca.dot(rods.push, rods.direction), deltas[i]) for i, rods in enumerate(legs)]
    plate = [_shared(robot, ca.dot(rods.hold, rods.direction), deltas[i]) for i, rods in enumerate(legs)]
    return ca.vertcat(*elbow), ca.vertcat(*plate), regular


def held_rods(robot: Robot, forces: Balance, torque: Any) -> list[HeldRods]:
    """Every leg in motion with the forces at both ends of its rods.

    Args:
        forces: its balance at a symbolic state.
        torque: torques of its motors (n x 1).
    """
    own, _ = forces.total()
    legs = []
    for i, (leg, rod) in enumerate(zip(robot.rod_legs(), forces.rods, strict=True)):
        pull = (torque[i] - own[i]) / forces.levers[i] * rod.pose.rod
        legs.append(HeldRods(leg, rod, rod.pose.rod / leg.rod, rod.elbow + pull, rod.plate - pull))
    return legs


def _shared(robot: Robot, axial: Any, delta: Any) -> Any:
    """Axial forces of the rods of a leg as a row, from their sum and half the difference within a pair."""
    return ca.horzcat(axial / 2 - delta, axial / 2 + delta) if robot.limb.rods == 2 else axial


def pair_differences(robot: Robot, state: PlateState, legs: list[HeldRods]) -> tuple[list[Any], list[Any], Any]:
    """Half the difference delta within every pair (N), the moment it puts on the arm (N m), and what must be >= 0.

    Args:
        state: the symbolic state.
        legs: its legs with the forces of their rods.
    """
    plate = robot.plate_pose(state.x)
    if robot.limb.rods != 2 or robot.limb.rod_spacing is None or plate.internal is None:
        return [ca.SX(0)] * len(legs), [ca.SX.zeros(3)] * len(legs), ca.SX(0, 1)
    spacings = [per_leg(robot.limb.rod_spacing, i) for i in range(len(legs))]
    normals = [ca.cross(rods.leg.pair, rods.direction) for rods in legs]
    needed, rows = _needed(robot, plate, state), []
    for i, (rods, internal) in enumerate(zip(legs, plate.internal, strict=True)):
        needed += ca.mtimes(internal.drift.T, rods.hold)
        # Spacings count against the first one, so that the determinant has no unit.
        rows.append(spacings[i] / spacings[0] * ca.mtimes(normals[i].T, internal.turn))
    deltas, value = least_norm(ca.vertcat(*rows), -needed / spacings[0])
    twists = [-spacing * deltas[i] * normal for i, (spacing, normal) in enumerate(zip(spacings, normals, strict=True))]
    return ca.vertsplit(deltas), twists, value - SINGULAR


def _needed(robot: Robot, plate: PlatePose, state: PlateState) -> Any:
    """What the bodies of the plate need against their internal speeds, for their motion and weight (k x 1, N m)."""
    loads = plate_loads(robot, plate, Motions(state.x, state.xd, state.xdd), state.payload)
    return sum(ca.mtimes(load.internal.T, total(load.terms)) for load in loads)
