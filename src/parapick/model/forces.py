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

import math
from dataclasses import dataclass
from typing import Any, final

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from parapick.arrays import reals
from parapick.errors import ParameterError, ShapeError
from parapick.mechanism.legs.leg import RodLeg
from parapick.mechanism.limb import AnyLimb, per_leg
from parapick.mechanism.parameters import resolved
from parapick.mechanism.plates import PlatePose
from parapick.mechanism.robot import Robot
from parapick.model.dynamics import PARTS, Balance, EndForces, PlateState, balance, plate_loads
from parapick.model.expression import Expression
from parapick.model.redundancy import least_norm
from parapick.model.terms import Motions, total
from parapick.model.torques import SINGULAR, shared_torque, state_of, validity_of


@final
@dataclass(frozen=True)
class InnerForces:
    """Forces of a batch of states.

    The second rod of a pair stands from the first as `RodLeg.pair` says: counter-clockwise, seen from above, on a
    radial base and on rails, and against the motor axis on a placed one.

    Attributes:
        axial_elbow: axial force of every rod at its elbow end (..., arms, rods), N; tension is positive.
        axial_plate: the same at its plate end.
        elbow: force of all rods of a leg on its arm (..., arms, 3), N.
        plate: force of all rods of a leg on the plate (..., arms, 3), N.
        bearing: force of the frame on the arm at its motor axis (..., arms, 3), N; of a rail on its carriage without
            what the motor pushes.
        bearing_moment: moment of the frame on the arm there, without the motor's own torque (..., arms, 3), N m; of a
            rail on its carriage, about the joint of the rods.
    """

    axial_elbow: np.ndarray
    axial_plate: np.ndarray
    elbow: np.ndarray
    plate: np.ndarray
    bearing: np.ndarray
    bearing_moment: np.ndarray

    def __post_init__(self) -> None:
        # A kernel's matrix of one column is a vector; single rods get their axis back.
        for name in ("axial_elbow", "axial_plate"):
            if getattr(self, name).ndim < self.elbow.ndim:
                object.__setattr__(self, name, getattr(self, name)[..., None])


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
    held = held_rods(robot, forces, torque)
    deltas, twists, regular = pair_differences(robot, state, held)
    rows: dict[str, list[Any]] = {name: [] for name in InnerForces.__dataclass_fields__}
    for i, own in enumerate(held):
        elbow = own.rod.ends.acceleration_a
        force, moment = own.leg.bearing(own.rod.pose, elbow, own.push, twists[i], robot.gravity)
        rows["axial_elbow"].append(_shared(robot, -ca.dot(own.push, own.direction), deltas[i]))
        rows["axial_plate"].append(_shared(robot, ca.dot(own.hold, own.direction), deltas[i]))
        rows["elbow"].append(-own.push.T)
        rows["plate"].append(-own.hold.T)
        rows["bearing"].append(force.T)
        rows["bearing_moment"].append(moment.T)
    outputs = {name: ca.vertcat(*column) for name, column in rows.items()}
    return Expression(state.inputs, outputs, ca.vertcat(validity_of(forces, value), regular))


def held_rods(robot: Robot, forces: Balance, torque: Any) -> list[HeldRods]:
    """Every leg in motion with the forces at both ends of its rods.

    Args:
        robot: the description.
        forces: its balance at a symbolic state.
        torque: torques of its motors (n x 1).
    """
    own, _ = forces.total()
    held = []
    for i, (leg, rod) in enumerate(zip(robot.rod_legs(), forces.rods, strict=True)):
        pull = (torque[i] - own[i]) / forces.levers[i] * rod.pose.rod
        held.append(HeldRods(leg, rod, rod.pose.rod / leg.rod, rod.elbow + pull, rod.plate - pull))
    return held


def _shared(robot: Robot, axial: Any, delta: Any) -> Any:
    """Axial forces of the rods of a leg as a row, from their sum and half the difference within a pair."""
    return ca.horzcat(axial / 2 - delta, axial / 2 + delta) if robot.limb.rods == 2 else axial


