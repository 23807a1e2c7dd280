"""Errors of the plate over a region by both methods: by coordinate, at the worst pose, and who contributes what."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final, final

import numpy as np

from parapick.accuracy.error_norms import SHARE, covariances_of, quantiles
from parapick.accuracy.error_propagation import DrawnErrors, FirstOrder
from parapick.extremes import first_largest

ERRORS: Final = ("x", "y", "z", "position", "yaw")
"""What has an error; the position's is the distance of the plate from where it should be."""

EQUAL: Final = 1e-6
"""Share by which deviations that are equal by symmetry may differ: rounding of the poses."""


@final
@dataclass(frozen=True, eq=False)
class PoseErrors:
    """Errors of the plate at poses spread over a region.

    Attributes:
        poses: the poses (N, dof), m and rad.
        weights: share of the region that each represents (N,).
        linear: their errors to first order.
        drawn: those of robots drawn at random, who watch the poses of `widest_poses`.
    """

    poses: np.ndarray
    weights: np.ndarray
    linear: FirstOrder
    drawn: DrawnErrors

    @property
    def names(self) -> tuple[str, ...]:
        """The errors of this robot, of `ERRORS`."""
        return ERRORS[: self.poses.shape[1] + 1]

    @cached_property
    def _deviations(self) -> tuple[np.ndarray, np.ndarray]:
        """Standard deviation of every error at every pose (N, errors), by both methods."""
        return with_position(np.sqrt(self.linear.variances.sum(axis=-1))), with_position(self.drawn.rms)

    @cached_property
    def worst(self) -> np.ndarray:
        """Number of the pose at which each error has its largest deviation to first order (errors,)."""
        return np.array([first_largest(linear) for linear in self._deviations[0].T])

    @property
    def over_region(self) -> tuple[np.ndarray, np.ndarray]:
        """Root of the mean variance over the region (errors,), by both methods."""
        weights = self.weights[:, None]
        linear, drawn = (np.sqrt(np.nansum(weights * deviation**2, axis=0)) for deviation in self._deviations)
        return linear, drawn

    @property
    def at_worst(self) -> tuple[np.ndarray, np.ndarray]:
        """Standard deviation of each error at its worst pose (errors,), by both methods."""
        linear, drawn = (deviation[self.worst, np.arange(len(self.worst))] for deviation in self._deviations)
        return linear, drawn

    @cached_property
    def most(self) -> tuple[np.ndarray, np.ndarray]:
        """What 95 % of robots keep of each error at the pose where that is largest (errors,), by both methods."""
        linear = quantiles_of(self.linear)
        there = widest_poses(self.linear)
        error = np.abs(self.drawn.watched)
        sizes = with_position(error.reshape(-1, error.shape[-1])).reshape(*error.shape[:2], -1)
        each = np.arange(len(there))
        return linear[there, each], np.nanquantile(sizes[:, each, each], SHARE, axis=0)

    @cached_property
    def equal_poses(self) -> np.ndarray:
        """Number of poses at which each error has the same largest deviation to first order (errors,)."""
        deviations = self._deviations[0]
        return (deviations >= deviations.max(axis=0) * (1.0 - EQUAL)).sum(axis=0)

    @property
    def worst_case(self) -> np.ndarray:
        """Largest error anywhere with all errors of the parts at their largest, all the same way (errors,)."""
        return with_position(self.linear.worst_cases.sum(axis=-1)).max(axis=0)

    @property
    def largest_drawn(self) -> np.ndarray:
        """Largest error of a robot drawn at random (errors,)."""
        return with_position(self.drawn.largest, self.drawn.farthest).max(axis=0)

    def shares(self, variances: np.ndarray) -> np.ndarray:
        """Share of parts in the variance over the region, of the position, and of yaw where there is yaw (1 or 2, k).

        Args:
            variances: variance by part (N, dof, k), or anything proportional to it.
        """
        over = np.tensordot(self.weights, variances, axes=1)
        parts = np.concatenate([over[:3].sum(axis=0, keepdims=True), over[3:]])
        return _quotient(parts, parts.sum(axis=1, keepdims=True))

    @property
    def saved(self) -> np.ndarray:
        """Share of the worst case anywhere that halving each tolerance saves, as `shares` (1 or 2, T)."""
        cases = self.linear.worst_cases
        total = cases.sum(axis=-1)
        halved = [with_position(total - part / 2).max(axis=0) for part in np.moveaxis(cases, -1, 0)]
        drops = (self.worst_case - np.stack(halved))[:, 3:].T
        return _quotient(drops, self.worst_case[3:, None])


def quantiles_of(linear: FirstOrder) -> np.ndarray:
    """What 95 % of robots keep of every error at every pose (N, errors), to first order.

    Args:
        linear: errors to first order.
    """
    covariances = covariances_of(linear)
    place = quantiles(covariances[:, :3, :3])
    single = np.stack([quantiles(covariances[:, i : i + 1, i : i + 1]) for i in range(covariances.shape[1])], axis=1)
    return with_position(single, place)


def widest_poses(linear: FirstOrder) -> np.ndarray:
    """Number of the pose at which 95 % of robots keep least of each error, to first order (errors,).

    Args:
        linear: errors to first order.
    """
    return np.array([first_largest(sizes) for sizes in quantiles_of(linear).T])


def with_position(errors: np.ndarray, distances: np.ndarray | None = None) -> np.ndarray:
    """Errors by coordinate (N, dof) with the distance of the plate in the place before yaw (N, errors).

    Args:
        errors: errors by coordinate.
        distances: the distance (N,), where it is not the root of the sum of the squares.
    """
    position = np.linalg.norm(errors[:, :3], axis=1) if distances is None else distances
    return np.concatenate([errors[:, :3], position[:, None], errors[:, 3:]], axis=1)


def _quotient(parts: np.ndarray, totals: np.ndarray) -> np.ndarray:
    """Parts as shares of their totals; 0 where there is no total."""
    return np.divide(parts, totals, out=np.zeros(parts.shape), where=totals > 0)
