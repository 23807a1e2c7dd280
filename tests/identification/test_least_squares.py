"""Least squares: intervals that hold what they promise, and columns that cannot be told apart."""

from __future__ import annotations

import numpy as np
import pytest

from parapick.identification.least_squares import CONFIDENCE, Block, fitted


def correlated(random: np.random.Generator, count: int, share: float) -> np.ndarray:
    """Noise of unit size that remembers a share of itself from sample to sample."""
    fresh = random.standard_normal(count) * np.sqrt(1.0 - share**2)
    noise = np.zeros(count)
    for i in range(1, count):
        noise[i] = share * noise[i - 1] + fresh[i]
    return noise


@pytest.mark.parametrize("share", [0.0, 0.9])
def test_intervals_hold_the_truth_as_often_as_they_say(share: float) -> None:
    random = np.random.default_rng(5)
    t = np.linspace(0.0, 20.0, 600)
    columns = np.stack([np.sin(t), np.sign(np.sin(0.7 * t)), np.cos(2.3 * t)], axis=-1)[:, None, :]
    truth, inside, plain = np.array([1.0, 2.0, -0.5]), 0, 0
    for _ in range(150):
        left = (columns @ truth) + 0.3 * correlated(random, len(t), share)[:, None]
        fit = fitted([Block(left, columns, np.ones_like(left, dtype=bool))])
        off = np.abs(fit.values - truth)
        inside += int(np.sum(off < fit.critical * fit.deviation))
        gram = np.linalg.inv(columns[:, 0].T @ columns[:, 0])
        plain += int(np.sum(off < CONFIDENCE * fit.noise * np.sqrt(np.diag(gram))))
    assert 0.88 < inside / 450 < 0.99
    # As if every sample were a new one, intervals of correlated noise would be far too narrow.
    assert plain / 450 < 0.7 if share else plain / 450 > 0.9


def test_a_column_that_is_a_combination_is_not_kept() -> None:
    random = np.random.default_rng(1)
    first, second = random.standard_normal((2, 200))
    columns = np.stack([first, second, 2.0 * first - second, np.zeros(200)], axis=-1)[:, None, :]
    left = (columns[..., :2] @ np.array([3.0, 4.0])) + 0.01 * random.standard_normal((200, 1))
    fit = fitted([Block(left, columns, np.ones_like(left, dtype=bool))])
    assert fit.kept.tolist() == [True, True, False, False]
    assert fit.values[:2] == pytest.approx([3.0, 4.0], abs=0.01)
    assert fit.alike == {2: (0, 1)}


def test_noisy_rows_weigh_less() -> None:
    random = np.random.default_rng(2)
    columns = random.standard_normal((400, 2, 1))
    left = columns @ np.array([1.5]) + random.standard_normal((400, 2)) * np.array([0.001, 1.0])
    fit = fitted([Block(left, columns, np.ones_like(left, dtype=bool))])
    assert fit.noise == pytest.approx([0.001, 1.0], rel=0.2)
    assert fit.values[0] == pytest.approx(1.5, abs=3e-4)