def pair_differences(robot: Robot, state: PlateState, held: list[HeldRods]) -> tuple[list[Any], list[Any], Any]:
    """Half the difference delta within every pair (N), the moment it puts on the arm (N m), and what must be >= 0.

    Args:
        robot: the description.
        state: the symbolic state.
        held: its legs with the forces of their rods.
    """
    plate = robot.plate_pose(state.x)
    if robot.limb.rods != 2 or robot.limb.rod_spacing is None or plate.internal is None:
        return [ca.SX(0)] * len(held), [ca.SX.zeros(3)] * len(held), ca.SX(0, 1)
    spacings = [per_leg(robot.limb.rod_spacing, i) for i in range(len(held))]
    normals = [ca.cross(own.leg.pair, own.direction) for own in held]
    needed, rows = _needed(robot, plate, state), []
    for i, (own, internal) in enumerate(zip(held, plate.internal, strict=True)):
        needed += ca.mtimes(internal.drift.T, own.hold)
        # Spacings count against the first one, so that the determinant has no unit.
        rows.append(spacings[i] / spacings[0] * ca.mtimes(normals[i].T, internal.turn))
    deltas, value = least_norm(ca.vertcat(*rows), -needed / spacings[0])
    twists = [-spacing * deltas[i] * normal for i, (spacing, normal) in enumerate(zip(spacings, normals, strict=True))]
    return ca.vertsplit(deltas), twists, value - SINGULAR


def _needed(robot: Robot, plate: PlatePose, state: PlateState) -> Any:
    """What the bodies of the plate need against their internal speeds, for their motion and weight (k x 1, N m)."""
    loads = plate_loads(robot, plate, Motions(state.x, state.xd, state.xdd), state.payload)
    return sum(ca.mtimes(load.internal.T, total(load.terms)) for load in loads)


def buckling_load(limb: AnyLimb, leg: int = 0) -> float:
    """Euler's load of a rod hinged at both ends, `pi^2 E I / L^2` (N), of a solid or hollow round section.

    Args:
        limb: the limb; `rod_modulus` and `rod_radius` must be given.
        leg: leg, from 0.
    """
    if limb.rod_modulus is None or limb.rod_radius is None:
        missing = [name for name in ("rod_modulus", "rod_radius") if getattr(limb, name) is None]
        raise ParameterError(f"limb.{missing[0]}", "is needed for the buckling load of the rods; give it in the file")
    # Numbers may be symbols here, which are neither true nor false.
    bore = 0.0 if limb.rod_bore is None else limb.rod_bore
    second_moment = math.pi / 4 * (limb.rod_radius**4 - bore**4)
    return math.pi**2 * limb.rod_modulus * second_moment / per_leg(limb.rod_length, leg) ** 2


@final
@dataclass(frozen=True)
class RodLoads:
    """What every rod bears along a motion, the more loaded of its two ends counting.

    Attributes:
        peak_tension: largest pull (arms, rods), N; 0 where a rod is never pulled.
        peak_compression: largest push (arms, rods), N, as a positive number; 0 where a rod is never pushed.
        rms: root mean square of the axial force (arms, rods), N.
        buckling_load: Euler's load of a rod of each leg (arms,), N; None where the file lacks what it follows from.
        reserve: Euler's load over the largest push (arms, rods); infinite where a rod is never pushed, None without it.
    """

    peak_tension: np.ndarray
    peak_compression: np.ndarray
    rms: np.ndarray
    buckling_load: np.ndarray | None
    reserve: np.ndarray | None


def rod_loads(robot: Robot, time: ArrayLike, forces: InnerForces) -> RodLoads:
    """Peaks, effective forces and buckling reserve of the rods along a motion; NaN where a force is NaN.

    Args:
        robot: the description.
        time: instants (T,), s, growing.
        forces: inner forces of the motion, one state an instant.

    Raises:
        ShapeError: times and forces do not belong together.
    """
    t, axial = reals("time", time), np.stack([forces.axial_elbow, forces.axial_plate])
    if t.ndim != 1 or len(t) < 2 or axial.ndim != 4 or len(t) != axial.shape[1]:
        expected = f"(T,) of at least two instants, with axial forces (T, arms, rods); these are {axial.shape[1:]}"
        raise ShapeError("time", t.shape, expected)
    if not np.all(np.diff(t) > 0):
        raise ShapeError("time", t.shape, "growing instants")
    mean_square = np.trapezoid(axial * axial, t, axis=1) / (t[-1] - t[0])
    pull, push = (np.maximum(np.max(sign * axial, axis=(0, 1)), 0.0) for sign in (1, -1))
    limb = resolved(robot).limb
    load = reserve = None
    if limb.rod_modulus is not None and limb.rod_radius is not None:
        load = np.array([buckling_load(limb, leg) for leg in range(robot.arms)])
        reserve = np.divide(load[:, None], push, out=np.full(push.shape, np.inf), where=push != 0)
    return RodLoads(pull, push, np.sqrt(np.max(mean_square, axis=0)), load, reserve)
