"""Tuned controllers as an answer: the numbers and their bounds, what they give and keep, what others would cost."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, final

import numpy as np

from parapick.analysis.stability_margins import FAST
from parapick.answer import Answer, Cell, Column, Finding, Table
from parapick.control import departures, gains_tables
from parapick.model import Model
from parapick.model.naming import headline
from parapick.model.requirements import broken_words
from parapick.motion import Motion
from parapick.tuning.goals import OBJECTIVES, Goal
from parapick.tuning.tuning import Tuning

TAKEN_OUT: Final = (
    "margins are those of linear loops at rest along the motion, without encoder steps, limits, dry friction and "
    "gearbox losses; errors are simulated with all of them"
)

_SHOWN: Final = {"rad s": "", "m": "um"}
"""Units in which objectives are read."""


@final
@dataclass(frozen=True)
class TuningQuestion:
    """What was tuned, in words.

    Attributes:
        model: the robot.
        task: the task.
        motion: the motion.
        goal: what is minimised and kept.
        path: what must hold for the robot to be on the motion at all, see `model.requirements`.
    """

    model: Model
    task: str
    motion: Motion
    goal: Goal
    path: tuple[Finding, ...] = ()


def tuning_answer(asked: TuningQuestion, tunings: Mapping[str, Tuning | str]) -> Answer:
    """Tuned controllers side by side; the answer is no where none could be tuned, or the robot cannot be on the motion.

    Args:
        asked: what was tuned.
        tunings: tunings by the name of their controller, or why there is none.
    """
    found = {name: one for name, one in tunings.items() if isinstance(one, Tuning)}
    failed = {name: one for name, one in tunings.items() if isinstance(one, str)}
    tables = (*_tables(asked.goal, found), *_gains(asked, found)) if found else ()
    meaning = OBJECTIVES[asked.goal.objective][1]
    first = next(iter(found.values()), None)
    untuned = () if found else (f"{name}: {reason}" for name, reason in failed.items())
    over = "" if first is None or len(first.by_scenario) < 2 else f", {asked.goal.over} of {len(first.by_scenario)}"
    return Answer(
        key="tune",
        title=headline(asked.model, f"and the task {asked.task}, tuned", f"least {meaning}{over}"),
        findings=asked.path,
        tables=tables,
        notes=(TAKEN_OUT, *_notes(found)),
        left_out=tuple(f"{name}: {reason}" for name, reason in failed.items()),
        data={"tunings": {name: _data(one) for name, one in found.items()}},
        refusal="; ".join(filter(None, [broken_words(asked.path), *untuned])),
    )


def _tables(goal: Goal, found: Mapping[str, Tuning]) -> tuple[Table, ...]:
    both = (_results(goal, found), _numbers(found), _scenarios(goal, found), _sensitivity(found))
    return (*both, _simpler(goal, found), _poles(found))


def _gains(asked: TuningQuestion, found: Mapping[str, Tuning]) -> list[Table]:
    tuned = {name: one.controller for name, one in found.items()}
    return gains_tables(asked.model, asked.motion, tuned, "controller")


def _unit(goal: Goal) -> tuple[str, str]:
    return goal.unit, _SHOWN[goal.unit]


def _results(goal: Goal, found: Mapping[str, Tuning]) -> Table:
    columns = (
        Column("controller"),
        Column(goal.objective, *_unit(goal)),
        Column("to best", decimals=3),
        Column("delay", "s", shown="ms"),
        Column("sigma", decimals=3),
        Column("keeps", alarm=False),
        Column("simulations"),
    )
    best = min(one.objective for one in found.values())
    rows = tuple(
        (
            name,
            one.objective,
            one.objective / best if best > 0.0 else None,
            one.held.delay,
            one.held.singular,
            one.keeps,
            one.runs,
        )
        for name, one in found.items()
    )
    return Table("tunings", "tuned controllers", columns, rows, "delay margin and smallest singular value of I + L")


def _numbers(found: Mapping[str, Tuning]) -> Table:
    columns = (Column("controller"), Column("number"), Column("value"), Column("bound"))
    rows = [
        (name, path, value, one.bounds.get(path, ""))
        for name, one in found.items()
        for path, value in one.values.items()
    ]
    return Table("numbers", "free numbers (SI)", columns, tuple(rows), "bound: which one a number sits on")


def _scenarios(goal: Goal, found: Mapping[str, Tuning]) -> Table:
    columns = (Column("controller"), Column("scenario"), Column(goal.objective, *_unit(goal)))
    rows = [(name, scenario, value) for name, one in found.items() for scenario, value in one.by_scenario.items()]
    return Table("scenarios", "by scenario", columns, tuple(rows), printed=0 if len(rows) == len(found) else None)


def _sensitivity(found: Mapping[str, Tuning]) -> Table:
    steps = sorted({row.factor for one in found.values() for row in one.sensitivities})
    columns = (Column("controller"), Column("number"), *(Column(f"x{step:g}", decimals=3) for step in steps))
    rows: list[tuple[Cell, ...]] = []
    for name, one in found.items():
        for path in one.values:
            ratios = {row.factor: row.ratio for row in one.sensitivities if row.path == path}
            rows.append((name, path, *(ratios[step] for step in steps)))
    note = "objective with the number multiplied, over that of the result; beyond its bounds too"
    return Table("sensitivity", "what each number does", columns, tuple(rows), note)


def _simpler(goal: Goal, found: Mapping[str, Tuning]) -> Table:
    columns = (
        Column("controller"),
        Column("choice"),
        Column(goal.objective, *_unit(goal)),
        Column("cost", decimals=3),
        Column("keeps margins", alarm=False),
    )
    rows = [(name, row.name, row.objective, row.cost, row.keeps) for name, one in found.items() for row in one.simpler]
    return Table("simpler", "simpler choices", columns, tuple(rows), "cost: objective over that of the result")


def _poles(found: Mapping[str, Tuning]) -> Table:
    columns = (
        Column("controller"),
        Column("frequency", "Hz", decimals=2),
        Column("damping", decimals=3),
        Column("time constant", "s", shown="ms"),
    )
    rows = [(name, *row) for name, one in found.items() for row in _pole_rows(one)]
    note = "of the nominal loop at the pose of its slowest pole; slowest first, a pair of poles once"
    return Table("poles", "closed-loop poles", columns, tuple(rows), note, printed=12)


def _pole_rows(one: Tuning) -> Iterator[tuple[float, float, float]]:
    loop = max(one.loops, key=lambda loop: loop.radius)
    poles = loop.poles[(np.abs(loop.poles) > FAST) & (np.imag(loop.poles) >= 0.0)]
    rates = np.emath.log(poles) * loop.rate
    for rate in rates:
        size = float(np.abs(rate))
        decay = -float(np.real(rate))
        yield size / (2 * math.pi), decay / size if size else 1.0, 1.0 / decay if decay > 0.0 else math.inf


def _notes(found: Mapping[str, Tuning]) -> Iterator[str]:
    for name, one in found.items():
        yield from (f"{name}: {text}" for text in _restated(one))
        for path, side in one.bounds.items():
            yield f"{name}: {path} sits on its {side} bound, {one.values[path]:.4g}"
        if not one.keeps:
            yield f"{name}: at more poses than those of the search a margin is {1e3 * one.held.delay:.4g} ms only"
    if len(found) > 1:
        order = sorted(found, key=lambda name: found[name].objective)
        ratio = found[order[1]].objective / found[order[0]].objective
        yield f"{order[0]} follows best; {order[1]} comes next with {100 * (ratio - 1):.3g} % more"


def _restated(one: Tuning) -> Iterator[str]:
    """What is said where poles take the place of gains that the controller states, or gains that of poles."""
    given, tuned = (getattr(law, "poles", None) is not None for law in (one.given.law, one.controller.law))
    if given != tuned:
        free, before = ("poles", "gains") if tuned else ("gains", "poles")
        (text,) = departures(one.given, replace(one.given, law=one.controller.law))
        yield f"its {free} are free, in the place of the {before} that it states: {text}"


def _data(one: Tuning) -> dict[str, Any]:
    goal = {"objective": one.goal.objective, "over": one.goal.over, "delay": one.goal.delay, "sigma": one.goal.singular}
    return {"values": one.values, "bounds": one.bounds, "goal": goal, "objective": one.objective}
