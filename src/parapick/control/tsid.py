"""Task-space inverse dynamics, TSID: errors of the plate become accelerations of the plate (righettini2024 (16))."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, final

from numpy.typing import ArrayLike

from parapick.control.feedforward import FrictionFeedforward, column
from parapick.control.fields import Numbers, per_task
from parapick.control.poles import Poles, second_order
from parapick.control.rigid import sharing_problems
from parapick.control.sensing import Differenced, FromJoints, PoseSensing, VelocitySensing
from parapick.control.stage import ControlStage
from parapick.control.task import TaskBlocks, task_blocks, task_stage
from parapick.errors import FileProblem
from parapick.fields import label
from parapick.forms import Word
from parapick.mechanism import Robot
from parapick.motors import SHARINGS


@final
@dataclass(frozen=True)
class TaskSpaceID:
    """`tau = M_p (xdd_ref + K_d de/dt + K_p e) + n_p` with `e = x_ref - x`, all at the measured pose."""

    name: ClassVar[str] = "tsid"

    kp: Numbers | None = per_task("1/s2", "proportional gain", default=None, at_least=0.0)
    kd: Numbers | None = per_task("1/s", "derivative gain", default=None, at_least=0.0)
    sharing: str | None = label("how redundant motors share", default=None, form=Word(SHARINGS))
    velocity: VelocitySensing = label("how joint rates are found", default=Differenced())
    pose: PoseSensing = label("how the pose is found", default=FromJoints())
    friction: FrictionFeedforward | None = label("friction the law makes up for", default=None)
    poles: Poles | None = label("poles from which the gains follow, in their place", default=None)

    @classmethod
    def from_poles(cls, frequency: ArrayLike, damping: ArrayLike, sharing: str | None = None) -> TaskSpaceID:
        """Gains that give the error of every task coordinate a pair of poles.

        Args:
            frequency: natural frequency (Hz), for all coordinates or one per coordinate.
            damping: damping ratio, for all coordinates or one per coordinate.
            sharing: how redundant motors share.
        """
        return cls(*second_order(frequency, damping), sharing=sharing)

    def placed(self, poles: Poles) -> TaskSpaceID:
        """The same law with the gains that poles give it."""
        kp, kd = second_order(poles.frequency, poles.damping)
        return replace(self, kp=kp, kd=kd, poles=None)

    def problems(self, robot: Robot) -> list[FileProblem]:
        """Needs masses and, for a redundant robot, a sharing rule."""
        return sharing_problems(robot, self.sharing)

    def stage(self, robot: Robot) -> ControlStage:
        """The law as expressions."""
        blocks: TaskBlocks = task_blocks(robot, self.velocity, self.pose)
        parts = {"tau_p": column(self.kp) * blocks.error, "tau_d": column(self.kd) * blocks.error_rate}
        return task_stage(robot, blocks, parts, self.sharing, self.friction)
