"""Free numbers of a law: shares and values, candidates as laws, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from parapick.control import PD, Controller, JointFriction, PlantChanges
from parapick.errors import ParameterError
from parapick.search import Free
from parapick.tuning import Conditions, free_gain
from parapick.tuning.free_gains import gain_space, with_floats
from parapick.tuning.scenarios import scenarios_of
from simulation.cases import cycle, delta

SERVO = Controller(PD((4000.0, 3000.0, 2000.0), 50.0))


@pytest.mark.parametrize(
    "gain", [free_gain("law.kp", 3.0, 29.9), free_gain("law.kp", 0.1, 7.3), free_gain("law.kp", -1, 2)]
)
def test_shares_and_values_are_inverses_and_end_at_the_very_bounds(gain: Free) -> None:
    shares = np.linspace(0.0, 1.0, 23)
    values = [gain.value(share) for share in shares]
    assert (values[0], values[-1]) == (gain.low, gain.high)
    assert np.diff(values).min() > 0.0
    assert [gain.share(value) for value in values] == pytest.approx(shares, abs=1e-12)
    # A search may look a hair beyond its bounds by rounding; what it gets is the bound.
    assert (gain.value(-1e-3), gain.value(1.001)) == (gain.low, gain.high)
    middle = np.sqrt(gain.low * gain.high) if gain.logarithmic else (gain.low + gain.high) / 2
    assert gain.value(0.5) == pytest.approx(middle)


def test_a_number_is_looked_for_in_logarithm_from_a_decade_on() -> None:
    assert free_gain("law.kp", 1.0, 10.0).logarithmic
    assert not free_gain("law.kp", 1.0, 9.999).logarithmic
    assert not free_gain("law.kp", 0.0, 10.0).logarithmic


def test_candidates_are_laws_with_these_numbers() -> None:
    bounds = {"law.kp.2": (100.0, 5000.0), "law.kd": free_gain("law.kd", 0.5, 2.0, factor=True)}
    space = gain_space(delta(), cycle(), SERVO, bounds)
    assert space.values(space.given) == pytest.approx({"law.kp.2": 3000.0, "law.kd": 1.0})
    law: Any = space.with_values({"law.kp.2": 1234.0, "law.kd": 1.5}).law
    assert law.kp == (4000.0, 1234.0, 2000.0)
    assert np.broadcast_to(law.kd, 3) == pytest.approx([75.0] * 3)
    rows = np.array([space.given, [0.0, 0.0], [1.0, 1.0]])
    numbers = space.numbers(rows)
    for row, own in zip(rows, numbers, strict=True):
        assert own == pytest.approx(gain_space(delta(), cycle(), space.controller_at(row), bounds).ready_numbers({}))
    assert np.isnan(space.law_numbers([{"law.kd": -1.0}])).all()


def test_whole_numbers_are_quantities_too() -> None:
    law = with_floats(PD(4000, (50, 60, 70)))
    assert isinstance(law.kp, float)
    assert law.kd == (50.0, 60.0, 70.0)
    assert all(isinstance(one, float) for one in law.kd)


@pytest.mark.parametrize(
    ("bounds", "said"),
    [
        ({}, "names no number of the law; there are law.kp"),
        ({"law.kpp": (1.0, 2.0)}, "did you mean law.kp"),
        ({"law.kp": (2.0, 2.0)}, "the lower bound must be below"),
        ({"law.kp": (1.0, np.inf)}, "bounds must be finite"),
        ({"law.kp": (1.0, 2.0), "law.kp.1": (1.0, 2.0)}, "is free twice"),
        ({"law.kd": (-1.0, 2.0)}, "has the bound -1, which the law refuses"),
    ],
)
def test_what_is_refused(bounds: dict[str, tuple[float, float]], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        gain_space(delta(), cycle(), SERVO, bounds)


MACHINE = replace(SERVO, plant=PlantChanges(friction=JointFriction(coulomb=0.5, viscous=0.1)))


def test_every_combination_is_a_scenario_of_its_own() -> None:
    conditions = Conditions(payload=(0.0, 1.0), friction=(1.0, 3.0), factors={"plate.mass": (1.0, 1.2)})
    made = scenarios_of(delta(), cycle(), MACHINE, conditions)
    names = [one.name for one in made]
    assert names == [
        f"{mass} kg, friction x{friction}, plate.mass x{factor}"
        for mass in (0, 1)
        for friction in (1, 3)
        for factor in (1, 1.2)
    ]
    for one in made:
        mass, friction, factor = (part.split()[-1].lstrip("x") for part in one.name.replace(" kg", "").split(", "))
        assert one.motion.sample(100.0).load[:, 0].max() == float(mass)
        own = one.controller.plant
        assert np.broadcast_to(own.friction.coulomb, 3) == pytest.approx([0.5 * float(friction)] * 3)
        assert np.broadcast_to(own.friction.viscous, 3) == pytest.approx([0.1 * float(friction)] * 3)
        assert own.applied(delta()).robot.plate.mass == pytest.approx(float(factor) * delta().robot.plate.mass)


def test_nothing_that_differs_is_one_nominal_scenario() -> None:
    (one,) = scenarios_of(delta(), cycle(), MACHINE, Conditions())
    assert (one.name, one.controller, one.motion) == ("nominal", MACHINE, cycle())


def test_a_factor_acts_on_what_the_plant_states() -> None:
    """On a number in its place, and on a factor beside it."""
    conditions = Conditions(factors={"plate.mass": (2.0,)})
    for plant in (PlantChanges(parameters={"plate.mass": 0.3}), PlantChanges(factors={"plate.mass": 1.5})):
        (one,) = scenarios_of(delta(), cycle(), replace(SERVO, plant=plant), conditions)
        before, after = (changes.applied(delta()).robot.plate.mass for changes in (plant, one.controller.plant))
        assert after == pytest.approx(2.0 * before)


@pytest.mark.parametrize(
    ("conditions", "said"),
    [
        (Conditions(payload=(-0.1,)), "payload: is"),
        (Conditions(payload=(np.nan,)), "payload: is"),
        (Conditions(payload=(1.0, 2.0), motions=(cycle(),)), "there are 1 motions and 2 payloads"),
        (Conditions(friction=(np.inf,)), "factors must be finite"),
        (Conditions(factors={"plate.mass": (0.0,)}), "plate.mass: has the factors"),
        (Conditions(factors={"plate.mass": ()}), "plate.mass: has the factors"),
        (Conditions(friction=(2.0,)), "has nothing to scale"),
    ],
)
def test_conditions_that_cannot_be(conditions: Conditions, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        scenarios_of(delta(), cycle(), SERVO, conditions)
