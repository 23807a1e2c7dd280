"""Dynamics of every robot by one recursion over legs and plate.

Arms turn, rods are quadratic forms in the velocities of their ends, plate parts move like points; forces are carried
from the plate to the motors by the closures. `own` is what a motor spends on its own leg, `F` the force the plate
needs in task coordinates: `J_m' tau = F + J_m' own`, row i of J_m = rod_i' (dB_i/dx) / (rod_i . w_i). Both are kept as
terms (see `terms`), so that what moves alike is added up before it is multiplied.

Letters: q qd qdd joints, x xd xdd task, A elbow, B plate point, w = dA/dq.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, final

import casadi as ca

from parapick.errors import MissingMassError
from parapick.mechanism.drive import Drive
from parapick.mechanism.leg import ArmRod, Leg, LegMotion, LegPose
from parapick.mechanism.limb import Limb, per_leg
from parapick.mechanism.plates import Bar, Internal, PlatePose, Tool
from parapick.mechanism.robot import Robot
from parapick.mechanism.rod import LUMPED, VARIABLE, Ends, RodBody, end_forces, rod_inertia
from parapick.model.terms import Motion, Motions, Term, total

__all__ = ["PARTS", "Balance", "EndForces", "PlateLoad", "State", "balance", "missing_masses", "plate_loads"]

PARTS: Final = ("motors", "arms", "rods", "plate", "payload", "gravity")
"""What a torque is spent on; the parts add up to the torque."""

UP: Final = ca.DM([0.0, 0.0, 1.0])


@final
@dataclass(frozen=True)
class State:
    """Task vector with its rate and acceleration, as columns of symbols, and the payload (mass, offset, inertia)."""

    x: Any
    xd: Any
    xdd: Any
    payload: Any

    @property
    def inputs(self) -> dict[str, Any]:
        """The columns by name, as inputs of a kernel."""
        return {"x": self.x, "xd": self.xd, "xdd": self.xdd, "payload": self.payload}


@final
@dataclass(frozen=True)
class PlateLoad:
    """What a body of the plate needs at one of its points (or angles).

    Attributes:
        at: how the point moves; its slope carries the force to the task coordinates.
        internal: matrix from the internal speeds to the velocity of the point (or to the rate of the angle).
        terms: the force (N) or moment (N m).
    """

    at: Motion
    internal: Any
    terms: tuple[Term, ...]


@final
@dataclass(frozen=True)
class EndForces:
    """A leg in motion, and the forces (N, 3 x 1) its rods need at elbow and plate for their motion and weight."""

    pose: LegPose
    ends: Ends
    elbow: Any
    plate: Any


@final
@dataclass(frozen=True)
class Balance:
    """Everything the torques follow from.

    Attributes:
        own: what each motor spends on its own leg, in terms (N m).
        loads: forces on the plate in terms, each with the motion of the point it acts on.
        rows: rod_i' dB_i/dx of arm-rod legs, the row of linear legs, one a leg.
        levers: rod_i . w_i of arm-rod legs, 1 of linear legs.
        by_levers: their reciprocals.
        rates: joint rates.
        accelerations: joint accelerations.
        radicands: must be >= 0.
        rods: how the rods of every arm-rod leg move, and what that takes.
    """

    own: tuple[tuple[Term, ...], ...]
    loads: tuple[tuple[Motion, tuple[Term, ...]], ...]
    rows: Any
    levers: Any
    by_levers: Any
    rates: Any
    accelerations: Any
    radicands: Any
    rods: tuple[EndForces, ...]

    @property
    def jacobian(self) -> Any:
        """Inverse Jacobian J_m: `qd = J_m xd`."""
        return self.rows * ca.repmat(self.by_levers, 1, self.rows.shape[1])

    def total(self, parts: tuple[str, ...] = PARTS) -> tuple[Any, Any]:
        """Own torques (a column) and task force, summed over parts."""
        own = [total(term for term in terms if term.part in parts) for terms in self.own]
        acting: dict[Motion, list[Term]] = {}
        for motion, terms in self.loads:
            acting.setdefault(motion, []).extend(term for term in terms if term.part in parts)
        forces = (ca.mtimes(motion.slope.T, total(terms)) for motion, terms in acting.items() if terms)
        return ca.vertcat(*own), sum(forces, ca.SX.zeros(self.rows.shape[1]))

    def generalized(self, parts: tuple[str, ...] = PARTS) -> Any:
        """Task force of all, `F + J_m' own`: what `J_m' tau` must equal."""
        own, force = self.total(parts)
        return force + ca.mtimes(self.jacobian.T, own)


def missing_masses(robot: Robot) -> tuple[str, ...]:
    """Paths of the masses that dynamics need and the description lacks."""
    missing = []
    limb, drive = robot.limb, robot.drive
    if limb.arm_mass is None and limb.arm_inertia is None:
        missing.append("limb.arm_mass or limb.arm_inertia")
    if limb.rod_mass is None:
        missing.append("limb.rod_mass")
    if drive is None or drive.inertia is None:
        missing.append("drive.inertia")
    parts = ("mass", "carried_mass", "side_mass", "bar_mass", "crossbar_mass")
    missing += [f"plate.{name}" for name in parts if getattr(robot.plate, name, 0.0) is None]
    return tuple(missing)


def balance(robot: Robot, state: State) -> Balance:
    """The balance of a robot at a symbolic state.

    Raises:
        MissingMassError: the description has no masses, or not all.
    """
    missing = missing_masses(robot)
    if missing:
        raise MissingMassError(robot.name, missing)
    plate, motions = robot.plate_pose(state.x), Motions(state.x, state.xd, state.xdd)
    legs = [_leg(robot, i, leg, plate, motions, state) for i, leg in enumerate(robot.legs())]
    loads = [leg.load for leg in legs if leg.load is not None]
    loads += [(load.at, load.terms) for load in plate_loads(robot, plate, motions, state.payload)]
    return Balance(
        own=tuple(leg.own for leg in legs),
        loads=tuple(loads),
        rows=ca.vertcat(*(leg.row for leg in legs)),
        levers=ca.vertcat(*(leg.lever for leg in legs)),
        by_levers=ca.vertcat(*(leg.by_lever for leg in legs)),
        rates=ca.vertcat(*(leg.rate for leg in legs)),
        accelerations=ca.vertcat(*(leg.acceleration for leg in legs)),
        radicands=ca.vertcat(*(leg.rods.pose.radicand for leg in legs if leg.rods is not None)),
        rods=tuple(leg.rods for leg in legs if leg.rods is not None),
    )


@final
@dataclass(frozen=True)
class _Leg:
    """What one leg adds to the balance; `load` and `rods` are those of an arm-rod leg."""

    own: tuple[Term, ...]
    row: Any
    lever: Any
    by_lever: Any
    rate: Any
    acceleration: Any
    load: tuple[Motion, tuple[Term, ...]] | None = None
    rods: EndForces | None = None


def _leg(robot: Robot, i: int, leg: Leg, plate: PlatePose, motions: Motions, state: State) -> _Leg:
    if not isinstance(leg, ArmRod):
        rate, acceleration = ca.mtimes(leg.row, state.xd), ca.mtimes(leg.row, state.xdd)
        own = (Term("motors", reflected(robot.plate.drive), acceleration),)
        return _Leg(own, leg.row, ca.SX(1), ca.SX(1), rate, acceleration)
    end = motions.of(plate.points[i])
    motion = leg.move(plate.points[i], end.velocity, end.acceleration)
    pose = motion.pose
    ends = Ends(pose.w * motion.rate, end.velocity, motion.elbow, end.acceleration)
    turning, pulling = _rods(robot, i, motion, ends)
    row = ca.mtimes(pose.rod.T, end.slope)
    return _Leg(
        own=(*_arm(robot, i, leg, motion), *turning),
        row=row,
        lever=pose.lever,
        by_lever=motion.by_lever,
        rate=motion.rate,
        acceleration=motion.acceleration,
        load=(end, pulling),
        rods=_end_forces(robot, i, pose, ends),
    )


def reflected(drive: Drive | None) -> Any:
    """Inertia of motor and gearbox at the joint: `ratio^2 (J_m + J_t)`.

    righettini2024 (3), whose print has the wrong index in its third entry (papers/righettini2024.py).
    """
    if drive is None:
        return 0.0
    rotor = 0.0 if drive.inertia is None else drive.inertia
    return drive.ratio * drive.ratio * (rotor + drive.gearbox_inertia)


def arm_numbers(limb: Limb, i: int) -> tuple[Any, Any, Any]:
    """Mass, distance of its centre from the axis, and inertia about the axis, of the arm of leg i (from 0).

    A given mass without inertia is a uniform bar; a given inertia without mass has no weight.
    """
    length, mass = per_leg(limb.arm, i), per_leg(limb.arm_mass, i)
    center, inertia = per_leg(limb.arm_center, i), per_leg(limb.arm_inertia, i)
    mass = 0.0 if mass is None else mass
    center = length / 2 if center is None else center
    return mass, center, mass * length * length / 3 if inertia is None else inertia


def rod_body(limb: Limb, i: int) -> RodBody:
    """Mass and shape of all rods of leg i (from 0) together."""
    return RodBody(
        mass=limb.rods * per_leg(limb.rod_mass, i),
        length=per_leg(limb.rod_length, i),
        center=per_leg(limb.rod_center, i),
        inertia=None if limb.rod_inertia is None else limb.rods * per_leg(limb.rod_inertia, i),
        radius=limb.rod_radius,
    )


def _arm(robot: Robot, i: int, leg: ArmRod, motion: LegMotion) -> tuple[Term, ...]:
    """Torques of rotor, gearbox and arm."""
    mass, center, inertia = arm_numbers(robot.limb, i)
    return (
        Term("motors", reflected(robot.drive), motion.acceleration),
        Term("arms", inertia, motion.acceleration),
        Term("gravity", mass * robot.gravity * center / leg.arm, motion.pose.w[2]),
    )


def _rods(robot: Robot, i: int, motion: LegMotion, ends: Ends) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
    """Torques that the rods of a leg need at their arm, `w . f_A`, and forces they need at the plate, f_B.

    Where the masses are constant, w . aA = l^2 qdd.
    """
    limb, body = robot.limb, rod_body(robot.limb, i)
    numbers = rod_inertia(limb.rod_model, body)
    hanging = Term("gravity", numbers.weight1 * robot.gravity, motion.pose.w[2])
    carried = Term("gravity", numbers.weight2, robot.gravity * UP)
    if limb.rod_model in VARIABLE:
        elbow, plate = end_forces(limb.rod_model, body, ends)
        return (Term("rods", 1.0, ca.dot(motion.pose.w, elbow)), hanging), (Term("rods", 1.0, plate), carried)
    arm = per_leg(limb.arm, i)
    turning = Term("rods", numbers.m11 * arm * arm, motion.acceleration), Term("rods", numbers.m12, motion.across)
    pulling = Term("rods", numbers.m12, ends.acceleration_a), Term("rods", numbers.m22, ends.acceleration_b)
    return (*turning, hanging), (*pulling, carried)


def _end_forces(robot: Robot, i: int, pose: LegPose, ends: Ends) -> EndForces:
    """Both ends of the rods of a leg: forces that move them, and shares of their weight."""
    body, weight = rod_body(robot.limb, i), robot.gravity * UP
    elbow, plate = end_forces(robot.limb.rod_model, body, ends)
    numbers = rod_inertia(robot.limb.rod_model, body)
    return EndForces(pose, ends, elbow + numbers.weight1 * weight, plate + numbers.weight2 * weight)


def plate_loads(robot: Robot, plate: PlatePose, motions: Motions, payload: Any) -> list[PlateLoad]:
    """What the bodies of the plate and the payload need for their motion and weight.

    Args:
        robot: the description.
        plate: the plate at the state.
        motions: the motions of its points at the state.
        payload: mass, offset and inertia (5 x 1).
    """
    weight = robot.gravity * UP
    loads = []
    for part in plate.parts:
        at = motions.of(part.point)
        terms = Term("plate", part.mass, at.acceleration), Term("gravity", part.mass, weight)
        loads.append(PlateLoad(at, part.internal.drift, terms))
    for bar in plate.bars:
        loads += _bar(robot, bar, motions)
    for body in plate.yaws:
        loads.append(_turning("plate", body.inertia, body.angle, body.internal, motions))
    return [*loads, *_payload(plate.tool, motions, payload, weight)]


def _turning(part: str, inertia: Any, angle: Any, internal: Internal, motions: Motions) -> PlateLoad:
    """The moment that accelerates a body about the vertical."""
    at = motions.of(angle)
    return PlateLoad(at, internal.turn[2, :], (Term(part, inertia, at.acceleration),))


def _payload(tool: Tool, motions: Motions, payload: Any, weight: Any) -> list[PlateLoad]:
    """The payload: it moves with the tool's point and, where its centre lies beside it, about it."""
    mass, (x, y, z), inertia = payload[0], ca.vertsplit(payload[1:4]), payload[4]
    c, s = ca.cos(tool.yaw), ca.sin(tool.yaw)
    offset = ca.vertcat(c * x - s * y, s * x + c * y, z)
    point, about = motions.of(tool.point), motions.of(offset)
    terms = (
        Term("payload", mass, point.acceleration),
        Term("payload", mass, about.acceleration),
        Term("gravity", mass, weight),
    )
    drift = tool.internal.drift
    return [
        PlateLoad(point, drift, terms),
        PlateLoad(about, tool.internal.at(offset).drift - drift, terms),
        _turning("payload", inertia, tool.yaw, tool.internal, motions),
    ]


def _bar(robot: Robot, bar: Bar, motions: Motions) -> list[PlateLoad]:
    """A bar of the plate: lumped where the rods are, otherwise slender and uniform."""
    body = RodBody(mass=bar.mass, length=1.0, center=None, inertia=None, radius=None)
    numbers = rod_inertia("halves" if robot.limb.rod_model in LUMPED else "slender", body)
    start, end = motions.of(bar.start), motions.of(bar.end)
    weight = robot.gravity * UP
    first = (
        Term("plate", numbers.m11, start.acceleration),
        Term("plate", numbers.m12, end.acceleration),
        Term("gravity", numbers.weight1, weight),
    )
    second = (
        Term("plate", numbers.m12, start.acceleration),
        Term("plate", numbers.m22, end.acceleration),
        Term("gravity", numbers.weight2, weight),
    )
    return [PlateLoad(start, bar.internal[0].drift, first), PlateLoad(end, bar.internal[1].drift, second)]
