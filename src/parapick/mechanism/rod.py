"""A rod as a quadratic form in the velocities of its two ends.

Every straight, non-spinning rod has exactly `T = 1/2 (m11 vA.vA + 2 m12 vA.vB + m22 vB.vB)` with A at the elbow and
B at the plate, and hangs with weight shares on its two ends (the spara reference page, section 2). A rod model is
a choice of these five numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, final

__all__ = ["LUMPED", "ROD_MODELS", "RodBody", "RodInertia", "rod_inertia"]


@final
@dataclass(frozen=True)
class RodInertia:
    """The five numbers of a rod.

    Attributes:
        m11: kinetic coefficient of the elbow end (kg).
        m12: coupling of the two ends (kg).
        m22: kinetic coefficient of the plate end (kg).
        weight1: mass that hangs on the elbow end (kg).
        weight2: mass that hangs on the plate end (kg).
    """

    m11: Any
    m12: Any
    m22: Any
    weight1: Any
    weight2: Any


@final
@dataclass(frozen=True)
class RodBody:
    """What a rod model may use of a rod: SI numbers or expressions.

    Attributes:
        mass: mass of the rod (kg).
        length: distance of its ends (m).
        center: distance of its centre of mass from the elbow end (m).
        inertia: moment of inertia about a transverse axis through the centre of mass (kg m2).
        radius: radius of the cylinder (m).
    """

    mass: Any
    length: Any
    center: Any
    inertia: Any
    radius: Any


def _general(rod: RodBody) -> RodInertia:
    elbow, plate, square = rod.center, rod.length - rod.center, rod.length * rod.length
    return RodInertia(
        m11=(rod.mass * plate * plate + rod.inertia) / square,
        m12=(rod.mass * elbow * plate - rod.inertia) / square,
        m22=(rod.mass * elbow * elbow + rod.inertia) / square,
        weight1=rod.mass * plate / rod.length,
        weight2=rod.mass * elbow / rod.length,
    )


def _slender(rod: RodBody) -> RodInertia:
    m = rod.mass
    return RodInertia(m / 3, m / 6, m / 3, m / 2, m / 2)


def _cylinder(rod: RodBody) -> RodInertia:
    m = rod.mass
    extra = m * rod.radius * rod.radius / (4 * rod.length * rod.length)
    return RodInertia(m / 3 + extra, m / 6 - extra, m / 3 + extra, m / 2, m / 2)


def _lumped(share_at_elbow: float) -> Callable[[RodBody], RodInertia]:
    def model(rod: RodBody) -> RodInertia:
        elbow, plate = rod.mass * share_at_elbow, rod.mass * (1 - share_at_elbow)
        return RodInertia(elbow, 0.0, plate, elbow, plate)

    return model


ROD_MODELS: Final[dict[str, Callable[[RodBody], RodInertia]]] = {
    "slender": _slender,
    "cylinder": _cylinder,
    "general": _general,
    "halves": _lumped(1 / 2),
    "two-thirds": _lumped(2 / 3),
    "thirds": _lumped(1 / 3),
}
"""Rod models by name: `slender` is a thin uniform rod; `cylinder` and `general` are exact for their bodies; `halves`
(corbel2010, nabat2005), `two-thirds` (2/3 at the elbow) and `thirds` (1/3 at the elbow, the spara note's order) put
point masses on the ends."""


LUMPED: Final = ("halves", "two-thirds", "thirds")
"""Models that put the mass of a rod on its ends."""


def rod_inertia(model: str, rod: RodBody) -> RodInertia:
    """The five numbers of a rod under a named model.

    Args:
        model: a key of `ROD_MODELS`.
        rod: the rod's mass and shape; the model uses what it needs.
    """
    return ROD_MODELS[model](rod)
