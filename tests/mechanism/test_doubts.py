"""Numbers that no body can have are taken, with a word."""

from __future__ import annotations

import dataclasses
import warnings

import pytest

import parapick as pp
from parapick.errors import PlausibilityWarning
from parapick.mechanism.doubts import doubts


def test_the_barycentric_inertia_of_the_five_bar_is_doubted_once() -> None:
    """righettini2024 Table 1: 0.0522 kg m2 of 2.9 kg within 125 mm, whose bound is 0.0453 (papers, erratum E4)."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        model, *_ = [pp.load("fivebar-spindle") for _ in range(3)]
    said = [str(one.message) for one in caught if one.category is PlausibilityWarning]
    assert len(said) == 1
    assert "limb.rod_inertia" in said[0]
    assert "at most 0.04531" in said[0]
    assert model.mass_matrix(model.robot.home).shape == (4, 4)


@pytest.mark.parametrize("entry", [entry for entry in pp.list_robots() if entry.name != "fivebar-spindle"], ids=str)
def test_no_other_shipped_robot_is_doubted(entry: object) -> None:
    assert not doubts(pp.load(entry.name).robot)


def test_an_arm_with_its_mass_beyond_its_end() -> None:
    robot = pp.load("par4").robot
    limb = dataclasses.replace(robot.limb, arm_mass=1.0, arm_inertia=0.2)
    (found,) = doubts(dataclasses.replace(robot, limb=limb))
    assert found.path == "limb.arm_inertia"
    assert "at most 0.1225" in found.message
