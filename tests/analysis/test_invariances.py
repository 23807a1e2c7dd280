"""What must not change a linear loop, or must change it in proportion: units, order, batches, states left out."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from parapick.analysis import SampledLoop, sampled_loop, sampled_loops, sampling_limit
from parapick.analysis.linear_loop import transfer, unit_circle
from parapick.analysis.operating_point import operating_point, smooth_numbers, undisturbed
from parapick.analysis.period_map import PeriodSlope
from parapick.analysis.s_plane import s_plane
from parapick.analysis.sampling import CLOSE, SHORTEST, _last as last
from parapick.analysis.stability_margins import AROUND, LOWEST, ONE_NUMBER, StabilityMargins, grid_of, margins_of
from parapick.analysis.state_reduction import ALIKE, reduced
from parapick.control import PD, PID, Controller, DriveTrain, PlantChanges
from parapick.motion import hold
from simulation.cases import cycle, delta

SERVO = Controller(PID(4000.0, 50.0, 40_000.0), delay=1)
FREQUENCIES = np.geomspace(1.0, 900.0, 400)


def integrators(strength: float) -> np.ndarray:
    """Loop gain of a double integrator with a lead and a delay."""
    s = 2j * np.pi * FREQUENCIES
    return strength * (1.0 + 0.01 * s) * np.exp(-5e-4 * s) / s**2


def gains_of(seed: int) -> np.ndarray:
    """Loop gains of three such joints that are coupled."""
    random = np.random.default_rng(seed)
    return integrators(2e4)[:, None, None] * (np.eye(3) + 0.2 * random.standard_normal((3, 3)))


def numbers(margins: StabilityMargins) -> list[float]:
    common = margins.common
    return [common.gain, common.gain_loss, common.phase, common.delay, common.crossover, margins.singular]


@pytest.mark.parametrize("seed", range(3))
def test_joints_in_another_order_have_the_same_margins(seed: int) -> None:
    gains = gains_of(seed)
    straight = margins_of(FREQUENCIES, gains, stable=True)
    turned = margins_of(FREQUENCIES, gains[:, ::-1, ::-1], stable=True)
    assert numbers(turned) == pytest.approx(numbers(straight), rel=1e-6)
    assert [one.delay for one in turned.joints] == pytest.approx([one.delay for one in straight.joints][::-1])


def test_a_loop_twice_as_strong_may_grow_half_as_much() -> None:
    weak, strong = (margins_of(FREQUENCIES, factor * gains_of(0), stable=True) for factor in (1.0, 2.0))
    assert strong.common.gain == pytest.approx(0.5 * weak.common.gain, rel=1e-9)
    assert strong.common.crossover > weak.common.crossover
    assert strong.common.delay < weak.common.delay


def test_a_loop_at_half_the_pace_bears_twice_the_delay() -> None:
    quick, slow = (margins_of(factor * FREQUENCIES, gains_of(1), stable=True) for factor in (1.0, 0.5))
    assert slow.common.delay == pytest.approx(2.0 * quick.common.delay)
    assert slow.common.crossover == pytest.approx(0.5 * quick.common.crossover)
    assert slow.singular_at == pytest.approx(0.5 * quick.singular_at)
    assert (slow.common.gain, slow.common.phase) == pytest.approx((quick.common.gain, quick.common.phase))


@pytest.mark.parametrize("strength", [0.0, 1e-9, 0.3, 1.0, 7.0])
def test_margins_that_are_one_number_are_those_of_all_margins(strength: float) -> None:
    gains = strength * gains_of(2)
    margins = margins_of(FREQUENCIES, gains, stable=True)
    found = {name: margin(FREQUENCIES, gains) for name, margin in ONE_NUMBER.items()}
    assert found == {"delay": margins.worst.delay, "singular": margins.singular}
    assert math.isinf(found["delay"]) == (strength < 1e-3)


def test_loops_apart_have_the_margins_of_each() -> None:
    """Without coupling a joint's margins are those of its loop alone, and the common ones their smallest."""
    each = [integrators(strength) for strength in (1e4, 4e4, 2e4)]
    together = margins_of(FREQUENCIES, np.stack([np.diag(row) for row in np.array(each).T]), stable=True)
    alone = [margins_of(FREQUENCIES, gain[:, None, None], stable=True) for gain in each]
    for joint, single in zip(together.joints, alone, strict=True):
        expected = single.common
        assert (joint.gain, joint.phase, joint.delay) == pytest.approx((expected.gain, expected.phase, expected.delay))
        # One crossing: the delay is that which turns the phase margin up.
        assert joint.delay == pytest.approx(joint.phase / (2.0 * math.pi * joint.crossover))
    assert together.common.delay == pytest.approx(min(single.common.delay for single in alone))
    assert together.singular == pytest.approx(min(single.singular for single in alone))


