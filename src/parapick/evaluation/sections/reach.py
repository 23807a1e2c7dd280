"""Reach and margins: what is left of every leg, joint, yaw and clearance along the task, and how near a singularity is.

A slack below 0 is what is missing. A margin of 0 is singular: the plate then moves where no motor holds it, or a motor
where the plate does not follow.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from parapick.answer import Answer, Requirement, Series, Table, columns
from parapick.evaluation.context import Context
from parapick.formulas import SLACKS

_CLOSE: Final = 0.1
"""Margin below which a note warns: forces and speeds grow with its inverse, so they are ten times those of a robot that
is far from its singularities."""


def section(context: Context) -> Answer:
    """Slack of every kind that the robot has a limit for, and its margins.

    Args:
        context: the robot along the motion of its task.
    """
    return Answer(
        key="reach",
        title="Reach and margins",
        findings=context.run.path_requirements,
        tables=(_table(context.run.path_requirements),),
        series=tuple(_series(context)),
        notes=tuple(_notes(context.run.path_requirements)),
    )


def _table(requirements: tuple[Requirement, ...]) -> Table:
    rows = tuple(
        (
            requirement.title,
            requirement.value,
            requirement.unit,
            None if requirement.place is None or not requirement.place.motor else requirement.place.motor,
            None if requirement.place is None else requirement.place.time,
            requirement.ok,
        )
        for requirement in requirements
    )
    heads = ("quantity", "smallest", "unit", "leg", "at t", "kept")
    title = "smallest slack and margin along the task"
    return Table("limits", title, columns(heads, ("", "", "", "", "s", "")), rows, printed=0)


def _series(context: Context) -> Iterator[Series]:
    t, ride = context.samples.t, context.ride
    for kind in SLACKS:
        values = ride.reach.slack(kind)
        if np.isfinite(values).any():
            labels = tuple(f"leg {i + 1}" for i in range(values.shape[1])) if kind.per_leg else (kind.title,)
            yield Series(kind.title, ride.reach.unit(kind), t, values, labels, {"limit": 0.0})
    if ride.margins:
        yield Series("margins", "", t, np.column_stack(list(ride.margins.values())), tuple(ride.margins))


def _notes(requirements: tuple[Requirement, ...]) -> Iterator[str]:
    for requirement in requirements:
        if not requirement.unit and requirement.ok and requirement.value < _CLOSE:
            margin = f"the {requirement.name} falls to {requirement.value:.3g}"
            yield f"{margin}, near a singularity: forces grow with its inverse"
