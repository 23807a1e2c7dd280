"""Sizes of an error of the plate to first order: one standard deviation, what 95 % of robots keep, the worst case.

Letters: `C` covariance (d, d) of the error, d = 3 of the position and 1 of yaw; `w` its largest coordinates (d,), every
error of the parts at its tolerance.

    1 sigma     (tr C)^1/2, the root mean square of the distance
    95 %        r with P(e'e <= r^2) = 0.95 for e normal with covariance C
    worst case  (w'w)^1/2

The sum of squares e'e = sum lambda_i z_i^2, with the eigenvalues of C, has the cumulants c1, 2 c2, 8 c3 with
c_k = tr C^k. A shifted chi-square with the same three, `a chi2(nu) + b` with a = c3 / c2, nu = c2^3 / c3^2 and
b = c1 - a nu, gives its quantile (Hall 1983; Buckley and Eagleson 1988): exact where the eigenvalues that are not 0 are
equal, as of yaw.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, final

import numpy as np

from parapick.accuracy.error_propagation import FirstOrder
from parapick.accuracy.tolerances import DISTRIBUTIONS

SIGMA: Final = "sigma"
MOST: Final = "95%"
WORST: Final = "worst-case"

NORMS: Final = {SIGMA: "1 sigma", MOST: "95 %", WORST: "worst case"}
"""What a target is about, and what people call it."""

SHARE: Final = 0.95
"""Share of robots that keep the 95 % value."""

_STEP: Final = 1e-4
"""Step of the degrees of freedom over which the slope of a chi-square quantile is a central difference; its error is
the square of it."""

_NOTHING: Final = 1e-300
"""What a covariance of nothing counts as where it divides."""


class Sizes(NamedTuple):
    """Sizes of an error at poses.

    Attributes:
        values: the sizes (N,), m or rad.
        slopes: their slopes by the multiples of the free tolerances (N, T).
    """

    values: np.ndarray
    slopes: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class ErrorSpread:
    """An error of the plate at poses, by multiples m of free tolerances: C = C0 + sum C_j m_j^2, w = w0 + sum w_j m_j.

    Attributes:
        name: "position" or "yaw".
        covariances: C_j of every free tolerance (N, d, d, T).
        magnitudes: w_j of every free tolerance (N, d, T).
        stated_covariance: C0 of those that are stated (N, d, d).
        stated_magnitude: w0 of those that are stated (N, d).
    """

    name: str
    covariances: np.ndarray
    magnitudes: np.ndarray
    stated_covariance: np.ndarray
    stated_magnitude: np.ndarray

    def at(self, rows: np.ndarray) -> ErrorSpread:
        """The same at some of the poses.

        Args:
            rows: numbers of the poses.
        """
        parts = (self.covariances, self.magnitudes, self.stated_covariance, self.stated_magnitude)
        return ErrorSpread(self.name, *(part[rows] for part in parts))

    def covariance(self, multiples: np.ndarray) -> np.ndarray:
        """C (N, d, d).

        Args:
            multiples: m of every free tolerance (T,).
        """
        return self.stated_covariance + self.covariances @ multiples**2

    def sizes(self, norm: str, multiples: np.ndarray) -> Sizes:
        """Size of the error at every pose.

        Args:
            norm: a name of `NORMS`.
            multiples: m of every free tolerance (T,).
        """
        if norm == WORST:
            largest = self.stated_magnitude + self.magnitudes @ multiples
            values = np.linalg.norm(largest, axis=1)
            return Sizes(values, _over(np.einsum("nd,ndt->nt", largest, self.magnitudes), values))
        measure = _mean_square if norm == SIGMA else _quantile
        squares, by_covariance = measure(self.covariance(multiples))
        values = np.sqrt(squares)
        by_square = np.einsum("nab,nabt->nt", by_covariance, self.covariances)
        return Sizes(values, _over(by_square * multiples, values))


def spreads_of(linear: FirstOrder, free: np.ndarray) -> tuple[ErrorSpread, ...]:
    """The errors of a plate, position first and yaw where there is yaw.

    Args:
        linear: errors to first order, the free tolerances at m = 1.
        free: which tolerances are free (T,).
    """
    parts = [("position", slice(0, 3))] + ([("yaw", slice(3, 4))] if linear.slopes.shape[1] > 3 else [])
    return tuple(_spread(name, linear, rows, free) for name, rows in parts)


def quantiles(covariances: np.ndarray) -> np.ndarray:
    """What 95 % of normal errors keep (...), by their covariances (..., d, d)."""
    flat = covariances.reshape(-1, *covariances.shape[-2:])
    return np.sqrt(_quantile(flat)[0]).reshape(covariances.shape[:-2])


def covariances_of(linear: FirstOrder) -> np.ndarray:
    """Covariance of the pose error (N, dof, dof) by all tolerances together."""
    spread = DISTRIBUTIONS[linear.distribution] * linear.bounds * linear.slopes
    return spread @ np.swapaxes(spread, 1, 2)


def _spread(name: str, linear: FirstOrder, rows: slice, free: np.ndarray) -> ErrorSpread:
    ends = np.cumsum([len(tolerance.sources) for tolerance in linear.tolerances])[:-1]
    moved = np.split((linear.bounds * linear.slopes)[:, rows], ends, axis=-1)
    scale = DISTRIBUTIONS[linear.distribution] ** 2
    covariances = np.stack([scale * part @ np.swapaxes(part, 1, 2) for part in moved], axis=-1)
    magnitudes = np.stack([np.abs(part).sum(axis=-1) for part in moved], axis=-1)
    stated = ~free
    return ErrorSpread(
        name,
        covariances[..., free],
        magnitudes[..., free],
        covariances[..., stated].sum(axis=-1),
        magnitudes[..., stated].sum(axis=-1),
    )


def _over(values: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Rows divided by their sizes; 0 where there is no error at all."""
    return values / np.maximum(sizes, _NOTHING)[:, None]


def _mean_square(covariance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Trace of C (N,), and its derivative by C (N, d, d)."""
    squares = np.trace(covariance, axis1=1, axis2=2)
    return squares, np.broadcast_to(np.eye(covariance.shape[1]), covariance.shape)


def _quantile(covariance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The 95 % quantile of e'e (N,), and its derivative by C (N, d, d): dc_k = k tr(C^(k-1) dC)."""
    from scipy.special import chdtri

    one = np.broadcast_to(np.eye(covariance.shape[1]), covariance.shape)
    square = covariance @ covariance
    c1, c2, c3 = (np.trace(power, axis1=1, axis2=2) for power in (covariance, square, square @ covariance))
    c2, c3 = np.maximum(c2, _NOTHING), np.maximum(c3, _NOTHING)
    a, nu = c3 / c2, np.clip(c2**3 / c3**2, 1.0, covariance.shape[1])
    chi, above, below = (chdtri(nu + step, 1.0 - SHARE) for step in (0.0, _STEP, -_STEP))
    by_nu = a * ((above - below) / (2 * _STEP) - 1.0)
    # By c2 and c3: a = c3 / c2 and nu = c2^3 / c3^2 change, the rest follows.
    by_c2 = -a / c2 * (chi - nu) + by_nu * 3 * nu / c2
    by_c3 = (chi - nu) / c2 - by_nu * 2 * nu / c3
    slopes = one + 2 * by_c2[:, None, None] * covariance + 3 * by_c3[:, None, None] * square
    return c1 + a * (chi - nu), slopes
