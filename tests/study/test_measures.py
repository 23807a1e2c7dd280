"""Every measure on every shipped robot, and shares of ratings that mean what `evaluate` means by them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parapick.errors import PlausibilityWarning
from parapick.evaluation.load_requirements import torque_requirements
from parapick.evaluation.run import Run
from parapick.model import Model
from parapick.parameters import leaves
from parapick.robots import load_robot
from parapick.study import STUDY_MEASURES, evaluated, read_study
from parapick.study.slopes import along, measure_pieces
from poses import of_few_kinds


def study_on(robot: str, **changes: Any) -> Any:
    """A study of two designs of a shipped robot: with the rods of its file, and with the first a little longer."""
    rod = next((path, value) for path, value in leaves(load_robot(robot).robot) if path.startswith("limb.rod_length"))
    document = {
        "format": 1,
        "name": "two",
        "robot": robot,
        "rate": 200.0,
        "tasks": ["adept-120", {"kind": "adept", "timing": "fastest"}],
        "objectives": ["footprint"],
        "parameters": {rod[0]: [rod[1], 1.01 * rod[1]]},
        "methods": [{"kind": "grid"}],
        **changes,
    }
    return read_study(document, Path())


@pytest.mark.filterwarnings(f"ignore::{PlausibilityWarning.__module__}.{PlausibilityWarning.__name__}")
@pytest.mark.parametrize("robot", of_few_kinds())
def test_every_measure_on_every_robot(robot: str) -> None:
    """A measure has a value, or the study says which number of the robot is lacking, or the row what cannot be done."""
    _, problems = study_on(robot, objectives=list(STUDY_MEASURES))
    refused = {list(STUDY_MEASURES)[int(problem.path.split(".")[1]) - 1]: problem.message for problem in problems}
    assert all("needs" in message and robot in message for message in refused.values())
    known = [name for name in STUDY_MEASURES if name not in refused]
    study, problems = study_on(robot, objectives=known)
    assert not problems
    rows = evaluated(study.work, np.array(study.space.free[0].values)[:, None])
    for name in known:
        if rows["fault"].tolist() == ["", ""]:
            assert np.isfinite(rows[name]).all()
            assert rows[name][0] > 0.0
    assert all(rows["reason"][rows["fault"] != ""] != "")


RATED = {
    "tasks": ["adept-120"],
    "rate": 4000.0,
    "objectives": ["heat_use"],
    "set": {"drive": {"rated_torque": "60 N m"}},
}


def test_heat_is_the_effective_torque_over_the_rated_one() -> None:
    study, _ = study_on("par4", **{**RATED, "also": ["torque_use", "rms_torque"]})
    rows = evaluated(study.work, np.array(study.space.free[0].values)[:, None])
    model = Model(study.space.robot_of(np.array(study.space.free[0].values[:1])))
    findings = {one.name: one for one in torque_requirements(Run.of(model, study.file.tasks[0].motion(model)).ride)}
    heat = findings["motor torque, RMS"]
    assert rows["heat_use"][0] == pytest.approx(heat.use, rel=1e-6)
    assert rows["heat_use"][0] == pytest.approx(rows["rms_torque"][0] / heat.limit, rel=1e-9)
    assert rows["torque_use"][0] == pytest.approx(findings["motor torque, peak"].use, rel=1e-6)


def test_a_bound_of_heat_lets_its_own_share_pass_and_no_more() -> None:
    """A limit of 0.9 is 90 % of the rated torque: 90 % pass, 95 % do not."""
    study, _ = study_on("par4", **{**RATED, "also": ["rms_torque"]})
    design = np.array([study.space.free[0].values[:1]])
    torque = float(evaluated(study.work, design)["rms_torque"][0])
    verdicts = {}
    for share in (0.9, 0.95):
        bounded = {"set": {"drive": {"rated_torque": torque / share}}, "requirements": {"heat_use": {"at_most": 0.9}}}
        one, problems = study_on("par4", **{**RATED, **bounded})
        assert not problems
        verdicts[share] = evaluated(one.work, design)
    assert verdicts[0.9]["fault"].tolist() == [""]
    assert verdicts[0.95]["fault"].tolist() == ["heat_use"]
    assert verdicts[0.95]["heat_use"][0] == pytest.approx(0.95, rel=1e-9)


def test_slopes_of_heat_are_those_of_differences() -> None:
    rod = {"limb.rod_length": {"from": 0.6, "to": 1.0}}
    study, _ = study_on("par4", **{**RATED, "rate": 200.0, "parameters": rod, "methods": [{"kind": "sobol"}]})
    work = study.work

    def pieces(design: float) -> Any:
        at = np.array([design])
        return measure_pieces(work, STUDY_MEASURES["heat_use"], at, [along(work, one, at) for one in work.series])

    difference = (pieces(0.8 + 1e-6).values - pieces(0.8 - 1e-6).values) / 2e-6
    assert pieces(0.8).slopes[:, 0] == pytest.approx(difference, rel=1e-5)
