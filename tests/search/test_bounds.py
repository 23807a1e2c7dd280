"""Bounds as slacks and as requirements, which must not contradict each other."""

from __future__ import annotations

import numpy as np
import pytest

from parapick.search import Bound, missing

TORQUE = Bound("peak_torque", at_most=50.0)
BOTH = Bound("energy", at_least=-2.0, at_most=4.0)


def test_a_slack_is_a_share_of_the_bound_that_is_nearest() -> None:
    assert TORQUE.slack(np.array([40.0, 50.0, 60.0])) == pytest.approx([0.2, 0.0, -0.2])
    assert BOTH.slack(np.array([-3.0, 0.0, 3.8])) == pytest.approx([-0.5, 1.0, 0.05])
    assert Bound("margin", at_least=0.0).slack(0.25) == pytest.approx(0.25)
    assert Bound("margin").slack(3.0) == np.inf


def test_a_requirement_says_which_side_is_broken_and_by_how_much() -> None:
    (kept,) = TORQUE.requirements(40.0, "N m")
    assert (kept.ok, kept.limit, kept.floor, kept.reserve) == (True, 50.0, False, 10.0)
    low, high = BOTH.requirements(-3.0, "J")
    assert (low.ok, high.ok) == (False, True)
    assert (low.name, low.limit, low.reserve) == ("energy", -2.0, -1.0)
    assert not list(Bound("margin").requirements(1.0, ""))


@pytest.mark.parametrize("bound", [TORQUE, Bound("margin", at_least=0.5)])
def test_what_a_search_keeps_a_verdict_keeps(bound: Bound) -> None:
    """At the bound, a rounding beside it, and clearly beyond it."""
    ((side, limit),) = bound.sides
    outward = -1.0 if side == "at_least" else 1.0
    for beyond, kept in ((0.0, True), (-1e-3, True), (1e-12, True), (1e-6, False)):
        value = limit * (1.0 + outward * beyond)
        (requirement,) = bound.requirements(value, "")
        assert requirement.ok is kept
        assert bool(bound.slack(value) >= -1e-9) is kept


def test_what_is_missing_is_that_of_the_worst_slack() -> None:
    assert missing(np.array([0.1, 3.0])) == 0.0
    assert missing(np.array([0.1, -0.2, -0.5])) == 0.5
    assert missing(np.empty(0)) == 0.0
    assert missing(np.array([0.1, np.nan])) == np.inf
