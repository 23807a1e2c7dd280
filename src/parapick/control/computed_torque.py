"""Computed torque in joint space (wu2020 (24)): errors of the joints become accelerations of the joints."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, final

import casadi as ca
from numpy.typing import ArrayLike

from parapick.control.feedforward import FrictionFeedforward, SineTerm, column
from parapick.control.fields import Numbers, per_joint
from parapick.control.poles import Poles, second_order
from parapick.control.rigid import sharing_problems
from parapick.control.sensing import Differenced, FromJoints, PoseSensing, VelocitySensing, joint_reference
from parapick.control.stage import ControlStage
from parapick.control.task import task_blocks
from parapick.errors import FileProblem
from parapick.fields import label
from parapick.forms import Word
from parapick.mechanism import Robot
from parapick.motors import SHARINGS


@final
@dataclass(frozen=True)
class ComputedTorque:
    """`tau = M (qdd_ref + K_D de/dt + K_P e) + C qd + G + f` with `e = q_ref - q`, all at the measured joints.

    The matrices are those of the joints: `M = M_p J_m^-1`, `C qd + G = n_p - M dJ_m/dt xd`. f is the sine term of the
    document; without it the law is the usual one.
    """

    name: ClassVar[str] = "computed-torque"

    kp: Numbers | None = per_joint("1/s2", "proportional gain", default=None, at_least=0.0)
    kd: Numbers | None = per_joint("1/s", "derivative gain", default=None, at_least=0.0)
    sine: SineTerm | None = label("the term f of wu2020", default=None)
    sharing: str | None = label("how redundant motors share", default=None, form=Word(SHARINGS))
    velocity: VelocitySensing = label("how joint rates are found", default=Differenced())
    pose: PoseSensing = label("how the pose is found", default=FromJoints())
    friction: FrictionFeedforward | None = label("friction the law makes up for", default=None)
    poles: Poles | None = label("poles from which the gains follow, in their place", default=None)

    @classmethod
    def from_poles(cls, frequency: ArrayLike, damping: ArrayLike, sharing: str | None = None) -> ComputedTorque:
        """Gains that give the error of every joint a pair of poles.

        Args:
            frequency: natural frequency (Hz), for all joints or one per joint.
            damping: damping ratio, for all joints or one per joint.
            sharing: how redundant motors share.
        """
        return cls(*second_order(frequency, damping), sharing=sharing)

    def placed(self, poles: Poles) -> ComputedTorque:
        """The same law with the gains that poles give it."""
        kp, kd = second_order(poles.frequency, poles.damping)
        return replace(self, kp=kp, kd=kd, poles=None)

    def problems(self, robot: Robot) -> list[FileProblem]:
        """Needs masses and, for a redundant robot, a sharing rule."""
        return sharing_problems(robot, self.sharing)

    def stage(self, robot: Robot) -> ControlStage:
        """The law as expressions."""
        blocks = task_blocks(robot, self.velocity, self.pose)
        body, joints = blocks.body, blocks.joints
        wanted = joint_reference(robot, blocks.sample.reference)
        feedback = (column(self.kp) * (wanted.q - joints.q), column(self.kd) * (wanted.qd - joints.qd))
        motions = body.acceleration(ca.horzcat(*feedback, wanted.qdd, -body.drift))
        torques = ca.mtimes(body.mass, motions)
        terms = {name: torques[:, k] for k, name in enumerate(("tau_p", "tau_d", "tau_M"))}
        terms["tau_n"] = body.bias + torques[:, 3]
        preload = body.shared(ca.sum2(motions), self.sharing)
        if preload is not None:
            terms["sharing"] = preload
        if self.sine is not None:
            terms["sine"] = self.sine.torque(joints.q, joints.qd)
        if self.friction is not None:
            terms["friction"] = self.friction.torque(wanted.qd)
        torque = sum(terms.values(), ca.SX.zeros(robot.motors))
        return ControlStage(blocks.sample, blocks.memory, torque, terms, blocks.estimate)
