"""Starts of searches: spread evenly, and apart from each other as far as there are enough."""

from __future__ import annotations

import numpy as np
import pytest

from parapick.search import APART, distance, first_apart, sobol_shares, starts_apart


@pytest.mark.parametrize("count", [1, 2, 5, 64, 100])
def test_shares_are_inside_the_cube_and_a_longer_spread_goes_on(count: int) -> None:
    shares = sobol_shares(3, count, 7)
    assert shares.shape == (count, 3)
    assert shares.min() > 0.0
    assert shares.max() < 1.0
    # A spread of more points begins with these.
    assert np.array_equal(sobol_shares(3, 2 * count, 7)[:count], shares)


def test_every_box_of_an_even_spread_has_its_point() -> None:
    shares = sobol_shares(2, 64, 0)
    boxes = {tuple(row) for row in np.floor(8.0 * shares).astype(int).tolist()}
    assert len(boxes) == 64


def test_the_distance_is_the_largest_difference_of_a_share() -> None:
    assert distance(np.array([0.1, 0.5]), np.array([0.2, 0.1])) == pytest.approx(0.4)
    assert distance(np.zeros((3, 2)), np.array([0.0, 0.3])) == pytest.approx([0.3] * 3)


def test_the_first_that_are_apart_in_the_order_of_their_rank() -> None:
    ranked = np.array([[0.5], [0.5 + 0.9 * APART], [0.5 - 1.1 * APART], [0.9], [0.1]])
    assert first_apart(ranked, 3) == [0, 2, 3]
    assert first_apart(ranked, 9) == [0, 2, 3, 4]
    # One that may not be a start keeps no other away.
    assert first_apart(ranked, 2, keeps=lambda row: row > 0) == [1, 2]
    assert first_apart(ranked, 2, keeps=lambda row: False) == []


def test_only_candidates_that_are_apart_are_asked_whether_they_may_be_starts() -> None:
    asked: list[int] = []

    def keeps(row: int) -> bool:
        asked.append(row)
        return True

    first_apart(np.array([[0.5], [0.51], [0.9], [0.1]]), 2, keeps=keeps)
    assert asked == [0, 2]


@pytest.mark.parametrize("seed", range(5))
def test_as_many_starts_as_are_asked_for_the_best_among_them(seed: int) -> None:
    ranked = np.random.default_rng(seed).uniform(0.0, 1.0, (40, 2))
    chosen = starts_apart(ranked, 6)
    assert len(chosen) == len(set(chosen)) == 6
    assert chosen[0] == 0
    assert chosen == sorted(chosen)
    apart = [distance(ranked[i], ranked[j]) for i in chosen for j in chosen if i < j]
    assert min(apart) >= APART


def test_where_all_are_close_they_lie_as_far_apart_as_there_are_enough() -> None:
    ranked = np.array([[0.5], [0.51], [0.52], [0.53]])
    assert starts_apart(ranked, 2) == [0, 3]
    assert starts_apart(ranked, 4) == [0, 1, 2, 3]


def test_fewer_candidates_than_starts_are_searched_from_again() -> None:
    assert starts_apart(np.array([[0.2], [0.8]]), 5) == [0, 1, 0, 1, 0]
    assert starts_apart(np.array([[0.2], [0.2]]), 2) == [0, 0]
