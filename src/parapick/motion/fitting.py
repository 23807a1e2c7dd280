"""A time law fitted to a stroke: by its duration, or by limits on speed, acceleration and jerk.

With the coefficients of a law, `v = C_v D / T`, `a = C_a D / T^2` and `j = C_j D / T^3`. A law with a cruise gets its
share of cruise from the limits: for a pulse of mean A, steepest slope B and centroid m (the share of `v t_a` covered
while it speeds up), a speed v needs a ramp `t_a = max(v / (A a), sqrt(v B / (A j)))`, and the stroke takes
`T = 2 t_a + (D - 2 m v t_a) / v`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, final

import numpy as np
from numpy.typing import ArrayLike

from parapick.answer import keeps
from parapick.extremes import LIMIT_SLACK
from parapick.motion.errors import LimitError, check_stroke
from parapick.motion.law import Law, law_of
from parapick.motion.profile import Piecewise, Profile, Rates, Side
from parapick.units import range_objection

_RAMP_MIN: Final = 1e-15
"""Smallest share of a duration in which a law speeds up: a smaller one is lost in rounding."""

_UNITS: Final = {"v_max": "m/s", "a_max": "m/s2", "j_max": "m/s3"}


@final
@dataclass(frozen=True)
class PlateLimits:
    """What a stroke, or the plate as a whole, may do; infinite where nothing is said.

    Attributes:
        v_max: speed (m/s).
        a_max: acceleration (m/s2), of the plate its Euclidean norm.
        j_max: jerk (m/s3).
    """

    v_max: float = math.inf
    a_max: float = math.inf
    j_max: float = math.inf


@final
@dataclass(frozen=True, eq=False)
class Move:
    """A stroke covered by a law: a length as a function of time.

    Attributes:
        profile: the normalised displacement.
        stroke: length (m).
        duration: time (s).
    """

    profile: Profile
    stroke: float
    duration: float

    @property
    def v_max(self) -> float:
        """Largest speed (m/s)."""
        return self.profile.velocity_coefficient * self.stroke / self.duration

    @property
    def a_max(self) -> float:
        """Largest acceleration (m/s2)."""
        return self.profile.acceleration_coefficient * self.stroke / self.duration**2

    @property
    def j_max(self) -> float:
        """Largest jerk (m/s3); infinite where the acceleration jumps."""
        return self.profile.jerk_coefficient * self.stroke / self.duration**3

    @property
    def corners(self) -> np.ndarray:
        """Times (s) where the formula changes, both ends included."""
        return self.profile.corners * self.duration

    def at(self, t: ArrayLike, side: Side = "right") -> Rates:
        """Length covered (m) and its derivatives by time, shapes like `t`; at rest before and after.

        Args:
            t: times (s).
            side: which limit to take where the acceleration jumps.
        """
        rates = self.profile.at(np.asarray(t, dtype=float) / self.duration, side)
        return Rates(*(self.stroke * value / self.duration**k for k, value in enumerate(rates)))


def plate_limits(v_max: float | None = None, a_max: float | None = None, j_max: float | None = None) -> PlateLimits:
    """Limits (m/s, m/s2, m/s3; None for none); raises `LimitError` for one that is not greater than zero.

    Args:
        v_max: largest speed (m/s).
        a_max: largest acceleration (m/s2).
        j_max: largest jerk (m/s3).
    """
    values = [math.inf if value is None else float(value) for value in (v_max, a_max, j_max)]
    for (name, unit), value in zip(_UNITS.items(), values, strict=True):
        if not value > 0.0:
            raise LimitError(name, f"is {value:g} {unit}; no motion holds it, it must be greater than 0")
        if value < math.inf and (objection := range_objection(value, unit, positive=True)):
            raise LimitError(name, objection)
    return PlateLimits(*values)


def fit(
    law: str | Law,
    stroke: float,
    *,
    duration: float | None = None,
    v_max: float | None = None,
    a_max: float | None = None,
    j_max: float | None = None,
) -> Move:
    """Fit a law to a stroke: in a given time, or in the shortest time that limits allow.

    With a duration the law keeps its own share of cruise, and limits that are given as well are checked.

    Args:
        law: name of a law, or a law.
        stroke: length (m).
        duration: time (s); without it the limits decide.
        v_max: largest speed (m/s).
        a_max: largest acceleration (m/s2).
        j_max: largest jerk (m/s3).

    Raises:
        StrokeError: a stroke that is not greater than zero.
        LimitError: limits that cannot hold, or too few of them.
        UnknownLawError: no law of that name.
    """
    chosen, limits = law_of(law), plate_limits(v_max, a_max, j_max)
    check_stroke("stroke", stroke)
    return fitted_move(chosen, stroke, duration, limits)


def fitted_move(law: Law, stroke: float, duration: float | None, limits: PlateLimits) -> Move:
    """A stroke (m) in a time (s), checked against limits, or without a time as fast as they allow; see `fit`."""
    if duration is None:
        return by_limits(law, stroke, limits)
    move = by_duration(law, stroke, duration)
    check_move(move, limits)
    return move


def check_duration(duration: float) -> None:
    """Raise `LimitError` if a duration (s) is no time in which something can move."""
    if not 0.0 < duration < math.inf:
        raise LimitError("duration", f"is {duration:g} s; it must be a finite time greater than 0")


def by_duration(law: Law, stroke: float, duration: float) -> Move:
    """The law with its own share of cruise, along a stroke (m) in a given time (s)."""
    check_duration(duration)
    edge = None
    if law.rise is None and law.jerk_time is not None:
        edge = law.jerk_time / (law.ramp * duration)
        if edge > 0.5:
            shortest = 2.0 * law.jerk_time / law.ramp
            raise LimitError(
                "duration", f"is {duration:g} s; with its jerk time {law.name} takes {shortest:g} s or more"
            )
    return Move(law.profile(edge=edge), stroke, duration)


def by_limits(law: Law, stroke: float, limits: PlateLimits) -> Move:
    """The law along a stroke (m) in the shortest time that limits of the stroke allow."""
    shape = _shape(law, stroke, limits)
    return Move(law.profile(shape.ramp, shape.edge), stroke, shape.duration)


def shortest_duration(law: Law, stroke: float, limits: PlateLimits) -> float:
    """Time (s) of `by_limits`, without its profile: searches ask for it again and again."""
    return _shape(law, stroke, limits).duration


class _Shape(NamedTuple):
    """A stroke in time: its duration (s), and what of its law the limits settle; None for the law's own."""

    duration: float
    ramp: float | None = None
    edge: float | None = None


