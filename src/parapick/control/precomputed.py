"""Joint PD with precomputed torque (Kelly, Santibanez and Loria 2005, chapter 12): the model is asked at the reference.

The torque of the model depends on what is wanted alone, so that it can be tabulated before the motion, and no
measurement enters it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, final

import casadi as ca

from parapick.control.feedforward import FrictionFeedforward, column
from parapick.control.fields import Numbers, per_joint
from parapick.control.poles import Poles, second_order
from parapick.control.rigid import rigid_body, sharing_problems
from parapick.control.sensing import Differenced, TaskState, VelocitySensing, joint_reference, joint_state
from parapick.control.stage import ControlStage, Sample, sample_of
from parapick.errors import FileProblem
from parapick.fields import label
from parapick.forms import Word
from parapick.mechanism import Robot
from parapick.motors import SHARINGS


@final
@dataclass(frozen=True)
class PrecomputedTorque:
    """`tau = K_p e + K_d de/dt + M_p xdd_ref + n_p` with `e = q_ref - q`; M_p and n_p at the wanted pose and rate."""

    name: ClassVar[str] = "precomputed"

    kp: Numbers | None = per_joint("N m/rad", "proportional gain", default=None, at_least=0.0)
    kd: Numbers | None = per_joint("N m s/rad", "derivative gain", default=None, at_least=0.0)
    sharing: str | None = label("how redundant motors share", default=None, form=Word(SHARINGS))
    velocity: VelocitySensing = label("how joint rates are found", default=Differenced())
    friction: FrictionFeedforward | None = label("friction the law makes up for", default=None)
    poles: Poles | None = label("poles from which the gains follow, in their place", default=None)

    def placed(self, poles: Poles) -> PrecomputedTorque:
        """The same law with the gains that poles give it.

        Args:
            poles: the poles, with the inertia that each motor feels.
        """
        kp, kd = second_order(poles.frequency, poles.damping, poles.felt)
        return replace(self, kp=kp, kd=kd, poles=None)

    def problems(self, robot: Robot) -> list[FileProblem]:
        """Needs masses and, for a redundant robot, a sharing rule."""
        return sharing_problems(robot, self.sharing)

    def stage(self, robot: Robot) -> ControlStage:
        """The law as expressions."""
        sample = sample_of(robot)
        wanted, joints = joint_reference(robot, sample.reference), joint_state(robot, self.velocity, sample)
        terms = {
            "tau_p": column(self.kp) * (wanted.q - joints.q),
            "tau_d": column(self.kd) * (wanted.qd - joints.qd),
            **precomputed_terms(robot, sample, self.sharing),
        }
        if self.friction is not None:
            terms["friction"] = self.friction.torque(wanted.qd)
        torque = sum(terms.values(), ca.SX.zeros(robot.motors))
        return ControlStage(sample, joints.memory, torque, terms, {"q": joints.q, "qd": joints.qd})


def precomputed_terms(robot: Robot, sample: Sample, sharing: str | None) -> dict[str, Any]:
    """Torques of the model at what is wanted, by name: tau_M, tau_n and, where motors share, sharing.

    Args:
        robot: the controller's description.
        sample: the symbols of a sample.
        sharing: how redundant motors share.
    """
    reference = sample.reference
    body = rigid_body(robot, TaskState(reference.x, reference.xd, ()), reference.payload)
    terms = {"tau_M": ca.mtimes(body.mass, reference.xdd), "tau_n": body.bias}
    preload = body.shared(reference.xdd, sharing)
    return terms if preload is None else {**terms, "sharing": preload}
