"""Torques along samples, and the loads of the plate's own joints, as tables against the model itself."""

from __future__ import annotations

import csv
import dataclasses
import io
import math
from functools import cache

import numpy as np
import pytest

import parapick as pp
from parapick.inspection import torque_along, torque_csv
from parapick.inspection.plate_joint_tables import (
    joint_series,
    largest_data,
    largest_words,
    left_out_note,
    peak_table,
    state_table,
)
from parapick.inspection.samples_file import SampleFile
from parapick.inspection.torque_along import joint_torques
from parapick.mechanism import Friction
from parapick.ride import Ride, Samples

COUNT = 101


def swinging(model: pp.Model, reach: float = 0.05, payload: float = 0.0) -> SampleFile:
    """A plate that swings along x about home, once in a second, with a payload."""
    t = np.linspace(0.0, 1.0, COUNT)
    turn = 2.0 * math.pi
    x = np.tile(model.robot.home, (COUNT, 1))
    x[:, 0] += reach * np.sin(turn * t)
    xd, xdd = np.zeros_like(x), np.zeros_like(x)
    xd[:, 0] = reach * turn * np.cos(turn * t)
    xdd[:, 0] = -reach * turn**2 * np.sin(turn * t)
    load = np.zeros((COUNT, 5))
    load[:, 0] = payload
    return SampleFile("swing.csv", Samples(t, x, xd, xdd, load), "rates and accelerations from the file")


@cache
def par4() -> tuple[pp.Model, SampleFile]:
    model = pp.load("par4")
    return model, swinging(model)


def test_peaks_are_those_of_the_models_torques() -> None:
    model, file = par4()
    answer, ride = torque_along(model, file)
    torques = model.inverse_dynamics(file.samples.x, file.samples.xd, file.samples.xdd)
    joints = answer.table("joints")
    np.testing.assert_allclose(np.array(joints.column("peak"), dtype=float), np.abs(torques).max(axis=0))
    worst = answer.data["worst"]
    assert abs(worst["torque"]) == pytest.approx(np.abs(torques).max())
    assert worst["pose"]["z"] == pytest.approx(model.robot.home[2])
    np.testing.assert_allclose(joint_torques(ride), torques)
    assert answer.ok
    assert f"{COUNT} samples over 1 s; rates and accelerations from the file" in answer.title


def test_what_the_bus_gives_less_what_it_gets_is_friction_and_losses() -> None:
    """A swing ends as it began: without friction and losses all energy comes back."""
    model, file = par4()
    drive = dataclasses.replace(model.robot.drive, efficiency=1.0, friction=Friction())
    ideal = pp.Model(dataclasses.replace(model.robot, drive=drive))
    power = torque_along(ideal, file)[0].data["power"]
    assert power["energy_drawn"] > 0.0
    assert power["energy_drawn"] - power["energy_returned"] == pytest.approx(0.0, abs=0.01 * power["energy_drawn"])
    lossy = pp.Model(dataclasses.replace(ideal.robot, drive=dataclasses.replace(ideal.robot.drive, efficiency=0.7)))
    worse = torque_along(lossy, file)[0].data["power"]
    assert worse["energy_drawn"] - worse["energy_returned"] > 0.1 * worse["energy_drawn"]


def test_motors_are_compared_with_their_ratings() -> None:
    model, file = par4()
    rated = model.with_parameters({"drive.peak_torque": 40.0})
    motors = torque_along(rated, file)[0].table("motors")
    peaks, shares = (np.array(motors.column(name), dtype=float) for name in ("peak", "of peak"))
    np.testing.assert_allclose(shares, peaks / 40.0)
    assert np.all(np.array(motors.column("RMS"), dtype=float) <= peaks)


def test_rods_are_named_with_their_forces() -> None:
    model, file = par4()
    answer, ride = torque_along(model, file)
    rods = answer.table("rods")
    ends = np.stack([ride.inner_forces.axial_elbow, ride.inner_forces.axial_plate]).reshape(2, COUNT, -1)
    np.testing.assert_allclose(np.array(rods.column("peak tension"), dtype=float), ends.max(axis=(0, 1)).clip(0.0))
    tension = answer.data["tension"]
    assert tension["force"] == pytest.approx(ends.max())
    assert tension["rod"] in rods.column("rod")


