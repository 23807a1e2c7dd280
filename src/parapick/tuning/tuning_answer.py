"""Tuned controllers as an answer: the numbers and their bounds, what they give and keep, what others would cost."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from parapick.analysis import FAST
from parapick.answer import Answer, Cell, Column, Requirement, Table, amount, fixed
from parapick.control import Controller, delays_data, delays_table, departures, gains_tables
from parapick.inspection import subject
from parapick.ride import broken_words
from parapick.tuning.goals import OBJECTIVES, Goal
from parapick.tuning.several_laws import Tunings
from parapick.tuning.tuning import Tuning

TAKEN_OUT: Final = (
    "margins are those of linear loops at rest along the motion, without encoder steps, limits, dry friction and "
    "gearbox losses; errors are simulated with all of them"
)

_ERRORS: Final = {"rms": "RMS error", "peak": "largest error", "integral": "integral of the joint error"}
"""Objectives in few words."""

_SHOWN: Final = {"rad s": "", "m": "um"}
"""Units in which objectives are read."""


def tuning_answer(asked: Tunings, path: tuple[Requirement, ...] = ()) -> Answer:
    """Tuned controllers side by side; the answer is no where none could be tuned, or the robot cannot be on the motion.

    Args:
        asked: what was tuned.
        path: what must hold for the robot to be on the motion at all, see `model.requirements`.
    """
    tunings, failed = asked.by_name, {name: str(error) for name, error in asked.failed.items()}
    tuned = {name: tuning.controller for name, tuning in tunings.items()}
    tables = (*_tables(asked.goal, tunings), delays_table(tuned), *_gains(asked, tuned)) if tunings else ()
    meaning = OBJECTIVES[asked.goal.objective].doc
    first = next(iter(tunings.values()), None)
    untuned = () if tunings else (f"{name}: {reason}" for name, reason in failed.items())
    over = "" if first is None or len(first.by_scenario) < 2 else f", {asked.goal.over} of {len(first.by_scenario)}"
    return Answer(
        key="tune",
        title=subject(asked.model, f"and the task {asked.task}, tuned", f"least {meaning}{over}"),
        findings=path,
        tables=tables,
        notes=(TAKEN_OUT, *_notes(tunings)),
        left_out=tuple(f"{name}: {reason}" for name, reason in failed.items()),
        data={"tunings": {name: _data(tuning) for name, tuning in tunings.items()}, "ledger": delays_data(tuned)},
        refusal="; ".join(filter(None, [broken_words(path), *untuned])),
        headline=_headline(asked, path, tunings),
    )


def _headline(asked: Tunings, path: tuple[Requirement, ...], tunings: Mapping[str, Tuning]) -> str:
    """Which controller follows best, how well, and what it keeps of which margins; empty where the answer is no."""
    if not tunings or broken_words(path):
        return ""
    goal, best = asked.goal, min(tunings, key=lambda name: tunings[name].objective)
    tuning = tunings[best]
    several = f", {goal.over} of {len(tuning.by_scenario)} scenarios" if len(tuning.by_scenario) > 1 else ""
    error = f"{_ERRORS[goal.objective]} {amount(tuning.objective, goal.unit)}{several}"
    rank = "follows best" if len(tunings) > 1 else "is tuned"
    margins = ", ".join(_kept(goal, tuning))
    short = "" if tuning.keeps else ", which falls short at some poses"
    return f"YES: {best} {rank}: {error}; {margins}{short}"


def _kept(goal: Goal, tuning: Tuning) -> Iterator[str]:
    """What a tuned loop keeps of each margin, and how much it must, in words."""
    delay, least = (f"{1e3 * value:.3g} ms" for value in (tuning.margins.delay, goal.delay))
    yield f"delay margin {delay}{f' (at least {least})' if goal.delay else ''}"
    yield f"sigma {fixed(tuning.margins.singular, 3)} (at least {goal.singular:g})"


def _tables(goal: Goal, tunings: Mapping[str, Tuning]) -> tuple[Table, ...]:
    both = (_results(goal, tunings), _numbers(tunings), _scenarios(goal, tunings), _sensitivity(tunings))
    return (*both, _simpler(goal, tunings), _poles(tunings))


def _gains(asked: Tunings, tuned: Mapping[str, Controller]) -> list[Table]:
    return gains_tables(asked.model, asked.motion, tuned, "controller")


def _unit(goal: Goal) -> tuple[str, str]:
    return goal.unit, _SHOWN[goal.unit]


def _results(goal: Goal, tunings: Mapping[str, Tuning]) -> Table:
    columns = (
        Column("controller"),
        Column(goal.objective, *_unit(goal)),
        Column("to best", decimals=3),
        Column("delay", "s", shown="ms"),
        Column("sigma", decimals=3),
        Column("keeps", alarm=False),
        Column("simulations"),
    )
    best = min(tuning.objective for tuning in tunings.values())
    rows = tuple(
        (
            name,
            tuning.objective,
            tuning.objective / best if best > 0.0 else None,
            tuning.margins.delay,
            tuning.margins.singular,
            tuning.keeps,
            tuning.runs,
        )
        for name, tuning in tunings.items()
    )
    return Table("tunings", "tuned controllers", columns, rows, "delay margin and smallest singular value of I + L")


def _numbers(tunings: Mapping[str, Tuning]) -> Table:
    columns = (Column("controller"), Column("number"), Column("value"), Column("bound"))
    rows = [
        (name, path, value, tuning.bounds.get(path, ""))
        for name, tuning in tunings.items()
        for path, value in tuning.values.items()
    ]
    return Table("numbers", "free numbers (SI)", columns, tuple(rows), "bound: which one a number sits on")


def _scenarios(goal: Goal, tunings: Mapping[str, Tuning]) -> Table:
    columns = (Column("controller"), Column("scenario"), Column(goal.objective, *_unit(goal)))
    rows = [
        (name, scenario, value) for name, tuning in tunings.items() for scenario, value in tuning.by_scenario.items()
    ]
    return Table("scenarios", "by scenario", columns, tuple(rows), printed=0 if len(rows) == len(tunings) else None)


def _sensitivity(tunings: Mapping[str, Tuning]) -> Table:
    steps = sorted({row.factor for tuning in tunings.values() for row in tuning.sensitivities})
    columns = (Column("controller"), Column("number"), *(Column(f"x{step:g}", decimals=3) for step in steps))
    rows: list[tuple[Cell, ...]] = []
    for name, tuning in tunings.items():
        for path in tuning.values:
            ratios = {row.factor: row.ratio for row in tuning.sensitivities if row.path == path}
            rows.append((name, path, *(ratios[step] for step in steps)))
    note = "objective with the number multiplied, over that of the result; beyond its bounds too"
    return Table("sensitivity", "what each number does", columns, tuple(rows), note)


def _simpler(goal: Goal, tunings: Mapping[str, Tuning]) -> Table:
    columns = (
        Column("controller"),
        Column("choice"),
        Column(goal.objective, *_unit(goal)),
        Column("cost", decimals=3),
        Column("keeps margins", alarm=False),
    )
    rows = [
        (name, row.name, row.objective, row.cost, row.keeps)
        for name, tuning in tunings.items()
        for row in tuning.simpler
    ]
    return Table("simpler", "simpler choices", columns, tuple(rows), "cost: objective over that of the result")


def _poles(tunings: Mapping[str, Tuning]) -> Table:
    columns = (
        Column("controller"),
        Column("frequency", "Hz", decimals=2),
        Column("damping", decimals=3),
        Column("time constant", "s", shown="ms"),
    )
    rows = [(name, *row) for name, tuning in tunings.items() for row in _pole_rows(tuning)]
    note = "of the nominal loop at the pose of its slowest pole; slowest first, a pair of poles once"
    return Table("poles", "closed-loop poles", columns, tuple(rows), note, printed=12)


def _pole_rows(tuning: Tuning) -> Iterator[tuple[float, float, float]]:
    loop = max(tuning.loops, key=lambda loop: loop.radius)
    poles = loop.poles[(np.abs(loop.poles) > FAST) & (np.imag(loop.poles) >= 0.0)]
    rates = np.emath.log(poles) * loop.rate
    for rate in rates:
        size = float(np.abs(rate))
        decay = -float(np.real(rate))
        yield size / (2 * math.pi), decay / size if size else 1.0, 1.0 / decay if decay > 0.0 else math.inf


def _notes(tunings: Mapping[str, Tuning]) -> Iterator[str]:
    for name, one in tunings.items():
        yield from (f"{name}: {text}" for text in _restated(one))
        for path, side in one.bounds.items():
            yield f"{name}: {path} sits on its {side} bound, {one.values[path]:.4g}"
        if not one.keeps:
            yield f"{name}: at more poses than those of the search a margin is {1e3 * one.margins.delay:.4g} ms only"
    if len(tunings) > 1:
        order = sorted(tunings, key=lambda name: tunings[name].objective)
        ratio = tunings[order[1]].objective / tunings[order[0]].objective
        yield f"{order[0]} follows best; {order[1]} comes next with {100 * (ratio - 1):.3g} % more"


def _restated(tuning: Tuning) -> Iterator[str]:
    """What is said where poles take the place of gains that the controller states, or gains that of poles."""
    given, tuned = (getattr(law, "poles", None) is not None for law in (tuning.given.law, tuning.controller.law))
    if given != tuned:
        free, before = ("poles", "gains") if tuned else ("gains", "poles")
        (text,) = departures(tuning.given, replace(tuning.given, law=tuning.controller.law))
        yield f"its {free} are free, in the place of the {before} that it states: {text}"


def _data(tuning: Tuning) -> dict[str, Any]:
    goal = {
        "objective": tuning.goal.objective,
        "over": tuning.goal.over,
        "delay": tuning.goal.delay,
        "sigma": tuning.goal.singular,
    }
    return {"values": tuning.values, "bounds": tuning.bounds, "goal": goal, "objective": tuning.objective}
