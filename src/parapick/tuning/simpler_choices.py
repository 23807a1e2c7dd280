"""What simpler choices than a tuning cost: gains as given, for one scenario, alike for all axes, without terms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np

from parapick.control import Controller, acts_on_accelerations
from parapick.model import Model
from parapick.tuning.free_gains import fixed_gains
from parapick.tuning.gain_search import BestCandidate
from parapick.tuning.trial import Trial, trial_of

TERMS: Final = {"friction": "without friction feedforward", "sine": "without the sine term"}
"""Terms that a law may add, and the choice to leave them out."""


class SimplerChoice(NamedTuple):
    """A simpler choice.

    Attributes:
        name: what it is.
        objective: its objective over all scenarios; infinite where a loop does not do its work.
        cost: objective over that of the result.
        keeps: whether it keeps what the result must.
    """

    name: str
    objective: float
    cost: float
    keeps: bool


def simpler_choices(
    model: Model, given: Controller, trial: Trial, best: BestCandidate, nominal: BestCandidate | None
) -> tuple[SimplerChoice, ...]:
    """Simpler choices and what each costs.

    Args:
        given: the controller before anything of it was freed.
        trial: what candidates are tried on.
        nominal: the best candidate for the first scenario alone, if it was looked for.
    """
    values = trial.space.values(best.row)
    named = dict(_choices(trial, values, nominal))
    objectives = trial.objective_of([*named.values()]) if named else np.zeros(0)
    rows = [_fixed("as given", model, trial, given, best.objective)]
    rows += [
        SimplerChoice(name, float(value), _cost(float(value), best.objective), _keeps(trial, numbers))
        for (name, numbers), value in zip(named.items(), objectives, strict=True)
    ]
    tuned = trial.space.with_values(values)
    for term, name in TERMS.items():
        if getattr(tuned.law, term, None) is not None:
            without: Any = replace(tuned.law, **{term: None})  # pyright: ignore[reportArgumentType]
            rows.append(_fixed(name, model, trial, replace(tuned, law=without), best.objective))
    return tuple(rows)


def _choices(
    trial: Trial, values: Mapping[str, float], nominal: BestCandidate | None
) -> Iterator[tuple[str, dict[str, float]]]:
    """Simpler choices by name, as numbers by path."""
    space = trial.space
    if nominal is not None:
        yield "tuned for the first scenario alone", space.values(nominal.row)
    yield "middle of the bounds", space.values(np.full(len(space.free), 0.5))
    groups: dict[str, list[str]] = {}
    for path in values:
        parent, _, entry = path.rpartition(".")
        if entry.isdigit():
            groups.setdefault(parent, []).append(path)
    means = {path: float(np.mean([values[entry] for entry in group])) for group in groups.values() for path in group}
    if any(len(group) > 1 for group in groups.values()):
        yield "alike for all axes", {**values, **means}
    if {"law.kp", "law.kd"} <= values.keys() and acts_on_accelerations(space.controller.law):
        yield "critical damping, kd = 2 sqrt(kp)", {**values, "law.kd": 2.0 * float(np.sqrt(values["law.kp"]))}


def _cost(value: float, best: float) -> float:
    return value / best if best > 0.0 else np.nan


def _keeps(trial: Trial, numbers: Mapping[str, float]) -> bool:
    return trial.goal.kept(trial.margins(trial.space.law_numbers([numbers])[0]))


def _fixed(name: str, model: Model, trial: Trial, controller: Controller, best: float) -> SimplerChoice:
    """A controller as it is, in the scenarios of a trial."""
    scenarios = [ready.scenario for ready in trial.scenarios]
    space = fixed_gains(model, scenarios[0].motion, controller)
    alone = trial_of(model, space, trial.goal, scenarios, len(trial.scenarios[0].points))
    numbers = space.ready_numbers({})
    value = float(alone.total(alone.by_scenario(numbers[None]))[0])
    trial.runs.extend(alone.runs)
    return SimplerChoice(name, value, _cost(value, best), trial.goal.kept(alone.margins(numbers)))
