"""What becomes of items: shares, requirements, who keeps up with a row, and the largest rate that is kept."""

from __future__ import annotations

from dataclasses import replace

import pytest

from parapick.belts import ITEMS, Belt, ConveyorLimits, Handling, Item, PickPlace, Picks, RowWork, Slots
from roomy import roomy

BELT = Belt((0.0, -0.15, -0.74), (1.0, 0.0, 0.0), 0.3, window=(-0.15, 0.15), name="belt")
WORK = PickPlace(Handling(0.02, 0.03), Handling(0.02, 0.03), payload=0.1)
LIMITS = ConveyorLimits(v_max=4.0, a_max=60.0, margin=0.0)


def place(x: float) -> Item:
    return Item(Belt((x, 0.15, -0.74), (1.0, 0.0, 0.0), 0.0, (-0.01, 0.01), f"place {x:g}"), 0.0)


@pytest.fixture(scope="module")
def row_work() -> RowWork:
    row = Slots(BELT, pitch=0.3)  # 60 per minute
    return RowWork.of(roomy("par4"), row, [place(-0.03), place(0.03)], WORK, LIMITS)


def test_items_that_lie_still_are_not_missed() -> None:
    still = Picks(12, 9.0)
    assert still.requirement is None
    assert still.share == 1.0
    assert still.per_minute == pytest.approx(80.0)


@pytest.mark.parametrize(
    ("picks", "share"),
    [
        (Picks(12, 9.0, brought=80.0), 1.0),
        (Picks(14, 11.0, missed=2, brought=90.0), 14 / 16),
        (Picks(12, 9.5, brought=80.0, behind=0.5), 9.0 / 9.5),
        (Picks(0, 10.0, missed=3, brought=18.0), 0.0),
        (Picks(0, 10.0, brought=18.0), 1.0),
    ],
)
def test_the_share_that_is_picked_is_required(picks: Picks, share: float) -> None:
    assert picks.share == pytest.approx(share)
    requirement = picks.requirement
    assert requirement is not None
    assert requirement.name == ITEMS
    assert requirement.unit == "%"
    assert requirement.value == pytest.approx(100.0 * share)
    assert requirement.ok is (share == 1.0)
    # A share that may be missed, just enough and too little.
    allowed = replace(picks, allowed=1.0 - share + 1e-3).requirement
    assert allowed is not None
    assert allowed.ok
    if share < 0.99:
        short = replace(picks, allowed=1.0 - share - 1e-3).requirement
        assert short is not None
        assert not short.ok


def test_a_slow_row_is_kept_up_with(row_work: RowWork) -> None:
    plan = row_work.plan()
    assert plan.keeps
    assert [pick.number for pick in plan.picks] == [plan.picks[0].number, plan.picks[0].number + 1]
    assert plan.throughput == pytest.approx(row_work.per_minute, rel=1e-3)


def test_a_row_that_is_too_quick_is_not(row_work: RowWork) -> None:
    plan = row_work.plan(600.0)
    assert not plan.keeps
    assert plan.missed > 0
    assert plan.behind > 0.0
    assert plan.throughput < 600.0


@pytest.mark.soak
def test_the_largest_rate_is_kept_and_more_is_not(row_work: RowWork) -> None:
    rate = row_work.largest_rate(row_work.plan())
    assert rate > row_work.per_minute
    assert row_work.keeps(rate)
    assert not row_work.keeps(1.03 * rate)


@pytest.mark.soak
def test_an_absurd_rate_is_answered(row_work: RowWork) -> None:
    """Items that pass while the robot is away are skipped at once, and not one by one."""
    plan = row_work.plan(1e8)
    assert plan.missed > 1e5
    assert 10.0 < plan.throughput < 1000.0
