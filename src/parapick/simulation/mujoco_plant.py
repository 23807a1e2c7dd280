"""MuJoCo as the plant: the same controller drives the robot's multibody model instead of our equation of motion.

Between two samples the engine takes its own Runge-Kutta steps. What it cannot know (lagging drives, dry friction, the
springs of an elastic drive train) is held over each of its steps at the value of the step's middle, and rotors behind
springs are stepped beside it; viscous friction of a rigid drive train is the engine's own.
"""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import final

import numpy as np

from parapick.control import DriveTrain, JointFriction
from parapick.errors import ParameterError
from parapick.mechanism import Payload
from parapick.model import Model
from parapick.multibody import LOOP_STEPS, LOOP_TIME, Engine, assemble, mujoco, set_pose
from parapick.simulation.assembled import Assembled
from parapick.simulation.drive_train import spring_torque
from parapick.simulation.friction import advanced_array, lost_share, ripple_factor
from parapick.simulation.loop import Loop
from parapick.simulation.plant_motion import OVERSPEED
from parapick.simulation.series import LoopSeries


@final
class MujocoPlant:
    """A robot in MuJoCo that is advanced sample by sample."""

    def __init__(self, assembly: Assembled, x: np.ndarray, rotors: tuple[np.ndarray, np.ndarray] | None) -> None:
        """The plant of a loop in MuJoCo.

        Args:
            x: pose at the start (dof), m and rad.
            rotors: angles and rates of the rotors at the start (n each) where the drive train is elastic.
        """
        loop, plant = assembly.loop, assembly.plant
        _check_known(loop)
        self._loop, self._motors, self._arms = loop, plant.motors, plant.robot.arms
        self._step, self._substeps = assembly.substep, assembly.substeps
        self._engine = _placed(plant, _held(assembly.series), self._step, x, assembly.series.xd[0])
        self._lag = np.zeros(loop.motors)
        self._dry = _DryFriction(loop)
        self._rotors = None if loop.drive_train is None or rotors is None else _Rotors(loop.drive_train, *rotors)
        if self._rotors is not None:
            self._engine.model.dof_armature[self._engine.motors] = 0.0
        elif loop.friction is not None:
            self._engine.model.dof_damping[self._engine.motors] += np.array(loop.friction.viscous)

    def observe(self) -> dict[str, np.ndarray]:
        """What is seen of it now."""
        engine, data = self._engine, self._engine.data
        mujoco().mj_fwdPosition(engine.model, data)
        jacobian, x = engine.task()
        q, qd = np.array(data.qpos[engine.motor_positions]), np.array(data.qvel[engine.motors])
        angles, rates = (q, qd) if self._rotors is None else (self._rotors.angle, self._rotors.rate)
        seen = {
            "x": x,
            "xd": jacobian @ data.qvel,
            "q": q,
            "qd": qd,
            "q_meas": _measured(self._loop, angles),
            "friction": self._dry.torque(angles, rates) + self._dry.viscous * rates,
            "closes": np.ones(self._arms),
        }
        return seen if self._rotors is None else {**seen, "q_motor": angles, "qd_motor": rates}

    def settle(self, torque: np.ndarray) -> None:
        """Let lagging drives give a torque already."""
        self._lag = np.array(torque)

    def advance(self, command: np.ndarray, payload: np.ndarray, force: np.ndarray, torque: np.ndarray) -> np.ndarray:
        """Move for a control period."""
        engine, data, step = self._engine, self._engine.data, mujoco().mj_step
        lagging = self._loop.drives.lag
        acting = self._lag if lagging is not None else command
        half = np.exp(-self._step / (2 * np.array(lagging))) if lagging is not None else np.zeros(len(command))
        for _ in range(self._substeps):
            middle = command + (self._lag - command) * half
            data.ctrl[:] = self._given(middle) + (torque if len(torque) else 0.0)
            if len(force):
                mujoco().mj_fwdPosition(engine.model, data)
                data.qfrc_applied[:] = engine.task()[0].T @ force
            step(engine.model, data)
            self._lag = command + (self._lag - command) * half * half
        return acting

    def _given(self, torque: np.ndarray) -> np.ndarray:
        """What the joints get of the drives' torque in the middle of a step (n,), N m; friction and rotors advance."""
        engine, data, half = self._engine, self._engine.data, self._step / 2
        qd, acceleration = data.qvel[engine.motors], data.qacc[engine.motors]
        place, rate = data.qpos[engine.motor_positions] + half * qd, qd + half * acceleration
        if self._rotors is None:
            drag = self._dry.advance(place, rate, self._step)
            return self._driven(torque, rate, torque - self._motors.inertia * acceleration) - drag
        turned, turning = self._rotors.ahead(half)
        drag = self._dry.advance(turned, turning, self._step) + self._dry.viscous * turning
        spring = spring_torque(self._rotors.train, turned - place, turning - rate, np.array, np.where)
        left = self._at_speed(torque, turning)
        self._rotors.advance(left - drag - spring, self._step)
        return self._after_losses(spring, spring)

    def _driven(self, torque: np.ndarray, rate: np.ndarray, passing: np.ndarray) -> np.ndarray:
        limited = self._at_speed(torque, rate)
        return self._after_losses(limited, passing + (limited - torque))

    def _at_speed(self, torque: np.ndarray, rate: np.ndarray) -> np.ndarray:
        """What a motor still gives at its speed (n,), N m."""
        motors = self._motors
        if not self._loop.drives.speeds:
            return torque
        if any(curve is not None for curve in motors.curves):
            most = motors.ratio * motors.curve_torque(rate * motors.ratio)
            torque = np.clip(torque, -most, most)
        above = np.clip((np.abs(rate) * motors.ratio / motors.peak_speed - 1.0) / OVERSPEED, 0.0, 1.0)
        return np.where(torque * rate > 0.0, torque * (1.0 - above), torque)

    def _after_losses(self, torque: np.ndarray, passing: np.ndarray) -> np.ndarray:
        """What gearboxes leave of a torque (n,), N m, where `passing` enters them."""
        if not self._loop.drives.losses:
            return torque
        return torque - lost_share(self._motors.efficiency, self._dry.bristle, passing, np.where) * passing


