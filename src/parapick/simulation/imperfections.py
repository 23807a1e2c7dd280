"""From the imperfections that a controller states to the blocks of a loop: spread over the motors and checked."""

from __future__ import annotations

import dataclasses
import math
from typing import TypeVar

import numpy as np

from parapick.control import (
    DriveTrain,
    Eccentricity,
    FrictionRipple,
    JointFriction,
    LoosePayload,
    NoiseTorque,
    PlantChanges,
    prepared,
)
from parapick.errors import ParameterError, ShapeError
from parapick.mechanism import Robot, stance
from parapick.model import Model
from parapick.simulation.loop import Swing

D = TypeVar("D")


def checked(name: str, description: D, robot: Robot) -> D:
    """A description with its numbers spread over the motors.

    Args:
        name: its name in a controller, for messages.
        description: the description.

    Raises:
        ParameterError: a number that cannot be meant.
    """
    spread, problems = prepared(description, robot, name)
    if problems:
        raise ParameterError(problems[0].path, problems[0].message)
    return spread


def motor_turn(plant: Model) -> tuple[float, ...]:
    """Displacement of every joint in a turn of its motor (n), rad; of carriages the length of their rail (m)."""
    robot = plant.numbers
    periods = [*stance(robot).period.tolist(), *[2 * math.pi] * (robot.motors - robot.arms)]
    return tuple((np.array(periods) / plant.motors.ratio).tolist())


def drive_train_of(plant: Model, stated: DriveTrain | None) -> DriveTrain | None:
    """The drive train with the inertia of its rotors, from the drives where it does not state it.

    Args:
        stated: what is stated; None for a rigid one.

    Raises:
        ParameterError: no rotor for the spring to hold.
    """
    if stated is None:
        return None
    train = checked("plant.drive_train", stated, plant.robot)
    if train.rotor is None:
        train = dataclasses.replace(train, rotor=tuple(plant.motors.inertia.tolist()))
    bare = [str(motor) for motor, inertia in enumerate(np.array(train.rotor), start=1) if not inertia > 0.0]
    if bare:
        raise ParameterError(
            "plant.drive_train",
            f"is a spring without a rotor on motor {', '.join(bare)}: {plant.robot.name} states no inertia of its "
            "drive; give plant.drive_train.rotor (kg m2, at the joint), or the drive.inertia of the robot",
        )
    return train


def ripple_of(plant: Model, stated: FrictionRipple | None, friction: JointFriction | None) -> FrictionRipple | None:
    """How dry friction varies with the angle.

    Args:
        stated: what is stated; None for not at all.
        friction: friction of the plant.

    Raises:
        ParameterError: there is no dry friction that could vary.
    """
    if stated is None:
        return None
    if friction is None or not (np.any(friction.coulomb) or np.any(friction.stribeck)):
        raise ParameterError(
            "plant.ripple", "is a share of dry friction, and the plant has none; give plant.friction with coulomb"
        )
    return checked("plant.ripple", stated, plant.robot)


def eccentricity_of(plant: Model, stated: Eccentricity | None) -> Eccentricity | None:
    """How far encoders are off their axis, with the displacement over which that repeats.

    Args:
        stated: what is stated; None for not at all.
    """
    if stated is None:
        return None
    whole = stated if stated.length is not None else dataclasses.replace(stated, length=motor_turn(plant))
    return checked("plant.eccentricity", whole, plant.robot)


def swing_of(plant: Model, stated: LoosePayload | None) -> Swing | None:
    """How what is carried swings; None where it does not.

    Args:
        stated: what is stated; None for a payload that is held.
    """
    if stated is None or stated.frequency is None:
        return None
    return checked("plant.loose_payload", Swing(stated.frequency, stated.damping), plant.robot)


def loose_load(load: np.ndarray, plant: PlantChanges) -> tuple[np.ndarray, np.ndarray | None]:
    """What a motion carries as it is: held rigidly (T, 5), and as a mass that swings (T, 1), None without.

    Args:
        load: what it carries where it is held as it should (T, 5).
        plant: what is stated of the plant.

    Raises:
        ParameterError: a shift that is not finite, or beside a swing.
    """
    stated = plant.loose_payload
    if stated is None:
        return load, None
    for problem in stated.problems("plant.loose_payload"):
        raise ParameterError(problem.path, problem.message)
    if stated.shift is None:
        return np.zeros_like(load), load[:, :1].copy()
    shift = np.array(stated.shift, dtype=float)
    if shift.shape != (3,):
        raise ShapeError("plant.loose_payload.shift", shift.shape, "(3,)")
    if not np.all(np.isfinite(shift)):
        raise ParameterError("plant.loose_payload.shift", f"is {stated.shift}; it must hold finite numbers")
    held = load.copy()
    held[:, 1:4] += np.where(load[:, :1] > 0.0, shift, 0.0)
    return held, None


def noise_series(noise: NoiseTorque, plant: Model, count: int, rate: float) -> np.ndarray:
    """Random torques at the joints (count, n), N m: white between two frequencies, nothing outside.

    Every line of the spectrum in between is Gaussian, so that the torques are; their mean square is that stated, a
    run's own differs from it by chance.

    Args:
        count: number of samples.
        rate: control rate (Hz).

    Raises:
        ParameterError: frequencies out of order, beyond half the control rate, or between two lines of the spectrum.
    """
    stated = checked("plant.noise", noise, plant.robot)
    if not stated.low < stated.high <= rate / 2:
        band = f"is {stated.low:g} to {stated.high:g} Hz"
        raise ParameterError("plant.noise", f"{band}; it must rise, to at most half the control rate, {rate / 2:g} Hz")
    lines = np.fft.rfftfreq(count, 1.0 / rate)
    inside = (lines >= stated.low) & (lines <= stated.high) & (lines > 0.0)
    if not inside.any():
        raise ParameterError(
            "plant.noise", f"has no line within {count / rate:g} s; they are {rate / count:g} Hz apart: widen the band"
        )
    generator = np.random.default_rng(stated.seed)
    size = (len(lines), plant.robot.motors)
    spectrum = generator.standard_normal(size) + 1j * generator.standard_normal(size)
    # Each line of two Gaussian parts carries 4 / count^2 of mean square where it has a conjugate.
    scale = count / np.sqrt(4.0 * np.count_nonzero(inside))
    return np.fft.irfft(np.where(inside[:, None], spectrum, 0.0) * scale, count, axis=0) * np.array(stated.rms)
