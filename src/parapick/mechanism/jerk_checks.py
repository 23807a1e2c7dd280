"""What is wrong with limits on jerk whose single numbers are fine: no acceleration beside them, impossible shares."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from parapick.errors import FileProblem
from parapick.mechanism.robot import Robot

POINTS_MAX: Final = 64
"""Points of the shares that payloads leave: each is part of the formulas; a table of a maker has five or so."""

_OVER: Final = "limits.jerk_over_payload"


def jerk_problems(robot: Robot) -> Iterator[FileProblem]:
    """What is wrong with the limits on the jerk of joints.

    Args:
        robot: the description, its numbers settled.
    """
    own = robot.limb.limits[0].partition("_")[0]
    jerk, acceleration = (getattr(robot.limits, f"{own}_{name}") for name in ("jerk", "acceleration"))
    if jerk is not None and acceleration is None:
        unit = f"{robot.limb.axis.unit}/s2"
        text = f"is stated without limits.{own}_acceleration; a jerk leads up to an acceleration: state that too"
        yield FileProblem(f"limits.{own}_jerk", f"{text} ({unit})")
    points = robot.limits.jerk_over_payload
    if points is None:
        return
    if jerk is None:
        yield FileProblem(_OVER, f"is a share of limits.{own}_jerk, which is not stated; state it, or leave this out")
    if len(points) > POINTS_MAX:
        yield FileProblem(_OVER, f"has {len(points)} points; give at most {POINTS_MAX}, between which it is straight")
    yield from _point_problems(points)


def _point_problems(points: Any) -> Iterator[FileProblem]:
    """Masses that do not rise, and shares that are none."""
    for number, (_, share) in enumerate(points, start=1):
        if isinstance(share, float) and not (0.0 < share <= 1.0) and share == share:
            text = f"leaves a share of {share:g} of the jerk; it must be greater than 0 and at most 1"
            hint = f" ({share / 100:g} for {share:g} %)" if 1.0 < share <= 100.0 else ""
            yield FileProblem(f"{_OVER}.{number}", f"{text}{hint}")
    for number, ((mass, _), (heavier, _)) in enumerate(pairwise(points), start=2):
        if isinstance(mass, float) and isinstance(heavier, float) and heavier <= mass:
            text = f"has the mass {heavier:g} kg, not above {mass:g} kg of the point before it"
            yield FileProblem(f"{_OVER}.{number}", f"{text}; give points in the order of their masses")
