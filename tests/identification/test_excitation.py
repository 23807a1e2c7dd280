"""Motions that are proposed: ramps, harmonics, limits, worth, files."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from identification.machines import exciting
from parapick.errors import ParapickError
from parapick.identification import ExcitingMotion, Question, exciting_motion, identified, save_motion, unknowns_of
from parapick.identification.excitation import RAMP, RATE, _Excitation, _ramp, _room
from parapick.ride.samples import Samples
from parapick.tasks import load_task

UNKNOWNS = ("friction", "payload")


def search(name: str = "delta-nr", duration: float = 3.0) -> _Excitation:
    model = pp.load(name)
    return _Excitation(model, unknowns_of(model, UNKNOWNS), duration, None)


def test_a_ramp_grows_to_one_and_falls_again_with_its_derivatives() -> None:
    t = np.linspace(0.0, 3.0, 30001)
    r, rd, rdd = _ramp(t)
    assert (r[0], r[-1], r[len(r) // 2]) == (0.0, 0.0, 1.0)
    inner = (np.abs(t - RAMP) > 1e-3) & (np.abs(t - 3.0 + RAMP) > 1e-3)
    assert np.gradient(r, t)[inner] == pytest.approx(rd[inner], abs=2e-4)
    assert np.gradient(rd, t)[inner][1:-1] == pytest.approx(rdd[inner][1:-1], abs=2e-2)
    for end in (0, -1):
        assert (rd[end], rdd[end]) == pytest.approx((0.0, 0.0))


def test_samples_are_harmonics_within_the_room_with_their_derivatives() -> None:
    task = search()
    shape = np.random.default_rng(3).standard_normal((2, 4, 3))
    samples = task.samples(shape, 0.7, 0.9)
    step = 1.0 / RATE
    inner = slice(2, -2)
    assert np.gradient(samples.x, step, axis=0)[inner] == pytest.approx(samples.xd[inner], abs=0.02)
    assert (np.abs(samples.x - task.center).max(axis=0) <= 0.9 * task.extent * (1.0 + 1e-12)).all()
    flat = (samples.x - task.center)[:, :2] / (0.9 * task.extent[:2])
    assert np.hypot(*flat.T).max() <= 1.0 + 1e-12
    # Between the ramps only the first harmonic and its multiples are there.
    longer = search(duration=2 * RAMP + 10.0 / 0.7)
    steady = longer.samples(shape, 0.7, 0.9).x[round(RAMP * RATE) : round((RAMP + 10.0 / 0.7) * RATE)]
    spectrum = np.abs(np.fft.rfft(steady[:, 2] - steady[:, 2].mean()))
    assert set(np.argsort(spectrum)[-4:].tolist()) == {10, 20, 30, 40}


def test_the_room_is_the_workspace() -> None:
    center, extent = _room(pp.load("delta-nr"))
    assert center == pytest.approx([0.0, 0.0, -0.7])
    assert extent == pytest.approx([0.3, 0.3, 0.05])


def test_deviations_are_those_of_least_squares_with_unit_noise() -> None:
    """Drawn: the spread of numbers fitted to columns with noise of 1 in every row that counts."""
    task = search(duration=2.4)
    candidate = task.placed(np.random.default_rng(1).standard_normal((2, 4, 3)))
    assert candidate is not None
    information = task._information(candidate)
    felt = np.diag(information) > 0.0
    expected = np.sqrt(np.diag(np.linalg.inv(information[np.ix_(felt, felt)])))
    assert task.deviations(candidate)[felt] == pytest.approx(expected, rel=1e-6)
    assert task.worth(candidate.shape) == pytest.approx(np.linalg.slogdet(information)[1])


def test_noise_of_a_row_counts_less() -> None:
    model = pp.load("delta-nr")
    unknowns, shape = unknowns_of(model, UNKNOWNS), np.random.default_rng(1).standard_normal((2, 4, 3))
    plain, noisy = (_Excitation(model, unknowns, 2.4, weights) for weights in (None, np.array([1.0, 0.1, 1.0])))
    candidate = plain.placed(shape)
    assert candidate is not None
    names = [one.name for one in unknowns]
    ratio = noisy.deviations(candidate) / plain.deviations(candidate)
    # Ten times the noise of motor 2 is ten times the interval of its friction, nearly, and hardly that of the others'.
    assert ratio[names.index("friction.coulomb.2")] > 9.0
    assert ratio[names.index("friction.coulomb.1")] < 1.2


def test_a_faster_motion_is_worth_more_until_the_drives_stop_it() -> None:
    task = search()
    shape = np.random.default_rng(2).standard_normal((2, 4, 3))
    placed = task.placed(shape)
    assert placed is not None
    assert task._keeps(shape, placed.frequency, placed.size)
    assert not task._keeps(shape, 1.2 * placed.frequency, placed.size)


@pytest.mark.parametrize("duration", [1.0, 121.0, math.nan])
def test_durations_that_leave_no_room(duration: float) -> None:
    model = pp.load("par4")
    with pytest.raises(ParapickError, match=r"an exciting motion takes 2.4 to 120 s"):
        exciting_motion(model, unknowns_of(model, UNKNOWNS), duration=duration)


def test_robots_for_which_none_is_proposed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parapick.identification.excitation.DRAWS", 2)
    monkeypatch.setattr("parapick.identification.excitation.STEPS", 0)
    stuck = pp.load("h4-90")
    with pytest.raises(ParapickError, match="no exciting motion of h4-90 was found"):
        exciting_motion(stuck, unknowns_of(stuck, UNKNOWNS), duration=2.4)


def test_a_proposal_is_a_task_that_gives_its_samples_back(tmp_path: Path) -> None:
    model = pp.load("par4")
    samples = exciting("par4", 2.5).sample(RATE)
    motion = ExcitingMotion(
        Samples(samples.t, samples.x, samples.xd, samples.xdd, samples.payload), 1.25, np.ones(9), 7
    )
    task, table = save_motion(model, motion, tmp_path / "proposed.toml")
    assert (task.name, table.name) == ("proposed.toml", "proposed.csv")
    again = load_task(str(task))
    assert again.title == "Exciting motion for par4: 1.25 Hz and its harmonics, seed 7"
    assert again.motion(model).sample(RATE).x == pytest.approx(samples.x, abs=1e-6)
    with pytest.raises(ParapickError, match=r"a task file has a name that ends in .toml"):
        save_motion(model, motion, tmp_path / "proposed.yaml")


def test_an_answer_without_a_log_says_how_well_the_motion_tells() -> None:
    model = pp.load("delta-linear")
    outcome = identified(model, [], Question(duration=2.5))
    assert outcome.motion is not None
    table = outcome.answer.table("estimates")
    halves = dict(zip(table.column("number"), table.column("95 % interval +-"), strict=True))
    assert halves["gripper.mass"] == pytest.approx(1.959964 * outcome.motion.deviations[-1])
    assert outcome.answer.data["duration"] == pytest.approx(2.5)
    assert outcome.answer.ok
