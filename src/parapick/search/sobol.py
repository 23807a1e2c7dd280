"""Scrambled Sobol sequences: the same points as those of `scipy.stats.qmc.Sobol`, without importing all of its room.

Every number x of a point is a sum of direction numbers v_k in the field of two elements: x_i is the exclusive or of
those v_k whose bit is set in the Gray code of i (Bratley and Fox 1988, Algorithm 659). Direction numbers follow from a
primitive polynomial of degree s with coefficients a_1 ... a_s, and from s initial ones (Joe and Kuo 2008):

    m_k = 2 a_1 m_(k-1) ^ 4 a_2 m_(k-2) ^ ... ^ 2^s m_(k-s) ^ m_(k-s),    v_k = m_k 2^(bits - k)

They are scrambled by a random lower triangular matrix over that field, with ones on its diagonal, and by a random shift
(Matousek 1998).
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np

BITS: Final = 30
"""Bits of a number of a point."""

_SIGNIFICANT: Final = 2 ** np.arange(BITS - 1, -1, -1, dtype=np.int64)
"""What the bits of a number are worth (bits,), the most significant first."""


@cache
def tabled() -> tuple[tuple[int, ...], ...]:
    """Of each number of a point its polynomial, whose bits are its coefficients, and its initial direction numbers."""
    text = files("parapick.search").joinpath("joe-kuo-6.txt").read_text(encoding="utf-8")
    return tuple(tuple(map(int, line.split())) for line in text.splitlines() if not line.startswith("#"))


def direction_numbers(polynomial: int, initial: tuple[int, ...]) -> np.ndarray:
    """Direction numbers v_k of a number of the points (bits,).

    Args:
        polynomial: its coefficients as bits, that of the highest power first; 1 for the first number, which has none.
        initial: the first m_k, as many as its degree.
    """
    degree = len(initial)
    numbers = list(initial) if degree else [1] * BITS
    for k in range(degree, BITS):
        number = numbers[k - degree]
        for back in range(1, degree + 1):
            if polynomial >> (degree - back) & 1:
                number ^= numbers[k - back] << back
        numbers.append(number)
    return np.array(numbers[:BITS], dtype=np.int64) * _SIGNIFICANT


def scrambled(directions: np.ndarray, generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Direction numbers (d, bits) times a random matrix each, and a random shift of each number (d,).

    Args:
        directions: direction numbers (d, bits).
        generator: of the random bits.
    """
    size = len(directions)
    # Drawn as 32 bits, in this order: the same seed gives the points that SciPy gives.
    shift = generator.integers(2, size=(size, BITS), dtype=np.uint32).astype(np.int64) @ _SIGNIFICANT[::-1]
    drawn = generator.integers(2, size=(size, BITS, BITS), dtype=np.uint32).astype(np.int64)
    matrix = np.tril(drawn, -1) + np.eye(BITS, dtype=np.int64)
    bits = directions[:, None, :] >> np.arange(BITS - 1, -1, -1)[:, None] & 1
    return np.swapaxes(matrix @ bits & 1, 1, 2) @ _SIGNIFICANT, shift


def sobol_points(size: int, power: int, seed: int) -> np.ndarray:
    """The first points of a scrambled Sobol sequence (2^power, size), from 0 to less than 1.

    Args:
        size: numbers of a point.
        power: of two, how many points.
        seed: of the scrambling.
    """
    if size > len(tabled()):
        from scipy.stats import qmc

        return qmc.Sobol(size, rng=np.random.default_rng(seed)).random_base2(power)
    directions = np.stack([direction_numbers(row[0], row[1:]) for row in tabled()[:size]])
    # SciPy takes a generator of its own from the one that it is given.
    directions, shift = scrambled(directions, np.random.default_rng(seed).spawn(1)[0])
    directions, shift = directions.astype(np.uint32), shift.astype(np.uint32)
    points = np.empty((2**power, size), dtype=np.uint32)
    points[0] = shift
    for k in range(power):
        # Gray codes of twice as many points: those there are in reverse order, with one more bit.
        points[2**k : 2 ** (k + 1)] = points[2**k - 1 :: -1] ^ directions[:, k]
    return points * 2.0**-BITS
