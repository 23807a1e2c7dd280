"""Choices that set several numbers at once, and designs that Optuna draws."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from parapick.model import Model
from parapick.progress import Progress
from parapick.robots import load_robot
from parapick.study import evaluated, run_study, study_answer, write_best_robots
from studies import changed, study_of
from study.test_files import MOTORS

CHOSEN = changed(
    ("[requirements]\n", f"{MOTORS}torque_use = {{ at_most = 1.3 }}\n"),
    ('kind = "gradient"\npoints = 512\nstarts = 1', 'kind = "tpe"\npoints = 48\nspread = 24\nbatch = 8'),
    ('["peak_torque"]', '["peak_torque"]\nalso = ["torque_use"]'),
    ('"limb.arm" = { from = "180 mm", to = "270 mm", count = 4 }', '"limb.arm" = ["200 mm", "225 mm"]'),
    ('{ from = "-850 mm", to = "-250 mm", step = "100 mm" }', '["-530 mm", "-500 mm"]'),
)


def test_an_option_sets_its_numbers() -> None:
    study = study_of(CHOSEN)
    designs = np.array([[0.12, 0.2, 0.5, -0.53, 0.0], [0.12, 0.2, 0.5, -0.53, 1.0]])
    rows = evaluated(study.work, designs)
    small, large = (Model(study.space.robot_of(design)).numbers.drive for design in designs)
    assert (small.peak_torque, small.inertia, large.peak_torque, large.inertia) == (127.0, 0.004, 200.0, 0.008)
    assert rows["peak_torque"][0] < rows["peak_torque"][1]
    assert rows["torque_use"] == pytest.approx(rows["peak_torque"] / [127.0, 200.0])
    assert study.space.slopes[:, 4].tolist() == [0.0] * len(study.space.varied)


class StopError(Exception):
    """A run is stopped."""


def test_what_optuna_draws_is_the_same_after_a_stop(tmp_path: Path) -> None:
    pytest.importorskip("optuna")
    study = study_of(CHOSEN)
    whole = run_study(study, tmp_path / "whole", method="tpe", workers=1).store

    def stop(now: Progress) -> None:
        if now.done == 36:
            raise StopError

    with pytest.raises(StopError):
        run_study(study, tmp_path / "out", method="tpe", workers=1, progress=stop)
    resumed = run_study(study, tmp_path / "out", method="tpe", workers=1).store
    assert resumed.table.read_bytes() == whole.table.read_bytes()
    rows = whole.rows(["motor", "limb.arm", "feasible", "limb.rod_length"])
    assert set(rows["motor"]) == {0.0, 1.0}
    assert set(rows["limb.arm"]) == {0.2, 0.225}
    # What is drawn keeps the requirements more often than what is spread.
    assert rows["feasible"][24:].mean() > rows["feasible"][:24].mean()
    best = study_answer(study, whole).table("best").records[0]
    assert best["motor"] in ("small", "large")
    (robot,) = write_best_robots(study, whole).files
    assert load_robot(robot).robot.drive.peak_torque in (127.0, 200.0)
