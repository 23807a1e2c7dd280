"""Functions made of polynomials and sines, piece by piece: what every time law and every stroke is written in.

Such a function can be differentiated and integrated exactly any number of times, so velocities, accelerations and
jerks are the derivatives of positions and not estimates of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, final

import numpy as np
from numpy.typing import ArrayLike

from parapick.motion.bisection import bisected

Side = Literal["left", "right"]
"""Which limit to take where a function jumps."""

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
    def of(segments: Sequence[Segment], start: float = 0.0) -> Piecewise:
        """Segments one after the other, zero outside.

        Args:
            segments: the pieces; those of no length are left out.
            start: the first break.
        """
        kept = [segment for segment in segments if segment.length > 0.0]
        width = max(len(segment.coefficients) for segment in kept)
        polynomials = np.zeros((len(kept) + 2, width))
        sines = np.zeros((len(kept) + 2, 3))
        for i, segment in enumerate(kept, start=1):
            polynomials[i, : len(segment.coefficients)] = segment.coefficients
            sines[i] = segment.sine
        breaks = start + np.concatenate([[0.0], np.cumsum([segment.length for segment in kept])])
        return Piecewise(breaks, polynomials, sines)

    def __call__(self, u: ArrayLike, side: Side = "right") -> np.ndarray:
        """Values at any points, of any shape."""
        u = np.asarray(u, dtype=float)
        index = self._piece(u, side)
        local = u - self._origins[index]
        value = np.zeros_like(local)
        for column in reversed(self.polynomials.T):
            value = value * local + column[index]
        amplitude, frequency, phase = self.sines.T
        if amplitude.any():
            value = value + amplitude[index] * np.sin(frequency[index] * local + phase[index])
        return value

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
        reached = 0.0
        for i in range(count):
            raised[i, 0] = reached - sines[i, 0] * math.sin(sines[i, 2])
            if 0 < i < count - 1:
                reached = _value(raised[i], sines[i], self.breaks[i] - self.breaks[i - 1])
        return Piecewise(self.breaks, raised, sines)

    def times(self, factor: float) -> Piecewise:
        """The function multiplied by a number.

        Args:
            factor: the number.
        """
        return Piecewise(self.breaks, self.polynomials * factor, self.sines * [factor, 1.0, 1.0])

    def continued(self, value: float, slope: float) -> Piecewise:
        """The same function, a given straight line after its last break: removes what rounding left there.

        Args:
            value: value at the last break.
            slope: slope of the line.
        """
        width = max(2, self.polynomials.shape[1])
        polynomials = np.zeros((len(self.polynomials), width))
        polynomials[:, : self.polynomials.shape[1]] = self.polynomials
        polynomials[-1] = [value, slope, *[0.0] * (width - 2)]
        sines = self.sines.copy()
        sines[-1] = 0.0
        return Piecewise(self.breaks, polynomials, sines)

    def terms(self, start: float, end: float) -> dict[tuple[str, float], float]:
        """The function between two points of one piece, as a sum of functions of a variable from 0 to 1.

        Args:
            start: the first point.
            end: the second point.

        Returns:
            Factors of ("power", exponent), ("sine", frequency) and ("cosine", frequency).
        """
        i = int(self._piece(np.array(0.5 * (start + end)), "right"))
        h, from_origin = end - start, start - self._origins[i]
        about = np.polynomial.Polynomial(self.polynomials[i])(np.polynomial.Polynomial([from_origin, h]))
        amplitude, frequency, phase = self.sines[i].tolist()
        terms = {("power", float(k)): float(factor) for k, factor in enumerate(about.coef)}
        if amplitude:
            turned = frequency * from_origin + phase
            # Strokes of one duration may have frequencies that differ by rounding.
            turns = round(frequency * h, 9)
            terms["sine", turns] = amplitude * math.cos(turned)
            terms["cosine", turns] = amplitude * math.sin(turned)
        return terms

    def peak(self) -> float:
        """Largest absolute value on the closed pieces between the first and the last break."""
        corners = np.abs([self(self.breaks[:-1]), self(self.breaks[1:], "left")])
        return float(max(corners.max(), np.abs(self(self._stationary())).max(initial=0.0)))

    def jumps(self) -> bool:
        """Whether the function jumps at a break, as seen against its peak."""
        gaps = np.abs(self(self.breaks) - self(self.breaks, "left"))
        return bool(gaps.max() > math.sqrt(_SNAP) * self.peak())

    @property
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


def _value(coefficients: np.ndarray, sine: np.ndarray, u: float) -> float:
    amplitude, frequency, phase = sine
    return float(np.polynomial.polynomial.polyval(u, coefficients) + amplitude * math.sin(frequency * u + phase))
