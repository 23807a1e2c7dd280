"""Study files: what is wrong with one is said where it stands, and their schema."""

from __future__ import annotations

import json
import math
import tomllib
from pathlib import Path

import pytest

from parapick.errors import ParameterError
from parapick.study import STUDIES, StudyFileError, UnknownStudyError, load_study
from schemas import objections
from studies import SMALL, changed, problems_of, study_of

PUBLISHED = Path(__file__).parents[2] / "docs" / "study-schema.json"


@pytest.mark.parametrize(
    ("old", "new", "path", "said"),
    [
        ('"limb.arm" =', '"limb.amr" =', "parameters.limb.amr", "limb.arm"),
        ('"limb.arm" =', '"limb" =', "parameters.limb", "limb.arm"),
        ('"limb.arm" =', '"limb.rod_mass" =', "parameters.limb.rod_mass", "limb.rod_mass.coefficients.1"),
        ('to = "270 mm"', 'to = "180 mm"', "parameters.limb.arm", "is an empty range"),
        ('to = "270 mm"', 'to = "270 kg"', "parameters.limb.arm.to", "length"),
        ('from = "180 mm", ', "", "parameters.limb.arm", "a free number is a list of values"),
        ('step = "100 mm"', 'step = "900 mm"', "parameters.workspace.z_min.step", "at most the range"),
        ('step = "100 mm"', 'choose = "lwest"', "parameters.workspace.z_min.choose", '"lowest"'),
        (', step = "100 mm"', "", "methods.1", "a grid needs values of workspace.z_min"),
        (
            'of = "workspace.z_min", plus = "100 mm"',
            'of = "workspace.zmin"',
            "dependent.workspace.z_max.of",
            "not a number",
        ),
        ('"home.3" =', '"limb.arm" =', "dependent.limb.arm", "is free already"),
        ('robot = "r4-100g"', 'robot = "r4-100h"', "robot", "r4-100g"),
        ('rod_model = "halves"', 'rod_model = "halfs"', "set.limb.rod_model", '"halves"'),
        ('["peak_torque"]', '["peak_trque"]', "objectives.1", '"peak_torque"'),
        ('["peak_torque"]', "[]", "objectives", "at least 1"),
        ('["peak_torque"]', '["heat_use"]', "objectives.1", "drive.rated_torque"),
        ('["peak_torque"]', '["homogeneity"]', "methods.3", "has none of homogeneity"),
        ("reach =", "peak_trq = { at_most = 3 }\nreach =", "requirements.peak_trq", "peak_torque"),
        ("reach =", "peak_torque = {}\nreach =", "requirements.peak_torque", "states no bound"),
        ("reach =", 'peak_torque = { at_most = "3 kg" }\nreach =', "requirements.peak_torque.at_most", "N m"),
        ('kind = "grid"', 'kind = "gird"', "methods.1.kind", '"grid"'),
        ('kind = "line"', 'kind = "lien"', "tasks.1.kind", '"line"'),
        ("a_max = 981", "a_max = 0", "tasks.1.a_max", "greater than 0"),
        ("a_max = 981", 'timing = "fastest"', "methods.3", "has none of peak_torque"),
        ("a_max = 981", 'timing = "fastest"', "methods.3", "timed by the motors"),
        ('["peak_torque"]', '["cycle_time"]', "objectives.1", 'timing = "fastest"'),
        ('["peak_torque"]', '["cycle_time"]', "objectives.1", "belts"),
        ("rate = 1000", "rat = 1000", "rat", "rate"),
        ('"limb.arm" =', '"gripper.mas" =', "parameters.gripper.mas", "gripper.mass"),
        (
            'robot = "r4-100g"\n',
            'robot = "fivebar-spindle"\nstiffness = { rods = "file" }\nalso = ["stiffness"]\n',
            "stiffness.rods",
            "limb.rod_modulus",
        ),
        ("rate = 1000", "stiffness = { servo = 0 }", "stiffness.servo", "greater than 0"),
    ],
)
def test_what_is_wrong_is_said_where_it_stands(old: str, new: str, path: str, said: str) -> None:
    problems = problems_of(changed((old, new)))
    assert path in problems
    assert said in problems[path]


def test_an_objective_that_a_robot_without_masses_cannot_have(tmp_path: Path) -> None:
    robot = (Path(STUDIES.find("corbel2010-100g")).parents[1] / "robots" / "r4-100g.toml").read_text()
    kept = [line for line in robot.splitlines() if not line.startswith(("rod_mass", "arm_mass", "arm_inertia"))]
    bare = "\n".join(
        line for line in kept if not line.startswith(('"limb.rod_mass', '"limb.arm_mass', '"limb.arm_inertia'))
    )
    (tmp_path / "bare.toml").write_text(bare.replace('name = "r4-100g"', 'name = "bare"'))
    text = changed(('robot = "r4-100g"', 'robot = "bare.toml"'))
    assert "needs masses; bare lacks" in problems_of(text, tmp_path)["objectives.1"]


