"""Joint speeds and motor torques along samples against the peaks of drives: at a sample, and the worst per motor."""

from __future__ import annotations

import numpy as np

from parapick.answer import Place, Requirement
from parapick.extremes import first_largest
from parapick.model import Model
from parapick.ride.requirements import JOINT_SPEED, MOTOR_TORQUE, motor_requirement
from parapick.ride.samples import Samples


def speed_at(model: Model, samples: Samples, speed: np.ndarray, sample: int, motor: int) -> Requirement:
    """The speed of a joint at a sample against the peak of its drive.

    Args:
        speed: speeds of the joints (T, n), rad/s.
        sample: which sample, from 0.
        motor: which motor, from 0.
    """
    motors = model.motors
    limit = float(motors.peak_speed[motor] / motors.ratio[motor])
    place = Place.of(samples, sample, motor + 1, "leg")
    return motor_requirement(JOINT_SPEED, float(speed[sample, motor]), limit, motors.axes[motor], place)


def torque_at(model: Model, samples: Samples, torque: np.ndarray, sample: int, motor: int) -> Requirement:
    """The torque of a motor at a sample against the peak of its drive.

    Args:
        torque: torques of the motors (T, n), N m, at the shafts.
        sample: which sample, from 0.
        motor: which motor, from 0.
    """
    motors = model.motors
    place = Place.of(samples, sample, motor + 1, "leg")
    value, limit = float(torque[sample, motor]), float(motors.peak_torque[motor])
    return motor_requirement(MOTOR_TORQUE, value, limit, motors.axes[motor], place)


def largest_by_motor(values: np.ndarray) -> dict[int, int]:
    """For every motor (from 1) that has values the sample (from 0) of its largest.

    Args:
        values: speeds or torques (T, n).
    """
    return {
        motor + 1: first_largest(np.abs(series)) for motor, series in enumerate(values.T) if not np.isnan(series).all()
    }
