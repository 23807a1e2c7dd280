"""The motion on which two engines are compared: across the workspace and back, up to ten g or what drives allow."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from parapick.errors import ParapickError
from parapick.mechanism import Workspace
from parapick.model import LEAST_MARGIN, Model, too_near

TEN_G: Final = 98.1
"""Peak acceleration of the plate (m/s2), if the drives can do it."""

QUINTIC_PEAK: Final = 10 / 3**0.5
"""Peak acceleration of a quintic over a unit way in unit time."""

SHARE: Final = 0.65
"""How much of the workspace the motion crosses at first; less where that leads out of reach."""

SHRINK: Final = 0.8
"""Factor on that share from one try to the next."""

TRIES: Final = 20
"""Tries before it is given up: the motion is then a hundredth of the workspace."""

UNSTATED: Final = 0.2
"""Half the size of the motion, as a share of the height of home, where the file states no workspace."""

DIRECTION: Final = (1.0, -0.7, 0.8, 1.0)
"""Way of the motion in halves of the workspace: along no axis, so that no leg is moved like another."""


class TrialStates(NamedTuple):
    """States of a motion, T of them.

    Attributes:
        x: task vectors (T, dof), m and rad.
        xd: their rates (T, dof).
        xdd: their accelerations (T, dof).
    """

    x: np.ndarray
    xd: np.ndarray
    xdd: np.ndarray


def trial_states(model: Model, count: int, *, driven: bool) -> TrialStates:
    """States of a quintic there and back across the workspace, none of them near a singularity.

    Args:
        count: states each way.
        driven: whether the robot has masses, so that the peak torques of its drives slow the motion.

    Raises:
        ParapickError: no such motion is within reach, however small.
    """
    middle, half = _extent(model)
    for step in range(TRIES):
        reach = SHARE * SHRINK**step * half * np.array(DIRECTION[: len(half)])
        states = _quintic(middle - reach, middle + reach, 1.0, count)
        if model.reach(states.x).ok.all() and (too_near(model.margins(states.x), LEAST_MARGIN) < 0).all():
            return _slowed(model, middle - reach, middle + reach, count, driven=driven)
    raise ParapickError(f"{model.robot.name} reaches nothing around the middle of its workspace; see parapick check")


def _extent(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """Middle and half the size (dof) of the stated workspace; around home where there is none."""
    home = np.array(model.robot.home)
    region: Workspace | None = model.numbers.workspace
    if region is None:
        half = np.full(len(home), UNSTATED * float(np.max(np.abs(home[:3]))))
        half[3:] = UNSTATED
        return home, half
    across = 0.5 * np.sqrt(region.area)
    height, turn = (region.z_min, region.z_max), (region.yaw_min, region.yaw_max)
    middle = np.array([*region.middle, sum(height) / 2, sum(turn) / 2])
    # A corner of the square that is as large as the workspace lies in it by 0.7 of its half side.
    half = np.array([0.7 * across, 0.7 * across, (height[1] - height[0]) / 2, (turn[1] - turn[0]) / 2])
    return middle[: len(home)], half[: len(home)]


def _slowed(model: Model, start: np.ndarray, end: np.ndarray, count: int, *, driven: bool) -> TrialStates:
    """The quintic at ten g, slowed until the drives can do it."""
    duration = float(np.sqrt(QUINTIC_PEAK * np.linalg.norm((end - start)[:3]) / TEN_G))
    most = model.motors.peak_torque * model.motors.ratio
    for _ in range(TRIES if driven else 0):
        states = _quintic(start, end, duration, count)
        if np.all(np.abs(model.inverse_dynamics(*states)) <= most):
            return states
        duration *= 1.2
    return _quintic(start, end, duration, count)


def _quintic(start: np.ndarray, end: np.ndarray, duration: float, count: int) -> TrialStates:
    """There and back: `count` states each way, at times that meet no peak by symmetry."""
    u = (np.arange(count) + 0.37)[:, None] / count
    way = end - start
    position = 10 * u**3 - 15 * u**4 + 6 * u**5
    rate = (30 * u**2 - 60 * u**3 + 30 * u**4) / duration
    acceleration = (60 * u - 180 * u**2 + 120 * u**3) / duration**2
    there = (start + way * position, way * rate, way * acceleration)
    back = (end - way * position, -way * rate, -way * acceleration)
    return TrialStates(*(np.concatenate(pair) for pair in zip(there, back, strict=True)))