def _shape(law: Law, stroke: float, limits: PlateLimits) -> _Shape:
    if law.rise is None:
        return _s_curve(law, stroke, limits)
    if law.cruise:
        return _cruising(law, stroke, limits)
    profile = law.profile()
    if limits.j_max < math.inf:
        _refuse_jerk(law, profile.jerk_coefficient)
    duration = max(
        profile.velocity_coefficient * stroke / limits.v_max,
        math.sqrt(profile.acceleration_coefficient * stroke / limits.a_max),
        0.0 if limits.j_max == math.inf else math.cbrt(profile.jerk_coefficient * stroke / limits.j_max),
    )
    if duration == 0.0:
        raise LimitError(
            "limits", f"give duration, v_max, a_max or j_max; without any of them {law.name} takes no time"
        )
    return _Shape(duration)


def check_move(move: Move, limits: PlateLimits) -> None:
    """Raise `LimitError` if a stroke exceeds limits of its own."""
    check_limits(limits, (move.v_max, move.a_max, move.j_max), f"{move.stroke:g} m in {move.duration:g} s")


def check_limits(
    limits: PlateLimits, values: Sequence[float], what: str, instants: Sequence[str] = ("", "", "")
) -> None:
    """Raise `LimitError` if speed, acceleration or jerk exceed limits: what needs how much, and at which instant."""
    for (name, unit), value, instant in zip(_UNITS.items(), values, instants, strict=True):
        limit = getattr(limits, name)
        if limit < math.inf and not keeps(value, at_most=limit):
            raise LimitError(name, f"is {limit:g} {unit}; {what} need {value:.6g} {unit}{instant}")


