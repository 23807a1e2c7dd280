"""MuJoCo as the plant: the same controller drives the robot's multibody model instead of our equation of motion.

Between two samples the engine takes its own Runge-Kutta steps. What it cannot know (lagging drives, dry friction) is
held over each of its steps at the value of the step's middle; viscous friction is the engine's own.
"""

from __future__ import annotations

import copy
from typing import final

import numpy as np

from parapick.control import Encoder, JointFriction
from parapick.errors import ParameterError
from parapick.model import Model, Payload
from parapick.multibody import assemble, set_pose
from parapick.multibody.document import LOOP_TIME
from parapick.multibody.engine import Engine, mujoco
from parapick.multibody.stepping import LOOP_STEPS
from parapick.simulation.description import Loop
from parapick.simulation.friction import advanced_array, lost_share
from parapick.simulation.plant import OVERSPEED
from parapick.simulation.series import LoopSeries


@final
class MujocoPlant:
    """A robot in MuJoCo that is moved sample by sample."""

    def __init__(self, loop: Loop, plant: Model, rate: float, substeps: int, x: np.ndarray, series: LoopSeries) -> None:
        self._loop, self._motors, self._arms = loop, plant.motors, plant.robot.arms
        self._step, self._substeps = 1.0 / (rate * substeps), substeps
        self._engine = _placed(plant, _payload(series), self._step, x, series.xd[0])
        self._lag = np.zeros(loop.motors)
        self._dry = _DryFriction(loop.friction, loop.motors)
        if loop.friction is not None:
            self._engine.model.dof_damping[self._engine.motors] += np.array(loop.friction.viscous)
        if loop.sine is not None:
            raise ParameterError("sine", "is not known to MuJoCo; use engine='native'")

    def look(self) -> dict[str, np.ndarray]:
        """What is seen of it now."""
        engine, data = self._engine, self._engine.data
        mujoco().mj_fwdPosition(engine.model, data)
        jacobian, x = engine.task()
        q, qd = np.array(data.qpos[engine.motor_positions]), np.array(data.qvel[engine.motors])
        return {
            "x": x,
            "xd": jacobian @ data.qvel,
            "q": q,
            "qd": qd,
            "q_meas": _measured(self._loop.encoder, q),
            "friction": self._dry.torque(qd) + engine.model.dof_damping[engine.motors] * qd,
            "closes": np.ones(self._arms),
        }

    def settle(self, torque: np.ndarray) -> None:
        """Let lagging drives give a torque already."""
        self._lag = np.array(torque)

    def move(self, command: np.ndarray, payload: np.ndarray, force: np.ndarray, torque: np.ndarray) -> np.ndarray:
        """Move for a control period."""
        engine, data, step = self._engine, self._engine.data, mujoco().mj_step
        lagging = self._loop.drives.lag
        acting = self._lag if lagging is not None else command
        half = np.exp(-self._step / (2 * np.array(lagging))) if lagging is not None else np.zeros(len(command))
        for _ in range(self._substeps):
            middle = command + (self._lag - command) * half
            rate = data.qvel[engine.motors] + self._step / 2 * data.qacc[engine.motors]
            drag = self._dry.advance(rate, self._step)
            given = self._given(middle, rate, data.qacc[engine.motors])
            data.ctrl[:] = given - drag + (torque if len(torque) else 0.0)
            if len(force):
                mujoco().mj_fwdPosition(engine.model, data)
                data.qfrc_applied[:] = engine.task()[0].T @ force
            step(engine.model, data)
            self._lag = command + (self._lag - command) * half * half
        return acting

    def _given(self, torque: np.ndarray, rate: np.ndarray, acceleration: np.ndarray) -> np.ndarray:
        """What is left of the drives' torque at the joints: less what gearboxes lose and what speed takes (n,), N m."""
        motors, drives = self._motors, self._loop.drives
        if drives.speeds:
            above = np.clip((np.abs(rate) * motors.ratio / motors.peak_speed - 1.0) / OVERSPEED, 0.0, 1.0)
            torque = np.where(torque * rate > 0.0, torque * (1.0 - above), torque)
        if drives.losses:
            passing = torque - motors.inertia * acceleration
            torque = torque - lost_share(motors.efficiency, self._dry.bristle, passing, np.where) * passing
        return torque


@final
class _DryFriction:
    """Dry friction with presliding, in arrays."""

    def __init__(self, friction: JointFriction | None, motors: int) -> None:
        self._numbers = JointFriction() if friction is None else friction
        self._coulomb, self._stribeck = np.array(self._numbers.coulomb), np.array(self._numbers.stribeck)
        self._speed = np.array(self._numbers.stribeck_speed)
        self.bristle = np.zeros(motors)

    def torque(self, rate: np.ndarray) -> np.ndarray:
        """Torque that opposes the motion (n), N m."""
        return (self._coulomb + self._stribeck * np.exp(-((rate / self._speed) ** 2))) * self.bristle

    def advance(self, rate: np.ndarray, step: float) -> np.ndarray:
        """Torque in the middle of a step at a rate; the bristles end up where they are after it."""
        half = rate * step / 2
        self.bristle = advanced_array(self._numbers, self.bristle, half)
        middle = self.torque(rate)
        self.bristle = advanced_array(self._numbers, self.bristle, half)
        return middle


def _payload(series: LoopSeries) -> Payload:
    """What the tool holds all along."""
    if np.ptp(series.payload, axis=0).any():
        raise ParameterError("motion", "picks something up while it moves, which MuJoCo as the plant cannot follow")
    mass, *offset, inertia = series.payload[0].tolist()
    return Payload(mass, (offset[0], offset[1], offset[2]), inertia)


def _placed(plant: Model, payload: Payload, step: float, x: np.ndarray, xd: np.ndarray) -> Engine:
    """The engine with the plate at a pose and a rate, loops closed."""
    assembly = assemble(plant.robot, payload=payload, timestep=step)
    posed = set_pose(assembly, x)
    engine = Engine.of(copy.deepcopy(posed.model), plant.robot.dof)
    # Limits are the drives' business, and stand before the engine.
    engine.model.actuator_ctrllimited[:] = 0
    engine.model.eq_solref[:, 0] = min(LOOP_TIME, LOOP_STEPS * step)
    engine.place(posed.qpos)
    rows = np.vstack([engine.loops()[0], engine.task()[0]])
    wanted = np.concatenate([np.zeros(len(rows) - len(xd)), xd])
    engine.data.qvel[:] = np.linalg.lstsq(rows, wanted, rcond=None)[0]
    return engine


def _measured(encoder: Encoder | None, q: np.ndarray) -> np.ndarray:
    if encoder is None:
        return q
    resolution = np.array(encoder.resolution)
    return resolution * np.floor(q / resolution + 0.5)
