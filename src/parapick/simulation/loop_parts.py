"""From a controller and a robot to the description of a loop."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from parapick.arrays import reals
from parapick.control import COUNTS_MIN, DELAY_MAX, ControlLaw, Controller, Encoder, JointFriction, ready
from parapick.errors import ParameterError, ShapeError
from parapick.model import Model
from parapick.motors import Motors
from parapick.simulation.imperfections import (
    checked,
    drive_train_of,
    eccentricity_of,
    motor_turn,
    ripple_of,
    swing_of,
)
from parapick.simulation.loop import Drives, Loop
from parapick.simulation.series import LoopSeries


def encoder_of(plant: Model, encoder: float | Encoder | None) -> Encoder | None:
    """Encoders from counts a motor turn, or as they are given.

    Args:
        encoder: counts a motor turn (of a carriage, counts over its rail), an `Encoder`, or None for exact angles.
    """
    if encoder is None or isinstance(encoder, Encoder):
        return encoder if encoder is None else checked("encoder", encoder, plant.robot)
    if not COUNTS_MIN <= encoder < math.inf:
        raise ParameterError("encoder", f"is {encoder:g} counts a motor turn; it must be at least {COUNTS_MIN}")
    return Encoder(tuple((np.array(motor_turn(plant)) / encoder).tolist()))


def friction_of(plant: Model, friction: JointFriction | bool) -> JointFriction | None:
    """Friction of the plant: that of its drives, none, or as it is given.

    Gearboxes with losses need its bristles, which follow the direction of a joint, even where there is no friction.

    Args:
        friction: True for the drives' numbers, False for none, or a `JointFriction`.
    """
    motors = plant.motors
    if isinstance(friction, JointFriction):
        return checked("plant.friction", friction, plant.robot)
    if not (friction and (motors.rubbing or motors.viscous.any())):
        return checked("plant.friction", JointFriction(), plant.robot) if motors.lossy else None
    columns = (motors.coulomb, motors.viscous, motors.stribeck, motors.stribeck_speed)
    coulomb, viscous, stribeck, stribeck_speed = (tuple(values.tolist()) for values in columns)
    return checked("plant.friction", JointFriction(coulomb, viscous, stribeck, stribeck_speed), plant.robot)


def drives_of(plant: Model, controller: Controller) -> Drives:
    """What lies between law and joints.

    Args:
        controller: its torque limits, lag and delay.
    """
    delay, motors = controller.delay, plant.motors
    if isinstance(delay, bool) or not isinstance(delay, (int, np.integer)) or not 0 <= delay <= DELAY_MAX:
        raise ParameterError("delay", f"is {delay!r}; it must be a whole number of samples, 0 to {DELAY_MAX}")
    limits = torque_limits(motors, controller.torque_max)
    speeds = controller.torque_max is not None and bool(np.isfinite(motors.peak_speed).any())
    return checked("drives", Drives(tuple(limits), controller.lag, int(delay), motors.lossy, speeds), plant.robot)


def torque_limits(motors: Motors, torque_max: Any) -> list[float]:
    """Torque limits of a loop at the joints (n), N m; infinite without one.

    Args:
        torque_max: as a `Controller` states it.
    """
    if torque_max is None:
        return [math.inf] * motors.count
    if isinstance(torque_max, str):
        return (_of_drives(motors, torque_max) * motors.ratio).tolist()
    numbers = reals("torque_max", torque_max)
    if numbers.shape not in ((), (motors.count,)):
        raise ShapeError("torque_max", numbers.shape, f"a number, or one per motor ({motors.count},)")
    if not np.all(numbers > 0):
        raise ParameterError("torque_max", f"is {torque_max} {motors.torque_unit}; it must be greater than 0")
    return np.broadcast_to(numbers, (motors.count,)).tolist()


def _of_drives(motors: Motors, which: str) -> np.ndarray:
    if which == "drive":
        return motors.peak_torque
    if which not in ("peak", "rated"):
        valid = f"'drive', 'peak', 'rated', numbers ({motors.torque_unit}) and None"
        raise ParameterError("torque_max", f"is {which!r}; valid are {valid}")
    name = f"{which}_torque"
    torque = getattr(motors, name)
    if np.isinf(torque).any():
        text = f"is {which!r}, but {motors.name} states no {name}; give numbers ({motors.torque_unit}) or None"
        raise ParameterError("torque_max", text)
    return torque


def loop_of(model: Model, plant: Model, controller: Controller, law: ControlLaw | None, series: LoopSeries) -> Loop:
    """The description of a loop.

    Args:
        model: the robot as the controller knows it.
        plant: the robot as it is.
        controller: sampling, encoders, drives, friction.
        law: its law with gains; None for a callable.
        series: what acts on the plant.

    Raises:
        LawError: a law with impossible gains, or one that does not fit the robot.
        MissingMassError: the law needs masses that the robot lacks.
        ParameterError: a setting that is not valid.
    """
    differing = controller.plant
    friction = friction_of(plant, differing.friction)
    return Loop(
        controller=model.robot,
        plant=plant.robot,
        law=None if law is None else ready(law, model.robot, controller.rate),
        drives=drives_of(plant, controller),
        encoder=encoder_of(plant, controller.encoder),
        friction=friction,
        sine=None if differing.sine is None else checked("plant.sine", differing.sine, plant.robot),
        forces=series.force is not None,
        torques=series.torque is not None,
        drive_train=drive_train_of(plant, differing.drive_train),
        ripple=ripple_of(plant, differing.ripple, friction),
        eccentricity=eccentricity_of(plant, differing.eccentricity),
        swing=swing_of(plant, differing.loose_payload),
    )