def test_a_payload_of_the_model_replaces_that_of_the_samples() -> None:
    model, _ = par4()
    carried = torque_along(model, swinging(model, payload=0.5))[0]
    given = torque_along(model.with_payload(0.5), swinging(model))[0]
    assert carried.data["worst"]["torque"] == pytest.approx(given.data["worst"]["torque"])
    assert abs(carried.data["worst"]["torque"]) > abs(torque_along(*par4())[0].data["worst"]["torque"])


def test_csv_has_a_row_per_sample_and_reads_back() -> None:
    model, file = par4()
    _, ride = torque_along(model, file)
    header, *rows = csv.reader(io.StringIO(torque_csv(ride)))
    assert header[:2] == ["t", "tau1"]
    assert len(header) == 1 + 3 * model.robot.motors
    numbers = np.array(rows, dtype=float)
    np.testing.assert_array_equal(numbers[:, 0], file.samples.t)
    np.testing.assert_array_equal(numbers[:, 5:9], ride.loads.torque)


def test_samples_out_of_reach_are_refused_with_the_first() -> None:
    model, _ = par4()
    file = swinging(model, reach=2.0)
    answer, ride = torque_along(model, file)
    first = int(np.argmax(~ride.reach.ok))
    assert not answer.ok
    assert answer.tables == ()
    assert answer.data["failed"]["t"] == pytest.approx(file.samples.t[first])
    assert answer.refusal.endswith(f"({np.count_nonzero(~ride.reach.ok)} of {COUNT} samples are)")
    assert "worst" not in answer.data


def test_redundant_motors_share_along_samples_as_at_a_state() -> None:
    model = pp.load("r4-100g")
    file = swinging(model)
    answer, ride = torque_along(model, file)
    state = (file.samples.x[10], file.samples.xd[10], file.samples.xdd[10])
    np.testing.assert_allclose(joint_torques(ride)[10], model.drive_torque(*state, sharing="least-peak").joint_torque)
    assert "least peak" in answer.summary["sharing"]
    norm = model.with_sharing("least-norm")
    np.testing.assert_allclose(joint_torques(torque_along(norm, file)[1])[10], norm.inverse_dynamics(*state))


# Joints of the plate


@cache
def riding(name: str) -> Ride:
    model = pp.load(name)
    return Ride(model, swinging(model).samples)


def test_loads_of_the_joints_of_a_plate_at_a_state_and_along_a_motion() -> None:
    ride = riding("par4")
    model, samples = ride.model, ride.samples
    loads = model.plate_joint_loads(samples.x[30], samples.xd[30], samples.xdd[30])
    (table,) = state_table(loads)
    assert table.column("joint") == loads.names
    np.testing.assert_allclose(np.array(table.column("lateral"), dtype=float), loads.lateral)
    (peaks,) = peak_table(ride)
    np.testing.assert_allclose(
        np.array(peaks.column("bending"), dtype=float), ride.plate_joints.bending.max(axis=0), rtol=1e-9
    )
    assert np.all(np.array(peaks.column("lateral"), dtype=float) >= loads.lateral - 1e-9)
    (series,) = joint_series(ride)
    np.testing.assert_array_equal(series.values, ride.plate_joints.lateral)
    assert largest_data(ride)["joint_lateral"] == pytest.approx(ride.plate_joints.lateral.max())
    assert "lateral at most" in largest_words(ride)["plate joints"]
    assert left_out_note(ride) == ()


def test_a_plate_of_one_body_has_no_joints() -> None:
    ride = riding("delta-nr")
    samples = ride.samples
    assert state_table(ride.model.plate_joint_loads(samples.x[0], samples.xd[0], samples.xdd[0])) == ()
    assert peak_table(ride) == joint_series(ride) == left_out_note(ride) == ()
    assert largest_data(ride) == largest_words(ride) == {}


def test_a_number_that_the_file_lacks_is_named() -> None:
    model = pp.load("par4")
    plain = pp.Model(dataclasses.replace(model.robot, limb=dataclasses.replace(model.robot.limb, rod_spacing=None)))
    ride = Ride(plain, swinging(model).samples)
    (note,) = left_out_note(ride)
    assert note.startswith("joints of the plate: limb.rod_spacing is not in the file")
    assert peak_table(ride) == joint_series(ride) == ()
    assert largest_data(ride) == largest_words(ride) == {}


def test_an_internal_singularity_is_named_in_the_table() -> None:
    """Pose of nabat2005, erratum E10."""
    model, rest = pp.load("par4"), np.zeros(4)
    singular = np.array([-0.523, 0.517756789037, -0.343446008990, 0.602])
    (table,) = state_table(model.plate_joint_loads(singular, rest, rest))
    assert "internal singularity" in table.note
