"""The plant as expressions: what is seen of it at a sample, and how it moves in between.

State: task vector x and rate xd; the torque of the drives where they lag; the deflection of the bristles where there is
friction. A substep is one step of classical Runge-Kutta on the task-space equation of motion, whose stages see the
exact exponentials of lag and friction. What is compiled is one stage, repeated natively: the equation of motion stands
in the code once, which compiles four times faster than a whole step and runs as fast.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any, Final, final

import casadi as ca

from parapick.control.devices import Encoder
from parapick.control.feedforward import column
from parapick.control.inline import inlined
from parapick.mechanism.robot import Robot
from parapick.model.algebra import solve
from parapick.model.dynamics import Balance, balance, reflected
from parapick.model.kinematics import kinematics
from parapick.model.torques import state_of
from parapick.simulation.description import Loop
from parapick.simulation.friction import advanced, friction_torque, lost_share

STAGES: Final = 4
"""Stages of a substep."""

OVERSPEED: Final = 0.02
"""Share above its peak speed at which a motor has no torque left to go faster; up to its peak speed it has all."""

ROUNDS: Final = 2
"""Rounds in which the side on which each gearbox works is settled, the first from the acceleration without losses."""


@final
@dataclass(frozen=True)
class PlantInput:
    """What acts on the plant during a control period, constant over it; columns of symbols.

    Attributes:
        command: torques the drives are asked for, limit and delay included (n), N m.
        payload: what the tool holds (5).
        force: force on the plate (dof), N and N m; empty without one.
        torque: disturbing torques at the joints (n), N m; empty without any.
        step: length of a substep (s).
    """

    command: Any
    payload: Any
    force: Any
    torque: Any
    step: Any

    @property
    def column(self) -> Any:
        """All of it."""
        return ca.vertcat(self.command, self.payload, self.force, self.torque, self.step)


@final
@dataclass(frozen=True)
class PlantState:
    """State of the plant; columns, some of them empty. At a sample the stage's entries equal those of the state.

    Attributes:
        x: task vector (dof).
        xd: its rate (dof).
        lag: torque of the drives (n); empty without lag.
        bristle: deflection of the bristles (n); empty without friction.
        stage_x: task vector at the stage of the integrator (dof).
        stage_xd: its rate (dof).
        stage_bristle: deflection of the bristles there (n); empty without friction.
        place_sum: weighted sum of the stages' rates so far (dof).
        rate_sum: weighted sum of the stages' accelerations so far (dof).
        displacement_sum: weighted sum of the stages' joint rates so far (n); empty without friction.
        phase: which stage comes next, 0 to 3.
    """

    x: Any
    xd: Any
    lag: Any
    bristle: Any
    stage_x: Any
    stage_xd: Any
    stage_bristle: Any
    place_sum: Any
    rate_sum: Any
    displacement_sum: Any
    phase: Any

    @property
    def column(self) -> Any:
        """All of it."""
        return ca.vertcat(*(getattr(self, field.name) for field in fields(self)))


@final
@dataclass(frozen=True)
class PlantStage:
    """The plant as expressions.

    Attributes:
        state: its state, columns of symbols.
        load: what acts.
        next: state after a stage of the integrator; `STAGES` of them make a substep.
        seen: what is recorded of it at a sample, by name: x, xd, q, qd, q_meas (what the encoders say), friction, and
            closes, which is >= 0 for every leg that closes.
    """

    state: PlantState
    load: PlantInput
    next: PlantState
    seen: dict[str, Any]

    @property
    def lag_rows(self) -> list[int]:
        """Rows of the state that hold the torque of lagging drives; empty without lag."""
        first = self.state.x.shape[0] + self.state.xd.shape[0]
        return [*range(first, first + self.state.lag.shape[0])]


def measured(encoder: Encoder | None, q: Any) -> Any:
    """What encoders say of joint angles: the nearest of their steps.

    Args:
        encoder: the encoders; None for exact angles.
        q: joint angles (n), rad.
    """
    if encoder is None:
        return q
    resolution = column(encoder.resolution)
    return resolution * ca.floor(q / resolution + 0.5)


def plant_stage(loop: Loop) -> PlantStage:
    """The plant of a loop as expressions.

    Args:
        loop: the loop, with symbols in its fields.
    """
    state, load = _symbols(loop)
    whole = kinematics(loop.plant)
    q, jacobian, radicands = inlined(
        [whole.outputs["q"], whole.outputs["J"], whole.validity], [whole.inputs["x"]], [state.x]
    )
    qd, friction = ca.mtimes(jacobian, state.xd), ca.SX.zeros(loop.motors)
    if loop.friction is not None:
        friction = friction_torque(loop.friction, state.bristle, qd)
    seen = {
        "x": state.x,
        "xd": state.xd,
        "q": q,
        "qd": qd,
        "q_meas": measured(loop.encoder, q),
        "friction": friction,
        "closes": radicands,
    }
    return PlantStage(state, load, _stage(loop, load, state), seen)


def _symbols(loop: Loop) -> tuple[PlantState, PlantInput]:
    n, dof, sym = loop.motors, loop.dof, ca.SX.sym
    dry = n if loop.friction is not None else 0
    state = PlantState(
        x=sym("x", dof),
        xd=sym("xd", dof),
        lag=sym("lag", n if loop.drives.lag is not None else 0),
        bristle=sym("bristle", dry),
        stage_x=sym("stage_x", dof),
        stage_xd=sym("stage_xd", dof),
        stage_bristle=sym("stage_bristle", dry),
        place_sum=sym("place_sum", dof),
        rate_sum=sym("rate_sum", dof),
        displacement_sum=sym("displacement_sum", dry),
        phase=sym("phase"),
    )
    force, torque = sym("force", dof if loop.forces else 0), sym("torque", n if loop.torques else 0)
    return state, PlantInput(sym("command", n), sym("payload", 5), force, torque, sym("h"))


def _stage(loop: Loop, load: PlantInput, state: PlantState) -> PlantState:
    """State after one stage of classical Runge-Kutta; after the fourth, that of a whole step."""
    h, phase, n = load.step, state.phase, loop.motors
    force = load.force if loop.forces else ca.SX.zeros(loop.dof)
    torque, disturbance = _torque(loop, load, state), load.torque if loop.torques else ca.SX.zeros(n)
    bristle = ca.SX.zeros(n) if loop.friction is None else state.stage_bristle
    slope, rates = _motion(loop, state, torque, disturbance, bristle, load.payload, force)
    first, last = phase < 0.5, phase > 2.5
    weight = ca.if_else(ca.logic_or(first, last), h / 6, h / 3)
    share = ca.if_else(phase > 1.5, h, h / 2)

    def summed(total: Any, value: Any) -> Any:
        return ca.if_else(first, weight * value, total + weight * value)

    place, rate = summed(state.place_sum, state.stage_xd), summed(state.rate_sum, slope)
    x = state.x + ca.if_else(last, place, share * state.stage_xd)
    xd = state.xd + ca.if_else(last, rate, share * slope)
    displacement = state.displacement_sum if loop.friction is None else summed(state.displacement_sum, rates)
    dry = state.bristle
    if loop.friction is not None:
        dry = advanced(loop.friction, state.bristle, ca.if_else(last, displacement, share * rates))
    return PlantState(
        x=ca.if_else(last, x, state.x),
        xd=ca.if_else(last, xd, state.xd),
        lag=state.lag if loop.drives.lag is None else ca.if_else(last, _torque(loop, load, state), state.lag),
        bristle=ca.if_else(last, dry, state.bristle),
        stage_x=x,
        stage_xd=xd,
        stage_bristle=dry,
        place_sum=place,
        rate_sum=rate,
        displacement_sum=displacement,
        phase=ca.if_else(last, 0.0, phase + 1),
    )


def _torque(loop: Loop, load: PlantInput, state: PlantState) -> Any:
    """Torque of the drives at the stage's instant: exact, at the start, the middle and the end of a step."""
    if loop.drives.lag is None:
        return load.command
    half = ca.exp(-load.step / (2 * column(loop.drives.lag)))
    left = ca.if_else(state.phase < 0.5, ca.SX.ones(loop.motors), ca.if_else(state.phase > 2.5, half * half, half))
    return load.command + (state.lag - load.command) * left


