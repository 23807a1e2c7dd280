"""Iterative learning over repeated cycles (Li, Liu, Cui and Wu 2022, Intell. Robot. 2, 89), open-closed-loop or D type.

The document gives its robot, of the kind of wu2020, a torque that is corrected after every cycle by the errors of the
cycle before (open loop) and within the cycle by its own (closed loop), and compares it with the D type, whose
correction is the derivative of the error of the cycle before. We know it by its abstract; what stands here is this
structure with gains of our own. The correction from cycle to cycle is a share of the feedback torque, which converges
wherever `|1 - share (K_d s + K_p) / (I s^2 + K_d s + K_p)| < 1`, and passes a low pass without phase.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal, final

import casadi as ca
import numpy as np

from parapick.control.feedforward import FrictionFeedforward, column
from parapick.control.fields import Numbers, per_joint
from parapick.control.poles import Poles, second_order
from parapick.control.precomputed import precomputed_terms
from parapick.control.rigid import sharing_problems
from parapick.control.sensing import Differenced, VelocitySensing, joint_reference, joint_state
from parapick.control.stage import ControlStage, sample_of
from parapick.errors import FileProblem
from parapick.fields import label, quantity
from parapick.forms import Whole, Word
from parapick.limits import MOST
from parapick.mechanism import Robot
from parapick.motors import SHARINGS


@final
@dataclass(frozen=True)
class IterativeLearning:
    """`tau = K_p e + K_d de/dt + M_p xdd_ref + n_p + u_k` with `e = q_ref - q`, the model at the reference.

    After cycle k: `u_(k+1) = Q (u_k + share (K_p e_k + K_d de_k/dt))`, errors taken some samples ahead to make up for
    the delay; of the D type `u_(k+1) = Q (u_k + share K_d de_k/dt)`. Q weighs a frequency f by `1 / (1 + (f /
    cutoff)^4)` and shifts none. The first cycle has u = 0.
    """

    name: ClassVar[str] = "learning"
    learns: ClassVar[bool] = True
    follows_reference: ClassVar[bool] = False  # What was learned is replayed by the clock.

    kp: Numbers | None = per_joint("N m/rad", "proportional gain", default=None, at_least=0.0)
    kd: Numbers | None = per_joint("N m s/rad", "derivative gain", default=None, at_least=0.0)
    mode: Literal["open-closed", "d"] = label(
        "what is learned from: the whole feedback, or the derivative of the error alone", default="open-closed"
    )
    share: float = quantity("", "share of the feedback that is learned in a cycle", default=0.8, above=0.0, at_most=2.0)
    cutoff: float = quantity("Hz", "corner frequency of what is learned", default=150.0, above=0.0)
    ahead: int = label("samples by which errors are taken ahead", default=2, form=Whole(0, MOST["ahead"]))
    sharing: str | None = label("how redundant motors share", default=None, form=Word(SHARINGS))
    velocity: VelocitySensing = label("how joint rates are found", default=Differenced())
    friction: FrictionFeedforward | None = label("friction the law makes up for", default=None)
    poles: Poles | None = label("poles from which the gains follow, in their place", default=None)

    def placed(self, poles: Poles) -> IterativeLearning:
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
        """The law as expressions, without what it has learned: that comes with the reference."""
        sample = sample_of(robot)
        wanted, joints = joint_reference(robot, sample.reference), joint_state(robot, self.velocity, sample)
        terms = {
            "tau_p": column(self.kp) * (wanted.q - joints.q),
            "tau_d": column(self.kd) * (wanted.qd - joints.qd),
            **precomputed_terms(robot, sample, self.sharing),
            "learned": sample.reference.learned,
        }
        if self.friction is not None:
            terms["friction"] = self.friction.torque(wanted.qd)
        torque = sum(terms.values(), ca.SX.zeros(robot.motors))
        return ControlStage(sample, joints.memory, torque, terms, {"q": joints.q, "qd": joints.qd})

    def relearned(self, learned: np.ndarray, error: np.ndarray, step: float) -> np.ndarray:
        """What is known after a cycle (N, n), N m, on evenly spaced instants of the cycle.

        After a cycle its errors are known whole, so that their rate is a central difference, which lags behind nothing.

        Args:
            learned: what was known in it (N, n), N m.
            error: its errors `q_ref - q` (N, n), rad.
            step: time between two instants (s).
        """
        rate = (np.roll(error, -1, axis=0) - np.roll(error, 1, axis=0)) / (2.0 * step)
        correction = np.array(self.kd) * rate
        if self.mode == "open-closed":
            correction = correction + np.array(self.kp) * error
        raw = learned + self.share * np.roll(correction, -self.ahead, axis=0)
        frequency = np.fft.rfftfreq(len(raw), step)
        weight = 1.0 / (1.0 + (frequency / self.cutoff) ** 4)
        return np.fft.irfft(weight[:, None] * np.fft.rfft(raw, axis=0), len(raw), axis=0)