@lru_cache(maxsize=64)
def _pulse(law: Law) -> tuple[float, float, float]:
    """Mean, steepest slope and centroid of an acceleration pulse."""
    pulse = Piecewise.of(list(law.pulse()))
    velocity = pulse.integral()
    mean = float(velocity(1.0, "left"))
    slope = math.inf if pulse.jumps() else pulse.derivative().peak()
    return mean, slope, float(velocity.integral()(1.0, "left")) / mean


def _cruising(law: Law, stroke: float, limits: PlateLimits) -> _Shape:
    mean, slope, centroid = _pulse(law)
    if limits.j_max < math.inf:
        _refuse_jerk(law, slope)
    if limits.a_max == math.inf and limits.j_max == math.inf:
        raise LimitError("a_max", f"{law.name} speeds up at its limit; give a_max or j_max")
    v_a = math.sqrt(stroke * mean * limits.a_max / (2 * centroid))
    v_j = (
        (stroke / (2 * centroid) * math.sqrt(mean * limits.j_max / slope)) ** (2 / 3) if slope < math.inf else math.inf
    )
    speed = min(v_a, v_j, limits.v_max)
    jerked = math.sqrt(speed * slope / (mean * limits.j_max)) if limits.j_max < math.inf else 0.0
    ramp_time = max(speed / (mean * limits.a_max), jerked)
    return _assembled(stroke, speed, ramp_time, centroid, None)


def _s_curve(law: Law, stroke: float, limits: PlateLimits) -> _Shape:
    """The s-curve: its jerk time is the time to reach `a_max`, so it stands for a bound on the jerk.

    A stroke too short to reach `a_max` keeps the jerk and has shorter edges and no plateau.
    """
    a_max, j_max = limits.a_max, limits.j_max
    if law.jerk_time is not None:
        a_max = min(a_max, j_max * law.jerk_time)
        j_max = a_max / law.jerk_time
    if j_max == math.inf:
        need = "a_max or j_max" if law.jerk_time is not None else "a jerk_time or j_max; without either use trapezoidal"
        raise LimitError("jerk_time" if law.jerk_time is None else "a_max", f"{law.name} needs {need}")
    speed = (stroke * math.sqrt(j_max) / 2) ** (2 / 3)
    if math.sqrt(speed * j_max) > a_max:
        # Ramps with a plateau at a_max fill the stroke: v^2 / a + v t_j = D.
        edge = a_max / j_max
        speed = 2 * stroke / (edge + math.sqrt(edge**2 + 4 * stroke / a_max))
    speed = min(speed, limits.v_max)
    jerk_time = min(a_max / j_max, math.sqrt(speed / j_max))
    ramp_time = 2 * jerk_time if jerk_time < a_max / j_max else speed / a_max + jerk_time
    return _assembled(stroke, speed, ramp_time, 0.5, jerk_time / ramp_time)


def _assembled(stroke: float, speed: float, ramp_time: float, centroid: float, edge: float | None) -> _Shape:
    cruise = stroke / speed - 2 * centroid * ramp_time
    duration = 2 * ramp_time + max(0.0, cruise)
    # A cruise of rounding errors would be a piece of no meaning.
    ramp = ramp_time / duration if cruise > LIMIT_SLACK * duration else 0.5
    if ramp < _RAMP_MIN:
        raise LimitError(
            "v_max",
            f"is {speed:.3g} m/s; of a stroke of {duration:.3g} s, {ramp_time:.3g} s to speed up are next to nothing",
        )
    return _Shape(duration, ramp, edge)


def _refuse_jerk(law: Law, coefficient: float) -> None:
    if coefficient == math.inf:
        raise LimitError(
            "j_max", f"the acceleration of {law.name} jumps, so no bound on jerk holds; use s-curve or 3-4-5"
        )
