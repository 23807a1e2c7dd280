"""A timing of a path as steps of constant jerk, most of them with none."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final, final

import numpy as np

from parapick.motion.piecewise import Side
from parapick.motion.profile import Rates

__all__ = ["Steps"]

# A time met to this distance (s) is meant exactly.
_INSTANT: Final = 1e-12


@final
@dataclass(frozen=True, eq=False)
class Steps:
    """Steps one after the other, each known by its start (N,).

    Attributes:
        durations: s.
        s: lengths at their starts (m).
        sd: speeds at their starts (m/s).
        sdd: accelerations at their starts (m/s2).
        sddd: jerks (m/s3).
    """

    durations: np.ndarray
    s: np.ndarray
    sd: np.ndarray
    sdd: np.ndarray
    sddd: np.ndarray

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
        tau, s, v, a, j = t - self._times[i], self.s[i], self.sd[i], self.sdd[i], self.sddd[i]
        # Rounding must not run the plate backwards where it stops: dry friction would change its sign.
        speed = np.maximum(v + tau * (a + tau * j / 2), 0.0)
        return Rates(s + tau * (v + tau * (a / 2 + tau * j / 6)), speed, a + tau * j, np.copy(j))

    @staticmethod
    def joined(parts: tuple[Steps, ...]) -> Steps:
        """Several timings, one after the other.

        Args:
            parts: the timings.
        """
        return Steps(
            *(
                np.concatenate([getattr(part, name) for part in parts])
                for name in ("durations", "s", "sd", "sdd", "sddd")
            )
        )
