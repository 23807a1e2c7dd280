"""What sampling and encoders do to a loop: the longest control period, and the noise of encoder steps."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from parapick.analysis.linear_loop import SampledLoop
from parapick.analysis.operating_point import sampled_loops
from parapick.analysis.stability_margins import grid_of
from parapick.control import CallableLaw, ControlLaw, Controller
from parapick.model import Model
from parapick.motion import Motion
from parapick.roots import bisected, halvings_to
from parapick.simulation import (
    STEP,
    STEP_MAX,
    stated_controller,
    substeps_of,
)

GROWTH: Final = 1.2
"""Factor from one control period to the next that is tried."""

LONGEST: Final = 0.1
"""Longest control period tried (s)."""

SHORTEST: Final = 2e-6
"""Shortest control period tried (s)."""

CLOSE: Final = 1e-3
"""Share to which a sampling limit is found."""

WITHIN: Final = 1.0 - 1e-9
"""Share of half a motion that is tried at most: a motion has two periods or more, and rounding must not take one."""


def sampling_limit(
    model: Model,
    motion: Motion,
    controller: Controller | ControlLaw | CallableLaw,
    times: Sequence[float] | np.ndarray,
) -> float:
    """Longest control period (s) up to which a loop is stable, at rest at poses of a motion.

    All that is counted in samples (delays) or follows from them (filters, differences, holds) goes with the period. If
    the loop is unstable at its own period, it is the next shorter one at which it is not; 0 without any; infinite where
    the longest that is tried (0.1 s, or the motion) is still stable.

    Args:
        controller: a `Controller`, or only its law; gains stay what they are.
        times: instants (s).
    """
    stated = stated_controller(controller)
    finest = 1.0 / (stated.rate * substeps_of(stated.rate, stated.plant.substeps, friction=False))

    def stable(period: float) -> bool:
        steps = math.ceil(period / min(max(finest, STEP), STEP_MAX) - 1e-9)
        slower = replace(stated, rate=1.0 / period, plant=replace(stated.plant, substeps=steps))
        return all(loop.stable for loop in sampled_loops(model, motion, slower, times, resting=True))

    return _last(stable, 1.0 / stated.rate, min(LONGEST, WITHIN * 0.5 * motion.duration))


def _last(stable: Callable[[float], bool], first: float, longest: float) -> float:
    """Where stability ends, from a period upward, or downward to where it begins."""
    low = first
    if not stable(first):
        while not stable(low):
            low /= GROWTH
            if low < SHORTEST:
                return 0.0
        high = low * GROWTH
    else:
        while stable(high := min(low * GROWTH, longest)):
            if high >= longest:
                return math.inf
            low = high
    halvings = halvings_to(math.log(high / low), math.log1p(CLOSE))
    return float(bisected(lambda period: stable(float(period)), low, high, halvings, geometric=True)[0])


def encoder_noise(loop: SampledLoop, resolution: np.ndarray) -> tuple[float, np.ndarray]:
    """RMS of position error (m) and of each motor's command (n), N m, by encoder steps taken for white noise.

    A step r that is passed often has a variance of `r^2 / 12`, evenly over all frequencies up to half the control rate.
    Where joints stand still a step is not passed; then a loop may swing between two of them instead.

    Args:
        resolution: steps of the angles at the joints (n), rad.
    """
    frequencies = grid_of(loop.poles, loop.rate)
    weight = 2.0 / loop.rate * np.asarray(resolution) ** 2 / 12.0

    def variances(output: str) -> np.ndarray:
        gain = np.abs(loop.response(frequencies, "angle", output)) ** 2 @ weight  # pyright: ignore[reportArgumentType]
        return np.atleast_1d(np.trapezoid(gain, frequencies, axis=0))

    return float(np.sqrt(np.sum(variances("x")[:3]))), np.sqrt(variances("command"))
