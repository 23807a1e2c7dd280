"""Sobol sequences: the points of SciPy bit for bit, even at every number, and the notice of the direction numbers."""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import files

import numpy as np
import pytest
from scipy.stats import qmc

from parapick.search.sobol import BITS, direction_numbers, scrambled, sobol_points, tabled

TABLED = len(tabled())


@pytest.mark.parametrize("size", [1, 2, 3, 7, 20, TABLED - 1, TABLED, TABLED + 1])
@pytest.mark.parametrize("seed", [0, 7, 2**32 - 1])
def test_the_points_are_those_of_scipy_bit_for_bit(size: int, seed: int) -> None:
    for power in (0, 1, 2, 5, 11):
        other = qmc.Sobol(size, rng=np.random.default_rng(seed)).random_base2(power)
        assert np.array_equal(sobol_points(size, power, seed), other)


def test_unscrambled_points_of_the_tabled_numbers_are_those_of_scipy() -> None:
    directions = np.stack([direction_numbers(row[0], row[1:]) for row in tabled()])
    # The point of index 2^k has the Gray code of bits k and k - 1, so its number is v_(k+1) ^ v_k.
    points = qmc.Sobol(TABLED, scramble=False).random_base2(13) * 2**BITS
    for k in range(1, 13):
        assert np.array_equal(points[2**k], directions[:, k] ^ directions[:, k - 1])


@pytest.mark.parametrize("row", range(TABLED))
def test_every_number_of_a_point_lies_once_in_every_interval(row: int) -> None:
    # That holds of any odd initial numbers; a polynomial that is not primitive makes the sequence repeat itself.
    shares = sobol_points(TABLED, 8, 3)[:, row]
    assert sorted(np.floor(256 * shares).astype(int).tolist()) == list(range(256))
    polynomial, *initial = tabled()[row]
    assert len(initial) == polynomial.bit_length() - 1
    assert all(number % 2 == 1 and number < 2 ** (k + 1) for k, number in enumerate(initial))


def test_scrambling_keeps_distinct_points_distinct() -> None:
    directions = np.stack([direction_numbers(row[0], row[1:]) for row in tabled()[:4]])
    changed, shift = scrambled(directions, np.random.default_rng(5))
    assert changed.shape == directions.shape
    assert shift.shape == (4,)
    # The leading bit of each stays where it is: the matrix is lower triangular with ones on its diagonal.
    assert np.array_equal(np.log2(changed).astype(int), np.log2(directions).astype(int))
    assert not np.array_equal(changed, directions)


def test_the_direction_numbers_carry_the_notice_of_their_authors() -> None:
    text = files("parapick.search").joinpath("joe-kuo-6.txt").read_text(encoding="utf-8")
    assert "Copyright (c) 2008, Frances Y. Kuo and Stephen Joe" in text
    assert "Redistributions in binary form must reproduce" in text


def test_a_spread_does_not_import_the_statistics_of_scipy() -> None:
    code = "from parapick.search import sobol_shares; sobol_shares(4, 64, 0); import sys; print('scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