@final
class _Rotors:
    """Rotors behind the springs of a drive train, stepped beside the engine."""

    def __init__(self, train: DriveTrain, angle: np.ndarray, rate: np.ndarray) -> None:
        self.train, self.angle, self.rate = train, np.array(angle), np.array(rate)
        self._inertia, self._acceleration = np.array(train.rotor), np.zeros(len(angle))

    def ahead(self, time: float) -> tuple[np.ndarray, np.ndarray]:
        """Angles and rates after a short time (s), by the last acceleration."""
        return self.angle + time * self.rate, self.rate + time * self._acceleration

    def advance(self, torque: np.ndarray, step: float) -> None:
        """Turn for a step (s) under the torque of its middle (n,), N m."""
        self._acceleration = torque / self._inertia
        self.angle = self.angle + step * (self.rate + step / 2 * self._acceleration)
        self.rate = self.rate + step * self._acceleration


@final
class _DryFriction:
    """Dry friction with presliding, in arrays."""

    def __init__(self, loop: Loop) -> None:
        self._numbers = JointFriction() if loop.friction is None else loop.friction
        self._coulomb, self._stribeck = np.array(self._numbers.coulomb), np.array(self._numbers.stribeck)
        self._speed, self._ripple = np.array(self._numbers.stribeck_speed), loop.ripple
        self.viscous = np.array(self._numbers.viscous)
        self._settling = None if loop.settling is None else np.array(loop.settling) / np.array(self._numbers.presliding)
        self.bristle = np.zeros(loop.motors)

    def torque(self, angle: np.ndarray, rate: np.ndarray) -> np.ndarray:
        """Dry torque that opposes the motion (n), N m."""
        bristle = self.bristle
        if self._settling is not None:
            bristle = np.clip(bristle + self._settling * rate, -1.0, 1.0)
        dry = (self._coulomb + self._stribeck * np.exp(-((rate / self._speed) ** 2))) * bristle
        return dry if self._ripple is None else dry * ripple_factor(self._ripple, angle, np.array, np.sin)

    def advance(self, angle: np.ndarray, rate: np.ndarray, step: float) -> np.ndarray:
        """Torque in the middle of a step at an angle and a rate; the bristles end up where they are after it."""
        half = rate * step / 2
        self.bristle = advanced_array(self._numbers, self.bristle, half)
        middle = self.torque(angle, rate)
        self.bristle = advanced_array(self._numbers, self.bristle, half)
        return middle


def _check_known(loop: Loop) -> None:
    """Raise if a loop has something that MuJoCo as the plant cannot have."""
    if loop.sine is not None:
        raise ParameterError("sine", "is not known to MuJoCo; use engine='native'")
    if loop.swing is not None:
        raise ParameterError("plant.loose_payload", "swings, which MuJoCo as the plant cannot; use engine='native'")


def _held(series: LoopSeries) -> Payload:
    """What the tool holds all along, its gripper included."""
    if np.ptp(series.payload, axis=0).any():
        raise ParameterError("motion", "picks something up while it moves, which MuJoCo as the plant cannot follow")
    return Payload.from_vector(series.payload[0])


def _placed(plant: Model, held: Payload, step: float, x: np.ndarray, xd: np.ndarray) -> Engine:
    """The engine with the plate at a pose and a rate, loops closed."""
    assembly = assemble(replace(plant.numbers, gripper=held.gripper), timestep=step)
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


def _measured(loop: Loop, q: np.ndarray) -> np.ndarray:
    off, encoder = loop.eccentricity, loop.encoder
    if off is not None:
        turns = 2 * np.pi / np.array(off.length)
        q = q + np.array(off.amplitude) * np.sin(turns * q + np.array(off.phase))
    if encoder is None:
        return q
    resolution = np.array(encoder.resolution)
    return resolution * np.floor(q / resolution + 0.5)
