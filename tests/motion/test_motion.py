"""Motions: derivatives, chaining, reversing, repeating, sampling, payload."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import parapick as pp
from motion.helpers import KINDS, difference_error
from parapick import motion as pm
from parapick.errors import MotionError
from parapick.motion import LAWS, Motion, PayloadStep, adept_cycle, gate, hold, s_curve, straight
from parapick.motion.motion import KEPT_MAX


@pytest.fixture(params=KINDS)
def motion(request: pytest.FixtureRequest) -> Motion:
    return KINDS[request.param]()


@pytest.mark.parametrize("order", [1, 2, 3])
def test_derivatives_are_those_of_the_position(motion: Motion, order: int) -> None:
    assert difference_error(motion, order) < 2e-5


@settings(max_examples=40)
@given(
    law=st.sampled_from([name for name in LAWS if name != "s-curve"]),
    overlap=st.floats(0.0, 0.9),
    width=st.floats(0.1, 1.0),
    height=st.floats(0.01, 0.05),
    rise=st.floats(-0.03, 0.03),
    duration=st.floats(0.1, 2.0),
)
def test_derivatives_of_any_gate(law, overlap, width, height, rise, duration) -> None:  # noqa: ANN001
    motion = gate((0, 0, 0, 0), (width, 0.1, rise, 1.0), height=height, law=law, overlap=overlap, duration=duration)
    assert motion.duration == pytest.approx(duration, rel=1e-12)
    assert difference_error(motion, 1, step=1e-6 * duration, count=60) < 1e-6
    assert difference_error(motion, 2, step=1e-6 * duration, count=60) < 1e-5


@settings(max_examples=20)
@given(st.integers(0, 2**32 - 1))
def test_position_is_the_integral_of_velocity(seed: int) -> None:
    """From both sides of the corners: what finite differences between them cannot see."""
    rng = np.random.default_rng(seed)
    motion = list(KINDS.values())[seed % len(KINDS)]()
    low, high = np.sort(rng.uniform(0.0, motion.duration, 2))
    inner = motion.knots[(motion.knots > low) & (motion.knots < high)]
    nodes, weights = np.polynomial.legendre.leggauss(40)
    whole = np.zeros((2, motion.dof))
    edges = np.concatenate([[low], inner, [high]])
    for a, b in pairwise(edges):
        state = motion.state(0.5 * (a + b) + 0.5 * (b - a) * nodes)
        whole += 0.5 * (b - a) * np.stack([weights @ state.xd, weights @ state.xdd])
    first, last = motion.at(low), motion.at(high)
    assert whole == pytest.approx(np.stack([last.x - first.x, last.xd - first.xd]), abs=1e-8)


def test_reversed_motions_have_the_negated_velocity(motion: Motion) -> None:
    back = motion.reversed()
    t = np.linspace(0.0, motion.duration, 301)
    t = t[np.min(np.abs(t[:, None] - motion.knots), axis=1) > 1e-9]
    there, again = motion.state(t), back.state(motion.duration - t)
    assert again.x == pytest.approx(there.x, abs=1e-12)
    assert again.xd == pytest.approx(-there.xd, abs=1e-9)
    assert again.xdd == pytest.approx(there.xdd, abs=1e-6)
    assert again.xddd == pytest.approx(-there.xddd, rel=1e-9, abs=1e-3)
    assert back.reversed().at(t).x == pytest.approx(there.x, abs=1e-14)


def test_corners_of_a_reversed_motion() -> None:
    motion = straight((0, 0, 0), (1, 0, 0), law=pm.trapezoidal(ramp=0.2), duration=1.0)
    back = motion.reversed()
    assert motion.corners == pytest.approx([0.0, 0.2, 0.8, 1.0])
    assert back.corners == pytest.approx([0.0, 0.2, 0.8, 1.0])
    assert back.at(0.0).xdd[0] == pytest.approx(motion.at(1.0, "left").xdd[0])


def test_chained_motions_are_continuous() -> None:
    first = straight((0, 0, 0, 0), (0.1, 0.2, 0, 1), law="cubic", duration=0.2)
    second = gate((0.1, 0.2, 0, 1), (0.3, 0, 0, 0), law="trapezoidal", duration=0.3, overlap=0.4)
    third = pm.intercept((0.3, 0, 0, 0), (0, 0.2, 0, 1), duration=0.4, ramp_time=0.1, velocities=((), (0, 0.2, 0, 0)))
    tracking = pm.track(third.end.tolist(), (0, 0.2, 0, 0), 0.2, stroke=(0, 0, -0.01, 0))
    whole = first.then(second).held(0.1).then(third).then(tracking)
    assert whole.duration == pytest.approx(1.2)
    before, after = whole.state(whole.knots[1:-1], "left"), whole.state(whole.knots[1:-1], "right")
    assert before.x == pytest.approx(after.x, abs=1e-12)
    assert before.xd == pytest.approx(after.xd, abs=1e-9)
    for part, start in ((first, 0.0), (second, 0.2), (third, 0.6), (tracking, 1.0)):
        t = np.linspace(0.0, part.duration, 50)[1:-1]
        assert whole.at(start + t).x == pytest.approx(part.at(t).x, abs=1e-12)
    assert [phase.name for phase in whole.phases] == ["over", "lift", "over", "lower", "dwell", "intercept", "track"]
    assert whole.phases[4].start == pytest.approx(0.5)


def test_motions_that_do_not_meet() -> None:
    first = straight((0, 0, 0), (0.1, 0, 0), duration=0.2)
    with pytest.raises(MotionError, match=r"starts 0.01 m or rad off the position at which the first ends"):
        first.then(straight((0.11, 0, 0), (0, 0, 0), duration=0.2))
    with pytest.raises(MotionError, match=r"starts 0.5 m/s or rad/s off the velocity"):
        first.then(pm.track((0.1, 0, 0), (0.5, 0, 0), 0.1))
    with pytest.raises(MotionError, match="3 coordinates cannot be followed by one of 4"):
        first.then(hold((0.1, 0, 0, 0), 1.0))
    with pytest.raises(MotionError, match="off the position"):
        first.repeated(2)


@pytest.mark.parametrize("count", [1, 2, 5, 8])
def test_repeated_motions(count: int) -> None:
    cycle = adept_cycle(cycles_per_minute=120, payload=0.5)
    often = cycle.repeated(count)
    assert often.duration == pytest.approx(count * 0.5)
    assert len(often.phases) == count * len(cycle.phases)
    t = np.random.default_rng(0).uniform(0.0, 0.5, 100)
    for k in range(count):
        assert often.at(t + 0.5 * k).x == pytest.approx(cycle.at(t).x, abs=1e-10)
        assert often.payload_at(t + 0.5 * k) == pytest.approx(cycle.payload_at(t))


def test_slowed_motions_keep_their_path() -> None:
    motion = adept_cycle(v_max=2.0, a_max=50.0, dwell=0.1)
    slow = motion.slowed(1.5)
    t = np.linspace(0.0, motion.duration, 200)
    assert slow.duration == pytest.approx(1.5 * motion.duration)
    assert slow.at(1.5 * t).x == pytest.approx(motion.at(t).x, abs=1e-12)
    assert slow.peaks().speed.value == pytest.approx(motion.peaks().speed.value / 1.5)
    assert slow.peaks().acceleration.value == pytest.approx(motion.peaks().acceleration.value / 2.25)
    assert slow.phases[1].start == pytest.approx(1.5 * motion.phases[1].start)


def test_placed_motions_are_turned_and_moved() -> None:
    motion = straight((0.1, 0, 0, 0.2), (0.3, 0, 0, 0.4), duration=1.0)
    placed = motion.placed(math.pi / 2, (0, 0, -0.5, 0.1))
    assert placed.start == pytest.approx([0, 0.1, -0.5, 0.3])
    assert placed.end == pytest.approx([0, 0.3, -0.5, 0.5])
    assert placed.at(0.4).xd == pytest.approx([0, motion.at(0.4).xd[0], 0, motion.at(0.4).xd[3]])


def test_a_motion_rests_before_and_after() -> None:
    motion = straight((0, 0, 0), (1, 0, 0), law="trapezoidal", duration=1.0)
    x, xd, xdd = motion.at([-1.0, 2.0])
    assert x == pytest.approx(np.array([[0, 0, 0], [1, 0, 0]]))
    assert not xd.any()
    assert not xdd.any()


def test_a_time_that_is_not_a_number() -> None:
    x = KINDS["cycle"]().at([0.1, math.nan, 0.2]).x
    assert np.isnan(x).all(axis=1).tolist() == [False, True, False]


def test_shapes() -> None:
    motion = KINDS["via"]()
    assert motion.at(0.1).x.shape == (4,)
    assert motion.at(np.zeros((2, 3, 5))).xdd.shape == (2, 3, 5, 4)
    assert motion.jerk(np.zeros(7)).shape == (7, 4)


@pytest.mark.parametrize("rate", [100.0, 977.0, 4000.0])
def test_samples_start_at_the_start_and_end_at_the_end(motion: Motion, rate: float) -> None:
    samples = motion.sample(rate)
    assert np.diff(samples.t) == pytest.approx(1.0 / rate, rel=1e-4)
    assert samples.t[0] == 0.0
    assert motion.duration - 1e-9 <= samples.t[-1] < motion.duration + 1 / rate
    assert samples.x[0] == pytest.approx(motion.start, abs=1e-15)
    assert samples.x[-1] == pytest.approx(motion.end, abs=1e-15)
    inner = samples.t < motion.duration
    assert samples.x[inner] == pytest.approx(motion.at(samples.t[inner]).x, abs=1e-15)


def test_a_duration_of_whole_steps_has_no_step_too_many() -> None:
    assert len(adept_cycle(cycles_per_minute=120).sample(4000).t) == 2001
    assert len(straight((0, 0, 0), (1, 0, 0), duration=0.1).repeated(1).held(0.2).sample(10).t) == 4


def test_samples_with_corners_have_both_sides_and_the_exact_end(motion: Motion) -> None:
    samples = motion.sample(100.0, corners=True)
    assert samples.t[0] == 0.0
    assert samples.t[-1] == motion.duration
    assert np.all(np.diff(samples.t) >= 0.0)
    for knot in motion.knots[1:-1]:
        assert np.count_nonzero(samples.t == knot) == 2
    jumps = np.abs(np.diff(samples.xdd, axis=0)).max(axis=1)[np.diff(samples.t) == 0.0]
    inner = motion.corners[(motion.corners > 0.0) & (motion.corners < motion.duration)]
    assert np.count_nonzero(jumps > 1e-6) == len(inner)


@pytest.mark.parametrize("corners", [False, True])
def test_a_series_that_is_kept_is_sampled_once_and_given_as_a_copy(
    motion: Motion, corners: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = motion.sample(500.0, corners=corners)
    values = {name: value.copy() for name, value in vars(first).items()}
    monkeypatch.setattr(Motion, "_sampled", None)
    first.x[:] = 7.0
    again = motion.sample(500.0, corners=corners)
    assert vars(again).keys() == values.keys()
    for name, value in values.items():
        assert np.array_equal(getattr(again, name), value)
        assert getattr(again, name).strides == value.strides
    # Of another rate, or of another motion, it is another one.
    for other in (lambda: motion.sample(501.0, corners=corners), lambda: motion.slowed(2.0).sample(500.0)):
        with pytest.raises(TypeError):
            other()


def test_a_long_series_is_not_kept() -> None:
    motion = hold((0.0, 0.0, -0.7), 1.0)
    assert len(motion.sample(KEPT_MAX + 1.0).t) == KEPT_MAX + 2
    assert not vars(motion).get("_last")
    motion.sample(100.0)
    assert [*vars(motion)["_last"]] == [(100.0, False)]


def test_coarse_samples_with_corners_do_not_lose_the_peak() -> None:
    """On the lines of corbel2010 section V.A a coarse uniform grid misses the peak of the acceleration pulse."""
    motion = straight((0, 0, 0), (0.3, 0, 0), law=pm.pulse(1.0), v_max=11.0, a_max=981.0)
    uniform, complete = (motion.sample(600.0, corners=c) for c in (False, True))
    assert np.abs(uniform.xdd).max() < 0.99 * 981.0
    assert np.abs(complete.xdd).max() == pytest.approx(981.0)


def test_a_series_of_samples_holds_the_acceleration_that_comes() -> None:
    motion = straight((0, 0, 0), (1, 0, 0), law=pm.trapezoidal(ramp=0.25), duration=1.0)
    samples = motion.sample(4.0)
    a = motion.peaks().acceleration.value
    assert samples.xdd[:, 0] == pytest.approx([a, 0.0, 0.0, -a, 0.0])


def test_corners_are_where_the_acceleration_jumps() -> None:
    smooth = gate((0, 0, 0), (0.3, 0, 0), law="cycloid", duration=0.4)
    assert len(smooth.corners) == 0
    assert len(smooth.knots) > 4
    assert smooth.peaks().jerk.value < math.inf
    rough = gate((0, 0, 0), (0.3, 0, 0), law="bang-bang", duration=0.4)
    assert len(rough.corners) == 7
    assert rough.peaks().jerk.value == math.inf


def test_peaks_are_found_between_samples() -> None:
    motion = straight((0, 0, 0, 0), (0.3, 0.4, 0, 2.0), law="3-4-5", duration=0.8)
    peaks = motion.peaks()
    assert peaks.speed.value == pytest.approx(15 / 8 * 0.5 / 0.8, rel=1e-12)
    assert peaks.speed.time == pytest.approx(0.4, abs=1e-7)
    assert peaks.acceleration.value == pytest.approx(10 / math.sqrt(3) * 0.5 / 0.64, rel=1e-12)
    assert peaks.jerk.value == pytest.approx(60 * 0.5 / 0.512, rel=1e-12)
    assert peaks.yaw_rate.value == pytest.approx(15 / 8 * 2.0 / 0.8, rel=1e-12)
    assert peaks.yaw_acceleration.value == pytest.approx(10 / math.sqrt(3) * 2.0 / 0.64, rel=1e-12)


def test_payload_is_picked_and_released_on_the_way() -> None:
    motion = adept_cycle(cycles_per_minute=60, payload=0.8, dwell=(0.1, 0.05))
    lift, lower = (next(p for p in motion.phases if p.name == name) for name in ("lift", "lower"))
    assert [step.mass for step in motion.payload] == [0.8, 0.0]
    assert [step.time for step in motion.payload] == pytest.approx([lift.start, lower.end])
    t = np.array([0.0, 0.099, 0.1, 0.3, lower.end - 1e-6, lower.end + 1e-6, 0.9])
    assert motion.payload_at(t).tolist() == [0, 0, 0.8, 0.8, 0.8, 0, 0]
    assert motion.payload_at(lower.end, "left") == 0.8
    assert motion.sample(1000.0).payload.max() == 0.8
    assert lower.end in motion.knots
    back = motion.reversed()
    inner = t[np.min(np.abs(t[:, None] - [0.1, lower.end]), axis=1) > 1e-9]
    assert back.payload_at(1.0 - inner) == pytest.approx(motion.payload_at(inner))


def test_payload_ends_with_the_motion_unless_it_is_held() -> None:
    motion = straight((0, 0, 0), (1, 0, 0), duration=1.0).carrying(0.5, 0.2, 1.0)
    carried = straight((0, 0, 0), (1, 0, 0), duration=1.0)
    carried = Motion(carried.pieces, carried.phases, (PayloadStep(0.2, pp.Payload(0.5)),))
    assert carried.held(1.0).payload_at(1.5) == 0.5
    assert carried.then(straight((1, 0, 0), (0, 0, 0), duration=1.0)).payload_at(1.5) == 0.0
    assert motion.held(1.0).payload_at(1.5) == 0.0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda m: m.sample(0.0), "rate is 0 Hz"),
        (lambda m: m.repeated(0), "count is 0"),
        (lambda m: m.repeated(1.5), "count is 1.5"),
        (lambda m: m.repeated(10**9), "count is 1000000000; 1 pieces can be repeated 100000 times"),
        (lambda m: m.repeated(10**5000), "count is a huge number"),
        (lambda m: m.sample(1e300), "more than 3000000 samples; its rate may be"),
        (lambda m: m.slowed(0.0), "factor is 0"),
        (lambda m: m.carrying(-1.0, 0.0, 0.1), "payload: is -1 kg"),
        (lambda m: m.carrying(1.0, 0.0, 9.0), r"payload from 0 s to 9 s; the motion lasts from 0 to 1 s"),
        (lambda m: m.held(-1.0), "a dwell of -1 s"),
        (lambda m: pm.along(pm.gate_path((0, 0, 0), (1, 0, 0)), pm.fit("cubic", 1.05, duration=1.0)), "turns sharply"),
        (lambda m: pm.along(pm.line_path((0, 0, 0), (1, 0, 0)), pm.fit("cubic", 0.5, duration=1.0)), "ends at 0.5 m"),
    ],
)
def test_what_a_motion_refuses(make, message: str) -> None:  # noqa: ANN001
    with pytest.raises((MotionError, pp.errors.ParameterError), match=message):
        make(straight((0, 0, 0), (1, 0, 0), duration=1.0))


def test_limits_along_a_curved_path() -> None:
    path = pm.via_path([(0, 0, 0), (0.1, 0, 0.05), (0.2, 0, 0)])
    motion = pm.follow_path(path, s_curve(), v_max=2.0, a_max=40.0, j_max=3000.0)
    peaks = motion.peaks()
    used = (peaks.speed.value / 2.0, peaks.acceleration.value / 40.0, peaks.jerk.value / 3000.0)
    assert max(used) == pytest.approx(1.0, abs=1e-6)
    with pytest.raises(pm.LimitError, match=r"is 0.05 s; the limits need 0.\d+ s along this path"):
        pm.follow_path(path, "3-4-5", duration=0.05, a_max=40.0)
    with pytest.raises(pm.LimitError, match="the acceleration along this path jumps"):
        pm.follow_path(pm.gate_path((0, 0, 0), (1, 0, 0), 0.1, 0.05), "3-4-5", a_max=40.0, j_max=3000.0)
