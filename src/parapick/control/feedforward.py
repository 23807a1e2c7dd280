"""Torques that a law adds by joint: friction it expects, and the sine term of wu2020."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, final

import casadi as ca

from parapick.control.fields import Numbers, per_joint
from parapick.fields import label, quantity

SMOOTH_SPEED: Final = 0.02
"""Joint rate (rad/s) over which the dry friction of a reference changes its sign."""


def column(value: Any) -> Any:
    """Numbers of a description as a column.

    Args:
        value: a tuple of numbers or symbols, one per axis.
    """
    return ca.vertcat(*value)


@final
@dataclass(frozen=True)
class FrictionFeedforward:
    """Friction that a law expects at the rate it wants: `coulomb tanh(qd_ref / speed) + viscous qd_ref`."""

    coulomb: Numbers = per_joint("N m", "dry friction expected", default=0.0, at_least=0.0)
    viscous: Numbers = per_joint("N m s/rad", "viscous friction expected", default=0.0, at_least=0.0)
    speed: float = quantity("rad/s", "rate at which dry friction is reached", default=SMOOTH_SPEED, above=0.0)

    def torque(self, qd: Any) -> Any:
        """Torque to add (n), N m.

        Args:
            qd: joint rates wanted (n), rad/s.
        """
        return column(self.coulomb) * ca.tanh(qd / self.speed) + column(self.viscous) * qd


@final
@dataclass(frozen=True)
class SineTerm:
    """The term f of wu2020 (23), in the controller, in the plant, or in both.

    The print has lost its dots and brackets (papers/wu2020, erratum E8); it reads either
    `lambda (sin(theta') - sin(theta))` ("bracket") or `lambda sin(theta') - sin(theta)` ("plain"). It is not invariant
    to how joint angles are counted: with `theta = mirror q + offset` the torque at q is mirror times the term.
    """

    lam: float = quantity("", "lambda", default=0.5)
    reading: Literal["bracket", "plain"] = label("which way to read the print", default="bracket")
    mirror: Numbers = per_joint("", "+1 or -1, the sense in which theta counts", default=1.0, one_of=(-1.0, 1.0))
    offset: Numbers = per_joint("rad", "theta at q = 0", default=0.0)

    def torque(self, q: Any, qd: Any) -> Any:
        """The term as a torque at the joints (n), N m.

        Args:
            q: joint angles (n), rad.
            qd: joint rates (n), rad/s.
        """
        mirror = column(self.mirror)
        angle, rate = ca.sin(mirror * q + column(self.offset)), ca.sin(mirror * qd)
        if self.reading == "bracket":
            return mirror * self.lam * (rate - angle)
        return mirror * (self.lam * rate - angle)
