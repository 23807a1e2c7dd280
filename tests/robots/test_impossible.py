"""What no body can have is refused in a file, unless its source is a document that prints it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import parapick as pp
from parapick.errors import RobotFileError
from parapick.mechanism.doubts import doubts
from parapick.robots import ROBOTS, load_robot

Writer = Callable[..., Path]

LIGHT = ("rod_mass = 0.05", 'rod_mass = 0.05\narm_mass = "1 kg"\narm_inertia = "1 kg mm2"')
"""1 kg with its centre at 100 mm turns with 0.01 kg m2 at least."""


def sourced(source: str) -> tuple[str, str]:
    return ('"limb.arm" = "chosen: short"', f'"limb.arm_inertia" = "{source}"')


@pytest.mark.parametrize(
    "source",
    ["chosen: light", "Measured on 3 March", "estimated", "not in the document: none", "ours", "computed by CAD", " "],
)
def test_a_number_that_its_author_stands_for_is_refused(write: Writer, source: str) -> None:
    path = write(LIGHT, sourced(source))
    (problem,) = ROBOTS.check(path)
    assert problem.path == "limb.arm_inertia"
    assert "at least m c2 = 0.01 kg m2" in problem.message
    assert "[sources]" in problem.message
    with pytest.raises(RobotFileError):
        pp.load(path)


def test_a_number_without_a_source_is_refused(write: Writer) -> None:
    assert [problem.path for problem in ROBOTS.check(write(LIGHT))] == ["limb.arm_inertia"]


@pytest.mark.parametrize("source", ["corbel2010, Table II: I_arm", "spara, dynamics", "drawing 4711, sheet 2"])
def test_a_number_that_a_document_prints_is_doubted(write: Writer, source: str) -> None:
    path = write(LIGHT, sourced(source))
    assert ROBOTS.check(path) == ()
    (doubt,) = doubts(load_robot(path).robot)
    assert doubt.path == "limb.arm_inertia"
    assert doubt.impossible


def test_the_source_of_the_table_counts(write: Writer) -> None:
    assert ROBOTS.check(write(LIGHT, ('"limb.arm" = "chosen: short"', '"limb" = "drawing 4711"'))) == ()


def test_it_is_reported_with_the_other_problems(write: Writer) -> None:
    wrong = write(LIGHT, ('rated_torque = "5 N m"', 'rated_torque = "15 N m"'))
    assert {problem.path for problem in ROBOTS.check(wrong)} == {"limb.arm_inertia", "drive.rated_torque"}


def test_a_body_of_unknown_numbers_is_not_judged(write: Writer) -> None:
    wrong = write((LIGHT[0], LIGHT[1].replace('"1 kg"', '"1 mm"')))
    assert {problem.path for problem in ROBOTS.check(wrong)} == {"limb.arm_mass"}
    lists = write((LIGHT[0], LIGHT[1].replace('"1 kg"', "[1, 1]")))
    assert {problem.path for problem in ROBOTS.check(lists)} == {"limb.arm_mass"}


def test_numbers_may_be_varied_through_it_but_not_saved(write: Writer, tmp_path: Path) -> None:
    """Whoever changes mass and inertia one after the other passes through arms that cannot be."""
    model = pp.load(write((LIGHT[0], LIGHT[1].replace("1 kg mm2", "0.02 kg m2"))))
    heavy = model.with_parameters({"limb.arm_mass": 5.0})
    assert [doubt.path for doubt in doubts(heavy.robot)] == ["limb.arm_inertia"]
    with pytest.raises(RobotFileError, match=r"limb\.arm_inertia"):
        pp.save(heavy, tmp_path / "heavy.toml")


def test_a_forgotten_unit_is_named_beside_what_it_breaks(write: Writer) -> None:
    """A plate of 50 m keeps the legs from closing; the rods are not to blame."""
    broken = {problem.path: problem.message for problem in ROBOTS.check(write(('radius = "50 mm"', "radius = 50")))}
    assert set(broken) == {"limb.rod_length", "plate.radius"}
    assert 'perhaps "50 mm" is meant' in broken["plate.radius"]
    (home,) = ROBOTS.check(write(('"-500 mm"', "-500")))
    assert home.path == "home"
    assert 'perhaps "-500 mm" is meant' in home.message
    assert "a pose that all legs reach is" in home.message


@pytest.mark.parametrize(
    ("old", "new", "hint"),
    [
        ('joint_min = "-90 deg"', "joint_min = -90", 'perhaps "-90 deg" is meant'),
        ("[limits]", "[limits]\nelbow_max = 150", 'perhaps "150 deg" is meant'),
    ],
)
def test_limits_in_forgotten_degrees(write: Writer, old: str, new: str, hint: str) -> None:
    (problem,) = ROBOTS.check(write((old, new)))
    assert problem.path.startswith("limits.")
    assert hint in problem.message
