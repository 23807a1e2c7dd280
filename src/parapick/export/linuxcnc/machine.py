"""What a robot and its task are to LinuxCNC: joints and axes in its units, with limits, home and gains.

Lengths are millimetres and angles degrees there, counted from the same zeros as here. X, Y and Z are the plate's
position, C is its yaw.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, cast, final

import numpy as np

from parapick.control import ControlLaw, DriveGains, drive_gains, machine_controller, with_gains
from parapick.errors import ParapickError
from parapick.formulas import missing_masses
from parapick.model import Model
from parapick.motion import Motion
from parapick.ride import Ride

JOINTS_MAX: Final = 9
"""Most joints: LinuxCNC's screens and its M-codes for homing know nine."""

LETTERS: Final = {"x": "X", "y": "Y", "z": "Z", "yaw": "C"}
"""The letter of each task coordinate."""

MILLIMETRES: Final = 1e3
DEGREES: Final = 180.0 / math.pi

RESERVE: Final = 10.0
"""What lies between a limit that the robot's file does not state and the furthest place of the task (mm, deg)."""

AT_LEAST: Final = 10.0
"""Least speed that is not stated (mm/s, deg/s), and a tenth of the acceleration: what the task leaves alone can be
jogged, and homed."""

HEADROOM: Final = 1.5
"""Speeds and accelerations of joints that the robot's file does not state, as multiples of the task's."""

FOLLOWING: Final = 1.0
"""Largest error of a joint before the controller stops (deg, mm): chosen, a tenth of what collides."""


@final
@dataclass(frozen=True)
class CncAxis:
    """A task coordinate as an axis of the controller, in mm or deg.

    Attributes:
        letter: X, Y, Z or C.
        scale: mm for a metre, or deg for a radian.
        low: lower limit.
        high: upper limit.
        velocity: largest speed, per second.
        acceleration: largest acceleration, per second squared.
    """

    letter: str
    scale: float
    low: float
    high: float
    velocity: float
    acceleration: float


@final
@dataclass(frozen=True)
class Joint:
    """A motor coordinate as a joint of the controller, in mm or deg.

    Attributes:
        angular: whether it turns.
        scale: mm for a metre, or deg for a radian.
        home: where it is at the robot's home.
        low: lower limit.
        high: upper limit.
        velocity: largest speed, per second.
        acceleration: largest acceleration, per second squared.
        ratio: how often the motor shaft turns for a turn of the joint.
        stiffness: torque at the shaft for an error (N m/deg; N/mm); 0 without masses.
        damping: torque at the shaft for the rate of an error (N m s/deg; N s/mm).
        torque: largest torque at the shaft (N m; N); infinite where the file states none.
    """

    angular: bool
    scale: float
    home: float
    low: float
    high: float
    velocity: float
    acceleration: float
    ratio: float
    stiffness: float
    damping: float
    torque: float

    @property
    def unit(self) -> str:
        """`deg` or `mm`."""
        return "deg" if self.angular else "mm"

    @property
    def effort(self) -> str:
        """Unit of its motor's torque or force."""
        return "N m" if self.angular else "N"


@final
@dataclass(frozen=True)
class CncMachine:
    """A robot with a task as LinuxCNC has them.

    Attributes:
        axes: the task coordinates.
        joints: the motor coordinates.
        speed: largest speed of the plate (mm/s).
        acceleration: largest acceleration of the plate (mm/s2).
        masses: whether the robot states masses, so that there are torques.
    """

    axes: tuple[CncAxis, ...]
    joints: tuple[Joint, ...]
    speed: float
    acceleration: float
    masses: bool

    @property
    def letters(self) -> str:
        """Letters of the axes, such as XYZC."""
        return "".join(axis.letter for axis in self.axes)


def machine_of(model: Model, motion: Motion) -> CncMachine:
    """A robot with a task as LinuxCNC has them.

    Args:
        model: the robot.
        motion: the task.

    Raises:
        UnreachableError: the robot cannot reach a pose of the task, or its home.
        ParapickError: more joints than the controller has.
    """
    robot = model.robot
    if robot.motors > JOINTS_MAX:
        raise ParapickError(f"{robot.name} has {robot.motors} motors; LinuxCNC takes at most {JOINTS_MAX} joints")
    ride = Ride.along(model, motion, 1000.0)
    home = np.array(robot.home, dtype=float)
    model.reach(np.vstack([home, ride.samples.x])).raise_if_unreachable()
    plate = ride.samples.xd[:, :3], ride.samples.xdd[:, :3]
    speed, acceleration = (float(np.linalg.norm(values, axis=1).max()) * MILLIMETRES for values in plate)
    masses = not missing_masses(robot)
    return CncMachine(_axes(model, ride, home), _joints(model, motion, ride, masses), speed, acceleration, masses)


