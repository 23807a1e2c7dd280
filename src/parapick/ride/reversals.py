"""Where the joints of a robot turn back along a motion: friction and losses of gearboxes change side there."""

from __future__ import annotations

from typing import Final

import numpy as np

from parapick.model import Model
from parapick.ride.samples import Samples, Trajectory
from parapick.roots import bisected

ASIDE: Final = 1e-9
"""How far before and after a reversal of a joint (s) the motion is sampled: its rate has a sign there, and nothing
else has changed."""

_HALVINGS: Final = 45
"""Bisections after which the instant of a reversal between two samples is known far below `ASIDE`."""


def reversals(model: Model, trajectory: Trajectory, samples: Samples) -> np.ndarray:
    """Instants (k,), s, at which a joint turns back, comes to rest or starts from it.

    Args:
        model: the robot.
        trajectory: the motion.
        samples: samples of it, between two of which a joint turns back once at most.
    """
    sides = np.sign(model.joint_rates(samples.x, samples.xd))
    interval, motor = np.nonzero((sides[1:] != sides[:-1]) & ~np.isnan(sides[1:] + sides[:-1]))
    low, high, side = samples.t[interval], samples.t[interval + 1], sides[interval, motor]

    def before(t: np.ndarray) -> np.ndarray:
        pose = trajectory.at(t)
        return np.sign(model.joint_rates(pose.x, pose.xd)[np.arange(len(motor)), motor]) == side

    return np.unique(bisected(before, low, high, _HALVINGS)[1])
