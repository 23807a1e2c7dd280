"""A rod as a quadratic form in the velocities of its two ends.

Every straight, non-spinning rod has exactly `T = 1/2 (m11 vA.vA + 2 m12 vA.vB + m22 vB.vB)` with A at the elbow and
B at the plate, and hangs with weight shares on its two ends. A rod model is
a choice of these five numbers. The variable equivalent masses of the spara note are not: they depend on the velocities.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, final

SPACING_SHARE: Final = 0.25
"""Distance of the two rods of a pair, as a share of the leg's size, where the file has none. Torques do not depend on
it; how a pair shares its force does."""


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
        center: distance of its centre of mass from the elbow end (m); None for the middle.
        inertia: moment of inertia about a transverse axis through the centre of mass (kg m2).
        radius: radius of the cylinder (m).
    """

    mass: Any
    length: Any
    center: Any
    inertia: Any
    radius: Any


@final
@dataclass(frozen=True)
class Rods:
    """All rods of a leg.

    Attributes:
        count: 2 for a pair, 1 for a single rod.
        spacing: distance of the two rods of a pair (m); None where the file has none.
        model: how their mass is spread, a key of `ROD_MODELS`, or one of `VARIABLE`.
        body: mass and shape of all of them together; None where the file has no masses.
    """

    count: int = 1
    spacing: Any = None
    model: str = "slender"
    body: RodBody | None = None

    @property
    def inertia(self) -> RodInertia:
        """The five numbers of all rods together."""
        return rod_inertia(self.model, self.known)

    @property
    def known(self) -> RodBody:
        """Mass and shape of all rods together, of a robot with masses."""
        if self.body is None:
            raise ValueError("the rods have no mass; ask for missing masses first")
        return self.body

    @property
    def sides(self) -> tuple[tuple[str, float], ...]:
        """Letter and side of every rod; a pair whose spacing is not known counts as one rod in the middle."""
        paired = self.count == 2 and self.spacing is not None
        return (("a", -0.5), ("b", 0.5)) if paired else (("", 0.0),)


ONE_ROD: Final = Rods()
"""A single rod without mass: a leg that nothing more is known of."""


def _weights(rod: RodBody) -> tuple[Any, Any]:
    """Masses (kg) that hang on elbow and plate: those two points on the ends whose centre is the rod's."""
    if rod.center is None:
        return rod.mass / 2, rod.mass / 2
    return rod.mass * (rod.length - rod.center) / rod.length, rod.mass * rod.center / rod.length


