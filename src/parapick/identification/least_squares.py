"""Weighted least squares with confidence: noise estimated per row, correlation of residuals over time respected.

The covariance is that of Newey and West, "A Simple, Positive Semi-Definite, Heteroskedasticity and Autocorrelation
Consistent Covariance Matrix", Econometrica 55 (1987) 703-708: filtered residuals repeat what they said a moment ago,
and counting every sample as a new one would make intervals many times too narrow.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

import numpy as np

DEPENDENT: Final = 1e-5
"""Share of its size that a column must keep beside the others to count: rounding and filters leave 1e-8 of a column
that is a combination of others."""

MIXED: Final = 0.01
"""Share of a column, each of unit size, from which on another takes part in it."""

CONFIDENCE: Final = 1.959964
"""Standard deviations to either side that hold 95 % of a normal distribution."""

_FEW: Final = (2.9694, 0.4160, -0.5324)
"""What few memories in a log add to that: coefficients of b, b^2 and b^3, b being the memory over the length. Kiefer
and Vogelsang, "A New Asymptotic Theory for Heteroskedasticity-Autocorrelation Robust Tests", Econometric Theory 21
(2005) 1130-1164, for Bartlett's weights."""

FORGOTTEN: Final = 0.05
"""Correlation of residuals below which they count as forgotten."""


@final
@dataclass(frozen=True, eq=False)
class Block:
    """Rows of one stretch, in the order of time; R rows a sample.

    Attributes:
        left: what is explained (T, R).
        columns: what explains it (T, R, k).
        counted: which rows count (T, R).
    """

    left: np.ndarray
    columns: np.ndarray
    counted: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class Fit:
    """Numbers by least squares.

    Attributes:
        kept: which columns were told apart from the ones before them (k,).
        values: the numbers (k,); 0 where not kept.
        deviation: their standard deviations (k,); NaN where not kept.
        covariance: of the kept numbers.
        noise: standard deviation of the residual of every row (R,).
        memory: samples after which residuals are forgotten.
        critical: standard deviations to either side that hold 95 %, with so few memories in the log.
        rows: how many rows counted.
        condition: condition number of the kept columns, each of unit size.
        alike: of every column that was not kept, by its place, the kept ones of which it is a combination.
    """

    kept: np.ndarray
    values: np.ndarray
    deviation: np.ndarray
    covariance: np.ndarray
    noise: np.ndarray
    memory: int
    critical: float
    rows: int
    condition: float
    alike: Mapping[int, tuple[int, ...]]


def fitted(blocks: Sequence[Block], *, sure: bool = True) -> Fit:
    """The numbers that explain best; rows weigh by the noise that is left of them.

    A column that is a combination of those before it is not kept: its number is 0.

    Args:
        blocks: the stretches.
        sure: whether confidence, and what columns are alike, is asked for; without it, deviations are NaN.
    """
    left, columns, row = stacked(blocks)
    count = blocks[0].left.shape[1]
    sizes = np.linalg.norm(columns, axis=0)
    kept = independent(columns / np.where(sizes > 0.0, sizes, 1.0)) & (sizes > 0.0)
    chosen = columns[:, kept] / sizes[kept]
    weights, noise = np.ones(count), np.ones(count)
    values = np.zeros(chosen.shape[1])
    # The second round weighs rows by the noise that the first has found.
    for _ in range(2):
        values = np.linalg.lstsq(chosen * weights[row, None], left * weights[row], rcond=None)[0]
        noise = _noise(left - chosen @ values, row, count)
        weights = 1.0 / np.where(noise > 0.0, noise, 1.0)
    whole = np.zeros(len(sizes))
    whole[kept] = values / sizes[kept]
    deviation = np.full(len(sizes), np.nan)
    if not sure:
        return Fit(kept, whole, deviation, np.zeros((0, 0)), noise, 0, math.nan, len(left), math.nan, {})
    covariance, memory = _covariance(blocks, whole, kept, weights)
    deviation[kept] = np.sqrt(np.diag(covariance))
    condition = float(np.linalg.cond(chosen * weights[row, None])) if kept.any() else math.inf
    alike = _alike(columns / np.where(sizes > 0.0, sizes, 1.0), kept)
    critical = _critical(memory / sum(len(block.left) for block in blocks))
    return Fit(kept, whole, deviation, covariance, noise, memory, critical, len(left), condition, alike)


