"""What must hold for a robot to be on a motion at all: slack of every kind, and margins to singularities."""

from __future__ import annotations

from parapick.answer import Finding, Place
from parapick.answer.words import amount
from parapick.model import Ride, Worst


def requirements(ride: Ride) -> tuple[Finding, ...]:
    """Every slack and margin against its bound.

    Args:
        ride: the robot on its way.
    """
    return tuple(_finding(worst) for worst in ride.floors)


def _finding(worst: Worst) -> Finding:
    place = Place(worst.time, worst.pose, worst.leg, "leg")
    if worst.kind == "slack":
        left, missing = amount(worst.value, worst.unit), amount(-worst.value, worst.unit)
        state = f"{left} left" if worst.ok else f"{missing} is missing"
    else:
        state = f"{worst.value:.3g}" if worst.ok else "singular"
    brief = f"{worst.title}{f' of leg {worst.leg}' if worst.leg else ''}: {state}"
    text = f"{brief}, {place}"
    return Finding(worst.title, worst.value, worst.limit, worst.unit, worst.ok, text, place, floor=True, brief=brief)
