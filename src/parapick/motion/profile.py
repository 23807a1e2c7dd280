"""A time law made concrete: the normalised displacement s(tau) with its exact derivatives and its coefficients."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, final

import numpy as np
from numpy.typing import ArrayLike

from parapick.motion.piecewise import Piecewise, Segment, Side


class Rates(NamedTuple):
    """A length along a path, or a share of it, with its first three derivatives by time."""

    s: np.ndarray
    sd: np.ndarray
    sdd: np.ndarray
    sddd: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class Profile:
    """A displacement over a time from 0 to 1.

    Attributes:
        position: s(tau); 0 before and a straight line after.
    """

    position: Piecewise

    @cached_property
    def velocity(self) -> Piecewise:
        """First derivative."""
        return self.position.derivative()

    @cached_property
    def acceleration(self) -> Piecewise:
        """Second derivative."""
        return self.velocity.derivative()

    @cached_property
    def jerk(self) -> Piecewise:
        """Third derivative of the pieces; where the acceleration jumps it is infinite and not seen here."""
        return self.acceleration.derivative()

    @cached_property
    def velocity_coefficient(self) -> float:
        """`C_v = v_max T / D`."""
        return self.velocity.peak()

    @cached_property
    def acceleration_coefficient(self) -> float:
        """`C_a = a_max T^2 / D`."""
        return self.acceleration.peak()

    @cached_property
    def jerk_coefficient(self) -> float:
        """`C_j = j_max T^3 / D`; infinite where the acceleration jumps, at the ends too."""
        return math.inf if self.acceleration.jumps() else self.jerk.peak()

    @property
    def corners(self) -> np.ndarray:
        """Times (n + 1,) from 0 to 1 where the formula changes, both ends included."""
        return self.position.breaks

    def at(self, tau: ArrayLike, side: Side = "right") -> Rates:
        """Displacement and its first three derivatives by tau, at rest before 0; shapes like `tau`.

        Args:
            tau: times as shares of the duration.
            side: which limit to take where the acceleration jumps.
        """
        return Rates(*(f(tau, side) for f in (self.position, self.velocity, self.acceleration, self.jerk)))


def braked(pulse: Sequence[Segment], ramp: float) -> Profile:
    """Profile of a pulse, a cruise and the mirrored pulse.

    Args:
        pulse: acceleration over a length of 1.
        ramp: share of the duration that one pulse takes, at most 0.5.
    """
    starting = [_stretched(segment, ramp) for segment in pulse]
    stopping = [_negated(_mirrored(segment)) for segment in reversed(starting)]
    acceleration = Piecewise.of([*starting, Segment(1.0 - 2.0 * ramp), *stopping])
    position = acceleration.integral().integral()
    return Profile(position.times(1.0 / float(position(1.0, "left"))).continued(1.0, 0.0))


def ramped(pulse: Sequence[Segment]) -> Profile:
    """Profile of a pulse alone: its velocity goes from 0 to 1 and stays there.

    Args:
        pulse: acceleration over a length of 1.
    """
    velocity = Piecewise.of(list(pulse)).integral()
    position = velocity.times(1.0 / float(velocity(1.0, "left"))).integral()
    return Profile(position.continued(float(position(1.0, "left")), 1.0))


def _stretched(segment: Segment, factor: float) -> Segment:
    amplitude, frequency, phase = segment.sine
    coefficients = tuple(c / factor**k for k, c in enumerate(segment.coefficients))
    return Segment(segment.length * factor, coefficients, (amplitude, frequency / factor, phase))


def _mirrored(segment: Segment) -> Segment:
    """The segment run backwards: f(L - u), expanded in powers of u."""
    mirrored = np.polynomial.Polynomial(segment.coefficients)(np.polynomial.Polynomial([segment.length, -1.0]))
    amplitude, frequency, phase = segment.sine
    # sin(w (L - u) + p) = -sin(w u - (w L + p))
    return Segment(segment.length, tuple(mirrored.coef), (-amplitude, frequency, -(frequency * segment.length + phase)))


def _negated(segment: Segment) -> Segment:
    amplitude, frequency, phase = segment.sine
    return replace(segment, coefficients=tuple(-c for c in segment.coefficients), sine=(-amplitude, frequency, phase))
