"""The fastest cycle under heat: as fast as an independent programme, all limits kept, and heat used to the last."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.errors import ParameterError
from parapick.mechanism import Friction, Gearbox
from parapick.motion import LimitError, Motion, Route, gate_path, line_path, via_path
from parapick.ride import Ride
from parapick.timing import (
    FastestTiming,
    OverheatingError,
    TimingLimits,
    UnreachablePathError,
    enduring,
    fastest_along,
    fastest_cycle,
    timings_each,
)
from parapick.timing.refinement import CourseBatch, TimedStretch, fastest_stretches
from parapick.timing.timed_paths import courses_of
from stated import stating
from timing.heat_collocation import fastest_duration

pytestmark = pytest.mark.filterwarnings("ignore::parapick.errors.PlausibilityWarning")

WITHIN = 2e-3
"""Share by which two programmes may differ."""

LOOKS = 20_000
"""Samples at which a motion is looked at."""

FLAT = ((-0.15, 0.0, -0.72), (-0.15, 0.0, -0.69), (0.15, 0.05, -0.69), (0.15, 0.05, -0.72), (-0.15, 0.0, -0.72))
TURNING = ((-0.15, 0.0, -0.72, 0.0), (-0.15, 0.0, -0.69, 0.0), (0.15, 0.05, -0.69, 0.6), (-0.15, 0.0, -0.72, 0.0))


def geared(**drive: Any) -> pp.Model:
    """A Delta with gearboxes that lose, and with friction, in the place of direct drives."""
    rough = Friction(coulomb=3.0, viscous=1.0)
    changed = {"ratio": 20.0, "inertia": 5e-5, "peak_torque": 6.0, "rated_torque": 1.2, "efficiency": 0.85}
    return stating("delta-nr", **{**changed, "friction": rough, "peak_speed": 400.0, **drive})


def robot_of(name: str) -> tuple[pp.Model, tuple[tuple[float, ...], ...], np.ndarray]:
    """A robot, poses of its cycle, and what its motors bear for long (N m)."""
    if name == "geared":
        return geared().with_payload(0.3), FLAT, np.full(3, 1.2)
    if name == "delta-nr":
        return pp.load(name), FLAT, np.array([18.0, 30.0, 25.0])
    if name == "delta-r4":
        return pp.load(name).with_sharing("least-norm"), FLAT, np.full(4, 22.0)
    return pp.load("par4"), TURNING, np.full(4, 20.0)


def lines(poses: Any, rest: float = 0.0) -> Route:
    """Lines from pose to pose, with a rest at the last."""
    route, *others = [Route.along(line_path(a, b), "line") for a, b in pairwise(poses)]
    for other in others:
        route = route.then(other)
    return route.then(Route.resting(poses[-1], rest)) if rest else route


def shares(model: pp.Model, motion: Motion, rated: Any) -> tuple[float, float, float]:
    """Largest share of heat, of peak torque and of peak speed along a motion."""
    ride = Ride.along(model, motion, LOOKS / motion.duration)
    heat = ride.heat_torque / model.motors.continuous(rated)
    torque = np.abs(ride.loads.torque) / model.motors.peak_torque
    speed = np.abs(ride.loads.speed) / model.motors.peak_speed
    return float(heat.max()), float(torque.max()), float(speed.max())


@cache
def cool(name: str) -> Motion:
    """The fastest cycle of a robot under heat."""
    model, poses, rated = robot_of(name)
    return fastest_along(model, lines(poses), rated=rated.tolist())


ROBOTS = ("geared", "delta-nr", "delta-r4", "par4")


@pytest.mark.parametrize("name", ROBOTS)
def test_no_independent_programme_is_faster(name: str) -> None:
    model, poses, rated = robot_of(name)
    assert cool(name).duration == pytest.approx(fastest_duration(model, poses, rated), rel=WITHIN)


@pytest.mark.parametrize("name", ROBOTS)
def test_heat_is_used_to_the_last_and_all_limits_are_kept(name: str) -> None:
    model, poses, rated = robot_of(name)
    heat, torque, speed = shares(model, cool(name), rated.tolist())
    assert 0.999 <= heat <= 1.0 + 1e-4
    assert torque <= 1.001
    assert speed <= 1.001
    quickest = fastest_along(model, lines(poses))
    slowed = enduring(model, quickest, rated=rated.tolist())
    assert quickest.duration < cool(name).duration < 0.98 * slowed.duration
    assert np.allclose(cool(name).end, poses[-1])


NEARLY = 0.012
"""Share by which a cycle may be longer than its optimum where gearboxes decide: heat stands for what wears them."""


@pytest.mark.parametrize(("name", "share"), [("delta-nr", 0.85), ("geared", 0.6)])
def test_a_gearbox_is_kept_about_as_fast_as_by_an_independent_programme(name: str, share: float) -> None:
    def model(mean: float) -> pp.Model:
        stated = {"gearbox": Gearbox(mean_torque=mean), "rated_torque": None}
        return geared(**stated) if name == "geared" else stating(name, **stated)

    quickest = fastest_along(model(1e9), lines(FLAT))
    mean = share * float(Ride.along(model(1e9), quickest).cycle.gearbox_mean.max())
    motion = fastest_along(model(mean), lines(FLAT), rated="rated")
    assert Ride.along(model(mean), motion).cycle.gearbox_mean.max() == pytest.approx(mean, rel=3e-3)
    best = fastest_duration(model(mean), FLAT, np.full(3, np.inf), mean=mean)
    assert (1.0 - WITHIN) * best < motion.duration < (1.0 + NEARLY) * best
    assert enduring(model(mean), quickest).duration > 1.06 * best


def test_peaks_are_touched_where_heat_leaves_them() -> None:
    """Peak torque and heat decide together, each somewhere."""
    model, rated = stating("delta-nr", peak_torque=60.0), 35.0
    motion = fastest_along(model, lines(FLAT), rated=rated)
    heat, torque, _ = shares(model, motion, rated)
    assert heat == pytest.approx(1.0, abs=1e-3)
    assert 0.998 < torque <= 1.001
    assert motion.duration == pytest.approx(fastest_duration(model, FLAT, np.full(3, rated)), rel=WITHIN)


def test_what_stays_cool_is_timed_as_without_heat() -> None:
    model, poses, _ = robot_of("geared")
    quickest, same = (fastest_along(model, lines(poses), rated=rated) for rated in (None, 50.0))
    t = np.linspace(0.0, quickest.duration, 500)
    assert same.duration == quickest.duration
    assert all(np.array_equal(a, b) for a, b in zip(same.at(t)[:3], quickest.at(t)[:3], strict=True))


def test_more_of_a_rating_is_never_slower_and_more_payload_never_faster() -> None:
    model, route = geared(), lines(FLAT)
    ratings = [fastest_along(model, route, rated=rated).duration for rated in (0.8, 1.0, 1.3, 1.8, 3.0)]
    assert all(more < less for less, more in pairwise(ratings))
    loads = [fastest_along(model, route, payload=mass, rated=1.2).duration for mass in (0.0, 0.2, 1.0)]
    assert all(light < heavy for light, heavy in pairwise(loads))
    # What it carries as an argument is what a model carries.
    assert fastest_along(model.with_payload(1.0), route, rated=1.2).duration == pytest.approx(loads[-1])


def test_rests_keep_their_length_and_count() -> None:
    model, poses, rated = robot_of("geared")
    motion = fastest_along(model, lines(poses, 0.1), rated=rated.tolist())
    at = motion.sample(LOOKS / motion.duration)
    still = np.abs(at.xd).max(axis=1) < 1e-9
    assert still.mean() * motion.duration == pytest.approx(0.1, abs=3e-4)
    # The rest cools, so the lines take less time.
    assert motion.duration - 0.1 < 0.97 * cool("geared").duration
    assert motion.duration == pytest.approx(fastest_duration(model, poses, rated, rest=0.1), rel=WITHIN)


@pytest.mark.parametrize("above", [1.3, 1.05])
def test_motors_that_hardly_hold_the_plate(above: float) -> None:
    """Where gravity takes most of a rating, time to cool is not time in which motors hold nothing."""
    model, route = pp.load("delta-nr"), lines(FLAT)
    still = np.zeros_like(FLAT)
    held = model.inverse_dynamics(np.array(FLAT), still, still)
    rated = above * float(np.sqrt(np.mean(held**2, axis=0)).max())
    motion = fastest_along(model, route, rated=rated)
    heat, torque, _ = shares(model, motion, rated)
    assert 0.999 <= heat <= 1.0 + 1e-4
    assert torque < 1.0
    assert motion.duration < 0.97 * enduring(model, fastest_along(model, route), rated=rated).duration


def test_what_speed_heats_counts() -> None:
    """With a stall torque above the rated one a motor bears more at rest, and less at speed than it would without."""
    plain = geared(rated_torque=1.2)
    stalling = geared(rated_torque=1.2, rated_speed=150.0, stall_torque=1.5)
    durations = {}
    for model in (plain, stalling):
        motion = fastest_along(model, lines(FLAT), rated="rated")
        heat, torque, _ = shares(model, motion, "rated")
        assert 0.999 <= heat <= 1.0 + 1e-4
        assert torque <= 1.001
        durations[model] = motion.duration
    assert durations[stalling] < durations[plain]
    assert durations[stalling] > fastest_along(plain, lines(FLAT), rated=1.5).duration
    # A line of the curve that reaches zero within the speeds of the cycle takes more than it gives.
    steep = geared(rated_torque=1.2, rated_speed=20.0, stall_torque=1.25)
    motion = fastest_along(steep, lines(FLAT), rated="rated")
    assert 0.999 <= shares(steep, motion, "rated")[0] <= 1.0 + 1e-4
    assert motion.duration > durations[plain]


def accelerated(motion: Motion) -> float:
    """Largest acceleration of the plate (m/s2)."""
    return float(np.linalg.norm(motion.sample(LOOKS / motion.duration, corners=True).xdd[:, :3], axis=1).max())


def test_curves_and_bounds_on_the_plate_hold_under_heat() -> None:
    model, rated = geared(), 0.9
    gate = gate_path((-0.15, 0.0, -0.72), (0.15, 0.0, -0.72), height=0.05, corner_radius=0.03)
    route = Route.along(gate, "there").then(Route.along(gate.reversed(), "back"))
    free = fastest_along(model, route, rated=rated)
    bound = 0.8 * accelerated(free)
    motion = fastest_along(model, route, rated=rated, a_max=bound)
    assert 0.998 * bound < accelerated(motion) <= bound
    for one in (free, motion):
        heat, torque, speed = shares(model, one, rated)
        assert 0.999 <= heat <= 1.0 + 1e-4
        assert max(torque, speed) <= 1.001
    assert free.duration < motion.duration < 1.1 * free.duration
    assert free.duration < 0.95 * enduring(model, fastest_along(model, route), rated=rated).duration


def test_a_bound_on_jerk_slows_as_a_whole() -> None:
    model, rated = pp.load("delta-nr"), 20.0
    curve = via_path([(-0.15, 0.0, -0.73), (-0.1, 0.0, -0.68), (0.1, 0.0, -0.68), (0.15, 0.0, -0.73)])
    quick = fastest_along(model, curve, j_max=5e4)
    slow = fastest_along(model, curve, j_max=5e4, rated=rated)
    assert slow.duration == enduring(model, quick, rated=rated).duration > quick.duration
    assert slow.duration > fastest_along(model, curve, rated=rated).duration


def test_a_motion_is_never_faster_by_its_own_law() -> None:
    """Laws that keep the rating are among what the programme chooses from."""
    model, rated = pp.load("delta-nr"), 20.0
    own = pp.motion.adept_cycle(model, cycles_per_minute=60, overlap=0.5)
    ride = Ride.along(model, own, LOOKS / own.duration)
    paces = np.linspace(1.5, 3.5, 101)
    kept = max(pace for pace in paces if (ride.sped_up(pace).heat_torque <= rated).all())
    assert fastest_cycle(model, own, rated=rated).duration < own.duration / kept


def test_heat_that_cannot_be_kept() -> None:
    model, route = geared(), lines(FLAT)
    with pytest.raises(OverheatingError, match="no motion is slow enough"):
        fastest_along(model, route, rated=0.05)
    with pytest.raises(LimitError, match="rated: is for a motion that is repeated"):
        fastest_along(model, line_path(*FLAT[:2]), end_speeds=(0.0, 0.1), rated=1.0)
    with pytest.raises(ParameterError, match="rated"):
        fastest_along(model, route, rated=-1.0)
    with pytest.raises(ParameterError, match="rated_torque: the file of delta-nr does not state it"):
        fastest_along(pp.load("delta-nr"), route, rated="rated")


def test_a_timing_that_was_found_is_cooled_as_if_it_were_found_again() -> None:
    model, poses, rated = robot_of("geared")
    route = lines(poses, rest=0.05)
    timed, wrong = timings_each([model, model], [route, lines((FLAT[0], (9.0, 0.0, -0.7)))])
    assert isinstance(wrong, UnreachablePathError)
    assert isinstance(timed, FastestTiming)
    quick = fastest_along(model, route)
    assert timed.motion.duration == quick.duration
    again = fastest_along(model, route, rated=rated.tolist())
    cooled = timed.cooled(rated.tolist())
    assert cooled.duration == again.duration > quick.duration
    t = np.linspace(0.0, cooled.duration, 500)
    np.testing.assert_array_equal(cooled.at(t).x, again.at(t).x)
    with pytest.raises(OverheatingError):
        timed.cooled([1e-3] * 3)


@pytest.mark.parametrize(("stribeck", "kept"), [(0.0, True), (0.5, False)])
def test_rows_are_found_anew_at_other_speeds_where_they_hold_at_one_only(*, stribeck: float, kept: bool) -> None:
    rough = Friction(coulomb=3.0, viscous=1.0, stribeck=stribeck, stribeck_speed=0.5)
    limits = TimingLimits().of(geared(friction=rough))
    courses = courses_of(limits, line_path(FLAT[1], FLAT[2]))
    timed = [stretch for stretch in fastest_stretches(courses) if isinstance(stretch, TimedStretch)]
    batch = CourseBatch.along(courses, timed)
    slower = batch.with_speeds(0.25 * batch.u)
    found = slower.with_rows()
    np.testing.assert_array_equal(slower.rows, found.rows)
    assert np.array_equal(slower.rows, batch.rows) is kept
