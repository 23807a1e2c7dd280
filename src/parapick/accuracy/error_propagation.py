"""From tolerances to the error of the plate, in two ways: derivatives of the closures, and robots drawn at random."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, final

import numpy as np

from parapick.accuracy.built_robot import built_poses, pose_slopes
from parapick.accuracy.sources import Source
from parapick.accuracy.tolerances import DISTRIBUTIONS, Tolerance
from parapick.model import Model
from parapick.progress import Listener, tell

CHUNK: Final = 50_000
"""Poses of drawn robots at once: some megabytes."""


@final
@dataclass(frozen=True, eq=False)
class FirstOrder:
    """Errors of the plate at poses by derivatives of the closures.

    Attributes:
        tolerances: what is allowed.
        slopes: pose error by every error of the parts (N, dof, k), in the order of `sources`.
        distribution: a name of `DISTRIBUTIONS`.
    """

    tolerances: tuple[Tolerance, ...]
    slopes: np.ndarray
    distribution: str

    @property
    def sources(self) -> list[Source]:
        """The errors of the parts, tolerance by tolerance (k)."""
        return [source for tolerance in self.tolerances for source in tolerance.sources]

    @cached_property
    def bounds(self) -> np.ndarray:
        """Largest size of every error of the parts (k,), m and rad."""
        return np.concatenate([tolerance.bounds for tolerance in self.tolerances])

    @cached_property
    def variances(self) -> np.ndarray:
        """Variance of the pose error that each tolerance gives (N, dof, T); those of a pose add up."""
        return self._by_tolerance((DISTRIBUTIONS[self.distribution] * self.bounds * self.slopes) ** 2)

    @cached_property
    def worst_cases(self) -> np.ndarray:
        """Pose error with every error of a tolerance at its largest, all the same way (N, dof, T)."""
        return self._by_tolerance(np.abs(self.bounds * self.slopes))

    def _by_tolerance(self, values: np.ndarray) -> np.ndarray:
        """Sums over the errors of each tolerance."""
        ends = np.cumsum([len(tolerance.sources) for tolerance in self.tolerances])
        return np.stack([part.sum(axis=-1) for part in np.split(values, ends[:-1], axis=-1)], axis=-1)


@final
@dataclass(frozen=True, eq=False)
class DrawnErrors:
    """Errors of the plate at poses of robots drawn at random, by their forward kinematics.

    Attributes:
        rms: root of the mean square of the pose error (N, dof).
        largest: largest pose error (N, dof).
        farthest: largest distance of the plate from where it should be (N,), m.
        difference: largest difference from first order on the same robots (dof,).
        unclosed: poses of robots whose loops do not close, in all.
        watched: pose errors of every robot at the poses that are watched (samples, W, dof); NaN where loops do not
            close.
    """

    rms: np.ndarray
    largest: np.ndarray
    farthest: np.ndarray
    difference: np.ndarray
    unclosed: int
    watched: np.ndarray


def first_order(model: Model, x: np.ndarray, tolerances: Sequence[Tolerance], distribution: str) -> FirstOrder:
    """Errors of the plate by derivatives.

    Args:
        x: poses (N, dof), m and rad.
        tolerances: what is allowed.
        distribution: a name of `DISTRIBUTIONS`.
    """
    slopes = pose_slopes(model, x, [source for tolerance in tolerances for source in tolerance.sources])
    return FirstOrder(tuple(tolerances), slopes, distribution)


def monte_carlo(
    model: Model,
    x: np.ndarray,
    linear: FirstOrder,
    samples: int,
    seed: int,
    progress: Listener | None = None,
    *,
    watched: np.ndarray,
) -> DrawnErrors:
    """Errors of the plate of robots drawn at random; a robot keeps its errors at all poses.

    Args:
        x: poses (N, dof), m and rad.
        linear: the same to first order.
        samples: number of robots.
        seed: where the random numbers begin.
        progress: called with how many robots are done, and of how many.
        watched: numbers of the poses (W,) of which the errors of every robot are kept.
    """
    random = np.random.default_rng(seed)
    size = max(1, CHUNK // len(x))
    squares = np.zeros(x.shape)
    largest = np.zeros(x.shape)
    closed = np.zeros(len(x))
    farthest = np.zeros(len(x))
    difference = np.zeros(x.shape[1])
    kept = []
    for start in range(0, samples, size):
        amounts = linear.bounds * drawn_shares(
            random, linear.distribution, (min(size, samples - start), len(linear.bounds))
        )
        error = built_poses(model, x, linear.sources, amounts[:, None]) - x
        beside = error - np.einsum("ndk,sk->snd", linear.slopes, amounts)
        kept.append(error[:, watched])
        closed += np.isfinite(error[..., 0]).sum(axis=0)
        # What does not close is counted, and left out of all else.
        error, beside = np.nan_to_num(error), np.nan_to_num(beside)
        squares += (error**2).sum(axis=0)
        largest = np.maximum(largest, np.abs(error).max(axis=0))
        farthest = np.maximum(farthest, np.linalg.norm(error[..., :3], axis=-1).max(axis=0))
        difference = np.maximum(difference, np.abs(beside).max(axis=(0, 1)))
        tell(progress, "robots", start + len(amounts), samples)
    mean = np.divide(squares, closed[:, None], out=np.full(x.shape, np.nan), where=closed[:, None] > 0)
    unclosed = int(samples * len(x) - closed.sum())
    return DrawnErrors(np.sqrt(mean), largest, farthest, difference, unclosed, np.concatenate(kept))


def drawn_shares(random: np.random.Generator, distribution: str, shape: tuple[int, int]) -> np.ndarray:
    """Errors as shares of their tolerances.

    Args:
        random: where the random numbers come from.
        distribution: a name of `DISTRIBUTIONS`.
        shape: numbers of robots and of errors.
    """
    if distribution == "normal":
        return DISTRIBUTIONS["normal"] * random.standard_normal(shape)
    return random.uniform(-1.0, 1.0, shape)
