"""Computed torque with nonlinear PD (Shang and Cong 2009, Mechatronics 19, 987): gains that follow the error's size.

Small errors get more stiffness than large ones where the exponent of the proportional part is below 1, and fast ones
more damping where that of the derivative part is above 1. The document's gains are those at an error of 1 rad and of
1 rad/s; ours are those below the thresholds, so that the poles of small errors are those that are stated.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, final

import casadi as ca

from parapick.control.feedforward import FrictionFeedforward, column
from parapick.control.fields import Numbers, per_joint
from parapick.control.poles import Poles, second_order
from parapick.control.rigid import sharing_problems
from parapick.control.sensing import Differenced, FromJoints, PoseSensing, VelocitySensing, joint_reference
from parapick.control.stage import ControlStage
from parapick.control.task import task_blocks
from parapick.errors import FileProblem
from parapick.fields import label, quantity
from parapick.forms import Word
from parapick.mechanism import Robot
from parapick.motors import SHARINGS


@final
@dataclass(frozen=True)
class NonlinearPD:
    """`tau = M (qdd_ref + K_D(de/dt) de/dt + K_P(e) e) + C qd + G` with `e = q_ref - q`, at the measured joints.

    `K_P(e) = K_P max(|e| / threshold, 1)^(power - 1)`, and K_D(de/dt) likewise with its own threshold and power.
    """

    name: ClassVar[str] = "nonlinear-pd"

    kp: Numbers | None = per_joint("1/s2", "proportional gain of small errors", default=None, at_least=0.0)
    kd: Numbers | None = per_joint("1/s", "derivative gain of slow errors", default=None, at_least=0.0)
    threshold: Numbers = per_joint("rad", "error up to which the gain is K_P", default=2e-4, above=0.0)
    power: float = quantity("", "exponent of the proportional part beyond it", default=0.8, above=0.0, at_most=1.0)
    rate_threshold: Numbers = per_joint("rad/s", "rate up to which the gain is K_D", default=0.05, above=0.0)
    rate_power: float = quantity(
        "", "exponent of the derivative part beyond it", default=1.1, at_least=1.0, at_most=2.0
    )
    sharing: str | None = label("how redundant motors share", default=None, form=Word(SHARINGS))
    velocity: VelocitySensing = label("how joint rates are found", default=Differenced())
    pose: PoseSensing = label("how the pose is found", default=FromJoints())
    friction: FrictionFeedforward | None = label("friction the law makes up for", default=None)
    poles: Poles | None = label("poles from which the gains follow, in their place", default=None)

    def placed(self, poles: Poles) -> NonlinearPD:
        """The same law with the gains that poles give small errors."""
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
        feedback = (
            column(self.kp) * _bent(wanted.q - joints.q, column(self.threshold), self.power),
            column(self.kd) * _bent(wanted.qd - joints.qd, column(self.rate_threshold), self.rate_power),
        )
        motions = body.acceleration(ca.horzcat(*feedback, wanted.qdd, -body.drift))
        torques = ca.mtimes(body.mass, motions)
        terms = {name: torques[:, k] for k, name in enumerate(("tau_p", "tau_d", "tau_M"))}
        terms["tau_n"] = body.bias + torques[:, 3]
        preload = body.shared(ca.sum2(motions), self.sharing)
        if preload is not None:
            terms["sharing"] = preload
        if self.friction is not None:
            terms["friction"] = self.friction.torque(wanted.qd)
        torque = sum(terms.values(), ca.SX.zeros(robot.motors))
        return ControlStage(blocks.sample, blocks.memory, torque, terms, blocks.estimate)


def _bent(error: Any, threshold: Any, power: Any) -> Any:
    """An error times `max(|error| / threshold, 1)^(power - 1)`."""
    return error * ca.exp((power - 1) * ca.log(ca.fmax(ca.fabs(error) / threshold, 1.0)))
