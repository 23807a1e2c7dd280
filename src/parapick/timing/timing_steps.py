"""A timing of a path as steps: of constant acceleration, of constant jerk, or with an acceleration linear in length."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Final, final

import numpy as np

from parapick.motion import Along, Entered, Path, Rates, Side, pieces_entered

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

    @staticmethod
    def of_squares(s: np.ndarray, u: np.ndarray) -> Steps:
        """Steps of constant acceleration between nodes (N + 1,), m, with squared speeds (N + 1,), m2/s2."""
        nothing, h, speed = np.zeros(len(s) - 1), s[1:] - s[:-1], np.sqrt(u)
        times, acceleration = 2.0 * h / (speed[:-1] + speed[1:]), (u[1:] - u[:-1]) / (2.0 * h)
        return Steps(times, s[:-1], speed[:-1], acceleration, nothing, nothing)

    @property
    def corners(self) -> np.ndarray:
        """When the steps begin, and the end of the last (N + 1,), s."""
        return self._corners

    @cached_property
    def _corners(self) -> np.ndarray:
        corners = np.zeros(len(self.durations) + 1)
        self.durations.cumsum(out=corners[1:])
        return corners

    @property
    def duration(self) -> float:
        """How long it takes (s)."""
        return float(self.corners[-1])

    def at(self, t: np.ndarray, side: Side = "right") -> Rates:
        """Lengths (m) and their derivatives by time at times (...), s."""
        t = np.asarray(t, dtype=float)
        snap, corners = -_INSTANT if side == "left" else _INSTANT, self.corners
        i = np.clip(np.searchsorted(corners, t + snap, side=side) - 1, 0, len(self.durations) - 1)
        return self.within(i, t - corners[i])

    @staticmethod
    def together(timings: Sequence[Steps]) -> Callable[[np.ndarray, np.ndarray, Side], Rates]:
        """Several timings as one function; see `parapick.motion.together`.

        Args:
            timings: those that it is of, in the order of the index.
        """
        every, entered = Steps.joined(timings), Entered([timing.corners for timing in timings], _INSTANT)
        return lambda index, t, side: every.within(*entered(index, t, side))

    def within(self, i: np.ndarray, t: np.ndarray) -> Rates:
        """Lengths (m) and their derivatives in given steps (...), at times from their starts (...), s."""
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
    def joined(parts: Sequence[Steps]) -> Steps:
        """Several timings, one after the other."""
        if len(parts) == 1:
            return parts[0]
        return Steps(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Steps)))


def steps_along(path: Path, steps: Steps) -> tuple[Along, ...]:
    """The pieces of a path, run through by steps of which one begins wherever a piece does."""
    entered = steps.corners[np.searchsorted(steps.s, path.offsets[:-1])]
    return pieces_entered(path, steps, [*entered.tolist(), steps.duration])


def mean_times(s: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Times (N,), s, between nodes (N + 1,), m, with squared speeds there (N + 1,), m2/s2, at their mean speeds."""
    speed = np.sqrt(u)
    return 2.0 * np.diff(s) / (speed[:-1] + speed[1:])


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
