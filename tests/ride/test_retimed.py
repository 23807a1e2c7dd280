"""A ride at other rates between its knots: samples and loads are those of the motion that runs so."""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp
from parapick.evaluation import Run
from parapick.model import Model
from parapick.motion import Motion, gate, straight
from parapick.ride import Ride

PICK, PLACE = (-0.1, -0.05, -0.72, 0.0), (0.1, 0.05, -0.7, 0.2)


def with_rests(factor: float, mass: float = 0.2) -> Motion:
    """There and back with a load, the moves run `factor` times as fast, the rests as long as they are."""
    there = gate(PICK, PLACE, height=0.03, duration=0.4 / factor)
    back = gate(PLACE, PICK, height=0.03, duration=0.4 / factor)
    motion = there.held(0.05).then(back).held(0.07)
    return motion.carrying(mass, 0.0, there.duration + 0.05)


@pytest.fixture(scope="module")
def model() -> Model:
    return pp.load("par4")


def test_samples_of_the_same_path_at_other_times(model: Model) -> None:
    before, after = with_rests(1.0), with_rests(1.6)
    samples = Ride.along(model, before, 2000.0).samples.retimed(before.knots, after.knots)
    assert samples.t[-1] == pytest.approx(after.duration, rel=1e-12)
    assert (np.diff(samples.t) >= 0.0).all()
    # Between corners, where both sides agree.
    inside = np.abs(samples.t[:, None] - after.knots).min(axis=1) > 1e-6
    pose = after.at(samples.t[inside])
    for value, expected in zip((samples.x, samples.xd, samples.xdd), pose, strict=True):
        np.testing.assert_allclose(value[inside], expected, rtol=0.0, atol=1e-9 * max(1.0, np.abs(expected).max()))
    np.testing.assert_array_equal(samples.load[inside], after.load_at(samples.t[inside]))
    # Both sides of a corner keep their own accelerations.
    doubled = np.flatnonzero(samples.t[1:] == samples.t[:-1])
    left = after.at(samples.t[doubled], "left").xdd
    np.testing.assert_allclose(samples.xdd[doubled], left, rtol=0.0, atol=1e-9 * np.abs(left).max())


def test_a_run_is_retimed_and_its_requirements_are_those_of_the_motion(model: Model) -> None:
    run, faster = Run.of(model, with_rests(1.0)), with_rests(1.6)
    retimed = run.retimed(faster)
    assert retimed is not None
    for own, direct in zip(retimed.requirements, Run.of(model, faster).requirements, strict=True):
        assert own.name == direct.name
        assert own.value == pytest.approx(direct.value, rel=2e-4, abs=1e-6)


def test_what_does_not_depend_on_the_pace_is_not_computed_again(model: Model) -> None:
    ride = Run.of(model, with_rests(1.0)).ride
    reach, held = ride.reach, ride.held
    faster = ride.sped_up(1.2)
    assert faster.reach is reach
    assert faster.held is held
    np.testing.assert_array_equal(faster.loads.torque, Ride(model, faster.samples).loads.torque)


@pytest.mark.parametrize(
    "other",
    [
        lambda: with_rests(1.6, 0.3),  # another load
        lambda: with_rests(1.6).placed(0.01),  # another path
        lambda: with_rests(1.6).then(straight(PICK, PLACE, duration=0.2)),  # further
        lambda: gate(PICK, PLACE, height=0.03, duration=0.2, law="cycloid").then(
            gate(PLACE, PICK, height=0.03, duration=0.2, law="cycloid")
        ),
    ],
)
def test_another_motion_is_not_the_same_at_other_rates(model: Model, other: object) -> None:
    assert Run.of(model, with_rests(1.0)).retimed(other()) is None  # pyright: ignore[reportCallIssue]
