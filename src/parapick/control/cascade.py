"""P/PI cascade: a position loop around a velocity loop, joint by joint, as drives have it (nabat2005, section V)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, final

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from parapick.control.feedforward import FrictionFeedforward, column
from parapick.control.fields import Numbers, per_joint
from parapick.control.poles import Poles, as_numbers, cascade
from parapick.control.sensing import Differenced, VelocitySensing, joint_reference, joint_state
from parapick.control.stage import ControlStage, Memory, sample_of
from parapick.errors import FileProblem
from parapick.fields import label, quantity
from parapick.mechanism import Robot

VELOCITY_LOOP: Final = 4.0
"""Bandwidth of the velocity loop over that of the position loop, where only one is given."""

RESET: Final = 0.1
"""Corner of the integral as a share of the velocity bandwidth, where none is given."""


@final
@dataclass(frozen=True)
class CascadePPI:
    """`tau = K_v (v - qd) + K_i int (v - qd) dt` with `v = K_p (q_ref - q) + c qd_ref`; no masses needed.

    The integral waits while the torque is beyond the drive's limit and the error would drive it further (conditional
    anti-windup). c = 1 is full velocity feedforward, 0 none.
    """

    name: ClassVar[str] = "ppi"

    kp: Numbers | None = per_joint("1/s", "gain of the position loop", default=None, at_least=0.0)
    kv: Numbers | None = per_joint("N m s/rad", "proportional gain of the velocity loop", default=None, at_least=0.0)
    ki: Numbers | None = per_joint("N m/rad", "integral gain of the velocity loop", default=None, at_least=0.0)
    feedforward: float = quantity(
        "", "share of the wanted rate that is fed forward", default=1.0, at_least=0.0, at_most=1.0
    )
    velocity: VelocitySensing = label("how joint rates are found", default=Differenced())
    friction: FrictionFeedforward | None = label("friction the law makes up for", default=None)
    poles: Poles | None = label("poles from which the gains follow, in their place", default=None)

    @classmethod
    def from_bandwidth(
        cls, position: ArrayLike, velocity: ArrayLike, inertia: ArrayLike, reset: ArrayLike = RESET
    ) -> CascadePPI:
        """Gains from the bandwidths of both loops: `K_p = 2 pi f_p`, `K_v = 2 pi f_v I`, `K_i = 2 pi reset f_v K_v`.

        Args:
            position: bandwidth of the position loop (Hz), for all joints or one per joint; well below that of velocity.
            velocity: bandwidth of the velocity loop (Hz).
            inertia: inertia each motor feels (kg m2); see `inertia_at_joints`.
            reset: corner of the integral as a share of the velocity bandwidth.
        """
        kp, kv, ki = cascade(position, velocity, inertia, reset)
        return cls(kp, kv, ki)

    def placed(self, poles: Poles) -> CascadePPI:
        """The same law with the gains that poles give it.

        Args:
            poles: the poles, with the inertia that each motor feels.
        """
        velocity = VELOCITY_LOOP * np.asarray(poles.frequency)
        kp, kv, ki = cascade(poles.frequency, velocity, poles.felt, RESET)
        return replace(self, kp=kp, kv=kv, ki=ki, poles=None)

    @property
    def error_gains(self) -> tuple[Numbers, Numbers]:
        """Gains on the error of a joint and on its rate: `K_v K_p` and `K_v`."""
        kp, kv = np.asarray(self.kp, dtype=float), np.asarray(self.kv, dtype=float)
        return as_numbers(kv * kp), as_numbers(kv)

    def problems(self, robot: Robot) -> list[FileProblem]:
        """Fits every robot."""
        return []

    def stage(self, robot: Robot) -> ControlStage:
        """The law as expressions."""
        sample = sample_of(robot)
        wanted, joints = joint_reference(robot, sample.reference), joint_state(robot, self.velocity, sample)
        position = column(self.kp) * (wanted.q - joints.q)
        rest = self.feedforward * wanted.qd - joints.qd
        integral = ca.SX.sym("tau_i", robot.motors)
        terms: dict[str, Any] = {
            "tau_p": column(self.kv) * position,
            "tau_d": column(self.kv) * rest,
            "tau_i": integral,
        }
        if self.friction is not None:
            terms["friction"] = self.friction.torque(wanted.qd)
        torque = sum(terms.values(), ca.SX.zeros(robot.motors))
        error = position + rest
        # Beyond the limit and pulled further: torque and error have one sign.
        winding = ca.logic_and(ca.fabs(torque) > sample.limit, torque * error > 0)
        summed = integral + ca.if_else(winding, 0.0, sample.step * column(self.ki) * error)
        memory = Memory(integral, ca.SX.zeros(robot.motors), summed)
        return ControlStage(sample, (*joints.memory, memory), torque, terms, {"q": joints.q, "qd": joints.qd})
