"""Tuning: known optima, margins that hold, scenarios, and everything that is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from parapick.analysis import sampled_loops
from parapick.control import PD, Controller, JointFriction, PlantChanges, load_controller, machine_controller
from parapick.control.saving import save_controller
from parapick.errors import ParameterError
from parapick.simulation import simulate, summary
from parapick.tasks import load_task
from parapick.tuning import (
    Conditions,
    Goal,
    NoGainsError,
    SearchEffort,
    Tuning,
    default_bounds,
    free_gain,
    tune,
    tune_gains,
)
from parapick.tuning.scenarios import scenarios_of
from parapick.tuning.several_laws import stated_by_poles
from simulation.cases import cycle, delta

FEW = SearchEffort(candidates=8, steps=8, polls=3, poses=1)
WU_BOUNDS = {"law.kp": (1.0, 1000.0), "law.kd": (1.0, 1000.0), "law.sine.lam": (1e-3, 5.0)}

WU_TABLE = [
    # cycle, rods of the plant, f in the plant, lambda, J (mrad s), J at 955, 1000, 0.5
    ("fit1", None, False, 1e-3, 0.004, 1.924),
    ("fit1", "slender", False, 0.063, 0.160, 1.702),
    ("fit1", None, True, 0.5, 0.0, 0.0),
    ("fit1", "slender", True, 0.563, 0.160, 0.296),
    ("fit2", None, False, 2.84, 0.792, 1.006),
    ("fit2", "slender", False, 2.44, 0.662, 0.791),
    ("fit2", None, True, 0.5, 0.004, 0.006),
    ("fit2", "slender", True, 1e-3, 0.196, 0.256),
]
"""Gain optimisation of wu2020 (26) on two cycles, computed independently with RK4 at 0.25 ms and Nelder-Mead."""


def wu2020(cycle_name: str, rods: str | None, sine: bool) -> Tuning:
    model, controller = pp.load("asymmetric-screw"), load_controller(f"wu2020-{cycle_name}")
    term = getattr(controller.law, "sine", None) if sine else None
    plant = PlantChanges(rods=rods, sine=term)
    motion = load_task(f"wu2020-{cycle_name}").motion(model)
    return tune_gains(
        model,
        motion,
        replace(controller, plant=plant),
        WU_BOUNDS,
        goal=Goal("integral", singular=0.0),
        effort=SearchEffort(candidates=32),
    )


def check_wu2020(row: tuple[str, str | None, bool, float, float, float]) -> None:
    name, rods, sine, lam, best, given = row
    tuning = wu2020(name, rods, sine)
    assert 1e3 * tuning.objective == pytest.approx(best, rel=0.03, abs=0.005)
    simpler = {one.name: 1e3 * one.objective for one in tuning.simpler}
    assert simpler["as given"] == pytest.approx(given, rel=0.03, abs=0.007)
    assert tuning.values["law.sine.lam"] == pytest.approx(lam, rel=0.01)
    if best > 0.01:
        assert {path for path, side in tuning.bounds.items() if side == "upper"} == {"law.kp", "law.kd"}
        ratio = {(one.path, one.factor): one.ratio for one in tuning.sensitivities}
        # kP hardly matters, kD does.
        assert 1.0 < ratio["law.kp", 0.95] < 1.013
        assert ratio["law.kd", 0.9] > 1.03
        assert ratio["law.kd", 0.5] > 1.3


@pytest.mark.soak
@pytest.mark.parametrize("row", WU_TABLE, ids=lambda row: f"{row[0]}-{row[1]}-{row[2]}")
def test_wu2020_table(row: tuple[str, str | None, bool, float, float, float]) -> None:
    check_wu2020(row)


def test_margin_holds_all_along_and_the_file_runs(tmp_path: Path) -> None:
    goal = Goal("rms", delay=2e-3, singular=0.0)
    controller = stated_by_poles(machine_controller("tsid"))
    bounds = {"law.poles.frequency": (5.0, 200.0), "law.poles.damping": (0.3, 2.0)}
    tuning = tune_gains(delta(), cycle(), controller, bounds, goal=goal, effort=FEW)
    assert tuning.keeps
    times = np.linspace(0.0, cycle().duration, 7)
    loops = sampled_loops(delta(), cycle(), tuning.controller, times, resting=True)
    least = min(loop.margins().worst.delay for loop in loops)
    # The margin is used up, and a little is left to poses in between.
    assert 0.995 * goal.delay < least < 1.1 * goal.delay
    written = save_controller(tuning.controller, tmp_path / "tuned.toml")
    again = load_controller(written)
    assert again == tuning.controller
    record = simulate(delta(), cycle(), again)
    assert summary(record).distance.rms == pytest.approx(tuning.objective, rel=1e-6)
    assert tuning.objective < 0.6 * {one.name: one.objective for one in tuning.simpler}["as given"]


def test_the_worst_scenario_counts() -> None:
    friction = JointFriction(coulomb=0.5, viscous=0.1)
    controller = Controller(PD(4000.0, 50.0), plant=PlantChanges(friction=friction))
    conditions = Conditions(payload=(0.0, 1.0), friction=(1.0, 2.0), factors={"plate.mass": (1.0, 1.2)})
    made = scenarios_of(delta(), cycle(), controller, conditions)
    assert len(made) == 8
    assert made[0].name == "0 kg, friction x1, plate.mass x1"
    two = replace(conditions, friction=(2.0,), factors={})
    tuning = tune_gains(delta(), cycle(), controller, {"law.kp": (1000.0, 8000.0)}, conditions=two, effort=FEW)
    made = scenarios_of(delta(), cycle(), controller, two)
    assert tuning.objective == max(tuning.by_scenario.values())
    worst = max(tuning.by_scenario, key=lambda name: tuning.by_scenario[name])
    other = next(one for one in made if one.name == worst)
    law = replace(controller.law, kp=tuning.values["law.kp"])  # pyright: ignore[reportArgumentType]
    record = simulate(delta(), other.motion, replace(other.controller, law=law))
    assert summary(record).distance.rms == pytest.approx(tuning.objective, rel=1e-6)


def test_free_poles_are_those_that_gains_depend_on() -> None:
    wanted = {
        "pd": {"frequency", "damping"},
        "ppi": {"frequency"},
        "tsiid": {"frequency", "damping", "integral"},
    }
    for name, paths in wanted.items():
        found = default_bounds(delta(), cycle(), stated_by_poles(machine_controller(name)))
        assert {path.rpartition(".")[2] for path in found} == paths


def test_factors_keep_the_ratio_of_axes() -> None:
    controller = Controller(PD((4000.0, 3000.0, 2000.0), 50.0))
    tuning = tune_gains(
        delta(), cycle(), controller, {"law.kp": free_gain("law.kp", 0.5, 2.0, factor=True)}, effort=FEW
    )
    kp = np.array(getattr(tuning.controller.law, "kp", ()))
    np.testing.assert_allclose(kp / kp[0], [1.0, 0.75, 0.5])
    assert tuning.bounds == {"law.kp": "upper"}
    # Beside the upper bound, 2: what lies within 0.5 and 2, and what lies beyond.
    within = {one.factor: not one.beyond for one in tuning.sensitivities}
    assert within == {0.5: True, 0.9: True, 0.95: True, 1.05: False, 1.1: False, 2.0: False}
    lower = tune_gains(delta(), cycle(), controller, {"law.kp.1": (3900.0, 4100.0)}, effort=FEW)
    (value,) = lower.values.values()
    assert {one.factor for one in lower.sensitivities if not one.beyond} == {
        factor for factor in (0.5, 0.9, 0.95, 1.05, 1.1, 2.0) if 3900.0 <= factor * value <= 4100.0
    }


def test_refusals() -> None:
    controller = Controller(PD(4000.0, 50.0), delay=1)

    def refused(bounds: dict[str, tuple[float, float]], **options: object) -> str:
        with pytest.raises((ParameterError, NoGainsError)) as error:
            tune_gains(delta(), cycle(), controller, bounds, effort=FEW, **options)  # pyright: ignore[reportArgumentType]
        return str(error.value)

    assert "the lower bound must be below" in refused({"law.kp": (2.0, 1.0)})
    assert "bounds must be finite" in refused({"law.kp": (2.0, float("inf"))})
    assert "did you mean law.kp" in refused({"law.kpp": (1.0, 2.0)})
    assert "names no number" in refused({})
    assert "has the bound -5, which the law refuses" in refused({"law.kp": (-5.0, 5.0)})
    assert "is free twice" in refused({"law.velocity": (1.0, 2.0), "law.velocity.cutoff": (1.0, 2.0)})
    assert "no loop within the bounds is stable" in refused({"law.kd": (2000.0, 5000.0)})
    kept = refused({"law.kd": (50.0, 100.0)}, goal=Goal("rms", delay=0.1, singular=0.0))
    assert "no loop within the bounds keeps a delay margin of 100 ms" in kept
    assert "nearest comes law.kd" in kept
    assert "has nothing to scale" in refused({"law.kd": (50.0, 100.0)}, conditions=Conditions(friction=(1.0, 2.0)))
    assert "masses must be finite" in refused({"law.kd": (50.0, 100.0)}, conditions=Conditions(payload=(-1.0,)))
    assert "objective: is 'best'" in refused({"law.kd": (50.0, 100.0)}, goal=Goal("best"))  # pyright: ignore[reportArgumentType]
    assert "below 1" in refused({"law.kd": (50.0, 100.0)}, goal=Goal(singular=1.0))


def test_a_law_that_cannot_be_tuned_is_reported_beside_the_others() -> None:
    laws = {"stiff": Controller(PD(4000.0, 50.0), delay=16), "pd": Controller(PD(4000.0, 50.0))}
    bounds = {"stiff": {"law.kd": (500.0, 900.0)}, "pd": {"law.kd": (40.0, 80.0)}}
    found = tune(delta(), cycle(), laws, bounds=bounds, effort=FEW)
    assert "stiff" in found.failed
    assert "stable" in str(found.failed["stiff"])
    assert "pd" in found.by_name
    assert "pd" not in found.failed
