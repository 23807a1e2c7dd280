"""Intercepts as fast as the drives allow: met earlier than by a law, within the same limits."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from parapick.belts import (
    PHASES,
    Anywhere,
    Belt,
    ConveyorLimits,
    Handling,
    Item,
    MissedItemError,
    PickPlace,
    PickPlan,
    plan,
)
from parapick.errors import MotionError
from parapick.model import Model
from parapick.motion import LimitError, Motion, modified_trapezoid, via_path
from parapick.papers.righettini2024.cycle import righettini2024_cycle, righettini2024_fastest
from parapick.timing import fastest_along
from parapick.timing.stretch_duration import between, lasting
from roomy import roomy

IN = Belt((0.0, -0.2, -0.74), (1.0, 0.0, 0.0), 0.4, window=(-0.3, 0.3), name="belt in")
OUT = Belt((0.0, 0.2, -0.74), (-1.0, 0.0, 0.0), 0.3, window=(-0.3, 0.3), name="belt out")
WORK = PickPlace(Handling(0.03, 0.03), Handling(0.03, 0.03), payload=0.3)
QUICK = replace(WORK, timing="fastest")
LIMITS = ConveyorLimits(motor_torque=0.8)
ITEM = Item(IN, -0.2)


@pytest.fixture(scope="module")
def par4() -> Model:
    return roomy("par4")


@pytest.fixture(scope="module")
def fivebar() -> Model:
    return roomy("fivebar-spindle")


@pytest.fixture(scope="module")
def law(par4: Model) -> PickPlan:
    return plan(par4, ITEM, Anywhere(OUT), WORK, LIMITS)


@pytest.fixture(scope="module")
def quick(par4: Model) -> PickPlan:
    return plan(par4, ITEM, Anywhere(OUT), QUICK, LIMITS)


def assert_joined(motion: Motion) -> None:
    """Neither position nor velocity jumps where phases meet."""
    joints = np.array([phase.end for phase in motion.phases[:-1]])
    left, right = motion.at(joints, "left"), motion.at(joints, "right")
    assert right.x == pytest.approx(left.x, abs=1e-9)
    assert right.xd == pytest.approx(left.xd, abs=1e-8)
    assert np.abs(motion.at([0.0, motion.duration]).xd).max() < 1e-9


def assert_met(found: PickPlan) -> None:
    """Throughout grasp and release the tool is where item and box are."""
    for meeting, name in ((found.pick, PHASES[2]), (found.place, PHASES[6])):
        phase = next(phase for phase in found.motion.phases if phase.name == name)
        times = np.linspace(phase.start, phase.end, 9)
        assert found.motion.at(times).x[:, :3] == pytest.approx(meeting.item.at(times), abs=1e-8)


def test_both_intercepts_are_shorter_and_the_limits_hold(law: PickPlan, quick: PickPlan) -> None:
    assert quick.pick.approach.duration < 0.95 * law.pick.approach.duration
    assert quick.place.approach.duration < 0.95 * law.place.approach.duration
    assert [phase.name for phase in quick.motion.phases] == list(PHASES)
    assert_joined(quick.motion)
    assert_met(quick)
    assert 0.99 * 0.8 < (quick.followed["motor torque"].use or 0.0) <= 0.8 * (1 + 1e-9)
    assert min(one.value for one in quick.margins) >= LIMITS.margin


def test_the_drives_are_the_limit_nearly_all_the_time(par4: Model, quick: PickPlan) -> None:
    intercept = quick.pick.approach.timed
    assert intercept is not None
    s = intercept.sample(20000)
    use = np.abs(par4.drive_torque(s.x, s.xd, s.xdd).torque).max(axis=1) / (0.8 * 90.0)
    assert (use > 0.97).mean() > 0.95


def test_a_box_that_comes_soon_is_met_where_its_window_begins(par4: Model) -> None:
    """The robot could be there before the box, and moves, so that it cannot wait: it comes more slowly."""
    # By a law the robot is there at 0.356 s, by the fastest timing at 0.330 s.
    arrival = 0.337
    found = plan(par4, ITEM, Item(OUT, -0.3, arrival), QUICK, LIMITS)
    assert found.place.time == pytest.approx(arrival, abs=1e-6)
    assert_joined(found.motion)
    assert_met(found)
    assert found.followed["motor torque"].use <= 0.8 * (1 + 1e-9)  # pyright: ignore[reportOptionalOperand]


def test_righettini2024_cycle_is_a_fifth_shorter(fivebar: Model) -> None:
    """Both intercepts, 0.56 s and 0.50 s by their law, on the same ways between the same places."""
    cycle, found = righettini2024_cycle(), righettini2024_fastest(fivebar)
    times = {phase.name: phase.end - phase.start for phase in found.phases}
    assert times[PHASES[0]] == pytest.approx(0.299, abs=1e-3)
    assert times[PHASES[4]] == pytest.approx(0.346, abs=1e-3)
    assert cycle.duration / found.duration == pytest.approx(1.203, abs=1e-3)
    assert_joined(found)
    followed, before = found.follow(fivebar), cycle.follow(fivebar)
    assert followed.problems == ()
    for name in ("under-mobility margin", "over-mobility margin"):
        assert followed[name].value == pytest.approx(before[name].value, abs=1e-3)


def test_an_item_that_a_law_misses_is_met(fivebar: Model) -> None:
    """The belts of righettini2024, and an item that comes for the fastest intercept only."""
    lifting = modified_trapezoid(ramp=0.05 / 0.24)
    work = PickPlace(Handling(0.0074, 0.16, 0.24, lifting), Handling(0.0074, 0.14, 0.24, lifting), stop_time=0.14)
    pick, place = (Belt((x, 0.0, -0.0074), (0.0, y, 0.0), 0.2) for x, y in ((-0.2, 1.0), (0.203, -1.0)))
    item, limits = Item(pick, 0.26, 0.3, math.pi), ConveyorLimits(margin=0.3, motor_torque=1.0, motor_speed=1.0)
    start = (0.203, 0.255, 0.0, 0.0)
    with pytest.raises(MissedItemError, match="s late"):
        plan(fivebar, item, Anywhere(place), work, limits, start=start)
    found = plan(fivebar, item, Anywhere(place), replace(work, timing="fastest"), limits, start=start)
    assert found.motion.duration == pytest.approx(1.976, abs=3e-3)
    assert found.followed.problems == ()
    assert min(one.value for one in found.margins) >= 0.3
    assert_joined(found.motion)
    assert_met(found)


def test_a_timing_is_made_to_last(par4: Model) -> None:
    path = via_path([(-0.1, 0.0, -0.7, 0.0), (0.0, 0.05, -0.65, 0.2), (0.1, 0.0, -0.7, 0.0)])
    quick = fastest_along(par4, path, end_speeds=(0.3, 0.2))
    wanted = 1.0002 * quick.duration
    longer = lasting(quick, wanted)
    assert longer.duration == pytest.approx(wanted, rel=1e-12)
    for t, other in ((0.0, 0.0), (quick.duration, wanted)):
        assert longer.at(other, "left").x == pytest.approx(quick.at(t, "left").x, abs=1e-12)
        assert longer.at(other, "left").xd == pytest.approx(quick.at(t, "left").xd, abs=1e-9)
    assert longer.follow(par4)["motor torque"].use == pytest.approx(1.0, abs=3e-3)
    with pytest.raises(LimitError, match="to a thousandth more"):
        lasting(quick, 1.01 * quick.duration)
    slow = fastest_along(par4, path, end_speeds=(0.3, 0.2), v_max=1.0)
    middle = between(quick, slow, 0.5 * (quick.duration + slow.duration))
    assert middle.duration == pytest.approx(0.5 * (quick.duration + slow.duration), rel=1e-12)
    assert middle.follow(par4).ok
    with pytest.raises(LimitError, match="it must be from"):
        between(quick, slow, 2.0 * slow.duration)


def test_timings_have_a_name(par4: Model) -> None:
    with pytest.raises(MotionError, match="timing: is 'slow'; it must be 'law' or 'fastest'"):
        plan(par4, ITEM, Anywhere(OUT), replace(WORK, timing="slow"), LIMITS)  # pyright: ignore[reportArgumentType]
