"""What a log can tell: ranks of torque columns, changes of a log that change no number, and what is written."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from identification.machines import ideal
from parapick.control import machine_controller
from parapick.errors import ParameterError, ParapickError
from parapick.identification import Identification, Log, LogReading, Question, identified, identify, read_log, written
from parapick.identification.base_parameters import base_parameters
from parapick.identification.regressor import INERTIAL
from parapick.inspection.samples_file import csv_text
from parapick.model import Model
from parapick.motion.route import Route, by_law
from parapick.parameters import leaves, units_of

COULOMB, VISCOUS = 0.8, 0.3
TIME = np.linspace(0.0, 3.0, 301)
SWING = np.column_stack([np.sin(2.0 * np.pi * hertz * TIME) for hertz in (1.0, 4.0 / 3.0, 5.0 / 3.0)])
MOTION = by_law(
    Route.through(
        TIME, np.array(pp.load("delta-nr").robot.home) + 0.08 * np.sin(np.pi * TIME / 3.0)[:, None] ** 2 * SWING
    )
)


def inertial(model: Model) -> dict[str, float]:
    """Masses and moments of inertia that the robot's file states, by path."""
    units = dict(units_of(model.robot))
    return {path: value for path, value in leaves(model.robot) if units.get(path) in INERTIAL}


@pytest.mark.parametrize("name", ["par4", "delta-r4", "delta-linear"])
def test_as_many_sums_as_the_torques_of_changed_robots_have_directions(name: str) -> None:
    """The rank of differences of inverse dynamics, by singular values; no column of the regressor takes part."""
    model = pp.load(name)
    random = np.random.default_rng(3)
    dof = model.robot.dof
    x = np.array(model.robot.home) + 0.05 * random.uniform(-1.0, 1.0, (60, dof))
    xd, xdd = 2.0 * random.standard_normal((60, dof)), 40.0 * random.standard_normal((60, dof))
    jacobian = model.inverse_jacobian(x)

    def forces(robot: Model) -> np.ndarray:
        return np.einsum("tij,ti->tj", jacobian, robot.inverse_dynamics(x, xd, xdd)).ravel()

    rest = forces(model)
    numbers = inertial(model)
    columns = [forces(model.with_parameters({path: value + 1e-3})) - rest for path, value in numbers.items()]
    scaled = [column / np.linalg.norm(column) for column in columns if np.linalg.norm(column) > 1e-9]
    sizes = np.linalg.svd(np.array(scaled), compute_uv=False)
    rank = int(np.sum(sizes > 1e-7 * sizes[0]))
    # Of the payload the mass alone is in the file; its first moments and its inertia are sums of their own.
    known = base_parameters(model)
    stated = [one for one in known.sums if one.name in numbers or set(one.others) & set(numbers)]
    assert len(stated) == rank
    assert rank < len(scaled)


@cache
def rubbing() -> tuple[Model, Log]:
    """A log of a robot with friction that its file does not state, along sines about its home."""
    model = pp.load("delta-nr")
    truth = model.with_parameters(
        {"drive.friction.coulomb": COULOMB, "drive.friction.viscous": VISCOUS, "gripper.mass": 0.4}
    )
    return model, ideal(truth, MOTION, seed=2)


@cache
def base() -> Identification:
    return identify(*rubbing())


def numbers(identification: Identification) -> dict[str, float]:
    return {one.unknown.name: one.value for one in identification.estimates}


def test_the_truth_is_within_three_half_intervals() -> None:
    truth = {"coulomb": COULOMB, "viscous": VISCOUS}
    for one in base().estimates:
        kind = next((word for word in truth if word in one.unknown.name), None)
        if kind is not None:
            assert abs(one.value - truth[kind]) < 3.0 * one.half
            assert one.sure
    assert base().value("gripper.mass") == pytest.approx(0.4, abs=0.02)
    with pytest.raises(ParameterError, match=r"plate\.colour: was not identified; there are friction.coulomb"):
        base().value("plate.colour")


def test_a_clock_that_began_elsewhere_changes_nothing() -> None:
    model, log = rubbing()
    later = identify(model, replace(log, t=log.t + 1234.5))
    assert numbers(later) == pytest.approx(numbers(base()), rel=1e-4, abs=1e-6)


def test_units_of_a_file_change_nothing(tmp_path: Path) -> None:
    """Milliseconds, degrees and millinewton metres are the same log."""
    model, log = rubbing()
    assert log.torque is not None
    heads = ["t [ms]", *(f"q{i} [deg]" for i in (1, 2, 3)), *(f"torque{i} [mN m]" for i in (1, 2, 3))]
    path = tmp_path / "log.csv"
    path.write_text(csv_text(heads, np.column_stack([1e3 * log.t, np.degrees(log.q), 1e3 * log.torque])))
    again = read_log(path, model, LogReading())
    assert again.q == pytest.approx(log.q, abs=1e-9)
    assert again.torque == pytest.approx(log.torque, rel=1e-9, abs=1e-9)
    assert numbers(identify(model, again)) == pytest.approx(numbers(base()), rel=1e-3, abs=1e-5)


def test_torques_that_are_recorded_early_are_moved_back() -> None:
    """A lead that is asked for is that of the shift; the friction is then what it was."""
    model, log = rubbing()
    assert log.torque is not None
    samples = 3
    early = replace(log, t=log.t[:-samples], q=log.q[:-samples], torque=log.torque[samples:])
    moved = identify(model, early)
    assert moved.lead - base().lead == pytest.approx(samples / 1000.0, abs=2e-4)
    assert moved.friction("coulomb") == pytest.approx(base().friction("coulomb"), rel=0.05)


def test_less_noise_gives_narrower_intervals() -> None:
    model, log = rubbing()
    assert log.torque is not None
    noise = np.random.default_rng(8).standard_normal(log.torque.shape)
    loud = identify(model, replace(log, torque=log.torque + 2.0 * noise))
    for one, other in zip(base().estimates, loud.estimates, strict=True):
        assert other.half > 2.0 * one.half


def test_a_shorter_log_tells_less() -> None:
    model, log = rubbing()
    assert log.torque is not None
    half = len(log.t) // 2
    short = identify(model, replace(log, t=log.t[:half], q=log.q[:half], torque=log.torque[:half]))
    longer = [one.half for one in base().estimates if one.identified]
    shorter = [one.half for one in short.estimates if one.identified]
    assert np.mean(shorter) > 1.1 * np.mean(longer)


def test_everything_that_comes_out() -> None:
    model, log = rubbing()
    outcome = identified(model, [log, log], Question())
    assert len(outcome.residuals) == 2
    assert outcome.motion is None
    assert outcome.doubts is not None
    assert outcome.doubts.ok
    rows = {row["number"]: row for row in outcome.answer.table("estimates").records}
    for name, value in numbers(base()).items():
        assert rows[name]["estimate"] == pytest.approx(value)
    with pytest.raises(ParapickError, match="neither a log to identify from nor a motion asked for"):
        identified(model, [], Question())


def test_what_is_written_is_what_was_identified(tmp_path: Path) -> None:
    model, log = rubbing()
    paths = {"robot": tmp_path / "robot.toml", "controller": tmp_path / "controller.toml"}
    files = written(identified(model, [log], Question()), model, paths, machine_controller("tsid"))
    assert set(files) == {"robot", "controller"}
    again = pp.load(files["robot"])
    # A file states one friction for all arms.
    assert again.motors.viscous == pytest.approx([base().friction("viscous").mean()] * 3, rel=1e-3)
