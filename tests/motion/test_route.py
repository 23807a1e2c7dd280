"""Routes: stretches of path, rests and loads that a task gives, and how a law or the motors make them a motion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import parapick as pp
from parapick.errors import MotionError
from parapick.motion import (
    LAWS,
    LimitError,
    Motion,
    Route,
    Stretch,
    adept_cycle,
    by_law,
    follow_path,
    gate,
    hold,
    intercept,
    line_path,
    s_curve,
    straight,
    via_path,
)
from parapick.tasks import AdeptTask, GateTask, LineTask, ViaTask, list_tasks, load_task
from parapick.timing import fastest_along, fastest_cycle
from shipped import robot_for

MOVES = AdeptTask | GateTask | LineTask | ViaTask


@pytest.fixture(scope="module")
def par4() -> pp.Model:
    return pp.load("par4")


def lengths_by_time(motion: Motion, times: np.ndarray) -> np.ndarray:
    """Lengths of the way up to times (N,), by the chords of a fine polygon."""
    fine = np.unique(np.concatenate([np.linspace(0.0, motion.duration, 50_001), times]))
    points = motion.at(fine).x[:, :3]
    length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=-1))])
    return np.interp(times, fine, length)


@pytest.mark.parametrize("overlap", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("law", sorted(LAWS))
def test_strokes_state_the_path_on_which_they_lead(law: str, overlap: float) -> None:
    """Against the motion itself: its points by time are those of the path by the length covered until then."""
    chosen = s_curve(0.01) if law == "s-curve" else law
    motion = gate((0.0, 0.0, 0.0, 0.0), (0.3, 0.1, 0.01, 0.5), law=chosen, overlap=overlap, duration=0.4)
    (stretch,) = Route.of(motion).parts
    assert isinstance(stretch, Stretch)
    times = np.linspace(0.0, motion.duration, 41)
    lengths = np.array([stretch.length(t) for t in times])
    assert lengths == pytest.approx(lengths_by_time(motion, times), abs=1e-9)
    assert stretch.path.at(lengths).x == pytest.approx(motion.at(times).x, abs=2e-7)
    assert [stretch.time(s) for s in lengths[5:-5:6]] == pytest.approx(times[5:-5:6], abs=1e-6)
    straight_ones = [piece for piece in stretch.path.pieces if piece.curvature == 0.0]
    assert len(straight_ones) == (3 if overlap == 0.0 else len(straight_ones))
    assert (overlap == 0.0) == (len(straight_ones) == len(stretch.path.pieces))


def test_strokes_of_one_law_that_start_together_start_along_a_line() -> None:
    """Two constant accelerations keep their direction as long as both last, and the path is straight there."""
    motion = gate((0.0, 0.0, 0.0), (0.3, 0.0, 0.0), law="trapezoidal", overlap=1.0, duration=0.4)
    first, second = Route.of(motion).parts[0].path.pieces[:2]  # pyright: ignore[reportAttributeAccessIssue]
    assert (first.curvature, second.curvature) == (0.0, None)


def test_a_straight_intercept_is_a_line_and_one_there_and_back_is_not() -> None:
    there = intercept((0.0, 0.0, 0.0), (0.2, 0.1, 0.0), duration=0.4, ramp_time=0.1)
    (stretch,) = Route.of(there).parts
    assert isinstance(stretch, Stretch)
    assert [piece.curvature for piece in stretch.path.pieces] == [0.0]
    thrown = intercept((0.0, 0.0, 0.0), (0.1, 0.0, 0.0), duration=0.4, ramp_time=0.1, velocities=((-0.5, 0.0, 0.0), ()))
    path = thrown.pieces[0].path()  # pyright: ignore[reportAttributeAccessIssue]
    assert path.length > 0.1 + 1e-3


COMPOSED: dict[str, Callable[[Motion], Motion]] = {
    "as it is": lambda motion: motion,
    "reversed": Motion.reversed,
    "slowed": lambda motion: motion.slowed(1.7),
    "placed": lambda motion: motion.placed(0.2, (0.01, 0.0, 0.0, 0.1)),
    "held": lambda motion: motion.held(0.1),
    "repeated": lambda motion: motion.repeated(3),
    "all of them": lambda motion: motion.placed(0.1).reversed().slowed(0.5).then(hold(motion.placed(0.1).start, 0.2)),
}


@pytest.mark.parametrize("how", COMPOSED)
def test_a_route_of_a_motion_gives_the_motion_again(how: str) -> None:
    motion = COMPOSED[how](
        adept_cycle(cycles_per_minute=90, overlap=0.5, dwell=(0.05, 0.0), payload=0.5, yaw=(0.0, 1.0))
    )
    again = by_law(Route.of(motion))
    times = np.linspace(0.0, motion.duration, 201)
    for old, new in zip(motion.state(times), again.state(times), strict=True):
        assert np.array_equal(old, new)
    assert again.load_at(times) == pytest.approx(motion.load_at(times))
    assert [phase.name for phase in again.phases] == [phase.name for phase in motion.phases]
    for old, new in zip(motion.phases, again.phases, strict=True):
        assert (new.start, new.end) == pytest.approx((old.start, old.end), abs=1e-12)


def test_a_route_of_a_cycle_has_its_rests_and_loads() -> None:
    route = Route.of(adept_cycle(cycles_per_minute=60, dwell=(0.05, 0.02), payload=1.0))
    assert [part.resting for part in route.parts] == [True, False, True, False]
    assert [part.load and part.load.mass for part in route.parts] == [None, 1.0, None, None]
    assert [part.extent for part in route.parts if part.resting] == [0.05, 0.02]
    assert [mark.name for mark in route.marks if mark.start.part == 1] == ["lift", "over", "lower"]


def test_phases_of_the_fastest_timing_are_where_those_of_the_law_are(par4: pp.Model) -> None:
    motion = adept_cycle(par4, cycles_per_minute=90, overlap=0.4, law="4-5-6-7", yaw=(0.0, 0.5))
    timed = fastest_along(par4, Route.of(motion))
    for old, new in zip(motion.phases, timed.phases, strict=True):
        assert timed.at([new.start, new.end]).x == pytest.approx(motion.at([old.start, old.end]).x, abs=1e-9)


def test_a_route_says_itself_what_it_carries(par4: pp.Model) -> None:
    path = line_path((-0.1, 0.0, -0.7, 0.0), (0.1, 0.0, -0.7, 0.0))
    timed = fastest_along(par4, Route.along(path, "move").carrying(1.0))
    assert timed.duration == pytest.approx(fastest_along(par4, path, payload=1.0).duration, rel=1e-12)
    assert [(step.time, step.mass) for step in timed.payload] == [(0.0, 1.0), (timed.duration, 0.0)]
    assert [(phase.name, phase.end) for phase in timed.phases] == [("move", timed.duration)]
    heavier = fastest_along(par4, Route.along(path, "move").carrying(0.2), payload=1.0)
    assert heavier.duration == timed.duration
    assert fastest_along(par4.with_payload(1.0), Route.along(path, "move").carrying(0.2)).duration == timed.duration
    with pytest.raises(LimitError, match="end_speeds: is for a path"):
        fastest_along(par4, Route.along(path), end_speeds=(0.1, 0.0))
    with pytest.raises(MotionError, match="has no time law; time its route with `fastest`"):
        by_law(Route.along(path))


# Samples


def test_samples_give_a_route_through_them(par4: pp.Model) -> None:
    points = ((-0.1, 0.0, -0.7, 0.0), (0.0, 0.05, -0.66, 0.2), (0.1, 0.0, -0.7, 0.3))
    there = follow_path(via_path(points), "3-4-5", duration=0.4)
    motion = hold(there.start, 0.1).then(there).held(0.2)
    t = np.linspace(0.0, motion.duration, 701)
    route = Route.through(t, motion.at(t).x)
    assert [part.resting for part in route.parts] == [True, False, True]
    again, between = by_law(route), 0.5 * (t[1:] + t[:-1])
    assert again.at(t).x == pytest.approx(motion.at(t).x, abs=1e-9)
    assert again.at(between).x == pytest.approx(motion.at(between).x, abs=1e-7)
    assert fastest_along(par4, route).duration == pytest.approx(fastest_cycle(par4, motion).duration, rel=1e-3)


@pytest.mark.parametrize(
    ("t", "x", "message"),
    [
        (
            [0.0, 0.1, 0.1],
            [[0, 0, 0], [1, 0, 0], [2, 0, 0]],
            r"t goes from 0\.1 s to 0\.1 s in sample 3; times must rise",
        ),
        ([0.0, 0.1, np.nan], [[0, 0, 0], [1, 0, 0], [2, 0, 0]], "t is not a finite number in sample 3"),
        ([0.0, 0.1, 0.2], [[0, 0, 0], [np.inf, 0, 0], [2, 0, 0]], "x is not a finite number in sample 2"),
        ([0.0, 0.1], [[0, 0, 0], [1, 0, 0]], r"give at least 3 times \(N,\) and poses \(N, 3\), or \(N, 4\)"),
        ([0.0, 0.1, 0.2], [[0, 0], [1, 0], [2, 0]], r"x \(3, 2\); give at least 3 times"),
        ([0.0, 0.1, 0.2, 0.3], [[0, 0, 0], [0, 0, 0], [1, 0, 0], [1, 0, 0]], r"from 0\.1 s to 0\.2 s .* two samples"),
        ([0.0, 0.1, 0.2], [[0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 2]], "turns on the spot"),
    ],
)
def test_samples_that_are_no_motion_say_why(t: list[float], x: list[list[float]], message: str) -> None:
    with pytest.raises(MotionError, match=message):
        Route.through(t, x)


def test_a_foreign_piece_is_sent_to_its_samples(par4: pp.Model) -> None:
    class Foreign:
        def __init__(self, own: Motion) -> None:
            self.duration, self.dof, self.knots, self.at = own.duration, own.dof, own.knots, own.state

    motion = Motion((Foreign(straight((-0.1, 0.0, -0.7, 0.0), (0.1, 0.0, -0.7, 0.0), duration=0.3)),))
    with pytest.raises(MotionError, match=r"kind Foreign has no path .* give Route\.through its times and poses"):
        fastest_cycle(par4, motion)


# Tasks


def test_no_shipped_task_goes_through_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a route was made from samples")

    monkeypatch.setattr(Route, "through", refuse)
    monkeypatch.setattr("parapick.motion.route.sampled_pieces", refuse)
    for entry in list_tasks():
        task = load_task(entry.name)
        if not isinstance(task, MOVES):
            continue
        model = pp.load(robot_for(entry.name))
        if model.motors.peak_torque.max() == np.inf:
            continue  # nothing to follow the fastest timing from
        assert task.motion(model).duration > 0.0
        unused = {name: None for name in ("duration", "lift_time", "cycles_per_minute") if hasattr(task, name)}
        unused |= {"per_stroke": False} if hasattr(task, "per_stroke") else {}
        assert replace(task, **unused, timing="fastest").motion(model).duration > 0.0


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("cycles_per_minute", {"cycles_per_minute": 60.0}),
        ("lift_time", {"lift_time": 0.1}),
        ("per_stroke", {"per_stroke": True, "a_max": 100.0}),
    ],
)
def test_what_the_fastest_timing_has_no_use_for_is_refused(par4: pp.Model, name: str, field: dict[str, object]) -> None:
    task = AdeptTask(name="quick", frame="workspace", timing="fastest", **field)  # pyright: ignore[reportArgumentType]
    with pytest.raises(LimitError, match=rf"{name}: .*timing = \"fastest\".*leave this out"):
        task.motion(par4)


def test_a_task_has_one_route_for_both_timings(par4: pp.Model) -> None:
    task = LineTask(name="line", start=(-0.1, 0.0, -0.7), end=(0.1, 0.05, -0.7), duration=0.4, there_and_back=True)
    assert task.motion(par4).duration == pytest.approx(0.8)
    quick = replace(task, duration=None, timing="fastest")
    for part, other in zip(task.route(par4).parts, quick.route(par4).parts, strict=True):
        assert isinstance(part, Stretch)
        assert isinstance(other, Stretch)
        s = np.linspace(0.0, part.path.length, 7)
        assert other.path.at(s).x == pytest.approx(part.path.at(s).x, abs=1e-15)
