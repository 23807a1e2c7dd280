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
from parapick.mechanism.robot import Robot
from parapick.model.redundancy import SHARINGS


@final
@dataclass(frozen=True)
class DisturbanceObserver:
    """`tau = M_p (xdd_ref + K_d de/dt + K_p e) + n_p + d` with d what the torque lacked, through a low pass.

    `d <- d + (1 - exp(-2 pi cutoff T)) (tau_before - (M_p (xd - xd_before) / T + n_p) - d)`, with the torque limited as
    the drives limit it and as old as the motion that it made.
    """

    name: ClassVar[str] = "disturbance-observer"

    kp: Numbers | None = per_task("1/s2", "proportional gain", default=None, at_least=0.0)
    kd: Numbers | None = per_task("1/s", "derivative gain", default=None, at_least=0.0)
    cutoff: float = quantity("Hz", "corner frequency of the observer's low pass", default=20.0, above=0.0)
    age: int = label("samples between a torque and the motion that it is seen in", default=2, form=Whole(1))
    sharing: str | None = label("how redundant motors share", default=None, form=Word(SHARINGS))
    velocity: VelocitySensing = label("how joint rates are found", default=Differenced())
    pose: PoseSensing = label("how the pose is found", default=FromJoints())
    friction: FrictionFeedforward | None = label("friction the law makes up for", default=None)
    poles: Poles | None = label("poles from which the gains follow, in their place", default=None)

    def placed(self, poles: Poles) -> DisturbanceObserver:
        """The same law with the gains that poles give it; the observer keeps its corner frequency.

        Args:
            poles: the poles.
        """
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
        before = ca.SX.sym("xd_before", robot.dof)
        given = [ca.SX.sym(f"given{k}", robot.motors) for k in range(self.age)]
        lacking, memory = self._lacking(robot, blocks, before, given[0])
        torque, limit = whole.torque + lacking, blocks.sample.limit
        limited = ca.fmin(ca.fmax(torque, -limit), limit)
        unknown = ca.SX.zeros(robot.motors)
        queue = [Memory(one, unknown, after) for one, after in zip(given, [*given[1:], limited], strict=True)]
        rate = Memory(before, blocks.sample.reference.xd, blocks.task.xd)
        terms = {**whole.terms, "observer": lacking}
        return ControlStage(blocks.sample, (*whole.memory, rate, *queue, *memory), torque, terms, whole.estimate)

    def _lacking(self, robot: Robot, blocks: TaskBlocks, before: Any, given: Any) -> tuple[Any, tuple[Memory, ...]]:
        """What the torque lacks (n), N m, and what its low pass remembers; 0 until torques are old enough."""
        step, body = blocks.sample.step, blocks.body
        moved = ca.mtimes(body.mass, (blocks.task.xd - before) / step) + body.bias
        held, young = ca.SX.sym("lacking", robot.motors), ca.SX.sym("young")
        share = ca.if_else(young > 0.5, 0.0, 1 - ca.exp(-2 * math.pi * self.cutoff * step))
        after = held + share * (given - moved - held)
        counting = Memory(young, ca.SX(float(self.age)), ca.fmax(young - 1.0, 0.0))
        return after, (Memory(held, ca.SX.zeros(robot.motors), after), counting)
