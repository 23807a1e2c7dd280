"""Encoders, and friction at the joints of the real robot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, final

from parapick.control.fields import Numbers, per_joint
from parapick.fields import label

PRESLIDING: Final = 2e-4
"""Displacement (rad) over which dry friction builds up where none is given."""


@final
@dataclass(frozen=True)
class Encoder:
    """Encoders of finite resolution."""

    resolution: Numbers = per_joint("rad", "smallest step of the angle at the joint", above=0.0)


@final
@dataclass(frozen=True)
class JointFriction:
    """Friction at the joints of the plant: `(coulomb + stribeck exp(-(qd/v_s)^2)) s + viscous qd`.

    The dry part builds up over a small displacement. "elasto-plastic": `ds/dq = 1 / presliding` until s is -1 or 1, so
    that a joint under less than its breakaway torque is a spring and stays where it is. "dahl": `ds/dq =
    (1 - s sign(qd)) / presliding`, which is smooth, and creeps under a load that swings.
    """

    coulomb: Numbers = per_joint("N m", "Coulomb friction", default=0.0, at_least=0.0)
    viscous: Numbers = per_joint("N m s/rad", "viscous friction", default=0.0, at_least=0.0)
    stribeck: Numbers = per_joint("N m", "breakaway torque above Coulomb's", default=0.0, at_least=0.0)
    stribeck_speed: Numbers = per_joint("rad/s", "speed at which the Stribeck excess decays", default=0.01, above=0.0)
    presliding: Numbers = per_joint("rad", "displacement over which it builds up", default=PRESLIDING, above=0.0)
    model: Literal["elasto-plastic", "dahl"] = label("how the dry part builds up", default="elasto-plastic")
