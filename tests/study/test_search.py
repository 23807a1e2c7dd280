"""The gradient search: slopes against differences, and the same best design as without slopes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from parapick.papers.corbel2010.design import GRID_BEST, VARIANTS, variant
from parapick.study import STUDY_MEASURES, StudyRows, evaluated, run_study
from parapick.study.result import study_answer
from parapick.study.slopes import along, measure_pieces, reach_pieces
from studies import SMALL, changed, study_of

DESIGN = np.array([0.13, 0.21, 0.49, -0.5])
STEP = 1e-6


@pytest.mark.parametrize(
    "name",
    [
        "peak_torque",
        "rms_torque",
        "peak_speed",
        "torque_use",
        "energy",
        "footprint",
        "moving_mass",
        "acceleration",
        "stiffness",
    ],
)
def test_slopes_are_those_of_differences(name: str) -> None:
    study = study_of(changed(('["peak_torque"]', f'["{name}"]'), ('[[methods]]\nkind = "grid"\n', "")))
    work, measure = study.work, STUDY_MEASURES[name]

    def values(design: np.ndarray) -> np.ndarray:
        return measure_pieces(work, measure, design, [along(work, series, design) for series in work.series]).values

    slopes = measure_pieces(work, measure, DESIGN, [along(work, series, DESIGN) for series in work.series]).slopes
    for column in range(4):
        step = STEP * np.eye(4)[column]
        difference = (values(DESIGN + step) - values(DESIGN - step)) / (2 * STEP)
        assert slopes[:, column] == pytest.approx(difference, rel=1e-5, abs=1e-6 * np.abs(slopes).max())


def test_slopes_of_the_reach_are_those_of_differences() -> None:
    work = study_of(SMALL).work
    slopes = reach_pieces(work, DESIGN).slopes
    for column in range(4):
        step = STEP * np.eye(4)[column]
        ends = (reach_pieces(work, DESIGN + side * step).values for side in (1, -1))
        difference = np.subtract(*ends) / (2 * STEP)
        assert slopes[:, column] == pytest.approx(difference, rel=1e-5, abs=1e-6)


LINEAR = """
format = 1
name = "linear"
robot = "delta-linear"
tasks = ["adept-120"]
rate = 200
objectives = ["energy"]
parameters = { "limb.rod_length" = { from = 0.5, to = 0.9 } }
methods = [{ kind = "sobol", points = 16 }]
"""


def test_slopes_by_one_number_of_a_robot_on_rails(tmp_path: Path) -> None:
    study = study_of(LINEAR)
    answer = study_answer(study, run_study(study, tmp_path / "out", workers=1).store)
    best = answer.data["best"]
    assert best["energy"] > 0.0
    (change,) = answer.table("slopes").column("change of energy")
    near = [np.array([[best["limb.rod_length"] + side * STEP]]) for side in (1, -1)]
    energies = [evaluated(study.work, design)["energy"][0] for design in near]
    assert change == pytest.approx((energies[0] - energies[1]) / (2 * STEP) * 0.004, rel=1e-4)


# The points are near the place of the largest joint angle, so that all methods look at the same limits.
FINER = ("points = [3, 8, 2]", "points = [13, 8, 2]")


def test_two_methods_agree(tmp_path: Path) -> None:
    study = study_of(changed(("chunk = 64", "chunk = 4096"), FINER))
    answers = {
        method: study_answer(study, run_study(study, tmp_path / method, method=method, workers=1).store)
        for method in METHODS
    }
    best = {method: answer.data["best"]["peak_torque"] for method, answer in answers.items()}
    assert best["sobol"] == pytest.approx(best["gradient"], rel=0.002)
    active = [row["limit"] for row in answers["gradient"].table("limits").records if row["state"] == "active"]
    assert "limb.rod_length" in active
    slopes = {row["number"]: row["change of peak_torque"] for row in answers["gradient"].table("slopes").records}
    assert slopes["limb.rod_length"] > 0.0
    assert any("smallest -90 deg" in limit for limit in active)
    assert any("largest 25 deg" in limit for limit in active)


def test_two_methods_find_one_front(tmp_path: Path) -> None:
    front = (
        ('["peak_torque"]', '["peak_torque", "footprint"]'),
        ("chunk = 64", "chunk = 4096"),
        FINER,
        ("starts = 1\n", "starts = 1\nfront = 3\n"),
        ("rounds = 8", "rounds = 4"),
    )
    study = study_of(changed(*front))
    stores = {method: run_study(study, tmp_path / method, method=method, workers=1).store for method in METHODS}
    fronts = {method: study_answer(study, store).table("front") for method, store in stores.items()}
    torque, size = (np.array(fronts["gradient"].column(name)) for name in ("peak_torque", "footprint"))
    assert len(torque) == 4
    assert (np.diff(torque) > 0.0).all()
    assert (np.diff(size) < 0.0).all()
    rows = StudyRows.of(study, stores["sobol"])
    for one, other in rows.costs[rows.feasible]:
        # No design of those spread about the best beats the front by more than their limits are kept less well.
        assert not ((one < 0.995 * torque) & (other < 0.995 * size)).any()


METHODS = ("gradient", "sobol")


@pytest.mark.soak
@pytest.mark.parametrize("name", VARIANTS)
def test_the_robot_for_100_g_by_two_methods(name: str, tmp_path: Path) -> None:
    study = variant(name)
    best = {}
    for method in METHODS:
        answer = study_answer(study, run_study(study, tmp_path / method, method=method).store)
        best[method] = answer.data["best"]["peak_torque"]
    assert best["sobol"] == pytest.approx(best["gradient"], rel=0.002)
    assert best["gradient"] < GRID_BEST
