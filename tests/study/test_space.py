"""From a design to the numbers of its robot: ranges, choices, numbers that follow, and numbers that no robot has."""

from __future__ import annotations

import numpy as np
import pytest

from parapick.model import Model
from parapick.parameters import leaves
from parapick.robots import load_robot
from parapick.search import Free
from parapick.study import Dependent, DesignSpace
from studies import changed, problems_of, study_of

ARM, ROD = Free("limb.arm", "m", 0.2, 0.4), Free("limb.rod_length", "m", 0.5, 0.9, (0.5, 0.7, 0.9), listed=True)
MOTOR = Free(
    "motor",
    "",
    0.0,
    2.0,
    (0.0, 1.0, 2.0),
    listed=True,
    options=("small", "middle", "large"),
    sets=(("drive.peak_torque", (50.0, 90.0, 160.0)), ("drive.inertia", (0.001, 0.003, 0.01))),
)
FOLLOWING = (
    Dependent("base.radius", ("limb.arm", "limb.rod_length"), (0.5, -0.25), 0.3),
    Dependent("plate.mass", ("base.radius", "drive.inertia"), (2.0, 100.0), 0.1),
)


@pytest.fixture(scope="module")
def space() -> DesignSpace:
    return DesignSpace(load_robot("par4").robot, (ARM, MOTOR, ROD), FOLLOWING)


def test_numbers_are_those_that_the_robot_is_given_by_hand(space: DesignSpace) -> None:
    before, design = dict(leaves(space.robot)), np.array([0.31, 2.0, 0.7])
    after = dict(leaves(space.robot_of(design)))
    radius = 0.3 + 0.5 * 0.31 - 0.25 * 0.7
    stated = {
        "limb.arm": 0.31,
        "limb.rod_length": 0.7,
        "drive.peak_torque": 160.0,
        "drive.inertia": 0.01,
        "base.radius": radius,
        "plate.mass": 0.1 + 2.0 * radius + 100.0 * 0.01,
    }
    assert {path: after[path] for path in stated} == pytest.approx(stated, rel=1e-14)
    assert {path for path in after if after[path] != before[path]} <= set(stated)
    assert {space.paths[i] for i in space.varied} == set(stated)
    assert dict(leaves(Model(space.robot).with_parameters(stated).robot)) == pytest.approx(after)


def test_slopes_are_those_of_differences_and_choices_have_none(space: DesignSpace) -> None:
    design, step = np.array([0.31, 1.0, 0.7]), 0.01
    varied = list(space.varied)
    for column in (0, 2):
        there = design + step * np.eye(3)[column]
        difference = (space.numbers(there) - space.numbers(design))[varied] / step
        assert space.slopes[:, column] == pytest.approx(difference, abs=1e-9)
        assert np.any(difference)
    assert not space.slopes[:, 1].any()


def test_a_batch_of_any_shape_is_its_designs(space: DesignSpace) -> None:
    designs = space.ranges.spread(12, 3).reshape(2, 6, 3)
    numbers = space.numbers(designs)
    assert numbers.shape == (2, 6, len(space.paths))
    for place in np.ndindex(2, 6):
        assert numbers[place].tolist() == space.numbers(designs[place]).tolist()


def test_values_are_shown_as_people_read_them() -> None:
    assert [MOTOR.shown(value) for value in (0.0, 1.0, 2.0)] == ["small", "middle", "large"]
    assert ARM.shown(0.25) == 0.25
    assert (ARM.paths, MOTOR.paths) == (("limb.arm",), ("drive.peak_torque", "drive.inertia"))


def test_a_number_that_no_robot_has_is_named_at_its_very_limit(space: DesignSpace) -> None:
    """A mass may be nothing; an arm may not."""
    wide = DesignSpace(space.robot, (ARM, Free("plate.mass", "kg", -1.0, 1.0)))
    designs = np.array([[0.3, 0.0], [0.3, -1e-9], [0.0, 0.5], [np.nan, 0.5], [1e-9, 0.5], [-0.1, -0.1]])
    said = wide.objections(designs)
    assert [bool(text) for text in said] == [False, True, True, True, False, True]
    assert said[1].startswith("plate.mass ")
    assert all(said[row].startswith("limb.arm ") for row in (2, 3, 5))


def test_designs_are_spread_over_ranges_and_listed_values(space: DesignSpace) -> None:
    designs = space.ranges.spread(256, 1)
    assert designs[:, 0].min() >= 0.2
    assert designs[:, 0].max() <= 0.4
    # Every sixteenth of the range has its share, and so has every listed value and every option.
    assert np.histogram(designs[:, 0], np.linspace(0.2, 0.4, 17))[0].tolist() == [16] * 16
    for column, free in ((1, MOTOR), (2, ROD)):
        values, counts = np.unique(designs[:, column], return_counts=True)
        assert values.tolist() == list(free.values)
        assert counts.min() >= 80
    assert (space.ranges.spread(256, 2) != designs).any()


@pytest.mark.parametrize(
    ("stated", "values"),
    [
        ('{ from = "180 mm", to = "270 mm", step = "30 mm" }', [0.18, 0.21, 0.24, 0.27]),
        ('{ from = "180 mm", to = "270 mm", step = "40 mm" }', [0.18, 0.22, 0.26]),
        ('{ from = 0.1, to = 0.2, step = 0.01, choose = "best" }', [round(0.1 + i / 100, 12) for i in range(11)]),
        ('{ from = "18 cm", to = 0.27, count = 3 }', [0.18, 0.225, 0.27]),
        ('["270 mm", 0.2]', [0.27, 0.2]),
        ("{ values = 0.2 }", [0.2]),
    ],
)
def test_values_of_a_free_number(stated: str, values: list[float]) -> None:
    text = changed(('{ from = "180 mm", to = "270 mm", count = 4 }', stated))
    arm = next(free for free in study_of(text).space.free if free.path == "limb.arm")
    assert list(arm.values) == pytest.approx(values, abs=1e-15)
    assert arm.listed is ("from" not in stated)
    assert arm.low == min(arm.values)
    assert arm.high >= max(arm.values)
    assert arm.choose == ("best" if "best" in stated else None)


@pytest.mark.parametrize(
    ("stated", "path", "said"),
    [
        ('{ from = "180 mm" }', ".to", "is missing"),
        ("{ from = 0.1, to = 0.2, step = 0 }", ".step", "greater than 0"),
        ("{ from = 0.1, to = 0.2, count = 1 }", ".count", "2"),
        ("{ from = 0.1, to = 0.2, step = 1e-12 }", ".step", "which a step of"),
        ("[]", "", "at least one value"),
        ("0.2", "", "a list of values"),
        ("{ from = 0.1, to = 0.2, stride = 0.1 }", "", "step, count or choose"),
    ],
)
def test_what_is_wrong_with_a_free_number(stated: str, path: str, said: str) -> None:
    problems = problems_of(changed(('{ from = "180 mm", to = "270 mm", count = 4 }', stated)))
    assert said in problems[f"parameters.limb.arm{path}"]


@pytest.mark.parametrize(
    ("stated", "path", "said"),
    [
        ('"workspace.z_min"', "", "must be a table"),
        ('{ of = ["workspace.z_min", "limb.arm"], times = [1, 2, 3] }', ".times", "one factor for each of the 2"),
        ('{ of = "home.3" }', "", "state it after what it follows"),
    ],
)
def test_what_is_wrong_with_a_number_that_follows(stated: str, path: str, said: str) -> None:
    problems = problems_of(changed(('{ of = "workspace.z_min", plus = "100 mm" }', stated)))
    assert said in problems[f"dependent.workspace.z_max{path}"]
