"""From what a user says to the description of a loop, with everything checked on the way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, TypeVar

import numpy as np

from parapick.arrays import reals
from parapick.control import Law, SineTerm, ready
from parapick.control.fields import prepared
from parapick.errors import ParameterError, ShapeError
from parapick.mechanism.robot import Robot
from parapick.mechanism.stance import stance
from parapick.model import Model, Motors
from parapick.simulation.description import Drives, Encoder, JointFriction, Loop

TorqueMax = str | float | Sequence[float] | np.ndarray | None
"""Torque limits: "drive", "peak", "rated", numbers at the arm axes (N m), or None for no limit."""

D = TypeVar("D")

COUNTS_MIN: Final = 16
"""Fewest counts a motor turn; less is no encoder but a resolution in rad given by mistake."""


def _checked(name: str, description: D, robot: Robot) -> D:
    spread, problems = prepared(description, robot, name)
    if problems:
        raise ParameterError(problems[0].path, problems[0].message)
    return spread


def encoder_of(plant: Model, encoder: float | Encoder | None) -> Encoder | None:
    """Encoders from counts a motor turn, or as they are given.

    Args:
        plant: the robot.
        encoder: counts a motor turn (of a carriage, counts over its rail), an `Encoder`, or None for exact angles.
    """
    if encoder is None or isinstance(encoder, Encoder):
        return encoder if encoder is None else _checked("encoder", encoder, plant.robot)
    if not COUNTS_MIN <= encoder < math.inf:
        raise ParameterError("encoder", f"is {encoder:g} counts a motor turn; it must be at least {COUNTS_MIN}")
    robot = plant.numbers
    periods = [*stance(robot).period.tolist(), *[2 * math.pi] * (robot.motors - robot.arms)]
    return Encoder(tuple((np.array(periods) / (encoder * plant.motors.ratio)).tolist()))


def friction_of(plant: Model, friction: JointFriction | bool) -> JointFriction | None:
    """Friction of the plant: that of its drives, none, or as it is given.

    Gearboxes with losses need its bristles, which tell them which way a joint turns, even where there is no friction.

    Args:
        plant: the robot.
        friction: True for the drives' numbers, False for none, or a `JointFriction`.
    """
    motors = plant.motors
    if isinstance(friction, JointFriction):
        return _checked("friction", friction, plant.robot)
    if not (friction and (motors.rubbing or motors.viscous.any())):
        return _checked("friction", JointFriction(), plant.robot) if motors.lossy else None
    columns = (motors.coulomb, motors.viscous, motors.stribeck, motors.stribeck_speed)
    coulomb, viscous, stribeck, stribeck_speed = (tuple(values.tolist()) for values in columns)
    return _checked("friction", JointFriction(coulomb, viscous, stribeck, stribeck_speed), plant.robot)


def drives(plant: Model, torque_max: TorqueMax, lag: Any, delay: int) -> Drives:
    """What lies between law and arm axes.

    Args:
        plant: the robot.
        torque_max: torque limits.
        lag: time constant of the torque loops (s); None for none.
        delay: whole samples between measurement and torque.
    """
    if isinstance(delay, bool) or not isinstance(delay, (int, np.integer)) or not 0 <= delay <= 16:
        raise ParameterError("delay", f"is {delay!r}; it must be a whole number of samples, 0 to 16")
    limits = _limits(plant, torque_max)
    motors = plant.motors
    speeds = torque_max is not None and bool(np.isfinite(motors.peak_speed).any())
    return _checked("drives", Drives(tuple(limits), lag, int(delay), motors.lossy, speeds), plant.robot)


def _limits(plant: Model, torque_max: TorqueMax) -> list[float]:
    count = plant.robot.motors
    if torque_max is None:
        return [math.inf] * count
    if isinstance(torque_max, str):
        return (_of_drives(plant.motors, torque_max) * plant.motors.ratio).tolist()
    numbers = reals("torque_max", torque_max)
    if numbers.shape not in ((), (count,)):
        raise ShapeError("torque_max", numbers.shape, f"a number, or one a motor ({count},)")
    if not np.all(numbers > 0):
        raise ParameterError("torque_max", f"is {torque_max} N m; it must be greater than 0")
    return np.broadcast_to(numbers, (count,)).tolist()


def _of_drives(motors: Motors, which: str) -> np.ndarray:
    if which == "drive":
        return motors.peak_torque
    if which not in ("peak", "rated"):
        raise ParameterError("torque_max", f"is {which!r}; valid are 'drive', 'peak', 'rated', numbers (N m) and None")
    name = f"{which}_torque"
    torque = getattr(motors, name)
    if np.isinf(torque).any():
        text = f"is {which!r}, but {motors.name} states no {name}; give numbers (N m) or None"
        raise ParameterError("torque_max", text)
    return torque


def loop_of(
    model: Model,
    plant: Model,
    law: Law | None,
    rate: float,
    *,
    drives: Drives,
    encoder: Encoder | None,
    friction: JointFriction | None,
    sine: SineTerm | None,
    forces: bool,
    torques: bool,
) -> Loop:
    """The description of a loop.

    Args:
        model: the robot as the controller knows it.
        plant: the robot as it is.
        law: the law; None for a callable.
        rate: control rate (Hz).
        drives: limits, lag and delay.
        encoder: encoders.
        friction: friction of the plant.
        sine: the term f of wu2020 in the plant.
        forces: whether a force acts on the plate.
        torques: whether disturbing torques act on the joints.
    """
    return Loop(
        controller=model.robot,
        plant=plant.robot,
        law=None if law is None else ready(law, model.robot, rate),
        drives=drives,
        encoder=encoder,
        friction=friction,
        sine=None if sine is None else _checked("sine", sine, plant.robot),
        forces=forces,
        torques=torques,
    )
