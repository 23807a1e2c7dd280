"""Variants of one robot side by side: their names, and what differs."""

from __future__ import annotations

import dataclasses
import json
from functools import cache

import pytest

import parapick as pp
from parapick.evaluation import compare
from parapick.evaluation.differences import differences_of, labels_of


@cache
def par4() -> pp.Model:
    return pp.load("par4")


def variant(**numbers: float) -> pp.Model:
    return par4().with_parameters({path.replace("__", "."): value for path, value in numbers.items()})


def cells(models: list[pp.Model]) -> dict[object, list[object]]:
    """What differs: the values of every robot, by path."""
    table = differences_of(models, labels_of(models))
    return {row[0]: list(row[1:-1]) for row in table.rows}


def test_models_of_one_name_are_told_apart_by_their_numbers() -> None:
    models = [par4(), variant(limb__arm=0.4), variant(limb__arm=0.42, plate__mass=0.3)]
    found = compare(models, sections=["torque"])
    assert found.robots == ("par4", "par4 (limb.arm 400 mm)", "par4 (limb.arm 420 mm, plate.mass 0.3 kg)")
    assert dict(zip(found.differences.column("number"), found.differences.column("unit"), strict=True)) == {
        "limb.arm": "m",
        "plate.mass": "kg",
    }
    assert found.differences.column("par4 (limb.arm 400 mm)") == (0.4, 0.26)
    # Each column is the evaluation of its own variant.
    for label, model in zip(found.robots, models, strict=True):
        alone = pp.evaluate(model, sections=["torque"])
        column = dict(zip(found.quantities.column("quantity"), found.quantities.column(label), strict=True))
        assert column["motor torque, peak (N m)"] == pytest.approx(abs(alone["torque"].findings[0].value))
    for label, verdict in zip(found.robots, found.verdicts, strict=True):
        assert f" {label} can do this" in verdict
    document = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert [robot["robot"] for robot in document["robots"]] == list(found.robots)
    assert document["tables"]["differences"]["rows"][0]["number"] == "limb.arm"


def test_what_all_variants_share_is_not_in_their_names() -> None:
    common = par4().with_parameters({"plate.mass": 0.28})
    longer = common.with_parameters({"limb.arm": 0.4})
    assert labels_of([common, longer]) == ("par4", "par4 (limb.arm 400 mm)")
    assert cells([common, longer]) == {"limb.arm": [0.35, 0.4]}


def test_many_numbers_are_counted() -> None:
    many = variant(limb__arm=0.4, limb__rod_length=0.9, base__radius=0.3, plate__mass=0.3)
    assert labels_of([par4(), many])[1] == "par4 (base.radius 300 mm, limb.arm 400 mm, and 2 more)"
    assert len(cells([par4(), many])) == 4


def test_without_a_file_behind_them_the_first_of_a_name_is_the_measure() -> None:
    other = pp.Model(variant(limb__arm=0.4).robot)
    assert labels_of([par4(), other]) == ("par4", "par4 (limb.arm 400 mm)")
    assert labels_of([other, par4()]) == ("par4", "par4 (limb.arm 350 mm)")


def test_the_same_robot_twice_is_said_to_be_the_same() -> None:
    found = compare([par4(), par4()], sections=["reach"])
    assert found.robots == ("par4", "par4 #2")
    assert found.differences.rows == ()
    assert any("par4 #2 is the same as par4" in note for note in found.notes)


def test_elbows_rods_and_units_of_poses_are_among_the_differences() -> None:
    inward = par4().with_working_mode("inward")
    halves = par4().with_rod_model("halves")
    lower = variant(home__3=-0.72)
    assert cells([par4(), inward]) == {"working mode": ["++++", "----"]}
    assert cells([par4(), halves]) == {"limb.rod_model": ["slender", "halves"]}
    assert labels_of([par4(), lower]) == ("par4", "par4 (home.3 -720 mm)")


def test_numbers_are_shown_in_the_units_that_people_read() -> None:
    turned = variant(limits__yaw_max=0.5, drive__inertia=0.004)
    shown = differences_of([par4(), turned], ("a", "b")).texts()
    rows = {row[0]: row[1:] for row in shown.rows}
    assert rows["limits.yaw_max"] == ("45", "28.65", "deg")
    assert rows["drive.inertia"] == ("0.003", "0.004", "kg m2")


def test_robots_of_other_kinds_differ_in_what_only_one_has() -> None:
    models = [par4(), pp.load("delta-nr")]
    table = differences_of(models, labels_of(models))
    rows = {row["number"]: row for row in table.records}
    assert rows["plate.bar_length"]["delta-nr"] is None
    assert rows["plate.kind"]["par4"] == "parallelogram"
    assert "title" not in rows
    assert "name" not in rows
    # So much would bury the comparison itself.
    assert table.printed == 0
    assert differences_of([par4(), variant(limb__arm=0.4)], ("a", "b")).printed is None


def test_a_number_that_follows_counts_with_its_value() -> None:
    robot = pp.load("r4-100g")
    longer = robot.with_parameters({"limb.rod_length": 0.6})
    assert set(cells([robot, longer])) == {"limb.rod_length", "limb.rod_mass"}
    again = dataclasses.replace(longer, original=None)
    assert "limb.rod_mass" in labels_of([robot, again])[1]
