"""Designs that differ in their drives alone: folded from shared loads, the same numbers as by the whole robot."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import parapick as pp
from parapick.mechanism import Brake, Drive, Friction, Gearbox, Robot, TorqueCurve
from parapick.parameters import leaves, values
from parapick.search import Free
from parapick.study import DesignSpace, Sharing, evaluated, is_lossless, motion_fold, motion_series
from parapick.study.drive_fold import drive_fold
from parapick.study.instant_fold import instant_fold
from parapick.tasks import load_task, planned_task
from studies import study_of

RATE = 400.0
ROUNDING = 1e-11
"""Share of the largest value by which two orders of the same sums differ."""

FULL = Drive(
    rated_torque=2.0,
    peak_torque=9.0,
    peak_speed=600.0,
    inertia=2e-4,
    gearbox_inertia=4e-5,
    encoder_inertia=1e-6,
    ratio=14.0,
    efficiency=0.93,
    friction=Friction(0.4, 0.05, 0.3, 0.02),
    curve=TorqueCurve(((0.0, 9.0), (300.0, 9.0), (600.0, 4.0)), ((0.0, 3.0), (300.0, 2.0), (600.0, 1.0))),
    gearbox=Gearbox("", 80.0, 600.0, nominal_torque=30.0, static_friction=0.02, viscous_friction=1e-5),
    brake=Brake(inertia=3e-5),
)


def designs(robot: Robot, count: int) -> np.ndarray:
    """Numbers of robots whose drives differ by up to a half."""
    chance, names = np.random.default_rng(5), [path for path, _ in leaves(robot)]
    numbers = np.repeat(values(robot)[None], count, axis=0)
    varied = [
        i
        for i, path in enumerate(names)
        if path.startswith("drive.") and "curve" not in path and path != "drive.efficiency"
    ]
    numbers[:, varied] *= chance.uniform(0.5, 1.5, (count, len(varied)))
    numbers[:, names.index("drive.efficiency")] = chance.uniform(0.8, 1.0, count)
    return numbers


@pytest.mark.parametrize("sticking", [True, False])
@pytest.mark.parametrize("name", ["par4", "delta-4"])
def test_folds_of_drives_equal_those_of_the_whole_robot(name: str, sticking: bool) -> None:
    friction = FULL.friction if sticking else replace(FULL.friction, stribeck=0.0)
    model = pp.load(name)
    robot = replace(model.robot, drive=replace(FULL, friction=friction))
    motion = planned_task(load_task("adept-120"), model).motion
    series, sharing = motion_series("adept-120", motion, robot, RATE), Sharing("least-peak", lossless=False)
    numbers = designs(robot, 5)
    by_drives, whole = drive_fold(robot, series, sharing, numbers), motion_fold(robot, series, sharing, numbers)
    for field in whole._fields:
        mine, theirs = getattr(by_drives.motion, field), getattr(whole, field)
        assert np.abs(mine - theirs).max() <= ROUNDING * np.abs(theirs).max(), field
    shares = instant_fold(robot, series, "least-peak", numbers)
    assert by_drives.instant
    for title, share in by_drives.instant.items():
        assert np.abs(share - shares[title]).max() <= ROUNDING * shares[title].max(), title


def test_where_a_leg_does_not_close_no_design_has_a_torque() -> None:
    model = pp.load("par4")
    robot = replace(model.robot, drive=FULL)
    series = motion_series("adept-120", planned_task(load_task("adept-120"), model).motion, robot, RATE)
    far = replace(series, x=series.x + np.array([9.0, 0.0, 0.0, 0.0]))
    fold = drive_fold(robot, far, Sharing("least-peak", lossless=False), designs(robot, 3))
    assert np.isnan(fold.motion.torque).all()
    assert np.isnan(fold.motion.energy).all()


STUDY = """
format = 1
name = "drives"
robot = "par4"
objectives = ["peak_torque"]
rate = 1000

[parameters]
"drive.ratio" = { from = 1, to = 4, count = 3 }
%s

[[methods]]
kind = "grid"

[[tasks]]
kind = "adept"
cycles_per_minute = 120
"""


def test_a_study_of_drives_alone_has_the_rows_of_any_other_study() -> None:
    """A number beside the drives that does not vary forces the folds of the whole robot; the rows stay the same."""
    alone = study_of(STUDY % "").work
    beside = study_of(STUDY % '"plate.mass" = { from = 0.2, to = 0.4, count = 2 }').work
    assert alone.of_drives
    assert not beside.of_drives
    mass = dict(leaves(alone.space.robot))["plate.mass"]
    ratios = np.array([[1.0], [2.0], [4.0]])
    mine = evaluated(alone, ratios)
    whole = evaluated(beside, np.column_stack([ratios, np.full(3, mass)]))
    for name in ("peak_torque", "use", "leg_slack"):
        assert mine[name] == pytest.approx(whole[name], rel=1e-11), name
    assert mine["fault"].tolist() == whole["fault"].tolist()


def test_losses_of_a_choice_count_by_their_values() -> None:
    robot = replace(pp.load("par4").robot, drive=replace(FULL, friction=Friction(), gearbox=None, efficiency=1.0))

    def choosing(*efficiencies: float) -> DesignSpace:
        count = len(efficiencies)
        sets = (("drive.efficiency", efficiencies), ("drive.ratio", (3.0,) * count))
        numbers = tuple(map(float, range(count)))
        names = tuple(f"g{i}" for i in range(count))
        free = Free("gearbox", "", 0.0, numbers[-1], numbers, listed=True, options=names, sets=sets)
        return DesignSpace(robot, (free,))

    assert is_lossless(choosing(1.0, 1.0))
    assert not is_lossless(choosing(1.0, 0.9))
