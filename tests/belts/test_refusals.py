"""What belts, starts and rows are refused for: which of them, where, and by how much."""

from __future__ import annotations

from dataclasses import replace

import pytest

import parapick as pp
from parapick.belts import (
    Anywhere,
    Belt,
    BeltError,
    ConveyorLimits,
    Handling,
    Item,
    PickPlace,
    Slots,
    Stream,
    picked_from_row,
    plan,
)
from parapick.belts.checks import check_belt, check_work
from parapick.belts.stream import Missed
from parapick.errors import MotionError
from parapick.model import Model
from parapick.motion import LimitError
from parapick.ride import UnreachableCornerError
from roomy import roomy

BENCH = Belt((0.0, 0.15, -0.74), (1.0, 0.0, 0.0), 0.0, name="bench")
MOVING = Belt((0.0, -0.15, -0.74), (1.0, 0.0, 0.0), 0.2, window=(-0.2, 0.2), name="belt")
WORK = PickPlace(Handling(0.02, 0.03), Handling(0.02, 0.03), payload=0.1)
LIMITS = ConveyorLimits(v_max=4.0, a_max=60.0, margin=0.0)


@pytest.fixture(scope="module")
def free() -> Model:
    return roomy("par4")


@pytest.fixture(scope="module")
def par4() -> Model:
    return pp.load("par4")


def boxes(*along: float) -> list[Item]:
    return [Item(BENCH, position, 0.0) for position in along]


def test_a_belt_beyond_the_stated_workspace_says_where_and_by_how_much(par4: Model) -> None:
    region = par4.numbers.workspace
    assert region is not None
    beyond = replace(BENCH, point=(0.0, 0.45, -0.74), name="far bench")
    assert par4.reach((0.0, 0.45, -0.74, 0.0)).ok
    with pytest.raises(
        BeltError, match=r"far bench: no part of it that the robot reaches lies in its stated"
    ) as caught:
        plan(par4, Item(beyond, 0.0, 0.0), boxes(0.0)[0], WORK, LIMITS)
    assert "nearest is (0, 450, -740) mm" in str(caught.value)
    assert "the stated workspace ends" in str(caught.value)
    assert caught.value.excess > 0.0


def test_a_start_beyond_the_stated_workspace_is_a_corner(par4: Model) -> None:
    start = (0.0, 0.45, -0.7, 0.0)
    with pytest.raises(UnreachableCornerError, match=r"the stated workspace ends .* mm before it") as caught:
        plan(par4, boxes(0.0)[0], boxes(0.05)[0], WORK, LIMITS, start=start)
    assert (caught.value.corner, caught.value.pose, caught.value.unit) == ("start", start, "m")
    assert caught.value.slack < 0.0


def test_drives_that_cannot_hold_an_item_say_by_how_much(free: Model) -> None:
    heavy = replace(WORK, payload=200.0)
    limits = replace(LIMITS, motor_torque=1.0)
    with pytest.raises(BeltError, match=r"motor torque") as caught:
        plan(free, boxes(0.0)[0], boxes(0.05)[0], heavy, limits)
    assert caught.value.excess > 0.0
    assert "times" in str(caught.value)


def test_a_window_far_from_the_robot_says_what_is_missing_at_its_nearer_end(free: Model) -> None:
    far = replace(MOVING, window=(5.0, 6.0), name="far belt")
    with pytest.raises(BeltError, match=r"far belt: the robot reaches no part .* its window; nearest is \(5000,"):
        plan(free, Item(far, 0.0, 0.0), boxes(0.0)[0], WORK, LIMITS)


@pytest.mark.parametrize(
    ("belt", "words"),
    [
        (replace(BENCH, point=(0.0, float("nan"), 0.0)), "its point is"),
        (replace(BENCH, direction=(0.0, 0.0, 1.0)), "a vector that is not vertical"),
        (replace(BENCH, speed=-1.0), "must be 0 or greater"),
        (replace(BENCH, speed=1e-9), "is a table, with speed 0"),
        (replace(BENCH, window=(1.0, 1.0)), "must end behind its start"),
    ],
)
def test_what_is_no_belt(belt: Belt, words: str) -> None:
    with pytest.raises(BeltError, match=words):
        check_belt(belt)


@pytest.mark.parametrize(
    ("work", "name", "words"),
    [
        (replace(WORK, payload=-1.0), "payload", "-1"),
        (replace(WORK, timing="quick"), "timing", "it must be 'law' or 'fastest'"),
    ],
)
def test_what_is_no_work(work: PickPlace, name: str, words: str) -> None:
    with pytest.raises(LimitError) as caught:
        check_work(work)
    assert caught.value.name.startswith(name)
    assert words in str(caught.value)


# Rows and streams


def test_a_row_is_picked_one_after_the_other(free: Model) -> None:
    row = Slots(MOVING, pitch=0.1)
    cycles = list(picked_from_row(free, row, boxes(-0.05, 0.05), WORK, LIMITS))
    assert len(cycles) == 2
    assert cycles[1].start == cycles[0].end
    assert cycles[1].motion.start == pytest.approx(cycles[0].motion.end)
    assert cycles[0].pick.item != cycles[1].pick.item
    for cycle in cycles:
        assert cycle.followed.ok
        assert cycle.margins == cycle.followed.margin_requirements
    # The cycles in order are the motion of a stream, which rests where none is run.
    late = replace(cycles[1], start=cycles[1].start + 0.5)
    joined = Stream((), (), late.end, 0.0, (cycles[0], late)).motion()
    assert joined.duration == pytest.approx(late.end)
    assert joined.at(cycles[0].end + 0.25).x == pytest.approx(cycles[0].motion.end)


def test_a_row_on_a_belt_that_does_not_move_is_refused(free: Model) -> None:
    with pytest.raises(BeltError, match="no empty boxes come"):
        next(picked_from_row(free, Slots(BENCH, pitch=0.1), boxes(0.0), WORK, LIMITS))


def test_a_stream_without_a_pick_says_why() -> None:
    with pytest.raises(MotionError, match=r"nothing could be picked, so there is no motion$"):
        Stream((), (), 1.0, 0.0).motion()
    miss = Missed(Item(MOVING, 0.0, 0.0), "too late", 0.5)
    with pytest.raises(MotionError, match="the first of 1 items: too late"):
        Stream((), (miss,), 1.0, 0.0).motion()
    assert Stream((), (miss,), 1.0, 0.0).missed_share == 1.0
    assert Stream((), (), 0.0, 0.0).picks_per_minute == Stream((), (), 0.0, 0.0).missed_share == 0.0


def test_anywhere_on_a_bench_is_the_nearest_place(free: Model) -> None:
    anywhere = plan(free, boxes(0.0)[0], Anywhere(replace(BENCH, point=(0.0, -0.1, -0.74))), WORK, LIMITS)
    fixed = plan(free, boxes(0.0)[0], Item(replace(BENCH, point=(0.0, -0.1, -0.74)), 0.1, 0.0), WORK, LIMITS)
    assert anywhere.end <= fixed.end
