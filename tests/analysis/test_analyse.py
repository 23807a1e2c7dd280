"""`analyse` as a whole: every number of it is that of a loop which can be asked for by itself, and its words are so."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.analysis import (
    Analysis,
    analyse,
    analysis_answer,
    ideal,
    sampled_loop,
    sampled_loops,
    with_fixed_gains,
)
from parapick.answer import Answer
from parapick.control import DELAY_MAX, PD, Controller, Poles
from parapick.errors import ParameterError
from parapick.motion import hold
from simulation.cases import cycle, delta

SERVO = Controller(PD(4000.0, 50.0), rate=2000.0, delay=1)
NERVOUS = replace(SERVO, law=PD(4000.0, 5000.0))
FEW = {"points": 2, "measured": ()}


@cache
def both() -> Analysis:
    """A loop that is stable and one that is not, at three poses."""
    controllers = {"servo": SERVO, "nervous": NERVOUS}
    return analyse(delta(), cycle(), controllers, points=3, joint=2, measured=(20.0, 60.0))


@cache
def answer() -> Answer:
    return analysis_answer(delta(), "a cycle", cycle().duration, both().by_name)


def rows(name: str, controller: str) -> list[dict[str, Any]]:
    """Rows of a table that are a controller's, by column."""
    table = answer().table(name)
    every = [dict(zip((column.name for column in table.columns), row, strict=True)) for row in table.rows]
    return [row for row in every if row["controller"] == controller]


def test_loops_are_those_at_rest_along_the_motion() -> None:
    times = np.linspace(0.0, cycle().duration, 3)
    for loop, alone in zip(
        both()["servo"].loops, sampled_loops(delta(), cycle(), SERVO, times, resting=True), strict=True
    ):
        assert loop.transition == pytest.approx(alone.transition)
        assert loop.x == pytest.approx(alone.x)


def test_the_pose_of_responses_is_where_the_first_bears_the_least_delay() -> None:
    servo = both()["servo"]
    worst = min(zip(servo.margins, servo.loops, strict=True), key=lambda pair: pair[0].worst.delay)[1]
    for controller, response in ((SERVO, servo.sampled), (ideal(SERVO), servo.ideal)):
        alone = sampled_loop(delta(), worst.x, controller).response(response.frequencies)[:, :, 1]
        assert response.values == pytest.approx(alone)
    # The other controller is asked at the same pose, though it is worst elsewhere.
    alone = sampled_loop(delta(), worst.x, NERVOUS).response([20.0])[0, :, 1]
    at = list(both()["nervous"].sampled.frequencies).index(20.0)
    assert both()["nervous"].sampled.values[at] == pytest.approx(alone)


def test_a_given_pose_is_taken() -> None:
    home = np.array(delta().robot.home)
    analysis = analyse(delta(), cycle(), {"servo": SERVO}, pose=home, **FEW)["servo"]
    frequencies = analysis.sampled.frequencies
    assert frequencies[-1] == pytest.approx(min(1000.0, 0.5 * SERVO.rate))
    assert analysis.sampled.values == pytest.approx(sampled_loop(delta(), home, SERVO).response(frequencies)[:, :, 0])
    assert analysis.measured is None


def test_size_is_of_all_directions() -> None:
    sampled = both()["servo"].sampled
    assert sampled.size[7] == pytest.approx(math.sqrt(sum(abs(one) ** 2 for one in sampled.values[7])))


def test_sine_tests_find_the_sampled_response() -> None:
    servo = both()["servo"]
    assert servo.measured is not None
    at = [list(servo.sampled.frequencies).index(one) for one in (20.0, 60.0)]
    assert servo.measured.values == pytest.approx(servo.sampled.values[at], rel=2e-3)
    assert both()["nervous"].measured is None


