"""The walk over a description: paths, values, structure, polynomials that follow."""

from __future__ import annotations

import dataclasses

import casadi as ca
import numpy as np
import pytest

from parapick.errors import ParameterError
from parapick.mechanism import Limb, Radial, Robot, replaced
from parapick.mechanism.plates import Rigid
from parapick.parameters import (
    Follow,
    identical,
    leaves,
    resolved,
    structure,
    symbolic,
    values,
)


def robot(**changes: object) -> Robot:
    plain = Robot(
        name="test",
        base=Radial(radius=0.3, angles=(0.0, 2.0, 4.0)),
        limb=Limb(arm=0.3, rod_length=0.7),
        plate=Rigid(radius=0.1),
        home=(0.0, 0.0, -0.6),
        branches=(1.0, 1.0, 1.0),
    )
    return dataclasses.replace(plain, **changes)


def test_paths_are_those_of_the_file_and_count_from_one() -> None:
    found = dict(leaves(robot()))
    assert found["limb.arm"] == 0.3
    assert found["base.angles.1"] == 0.0
    assert found["base.angles.3"] == 4.0
    assert "base.angles.0" not in found
    assert "limb.rod_mass" not in found


def test_values_follow_the_order_of_the_leaves() -> None:
    description = robot()
    np.testing.assert_array_equal(values(description), [value for _, value in leaves(description)])


def test_symbolic_puts_each_symbol_where_its_number_was() -> None:
    description = robot()
    paths = [path for path, _ in leaves(description)]
    again = symbolic(description, [float(i) for i in range(len(paths))])
    assert again.limb.arm == paths.index("limb.arm")
    assert again.base.angles[1] == paths.index("base.angles.2")
    symbols = ca.vertsplit(ca.SX.sym("p", len(paths)))
    assert symbolic(description, symbols).limb.arm is symbols[paths.index("limb.arm")]


def test_structure_keeps_everything_but_the_numbers() -> None:
    assert structure(robot()) == structure(replaced(robot(), {"limb.arm": 0.5, "base.angles.2": 1.0}))
    assert hash(structure(robot())) == hash(structure(replaced(robot(), {"limb.arm": 0.5})))
    assert structure(robot()) != structure(robot(limb=Limb(arm=0.3, rod_length=0.7, rods=1)))
    assert structure(robot()) != structure(robot(limb=Limb(arm=0.3, rod_length=0.7, rod_mass=0.1)))
    assert structure(robot()) != structure(robot(limb=Limb(arm=(0.3, 0.3, 0.3), rod_length=0.7)))


def test_replaced_makes_integers_floats() -> None:
    changed = replaced(robot(), {"limb.arm": 1, "limb.rod_length": np.float64(2.0)})
    assert changed.limb.arm == 1.0
    assert type(changed.limb.arm) is float
    assert type(changed.limb.rod_length) is float


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("limb.arn", 1.0, "did you mean limb.arm"),
        ("base.angles", 1.0, "is not a single number: name one, as base.angles.1, up to base.angles.3"),
        ("nothing like it at all", 1.0, "valid are"),
        ("limb.arm", np.inf, "finite"),
        ("limb.arm", True, "not a number"),
    ],
)
def test_replaced_refuses(path: str, value: float, message: str) -> None:
    with pytest.raises(ParameterError, match=message) as caught:
        replaced(robot(), {path: value})
    assert caught.value.path == path


def test_a_following_parameter_is_a_polynomial_of_the_other() -> None:
    """corbel2010 (50): the mass of a forearm follows its length."""
    limb = Limb(arm=0.2, rod_length=0.5, rod_mass=Follow("limb.rod_length", (-0.075, 0.25)))
    follower = robot(limb=limb)
    assert resolved(follower).limb.rod_mass == pytest.approx(0.05)
    assert resolved(replaced(follower, {"limb.rod_length": 0.6})).limb.rod_mass == pytest.approx(0.075)
    assert "limb.rod_mass.coefficients.2" in dict(leaves(follower))
    with pytest.raises(ParameterError, match=r"follows limb.rod_length by a polynomial.*limb.rod_mass.coefficients.1"):
        replaced(follower, {"limb.rod_mass": 0.1})
    quadratic = Follow("limb.arm", (1.0, 2.0, 3.0))
    assert quadratic.value(2.0) == pytest.approx(17.0)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (0.1, 0.1, True),
        (0.0, -0.0, False),
        (float("nan"), float("nan"), True),
        (0, 0.0, False),
        (None, None, True),
        (None, 0.0, False),
        ((1.0, 2.0), (1.0, 2.0), True),
        ((1.0, 2.0), (1.0, 2.0, 3.0), False),
        ((1.0, (2.0, 3.0)), (1.0, 2.0, 3.0), False),
        ("a", "a", True),
        (Follow("limb.arm", (1.0,)), Follow("limb.arm", (1.0,)), True),
        (Follow("limb.arm", (1.0,)), Follow("limb.rod", (1.0,)), False),
    ],
)
def test_identical_is_the_same_in_every_bit(one: object, other: object, same: bool) -> None:
    assert identical(one, other) is same


def test_robots_that_differ_in_one_bit_are_not_identical() -> None:
    assert identical(robot(), robot())
    assert not identical(robot(), replaced(robot(), {"limb.arm": float(np.nextafter(0.3, 1.0))}))
