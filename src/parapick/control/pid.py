"""Joint PID with a bounded integral: every motor a loop of its own (righettini2024 (30))."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, final

import casadi as ca
from numpy.typing import ArrayLike

from parapick.control.feedforward import FrictionFeedforward, column
from parapick.control.fields import Numbers, per_joint
from parapick.control.integral import clamped_integral
from parapick.control.poles import Poles, integral_gain, second_order
from parapick.control.sensing import Differenced, VelocitySensing, joint_reference, joint_state
from parapick.control.stage import ControlStage, sample_of
from parapick.errors import FileProblem
from parapick.fields import label
from parapick.mechanism import Robot


@final
@dataclass(frozen=True)
class PID:
    """`tau = K_p e + K_d de/dt + K_i Q` with `e = q_ref - q` and Q the clamped sum of T e; no masses needed.

    The print of righettini2024 (30) is one derivative too high (papers/righettini2024).
    """

    name: ClassVar[str] = "pid"

    kp: Numbers | None = per_joint("N m/rad", "proportional gain", default=None, at_least=0.0)
    kd: Numbers | None = per_joint("N m s/rad", "derivative gain", default=None, at_least=0.0)
    ki: Numbers | None = per_joint("N m/(rad s)", "integral gain", default=None, at_least=0.0)
    integral_max: Numbers | None = per_joint("N m", "largest integral torque; None: no bound", default=None, above=0.0)
    velocity: VelocitySensing = label("how joint rates are found", default=Differenced())
    friction: FrictionFeedforward | None = label("friction the law makes up for", default=None)
    poles: Poles | None = label("poles from which the gains follow, in their place", default=None)

    @classmethod
    def from_poles(
        cls,
        frequency: ArrayLike,
        damping: ArrayLike,
        inertia: ArrayLike,
        ratio: ArrayLike,
        integral_max: Numbers | None = None,
    ) -> PID:
        """Gains of a PD with given poles, and an integral gain `K_i = ratio w K_p`.

        Args:
            frequency: natural frequency (Hz), for all joints or one per joint.
            damping: damping ratio, for all joints or one per joint.
            inertia: inertia each motor feels (kg m2); see `inertia_at_joints`.
            ratio: share of the integral gain; below twice the damping for a stable loop.
            integral_max: largest integral torque (N m); None: no bound.
        """
        kp, kd = second_order(frequency, damping, inertia)
        return cls(kp, kd, integral_gain(kp, frequency, ratio), integral_max)

    def placed(self, poles: Poles) -> PID:
        """The same law with the gains that poles give it.

        Args:
            poles: the poles, with the inertia that each motor feels.
        """
        kp, kd = second_order(poles.frequency, poles.damping, poles.felt)
        return replace(self, kp=kp, kd=kd, ki=integral_gain(kp, poles.frequency, poles.integral), poles=None)

    def problems(self, robot: Robot) -> list[FileProblem]:
        """Fits every robot."""
        return []

    def stage(self, robot: Robot) -> ControlStage:
        """The law as expressions."""
        sample = sample_of(robot)
        wanted, joints = joint_reference(robot, sample.reference), joint_state(robot, self.velocity, sample)
        error = wanted.q - joints.q
        bound = None if self.integral_max is None else column(self.integral_max)
        integral, memory = clamped_integral("tau_i", column(self.ki) * error, sample.step, bound)
        terms = {
            "tau_p": column(self.kp) * error,
            "tau_d": column(self.kd) * (wanted.qd - joints.qd),
            "tau_i": integral,
        }
        if self.friction is not None:
            terms["friction"] = self.friction.torque(wanted.qd)
        torque = sum(terms.values(), ca.SX.zeros(robot.motors))
        return ControlStage(sample, (*joints.memory, memory), torque, terms, {"q": joints.q, "qd": joints.qd})
