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
from parapick.formulas.terms import Motions, PointMotion, total
from parapick.kernel import noted, numbered
from parapick.mechanism import (
    LUMPED,
    AnyDrive,
    Ends,
    Robot,
    RodBody,
    end_forces,
    rod_inertia,
)
from parapick.mechanism.legs import (
    LegPose,
    RodLeg,
    Term,
    upward,
)
from parapick.mechanism.plates import Bar, Internal, PlatePose, SwingingBody, Tool

PARTS: Final = ("motors", "arms", "rods", "plate", "payload", "gravity")
"""What a torque is spent on; the parts add up to the torque."""


@final
@dataclass(frozen=True)
class PlateState:
    """A state of the plate, as columns of symbols.

    Attributes:
        x: task vector (dof x 1), m and rad.
        xd: its rate (dof x 1).
        xdd: its acceleration (dof x 1).
        payload: what the tool holds: mass, offset and inertia (5 x 1).
    """

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

    at: PointMotion
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
        rows: rod_i' dB_i/dx of legs with rods, the row of linear legs, one a leg.
        levers: rod_i . w_i of legs with rods, 1 of linear legs.
        by_levers: their reciprocals.
        rates: joint rates.
        accelerations: joint accelerations.
        radicands: must be >= 0.
        rods: how the rods of every leg move, and what that takes.
    """

    own: tuple[tuple[Term, ...], ...]
    loads: tuple[tuple[PointMotion, tuple[Term, ...]], ...]
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
        """Own torques (a column) and task force, summed over parts.

        Args:
            parts: some of `PARTS`.
        """
        own = [
            noted("what the motor spends on its own leg", "own", total(term for term in terms if term.part in parts))
            for terms in numbered("leg", self.own)
        ]
        acting: dict[PointMotion, list[Term]] = {}
        for motion, terms in self.loads:
            acting.setdefault(motion, []).extend(term for term in terms if term.part in parts)
        forces = (ca.mtimes(motion.slope.T, total(terms)) for motion, terms in acting.items() if terms)
        force = noted("task force of plate, rods and payload", "F", sum(forces, ca.SX.zeros(self.rows.shape[1])))
        return ca.vertcat(*own), force

    def generalized(self, parts: tuple[str, ...] = PARTS) -> Any:
        """Task force of all, `F + J_m' own`: what `J_m' tau` must equal.

        Args:
            parts: some of `PARTS`.
        """
        own, force = self.total(parts)
        return force + ca.mtimes(self.jacobian.T, own)


def missing_masses(robot: Robot) -> tuple[str, ...]:
    """Paths of the masses that dynamics need and the description lacks."""
    motor = () if robot.drive is not None and robot.drive.inertia is not None else ("drive.inertia",)
    limb = (f"limb.{name}" for name in robot.limb.missing_masses)
    plate = (f"plate.{name}" for name in robot.plate.traits.masses if getattr(robot.plate, name) is None)
    return (*limb, *motor, *plate)


def balance(robot: Robot, state: PlateState) -> Balance:
    """The balance of a robot at a symbolic state.

    Raises:
        MissingMassError: the description has no masses, or not all.
    """
    missing = missing_masses(robot)
    if missing:
        raise MissingMassError(robot.name, missing)
    plate, motions = robot.plate_pose(state.x), Motions(state.x, state.xd, state.xdd)
    legs = _legs(robot, state, motions)
    loads = [(leg.end, leg.pulling) for leg in legs[: robot.arms]]
    loads += [(load.at, load.terms) for load in plate_loads(robot, plate, motions, state.payload)]
    carrying = zip(robot.rod_legs(), legs[: robot.arms], strict=True)
    return Balance(
        own=tuple(leg.own for leg in legs),
        loads=tuple(loads),
        rows=ca.vertcat(*(ca.mtimes(leg.pose.rod.T, leg.end.slope) for leg in legs)),
        levers=ca.vertcat(*(leg.pose.lever for leg in legs)),
        by_levers=ca.vertcat(*(leg.by_lever for leg in legs)),
        rates=ca.vertcat(*(leg.rate for leg in legs)),
        accelerations=ca.vertcat(*(leg.acceleration for leg in legs)),
        radicands=ca.vertcat(*(leg.pose.radicand for leg in legs)),
        rods=tuple(_end_forces(leg, moved.pose, moved.ends, robot.gravity) for leg, moved in carrying),
    )


@final
@dataclass(frozen=True)
class _Moved:
    """A leg in motion: its pose, how its end and the ends of its rods move, and what that takes of motor and plate."""

    pose: LegPose
    end: PointMotion
    ends: Ends
    own: tuple[Term, ...]
    pulling: tuple[Term, ...]
    by_lever: Any
    rate: Any
    acceleration: Any


def _legs(robot: Robot, state: PlateState, motions: Motions) -> list[_Moved]:
    moved = []
    legs = zip(robot.legs(), robot.ends(state.x), robot.motor_drives(), strict=True)
    for leg, point, drive in numbered("leg", legs):
        end = motions.of(noted("plate point", "B", point))
        noted("plate point", "vB", end.velocity)
        noted("plate point", "aB", end.acceleration)
        motion = leg.move(point, end.velocity, end.acceleration)
        carried = None if motion.pose.w is None else motion.pose.w * motion.rate
        ends = Ends(carried, end.velocity, motion.elbow, end.acceleration)
        own, pulling = leg.terms(motion, ends, robot.gravity)
        own = (Term("motors", reflected(drive), motion.acceleration), *own)
        numbers = motion.by_lever, motion.rate, motion.acceleration
        moved.append(_Moved(motion.pose, end, ends, own, pulling, *numbers))
    return moved


def reflected(drive: AnyDrive | None) -> Any:
    """Inertia of motor and gearbox at the joint: `ratio^2 (J_m + J_t)`.

    righettini2024 (3), whose print has the wrong index in its third entry (papers/righettini2024).

    Args:
        drive: the drive of a motor; None for one without inertia.
    """
    if drive is None:
        return 0.0
    rotor = 0.0 if drive.inertia is None else drive.inertia
    return drive.ratio * drive.ratio * (rotor + drive.coupled_inertia)


def _end_forces(leg: RodLeg, pose: LegPose, ends: Ends, gravity: Any) -> EndForces:
    """Both ends of the rods of a leg: forces that move them, and shares of their weight."""
    elbow, plate = end_forces(leg.rods.model, leg.rods.known, ends)
    numbers, weight = leg.rods.inertia, upward(gravity)
    return EndForces(pose, ends, elbow + numbers.weight1 * weight, plate + numbers.weight2 * weight)


def plate_loads(robot: Robot, plate: PlatePose, motions: Motions, payload: Any) -> list[PlateLoad]:
    """What the bodies of the plate and the payload need for their motion and weight.

    Args:
        plate: the plate at the state.
        motions: the motions of its points at the state.
        payload: mass, offset and inertia (5 x 1).
    """
    weight = upward(robot.gravity)
    loads = []
    for part in plate.parts:
        at = motions.of(part.point)
        terms = Term("plate", part.mass, at.acceleration), Term("gravity", part.mass, weight)
        loads.append(PlateLoad(at, part.internal.drift, terms))
    for bar in plate.bars:
        loads += _bar(robot, bar, motions)
    for body in plate.yaws:
        loads.append(_turning("plate", body.inertia, body.angle, body.internal, motions))
    for body in plate.swings:
        loads += _swinging(body, motions, weight)
    return [*loads, *_payload(plate.tool, motions, payload, weight)]


def _swinging(body: SwingingBody, motions: Motions, weight: Any) -> list[PlateLoad]:
    """What a body that swings needs at its centre, and at the tip of each unit vector along its axes."""
    at, drift = motions.of(body.point), body.internal.drift
    loads = [PlateLoad(at, drift, (Term("plate", body.mass, at.acceleration), Term("gravity", body.mass, weight)))]
    for moment, axis in zip(body.second_moments, body.axes, strict=True):
        tip = motions.of(axis)
        loads.append(PlateLoad(tip, body.internal.at(axis).drift - drift, (Term("plate", moment, tip.acceleration),)))
    return loads


def _turning(part: str, inertia: Any, angle: Any, internal: Internal, motions: Motions) -> PlateLoad:
    """The moment that accelerates a body about the vertical."""
    at = motions.of(angle)
    return PlateLoad(at, internal.turn[2, :], (Term(part, inertia, at.acceleration),))


def payload_offset(tool: Tool, payload: Any) -> Any:
    """From the tool's point to the payload's centre (m, 3 x 1).

    Args:
        tool: where the tool is.
        payload: mass, offset and inertia (5 x 1).
    """
    x, y, z = ca.vertsplit(payload[1:4])
    c, s = ca.cos(tool.yaw), ca.sin(tool.yaw)
    return ca.vertcat(c * x - s * y, s * x + c * y, z)


def _payload(tool: Tool, motions: Motions, payload: Any, weight: Any) -> list[PlateLoad]:
    """The payload: it moves with the tool's point and, where its centre lies beside it, about it."""
    mass, inertia, offset = payload[0], payload[4], payload_offset(tool, payload)
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
    weight = upward(robot.gravity)
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