def _critical(share: float) -> float:
    """Standard deviations to either side that hold 95 %, where residuals are remembered over a share of the log."""
    return CONFIDENCE + sum(factor * share ** (i + 1) for i, factor in enumerate(_FEW))


def _alike(unit: np.ndarray, kept: np.ndarray) -> dict[int, tuple[int, ...]]:
    """Of every column of unit size that was not kept, the kept ones that make it up."""
    places, alike = np.flatnonzero(kept), {}
    for k in np.flatnonzero(~kept & unit.any(axis=0)):
        shares = np.abs(np.linalg.lstsq(unit[:, kept], unit[:, k], rcond=None)[0])
        alike[int(k)] = tuple(int(place) for place in places[shares > MIXED])
    return alike


def stacked(blocks: Sequence[Block]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All rows that count (N,), (N, k), and which row of its sample each is (N,).

    Args:
        blocks: the stretches.
    """
    left = np.concatenate([block.left[block.counted] for block in blocks])
    columns = np.concatenate([block.columns[block.counted] for block in blocks])
    row = np.concatenate([np.nonzero(block.counted)[1] for block in blocks])
    return left, columns, row


def independent(columns: np.ndarray, share: float = DEPENDENT) -> np.ndarray:
    """Which columns are no combination of those before them (k,): Gram and Schmidt's way, twice for rounding.

    Args:
        columns: the columns (N, k), of unit size.
        share: of itself that a column must keep.
    """
    basis: list[np.ndarray] = []
    kept = np.zeros(columns.shape[1], dtype=bool)
    for k, column in enumerate(columns.T):
        rest = column
        for _ in range(2):
            for direction in basis:
                rest = rest - (direction @ rest) * direction
        size = float(np.linalg.norm(rest))
        if size > share:
            basis.append(rest / size)
            kept[k] = True
    return kept


def _noise(residual: np.ndarray, row: np.ndarray, count: int) -> np.ndarray:
    """Standard deviation of the residual of every row (R,)."""
    return np.array([np.sqrt(np.mean(residual[row == i] ** 2)) if (row == i).any() else 0.0 for i in range(count)])


def _covariance(
    blocks: Sequence[Block], values: np.ndarray, kept: np.ndarray, weights: np.ndarray
) -> tuple[np.ndarray, int]:
    """Covariance of the kept numbers, and how many samples residuals are remembered."""
    scores, gram, memories = [], np.zeros((int(kept.sum()),) * 2), []
    for block in blocks:
        chosen = block.columns[..., kept] * (weights * block.counted)[..., None]
        residual = (block.left - block.columns @ values) * weights * block.counted
        gram += np.einsum("tri,trj->ij", chosen, chosen)
        scores.append(np.einsum("tri,tr->ti", chosen, residual))
        memories.append(_memory(residual))
    memory = max(memories)
    middle = sum((_long_run(score, memory) for score in scores), np.zeros_like(gram))
    inverse = np.linalg.pinv(gram, hermitian=True)
    count = sum(int(block.counted.sum()) for block in blocks)
    return inverse @ middle @ inverse * count / max(count - len(gram), 1), memory


def _memory(residual: np.ndarray) -> int:
    """Samples after which residuals (T, R) are forgotten; at least Newey and West's rule, at most a quarter of all."""
    length = len(residual)
    spectrum = np.abs(np.fft.rfft(residual, 2 * length, axis=0)) ** 2
    together = np.fft.irfft(spectrum.sum(axis=1))[:length]
    share = together / together[0] if together[0] > 0.0 else together
    below = np.flatnonzero(share < FORGOTTEN)
    # Twice the time to the first that is forgotten: Bartlett's weights fall from the start.
    forgotten = 2 * int(below[0]) if below.size else length
    return int(min(max(forgotten, 4.0 * (length / 100.0) ** (2.0 / 9.0)), length // 4))


def _long_run(score: np.ndarray, memory: int) -> np.ndarray:
    """Sum of the products of scores (T, k) up to a lag, with Bartlett's falling weights."""
    total = score.T @ score
    for lag in range(1, memory + 1):
        product = score[lag:].T @ score[:-lag]
        total += (1.0 - lag / (memory + 1)) * (product + product.T)
    return total
