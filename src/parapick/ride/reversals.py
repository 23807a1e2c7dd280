"""Where along a motion joints turn back, come to rest or start from it: there friction and losses make torques jump."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from parapick.ride.samples import Samples, Trajectory

if TYPE_CHECKING:
    from parapick.model import Model

ASIDE: Final = 1e-9
"""How far before and after a reversal of a joint (s) the motion is sampled: its rate has a sign there, and nothing
else has changed."""

_BRACKET: Final = 0.1 * ASIDE
"""How short a bracket around a reversal (s) must be: over it a rate is a line, with its zero known to all digits."""


def with_reversals(model: Model, trajectory: Trajectory, samples: Samples) -> Samples:
    """Samples of a motion with both sides of every reversal of a joint among them.

    Args:
        model: the robot.
        trajectory: the motion.
        samples: the motion, sampled with both sides of its corners.
    """
    turns = reversals(model, trajectory, samples)
    sides = np.concatenate([turns - ASIDE, turns + ASIDE])
    t = np.setdiff1d(sides[(sides > samples.t[0]) & (sides < samples.t[-1])], samples.t)
    return samples.with_instants(t, trajectory.state(t)) if len(t) else samples


def reversals(model: Model, trajectory: Trajectory, samples: Samples) -> np.ndarray:
    """Instants (k,), s, at which a joint turns back, comes to rest or starts from it.

    Between two samples a rate is smooth, so that false position (with halvings, which get past what is not) finds its
    zero in a few looks.

    Args:
        model: the robot.
        trajectory: the motion.
        samples: the motion, sampled with both sides of its corners.
    """
    rates = model.joint_rates(samples.x, samples.xd)
    sides = np.sign(rates)
    interval, motor = np.nonzero((sides[1:] != sides[:-1]) & ~np.isnan(sides[1:] + sides[:-1]))
    low, high, side = samples.t[interval], samples.t[interval + 1], sides[interval, motor]
    before, after = rates[interval, motor], rates[interval + 1, motor]
    weight, last, turn = np.ones((2, len(motor))), np.zeros(len(motor)), 0
    while len(k := np.flatnonzero(high - low > _BRACKET)):
        turn += 1
        middle = 0.5 * (low[k] + high[k])
        if turn % 3:
            zero = _zero(low[k], high[k], weight[0, k] * before[k], weight[1, k] * after[k])
            middle = np.clip(zero, low[k] + 0.5 * _BRACKET, high[k] - 0.5 * _BRACKET)
        pose = trajectory.at(middle)
        rate = model.joint_rates(pose.x, pose.xd)[np.arange(len(k)), motor[k]]
        earlier = np.sign(rate) == side[k]
        # An end that stays twice counts half (Illinois), so that both ends close in.
        stays = np.where(last[k] == np.where(earlier, 1.0, -1.0), 0.5, 1.0)
        weight[:, k] = np.where(earlier, [np.ones(len(k)), stays], [stays, np.ones(len(k))])
        low[k], high[k] = np.where(earlier, middle, low[k]), np.where(earlier, high[k], middle)
        before[k], after[k] = np.where(earlier, rate, before[k]), np.where(earlier, after[k], rate)
        last[k] = np.where(earlier, 1.0, -1.0)
    return np.unique(np.clip(_zero(low, high, before, after), low, high))


def _zero(low: np.ndarray, high: np.ndarray, before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Instants (k,), s, where lines between rates at both ends are zero; halfway where they are level."""
    rise = after - before
    share = np.divide(-before, rise, out=np.full(len(rise), 0.5), where=rise != 0.0)
    return low + (high - low) * share
