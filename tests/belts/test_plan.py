"""Pick and place on moving belts: the work cycle of righettini2024, the planner, its errors, and streams of items."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from pages import run_program
from parapick.belts import (
    PHASES,
    Anywhere,
    Approach,
    Belt,
    BeltError,
    ConveyorLimits,
    Handling,
    Item,
    MissedItemError,
    NoInterceptError,
    PickPlace,
    PickPlan,
    Slots,
    Traffic,
    arrivals,
    pick_and_place,
    plan,
    stream,
)
from parapick.errors import MotionError
from parapick.model import Model
from parapick.motion import LimitError, Motion, intercept, modified_trapezoid
from parapick.papers.righettini2024.cycle import righettini2024_cycle
from parapick.ride import UnreachableCornerError
from parapick.tasks import ConveyorTask, load_task
from roomy import roomy

PLACE_X = 0.2029602652
"""Place of the second belt (m), solved for so that the peaks of righettini2024 section 2.3 come out."""

IN = Belt((0.0, -0.2, -0.74), (1.0, 0.0, 0.0), 0.4, window=(-0.3, 0.3), name="belt in")
OUT = Belt((0.0, 0.2, -0.74), (1.0, 0.0, 0.0), 0.3, window=(-0.3, 0.3), name="belt out")
WORK = PickPlace(Handling(0.03, 0.03), Handling(0.03, 0.03), payload=0.3)
LIMITS = ConveyorLimits(v_max=4.0, a_max=100.0)


@pytest.fixture(scope="module")
def par4() -> Model:
    return roomy("par4")


@pytest.fixture(scope="module")
def fivebar() -> Model:
    return roomy("fivebar-spindle")


@pytest.fixture(scope="module")
def between_belts(par4: Model) -> PickPlan:
    return plan(par4, Item(IN, -0.3, 0.0, 0.3), Anywhere(OUT, -0.2), WORK, LIMITS)


def states(motion: Motion, phases: tuple[str, ...], count: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """Velocities within phases, and the times."""
    spans = [(phase.start, phase.end) for phase in motion.phases if phase.name in phases]
    times = np.concatenate([np.linspace(low, high, count, endpoint=False) for low, high in spans])
    return motion.at(times).xd, times


def assert_continuous(motion: Motion) -> None:
    """Position and velocity do not jump where phases meet, and acceleration does not either."""
    joints = np.array([phase.end for phase in motion.phases[:-1]])
    assert [later.start for later in motion.phases[1:]] == pytest.approx(joints)
    left, right = motion.at(joints, "left"), motion.at(joints, "right")
    assert right.x == pytest.approx(left.x, abs=1e-12)
    assert right.xd == pytest.approx(left.xd, abs=1e-9)
    assert len(motion.corners) == 0
    assert np.abs(motion.at([0.0, motion.duration]).xd).max() < 1e-12


def assert_limits_hold(planned: PickPlan, limits: ConveyorLimits) -> None:
    """By the true peaks of the plate, and by following at 4 kHz."""
    assert planned.peaks.speed.value <= limits.v_max * (1 + 1e-6)
    assert planned.peaks.acceleration.value <= limits.a_max * (1 + 1e-6)
    assert min(one.value for one in planned.margins) >= limits.margin * (1 - 1e-6)
    assert all(one.ok for one in planned.followed.requirements if one.limit == 0.0)
    for share, name in ((limits.motor_speed, "joint speed"), (limits.motor_torque, "motor torque")):
        if share is not None:
            assert planned.followed[name].use <= share * (1 + 2e-3)


def work_cycle() -> Motion:
    """The cycle of righettini2024 section 2.3 from belts, items, times and bends."""
    lifting = modified_trapezoid(ramp=0.05 / 0.24)
    work = PickPlace(Handling(0.0074, 0.16, 0.24, lifting), Handling(0.0074, 0.14, 0.24, lifting), stop_time=0.14)
    pick_belt = Belt((-0.2, 0.0, -0.0074), (0.0, 1.0, 0.0), 0.2)
    place_belt = Belt((PLACE_X, 0.0, -0.0074), (0.0, -2.0, 0.0), 0.2)
    # The item passes y = 0.26 m at 0.56 s; the box is seen at y = 0.533 m, 0.7 s before it passes y = 0.393 m.
    return pick_and_place(
        (PLACE_X, 0.255, 0.0, 0.0),
        Item(pick_belt, 0.26, 0.56, math.pi),
        Item(place_belt, -0.533, 1.0),
        work,
        Approach(0.56, 0.17, (0.0, 0.15, 0.0, 0.0)),
        Approach(0.50, 0.1367803747, (0.0, -0.45, 0.0, 0.0)),
    )


def test_righettini2024_section_3_cycle_from_belts_and_items(fivebar: Model) -> None:
    motion = work_cycle()
    assert motion.duration == pytest.approx(2.46, abs=1e-12)
    assert motion.peaks().speed.value == pytest.approx(1.16, rel=1e-5)
    assert motion.peaks().acceleration.value == pytest.approx(11.3, rel=1e-5)
    assert tuple(phase.name for phase in motion.phases) == PHASES
    times = [0.0, 0.56, 0.80, 0.96, 1.20, 1.70, 1.94, 2.08, 2.32]
    assert [phase.start for phase in motion.phases] == pytest.approx(times)
    ends = motion.at([0.56, 1.2, 1.7, 2.32, 2.46]).x[:, :2]
    points = [(-0.2, 0.26), (-0.2, 0.388), (PLACE_X, 0.393), (PLACE_X, 0.269), (PLACE_X, 0.255)]
    assert ends == pytest.approx(np.array(points), abs=1e-9)
    assert_continuous(motion)


def test_righettini2024_section_3_margins_and_rates(fivebar: Model) -> None:
    motion = work_cycle()
    followed = motion.follow(fivebar)
    assert followed.ok
    assert followed["under-mobility margin"].value == pytest.approx(0.326, abs=5e-4)
    samples = motion.sample(4000.0)
    rates = np.abs(fivebar.joint_rates(samples.x, samples.xd)).max(axis=0)
    assert rates == pytest.approx((5.52, 5.31, 12.24, 9.42), abs=0.006)
    # Type 2: the angle between the distal links, from the linkage's geometry alone.
    q = fivebar.inverse_kinematics(samples.x)[:, :2]
    elbow = np.array([(-0.09, 0.0), (0.09, 0.0)]) + 0.25 * np.stack([np.cos(q), np.sin(q)], axis=-1)
    distal = samples.x[:, None, :2] - elbow
    angle = np.arctan2(distal[..., 1], distal[..., 0])
    assert np.abs(np.sin(angle[:, 1] - angle[:, 0])).min() == pytest.approx(0.491, abs=1e-3)


def test_the_cycle_of_the_document_is_this_one() -> None:
    ours, paper = work_cycle(), righettini2024_cycle()
    times = np.linspace(0.0, 2.46, 501)
    for a, b in zip(ours.at(times), paper.at(times), strict=True):
        assert a == pytest.approx(b, abs=1e-9)


FIVEBAR_BELTS = (
    Belt((-0.2, 0.26, -0.0074), (0.0, 1.0, 0.0), 0.2, window=(-0.05, 0.14), name="pick belt"),
    Belt((PLACE_X, 0.393, -0.0074), (0.0, -1.0, 0.0), 0.2, window=(-0.02, 0.15), name="place belt"),
)
FIVEBAR_LIMITS = ConveyorLimits(1.16, 11.3, margin=0.3, motor_speed=1.0, motor_torque=0.55)
FIVEBAR_START = (0.19, 0.255, 0.0, 0.0)


@pytest.fixture(scope="module")
def around_the_line(fivebar: Model) -> PickPlan:
    work = PickPlace(Handling(0.0074, 0.16), Handling(0.0074, 0.14))
    item = Item(FIVEBAR_BELTS[0], -0.2, 0.0, math.pi)
    return plan(fivebar, item, Anywhere(FIVEBAR_BELTS[1]), work, FIVEBAR_LIMITS, start=FIVEBAR_START)


def test_a_cycle_of_the_fivebar_from_belts_and_limits_alone(around_the_line: PickPlan) -> None:
    found = around_the_line
    assert tuple(phase.name for phase in found.motion.phases) == PHASES
    assert_continuous(found.motion)
    assert_limits_hold(found, FIVEBAR_LIMITS)
    # The screw is what makes the strokes long: 12.5 rad/s at 20 mm a turn.
    assert found.work.pick.stroke_time == pytest.approx(0.0074 * 1.5 / (12.5 * 0.02 / (2 * math.pi)), rel=1e-3)
    # With its own limits the document's cycle takes 0.5 s from belt to belt.
    assert 0.40 < found.place.approach.duration < 0.5
    assert found.motion.duration < 2.8


def test_the_bend_is_needed(fivebar: Model, around_the_line: PickPlan) -> None:
    """The straight path passes the line on which the five-bar is singular; the planner goes around it."""
    found, bent = around_the_line, around_the_line.pick.approach
    assert any(bent.bend)
    straight = pick_and_place(
        FIVEBAR_START, found.pick.item, found.place.item, found.work, replace(bent, bend=()), found.place.approach
    )
    followed = straight.follow(fivebar)
    margins = [followed[f"{kind} margin"].value for kind in ("under-mobility", "over-mobility")]
    assert min(margins) < FIVEBAR_LIMITS.margin <= min(one.value for one in found.margins)


def test_a_cycle_of_par4(between_belts: PickPlan) -> None:
    assert tuple(phase.name for phase in between_belts.motion.phases) == PHASES
    assert_continuous(between_belts.motion)
    assert_limits_hold(between_belts, LIMITS)
    # Something is at its limit: otherwise it would not be the earliest.
    assert between_belts.peaks.speed.value > 3.99
    assert between_belts.peaks.acceleration.value > 99.9
    assert between_belts.motion.duration < 0.53


def test_the_tool_goes_along_with_the_belts(between_belts: PickPlan) -> None:
    motion = between_belts.motion
    for phases, belt in ((PHASES[1:4], IN), (PHASES[5:8], OUT)):
        velocity, times = states(motion, phases)
        assert velocity[:, :2] == pytest.approx(np.tile(belt.velocity[:2], (len(times), 1)), abs=1e-12)
        assert velocity[:, 3] == pytest.approx(np.zeros(len(times)), abs=1e-12)
    resting, _ = states(motion, (PHASES[2], PHASES[6]))
    assert resting[:, 2] == pytest.approx(np.zeros(len(resting)), abs=1e-12)


def test_tool_and_item_meet(between_belts: PickPlan) -> None:
    """Throughout grasp and release the tool is where item and box are."""
    motion = between_belts.motion
    for meeting, name, yaw in ((between_belts.pick, PHASES[2], 0.3), (between_belts.place, PHASES[6], -0.2)):
        _, times = states(motion, (name,))
        tool = motion.at(times).x
        assert tool[:, :3] == pytest.approx(meeting.item.at(times), abs=1e-9)
        assert tool[:, 3] == pytest.approx(yaw)
        assert meeting.touch == pytest.approx(times[0])
        hover = motion.at(meeting.time).x
        assert hover == pytest.approx(np.array(meeting.pose), abs=1e-12)
        assert hover[2] == pytest.approx(-0.71)


def test_the_item_is_carried_between_the_belts_only(between_belts: PickPlan) -> None:
    phases = {phase.name: phase for phase in between_belts.motion.phases}
    middles = [0.5 * (phases[name].start + phases[name].end) for name in PHASES]
    assert between_belts.motion.payload_at(middles) == pytest.approx([0, 0, 0, 0.3, 0.3, 0.3, 0, 0, 0])


def test_the_dead_time_is_made_good(par4: Model) -> None:
    """A reading 25 ms old: compensated the tool meets the item, otherwise it is 25 ms of belt behind it."""
    dead = 0.025
    truth = Item(IN, -0.25, 0.0)
    reading = Item(IN, -0.25 - IN.speed * dead, 0.0)
    for stated, behind in ((dead, 0.0), (0.0, IN.speed * dead)):
        found = plan(par4, reading, Anywhere(OUT), replace(WORK, dead_time=stated), LIMITS)
        at = found.pick.touch
        gap = truth.at(at) - found.motion.at(at).x[:3]
        assert gap == pytest.approx([behind, 0.0, 0.0], abs=1e-9)
        there = found.place.touch
        assert found.motion.at(there).x[:3] == pytest.approx(found.place.item.at(there, stated), abs=1e-9)


def test_a_plan_starts_when_it_is_asked_for(par4: Model, between_belts: PickPlan) -> None:
    """Clock and belts moved by the same time give the same motion."""
    later = plan(par4, Item(IN, -0.3, 7.0, 0.3), Anywhere(OUT, -0.2), WORK, LIMITS, now=7.0)
    assert later.motion.duration == pytest.approx(between_belts.motion.duration, abs=1e-9)
    assert later.pick.time == pytest.approx(between_belts.pick.time + 7.0, abs=1e-9)
    assert later.end == pytest.approx(7.0 + later.motion.duration)


def table(x: float, y: float, name: str) -> Belt:
    return Belt((x, y, -0.74), (1.0, 0.0, 0.0), 0.0, name=name)


def test_from_table_to_table_it_is_the_law_fitted_to_the_limits(par4: Model) -> None:
    """Modified trapezoid: 4.888 D = a T^2 without a cruise, T = D / v + 1.22203 v / a with one."""
    start, stroke = (0.0, 0.0, -0.71, 0.0), Handling(0.03, 0.05)
    work = PickPlace(stroke, stroke)
    pick, place = (Item(table(x, 0.0, name), 0.0) for x, name in ((0.15, "left"), (-0.15, "right")))
    free = plan(par4, pick, place, work, ConveyorLimits(a_max=50.0), start=start)
    for meeting, distance in ((free.pick, 0.15), (free.place, 0.3)):
        assert meeting.approach.duration == pytest.approx(math.sqrt(4.888 * distance / 50.0), rel=1e-3)
        assert not meeting.approach.bend
    slow = plan(par4, pick, place, work, ConveyorLimits(v_max=1.5, a_max=50.0), start=start)
    exact = 0.3 / 1.5 + 1.22203 * 1.5 / 50.0
    assert exact <= slow.place.approach.duration < 1.01 * exact
    assert [phase.name for phase in slow.motion.phases] == list(PHASES[:8])


def test_no_straight_intercept_is_earlier(par4: Model, between_belts: PickPlan) -> None:
    """1.5 % before the planned instant, every ramp time makes the plate exceed a limit."""
    pick = between_belts.pick
    early = pick.time * 0.985
    end = pick.item.pose(early, 4) + np.array([0.0, 0.0, 0.03, 0.0])
    tau = np.linspace(0.0, 1.0, 400)
    for share in np.linspace(0.03, 0.5, 25):
        options: dict[str, Any] = {"duration": early, "ramp_time": share * early}
        motion = intercept(par4.robot.home, end.tolist(), velocities=((), (*IN.velocity, 0.0)), **options)
        _, xd, xdd = motion.at(tau * early)
        speed, acceleration = (np.linalg.norm(value[:, :3], axis=1).max() for value in (xd, xdd))
        assert speed > LIMITS.v_max or acceleration > LIMITS.a_max


def test_an_item_that_comes_late_is_waited_for(par4: Model) -> None:
    found = plan(par4, Item(IN, -2.3), Anywhere(OUT), WORK, LIMITS)
    # It is met where the window begins: 2 m at 0.4 m/s.
    assert found.pick.time == pytest.approx(5.0, abs=1e-6)
    assert found.motion.phases[0].name == "wait"
    assert np.ptp(found.motion.at(np.linspace(0.0, found.motion.phases[0].end, 9)).x, axis=0).max() == 0.0
    assert_limits_hold(found, LIMITS)


def test_a_box_that_comes_late_is_waited_for_at_rest(par4: Model) -> None:
    found = plan(par4, Item(IN, -0.2), Item(OUT, -2.4), WORK, LIMITS)
    assert found.place.time == pytest.approx(7.0, abs=1e-6)
    names = [phase.name for phase in found.motion.phases]
    assert names == [*PHASES[:4], "stop to wait", "wait", *PHASES[4:]]
    assert_continuous(found.motion)
    assert_limits_hold(found, LIMITS)


def test_the_first_box_that_can_be_met_is_taken(par4: Model) -> None:
    row = [Item(OUT, 0.25 - 0.15 * k) for k in range(4)]
    found = plan(par4, Item(IN, -0.2), row, WORK, LIMITS)
    taken = row.index(found.place.item)
    assert taken > 0
    with pytest.raises(MissedItemError, match="belt out"):  # None of those before it can be met.
        plan(par4, Item(IN, -0.2), row[:taken], WORK, LIMITS)
    with pytest.raises(MotionError, match="no place to put the item"):
        plan(par4, Item(IN, -0.2), [], WORK, LIMITS)


def test_under_motor_torque_alone(par4: Model) -> None:
    """Without a limit on acceleration the torque decides, and is used up."""
    limits = ConveyorLimits(motor_torque=0.6)
    found = plan(par4, Item(IN, -0.25), Anywhere(OUT), WORK, limits)
    assert_limits_hold(found, limits)
    assert found.followed["motor torque"].use > 0.59


def test_robots_without_yaw() -> None:
    delta = roomy("r4-100g")
    height = delta.robot.home[2] - 0.02
    inside, outside = (replace(belt, point=(0.0, y, height)) for belt, y in ((IN, -0.1), (OUT, 0.1)))
    found = plan(delta, Item(inside, -0.25), Anywhere(outside), WORK, LIMITS)
    assert found.motion.dof == 3
    assert_continuous(found.motion)
    assert_limits_hold(found, LIMITS)
    with pytest.raises(MotionError, match=r"belt in: yaw is 0\.3 rad; r4-100g has none"):
        plan(delta, Item(inside, -0.25, yaw=0.3), Anywhere(outside), WORK, LIMITS)


ANY_BELTS = given(
    y=st.tuples(st.floats(-0.25, 0.25), st.floats(-0.25, 0.25)),
    slant=st.tuples(st.floats(-0.5, 0.5), st.floats(-0.5, 0.5)),
    speed=st.tuples(*[st.one_of(st.just(0.0), st.floats(0.01, 0.8))] * 2),
    position=st.floats(-0.6, 0.1),
    v_max=st.floats(1.0, 6.0),
    a_max=st.floats(15.0, 150.0),
)


@settings(max_examples=4)
@ANY_BELTS
def test_what_is_planned_holds(par4: Model, **drawn: Any) -> None:
    assert_planned_holds(par4, **drawn)


def test_a_margin_holds_between_the_samples_of_a_stroke(par4: Model) -> None:
    # Beside the border of its reach par4 is nearest to a singularity in the middle of two samples of the descent.
    drawn = {"y": (-0.25, 0.0), "slant": (0.5, 0.0), "speed": (0.125, 0.0), "position": -0.5625}
    assert_planned_holds(par4, **drawn, v_max=2.0, a_max=81.0)


@pytest.mark.soak
@settings(max_examples=60)
@ANY_BELTS
def test_what_is_planned_holds_60_times(par4: Model, **drawn: Any) -> None:
    assert_planned_holds(par4, **drawn)


def assert_planned_holds(
    par4: Model,
    y: tuple[float, float],
    slant: tuple[float, float],
    speed: tuple[float, float],
    position: float,
    v_max: float,
    a_max: float,
) -> None:
    """Whatever the belts: either the limits hold and the tool meets the item, or the error says what is missing."""
    belts = [
        Belt((0.0, y[k], -0.74), (1.0, slant[k], 0.0), speed[k], name=name) for k, name in enumerate(("one", "two"))
    ]
    limits = ConveyorLimits(v_max, a_max, margin=0.2)
    item = Item(belts[0], position, 0.0, 0.2)
    found, error = None, None
    try:
        found = plan(par4, item, Anywhere(belts[1]), WORK, limits)
    except MissedItemError as missed:
        error = missed
    except BeltError as unserved:
        error = unserved
    if isinstance(error, MissedItemError):
        assert error.late > 0.0
        assert np.allclose(error.place, item.at(error.leaves))
    if isinstance(error, BeltError):
        assert (error.belt, speed[0]) == ("one", 0.0)
    if found is None:
        return
    assert_continuous(found.motion)
    assert_limits_hold(found, limits)
    for meeting in (found.pick, found.place):
        assert found.motion.at(meeting.touch).x[:3] == pytest.approx(meeting.item.at(meeting.touch), abs=1e-9)


def test_a_belt_faster_than_the_robot(par4: Model) -> None:
    with pytest.raises(BeltError, match=r"quick: it moves at 5 m/s and v_max is 4 m/s.* 1 m/s too fast") as caught:
        plan(par4, Item(replace(IN, speed=5.0, name="quick"), -0.3), Anywhere(OUT), WORK, LIMITS)
    assert caught.value.excess == pytest.approx(1.0)
    # Below v_max, but away before the strokes are done: 60 cm of window.
    with pytest.raises(BeltError, match=r"carries the tool .* m along .* m too little") as caught:
        plan(par4, Item(replace(IN, speed=3.5), -0.3), Anywhere(OUT), replace(WORK, pick=Handling(0.03, 0.3)), LIMITS)
    travel = 3.5 * (0.3 + 2 * math.sqrt(5.499 * 0.03 / 100.0))
    assert caught.value.excess == pytest.approx(travel - 0.6, abs=2e-3)


def test_an_item_that_leaves_first(par4: Model) -> None:
    with pytest.raises(MissedItemError) as caught:
        plan(par4, Item(IN, 0.24, 0.0), Anywhere(OUT), WORK, LIMITS)
    error = caught.value
    # The tool is at the belt for two strokes and the grasp, all within the window that ends at x = 0.3 m.
    stroke = math.sqrt(5.499 * 0.03 / 100.0)
    last = 0.3 - 0.4 * (2 * stroke + 0.03)
    assert error.place == pytest.approx((last, -0.2, -0.74), abs=2e-3)
    assert error.leaves == pytest.approx((last - 0.24) / 0.4, abs=5e-3)
    where = r"belt in: the item can be met until [\d.]+ s, when it passes \(2\d\d(?:\.\d)?, -200, -740\) mm"
    late = r"at 0 s the robot can be there at [\d.]+ s, [\d.]+ s late, when the item is [\d.]+ m further"
    assert re.fullmatch(rf"{where}; from \(0, 0, -700\) mm, yaw 0 deg {late}", str(error))
    # An item that comes that much later is met.
    assert plan(par4, Item(IN, 0.24, error.late * 1.02), Anywhere(OUT), WORK, LIMITS).pick.time > error.leaves
    with pytest.raises(MissedItemError):
        plan(par4, Item(IN, 0.24, error.late * 0.95), Anywhere(OUT), WORK, LIMITS)
    with pytest.raises(MissedItemError) as gone:
        plan(par4, Item(IN, 0.9), Anywhere(OUT), WORK, LIMITS)
    assert gone.value.leaves < 0.0


def test_belts_out_of_reach(par4: Model) -> None:
    far = replace(IN, point=(0.0, 2.0, -0.74), window=(-math.inf, math.inf), name="far")
    with pytest.raises(BeltError, match=r"far: the robot reaches no part of it; nearest is \(0, 2000, .*mm too short"):
        plan(par4, Item(far, 0.0), Anywhere(OUT), WORK, LIMITS)
    with pytest.raises(BeltError, match=r"belt out: the robot reaches no part of it within its window"):
        plan(par4, Item(IN, -0.3), Anywhere(replace(OUT, window=(3.0, 4.0))), WORK, LIMITS)
    with pytest.raises(BeltError, match=r"the yaw limit of the plate is exceeded by 12.3 deg") as caught:
        plan(par4, Item(IN, -0.3, yaw=1.0), Anywhere(OUT), WORK, LIMITS)
    assert caught.value.excess == pytest.approx(1.0 - math.pi / 4)
    with pytest.raises(
        BeltError, match=r"nowhere on it all margins are 0.6; the best place .* over-mobility has 0\.\d+"
    ):
        plan(par4, Item(IN, -0.3), Anywhere(OUT), WORK, replace(LIMITS, margin=0.6))
    with pytest.raises(BeltError, match=r"bench: what is at \(2000, 0, -740\) mm cannot be served; nearest .* m away"):
        plan(par4, Item(IN, -0.3), Item(table(0.0, 0.0, "bench"), 2.0), WORK, LIMITS)


def test_around_the_motors_or_not_at_all(fivebar: Model) -> None:
    """Front and rear of the five-bar are one region; how far it bends decides which margin can be kept on the way."""
    front = Item(Belt((0.0, 0.33, -0.0074), (1.0, 0.0, 0.0), 0.0, name="front"), 0.0)
    rear = Item(Belt((0.0, -0.4, -0.0074), (1.0, 0.0, 0.0), 0.0, name="rear"), 0.0)
    work = PickPlace(Handling(0.0074, 0.1), Handling(0.0074, 0.1))
    limits = ConveyorLimits(2.0, 20.0, margin=0.3)
    start = (0.1, 0.33, 0.0, 0.0)
    found = plan(fivebar, front, rear, work, limits, start=start)
    assert_limits_hold(found, limits)
    assert np.abs(found.motion.at(np.linspace(0.0, found.motion.duration, 200)).x[:, 0]).max() > 0.15
    with pytest.raises(
        NoInterceptError, match=r"rear: no intercept from \(0, 330, 0\) mm, yaw 0 deg keeps the limits; "
    ) as caught:
        plan(fivebar, front, rear, work, replace(limits, margin=0.4), start=start)
    assert caught.value.use > 1.0
    assert caught.value.quantity == "over-mobility"


def test_what_is_refused(par4: Model) -> None:
    def attempt(**options: Any) -> None:
        values: dict[str, Any] = {"item": Item(IN, -0.3), "place": Anywhere(OUT), "work": WORK, "limits": LIMITS}
        plan(par4, **(values | options))

    for belt, message in (
        (replace(IN, direction=(0.0, 0.0, 1.0)), "belt in: its direction is .* not vertical"),
        (replace(IN, speed=-0.1), "belt in: its speed is -0.1 m/s; it must be 0 or greater"),
        (replace(IN, window=(0.3, 0.1)), "belt in: its window goes from 0.3 to 0.1 m"),
        (replace(IN, point=(0.0, math.nan, 0.0)), "belt in: its point"),
    ):
        with pytest.raises(BeltError, match=message):
            attempt(item=Item(belt, -0.3))
    for options, message in (
        ({"limits": ConveyorLimits(v_max=1.0)}, "a_max: give a finite acceleration or motor_torque"),
        ({"limits": replace(LIMITS, v_max=0.0)}, "v_max: is 0 m/s; it must be greater than 0"),
        ({"limits": replace(LIMITS, margin=-0.1)}, "margin: is -0.1; it must be at least 0"),
        ({"limits": replace(LIMITS, motor_speed=1.0)}, "motor_speed: par4 states no drive.peak_speed"),
        ({"work": replace(WORK, pick=Handling(0.0, 0.1))}, "pick.lift: is 0 m"),
        ({"work": replace(WORK, place=Handling(0.1, math.nan))}, "place.rest: is nan s"),
        ({"work": replace(WORK, dead_time=-0.01)}, "dead_time: is -0.01 s"),
    ):
        with pytest.raises(LimitError, match=message):
            attempt(**options)
    with pytest.raises(MotionError, match="position: is nan m; it must be at most"):
        attempt(item=Item(IN, math.nan))
    with pytest.raises(MotionError, match="start has 3 coordinates; par4 has 4"):
        attempt(start=(0.0, 0.0, -0.7))
    with pytest.raises(UnreachableCornerError, match="corner 'start'"):
        attempt(start=(2.0, 0.0, -0.7, 0.0))
    with pytest.raises(
        BeltError, match=r"cannot come down, rest and leave anywhere on it: acceleration fails, .* times"
    ):
        attempt(work=replace(WORK, pick=Handling(0.03, 0.03, stroke_time=0.02)))
    with pytest.raises(LimitError, match="stroke_time: is not given"):
        pick_and_place(par4.robot.home, Item(IN, -0.3), Item(OUT, -0.3), WORK, Approach(0.5, 0.1), Approach(0.5, 0.1))


TRAFFIC = Traffic(IN, 60.0, 8.0, seen=-0.6, yaw_spread=0.3, across_spread=0.02)


def test_arrivals_follow_from_the_seed() -> None:
    first, again, other = (arrivals(TRAFFIC, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    busy = replace(TRAFFIC, per_minute=600.0, duration=600.0)
    times = np.array([item.time for item, _ in arrivals(busy, np.random.default_rng(0))])
    gaps = np.diff(times)
    # A Poisson process: 6000 expected with a deviation of 77; gaps as long as they are spread.
    assert abs(len(times) - 6000) < 4 * 77
    assert gaps.min() >= 0.0
    assert gaps.std() == pytest.approx(gaps.mean(), rel=0.05)
    even = [item.time for item, _ in arrivals(replace(TRAFFIC, kind="regular", jitter=0.1), np.random.default_rng(0))]
    assert len(even) == 8
    assert all(0.8 <= gap <= 1.2 for gap in np.diff(even))
    assert np.diff(even).std() > 0.0


def test_a_reading_is_old_and_noisy() -> None:
    busy = replace(TRAFFIC, per_minute=6000.0, duration=20.0, dead_time=0.05, noise=0.003)
    pairs = arrivals(busy, np.random.default_rng(3))
    behind = np.array([item.position - reading.position for item, reading in pairs])
    assert behind.mean() == pytest.approx(0.4 * 0.05, abs=5e-4)
    assert behind.std() == pytest.approx(0.003, rel=0.1)
    assert all(item.time == reading.time and item.yaw == reading.yaw for item, reading in pairs)


def test_a_slow_stream_is_picked_entirely(par4: Model) -> None:
    traffic = replace(TRAFFIC, per_minute=40.0, duration=4.5, kind="regular", jitter=0.2)
    done = stream(par4, traffic, Slots(OUT, 0.1), WORK, LIMITS, 5)
    assert (len(done.picked), done.missed) == (3, ())
    assert done.missed_share == 0.0
    assert done.picks_per_minute == pytest.approx(60.0 * 3 / done.duration)
    assert max(one.error for one in done.picked) < 1e-9
    for before, after in pairwise(done.picked):
        assert after.plan.start >= before.plan.end
        assert after.plan.motion.start == pytest.approx(before.plan.motion.end)
    boxes = [one.plan.place.item for one in done.picked]
    assert len(set(boxes)) == len(boxes)
    assert done.busy == pytest.approx(sum(one.plan.motion.duration for one in done.picked))


def test_a_fast_stream_is_picked_as_far_as_the_robot_goes(par4: Model) -> None:
    traffic = replace(TRAFFIC, per_minute=300.0, duration=1.5)
    done = stream(par4, traffic, Anywhere(OUT), WORK, LIMITS, np.random.default_rng(2))
    count = len(arrivals(traffic, np.random.default_rng(2)))
    assert len(done.picked) + len(done.missed) == count
    shortest = min(one.plan.motion.duration for one in done.picked)
    assert 60.0 < done.picks_per_minute <= 60.0 / shortest
    assert 0.0 < done.missed_share < 1.0
    assert all(one.late > 0.0 and "late" in one.reason for one in done.missed)
    seen = [one.item for one in done.picked]
    assert len(set(seen)) == len(seen)
    again = stream(par4, traffic, Anywhere(OUT), WORK, LIMITS, 2)
    assert [one.plan.pick.time for one in again.picked] == [one.plan.pick.time for one in done.picked]


def test_a_dead_time_that_nobody_states_costs_the_grasps(par4: Model) -> None:
    traffic = replace(TRAFFIC, duration=2.0, kind="regular", dead_time=0.03)
    chute = Item(table(0.0, 0.25, "chute"), 0.0)
    blind = stream(par4, traffic, chute, WORK, LIMITS, 0, tolerance=0.005)
    assert len(blind.picked) == 0
    assert [one.error for one in blind.missed] == pytest.approx([0.4 * 0.03] * 2, abs=1e-9)
    assert "0.012 m off the item" in blind.missed[0].reason
    told = stream(par4, traffic, chute, replace(WORK, dead_time=0.03), LIMITS, 0, tolerance=0.005)
    assert len(told.picked) == 2


def test_streams_that_cannot_be(par4: Model) -> None:
    for changes, message in (
        ({"per_minute": 0.0}, "per_minute: is 0"),
        ({"kind": "steady"}, "kind: is 'steady'; it must be 'poisson' or 'regular'"),
        ({"jitter": 0.7}, "jitter: is 0.7"),
        ({"noise": -1.0}, "noise: is -1"),
    ):
        with pytest.raises(LimitError, match=message):
            arrivals(replace(TRAFFIC, **changes), np.random.default_rng(0))
    with pytest.raises(BeltError, match="it does not move, so nothing comes along"):
        arrivals(replace(TRAFFIC, belt=replace(IN, speed=0.0)), np.random.default_rng(0))
    with pytest.raises(MotionError, match="one box on a moving belt takes one item"):
        stream(par4, TRAFFIC, Item(OUT, -0.3), WORK, LIMITS, 0)
    with pytest.raises(LimitError, match="pitch: is 0 m"):
        stream(par4, TRAFFIC, Slots(OUT, 0.0), WORK, LIMITS, 0)
    with pytest.raises(BeltError, match="no empty boxes come"):
        stream(par4, TRAFFIC, Slots(replace(OUT, speed=0.0), 0.1), WORK, LIMITS, 0)


def test_the_programs_of_the_page_run() -> None:
    page = (Path(__file__).parents[2] / "docs" / "conveyor.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    for block in re.findall(r"^```python\n(.*?)^```", page, flags=re.DOTALL | re.MULTILINE):
        assert run_program(block, "conveyor.md", names)[0] == []
    assert names["done"].picks_per_minute > 0.0
    printed = re.search(r"takes (\d\.\d+) s", page)
    assert printed is not None
    assert names["cycle"].motion.duration == pytest.approx(float(printed[1]), abs=6e-4)
    factor = re.search(r"by_law.duration / sooner.duration  # (\d\.\d+)", page)
    assert factor is not None
    assert names["by_law"].duration / names["sooner"].duration == pytest.approx(float(factor[1]), abs=6e-4)


def test_the_task_of_the_page_is_planned(par4: Model, tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "conveyor.md").read_text(encoding="utf-8")
    path = tmp_path / "my-belts.toml"
    path.write_text(page.partition("```toml\n")[2].partition("```")[0], encoding="utf-8")
    task = load_task(path)
    assert isinstance(task, ConveyorTask)
    found = task.plan(par4)
    assert found.pick.approach.timed is not None
    assert found.motion.is_synchronized
    assert_limits_hold(found, ConveyorLimits(v_max=4.0, a_max=100.0, motor_torque=1.0))