def test_a_loop_without_gain_bears_everything() -> None:
    margins = margins_of(FREQUENCIES, np.zeros((len(FREQUENCIES), 2, 2)), stable=True)
    assert (margins.common.gain, margins.common.gain_loss) == (math.inf, 0.0)
    assert (margins.common.phase, margins.common.delay) == (math.inf, math.inf)
    assert math.isnan(margins.common.crossover)
    assert margins.singular == 1.0


def test_frequencies_are_finer_around_what_swings() -> None:
    rate = 1000.0
    swinging = np.exp((-2.0 + 2j * math.pi * 40.0) / rate)
    grid = grid_of(np.array([swinging, np.conj(swinging), 0.9, 1e-9, 0.0]), rate, 50)
    assert np.all(np.diff(grid) > 0.0)
    assert (grid[0], grid[-1]) == pytest.approx((LOWEST * rate, 0.5 * rate))
    # Half-widths of its resonance, in Hz, to both sides; of the pole that only decays nothing, nor of those gone.
    half = 2.0 / (2.0 * math.pi)
    assert len(grid) == 50 + len(AROUND)
    for share in AROUND:
        assert np.abs(grid - (40.0 + share * half)).min() < 1e-9


def test_poles_in_the_s_plane() -> None:
    rates = np.array([-30.0 + 200.0j, -30.0 - 200.0j, -5.0])
    poles = np.append(np.exp(rates / 4000.0), [1e-9, 0.0])
    assert s_plane(poles, 4000.0) == pytest.approx(rates)
    loop = sampled_loop(delta(), cycle().start, SERVO)
    assert len(loop.s_poles) < len(loop.poles)
    assert np.all(loop.s_poles.real < 0.0)
    assert np.exp(loop.s_poles[0] * loop.period) == pytest.approx(loop.poles[0])


def test_any_control_rate_has_a_loop_at_rest() -> None:
    """Rates whose period, twice, is rounded below two periods among them."""
    rates = [191.341, 4e3 / 3.0, *np.random.default_rng(0).uniform(150.0, 5000.0, 8)]
    assert any(rate * (2.0 / rate) < 2.0 for rate in np.geomspace(150.0, 5000.0, 1000))
    for rate in [*rates, next(r for r in np.geomspace(150.0, 5000.0, 1000) if r * (2.0 / r) < 2.0)]:
        assert sampled_loop(delta(), cycle().start, Controller(PD(400.0, 5.0), rate=float(rate))).rate == rate


def test_several_instants_are_each_alone() -> None:
    times = [0.0, 0.1, 0.25]
    for resting in (True, False):
        together = sampled_loops(delta(), cycle(), SERVO, times, resting=resting)
        for loop, time in zip(together, times, strict=True):
            alone = sampled_loop(delta(), cycle(), SERVO, time=time, resting=resting)
            assert np.array_equal(loop.transition, alone.transition)
            assert abs(loop.time - time) <= 1.0 / SERVO.rate


def test_many_frequencies_are_each_alone() -> None:
    loop, few = sampled_loop(delta(), cycle().start, SERVO), FREQUENCIES[::40]
    assert loop.response(few) == pytest.approx(np.concatenate([loop.response(one) for one in few]))
    assert loop.loop_gain(few) == pytest.approx(np.concatenate([loop.loop_gain(one) for one in few]))


def test_modes_and_matrices_give_one_response() -> None:
    """Where modes are well apart a response is summed over them; where not, it is solved for."""
    loop = sampled_loop(delta(), cycle().start, SERVO)
    z = unit_circle([3.0, 30.0, 300.0], loop.rate)
    entry = loop.opened.inputs["force"] + loop.opened.command @ loop.opened.applied_by["force"]
    solved = transfer(loop.transition, entry, loop.opened.outputs["x"], z)
    assert loop.response([3.0, 30.0, 300.0], "force", "x") == pytest.approx(solved, rel=1e-6)


