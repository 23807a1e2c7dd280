"""Time laws made concrete: displacements s(tau) of polynomials and sines, with exact derivatives and coefficients.

A function of polynomials and sines, piece by piece, can be differentiated and integrated exactly any number of times,
so velocities, accelerations and jerks are the derivatives of positions and not estimates of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, NamedTuple, final

import numpy as np
from numpy.typing import ArrayLike

from parapick.roots import bisected

Side = Literal["left", "right"]
"""Which limit to take where a function jumps."""


def opposite(side: Side) -> Side:
    """The other side of a jump: what comes, seen backwards, is what was."""
    return "left" if side == "right" else "right"


# A break met to this distance is meant exactly: it is what rounding makes of (t - start) / duration.
_SNAP: Final = 1e-12
# Grid within a piece on which an extremum is bracketed before it is refined; the pieces of time laws have at most two.
_BRACKETS: Final = 64


@final
@dataclass(frozen=True)
class Segment:
    """`c0 + c1 u + c2 u^2 + ... + A sin(w u + p)` on a piece of length `length`, with `u` counted from its start.

    Attributes:
        length: length of the piece.
        coefficients: c0, c1, ...
        sine: A, w, p.
    """

    length: float
    coefficients: tuple[float, ...] = (0.0,)
    sine: tuple[float, float, float] = (0.0, 0.0, 0.0)


@final
@dataclass(frozen=True, eq=False)
class Piecewise:
    """A function of a real variable, with one piece before the first break and one after the last.

    Attributes:
        breaks: where the pieces meet (n + 1,), rising.
        polynomials: coefficients of the pieces, lowest first (n + 2, m); the variable counts from the break on the
            left, for the first piece from the one on its right.
        sines: amplitude, frequency and phase of the pieces (n + 2, 3).
    """

    breaks: np.ndarray
    polynomials: np.ndarray
    sines: np.ndarray

    @staticmethod
    def of(segments: Sequence[Segment]) -> Piecewise:
        """Segments one after the other from 0 on, zero outside; those of no length are left out."""
        kept = [segment for segment in segments if segment.length > 0.0]
        width = max(len(segment.coefficients) for segment in kept)
        polynomials = np.zeros((len(kept) + 2, width))
        sines = np.zeros((len(kept) + 2, 3))
        for i, segment in enumerate(kept, start=1):
            polynomials[i, : len(segment.coefficients)] = segment.coefficients
            sines[i] = segment.sine
        breaks = np.cumsum([0.0, *(segment.length for segment in kept)])
        return Piecewise(breaks, polynomials, sines)

    def __call__(self, u: ArrayLike, side: Side = "right") -> np.ndarray:
        """Values at any points, of any shape."""
        return self.with_derivatives(u, side, 0)[0]

    def with_derivatives(self, u: ArrayLike, side: Side = "right", order: int = 3) -> list[np.ndarray]:
        """Values and derivatives of the pieces at any points, of any shape, up to an order."""
        u = np.asarray(u, dtype=float)
        index = self._piece(u, side)
        local = u - self._origins[index]
        # Horner's rule, and the same for the derivatives over their factorials.
        highest, *lower = self.polynomials.T[::-1, index]
        values = [local * 0.0 + highest]
        for coefficient in lower:
            # A derivative is nothing until the power of its order comes.
            begun = values[-1:] if len(values) <= order else []
            for k in range(len(values) - 1, 0, -1):
                values[k] = values[k] * local + values[k - 1]
            values[0] = values[0] * local + coefficient
            values += begun
        values += [np.zeros_like(local) for _ in range(order + 1 - len(values))]
        values = [math.factorial(k) * value if k > 1 else value for k, value in enumerate(values)]
        amplitude, frequency, phase = self.sines.T
        if amplitude.any():
            turn = frequency[index] * local + phase[index]
            for k, value in enumerate(values):
                values[k] = value + amplitude[index] * frequency[index] ** k * np.sin(turn + k * math.pi / 2)
        return values

    def derivative(self) -> Piecewise:
        """The derivative of every piece; jumps between pieces are not seen."""
        powers = np.arange(1, self.polynomials.shape[1])
        lowered = self.polynomials[:, 1:] * powers if len(powers) else np.zeros((len(self.polynomials), 1))
        amplitude, frequency, phase = self.sines.T
        return Piecewise(
            self.breaks, lowered, np.stack([amplitude * frequency, frequency, phase + math.pi / 2], axis=1)
        )

    def integral(self) -> Piecewise:
        """The continuous integral that is zero at the first break."""
        count, width = self.polynomials.shape
        raised = np.zeros((count, width + 1))
        raised[:, 1:] = self.polynomials / np.arange(1, width + 1)
        amplitude, frequency, phase = self.sines.T
        turning = np.where(frequency == 0.0, 1.0, frequency)
        sines = np.stack([amplitude / turning, frequency, phase - math.pi / 2], axis=1)
        # The constant of each piece makes it start where the one before ends.
        whole = Piecewise(self.breaks, raised, sines)
        before, after = whole(self.breaks, "left"), whole(self.breaks)
        raised[0, 0] = -before[0]
        raised[1:, 0] = np.cumsum([0.0, *(before[1:] - after[:-1])]) - after
        return whole

    def times(self, factor: float) -> Piecewise:
        """The function multiplied by a number."""
        return Piecewise(self.breaks, self.polynomials * factor, self.sines * [factor, 1.0, 1.0])

    def continued(self, value: float, slope: float) -> Piecewise:
        """The same function, a straight line after its last break: removes what rounding left there."""
        width = max(2, self.polynomials.shape[1])
        polynomials = np.zeros((len(self.polynomials), width))
        polynomials[:, : self.polynomials.shape[1]] = self.polynomials
        polynomials[-1] = [value, slope, *[0.0] * (width - 2)]
        sines = self.sines.copy()
        sines[-1] = 0.0
        return Piecewise(self.breaks, polynomials, sines)

    def peak(self) -> float:
        """Largest absolute value on the closed pieces between the first and the last break."""
        corners = np.abs([self(self.breaks[:-1]), self(self.breaks[1:], "left")])
        return float(max(corners.max(), np.abs(self(self._stationary())).max(initial=0.0)))

    def jumps(self) -> bool:
        """Whether the function jumps at a break, as seen against its peak."""
        gaps = np.abs(self(self.breaks) - self(self.breaks, "left"))
        return bool(gaps.max() > math.sqrt(_SNAP) * self.peak())

    @cached_property
    def _origins(self) -> np.ndarray:
        return np.concatenate([self.breaks[:1], self.breaks])

    def _piece(self, u: np.ndarray, side: Side) -> np.ndarray:
        snap = _SNAP if side == "right" else -_SNAP
        return np.searchsorted(self.breaks, u + snap, side=side)

    def _stationary(self) -> np.ndarray:
        """Points inside the pieces where the derivative changes its sign, by bisection of brackets."""
        slope = self.derivative()
        grid = np.linspace(self.breaks[:-1], self.breaks[1:], _BRACKETS + 1, axis=-1)
        low, high = grid[:, :-1].ravel(), grid[:, 1:].ravel()
        rising = slope(low) > 0.0
        turns = rising != (slope(high, "left") > 0.0)
        rising = rising[turns]
        return bisected(lambda u: (slope(u) > 0.0) == rising, low[turns], high[turns])[0]


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
        return Rates(*self.position.with_derivatives(tau, side, 3))


def braked(pulse: Sequence[Segment], ramp: float) -> Profile:
    """Profile of a pulse over the share `ramp` of the duration, at most 0.5, a cruise and the mirrored pulse."""
    starting = [_stretched(segment, ramp) for segment in pulse]
    stopping = [_braking(segment) for segment in reversed(starting)]
    acceleration = Piecewise.of([*starting, Segment(1.0 - 2.0 * ramp), *stopping])
    position = acceleration.integral().integral()
    return Profile(position.times(1.0 / float(position(1.0, "left"))).continued(1.0, 0.0))


def ramped(pulse: Sequence[Segment]) -> Profile:
    """Profile of a pulse alone: its velocity goes from 0 to 1 and stays there."""
    velocity = Piecewise.of(list(pulse)).integral()
    position = velocity.times(1.0 / float(velocity(1.0, "left"))).integral()
    return Profile(position.continued(float(position(1.0, "left")), 1.0))


def _stretched(segment: Segment, factor: float) -> Segment:
    amplitude, frequency, phase = segment.sine
    coefficients = tuple(c / factor**k for k, c in enumerate(segment.coefficients))
    return Segment(segment.length * factor, coefficients, (amplitude, frequency / factor, phase))


def _braking(segment: Segment) -> Segment:
    """The segment run backwards and negated: -f(L - u), expanded in powers of u."""
    length, old = segment.length, segment.coefficients
    mirrored = (
        -((-1.0) ** k) * sum(c * math.comb(n, k) * length ** (n - k) for n, c in enumerate(old) if n >= k)
        for k in range(len(old))
    )
    amplitude, frequency, phase = segment.sine
    # -sin(w (L - u) + p) = sin(w u - (w L + p))
    return Segment(length, tuple(mirrored), (amplitude, frequency, -(frequency * length + phase)))
