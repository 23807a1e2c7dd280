"""Inverse dynamics with a disturbance observer (Ohnishi, Shibata and Murakami 1996, Trans. Mechatronics 1, 56).

Torque that was given and did not move the robot as the model says is taken for a disturbance, and given once more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar, final

import casadi as ca

from parapick.control.feedforward import FrictionFeedforward, column
from parapick.control.fields import Numbers, per_task
from parapick.control.poles import Poles, second_order
from parapick.control.rigid import sharing_problems
from parapick.control.sensing import Differenced, FromJoints, PoseSensing, VelocitySensing
from parapick.control.stage import ControlStage, Memory
from parapick.control.task import TaskBlocks, task_blocks, task_stage
from parapick.errors import FileProblem
from parapick.fields import label, quantity
from parapick.forms import Whole, Word
from parapick.limits import MOST
from parapick.mechanism import Robot
from parapick.motors import SHARINGS


@final
@dataclass(frozen=True)
class DisturbanceObserver:
    """`tau = M_p (xdd_ref + K_d de/dt + K_p e) + n_p + d` with d what the torque lacked, through a low pass.

    `d <- d + (1 - exp(-2 pi cutoff T)) (M_p (a - (xd - xd_before) / T) + g - d)`, with a the acceleration that was
    asked for and g what was given beyond the model's torque for it, limited as the drives limit it, both as old as the
    motion that they made.
    """

    name: ClassVar[str] = "disturbance-observer"

    kp: Numbers | None = per_task("1/s2", "proportional gain", default=None, at_least=0.0)
    kd: Numbers | None = per_task("1/s", "derivative gain", default=None, at_least=0.0)
    cutoff: float = quantity("Hz", "corner frequency of the observer's low pass", default=20.0, above=0.0)
    age: int = label(
        "samples between a torque and the motion that it is seen in", default=2, form=Whole(1, MOST["age"])
    )
    sharing: str | None = label("how redundant motors share", default=None, form=Word(SHARINGS))
    velocity: VelocitySensing = label("how joint rates are found", default=Differenced())
    pose: PoseSensing = label("how the pose is found", default=FromJoints())
    friction: FrictionFeedforward | None = label("friction the law makes up for", default=None)
    poles: Poles | None = label("poles from which the gains follow, in their place", default=None)

    def placed(self, poles: Poles) -> DisturbanceObserver:
        """The same law with the gains that poles give it; the observer keeps its corner frequency."""
        kp, kd = second_order(poles.frequency, poles.damping)
        return replace(self, kp=kp, kd=kd, poles=None)

    def problems(self, robot: Robot) -> list[FileProblem]:
        """Needs masses and, for a redundant robot, a sharing rule."""
        return sharing_problems(robot, self.sharing)

    def stage(self, robot: Robot) -> ControlStage:
        """The law as expressions."""
        blocks = task_blocks(robot, self.velocity, self.pose)
        parts = {"tau_p": column(self.kp) * blocks.error, "tau_d": column(self.kd) * blocks.error_rate}
        whole = task_stage(robot, blocks, parts, self.sharing, self.friction)
        asked = parts["tau_p"] + parts["tau_d"] + blocks.sample.reference.xdd
        before = _Before.of(robot, self.age)
        lacking, memory = self._lacking(robot, blocks, before)
        torque, limit = whole.torque + lacking, blocks.sample.limit
        limited = ca.fmin(ca.fmax(torque, -limit), limit)
        given = limited - (ca.mtimes(blocks.body.mass, asked) + blocks.body.bias)
        remembered = (*whole.memory, memory, *before.memory(blocks, asked, given))
        return ControlStage(blocks.sample, remembered, torque, {**whole.terms, "observer": lacking}, whole.estimate)

    def _lacking(self, robot: Robot, blocks: TaskBlocks, before: _Before) -> tuple[Any, Memory]:
        """What the torque lacks (n), N m, and the memory of its low pass."""
        step = blocks.sample.step
        missed = before.asked[0] - (blocks.task.xd - before.rate) / step
        held = ca.SX.sym("lacking", robot.motors)
        share = 1 - ca.exp(-2 * math.pi * self.cutoff * step)
        after = held + share * (ca.mtimes(blocks.body.mass, missed) + before.given[0] - held)
        return after, Memory(held, ca.SX.zeros(robot.motors), after)


@final
@dataclass(frozen=True)
class _Before:
    """What the observer remembers of samples before, the oldest first; columns of symbols.

    Attributes:
        rate: rate of the plate one sample before (dof).
        asked: accelerations that were asked for (dof each).
        given: torques that were given beyond the model's for these (n each), N m.
    """

    rate: Any
    asked: list[Any]
    given: list[Any]

    @classmethod
    def of(cls, robot: Robot, age: int) -> _Before:
        asked = [ca.SX.sym(f"asked{k}", robot.dof) for k in range(age)]
        given = [ca.SX.sym(f"given{k}", robot.motors) for k in range(age)]
        return cls(ca.SX.sym("xd_before", robot.dof), asked, given)

    def memory(self, blocks: TaskBlocks, asked: Any, given: Any) -> list[Memory]:
        """All of it after a sample. Before the first sample the plate moved as it was wanted to."""
        reference, step = blocks.sample.reference, blocks.sample.step
        rate = Memory(self.rate, reference.xd - step * reference.xdd, blocks.task.xd)
        nothing = ca.SX.zeros(given.shape[0])
        old, new = [*self.asked, asked], [*self.given, given]
        asking = [Memory(one, reference.xdd, after) for one, after in zip(self.asked, old[1:], strict=True)]
        giving = [Memory(one, nothing, after) for one, after in zip(self.given, new[1:], strict=True)]
        return [rate, *asking, *giving]