def test_delays_are_those_of_controllers_with_that_delay() -> None:
    servo = both()["servo"]
    assert list(servo.delays) == [0, 1, 2, 4, 8]
    pose = servo.loops[int(np.argmin([margin.worst.delay for margin in servo.margins]))].x
    for samples, margin in servo.delays.items():
        loop = sampled_loop(delta(), pose, replace(SERVO, delay=samples))
        if not loop.stable:
            assert margin is None
            continue
        assert margin is not None
        assert margin.singular == pytest.approx(loop.margins().singular)
    own = analyse(delta(), cycle(), {"late": replace(SERVO, delay=3)}, **FEW)["late"]
    assert list(own.delays) == [0, 1, 2, 3, 4, 8]


def test_encoders_with_a_bit_more_make_half_the_noise() -> None:
    noise = both()["servo"].encoders
    assert list(noise) == [13, 16, 20, 23]
    for fine, coarse in ((16, 13), (20, 16), (23, 20)):
        assert np.array(noise[coarse]) == pytest.approx(2.0 ** (fine - coarse) * np.array(noise[fine]))
    assert both()["nervous"].encoders == {}


def test_gains_are_found_along_the_motion_once() -> None:
    placed = Controller(PD(poles=Poles(15.0, 0.8)))
    rest = hold(cycle().start, 0.01)
    law: Any = with_fixed_gains(delta(), rest, placed).law
    assert law.poles is None
    analysis = analyse(delta(), rest, {"pd": placed}, **FEW)["pd"]
    assert analysis.controller.law == law


def test_tables_hold_the_same_numbers() -> None:
    servo = both()["servo"]
    (loop,) = rows("loops", "servo")
    worst = [margin.worst for margin in servo.margins]
    assert loop["stable"] is True
    assert loop["gain"] == min(one.gain for one in worst)
    assert loop["gain loss"] == max(one.gain_loss for one in worst)
    assert loop["phase"] == min(one.phase for one in worst)
    assert loop["delay"] == servo.least_delay == min(one.delay for one in worst)
    assert loop["sigma"] == min(margin.singular for margin in servo.margins)
    assert loop["period"] == servo.limit > 1.0 / SERVO.rate
    along = rows("along", "servo")
    assert [row["sigma"] for row in along] == [margin.singular for margin in servo.margins]
    assert [row["time"] for row in along] == [loop.time for loop in servo.loops]
    left = {row["samples"]: row["delay"] for row in rows("delays", "servo")}
    # What a delay takes is taken from the margin.
    assert left[0] - left[1] == pytest.approx(1.0 / SERVO.rate, rel=1e-2)
    assert [row["bits"] for row in rows("encoders", "servo")] == [13, 16, 20, 23]


def test_poles_say_how_slow_and_how_damped() -> None:
    (loop,) = rows("loops", "servo")
    rates = np.concatenate([one.s_poles for one in both()["servo"].loops])
    assert loop["slowest"] == pytest.approx(1.0 / np.min(-rates.real))
    swinging = rates[np.abs(rates.imag) > 0.0]
    assert loop["damping"] == pytest.approx(np.min(-swinging.real / np.abs(swinging)))
    poles = answer().data["poles"]["servo"]
    assert all(one["real"] < 0.0 for one in poles)
    (nervous,) = rows("loops", "nervous")
    assert (nervous["stable"], nervous["slowest"], nervous["delay"]) == (False, math.inf, 0.0)


def test_responses_are_compared_with_the_first_controller() -> None:
    servo, nervous = rows("response", "servo"), rows("response", "nervous")
    assert [row["frequency"] for row in servo] == [20.0, 60.0]
    assert [row["to first"] for row in servo] == [1.0, 1.0]
    assert [row["measured"] for row in servo] == pytest.approx([row["sampled"] for row in servo], rel=2e-3)
    # Without a measured response the sampled ones are compared, at the usual frequencies.
    assert [row["frequency"] for row in nervous] == [1.0, 5.0, 10.0, 20.0]
    assert [row["measured"] for row in nervous] == [None] * 4
    at = list(both()["servo"].sampled.frequencies).index(20.0)
    assert nervous[-1]["to first"] == pytest.approx(nervous[-1]["sampled"] / both()["servo"].sampled.size[at])


