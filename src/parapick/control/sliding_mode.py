"""Sliding mode with a boundary layer in task space (Slotine and Li 1991, section 7.2).

What the model lacks is overcome by an acceleration of fixed size towards the sliding surface, which inside the layer is
proportional to the distance from it, so that the torque does not chatter.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, final

import casadi as ca
import numpy as np

from parapick.control.feedforward import FrictionFeedforward, column
from parapick.control.fields import Numbers, per_task
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


@final
@dataclass(frozen=True)
class SlidingMode:
    """`tau = M_p (xdd_ref + slope de/dt + reach sat(s / layer)) + n_p` with `s = de/dt + slope e`, `e = x_ref - x`.

    sat is the identity between -1 and 1, and its sign beyond. Inside the layer the error has the poles -slope and
    -reach / layer; what disturbs it by less than reach does not carry it out of the layer.
    """

    name: ClassVar[str] = "sliding-mode"

    slope: Numbers | None = per_task("1/s", "slope of the sliding surface", default=None, at_least=0.0)
    layer: Numbers | None = per_task("m/s", "half width of the boundary layer", default=None, above=0.0)
    reach: Numbers = per_task("m/s2", "acceleration towards the surface", default=20.0, at_least=0.0)
    sharing: str | None = label("how redundant motors share", default=None, form=Word(SHARINGS))
    velocity: VelocitySensing = label("how joint rates are found", default=Differenced())
    pose: PoseSensing = label("how the pose is found", default=FromJoints())
    friction: FrictionFeedforward | None = label("friction the law makes up for", default=None)
    poles: Poles | None = label("poles from which the gains follow, in their place", default=None)

    def placed(self, poles: Poles) -> SlidingMode:
        """The same law with both poles inside the layer at `-damping w`, the decay of the pair that is stated."""
        slope = double_pole(poles)
        layer = as_numbers(np.asarray(self.reach) / np.asarray(slope))
        return replace(self, slope=slope, layer=layer, poles=None)

    @property
    def error_gains(self) -> tuple[Numbers, Numbers]:
        """Gains on an error and on its rate inside the layer: `slope reach / layer` and `slope + reach / layer`."""
        slope, inner = np.asarray(self.slope, dtype=float), np.asarray(self.reach) / np.asarray(self.layer, dtype=float)
        return as_numbers(slope * inner), as_numbers(slope + inner)

    def problems(self, robot: Robot) -> list[FileProblem]:
        """Needs masses and, for a redundant robot, a sharing rule."""
        return sharing_problems(robot, self.sharing)

    def stage(self, robot: Robot) -> ControlStage:
        """The law as expressions."""
        blocks = task_blocks(robot, self.velocity, self.pose)
        sliding = blocks.error_rate + column(self.slope) * blocks.error
        relative = ca.fmin(ca.fmax(sliding / column(self.layer), -1.0), 1.0)
        parts = {"tau_d": column(self.slope) * blocks.error_rate, "tau_s": column(self.reach) * relative}
        return task_stage(robot, blocks, parts, self.sharing, self.friction)