def test_paths_may_be_tables() -> None:
    nested = changed(('"limb.arm" = { from = "180 mm", to = "270 mm", count = 4 }\n', ""))
    nested = nested.replace(
        "[dependent]", '[parameters.limb]\narm = { from = "180 mm", to = "270 mm", count = 4 }\n\n[dependent]'
    )
    assert {free.path for free in study_of(nested).space.free} == {free.path for free in study_of(SMALL).space.free}


def test_a_task_may_be_a_file(tmp_path: Path) -> None:
    head, line = SMALL.split("[[tasks]]")
    (tmp_path / "line.toml").write_text(f'format = 1\nname = "line"\n{line}')
    study = study_of(head.replace('name = "small"', 'name = "small"\ntasks = ["line.toml"]'), tmp_path)
    assert (study.work.series[0].x == study_of(SMALL).work.series[0].x).all()


def test_an_entry_of_a_list_may_be_set() -> None:
    robot = study_of(changed(("[set]\n", '[set]\n"base.angles.2" = "91 deg"\n'))).robot.robot
    base = study_of(SMALL).robot.robot.base
    assert robot.base.angles == (base.angles[0], math.radians(91.0), *base.angles[2:])  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ('"base.angles.9" = 1', "is not there: the list has entries 1 to 4"),
        ('"home.1.x" = 1', "is not there: above it the file has"),
        ('"name.first" = 1', "is not there: above it the file has 'r4-100g'"),
    ],
)
def test_what_is_set_where_nothing_can_be_is_refused_there(setting: str, said: str) -> None:
    path = setting.partition('"')[2].partition('"')[0]
    assert said in problems_of(changed(("[set]\n", f"[set]\n{setting}\n")))[f"set.{path}"]


def test_nothing_is_free() -> None:
    head, rest = SMALL.split("[parameters]")
    bare = f"{head}[requirements]{rest.split('[requirements]')[1]}"
    assert "nothing is free" in problems_of(bare)["parameters"]


MOTORS = """
[choices.motor]
small = { "drive.peak_torque" = "127 N m", "drive.inertia" = 0.004 }
large = { "drive.peak_torque" = "200 N m", "drive.inertia" = 0.008 }

[requirements]
"""


@pytest.mark.parametrize(
    ("old", "new", "path", "said"),
    [
        (', "drive.inertia" = 0.004', "", "choices.motor.small", "does not state drive.inertia"),
        ('"drive.inertia" = 0.004', '"drive.inerta" = 0.004', "choices.motor.small.drive.inerta", "drive.inertia"),
        ('"127 N m"', '"127 kg"', "choices.motor.small.drive.peak_torque", "N m"),
        (
            'small = { "drive.peak_torque" = "127 N m", "drive.inertia" = 0.004 }',
            "small = 3",
            "choices.motor",
            "options",
        ),
        ("[choices.motor]", "[choices.energy]", "choices.energy", "another column"),
        ('"drive.inertia"', '"limb.arm"', "choices.motor", "limb.arm, which is free already"),
    ],
)
def test_what_is_wrong_with_a_choice(old: str, new: str, path: str, said: str) -> None:
    assert said in problems_of(changed(("[requirements]\n", MOTORS.replace(old, new))))[path]


def test_a_method_that_the_file_does_not_state() -> None:
    study = study_of(changed(('[[methods]]\nkind = "grid"\n', "")))
    with pytest.raises(ParameterError, match="this study has sobol, gradient"):
        study.method("grid")


def test_an_unknown_study_names_the_close_ones() -> None:
    with pytest.raises(UnknownStudyError, match="did you mean corbel2010-table6"):
        load_study("corbel2010-table7")


def test_a_file_that_is_no_study_says_everything(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text('format = 1\nname = "bad"\n')
    with pytest.raises(StudyFileError) as caught:
        load_study(file)
    assert {problem.path for problem in caught.value.problems} >= {"robot", "objectives", "methods"}


# Schema


def test_shipped_studies_fit_the_schema() -> None:
    schema = STUDIES.schema()
    for name in ("corbel2010-table6", "corbel2010-100g"):
        assert objections(tomllib.loads(STUDIES.find(name).read_text()), schema, schema) == []
    assert objections(tomllib.loads(SMALL), schema, schema) == []


def test_mistakes_of_form_do_not_fit() -> None:
    schema = STUDIES.schema()
    for change in (('"peak_torque"', '"peak"'), ('kind = "grid"', 'kind = "gird"'), ("chunk = 64", "chunk = 0")):
        assert objections(tomllib.loads(changed(change)), schema, schema) != []


def test_the_published_schema_is_this_one() -> None:
    current = json.loads(PUBLISHED.read_text(encoding="utf-8")) == STUDIES.schema()
    assert current, "studies have changed; run: parapick schema study > docs/study-schema.json"


def test_a_search_along_slopes_names_the_belt_that_times_a_task() -> None:
    head, _ = SMALL.split("[[tasks]]")
    text = head.replace('name = "small"', 'name = "small"\ntasks = ["belts-stream"]')
    assert "belts-stream is timed by its belt" in problems_of(text)["methods.3"]


def test_a_measure_along_tasks_needs_one() -> None:
    head, _ = SMALL.split("[[tasks]]")
    assert "state at least one" in problems_of(head)["objectives.1"]
