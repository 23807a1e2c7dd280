"""Curves by a parameter as curves by their length: the length by the parameter, its inverse, and the chain rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.motion.path import PathRates

# Gauss points with which the length of a part is found: to rounding where the speed is smooth within a part.
_GAUSS: Final = np.polynomial.legendre.leggauss(10)
# Newton steps from length to parameter. Half of them are spent where a curve starts almost from rest, so that the
# length grows with the third power of the parameter; elsewhere four reach rounding.
_NEWTON: Final = 12


@final
@dataclass(frozen=True, eq=False)
class LengthTable:
    """The length of a curve at nodes of its parameter, and between them the quintic with the same speeds and slopes.

    Attributes:
        nodes: parameters, rising (N + 1,).
        lengths: lengths from the first node (N + 1,), m.
        coefficients: of the length from the start of each part, by powers 0 to 5 of the parameter from there (6, N).
    """

    nodes: np.ndarray
    lengths: np.ndarray
    coefficients: np.ndarray

    @staticmethod
    def of(speed: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]], nodes: np.ndarray) -> LengthTable:
        """A table from the speed of a curve.

        Args:
            speed: speed (...) of the curve by its parameter (...), and its slope; both smooth between the nodes.
            nodes: parameters, rising (N + 1,).
        """
        points, weights = _GAUSS
        h = np.diff(nodes)
        parts = 0.5 * h * (speed(nodes[:-1, None] + 0.5 * h[:, None] * (1.0 + points))[0] @ weights)
        v, a = speed(nodes)
        v0, v1, a0, a1 = v[:-1], v[1:], a[:-1], a[1:]
        # What a quadratic from the start misses at the end: in the length, the speed and its slope.
        p, q, r = parts - h * (v0 + h * a0 / 2), (v1 - v0 - h * a0) * h, (a1 - a0) * h**2
        coefficients = np.stack(
            [
                np.zeros_like(h),
                v0,
                a0 / 2,
                (10 * p - 4 * q + r / 2) / h**3,
                (-15 * p + 7 * q - r) / h**4,
                (6 * p - 3 * q + r / 2) / h**5,
            ]
        )
        return LengthTable(nodes, np.concatenate([[0.0], np.cumsum(parts)]), coefficients)

    @property
    def length(self) -> float:
        """Length of the whole curve (m)."""
        return float(self.lengths[-1])

    def covered(self, parameter: float) -> float:
        """Length from the first node to a parameter (m).

        Args:
            parameter: the parameter; outside the nodes that of the nearest.
        """
        part = int(np.clip(np.searchsorted(self.nodes, parameter, side="right") - 1, 0, len(self.nodes) - 2))
        u = np.clip(parameter - self.nodes[part], 0.0, self.nodes[part + 1] - self.nodes[part])
        return float(self.lengths[part] + np.polynomial.polynomial.polyval(u, self.coefficients[:, part]))

    def parameter(self, s: np.ndarray) -> np.ndarray:
        """Parameters (...) at lengths from the first node.

        Args:
            s: lengths (...), m.
        """
        part = np.clip(np.searchsorted(self.lengths, s, side="right") - 1, 0, len(self.nodes) - 2)
        h = (self.nodes[1:] - self.nodes[:-1])[part]
        rest = s - self.lengths[part]
        _, c1, c2, c3, c4, c5 = self.coefficients[:, part]
        u = h * rest / (self.lengths[part + 1] - self.lengths[part])
        for _ in range(_NEWTON):
            over = u * (c1 + u * (c2 + u * (c3 + u * (c4 + u * c5)))) - rest
            slope = c1 + u * (2 * c2 + u * (3 * c3 + u * (4 * c4 + u * 5 * c5)))
            u = np.clip(u - over / slope, 0.0, h)
        return self.nodes[part] + u


def speed_and_slope(c1: np.ndarray, c2: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Speed of a curve by its parameter, and the slope of that speed, each (...).

    Args:
        c1: first derivative by the parameter (..., dof).
        c2: second derivative by the parameter (..., dof).
    """
    speed = np.linalg.norm(c1[..., :3], axis=-1)
    return speed, _dot(c1, c2)[..., 0] / speed


def by_length(x: np.ndarray, c1: np.ndarray, c2: np.ndarray, c3: np.ndarray) -> PathRates:
    """Points of a curve with their derivatives by its length, by the chain rule.

    Args:
        x: points (..., dof).
        c1: their first derivatives by the parameter (..., dof).
        c2: the second.
        c3: the third.
    """
    speed = np.linalg.norm(c1[..., :3], axis=-1, keepdims=True)
    slope = _dot(c1, c2) / speed
    bend = (_dot(c2, c2) + _dot(c1, c3) - slope**2) / speed
    # Derivatives of the parameter by the length.
    u1 = 1.0 / speed
    u2 = -slope * u1**3
    u3 = -bend * u1**4 - 3 * slope * u1**2 * u2
    return PathRates(x, c1 * u1, c2 * u1**2 + c1 * u2, c3 * u1**3 + 3 * c2 * u1 * u2 + c1 * u3)


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.sum(a[..., :3] * b[..., :3], axis=-1, keepdims=True)
