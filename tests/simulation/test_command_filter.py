"""The command filter of drives: means of the motors' commands, and what becomes of the plate and its path."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.analysis import sampled_loop
from parapick.control import Controller, TaskSpaceID, controllers_of, machine_controller
from parapick.errors import ParameterError, ParapickError
from parapick.export import read_record, write_csv, write_parquet
from parapick.simulation import Record, simulate
from parapick.simulation.command_filter import (
    References,
    _pose,
    averaged,
    difference,
    distance_to_path,
    filtered,
    window_of,
)
from parapick.simulation.loop_answer import loop_answer

RATE = 2000.0
WINDOW = 40
TIME = WINDOW / RATE


def motion_of(name: str) -> Any:
    """A short there and back of a robot."""
    return pp.adept_cycle(pp.load(name), cycles_per_minute=120)


@cache
def references(name: str) -> tuple[pp.Model, References, References]:
    """A robot, what its task asks for and then rests, and the same behind the filter."""
    model = pp.load(name)
    samples = motion_of(name).held(TIME).sample(RATE)
    wanted = References(samples.x, samples.xd, samples.xdd)
    return model, wanted, filtered(model, wanted, WINDOW, RATE)


@cache
def record_of(law: str, time: float | None) -> Record:
    controller = replace(machine_controller(law), rate=RATE, command_filter=time)
    return simulate("delta-nr", motion_of("delta-nr"), controller)


def test_what_moves_steadily_is_as_steady_and_late_by_half_the_time() -> None:
    t = np.arange(200)[:, None] / RATE
    mean = averaged(3.0 * t + 5.0, WINDOW)
    np.testing.assert_allclose(mean[WINDOW:], 3.0 * (t[WINDOW:] - TIME / 2) + 5.0, rtol=1e-14)
    np.testing.assert_allclose(difference(3.0 * t, WINDOW, RATE)[WINDOW:], 3.0, rtol=1e-12)


def test_a_step_of_acceleration_becomes_a_ramp_of_step_over_time() -> None:
    """From rest with 7 rad/s2: the acceleration of the mean is 7 t / T up to T, and 7 from then on."""
    t = np.arange(120)[:, None] / RATE
    acceleration = difference(7.0 * t, WINDOW, RATE)
    np.testing.assert_allclose(acceleration, 7.0 * np.minimum(t / TIME, 1.0), rtol=1e-12, atol=1e-12)
    jerk = np.diff(acceleration, axis=0) * RATE
    np.testing.assert_allclose(jerk[:WINDOW], 7.0 / TIME, rtol=1e-9)


def test_the_mean_is_that_of_a_sum_by_hand() -> None:
    values = np.random.default_rng(4).normal((0.0, 1e6), 1.0, (100, 2))
    padded = np.vstack([np.tile(values[0], (WINDOW, 1)), values])
    weights = np.ones(WINDOW + 1)
    weights[[0, -1]] = 0.5
    expected = np.column_stack([np.convolve(column, weights / WINDOW, "valid") for column in padded.T])
    np.testing.assert_allclose(averaged(values, WINDOW), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", ["delta-nr", "par4", "delta-linear"])
def test_joints_of_the_filtered_pose_are_the_means_of_the_joints(name: str) -> None:
    """Against Simpson's rule on ten times as many instants; samples h apart miss it by h^2/12 of the acceleration."""
    model, wanted, after = references(name)
    motion, fine = motion_of(name).held(TIME), np.linspace(-TIME, 0.0, 10 * WINDOW + 1)
    simpson = np.r_[1.0, np.tile([4.0, 2.0], 5 * WINDOW)[:-1], 1.0] / (30 * WINDOW)
    missed = np.abs(model.joint_accelerations(*wanted)).max() / (12 * RATE**2)
    for row in (WINDOW // 2, 250, 601, 900, len(after.x) - 1):
        q = model.inverse_kinematics(motion.at(np.clip(row / RATE + fine, 0.0, None)).x)
        apart = np.abs(model.inverse_kinematics(after.x[row]) - simpson @ q).max()
        assert apart < 1.1 * missed + 1e-12
    assert missed < 1e-5


@pytest.mark.parametrize("name", ["delta-nr", "par4", "delta-linear", "delta-r4"])
def test_rates_are_those_of_the_filtered_pose(name: str) -> None:
    """Differences between samples; where a corner lies between two, a quarter of the step is missing at most."""
    model, _, after = references(name)
    for values, rates in ((after.x, after.xd), (after.xd, after.xdd)):
        apart = np.abs(np.diff(values, axis=0) * RATE - 0.5 * (rates[1:] + rates[:-1]))
        assert apart.max() < 0.25 * np.abs(np.diff(rates, axis=0)).max()
        assert np.median(apart.max(axis=1)) < 1e-4 * np.abs(rates).max()
    # At rest at both ends, and at the end where the task ends.
    for values in (after.xd[[0, -1]], after.xdd[-1]):
        np.testing.assert_allclose(values, 0.0, atol=1e-9)
    _, wanted, _ = references(name)
    np.testing.assert_allclose(after.x[[0, -1]], wanted.x[[0, -1]], atol=1e-12)
    assert np.isfinite(model.inverse_kinematics(after.x)).all()


def test_motors_of_a_redundant_robot_follow_the_nearest_joints_that_close() -> None:
    """Nearest by least squares: what is left of the commands has no share along any motion of the plate."""
    model, wanted, after = references("delta-r4")
    left = averaged(model.inverse_kinematics(wanted.x), WINDOW) - model.inverse_kinematics(after.x)
    along = np.einsum("tij,ti->tj", model.inverse_jacobian(after.x), left)
    assert np.abs(along).max() < 1e-10
    assert 0.0 < np.abs(left).max() < 1e-3


def test_jerk_of_joints_is_bounded_by_what_acceleration_gains_over_the_time() -> None:
    model, wanted, after = references("delta-nr")
    before = model.joint_accelerations(*wanted)
    accelerations = model.joint_accelerations(*after)
    # Samples at corners have one side of a jump, so that one period of the unfiltered acceleration may be missing.
    most = np.ptp(before, axis=0) / TIME * (1 + 2 / WINDOW)
    assert (np.abs(np.diff(accelerations, axis=0)).max(axis=0) * RATE <= most).all()
    assert np.abs(np.diff(before, axis=0)).max() * RATE > 5 * most.max()


def test_distances_from_a_path() -> None:
    square = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    points = np.array([[0.5, -0.2, 0.0], [1.3, 1.4, 0.0], [0.0, 0.0, 0.7], [0.9, 0.5, 0.0], [-1.0, 1.0, 0.0]])
    np.testing.assert_allclose(distance_to_path(points, square), [0.2, 0.5, 0.7, 0.1, 1.0], rtol=1e-12)
    # A path that stays where it is.
    np.testing.assert_allclose(distance_to_path(points, np.zeros((3, 3))), np.linalg.norm(points, axis=1))


def test_without_a_filter_nothing_changes() -> None:
    plain, none = record_of("pd", None), record_of("pd", 0.0)
    for name in ("t", "x_ref", "xd_ref", "xdd_ref", "q_ref", "x", "q", "command", "torque"):
        assert np.array_equal(getattr(plain, name), getattr(none, name))
    for record in (plain, none):
        assert (record.command_filter, record.path_deviation, dict(record.unfiltered)) == (None, {}, {})


@pytest.mark.parametrize("law", ["pd", "tsid"])
def test_a_loop_follows_the_filtered_command(law: str) -> None:
    record, plain = record_of(law, TIME), record_of(law, None)
    _, wanted, after = references("delta-nr")
    np.testing.assert_array_equal(record.x_ref, after.x)
    np.testing.assert_array_equal(record.xdd_ref, after.xdd)
    np.testing.assert_array_equal(record.unfiltered["x"], wanted.x)
    assert len(record.t) == len(plain.t) + WINDOW
    assert record.command_filter == TIME
    # Corners are cut, by what lies between a tenth of a millimetre and a few, and the plate is as far off and more.
    command, plate = (float(record.path_deviation[of].max()) for of in ("command", "plate"))
    assert 1e-4 < command < 5e-3
    assert abs(plate - command) <= record.distance.max()
    # A softer command asks for less at its corners.
    assert np.abs(np.diff(record.command, axis=0)).max() < np.abs(np.diff(plain.command, axis=0)).max()


def test_a_longer_filter_cuts_more_of_the_corners() -> None:
    model, wanted, _ = references("delta-nr")
    largest = [distance_to_path(filtered(model, wanted, window, RATE).x, wanted.x).max() for window in (5, 10, 20, 40)]
    assert np.all(np.diff(largest) > 0.0)


def test_the_answer_states_both_errors() -> None:
    records = {law: record_of(law, TIME) for law in ("pd", "tsid")}
    answer = loop_answer(pp.load("delta-nr"), "there and back", 0.5, {**records, "plain": record_of("pd", None)})
    column = answer.table("laws").column("off path")
    expected = [float(record.path_deviation["plate"].max()) for record in records.values()]
    assert column == pytest.approx([*expected, record_of("pd", None).path_normal.max()])
    notes = [note for note in answer.notes if "filtered command" in note]
    assert len(notes) == 2
    assert "20 ms, 10 ms late" in notes[0]
    assert answer.data["laws"]["tsid"]["path_deviation"]["plate"] == expected[1]
    assert "command_filter" not in answer.data["laws"]["plain"]
    alone = loop_answer(pp.load("delta-nr"), "there and back", 0.5, {"tsid": records["tsid"]})
    assert "off the path of the task" in alone.headline
    unfiltered = loop_answer(pp.load("delta-nr"), "there and back", 0.5, {"pd": record_of("pd", None)})
    assert "off path" not in [column.name for column in unfiltered.table("laws").columns]


@pytest.mark.parametrize(("ending", "write"), [("csv", write_csv), ("parquet", write_parquet)])
def test_a_record_keeps_its_filter_in_a_file(tmp_path: Path, ending: str, write: Any) -> None:
    record = record_of("pd", TIME)
    again = read_record(write(record, tmp_path / f"run.{ending}"))
    assert again.command_filter == TIME
    np.testing.assert_array_equal(again.unfiltered["x"], record.unfiltered["x"])
    np.testing.assert_array_equal(again.path_deviation["plate"], record.path_deviation["plate"])


def test_whole_periods_are_averaged() -> None:
    assert window_of(0.0104, 1000.0, 1.0) == 10
    assert window_of(0.0106, 1000.0, 1.0) == 11
    record = simulate("delta-nr", motion_of("delta-nr"), replace(machine_controller("pd"), command_filter=0.00511))
    assert record.command_filter == 0.005


@pytest.mark.parametrize(
    ("time", "words"),
    [
        pytest.param(1e-4, "less than half a control period of 1 ms; give at least 1 ms", id="no period"),
        pytest.param(2.0, "longer than the motion of 0.5 s", id="longer than the task"),
        pytest.param(-0.01, "greater than 0", id="negative"),
        pytest.param(float("nan"), "greater than 0", id="nan"),
        pytest.param(float("inf"), "greater than 0", id="infinite"),
    ],
)
def test_times_that_no_filter_has(time: float, words: str) -> None:
    controller = replace(machine_controller("pd"), rate=1000.0, command_filter=time)
    with pytest.raises(ParameterError, match=words) as refused:
        simulate("delta-nr", motion_of("delta-nr"), controller)
    assert refused.value.path == "command_filter"


def test_a_mean_that_no_pose_has_is_refused_in_words() -> None:
    """Commands far off what the legs reach, as no motion of a sound robot gives them."""
    model, wanted, after = references("delta-nr")
    with pytest.raises(ParapickError, match="leg"):
        filtered(model, wanted._replace(x=wanted.x - 5.0), WINDOW, RATE)
    command = model.inverse_kinematics(after.x) + np.array([3.0, -3.0, 0.0])
    with pytest.raises(ParameterError, match=r"command_filter.*at no pose of the plate; give a shorter time"):
        _pose(model, command, after.x)


FILE = """
format = 1
name = "mine"
command_filter = {time}
[law]
kind = "pd"
kp = 5000
kd = 60
"""


def test_a_file_states_it_and_is_refused_where_it_cannot_be(tmp_path: Path) -> None:
    target = tmp_path / "mine.toml"
    target.write_text(FILE.format(time='"60 ms"'))
    controller = pp.load_controller(target)
    assert controller.command_filter == 0.06
    (noted,) = controllers_of([target]).values()
    assert noted.command_filter == 0.06
    again = pp.save(controller, tmp_path / "again.toml")
    assert pp.load_controller(again) == controller
    for time, words in (('"-1 ms"', "at least 0 s"), ('"60 mm"', "time")):
        target.write_text(FILE.format(time=time))
        with pytest.raises(ParapickError, match=words):
            pp.load_controller(target)


def test_poles_do_not_see_what_is_before_the_loop() -> None:
    law = TaskSpaceID.from_poles(20.0, 0.8)
    plain, behind = (Controller(law, rate=RATE, command_filter=time) for time in (None, 0.2))
    model = pp.load("delta-nr")
    poles = [sampled_loop(model, model.robot.home, controller).poles for controller in (plain, behind)]
    np.testing.assert_array_equal(*poles)


def test_supervised_runs_refuse_it() -> None:
    controller = replace(machine_controller("pd"), command_filter=0.02)
    with pytest.raises(ParameterError, match=r"command_filter.*leave it out, or run unsupervised"):
        pp.supervise("delta-nr", motion_of("delta-nr"), controller)
