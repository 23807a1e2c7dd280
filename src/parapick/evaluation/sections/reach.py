"""Reach and margins: what is left of every leg, joint, yaw and clearance along the task, and how near a singularity is.

A slack below 0 is what is missing. A margin of 0 is singular: the plate then moves where no motor holds it, or a motor
where the plate does not follow.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from parapick.evaluation.answer import Finding, Section, Series, Table
from parapick.evaluation.context import Context
from parapick.evaluation.reaching import margins_of, slacks_of

__all__ = ["section"]

_CLOSE: Final = 0.1
"""Margin below which a note warns: forces and speeds grow with its inverse, so they are ten times those of a robot that
is far from its singularities."""


def section(context: Context) -> Section:
    """Slack of every kind that the robot has a limit for, and its margins.

    Args:
        context: the robot on its way.
    """
    return Section(
        key="reach",
        title="Reach and margins",
        findings=context.requirements,
        tables=(_table(context.requirements),),
        series=tuple(_series(context)),
        notes=tuple(_notes(context.requirements)),
    )


def _table(findings: tuple[Finding, ...]) -> Table:
    rows = tuple(
        (
            finding.name,
            finding.value,
            finding.unit,
            None if finding.place is None or not finding.place.motor else finding.place.motor,
            None if finding.place is None else finding.place.time,
            finding.ok,
        )
        for finding in findings
    )
    heads = ("quantity", "smallest", "unit", "leg", "at t", "kept")
    return Table("smallest slack and margin along the task", heads, ("", "", "", "", "s", ""), rows)


def _series(context: Context) -> Iterator[Series]:
    t, margins = context.samples.t, margins_of(context)
    for name, values, unit, whose in slacks_of(context):
        labels = tuple(f"{whose} {i + 1}" for i in range(values.shape[1])) if whose else (name,)
        yield Series(name, unit, t, values, labels, {"limit": 0.0})
    if margins:
        labels = tuple(kept.name.removesuffix(" margin") for kept in margins)
        yield Series("margins", "", t, np.column_stack([kept.values for kept in margins]), labels)


def _notes(findings: tuple[Finding, ...]) -> Iterator[str]:
    for finding in findings:
        if not finding.unit and finding.ok and finding.value < _CLOSE:
            yield f"the {finding.name} falls to {finding.value:.3g}, near a singularity: forces grow with its inverse"
