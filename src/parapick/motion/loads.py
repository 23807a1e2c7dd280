"""What the motors give along a motion: torques and speeds at their shafts and at the arm axes, with what is carried."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

import numpy as np

from parapick.model.payload import Payload
from parapick.motion.series import Samples

if TYPE_CHECKING:
    from parapick.model import Model
    from parapick.motion.motion import Motion

__all__ = ["SHARING", "MotorLoads", "loaded_models", "looked_at", "motor_loads"]

SHARING: Final = "least-peak"
"""How the motors of a redundant robot share along a motion: so that the largest torque is as small as it can be, which
is what limits of motors ask for and what the fastest timing counts on."""

_BESIDE: Final = 1e-9
"""How far before and after a reversal of a joint (s) the motion is looked at: its rate has a sign there, and nothing
else has changed."""

_HALVINGS: Final = 45
"""Bisections after which the instant of a reversal between two samples is known far below `_BESIDE`."""


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


def motor_loads(model: Model, samples: Samples, *, sharing: str = SHARING) -> MotorLoads:
    """What the motors give along a sampled motion, with what it carries on top of what the model holds.

    Args:
        model: the robot.
        samples: the motion.
        sharing: how a redundant robot's motors share, "least-norm" or "least-peak"; without effect on others.

    Raises:
        MissingMassError: a robot without masses.
    """
    torque, speed, joint_torque = (np.full((len(samples.t), model.robot.motors), np.nan) for _ in range(3))
    for loaded, here in loaded_models(model, samples):
        state = samples.x[here], samples.xd[here], samples.xdd[here]
        torque[here], speed[here], joint_torque[here] = loaded.drive_torque(*state, sharing=sharing)
    return MotorLoads(samples.t, torque, speed, joint_torque, model.joint_rates(samples.x, samples.xd))


def loaded_models(model: Model, samples: Samples) -> Iterator[tuple[Model, np.ndarray]]:
    """The robot with each of the loads that a motion carries, and which samples carry it (T,).

    Args:
        model: the robot, with what it holds all along.
        samples: the motion.
    """
    loads, which = np.unique(samples.load, axis=0, return_inverse=True)
    for k, (mass, x, y, z, inertia) in enumerate(loads.tolist()):
        yield model.carrying(Payload(mass, (x, y, z), inertia)), which.ravel() == k


def looked_at(model: Model, motion: Motion, rate: float) -> Samples:
    """The motion as a robot's limits along it are looked at: no peak between two samples is lost.

    Both sides of every corner are among the samples, and where friction or losses make the torque of a motor jump as
    its joint turns back, both sides of every reversal too.

    Args:
        model: the robot.
        motion: the motion.
        rate: samples per second (Hz).
    """
    samples = motion.sample(rate, corners=True)
    if not model.motors.jumping or motion.dof != model.robot.dof:
        return samples
    turns = _reversals(model, motion, samples)
    return motion.sample(rate, corners=True, also=np.concatenate([turns - _BESIDE, turns + _BESIDE]))


def _reversals(model: Model, motion: Motion, samples: Samples) -> np.ndarray:
    """Instants (k,), s, at which a joint turns back, comes to rest or starts from it."""
    sides = np.sign(model.joint_rates(samples.x, samples.xd))
    interval, motor = np.nonzero((sides[1:] != sides[:-1]) & ~np.isnan(sides[1:] + sides[:-1]))
    low, high, side = samples.t[interval], samples.t[interval + 1], sides[interval, motor]
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        pose = motion.at(middle)
        before = np.sign(model.joint_rates(pose.x, pose.xd)[np.arange(len(motor)), motor]) == side
        low, high = np.where(before, middle, low), np.where(before, high, middle)
    return np.unique(high)