def _general(rod: RodBody) -> RodInertia:
    elbow = rod.length / 2 if rod.center is None else rod.center
    plate, square = rod.length - elbow, rod.length * rod.length
    weight1, weight2 = _weights(rod)
    return RodInertia(
        m11=(rod.mass * plate * plate + rod.inertia) / square,
        m12=(rod.mass * elbow * plate - rod.inertia) / square,
        m22=(rod.mass * elbow * elbow + rod.inertia) / square,
        weight1=weight1,
        weight2=weight2,
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
        return RodInertia(elbow, 0.0, plate, *_weights(rod))

    return model


def _variable(rod: RodBody) -> RodInertia:
    m = rod.mass
    return RodInertia(m / 3, m / 6, m / 3, *_weights(rod))


ROD_MODELS: Final[dict[str, Callable[[RodBody], RodInertia]]] = {
    "slender": _slender,
    "cylinder": _cylinder,
    "general": _general,
    "halves": _lumped(1 / 2),
    "two-thirds": _lumped(2 / 3),
    "thirds": _lumped(1 / 3),
}
"""Rod models by name: `slender` is a thin uniform rod; `cylinder` and `general` are exact for their bodies; `halves`
(corbel2010, nabat2005), `two-thirds` (2/3 at the elbow) and `thirds` (1/3 at the elbow; the spara note has 1/3 and 2/3
and does not say at which end) move like point masses on the ends. The weight of a lumped rod hangs on its ends by its
centre of mass, as that of the real one, `m l2/(l1 + l2)` and `m l1/(l1 + l2)` with l1 and l2 from the centre to elbow
and plate: so the spara note has it, which keeps the two energies apart."""

UNIFORM: Final = ("slender", "cylinder")
"""Models whose mass is spread evenly, so that the centre is the middle; the others take one off the middle."""


VARIABLE: Final = ("variable-frozen", "variable-rate")
"""Equivalent point masses of the spara note, `m/3 (1 + k)` with k from the end velocities: taken as constant when the
energy is differentiated, or with their rate in time. Differentiated fully they are the slender rod
(papers/spara)."""

AT_REST: Final = 1e-12
"""Sum of fourth powers of speeds (m4/s4) below which k tends to 1/2, so that a rod at rest has its whole mass."""

LUMPED: Final = ("halves", "two-thirds", "thirds")
"""Models that put the mass of a rod on its ends."""


def rod_inertia(model: str, rod: RodBody) -> RodInertia:
    """The five numbers of a rod under a named model.

    Variable masses have the kinetic energy of the slender rod, and so its numbers; their weight hangs by the centre.

    Args:
        model: a key of `ROD_MODELS`, or one of `VARIABLE`.
        rod: the rod's mass and shape; the model uses what it needs.
    """
    return _variable(rod) if model in VARIABLE else ROD_MODELS[model](rod)


@final
@dataclass(frozen=True)
class Ends:
    """Velocities and accelerations of the two ends of a rod, as 3 x 1 expressions: A at the elbow, B at the plate.

    Attributes:
        velocity_a: velocity of the end at the elbow (m/s).
        velocity_b: velocity of the end at the plate (m/s).
        acceleration_a: acceleration of the end at the elbow (m/s2).
        acceleration_b: acceleration of the end at the plate (m/s2).
    """

    velocity_a: Any
    velocity_b: Any
    acceleration_a: Any
    acceleration_b: Any


def end_forces(model: str, rod: RodBody, ends: Ends) -> tuple[Any, Any]:
    """Forces (N) that accelerate a rod at its two ends: `m11 aA + m12 aB` and `m12 aA + m22 aB`, or variable masses.

    Args:
        model: a key of `ROD_MODELS`, or one of `VARIABLE`.
        rod: the rod's mass and shape.
        ends: how its ends move.
    """
    a, b = ends.acceleration_a, ends.acceleration_b
    if model not in VARIABLE:
        numbers = rod_inertia(model, rod)
        return numbers.m11 * a + numbers.m12 * b, numbers.m12 * a + numbers.m22 * b
    first, second = _variable_masses(rod, ends)
    if model == "variable-frozen":
        return first[0] * a, second[0] * b
    return first[0] * a + first[1] * ends.velocity_a, second[0] * b + second[1] * ends.velocity_b


def _variable_masses(rod: RodBody, ends: Ends) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """Equivalent mass and its rate in time, of each end (the spara note, "Variable Mass Method")."""
    va, vb = ends.velocity_a, ends.velocity_b
    squares = (_dot(va, va), _dot(vb, vb))
    rates = (2 * _dot(va, ends.acceleration_a), 2 * _dot(vb, ends.acceleration_b))
    product = _dot(va, vb)
    product_rate = _dot(ends.acceleration_a, vb) + _dot(va, ends.acceleration_b)
    bottom = squares[0] * squares[0] + squares[1] * squares[1] + AT_REST
    bottom_rate = 2 * (squares[0] * rates[0] + squares[1] * rates[1])
    masses = []
    for square, rate in zip(squares, rates, strict=True):
        top = square * product + AT_REST / 2
        k = top / bottom
        k_rate = (rate * product + square * product_rate - k * bottom_rate) / bottom
        masses.append((rod.mass / 3 * (1 + k), rod.mass / 3 * k_rate))
    return masses[0], masses[1]


def _dot(first: Any, second: Any) -> Any:
    return first[0] * second[0] + first[1] * second[1] + first[2] * second[2]
