"""Task-space inverse dynamics with an integral, TSIID (righettini2024 (22))."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, final

from numpy.typing import ArrayLike

from parapick.control.feedforward import FrictionFeedforward, column
from parapick.control.fields import Numbers, per_task
from parapick.control.integral import clamped_integral
from parapick.control.poles import Poles, integral_gain, second_order
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
class TaskSpaceIID:
    """`tau = M_p (xdd_ref + K_d de/dt + K_p e + K_i P) + n_p` with P the clamped sum of T e.

    The ideal loop is stable while K_i < K_p K_d.
    """

    name: ClassVar[str] = "tsiid"

    kp: Numbers | None = per_task("1/s2", "proportional gain", default=None, at_least=0.0)
    kd: Numbers | None = per_task("1/s", "derivative gain", default=None, at_least=0.0)
    ki: Numbers | None = per_task("1/s3", "integral gain", default=None, at_least=0.0)
    integral_max: Numbers | None = per_task(
        "m/s2", "largest acceleration by the integral, K_i P; None: no bound", default=None, above=0.0
    )
    sharing: str | None = label("how redundant motors share", default=None, form=Word(SHARINGS))
    velocity: VelocitySensing = label("how joint rates are found", default=Differenced())
    pose: PoseSensing = label("how the pose is found", default=FromJoints())
    friction: FrictionFeedforward | None = label("friction the law makes up for", default=None)
    poles: Poles | None = label("poles from which the gains follow, in their place", default=None)

    @classmethod
    def from_poles(
        cls,
        frequency: ArrayLike,
        damping: ArrayLike,
        ratio: ArrayLike,
        integral_max: Numbers | None = None,
        sharing: str | None = None,
    ) -> TaskSpaceIID:
        """Gains of a TSID with given poles, and an integral gain `K_i = ratio w K_p`.

        Args:
            frequency: natural frequency (Hz), for all coordinates or one per coordinate.
            damping: damping ratio, for all coordinates or one per coordinate.
            ratio: share of the integral gain; below twice the damping for a stable loop.
            integral_max: largest acceleration by the integral (m/s2, rad/s2); None: no bound.
            sharing: how redundant motors share.
        """
        kp, kd = second_order(frequency, damping)
        return cls(kp, kd, integral_gain(kp, frequency, ratio), integral_max, sharing)

    def placed(self, poles: Poles) -> TaskSpaceIID:
        """The same law with the gains that poles give it."""
        kp, kd = second_order(poles.frequency, poles.damping)
        return replace(self, kp=kp, kd=kd, ki=integral_gain(kp, poles.frequency, poles.integral), poles=None)

    def problems(self, robot: Robot) -> list[FileProblem]:
        """Needs masses and, for a redundant robot, a sharing rule."""
        return sharing_problems(robot, self.sharing)

    def stage(self, robot: Robot) -> ControlStage:
        """The law as expressions."""
        blocks = task_blocks(robot, self.velocity, self.pose)
        bound = None if self.integral_max is None else column(self.integral_max)
        integral, memory = clamped_integral("xdd_i", column(self.ki) * blocks.error, blocks.sample.step, bound)
        parts = {
            "tau_p": column(self.kp) * blocks.error,
            "tau_d": column(self.kd) * blocks.error_rate,
            "tau_i": integral,
        }
        return task_stage(robot, blocks, parts, self.sharing, self.friction, memory)
