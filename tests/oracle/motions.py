"""Motions for comparisons: a quintic there and back, as fast as ten g and the drives allow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from parapick.mechanism import Drive, Robot
from parapick.model import Model

TEN_G = 98.1
QUINTIC_PEAK = 10 / 3**0.5
"""Peak acceleration of a quintic over a unit way in unit time."""


@dataclass(frozen=True)
class States:
    """Task vectors, rates and accelerations (T, dof)."""

    x: np.ndarray
    xd: np.ndarray
    xdd: np.ndarray

    def __iter__(self):  # noqa: ANN204
        return iter((self.x, self.xd, self.xdd))


def quintic(start: np.ndarray, end: np.ndarray, duration: float, count: int) -> States:
    """There and back: `count` states each way, at times that meet no peak by symmetry."""
    u = (np.arange(count) + 0.37)[:, None] / count
    way = end - start
    position = 10 * u**3 - 15 * u**4 + 6 * u**5
    rate = (30 * u**2 - 60 * u**3 + 30 * u**4) / duration
    acceleration = (60 * u - 180 * u**2 + 120 * u**3) / duration**2
    there = (start + way * position, way * rate, way * acceleration)
    back = (end - way * position, -way * rate, -way * acceleration)
    return States(*(np.concatenate(pair) for pair in zip(there, back, strict=True)))


def limits(robot: Robot) -> np.ndarray:
    """Peak torque at every joint (N m); infinite where the file has none."""
    drives = [robot.drive] * robot.arms + [robot.plate.drive] * (robot.motors - robot.arms)
    return np.array([_limit(drive) for drive in drives])


def _limit(drive: Drive | None) -> float:
    return np.inf if drive is None or drive.peak_torque is None else drive.ratio * drive.peak_torque


def allowed(model: Model, start: np.ndarray, end: np.ndarray, count: int) -> States:
    """The quintic at ten g, slowed until the drives can do it."""
    duration = float(np.sqrt(QUINTIC_PEAK * np.linalg.norm((end - start)[:3]) / TEN_G))
    while True:
        states = quintic(start, end, duration, count)
        torque = model.inverse_dynamics(*states)
        assert np.isfinite(torque).all()
        if np.all(np.abs(torque) <= limits(model.robot)):
            return states
        duration *= 1.1
