"""What must hold for a robot to be on a motion at all, as requirements: slacks, the stated workspace, margins.

Evaluations, motions and simulated loops give the same ones, each with its place and what is left or missing.
"""

from __future__ import annotations

import math

from parapick.answer import Finding, Place
from parapick.answer.words import amount
from parapick.model.ride import Ride
from parapick.model.worst import UNBOUNDED, Worst


def requirements(ride: Ride) -> tuple[Finding, ...]:
    """Every slack and margin against its bound, and a torque or joint speed that is not finite.

    Args:
        ride: the robot on its way.
    """
    return tuple(_finding(worst) for worst in ride.floors)


def broken_words(findings: tuple[Finding, ...]) -> str:
    """The requirements that are not met, in words, one after the other; empty where all are.

    Args:
        findings: the requirements.
    """
    return "; ".join(finding.text for finding in findings if not finding.ok)


def _finding(worst: Worst) -> Finding:
    place = Place(worst.time, worst.pose, worst.leg, "leg")
    brief = f"{worst.title}{f' of leg {worst.leg}' if worst.leg else ''}: {_state(worst)}"
    text = f"{brief}, {place}"
    return Finding(worst.title, worst.value, worst.limit, worst.unit, worst.ok, text, place, floor=True, brief=brief)


def _state(worst: Worst) -> str:
    if math.isnan(worst.value):
        return UNBOUNDED
    if worst.kind == "slack":
        left, missing = amount(worst.value, worst.unit), amount(-worst.value, worst.unit)
        return f"{left} left" if worst.ok else f"{missing} is missing"
    return f"{worst.value:.3g}" if worst.ok else "singular"
