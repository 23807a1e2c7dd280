"""The controlled stop: the time along the path is slowed to rest, so that the plate stays on its path.

With the path time s the reference is `x(s)`, `x'(s) s'`, `x''(s) s'^2 + x'(s) s''`. The stop begins with the pace that
the motion has, `s' = 1`, and takes at every sample the strongest slowing `-1 / stop_time <= s'' <= 0` under which no
motor needs more than its share of the torque limit; the plate comes to rest in `stop_time` where the motors have
enough, and otherwise later, at the latest where the motion itself ends. Slowing never raises a joint's speed.
Path-velocity control under torque limits is that of Dahl and Nielsen (1990), IEEE Trans. Robot. Autom. 6(5) 554.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.formulas import sharing_kernel
from parapick.model import Model
from parapick.motors import JUDGED
from parapick.ride import Pose

Course = Callable[[float], Pose]
"""A path by its own time (s): pose, first and second derivative by that time."""

CHOICES: Final = 33
"""Slowings that are tried at every sample, from the stated one to none."""

STILL: Final = 1e-12
"""Pace that is what rounding leaves of a sum of slowings."""

LONGEST: Final = 10.0
"""Time (s) after which a stop that has not come to rest is given up; no path of a pick lasts so long."""


@final
@dataclass(frozen=True, eq=False)
class StopPlan:
    """A planned stop, one row per sample from the one at which it begins.

    Attributes:
        s: path time (T,), s.
        pace: its rate (T,), 1 at the pace of the motion, 0 at rest.
        x: task vectors (T, dof), m and rad.
        xd: their rates (T, dof).
        xdd: their accelerations (T, dof).
        load: largest share of its torque limit that a motor needs (T,); 0 without limits.
    """

    s: np.ndarray
    pace: np.ndarray
    x: np.ndarray
    xd: np.ndarray
    xdd: np.ndarray
    load: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class StopLimits:
    """What a stop must hold.

    Attributes:
        model: the robot as the controller knows it.
        payload: what the tool holds (5,), as kernels take it.
        torque: torque limits at the joints (n,), N m, infinite without one.
        reserve: share of them that is left to the law.
        stop_time: time (s) in which a pace of 1 falls to zero.
        rate: control rate (Hz).
    """

    model: Model
    payload: np.ndarray
    torque: np.ndarray
    reserve: float
    stop_time: float
    rate: float

    def loads(self, x: np.ndarray, xd: np.ndarray, xdd: np.ndarray) -> np.ndarray:
        """Largest share of its torque limit that a motor needs (k,).

        Args:
            x: task vectors (k, dof).
            xd: their rates (k, dof).
            xdd: their accelerations (k, dof).
        """
        model = self.model
        kernel = model.kernel(sharing_kernel(model.robot, "drive_torque", model.sharing or JUDGED))
        torque = kernel(x, xd, xdd, self.payload, model.parameters)[0]
        return np.max(np.abs(torque) * model.motors.ratio / self.torque, axis=-1)


def stop_plan(limits: StopLimits, course: Course, s: float, pace: float) -> StopPlan:
    """Slow a path's time to rest.

    Args:
        limits: what must hold.
        course: the path by its own time.
        s: path time at the sample before the stop (s).
        pace: its rate then.
    """
    period, most = 1.0 / limits.rate, max(pace, 1.0) / limits.stop_time
    rows, count = [], int(LONGEST * limits.rate)
    s, slowings = s + pace * period, most * np.linspace(1.0, 0.0, CHOICES)
    for _ in range(count):
        x, first, second = course(s)
        slowing, load = _strongest(limits, Pose(x, first, second), pace, slowings)
        rows.append((s, pace, x, first * pace, second * pace**2 - first * slowing, load))
        if pace == 0.0:
            break
        after = pace - slowing * period
        after = after if after > STILL else 0.0
        s, pace = s + 0.5 * (pace + after) * period, after
    return StopPlan(*(np.array(column) for column in zip(*rows, strict=True)))


def _strongest(limits: StopLimits, at: Pose, pace: float, slowings: np.ndarray) -> tuple[float, float]:
    """The strongest slowing under which every motor keeps its share of the limit, else that with the least load."""
    if pace == 0.0:
        slowings = np.zeros(1)
    x, first, second = at
    xdd = second * pace**2 - first * slowings[:, None]
    loads = limits.loads(np.broadcast_to(x, xdd.shape), np.broadcast_to(first * pace, xdd.shape), xdd)
    kept = np.flatnonzero(loads <= 1.0 - limits.reserve)
    best = int(kept[0]) if len(kept) else int(np.argmin(loads))
    return float(slowings[best]), float(loads[best])
