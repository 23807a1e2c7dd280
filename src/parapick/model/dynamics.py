"""Dynamics of every robot by one recursion over legs and plate.

Arms turn, rods are quadratic forms in the velocities of their ends, plate parts move like points; forces are carried
from the plate to the motors by the closures. `own` is what a motor spends on its own leg, `F` the force the plate
needs in task
coordinates: `J_m' tau = F + J_m' own`, row i of J_m = rod_i' (dB_i/dx) / (rod_i . w_i).

Letters: q qd qdd joints, x xd xdd task, A elbow, B plate point, w = dA/dq.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, final

import casadi as ca

from parapick.errors import MissingMassError
from parapick.mechanism.drive import Drive
from parapick.mechanism.leg import ArmRod, LegPose
from parapick.mechanism.limb import Limb, per_leg
from parapick.mechanism.plates import PlatePose
from parapick.mechanism.robot import Robot
from parapick.mechanism.rod import LUMPED, VARIABLE, Ends, RodBody, end_forces, rod_inertia

__all__ = ["PARTS", "Balance", "Load", "State", "balance", "missing_masses"]

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
@dataclass
class Load:
    """One part of the balance: what each motor spends on its own leg, and the task force on the plate."""

    own: list[Any]
    force: Any


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
        loads: own torques and task forces by part.
        rows: rod_i' dB_i/dx of arm-rod legs, the row of linear legs, one a leg.
        levers: rod_i . w_i of arm-rod legs, 1 of linear legs.
        rates: joint rates.
        accelerations: joint accelerations.
        radicands: must be >= 0.
        rods: how the rods of every arm-rod leg move, and what that takes.
    """

    loads: dict[str, Load]
    rows: Any
    levers: Any
    rates: Any
    accelerations: Any
    radicands: Any
    rods: tuple[EndForces, ...]

    @property
    def jacobian(self) -> Any:
        """Inverse Jacobian J_m: `qd = J_m xd`."""
        return self.rows / ca.repmat(self.levers, 1, self.rows.shape[1])

    def total(self, parts: tuple[str, ...] = PARTS) -> tuple[Any, Any]:
        """Own torques (a column) and task force, summed over parts."""
        own = [sum((self.loads[p].own[i] for p in parts), ca.SX(0)) for i in range(self.rows.shape[0])]
        return ca.vertcat(*own), sum((self.loads[p].force for p in parts), ca.SX.zeros(self.rows.shape[1]))

    def generalized(self, parts: tuple[str, ...] = PARTS) -> Any:
        """Task force of all, `F + J_m' own`: what `J_m' tau` must equal."""
        own, force = self.total(parts)
        return force + ca.mtimes(self.rows.T, own / self.levers)


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
    plate = robot.plate_pose(state.x)
    loads = {part: Load([ca.SX(0)] * robot.motors, ca.SX.zeros(robot.dof)) for part in PARTS}
    rows, levers, rates, accelerations, radicands, elbows = [], [], [], [], [], []
    for i, leg in enumerate(robot.legs()):
        if isinstance(leg, ArmRod):
            pose = leg.close(plate.points[i])
            slope, velocity, acceleration = moving(plate.points[i], state)
            lever, rate = pose.lever, pose.rate(velocity)
            own = pose.acceleration(rate, velocity, acceleration)
            _arm(robot, loads, i, leg, pose, own)
            ends = Ends(pose.w * rate, velocity, pose.w * own - pose.arm * (rate * rate), acceleration)
            elbows.append(_rods(robot, loads, i, pose, slope, ends))
            loads["rods"].own[i] += _turning_rods(robot, i, elbows[-1], own)
            rows.append(ca.mtimes(pose.rod.T, slope))
            radicands.append(pose.radicand)
        else:
            lever, rate, own = ca.SX(1), ca.mtimes(leg.row, state.xd), ca.mtimes(leg.row, state.xdd)
            loads["motors"].own[i] += reflected(robot.plate.drive) * own
            rows.append(leg.row)
        levers.append(lever)
        rates.append(rate)
        accelerations.append(own)
    _plate(robot, loads, plate, state)
    return Balance(
        loads,
        ca.vertcat(*rows),
        ca.vertcat(*levers),
        ca.vertcat(*rates),
        ca.vertcat(*accelerations),
        ca.vertcat(*radicands),
        tuple(elbows),
    )


