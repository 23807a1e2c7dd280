"""When a motion is sampled: at a fixed rate, or at that and on both sides of every corner."""

from __future__ import annotations

from typing import Final

import numpy as np

from parapick.motion.errors import MotionError

SAMPLES_MAX: Final = 3_000_000
"""Most samples of a series: 12 minutes at 4 kHz. Making them takes 2 GB (some 600 bytes each, with a robot's loads)."""

_STEP: Final = 1e-6
"""Share of a sampling step by which a duration may miss the grid and still end on it."""


def sampling_times(duration: float, rate: float, corners: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Times (T,), s, rising, and at which of them what comes is meant (T,), in the place of what was.

    Args:
        duration: how long the motion takes (s).
        rate: samples per second (Hz).
        corners: times (s) of which both sides are added, both ends of the motion among them; None for a fixed rate.

    Raises:
        MotionError: a rate that is not greater than zero, or more than `SAMPLES_MAX` samples.
    """
    if not 0.0 < rate < np.inf:
        raise MotionError(f"rate is {rate:g} Hz; it must be a finite number greater than 0")
    if not duration * rate < SAMPLES_MAX:
        raise MotionError(
            f"a motion of {duration:g} s at {rate:g} Hz has more than {SAMPLES_MAX} samples; "
            f"its rate may be {SAMPLES_MAX / duration:.3g} Hz"
        )
    steps = int(np.ceil(duration * rate - _STEP))
    t = np.arange(steps + 1) / rate
    if abs(t[-1] - duration) * rate < _STEP:
        t[-1] = duration
    if corners is None:
        return t, np.ones(len(t), dtype=bool)
    t = t[(t > 0.0) & (t < duration) & ~np.isin(t, corners)]
    both = np.concatenate([corners[1:], t, corners[:-1]])
    right = np.concatenate([np.zeros(len(corners) - 1, bool), np.ones(len(both) - len(corners) + 1, bool)])
    order = np.lexsort((right, both))
    return both[order], right[order]
