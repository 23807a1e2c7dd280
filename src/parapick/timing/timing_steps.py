"""A timing of a path as steps: of constant acceleration, of constant jerk, or with an acceleration linear in length."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final, final

import numpy as np

from parapick.motion.piecewise import Side
from parapick.motion.profile import Rates

# A time met to this distance (s) is meant exactly.
_INSTANT: Final = 1e-12
# Below this argument three terms of a series are exact, and the closed form would lose digits.
_SMALL: Final = 1e-4


@final
@dataclass(frozen=True, eq=False)
class Steps:
    """Steps one after the other, each known by its start (N,): `sdd = sdd_0 + jerk t + stiffness (s - s_0)`.

    A step has a jerk or a stiffness or neither, never both.

    Attributes:
        durations: s.
        s: lengths at their starts (m).
        sd: speeds at their starts (m/s).
        sdd: accelerations at their starts (m/s2).
        jerk: change of the acceleration with time (m/s3).
        stiffness: change of the acceleration with length (1/s2).
    """

    durations: np.ndarray
    s: np.ndarray
    sd: np.ndarray
    sdd: np.ndarray
    jerk: np.ndarray
    stiffness: np.ndarray

    @property
    def corners(self) -> np.ndarray:
        """When the steps begin, and the end of the last (N + 1,), s."""
        return self._times

    @cached_property
    def _times(self) -> np.ndarray:
        return np.concatenate([[0.0], np.cumsum(self.durations)])

    @property
    def duration(self) -> float:
        """How long it takes (s)."""
        return float(self._times[-1])

    def at(self, t: np.ndarray, side: Side = "right") -> Rates:
        """Lengths and their derivatives by time.

        Args:
            t: times (...), s.
            side: which limit to take where the acceleration jumps.
        """
        t = np.asarray(t, dtype=float)
        snap = -_INSTANT if side == "left" else _INSTANT
        i = np.clip(np.searchsorted(self._times, t + snap, side=side) - 1, 0, len(self.durations) - 1)
        return self.within(i, t - self._times[i])

    def within(self, i: np.ndarray, t: np.ndarray) -> Rates:
        """Lengths and their derivatives in given steps.

        Args:
            i: indices of the steps (...).
            t: times from their starts (...), s.
        """
        s, v, a, j, k = self.s[i], self.sd[i], self.sdd[i], self.jerk[i], self.stiffness[i]
        cosine, sine, versine = _swing(k * t * t)
        # Rounding must not run the plate backwards where it stops: dry friction would change its sign.
        speed = np.maximum(v * cosine + t * (a * sine + t * j / 2), 0.0)
        return Rates(
            s + t * (v * sine + t * (a * versine + t * j / 6)),
            speed,
            a * cosine + t * (k * v * sine + j),
            k * speed + j,
        )

    @staticmethod
    def joined(parts: tuple[Steps, ...]) -> Steps:
        """Several timings, one after the other.

        Args:
            parts: the timings.
        """
        names = ("durations", "s", "sd", "sdd", "jerk", "stiffness")
        return Steps(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def _swing(z: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """`cosh r`, `sinh r / r` and `(cosh r - 1) / r^2` with `r = sqrt(z)`; of a negative z the circular functions."""
    small = np.abs(z) < _SMALL
    safe = np.where(small, 1.0, z)
    root = np.sqrt(np.abs(safe))
    up = safe > 0.0
    # The hyperbolic functions are not wanted, and might overflow, where z is negative.
    wide = np.where(up, root, 0.0)
    cosine = np.where(up, np.cosh(wide), np.cos(root))
    sine = np.where(up, np.sinh(wide), np.sin(root)) / root
    return (
        np.where(small, 1.0 + z / 2 * (1.0 + z / 12), cosine),
        np.where(small, 1.0 + z / 6 * (1.0 + z / 20), sine),
        np.where(small, 0.5 + z / 24 * (1.0 + z / 30), (cosine - 1.0) / safe),
    )