def moving(point: Any, state: State) -> tuple[Any, Any, Any]:
    """Slope dp/dx, velocity and acceleration of a point (or angle) given as an expression of x."""
    slope = ca.jacobian(point, state.x)
    velocity = ca.mtimes(slope, state.xd)
    return slope, velocity, ca.mtimes(slope, state.xdd) + ca.jtimes(velocity, state.x, state.xd)


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
    length, center = per_leg(limb.rod_length, i), per_leg(limb.rod_center, i)
    return RodBody(
        mass=limb.rods * per_leg(limb.rod_mass, i),
        length=length,
        center=length / 2 if center is None else center,
        inertia=None if limb.rod_inertia is None else limb.rods * per_leg(limb.rod_inertia, i),
        radius=limb.rod_radius,
    )


def _arm(robot: Robot, loads: dict[str, Load], i: int, leg: ArmRod, pose: Any, acceleration: Any) -> None:
    mass, center, inertia = arm_numbers(robot.limb, i)
    loads["motors"].own[i] += reflected(robot.drive) * acceleration
    loads["arms"].own[i] += inertia * acceleration
    loads["gravity"].own[i] += mass * robot.gravity * center * pose.w[2] / leg.arm


def _rods(robot: Robot, loads: dict[str, Load], i: int, pose: LegPose, slope: Any, ends: Ends) -> EndForces:
    """Both ends of the rods of a leg: forces that move them, and shares of their weight."""
    limb, body = robot.limb, rod_body(robot.limb, i)
    elbow, plate = end_forces(limb.rod_model, body, ends)
    numbers = rod_inertia(limb.rod_model, body)
    loads["rods"].force += ca.mtimes(slope.T, plate)
    loads["gravity"].own[i] += pose.w[2] * numbers.weight1 * robot.gravity
    loads["gravity"].force += slope[2, :].T * numbers.weight2 * robot.gravity
    weight = robot.gravity * UP
    return EndForces(pose, ends, elbow + numbers.weight1 * weight, plate + numbers.weight2 * weight)


def _turning_rods(robot: Robot, i: int, rods: EndForces, acceleration: Any) -> Any:
    """Torque that the rods of a leg need at their arm, `w . f_A`, by `w . aA = l^2 qdd` where masses are constant."""
    if robot.limb.rod_model in VARIABLE:
        weightless = rods.elbow - rod_inertia("slender", rod_body(robot.limb, i)).weight1 * robot.gravity * UP
        return ca.dot(rods.pose.w, weightless)
    numbers, arm = rod_inertia(robot.limb.rod_model, rod_body(robot.limb, i)), per_leg(robot.limb.arm, i)
    return numbers.m11 * arm * arm * acceleration + numbers.m12 * ca.dot(rods.pose.w, rods.ends.acceleration_b)


def _point_mass(robot: Robot, loads: dict[str, Load], part: str, mass: Any, point: Any, state: State) -> None:
    slope, _, acceleration = moving(point, state)
    loads[part].force += ca.mtimes(slope.T, mass * acceleration)
    loads["gravity"].force += slope[2, :].T * (mass * robot.gravity)


def _turning(loads: dict[str, Load], part: str, inertia: Any, angle: Any, state: State) -> None:
    slope, _, acceleration = moving(ca.SX(angle), state)
    loads[part].force += slope.T * (inertia * acceleration)


def _plate(robot: Robot, loads: dict[str, Load], plate: PlatePose, state: State) -> None:
    for part in plate.parts:
        _point_mass(robot, loads, "plate", part.mass, part.point, state)
    for bar in plate.bars:
        _bar(robot, loads, bar, state)
    for body in plate.yaws:
        _turning(loads, "plate", body.inertia, body.angle, state)
    mass, offset, inertia = state.payload[0], state.payload[1:4], state.payload[4]
    c, s = ca.cos(plate.tool.yaw), ca.sin(plate.tool.yaw)
    turned = ca.vertcat(c * offset[0] - s * offset[1], s * offset[0] + c * offset[1], offset[2])
    _point_mass(robot, loads, "payload", mass, plate.tool.point + turned, state)
    _turning(loads, "payload", inertia, plate.tool.yaw, state)


def _bar(robot: Robot, loads: dict[str, Load], bar: Any, state: State) -> None:
    """A bar of the plate: lumped where the rods are, otherwise slender and uniform."""
    body = RodBody(mass=bar.mass, length=1.0, center=0.5, inertia=None, radius=None)
    ends = rod_inertia("halves" if robot.limb.rod_model in LUMPED else "slender", body)
    first, _, start = moving(bar.start, state)
    second, _, end = moving(bar.end, state)
    loads["plate"].force += ca.mtimes(first.T, ends.m11 * start + ends.m12 * end)
    loads["plate"].force += ca.mtimes(second.T, ends.m12 * start + ends.m22 * end)
    weight = first[2, :].T * ends.weight1 + second[2, :].T * ends.weight2
    loads["gravity"].force += weight * robot.gravity
