"""What the tests of motions share: finite differences, and motions of every kind."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from parapick import motion as pm
from parapick.motion import Motion
from parapick.tasks import AdeptTask

KINDS: dict[str, Callable[[], Motion]] = {
    "line": lambda: pm.straight((0.1, 0.0, -0.6, 0.2), (-0.2, 0.1, -0.7, -0.3), law="cycloid", duration=0.3),
    "stops": lambda: pm.gate((0.0, 0.0, 0.0, 0.0), (0.2, 0.1, 0.01, 1.0), law="modified-sine", duration=0.4),
    "overlap": lambda: pm.gate((0.0, 0.0, 0.0), (0.3, 0.0, 0.0), law="half-sine", v_max=3.0, a_max=80.0, overlap=0.7),
    "rounded": lambda: pm.by_law(
        pm.Gate(law="3-4-5", corner_radius=0.02).route((0.0, 0.0, 0.0, 0.1), (0.3, 0.0, 0.01, 0.9), 0.3)
    ),
    "fastest": lambda: pm.by_law(
        pm.Gate(law="fastest", limits=pm.PlateLimits(2.0, 50.0), corner_radius=0.02).route((0.0,) * 3, (0.3, 0.1, 0.0))
    ),
    "via": lambda: pm.follow_path(
        pm.via_path([(0, 0, 0, 0), (0.05, 0, 0.04, 0.3), (0.2, 0.05, 0.05, 0.5), (0.3, 0, 0, 1)], (0, 0, 1)),
        v_max=1.5,
        a_max=30.0,
    ),
    "intercept": lambda: pm.intercept(
        (0.2, 0.2, 0.0, 0.0),
        (-0.2, 0.3, 0.0, 2.0),
        duration=0.5,
        ramp_time=0.12,
        velocities=((0.0, -0.1, 0.0, 0.0), (0.0, 0.2, 0.0, 0.0)),
        bend=(0.0, -0.3, 0.0, 0.0),
        yaw_law="cycloid",
    ),
    "cycle": lambda: AdeptTask(
        name="cycle", cycles_per_minute=100, law=pm.s_curve(), j_max=5e4, v_max=2.5, dwell=(0.02, 0.02), payload=0.4
    ).motion(),
}
"""Motions of every kind of piece, by what they are."""


def between_knots(motion: Motion, count: int, step: float, seed: int = 0) -> np.ndarray:
    """Random times whose neighbourhood of two steps is free of knots."""
    times = np.random.default_rng(seed).uniform(0.0, motion.duration, 4 * count)
    distance = np.min(np.abs(times[:, None] - motion.knots), axis=1)
    return times[distance > 2 * step][:count]


def difference_error(motion: Motion, order: int, step: float = 2e-6, count: int = 200) -> float:
    """Largest gap between a derivative and the central difference of the one before, as a share of its peak."""
    times = between_knots(motion, count, step)
    low, here, high = (motion.state(t) for t in (times - step, times, times + step))
    gap = np.abs((high[order - 1] - low[order - 1]) / (2 * step) - here[order])
    return float(gap.max() / np.abs(here[order]).max())
