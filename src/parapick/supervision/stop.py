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

from parapick.model import Model
from parapick.motors import JUDGED
from parapick.ride import Pose
from parapick.supervision.stop_expressions import CHOICES, TRIED, UNTRIED, advance_kernel, begin_kernel, try_scan

Course = Callable[[float], Pose]
"""A path by its own time (s): pose, first and second derivative by that time."""

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
        load: largest share of its torque limit that a motor needs (T,); 0 without limits, infinite out of reach.
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


def stop_plan(limits: StopLimits, course: Course, s: float, pace: float) -> StopPlan:
    """Slow a path's time to rest.

    Args:
        limits: what must hold.
        course: the path by its own time.
        s: path time at the sample before the stop (s).
        pace: its rate then.
    """
    period, rows = 1.0 / limits.rate, []
    first, most = begin_kernel()([s], [pace], [period], [limits.stop_time])
    advance, s = advance_kernel(limits.model.robot.dof), float(first)
    strongest = _strongest(limits, float(most))
    for _ in range(int(LONGEST * limits.rate)):
        x, x_s, x_ss = course(s)
        slowing, load = strongest(Pose(x, x_s, x_ss), pace)
        s_next, pace_next, xd, xdd = advance([s], [pace], [slowing], [period], x_s, x_ss)
        rows.append((s, pace, x, xd, xdd, load))
        if pace == 0.0:
            break
        s, pace = float(s_next), float(pace_next)
    return StopPlan(*(np.array(column) for column in zip(*rows, strict=True)))


def _strongest(limits: StopLimits, most: float) -> Callable[[Pose, float], tuple[float, float]]:
    """What finds the strongest slowing under which every motor keeps its share of the limit, and the load then.

    Where none does, it is the one with the least load.
    """
    model = limits.model
    scan = try_scan(model.robot, model.sharing or JUDGED)
    fixed = [
        np.array(column, dtype=float)[None] for column in ([most], [limits.reserve], limits.payload, limits.torque)
    ]

    def strongest(at: Pose, pace: float) -> tuple[float, float]:
        course = (np.asarray(column, dtype=float)[None] for column in (*at, [pace]))
        tried = scan(UNTRIED, *course, *fixed, model.parameters, substeps=CHOICES).state
        return float(tried[TRIED.index("slowing")]), float(tried[TRIED.index("load")])

    return strongest
