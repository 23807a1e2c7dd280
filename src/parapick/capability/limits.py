"""What the motors may give, at their joints: one number per motor, from the robot's file or from the caller."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from parapick.model.motors import SpeedLimit, TorqueLimit

if TYPE_CHECKING:
    from parapick.model import Model


def joint_torques(model: Model, torque: TorqueLimit) -> np.ndarray:
    """Largest torque (n,) at the joints, N m: the motor's times its ratio and the efficiency of its gearbox.

    That is what a motor gives that drives its joint and whose rotor is not accelerated; see `effort` for the rest.

    Args:
        model: the robot.
        torque: "peak", "rated", one number or one per motor (N m, at the motor).

    Raises:
        ParameterError: a torque that the robot's file does not state, or numbers that no motor can keep.
    """
    motors = model.motors
    return motors.torque(torque, every=True) * motors.ratio * motors.efficiency


def joint_speeds(model: Model, speed: SpeedLimit) -> np.ndarray:
    """Largest speed (n,) of the joints, rad/s: the motor's over its ratio.

    Args:
        model: the robot.
        speed: "peak", one number or one per motor (rad/s, at the motor).

    Raises:
        ParameterError: a speed that the robot's file does not state, or numbers that no motor can keep.
    """
    return model.motors.speed(speed, every=True) / model.motors.ratio
