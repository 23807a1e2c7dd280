"""Joint PD: every motor a loop of its own (righettini2024 (29))."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, final

import casadi as ca
from numpy.typing import ArrayLike

from parapick.control.feedforward import FrictionFeedforward, column
from parapick.control.fields import Numbers, per_joint
from parapick.control.poles import Poles, second_order
from parapick.control.sensing import Differenced, VelocitySensing, joint_reference, joint_state
from parapick.control.stage import ControlStage, sample_of
from parapick.errors import FileProblem
from parapick.fields import label
from parapick.mechanism import Robot


@final
@dataclass(frozen=True)
class PD:
    """`tau = K_p (q_ref - q) + K_d (qd_ref - qd)`, joint by joint; no masses needed."""

    name: ClassVar[str] = "pd"

    kp: Numbers | None = per_joint("N m/rad", "proportional gain", default=None, at_least=0.0)
    kd: Numbers | None = per_joint("N m s/rad", "derivative gain", default=None, at_least=0.0)
    velocity: VelocitySensing = label("how joint rates are found", default=Differenced())
    friction: FrictionFeedforward | None = label("friction the law makes up for", default=None)
    poles: Poles | None = label("poles from which the gains follow, in their place", default=None)

    @classmethod
    def from_poles(cls, frequency: ArrayLike, damping: ArrayLike, inertia: ArrayLike) -> PD:
        """Gains that give every joint, taken for an inertia of its own, a pair of poles.

        Args:
            frequency: natural frequency (Hz), for all joints or one per joint.
            damping: damping ratio, for all joints or one per joint.
            inertia: inertia each motor feels (kg m2); see `inertia_at_joints`.
        """
        return cls(*second_order(frequency, damping, inertia))

    def placed(self, poles: Poles) -> PD:
        """The same law with the gains that poles give it.

        Args:
            poles: the poles, with the inertia that each motor feels.
        """
        kp, kd = second_order(poles.frequency, poles.damping, poles.felt)
        return replace(self, kp=kp, kd=kd, poles=None)

    def problems(self, robot: Robot) -> list[FileProblem]:
        """Fits every robot."""
        return []

    def stage(self, robot: Robot) -> ControlStage:
        """The law as expressions."""
        sample = sample_of(robot)
        wanted, joints = joint_reference(robot, sample.reference), joint_state(robot, self.velocity, sample)
        terms = {
            "tau_p": column(self.kp) * (wanted.q - joints.q),
            "tau_d": column(self.kd) * (wanted.qd - joints.qd),
        }
        if self.friction is not None:
            terms["friction"] = self.friction.torque(wanted.qd)
        torque = sum(terms.values(), ca.SX.zeros(robot.motors))
        return ControlStage(sample, joints.memory, torque, terms, {"q": joints.q, "qd": joints.qd})
