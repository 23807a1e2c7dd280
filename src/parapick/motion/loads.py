"""What the motors give along a motion: torques and speeds at their shafts and at the arm axes, with what is carried."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

import numpy as np

from parapick.motion.series import Samples

if TYPE_CHECKING:
    from parapick.mechanism.drive import Drive
    from parapick.model import Model

__all__ = ["SHARING", "MotorLoads", "drives_of", "motor_loads"]

SHARING: Final = "least-peak"
"""How the motors of a redundant robot share along a motion: so that the largest torque is as small as it can be, which
is what limits of motors ask for and what the fastest timing counts on."""


@final
@dataclass(frozen=True, eq=False)
class MotorLoads:
    """What the motors give along a motion. NaN where the robot cannot be.

    Attributes:
        t: instants (T,), s.
        torque: torques at the motor shafts with friction and gearbox (T, n), N m.
        speed: speeds of the motor shafts (T, n), rad/s.
        joint_torque: torques at the arm axes without friction (T, n), N m.
        joint_speed: speeds of the joints (T, n), rad/s.
    """

    t: np.ndarray
    torque: np.ndarray
    speed: np.ndarray
    joint_torque: np.ndarray
    joint_speed: np.ndarray


def motor_loads(model: Model, samples: Samples, *, payload: bool, sharing: str = SHARING) -> MotorLoads:
    """What the motors give along a sampled motion.

    Args:
        model: the robot.
        samples: the motion.
        payload: whether what the samples carry counts; otherwise the model's own payload is carried all along.
        sharing: how a redundant robot's motors share, "least-norm" or "least-peak"; without effect on others.

    Raises:
        MissingMassError: a robot without masses.
    """
    torque, speed, joint_torque = (np.full((len(samples.t), model.robot.motors), np.nan) for _ in range(3))
    for mass in np.unique(samples.payload) if payload else (0.0,):
        here = samples.payload == mass if payload else slice(None)
        loaded = model.with_payload(float(mass)) if payload else model
        state = samples.x[here], samples.xd[here], samples.xdd[here]
        torque[here], speed[here] = loaded.drive_torque(*state, sharing=sharing)
        joint_torque[here] = loaded.inverse_dynamics(*state, sharing=sharing)
    return MotorLoads(samples.t, torque, speed, joint_torque, model.joint_rates(samples.x, samples.xd))


def drives_of(model: Model) -> tuple[Drive | None, ...]:
    """The drive of every motor, those of the arms first; None where the file states none.

    Args:
        model: the robot.
    """
    from parapick.mechanism.parameters import resolved

    robot = resolved(model.robot)
    return (robot.drive,) * robot.arms + (robot.plate.drive,) * (robot.motors - robot.arms)
