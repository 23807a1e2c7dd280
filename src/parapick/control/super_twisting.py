"""Super-twisting sliding mode in task space (Levant 1993, Int. J. Control 58, 1247): continuous without a layer.

What disturbs the sliding variable is overcome exactly, whatever its size, as long as it changes no faster than the
stated growth. Sampled and late by a drive it chatters in an amplitude that falls with the square of the period.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final, final

import casadi as ca
import numpy as np

from parapick.control.feedforward import FrictionFeedforward, column
from parapick.control.fields import Numbers, per_task
from parapick.control.integral import clamped_integral
from parapick.control.poles import Poles, as_numbers, double_pole
from parapick.control.rigid import sharing_problems
from parapick.control.sensing import Differenced, FromJoints, PoseSensing, VelocitySensing
from parapick.control.stage import ControlStage
from parapick.control.task import task_blocks, task_stage
from parapick.errors import FileProblem
from parapick.fields import label
from parapick.forms import Word
from parapick.mechanism import Robot
from parapick.motors import SHARINGS

ROOT: Final = 1.5
INTEGRAL: Final = 1.1
"""Gains `k1 = 1.5 sqrt(L)` and `k2 = 1.1 L` of the document's successors for a disturbance that grows by L."""

NOMINAL: Final = 0.05
"""Sliding error (m/s) at which a law placed by poles pulls back at the rate of the poles."""


@final
@dataclass(frozen=True)
class SuperTwisting:
    """`tau = M_p (xdd_ref + slope de/dt + k1 |s|^(1/2) sign(s) + v) + n_p` with `dv/dt = k2 sign(s)`.

    `e = x_ref - x`, `s = de/dt + slope e`, `k1 = 1.5 sqrt(growth)`, `k2 = 1.1 growth`.
    """

    name: ClassVar[str] = "super-twisting"
    sloped: ClassVar[bool] = False

    slope: Numbers | None = per_task("1/s", "slope of the sliding surface", default=None, at_least=0.0)
    growth: Numbers | None = per_task(
        "m/s3", "fastest change of the acceleration that disturbs", default=None, above=0.0
    )
    sharing: str | None = label("how redundant motors share", default=None, form=Word(SHARINGS))
    velocity: VelocitySensing = label("how joint rates are found", default=Differenced())
    pose: PoseSensing = label("how the pose is found", default=FromJoints())
    friction: FrictionFeedforward | None = label("friction the law makes up for", default=None)
    poles: Poles | None = label("poles from which the gains follow, in their place", default=None)

    def placed(self, poles: Poles) -> SuperTwisting:
        """The same law with the slope `damping w`, and the growth that pulls back at that rate from 0.05 m/s."""
        slope = np.asarray(double_pole(poles))
        growth = NOMINAL * (slope / ROOT) ** 2
        return replace(self, slope=as_numbers(slope), growth=as_numbers(growth), poles=None)

    def problems(self, robot: Robot) -> list[FileProblem]:
        """Needs masses and, for a redundant robot, a sharing rule."""
        return sharing_problems(robot, self.sharing)

    def stage(self, robot: Robot) -> ControlStage:
        """The law as expressions."""
        blocks = task_blocks(robot, self.velocity, self.pose)
        sliding = blocks.error_rate + column(self.slope) * blocks.error
        direction, growth = ca.sign(sliding), column(self.growth)
        summed, memory = clamped_integral("xdd_v", INTEGRAL * growth * direction, blocks.sample.step, None)
        parts = {
            "tau_d": column(self.slope) * blocks.error_rate,
            "tau_s": ROOT * ca.sqrt(growth) * ca.sqrt(ca.fabs(sliding)) * direction,
            "tau_i": summed,
        }
        return task_stage(robot, blocks, parts, self.sharing, self.friction, memory)
