"""Curves of torque over speed that no motor has: points out of order, torques that rise, curves that cross."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from parapick.errors import FileProblem

POINTS_MAX: Final = 64
"""Points of a curve: every one is part of the formulas of the fastest cycle; a diagram is read at ten or so."""

POINTS_MIN: Final = 2
"""Points of a curve: one is a torque, which has a field of its own."""

ROUNDING: Final = 1e-9
"""Share by which a line that touches another one exceeds it by rounding."""


def curve_problems(path: str, points: Any) -> Iterator[FileProblem]:
    """What is wrong with a curve by itself: its number of points, their order, a torque that rises, none at all.

    Args:
        path: path of the curve in the file.
        points: its points.
    """
    if not POINTS_MIN <= len(points) <= POINTS_MAX:
        count = f"has {len(points)} point{'s' * (len(points) != 1)}"
        yield FileProblem(path, f"{count}; give {POINTS_MIN} to {POINTS_MAX}, between which it is straight")
        return
    for number, ((speed, torque), (next_speed, next_torque)) in enumerate(pairwise(points), start=2):
        if not known((speed, torque, next_speed, next_torque)):
            continue
        if next_speed <= speed:
            text = f"has the speed {next_speed:g} rad/s, not above {speed:g} rad/s of the point before it"
            yield FileProblem(f"{path}.{number}", f"{text}; give points in the order of their speeds")
        if next_torque > torque:
            text = f"rises to {next_torque:g} N m from {torque:g} N m; the torque of a motor never grows with its speed"
            yield FileProblem(f"{path}.{number}", f"{text}: give at most {torque:g} N m")
    if known(points[0]) and not points[0][1] > 0.0:
        yield FileProblem(f"{path}.1", "has no torque; a curve begins with the largest torque of its motor")


def is_curve(points: Any) -> bool:
    """Whether the numbers of a curve are known and make one, so that others can be held against it.

    Args:
        points: its points; None without.
    """
    return points is not None and all(known(point) for point in points) and not any(curve_problems("", points))


def known(values: Any) -> bool:
    """Whether all of these are numbers: none is missing, refused, or of another type.

    Args:
        values: any values.
    """
    return all(isinstance(value, float) and value == value for value in values)


def torque_at(points: Any, speed: float) -> float:
    """Torque of a curve at a speed (N m): level below its first point, nothing beyond its last.

    Args:
        points: its points.
        speed: the speed (rad/s).
    """
    if speed <= points[0][0]:
        return float(points[0][1])
    for (start, first), (end, last) in pairwise(points):
        if speed <= end:
            return float(first + (last - first) * (speed - start) / (end - start))
    return 0.0


def largest_excess(points: Any, above: Any) -> tuple[float, float, float] | None:
    """Where a curve exceeds another one most: speed, its torque and that of the other; None where it never does.

    The difference of two curves is straight between their points, so that it is largest at one of these. Beyond its
    own last point a curve states nothing.

    Args:
        points: the curve that should be below.
        above: the curve that should be above; its motor gives nothing beyond its end.
    """
    speeds = {speed for speed, _ in (*points, *above) if speed <= points[-1][0]}
    excesses = [(speed, torque_at(points, speed), torque_at(above, speed)) for speed in sorted(speeds)]
    speed, torque, allowed = max(excesses, key=lambda each: each[1] - each[2])
    return (speed, torque, allowed) if torque > allowed * (1 + ROUNDING) else None
