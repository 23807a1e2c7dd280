"""Limits of an instant in studies: shares by folds against rides, and their slopes against differences."""

from __future__ import annotations

import numpy as np
import pytest

from adept_limits import adept_study, check_slopes, left
from parapick.mechanism import Gearbox, combined
from parapick.ride import instant_loads, workspace_center
from parapick.study.instant_fold import instant_fold
from parapick.study.work import Work
from stated import constant_power, stating

RANGES = {"plate.mass": (0.2, 0.4), "drive.gearbox.peak_torque": (30.0, 60.0), "limits.rod_pull": (40.0, 90.0)}
DESIGN = np.array([0.3, 40.0, 60.0])


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Work:
    folder = tmp_path_factory.mktemp("stated")
    model = stating(
        "par4",
        curve=constant_power(90.0, 30.0, 120.0),
        gearbox=Gearbox(peak_torque=40.0),
        limits={"joint_acceleration": 200.0, "rod_pull": 60.0, "rod_push": 60.0},
    )
    return adept_study(model, folder, RANGES, method="gradient").work


def test_slopes_of_what_is_left_are_those_of_differences(work: Work) -> None:
    assert len(work.rated) >= 6
    check_slopes(work, DESIGN)
    values, slopes = left(work, DESIGN)
    assert np.abs(slopes).max(axis=0).min() > 0.0
    assert len(values) > 1000


def test_folds_are_what_rides_say(work: Work) -> None:
    """Largest shares of two designs side by side, against the robot of each along the same samples."""
    (series,) = work.series
    designs = np.stack([DESIGN, [0.25, 35.0, 80.0]])
    robot = work.space.robot
    folded = instant_fold(robot, series, work.sharing.rule, work.space.numbers(designs))
    for k, design in enumerate(designs):
        model = work.model(design)
        x = series.x + np.append(workspace_center(model), 0.0) * series.placed
        loads = instant_loads(model, x, series.xd, series.xdd, combined(model.gripper.vector(), series.load))
        expected = {one.kind.title: one.shares.max() for one in loads}
        assert {title: values[k] for title, values in folded.items()} == pytest.approx(expected, rel=1e-9)


def test_a_limit_can_be_left_out(work: Work) -> None:
    from parapick.study.account import LEAVABLE

    names = [name for name in work.rated if name in LEAVABLE]
    assert {"motor torque at speed", "gearbox torque, peak", "joint acceleration", "rod pull"} <= set(names)