def _motion(
    loop: Loop, at: PlantState, torque: Any, disturbance: Any, bristle: Any, payload: Any, force: Any
) -> tuple[Any, Any]:
    """Task acceleration and joint rates at a stage's place and rate."""
    robot, state = loop.plant, state_of(loop.plant)
    forces = balance(robot, state)
    generalized = forces.generalized()
    mass = ca.jacobian(generalized, state.xdd)
    (bias,) = inlined([generalized], [state.xdd], [ca.SX.zeros(robot.dof)])
    if loop.drives.speeds:
        torque = torque * _left_at_speed(robot, torque, forces.rates)
    drag = -disturbance
    if loop.friction is not None:
        drag = drag + friction_torque(loop.friction, bristle, forces.rates)
    if loop.sine is not None:
        drag = drag + loop.sine.torque(_angles(robot, state.x), forces.rates)
    pull = ca.mtimes(forces.rows.T, (torque - drag) / forces.levers) - bias + force
    acceleration = solve(mass, pull)[0]
    if loop.drives.losses:
        acceleration = _with_losses(robot, state.xdd, forces, bristle, torque, (mass, pull, acceleration))
    here = [at.stage_x, at.stage_xd, payload]
    acceleration, rates = inlined([acceleration, forces.rates], [state.x, state.xd, state.payload], here)
    return acceleration, rates


