"""Sums over a cycle in studies: heat over speed, means of gearboxes; folds against rides, slopes by differences."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from adept_limits import adept_study, check_slopes
from parapick.mechanism import Bus, Gearbox, TorqueCurve, Winding, combined
from parapick.motors import CYCLE
from parapick.ride import Ride, Samples, workspace_center
from parapick.study import Study
from parapick.study.account import LEAVABLE
from parapick.study.motion_fold import motion_fold
from parapick.study.work import Work
from stated import stating

RANGES = {"plate.mass": (0.2, 0.4), "drive.gearbox.mean_torque": (30.0, 60.0), "limb.arm": (0.3, 0.4)}
DESIGN = np.array([0.3, 40.0, 0.36])


def sums(model: pp.Model, folder: Path, *, ranges: dict[str, tuple[float, float]] = RANGES, more: str = "") -> Study:
    """A study of heat over speed and of means of gearboxes."""
    return adept_study(
        model, folder, ranges, objective="heat_use", also=("gearbox_mean_use",), method="gradient", more=more
    )


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Work:
    folder = tmp_path_factory.mktemp("sums")
    curve = TorqueCurve(peak=((0.0, 90.0), (40.0, 80.0)), continuous=((0.0, 50.0), (3.0, 45.0), (10.0, 10.0)))
    return sums(stating("par4", curve=curve, gearbox=Gearbox(mean_torque=40.0)), folder).work


def test_slopes_of_what_is_left_are_those_of_differences(work: Work) -> None:
    assert {"motor torque, RMS", "gearbox torque, mean"} <= set(work.rated)
    check_slopes(work, DESIGN)


def test_folds_are_what_rides_say(work: Work) -> None:
    """Two designs side by side, against the robot of each along the same samples."""
    (series,) = work.series
    designs = np.stack([DESIGN, [0.25, 35.0, 0.34]])
    fold = motion_fold(work.space.robot, series, work.sharing, work.space.numbers(designs))
    for k, design in enumerate(designs):
        model = work.model(design)
        x = series.x + np.append(workspace_center(model), 0.0) * series.placed
        load = combined(model.gripper.vector(), series.load)
        ride = Ride(model, Samples(series.t, x, series.xd, series.xdd, load))
        np.testing.assert_allclose(fold.heat[k], ride.heat_torque, rtol=1e-9)
        np.testing.assert_allclose(fold.rms[k], ride.rms_torque, rtol=1e-9)
        np.testing.assert_allclose(fold.gearbox_mean[k], ride.cycle.gearbox_mean, rtol=1e-9)
        assert (fold.heat[k] > 1.01 * fold.rms[k]).all()


def test_sums_can_be_left_out_and_the_bus_and_windings_are_asked_of_evaluate(tmp_path: Path) -> None:
    assert {kind.title for kind in CYCLE} <= set(LEAVABLE)
    winding = Winding(temperature_max=130.0)
    model = stating("par4", rated_torque=40.0, winding=winding, gearbox=Gearbox(mean_torque=40.0))
    bus = Bus(voltage=300.0, capacitance=1e-3, voltage_max=400.0)
    model = pp.Model(replace(model.robot, bus=bus))
    assert sums(model, tmp_path).work.unfolded == ("winding temperature", "bus voltage")
    left_out = '[requirements]\nleave_out = ["bus voltage"]\n'
    assert sums(model, tmp_path, more=left_out).work.unfolded == ("winding temperature",)


def test_a_measure_of_gearboxes_needs_their_limit(tmp_path: Path) -> None:
    ranges = {path: ends for path, ends in RANGES.items() if "gearbox" not in path}
    with pytest.raises(AssertionError, match=r"needs drive\.gearbox\.mean_torque"):
        sums(stating("par4", rated_torque=40.0), tmp_path, ranges=ranges)