def test_words_say_what_is_unstable_and_where() -> None:
    notes = " ".join(answer().notes)
    assert "nervous is unstable at 3 of 3 poses, first at 0" in notes
    assert "nervous has no measured response" in notes
    assert "servo has no measured response" not in notes
    # One stable controller is enough for a yes, and nobody is best among one.
    assert answer().ok
    assert "bears the longest delay" not in notes
    alone = analysis_answer(delta(), "a cycle", 1.0, {"nervous": both()["nervous"]})
    assert not alone.ok
    assert "no controller is stable at every pose" in alone.refusal


def test_words_say_which_bears_the_longest_delay() -> None:
    softer = analyse(delta(), cycle(), {"soft": replace(SERVO, law=PD(1000.0, 20.0))}, **FEW)["soft"]
    text = analysis_answer(delta(), "a cycle", 1.0, {"servo": both()["servo"], "soft": softer})
    assert softer.least_delay > both()["servo"].least_delay
    assert any("soft bears the longest delay" in note for note in text.notes)


def test_a_margin_longer_than_can_be_run_is_stated_as_the_longest_that_can() -> None:
    """A soft loop at a high rate bears more samples than a run may have; said so once."""
    soft = Controller(PD(4000.0, 50.0), rate=100_000.0)
    analysis = analyse(delta(), hold(cycle().start, 0.01), {"soft": soft}, **{**FEW, "points": 1})["soft"]
    (margin,) = analysis.margins
    assert analysis.capped(margin)
    assert analysis.least_delay == pytest.approx(DELAY_MAX / 100_000.0)
    text = analysis_answer(delta(), "rest", 0.01, {"soft": analysis})
    assert any(f"up to {DELAY_MAX} samples" in note and "soft" in note for note in text.notes)


def test_a_robot_with_more_motors_than_freedoms() -> None:
    model = pp.load("delta-r4")
    motion = hold(np.array(model.robot.home), 0.05)
    analysis = analyse(model, motion, {"pd": Controller(PD(4000.0, 50.0))}, points=1, joint=4, measured=())["pd"]
    assert analysis.stable
    assert len(analysis.margins[0].joints) == 4
    # It hangs on four equal arms: a torque at any of them moves it as far.
    first = analyse(model, motion, {"pd": Controller(PD(4000.0, 50.0))}, points=1, joint=1, measured=())["pd"]
    assert first.sampled.size == pytest.approx(analysis.sampled.size, rel=1e-6)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"points": 0}, "points: is 0; a motion needs at least one pose"),
        ({"points": 10**9}, "points: is 1000000000; it must be at most"),
        ({"joint": 0}, "joint: is 0; delta-nr has joints 1 to 3"),
        ({"joint": 4}, "joint: is 4; delta-nr has joints 1 to 3"),
        ({"measured": (0.0,)}, "frequencies: are from 0 to .* Hz; they must be greater than 0"),
        ({"measured": (1001.0,)}, "at most half the control rate, 1000 Hz"),
        ({"pose": (math.nan, 0.0, -0.4)}, "at: .*finite"),
    ],
)
def test_refusals(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        analyse(delta(), hold(cycle().start, 0.01), {"servo": SERVO}, **{**FEW, "points": 1, **options})


def test_no_controller_is_refused() -> None:
    with pytest.raises(ParameterError, match="controllers: is empty"):
        analyse(delta(), cycle(), {})


def test_a_python_function_has_no_slope() -> None:
    with pytest.raises(ParameterError, match="controller: has a Python callable for its law"):
        analyse(delta(), cycle(), {"mine": Controller(lambda t, measured, reference: np.zeros(3))}, **FEW)
