"""Two routes from tolerances to the error of the plate: derivatives of the closures, and robots drawn at random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.accuracy.built import built_poses, pose_slopes
from parapick.accuracy.tolerances import DISTRIBUTIONS, Tolerance
from parapick.model.model import Model

CHUNK: Final = 50_000
"""Poses of drawn robots at once: some megabytes."""


@final
@dataclass(frozen=True, eq=False)
class Spread:
    """Errors of the plate at poses by derivatives of the closures, to first order.

    Attributes:
        tolerances: what is allowed.
        slopes: pose error by every error of a tolerance (N, dof, k), one array per tolerance.
        deviation: standard deviation of an error as a share of its tolerance.
    """

    tolerances: tuple[Tolerance, ...]
    slopes: tuple[np.ndarray, ...]
    deviation: float

    def variances(self) -> np.ndarray:
        """Variance of the pose error that each tolerance gives (N, dof, T); those of a pose add up."""
        return self.deviation**2 * np.stack([(part**2).sum(axis=-1) for part in self.reaches()], axis=-1)

    def worst_cases(self) -> np.ndarray:
        """Pose error with every error of a tolerance at its largest, all the same way (N, dof, T)."""
        return np.stack([np.abs(part).sum(axis=-1) for part in self.reaches()], axis=-1)

    def reaches(self) -> tuple[np.ndarray, ...]:
        """Pose error by every error at its largest (N, dof, k), one array per tolerance."""
        return tuple(part * one.bounds for part, one in zip(self.slopes, self.tolerances, strict=True))


@final
@dataclass(frozen=True, eq=False)
class Drawn:
    """Errors of the plate at poses of robots drawn at random, by their forward kinematics.

    Attributes:
        rms: root of the mean square of the pose error (N, dof).
        largest: largest pose error (N, dof).
        farthest: largest distance of the plate from where it should be (N,), m.
        difference: largest difference from first order on the same robots (dof,).
        unclosed: poses of robots whose loops do not close, in all.
    """

    rms: np.ndarray
    largest: np.ndarray
    farthest: np.ndarray
    difference: np.ndarray
    unclosed: int


def spread(model: Model, x: np.ndarray, tolerances: Sequence[Tolerance], distribution: str) -> Spread:
    """Errors of the plate to first order.

    Args:
        model: the robot.
        x: poses (N, dof), m and rad.
        tolerances: what is allowed.
        distribution: a name of `DISTRIBUTIONS`.
    """
    slopes = pose_slopes(model, x, [source for one in tolerances for source in one.sources])
    ends = np.cumsum([len(one.sources) for one in tolerances])
    parts = tuple(np.split(slopes, ends[:-1], axis=-1))
    return Spread(tuple(tolerances), parts, DISTRIBUTIONS[distribution])


def drawn(
    model: Model,
    x: np.ndarray,
    first_order: Spread,
    distribution: str,
    samples: int,
    seed: int,
    progress: Callable[[int, int], None] | None = None,
) -> Drawn:
    """Errors of the plate of robots drawn at random.

    A robot keeps its errors at all poses.

    Args:
        model: the robot.
        x: poses (N, dof), m and rad.
        first_order: the same to first order.
        distribution: a name of `DISTRIBUTIONS`.
        samples: number of robots.
        seed: where the random numbers begin.
        progress: called with how many robots are done, and of how many.
    """
    sources = [source for one in first_order.tolerances for source in one.sources]
    bounds = np.concatenate([one.bounds for one in first_order.tolerances])
    slopes = np.concatenate(first_order.slopes, axis=-1)
    random = np.random.default_rng(seed)
    size = max(1, CHUNK // len(x))
    squares, largest, farthest = np.zeros(x.shape), np.zeros(x.shape), np.zeros(len(x))
    difference, closed = np.zeros(x.shape[1]), np.zeros(x.shape)
    for start in range(0, samples, size):
        amounts = bounds * _shares(random, distribution, (min(size, samples - start), len(bounds)))
        error = built_poses(model, x, sources, amounts[:, None]) - x
        beside = np.abs(error - np.einsum("ndk,sk->snd", slopes, amounts))
        difference = np.fmax(difference, np.nan_to_num(beside).max(axis=(0, 1)))
        closed += np.isfinite(error).sum(axis=0)
        squares += np.nansum(error**2, axis=0)
        largest = np.fmax(largest, np.nan_to_num(np.abs(error)).max(axis=0))
        distance = np.nan_to_num(np.linalg.norm(error[..., :3], axis=-1))
        farthest = np.fmax(farthest, distance.max(axis=0))
        if progress is not None:
            progress(start + len(amounts), samples)
    rms = np.sqrt(np.divide(squares, closed, out=np.full(x.shape, np.nan), where=closed > 0))
    return Drawn(rms, largest, farthest, difference, int(samples * len(x) - closed[:, 0].sum()))


def _shares(random: np.random.Generator, distribution: str, shape: tuple[int, int]) -> np.ndarray:
    """Errors as shares of their tolerances."""
    if distribution == "normal":
        return DISTRIBUTIONS["normal"] * random.standard_normal(shape)
    return random.uniform(-1.0, 1.0, shape)
