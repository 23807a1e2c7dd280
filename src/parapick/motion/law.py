"""Time laws as data: how a stroke of length 1 is covered in a time of 1.

Every law is an acceleration pulse, a cruise that may be empty, and the same pulse mirrored for braking. A pulse rises
over a share `rise` of its length, stays at its peak and falls over a share `fall`, along straight lines or quarter
sines; a polynomial is given by its coefficients. Twelve laws of the literature are rows of that table:

| law | edges | rise | fall | cruise |
| --- | --- | --- | --- | --- |
| bang-bang | line | 0 | 0 | |
| trapezoidal | line | 0 | 0 | yes |
| s-curve | line | jerk time | jerk time | yes |
| pulse | line | lam / 2 | lam / 2 | yes |
| cubic | line | 0 | 1 | |
| half-sine | sine | 1/2 | 1/2 | yes |
| cycloid | sine | 1/2 | 1/2 | |
| harmonic | sine | 0 | 1 | |
| modified-sine | sine | 1/4 | 3/4 | |
| modified-trapezoid | sine | edge | edge | if ramp < 1/2 |
| 3-4-5 | polynomial | | | |
| 4-5-6-7 | polynomial | | | |
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Literal, final

from parapick.motion.errors import LimitError, UnknownLawError
from parapick.motion.profile import Profile, Segment, braked, ramped
from parapick.units import range_objection

# Share of the duration that each ramp takes where a law with a cruise is fitted by its duration alone: with a third
# for each of ramp, cruise and ramp a trapezoid needs the least mean square acceleration of all trapezoids.
_THIRD: Final = 1.0 / 3.0
# Smallest share of a duration or a pulse: slopes are its inverse, which must stay a number.
_SHARE_MIN: Final = 1e-9


@final
@dataclass(frozen=True)
class Law:
    """A time law: an acceleration pulse of peak 1 and length 1, and how it is used.

    Attributes:
        name: name in the registry.
        edge: shape of the pulse's edges.
        rise: share of the pulse in which it rises; None where the jerk settles it.
        fall: share of the pulse in which it falls; None where the jerk settles it.
        polynomial: coefficients of the pulse instead of edges, lowest first.
        ramp: share of the duration that one pulse takes when the law is fitted by a duration; 0.5 leaves no cruise.
        cruise: whether limits may lengthen the cruise between the pulses.
        jerk_time: duration of an edge (s) of the s-curve; None where a bound on the jerk settles it.
    """

    name: str
    edge: Literal["line", "sine"] = "line"
    rise: float | None = 0.0
    fall: float | None = 0.0
    polynomial: tuple[float, ...] = ()
    ramp: float = 0.5
    cruise: bool = False
    jerk_time: float | None = None

    def pulse(self, edge: float | None = None) -> tuple[Segment, ...]:
        """The acceleration pulse: peak 1, length 1.

        Args:
            edge: share of rise and of fall, for a law whose edges the jerk settles.
        """
        if self.polynomial:
            return (Segment(1.0, self.polynomial),)
        rise = edge if self.rise is None else self.rise
        fall = edge if self.fall is None else self.fall
        if rise is None or fall is None:
            raise LimitError("jerk_time", f"the edges of {self.name} follow from jerk_time or j_max; give one of them")
        plateau = Segment(max(0.0, 1.0 - rise - fall), (1.0,))
        return (_edge(self.edge, rise, rising=True), plateau, _edge(self.edge, fall, rising=False))

    def profile(self, ramp: float | None = None, edge: float | None = None) -> Profile:
        """The law as a normalised displacement s(tau) from 0 to 1 with its derivatives.

        Args:
            ramp: share of the duration that one pulse takes, at most 0.5; the law's own if not given.
            edge: share of a pulse that an edge takes, for a law whose edges the jerk settles.
        """
        return _profile(self, self.ramp if ramp is None else ramp, edge)

    def unit_ramp(self) -> Profile:
        """The pulse as a change of speed: its velocity W(tau) goes from 0 to 1, its position is the integral of W."""
        return ramped(self.pulse())


@lru_cache(maxsize=256)
def _profile(law: Law, ramp: float, edge: float | None) -> Profile:
    return braked(law.pulse(edge), ramp)


def _edge(edge: str, length: float, *, rising: bool) -> Segment:
    """From 0 to 1 or back, along a straight line or a quarter sine."""
    if length <= 0.0:
        return Segment(0.0)
    if edge == "line":
        return Segment(length, (0.0, 1.0 / length) if rising else (1.0, -1.0 / length))
    return Segment(length, sine=(1.0, math.pi / (2 * length), 0.0 if rising else math.pi / 2))


def bang_bang() -> Law:
    """Full acceleration, then full braking: the shortest duration under a bound on acceleration alone."""
    return Law("bang-bang")


def trapezoidal(ramp: float = _THIRD) -> Law:
    """Trapezoidal velocity: constant acceleration, cruise, constant braking.

    Args:
        ramp: share of the duration that each ramp takes when fitted by a duration, in (0, 0.5].
    """
    return Law("trapezoidal", ramp=_share("ramp", ramp), cruise=True)


def s_curve(jerk_time: float | None = None, ramp: float = _THIRD) -> Law:
    """Trapezoidal acceleration: every edge has the same jerk.

    Args:
        jerk_time: time from rest to full acceleration (s), which is how long an edge lasts and, under limits, a bound
            `a_max / jerk_time` on the jerk; None where `j_max` gives it.
        ramp: share of the duration that each ramp takes when fitted by a duration, in (0, 0.5].
    """
    if jerk_time is not None and not 0.0 < jerk_time < math.inf:
        raise LimitError("jerk_time", f"is {jerk_time:g} s; it must be greater than 0 (for none use trapezoidal)")
    if jerk_time is not None and (objection := range_objection(jerk_time, "s", positive=True)):
        raise LimitError("jerk_time", objection)
    return Law("s-curve", rise=None, fall=None, ramp=_share("ramp", ramp), cruise=True, jerk_time=jerk_time)


def pulse(lam: float = 0.73, ramp: float = _THIRD) -> Law:
    """Acceleration pulse with edges of lam/2 each, cruise and mirrored pulse, as for corbel2010 section V.

    Args:
        lam: share of the pulse that its two edges take, in [0, 1]: 0 is trapezoidal velocity, 1 a triangular pulse.
        ramp: share of the duration that each pulse takes when fitted by a duration, in (0, 0.5].
    """
    if not 0.0 <= lam <= 1.0:
        raise LimitError("lam", f"is {lam:g}; it must be between 0 and 1")
    edge = _not_tiny("lam", lam) / 2 if lam else 0.0
    return Law("pulse", rise=edge, fall=edge, ramp=_share("ramp", ramp), cruise=True)


def half_sine(ramp: float = _THIRD) -> Law:
    """Half a sine of acceleration, cruise, half a sine of braking.

    Args:
        ramp: share of the duration that each pulse takes when fitted by a duration, in (0, 0.5].
    """
    return Law("half-sine", "sine", 0.5, 0.5, ramp=_share("ramp", ramp), cruise=True)


def cubic() -> Law:
    """Cubic polynomial 3 tau^2 - 2 tau^3: the acceleration falls along a line."""
    return Law("cubic", "line", 0.0, 1.0)


def cycloid() -> Law:
    """Cycloid tau - sin(2 pi tau) / (2 pi): a full sine of acceleration."""
    return Law("cycloid", "sine", 0.5, 0.5)


def harmonic() -> Law:
    """Harmonic law (1 - cos(pi tau)) / 2."""
    return Law("harmonic", "sine", 0.0, 1.0)


def modified_sine() -> Law:
    """Modified sine of cam design: quarter sines of an eighth of the duration at the ends, a slow half sine between."""
    return Law("modified-sine", "sine", 0.25, 0.75)


def modified_trapezoid(edge: float = 0.25, ramp: float = 0.5) -> Law:
    """Modified trapezoid of cam design: pulses with quarter-sine edges, with a cruise where `ramp` leaves one.

    Args:
        edge: share of a pulse that each edge takes, in (0, 0.5].
        ramp: share of the duration that each pulse takes when fitted by a duration, in (0, 0.5].
    """
    side = _share("edge", edge)
    return Law("modified-trapezoid", "sine", side, side, ramp=_share("ramp", ramp), cruise=ramp < 0.5)


def polynomial_345() -> Law:
    """Quintic 10 tau^3 - 15 tau^4 + 6 tau^5."""
    return Law("3-4-5", polynomial=(0.0, 2.0, -3.0, 1.0))


def polynomial_4567() -> Law:
    """Septic 35 tau^4 - 84 tau^5 + 70 tau^6 - 20 tau^7."""
    return Law("4-5-6-7", polynomial=(0.0, 0.0, 4.0, -8.0, 5.0, -1.0))


def _share(name: str, value: float) -> float:
    if not 0.0 < value <= 0.5:
        raise LimitError(name, f"is {value:g}; it must be greater than 0 and at most 0.5")
    return _not_tiny(name, value)


def _not_tiny(name: str, value: float) -> float:
    if value < _SHARE_MIN:
        raise LimitError(name, f"is {value:g}; it must be at least {_SHARE_MIN:g}")
    return value


_MAKERS: Final = (
    *(trapezoidal, s_curve, pulse, half_sine, cubic, polynomial_345, polynomial_4567),
    *(modified_sine, modified_trapezoid, cycloid, harmonic, bang_bang),
)
LAWS: Final[Mapping[str, Callable[..., Law]]] = MappingProxyType({make().name: make for make in _MAKERS})
"""Name -> function that makes the law; every parameter has a default."""


def law_of(law: str | Law) -> Law:
    """The law of a name, with its default parameters; a law is returned as it is.

    Args:
        law: a name of `LAWS`, or a law.

    Raises:
        UnknownLawError: there is no such law; the error says which come close and which there are.
    """
    if isinstance(law, Law):
        return law
    if law not in LAWS:
        raise UnknownLawError(law, tuple(LAWS))
    return LAWS[law]()