def _left_at_speed(robot: Robot, torque: Any, rates: Any) -> Any:
    """Share of its torque that a motor still gives in the direction in which it turns: none beyond its peak speed."""
    drives = robot.motor_drives()
    peaks = [math.inf if drive.peak_speed is None else drive.peak_speed / drive.ratio for drive in drives]
    shares = [
        1.0 if peak is math.inf else 1 - ca.fmin(ca.fmax((ca.fabs(rates[i]) / peak - 1) / OVERSPEED, 0.0), 1.0)
        for i, peak in enumerate(peaks)
    ]
    return ca.if_else(torque * rates > 0, ca.vertcat(*shares), 1.0)


def _with_losses(robot: Robot, xdd: Any, forces: Balance, bristle: Any, torque: Any, free: tuple[Any, Any, Any]) -> Any:
    """Task acceleration with the losses of the gearboxes; `free` has mass matrix, pull and acceleration without them.

    What enters a gearbox is `y = torque - R qdd` with R the inertia of rotor and gearbox at the joint; of it the share
    c is lost, so that `M xdd = pull - J' c (torque - R (J xdd + Jd xd))`, linear in xdd for given shares. On which side
    the gearbox works follows from y, which is found in two rounds from the acceleration without losses.
    """
    mass, pull, acceleration = free
    drives = robot.motor_drives()
    rotor = ca.vertcat(*(reflected(drive) for drive in drives))
    efficiency = ca.vertcat(*(drive.efficiency for drive in drives))
    jacobian = forces.rows / ca.repmat(forces.levers, 1, robot.dof)
    (rest,) = inlined([forces.accelerations], [xdd], [ca.SX.zeros(robot.dof)])
    for _ in range(ROUNDS):
        passing = torque - rotor * (ca.mtimes(jacobian, acceleration) + rest)
        lost = lost_share(efficiency, bristle, passing, ca.if_else)
        matrix = mass - ca.mtimes(jacobian.T, jacobian * ca.repmat(lost * rotor, 1, robot.dof))
        acceleration = solve(matrix, pull - ca.mtimes(jacobian.T, lost * (torque - rotor * rest)))[0]
    return acceleration


def _angles(robot: Robot, x: Any) -> Any:
    whole = kinematics(robot)
    return inlined([whole.outputs["q"]], [whole.inputs["x"]], [x])[0]
