"""Limits of an instant in studies: shares by folds against rides, and their slopes against differences."""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp
from parapick.mechanism import Gearbox, combined
from parapick.ride import instant_loads, workspace_center
from parapick.study.instant_fold import instant_fold
from parapick.study.slopes import along, limit_pieces
from parapick.study.work import Work
from stated import constant_power, stating
from studies import study_of

TEXT = """
format = 1
name = "stated"
robot = "own.toml"
objectives = ["peak_torque"]
rate = 1000

[parameters]
"plate.mass" = { from = 0.2, to = 0.4, count = 2 }
"drive.gearbox.peak_torque" = { from = 30, to = 60, count = 2 }
"limits.rod_pull" = { from = 40, to = 90, count = 2 }

[[methods]]
kind = "gradient"

[[tasks]]
kind = "adept"
cycles_per_minute = 120
"""
DESIGN = np.array([0.3, 40.0, 60.0])
STEP = 1e-6
"""Share of a number by which it is changed for a difference."""


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Work:
    folder = tmp_path_factory.mktemp("stated")
    model = stating(
        "par4",
        curve=constant_power(90.0, 30.0, 120.0),
        gearbox=Gearbox(peak_torque=40.0),
        limits={"joint_acceleration": 200.0, "rod_pull": 60.0, "rod_push": 60.0},
    )
    pp.save(model, folder / "own.toml")
    return study_of(TEXT, folder).work


def left(work: Work, design: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    pieces = limit_pieces(work, design, [along(work, series, design) for series in work.series])
    return pieces.values, pieces.slopes


def test_slopes_of_what_is_left_are_those_of_differences(work: Work) -> None:
    assert len(work.rated) >= 6
    values, slopes = left(work, DESIGN)
    for k, value in enumerate(DESIGN):
        aside = STEP * value * np.eye(len(DESIGN))[k]
        more, less = (left(work, DESIGN + side * aside)[0] for side in (1.0, -1.0))
        difference = (more - less) / (2 * STEP * value)
        np.testing.assert_allclose(slopes[:, k], difference, rtol=1e-5, atol=1e-6 * np.abs(slopes[:, k]).max())
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