def test_poles_that_share_a_direction() -> None:
    """The pole 0.5 twice with one direction for both, `y = 1 / (z - 0.5)^2 a`: sums over modes would divide by 0."""
    closing = np.array([[-0.1, 0.0]])
    jordan, entry = np.array([[0.5, 1.0], [0.0, 0.5]]), np.array([[0.0], [1.0]])
    opened = PeriodSlope(jordan - entry @ closing, entry, {}, closing, {}, {}, {})
    loop = SampledLoop("none", 0.0, np.zeros(3), 1000.0, opened)
    assert np.linalg.cond(loop.modes[1]) > 1e8
    sensitivity = 1.0 - 0.1 / (unit_circle(30.0, 1000.0)[0] - 0.5) ** 2
    assert loop.loop_gain([30.0])[0, 0, 0] == pytest.approx(1.0 / sensitivity - 1.0)


def test_states_that_are_left_out_change_nothing() -> None:
    controller = replace(SERVO, plant=PlantChanges(drive_train=DriveTrain(20_000.0, 5.0, rotor=0.02)))
    assembly = undisturbed(delta(), hold(cycle().start, 0.01), controller)
    point = operating_point(assembly, 0.0, resting=True)
    whole = point.period.slope(point.state, point.inputs, smooth_numbers(assembly), point.plant)
    fewer = reduced(whole)
    assert len(fewer.transition) < len(whole.transition)
    full, short = (SampledLoop("pid", 0.0, point.x, point.rate, slope) for slope in (whole, fewer))
    for source in ("torque", "reference", "angle"):
        answers = [loop.response([5.0, 50.0, 500.0], source, "x") for loop in (full, short)]
        assert answers[1] == pytest.approx(answers[0], rel=1e-6, abs=1e-9 * np.abs(answers[0]).max())
    assert full.radius == pytest.approx(short.radius)


@pytest.mark.parametrize("seed", range(8))
def test_copies_are_found_as_by_comparing_every_pair_of_rows(seed: int) -> None:
    """States with the rows of few others, some of them off by about what counts as rounding."""
    random = np.random.default_rng(seed)
    few, count = random.standard_normal((4, 15)), 14
    off = random.choice([0.0, 0.5 * ALIKE, 0.9 * ALIKE, 1.2 * ALIKE, 1e3 * ALIKE], size=(count, 1))
    rows = few[random.integers(0, len(few), count)] * (1.0 + off)
    rows[random.integers(0, count)] = 0.0
    sees_all = np.eye(count)
    slope = PeriodSlope(rows[:, :count], rows[:, count:], {}, np.zeros((1, count)), {}, {"x": sees_all}, {})
    expected: list[int] = []
    for k, row in enumerate(rows):
        size = float(np.linalg.norm(row))
        alike = (size > 0.0 and np.linalg.norm(row - rows[one]) <= ALIKE * size for one in expected)
        expected += [] if any(alike) else [k]
    assert np.array_equal(reduced(slope).command, rows[expected, count:])


def test_where_stability_ends() -> None:
    for limit in (3e-4, 2e-3):
        # From a period that is stable upward, and from one that is not downward.
        for first in (0.5 * limit, 2.0 * limit):
            longest = last(lambda period, limit=limit: period <= limit, first, 0.1)
            assert (1.0 - CLOSE) * limit <= longest <= limit
    assert last(lambda period: True, 1e-3, 0.1) == math.inf
    assert last(lambda period: False, 1e-3, 0.1) == 0.0
    # What is stable only far below its own period is found too, down to the shortest that is tried.
    assert last(lambda period: period <= 1.5 * SHORTEST, 1e-4, 0.1) == pytest.approx(1.5 * SHORTEST, rel=2e-3)


@pytest.mark.parametrize("duration", [0.0296147, 0.0244958, 0.0203, 0.01])
def test_a_loop_without_a_limit_is_tried_up_to_half_its_motion(duration: float) -> None:
    """Halves of durations whose rate, times the duration, is rounded below 2 among them."""
    soft = Controller(PD(40.0, 1.0), rate=1000.0)
    assert sampling_limit(delta(), hold(cycle().start, duration), soft, [0.0]) == math.inf


def test_an_unstable_loop_says_which_period_it_needs() -> None:
    stiff = Controller(PD(4000.0, 50.0), rate=100.0)
    assert not sampled_loop(delta(), cycle().start, stiff).stable
    limit = sampling_limit(delta(), hold(cycle().start, 0.1), stiff, [0.0])
    assert 0.0 < limit < 1.0 / 100.0
    for factor, stable in ((0.99, True), (1.01, False)):
        assert sampled_loop(delta(), cycle().start, replace(stiff, rate=1.0 / (factor * limit))).stable is stable
