"""The sections of an evaluation: each is one file with one function, and one line here.

A section takes what all of them share, the `Context`, and answers a `Answer`, or None where it has nothing to say.
What it lacks (masses, ratings) is a note in it, never a failure.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from parapick.answer import Answer
from parapick.evaluation.context import Context
from parapick.evaluation.sections import (
    belt_rate,
    capability,
    drives,
    fastest,
    forces,
    improve,
    joints,
    motion,
    pattern,
    power,
    reach,
    torque,
)

__all__ = ["ON_REQUEST", "SECTIONS", "MakeSection"]

MakeSection = Callable[[Context], Answer | None]
"""What a file of this folder exports as `section`."""


def _control(context: Context) -> Answer | None:
    # Inside: it is on request, and closed loops are two more rooms.
    from parapick.evaluation.sections import control

    return control.section(context)


def _stopping(context: Context) -> Answer | None:
    from parapick.evaluation.sections import stopping

    return stopping.section(context)


SECTIONS: Final[dict[str, MakeSection]] = {
    "reach": reach.section,
    "motion": motion.section,
    "pattern": pattern.section,
    belt_rate.KEY: belt_rate.section,
    "joints": joints.section,
    "torque": torque.section,
    "power": power.section,
    "drives": drives.section,
    "forces": forces.section,
    "capability": capability.section,
    "fastest": fastest.section,
    "control": _control,
    "stopping": _stopping,
    "improve": improve.section,
}
"""Every section by its key, in the order of the report."""

ON_REQUEST: Final = frozenset({"control", "stopping", belt_rate.KEY})
"""Sections that are computed only where they are asked for: a closed loop rests on gains and a controller of which the
task says nothing, and takes a second; the largest belt rate takes several."""