def _axes(model: Model, ride: Ride, home: np.ndarray) -> tuple[CncAxis, ...]:
    samples, axes = ride.samples, []
    for i, name in enumerate(model.robot.task_names):
        turns = name == "yaw"
        scale = DEGREES if turns else MILLIMETRES
        places = scale * np.append(samples.x[:, i], home[i])
        rates = [samples.xd, samples.xdd]
        # A straight line in any direction may be as fast as the plate: its axes share what the norm allows.
        norms = [np.abs(v[:, i]) if turns else np.linalg.norm(v[:, :3], axis=1) for v in rates]
        velocity, acceleration = (scale * float(norm.max()) for norm in norms)
        low, high = float(places.min()) - RESERVE, float(places.max()) + RESERVE
        velocity, acceleration = max(velocity, AT_LEAST), max(acceleration, 10 * AT_LEAST)
        axes.append(CncAxis(LETTERS[name], scale, low, high, velocity, acceleration))
    return tuple(axes)


def _joints(model: Model, motion: Motion, ride: Ride, masses: bool) -> tuple[Joint, ...]:
    robot, motors, samples = model.robot, model.motors, ride.samples
    home = model.inverse_kinematics(np.array(robot.home, dtype=float))
    places = np.vstack([ride.q, home])
    stated = [_stated_limits(model, side) for side in (0, 1)]
    needed = np.abs(model.joint_accelerations(samples.x, samples.xd, samples.xdd)).max(axis=0)
    gains = _gains(model, motion) if masses else np.zeros((2, robot.motors))
    joints = []
    for i, axis in enumerate(motors.axes):
        angular = axis.unit == "rad"
        scale, ratio = DEGREES if angular else MILLIMETRES, float(motors.ratio[i])
        low, high = (
            float(limit[i]) * scale if np.isfinite(limit[i]) else scale * float(seen[i]) + side * RESERVE
            for limit, seen, side in zip(stated, (places.min(axis=0), places.max(axis=0)), (-1, 1), strict=True)
        )
        speeds = float(motors.peak_speed[i]) / ratio, float(np.abs(ride.joint_speed[:, i]).max())
        accelerations = float(motors.joint_acceleration[i]), float(needed[i])
        stiffness, damping = (float(gain) / (scale * ratio) for gain in gains[:, i])
        joints.append(
            Joint(
                angular=angular,
                scale=scale,
                home=scale * float(home[i]),
                low=low,
                high=high,
                velocity=_largest(scale, *speeds, AT_LEAST),
                acceleration=_largest(scale, *accelerations, 10 * AT_LEAST),
                ratio=ratio,
                stiffness=stiffness,
                damping=damping,
                torque=float(motors.peak_torque[i]),
            )
        )
    return tuple(joints)


def _largest(scale: float, stated: float, needed: float, least: float) -> float:
    """Largest speed or acceleration of a joint, mm or deg: what is stated, or else a multiple of the task's."""
    return scale * stated if math.isfinite(stated) else max(scale * HEADROOM * needed, least)


def _stated_limits(model: Model, side: int) -> np.ndarray:
    """Lower (0) or upper (1) limits of the joints as the file states them (n,); NaN where it does not."""
    robot = model.robot
    stated = getattr(robot.limits, robot.limb.limits[side])
    limits = np.full(robot.motors, np.nan)
    if stated is not None:
        limits[: robot.arms] = stated
    return limits


def _gains(model: Model, motion: Motion) -> np.ndarray:
    """Gains of a PD law in the joints with the usual poles (2, n): torque at the joint for an angle, for a speed."""
    law = cast(ControlLaw, machine_controller("pd").law)
    # A PD law has slopes, and so has gains.
    gains = cast(DriveGains, drive_gains(with_gains(law, model, motion), model, model.robot.home))
    return np.array([gains.kp, gains.kd])
