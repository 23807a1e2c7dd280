"""The equation of motion of the plant: accelerations of what moves, from places, rates and what acts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, final

import casadi as ca

from parapick.algebra import solve
from parapick.control import column
from parapick.formulas import (
    PARTS,
    Balance,
    PlateState,
    balance,
    curve_torque,
    inlined,
    kinematics,
    reflected,
    state_of,
)
from parapick.mechanism import Robot, motor_ratings
from parapick.simulation.drive_train import spring_torque
from parapick.simulation.friction import friction_torque, lost_share, ripple_factor
from parapick.simulation.loop import Loop
from parapick.simulation.plant_state import PlantInput, PlantState, moving_blocks
from parapick.simulation.swinging import hanging, pull_of

OVERSPEED: Final = 0.02
"""Share above its peak speed at which a motor has no torque left to go faster; up to its peak speed it has all."""

ROUNDS: Final = 2
"""Rounds in which the side on which each gearbox works is settled, the first from the acceleration without losses."""

_BEHIND: Final = tuple(part for part in PARTS if part != "motors")
"""What a joint moves where the rotor is behind a spring."""


@final
@dataclass(frozen=True)
class Slope:
    """How the plant moves at a stage.

    Attributes:
        acceleration: of what moves, in the order of the places.
        sliding: rates at which friction slides (n), rad/s: those of the rotors where the drive train is elastic.
    """

    acceleration: Any
    sliding: Any


@final
@dataclass(frozen=True)
class _Moving:
    """Places and rates at a stage, by name."""

    place: dict[str, Any]
    rate: dict[str, Any]


@final
@dataclass(frozen=True)
class _Acting:
    """What acts on the equation of motion `M xdd + h = J' (torque - drag) + force` at symbols of the plate's state.

    Attributes:
        state: the plate.
        forces: its balance.
        mass: M (dof x dof).
        bias: h (dof).
        force: force on the plate (dof), N and N m.
        torque: torque of the drives (n), N m.
        bristle: deflection of the bristles (n).
    """

    state: PlateState
    forces: Balance
    mass: Any
    bias: Any
    force: Any
    torque: Any
    bristle: Any

    def pull(self, joints: Any) -> Any:
        """Task force that is left to accelerate the plate (dof).

        Args:
            joints: torques at the joints (n), N m.
        """
        return ca.mtimes(self.forces.rows.T, joints / self.forces.levers) - self.bias + self.force


def slope_at(loop: Loop, at: PlantState, load: PlantInput, torque: Any, bristle: Any) -> Slope:
    """Accelerations at a stage's place and rate.

    Args:
        loop: the loop, with symbols in its fields.
        at: state of the plant.
        load: what acts.
        torque: torque of the drives (n), N m.
        bristle: deflection of the bristles (n).
    """
    state = state_of(loop.plant)
    moving = _Moving(moving_blocks(loop, at.stage_place), moving_blocks(loop, at.stage_rate))
    forces = balance(loop.plant, state)
    needed, swing = _needed(loop, state, forces, moving, load)
    mass = ca.jacobian(needed, state.xdd)
    (bias,) = inlined([needed], [state.xdd], [ca.SX.zeros(loop.dof)])
    force = load.force if loop.forces else ca.SX.zeros(loop.dof)
    sliding = forces.rates if loop.drive_train is None else moving.rate["motor"]
    if loop.drives.speeds:
        torque = _by_curve(loop.plant, torque, sliding) * _left_at_speed(loop.plant, torque, sliding)
    acting = _Acting(state, forces, mass, bias, force, torque, bristle)
    disturbance = load.torque if loop.torques else ca.SX.zeros(loop.motors)
    acceleration, rotors = _accelerations(loop, acting, disturbance, moving)
    swung = inlined(swing, [state.xdd], [acceleration]) if swing else []
    here = [moving.place["x"], moving.rate["x"], load.payload]
    slopes = [ca.vertcat(acceleration, *rotors, *swung), sliding]
    return Slope(*inlined(slopes, [state.x, state.xd, state.payload], here))


def _needed(loop: Loop, state: PlateState, forces: Balance, moving: _Moving, load: PlantInput) -> tuple[Any, list[Any]]:
    """Task force of what a joint moves, and the acceleration of a payload that swings; both linear in xdd."""
    needed = forces.generalized() if loop.drive_train is None else forces.generalized(_BEHIND)
    if loop.swing is None:
        return needed, []
    pull = pull_of(loop.swing, moving.place["swing"], moving.rate["swing"])
    hung = hanging(loop.plant, state, load.swinging, pull)
    # What is not held hangs at rest under the tool.
    return needed + hung.force, [ca.if_else(load.swinging > 0, -(hung.level + pull), 0.0)]


def _accelerations(loop: Loop, acting: _Acting, disturbance: Any, moving: _Moving) -> tuple[Any, list[Any]]:
    """Accelerations of the plate and, where the drive train is elastic, of the rotors."""
    rates, state = acting.forces.rates, acting.state
    rigid = loop.drive_train is None
    drag, rubbing = -disturbance, None
    if loop.friction is not None:
        angles, sliding = (None, rates) if rigid else (moving.place["motor"], moving.rate["motor"])
        ripple = _ripple(loop, angles, state.x)
        rubbing = friction_torque(loop.friction, acting.bristle, sliding, ripple, loop.settling)
    if rigid and rubbing is not None:
        drag = drag + rubbing
    if loop.sine is not None:
        drag = drag + loop.sine.torque(_angles(loop.plant, state.x), rates)
    if loop.drive_train is None:
        return _direct(loop, acting, drag), []
    twist, twisting = moving.place["motor"] - _angles(loop.plant, state.x), moving.rate["motor"] - rates
    spring = spring_torque(loop.drive_train, twist, twisting, column, ca.if_else)
    left = acting.torque - spring if rubbing is None else acting.torque - rubbing - spring
    passed = spring
    if loop.drives.losses:
        passed = spring * (1 - lost_share(_efficiency(loop.plant), acting.bristle, spring, ca.if_else))
    return solve(acting.mass, acting.pull(passed - drag))[0], [left / column(loop.drive_train.rotor)]


def _direct(loop: Loop, acting: _Acting, drag: Any) -> Any:
    """Task acceleration where rotors turn with their joints."""
    pull = acting.pull(acting.torque - drag)
    acceleration = solve(acting.mass, pull)[0]
    return _with_losses(loop.plant, acting, pull, acceleration) if loop.drives.losses else acceleration


def _left_at_speed(robot: Robot, torque: Any, rates: Any) -> Any:
    """Share of its torque that a motor still gives in the direction in which it turns: none beyond its peak speed."""
    rated = zip(robot.motor_drives(), motor_ratings(robot, "peak_speed"), strict=True)
    peaks = [math.inf if peak is None else peak / drive.ratio for drive, peak in rated]
    shares = [
        1.0 if peak is math.inf else 1 - ca.fmin(ca.fmax((ca.fabs(rates[i]) / peak - 1) / OVERSPEED, 0.0), 1.0)
        for i, peak in enumerate(peaks)
    ]
    return ca.if_else(torque * rates > 0, ca.vertcat(*shares), 1.0)


def _by_curve(robot: Robot, torque: Any, rates: Any) -> Any:
    """Torques (n) as far as the curves of the motors allow them at their speeds, N m at the joints."""
    torques = []
    for i, drive in enumerate(robot.motor_drives()):
        if drive.peak_curve is None:
            torques.append(torque[i])
            continue
        most = drive.ratio * curve_torque(drive.peak_curve, drive.ratio * ca.fabs(rates[i]))
        torques.append(ca.fmin(ca.fmax(torque[i], -most), most))
    return ca.vertcat(*torques)


def _with_losses(robot: Robot, acting: _Acting, pull: Any, acceleration: Any) -> Any:
    """Task acceleration with the losses of the gearboxes, from the acceleration without them.

    What enters a gearbox is `y = torque - R qdd` with R the inertia of rotor and gearbox at the joint; of it the share
    c is lost, so that `M xdd = pull - J' c (torque - R (J xdd + Jd xd))`, linear in xdd for given shares. On which side
    the gearbox works follows from y, which is found in two rounds from the acceleration without losses.
    """
    forces, torque, xdd = acting.forces, acting.torque, acting.state.xdd
    rotor = ca.vertcat(*(reflected(drive) for drive in robot.motor_drives()))
    efficiency = _efficiency(robot)
    jacobian = forces.rows / ca.repmat(forces.levers, 1, robot.dof)
    (rest,) = inlined([forces.accelerations], [xdd], [ca.SX.zeros(robot.dof)])
    for _ in range(ROUNDS):
        passing = torque - rotor * (ca.mtimes(jacobian, acceleration) + rest)
        lost = lost_share(efficiency, acting.bristle, passing, ca.if_else)
        matrix = acting.mass - ca.mtimes(jacobian.T, jacobian * ca.repmat(lost * rotor, 1, robot.dof))
        acceleration = solve(matrix, pull - ca.mtimes(jacobian.T, lost * (torque - rotor * rest)))[0]
    return acceleration


def _efficiency(robot: Robot) -> Any:
    return ca.vertcat(*(drive.efficiency for drive in robot.motor_drives()))


def _ripple(loop: Loop, angles: Any, x: Any) -> Any:
    """Factor on dry friction (n) at angles of the rotors, or at a pose where these are None; None without ripple."""
    if loop.ripple is None:
        return None
    return ripple_factor(loop.ripple, _angles(loop.plant, x) if angles is None else angles, column, ca.sin)


def _angles(robot: Robot, x: Any) -> Any:
    whole = kinematics(robot)
    return inlined([whole.outputs["q"]], [whole.inputs["x"]], [x])[0]
