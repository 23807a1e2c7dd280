"""Candidates of a tuning by their linear loops: whether one keeps its margins, found with no more loops than needed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

from parapick.analysis import OperatingPoint, SampledLoop
from parapick.control import machine_controller
from parapick.search import missing
from parapick.tuning.free_gains import gain_space
from parapick.tuning.goals import Goal
from parapick.tuning.scenarios import Conditions, scenarios_of
from parapick.tuning.several_laws import stated_by_poles
from parapick.tuning.trial import UNSTABLE, Trial, trial_of
from simulation.cases import cycle, delta

BOUNDS = {"law.poles.frequency": (5.0, 400.0), "law.poles.damping": (0.05, 2.0)}
GOALS = [Goal(delay=5e-4, singular=0.5), Goal(delay=5e-4, singular=0.0), Goal(singular=0.5), Goal(singular=0.0)]


def made(goal: Goal, poses: int = 2) -> Trial:
    space = gain_space(delta(), cycle(), stated_by_poles(machine_controller("tsid")), BOUNDS)
    scenarios = scenarios_of(delta(), cycle(), space.controller, Conditions(payload=(0.0, 0.5)))
    return trial_of(delta(), space, goal, scenarios, poses)


@dataclass
class Counted:
    """An operating point that says when it is made linear."""

    point: OperatingPoint
    made: list[OperatingPoint] = field(default_factory=list)

    def loop(self, numbers: np.ndarray) -> SampledLoop:
        self.made.append(self.point)
        return self.point.loop(numbers)


def counted(trial: Trial) -> tuple[Trial, list[OperatingPoint]]:
    looked: list[OperatingPoint] = []
    scenarios = []
    for scenario in trial.scenarios:
        points: Any = tuple(Counted(point, looked) for point in scenario.points)
        scenarios.append(replace(scenario, points=points))
    return replace(trial, scenarios=tuple(scenarios)), looked


@pytest.mark.parametrize("goal", GOALS)
def test_what_keeps_its_margins_misses_none_of_them(goal: Goal) -> None:
    trial = made(goal)
    rows = np.random.default_rng(4).uniform(0.0, 1.0, (24, 2))
    keeps = [trial.keeps(row) for row in rows]
    assert keeps == [missing(trial.slacks(row)) == 0.0 for row in rows]
    assert {True, False} == set(keeps)


def test_slacks_are_those_of_the_margins_by_name() -> None:
    trial = made(GOALS[0])
    row = np.array([0.1, 0.5])
    law = trial.space.numbers(row[None])[0]
    margins = [loop.margins(120) for scenario in trial.scenarios for loop in scenario.loops(law)]
    delays = [one.worst.delay / trial.goal.delay - 1.0 for one in margins]
    singulars = [one.singular / trial.goal.singular - 1.0 for one in margins]
    assert trial.slacks(row) == pytest.approx([*delays, *singulars], rel=1e-12)
    least = trial.margins(law, 120)
    assert (least.delay, least.singular) == (
        min(one.worst.delay for one in margins),
        min(one.singular for one in margins),
    )


def test_no_loop_is_looked_at_after_one_that_misses() -> None:
    trial, looked = counted(made(GOALS[0]))
    assert trial.keeps(np.array([0.1, 0.5]))
    assert len(looked) == 4
    looked.clear()
    unstable = np.array([1.0, 0.0])
    assert not trial.keeps(unstable)
    assert len(looked) == 1
    assert trial.slacks(unstable)[0] < -UNSTABLE
    assert len(looked) == 5


def test_a_law_that_cannot_be_keeps_nothing() -> None:
    trial, looked = counted(made(GOALS[0]))
    frequency, damping = trial.space.free
    trial = replace(trial, space=replace(trial.space, free=(frequency, replace(damping, low=-1.0))))
    lost = np.zeros(2)
    assert np.isnan(trial.space.numbers(lost[None])).all()
    assert not trial.keeps(lost)
    assert trial.slacks(lost).max() < -UNSTABLE
    assert not looked
