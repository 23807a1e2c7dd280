"""Tunings that cannot be: every message names what is wrong, where, and by how much; laws tuned side by side go on."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from parapick.analysis import sampled_loops
from parapick.control import PD, Controller, PlantChanges, Poles, SuperTwisting
from parapick.errors import ParameterError
from parapick.motion import straight
from parapick.tuning import Conditions, Goal, NoGainsError, SearchEffort, default_bounds, tune_gains
from simulation.cases import delta

FEW = SearchEffort(candidates=4, steps=1, polls=2, poses=1)
HOME = np.array(delta().robot.home)
MOVE = straight(*map(tuple, HOME + np.array([[-0.15, 0.0, 0.0], [0.15, 0.02, 0.03]])), duration=0.2)
SERVO = Controller(PD(4000.0, 50.0), rate=2000.0, delay=1)
KP = {"law.kp": (1000.0, 9000.0)}


def refused(controller: Controller, bounds: dict[str, Any], **options: Any) -> Any:
    with pytest.raises((ParameterError, NoGainsError)) as error:
        tune_gains(delta(), MOVE, controller, bounds, **{"effort": FEW, **options})
    return error.value


def test_a_margin_that_cannot_be_kept_says_what_can() -> None:
    """The best that is stated is that of the loop at the numbers that are stated."""
    error = refused(SERVO, {"law.kd": (50.0, 60.0)}, goal=Goal(delay=8e-3, singular=0.9))
    assert "keeps a delay margin of 8 ms and a singular value of 0.9" in str(error)
    assert 50.0 <= error.nearest["law.kd"] <= 60.0
    nearest = replace(SERVO, law=PD(4000.0, error.nearest["law.kd"]))
    (loop,) = sampled_loops(delta(), MOVE, nearest, [0.5 * MOVE.duration], resting=True)
    best = re.search(r"the best keeps ([\d.]+) ms and ([\d.]+)", str(error))
    assert best is not None
    margins = loop.margins()
    assert [float(best[1]), float(best[2])] == pytest.approx([1e3 * margins.worst.delay, margins.singular], rel=0.01)
    assert f"law.kd = {error.nearest['law.kd']:.4g}" in str(error)


def test_loops_that_are_all_unstable_say_by_how_much() -> None:
    error = refused(SERVO, {"law.kd": (900.0, 5000.0)})
    assert "no loop within the bounds is stable" in str(error)
    radius = re.search(r"magnitude of at least ([\d.]+)", str(error))
    assert radius is not None
    nearest = replace(SERVO, law=PD(4000.0, error.nearest["law.kd"]))
    (loop,) = sampled_loops(delta(), MOVE, nearest, [0.5 * MOVE.duration], resting=True)
    assert float(radius[1]) == pytest.approx(loop.radius, rel=1e-4)
    assert loop.radius > 1.0


def test_loops_that_all_lose_the_path_say_so() -> None:
    error = refused(replace(SERVO, law=PD(1.0, 1.0)), {"law.kp": (1.0, 5.0)}, goal=Goal(singular=0.0))
    assert "every stable loop within the bounds diverges, loses the path or chatters" in str(error)
    assert 1.0 <= error.nearest["law.kp"] <= 5.0


@pytest.mark.parametrize(
    ("bounds", "said"),
    [
        ({}, "free: names no number of the law; there are law.kp, law.kd"),
        ({"law.kp.1": (1.0, 2.0)}, r"law.kp.1: is not a number of this controller's law; did you mean law.kp"),
        ({"kp": (1.0, 2.0)}, "kp: is not a number of this controller's law; did you mean law.kp"),
        ({"rate": (1.0, 2.0)}, "rate: is not a number of this controller's law; there are law.kp"),
        ({"law.kp": (5.0, 5.0)}, "law.kp: is from 5 to 5; the lower bound must be below the upper one"),
        ({"law.kp": (-math.inf, 5.0)}, "law.kp: is from -inf to 5; bounds must be finite"),
        ({"law.kp": (-2.0, 5.0)}, "law.kp: has the bound -2, which the law refuses"),
    ],
)
def test_bounds(bounds: dict[str, Any], said: str) -> None:
    assert re.match(said, str(refused(SERVO, bounds)))


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        ({"objective": "speed"}, "objective: is 'speed'; valid are integral, peak, rms"),
        ({"over": "best"}, "over: is 'best'; valid are worst, mean"),
        ({"delay": -1e-3}, "delay: is -0.001 s"),
        ({"delay": math.inf}, "delay: is inf s"),
        ({"singular": 1.0}, "singular: is 1; it must be at least 0 and below 1"),
        ({"singular": math.nan}, "singular: is nan"),
    ],
)
def test_goals(goal: dict[str, Any], said: str) -> None:
    assert said in str(refused(SERVO, KP, goal=Goal(**goal)))


@pytest.mark.parametrize(
    ("conditions", "said"),
    [
        (Conditions(payload=(0.0, math.inf)), "payload: is (0.0, inf) kg"),
        (Conditions(payload=(0.0, 1.0), motions=(MOVE,)), "there are 1 motions and 2 payloads"),
        (Conditions(friction=(-1.0,)), "friction: is (-1.0,)"),
        (Conditions(friction=(2.0,)), "friction: has nothing to scale"),
        (Conditions(factors={"plate.mass": ()}), "plate.mass: has the factors ()"),
        (Conditions(factors={"plate.mass": (0.0,)}), "greater than 0"),
    ],
)
def test_conditions(conditions: Conditions, said: str) -> None:
    assert said in str(refused(SERVO, KP, conditions=conditions))


def test_a_law_without_gains_to_find() -> None:
    function = Controller(lambda t, measured, reference: np.zeros(3))
    assert "has a Python callable for its law, whose gains cannot be found" in str(refused(function, KP))
    twisting = Controller(SuperTwisting(90.0, 400.0), rate=2000.0)
    assert "has no slope on its reference" in str(refused(twisting, {"law.growth": (100.0, 900.0)}))


def test_a_factor_multiplies_what_the_controller_states_of_the_plant() -> None:
    """A scenario on a number that the controller's own plant has otherwise is a factor on that number."""
    heavy = replace(SERVO, plant=PlantChanges(parameters={"plate.mass": 0.9}, factors={"limb.arm_mass": 1.5}))
    factors = {"plate.mass": (1.0, 2.0), "limb.arm_mass": (2.0,)}
    effort = replace(FEW, polls=0)
    tuning = tune_gains(delta(), MOVE, heavy, KP, conditions=Conditions(factors=factors), effort=effort)
    names = [*tuning.by_scenario]
    assert names == ["plate.mass x1, limb.arm_mass x2", "plate.mass x2, limb.arm_mass x2"]
    plant = PlantChanges(parameters={"plate.mass": 1.8}, factors={"limb.arm_mass": 3.0})
    alone = tune_gains(delta(), MOVE, replace(heavy, plant=plant), KP, effort=effort)
    values = {path: (0.999 * value, 1.001 * value) for path, value in tuning.values.items()}
    fixed = tune_gains(delta(), MOVE, replace(heavy, plant=plant), values, effort=effort)
    assert fixed.objective == pytest.approx(tuning.by_scenario[names[1]], rel=5e-3)
    assert alone.objective <= fixed.objective * 1.001


def test_free_poles_end_where_samples_do() -> None:
    """A loop of 400 Hz has no pole at 200 Hz: 20 samples a period at least."""
    for rate, highest in ((4000.0, 200.0), (400.0, 20.0), (20.0, 2.0)):
        placed = Controller(PD(poles=Poles()), rate=rate)
        bounds: Any = default_bounds(delta(), MOVE, placed)
        bound = bounds["law.poles.frequency"]
        assert (getattr(bound, "high", None) or bound[1]) == highest
