"""What is wrong with a drive whose single numbers are fine: curves that no motor has, ratings in the wrong order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from parapick.errors import FileProblem
from parapick.mechanism.drive import AnyDrive

POINTS_MAX: Final = 64
"""Points of a curve: every one is part of the formulas of the fastest cycle; a diagram is read at ten or so."""


def drive_problems(path: str, drive: AnyDrive) -> Iterator[FileProblem]:
    """What is wrong with a drive beyond its single numbers.

    Args:
        path: path of the drive in the file.
        drive: the drive, its numbers settled.
    """
    if drive.curve is None:
        return
    if drive.curve.peak is None:
        yield FileProblem(f"{path}.curve.peak", "is missing; state its points")
        return
    yield from _curve_problems(f"{path}.curve.peak", drive.curve.peak)
    if _plain(drive.curve.peak):
        yield from _start_problems(path, drive)


def _plain(points: Any) -> bool:
    """Whether all numbers of a curve are known."""
    return all(isinstance(value, float) and value == value for point in points for value in point)


def _curve_problems(path: str, points: Any) -> Iterator[FileProblem]:
    """Points out of order, a torque that rises, and too many points."""
    if len(points) > POINTS_MAX:
        yield FileProblem(path, f"has {len(points)} points; give at most {POINTS_MAX}, between which it is straight")
        return
    for number, ((speed, torque), (next_speed, next_torque)) in enumerate(pairwise(points), start=2):
        if not all(isinstance(value, float) for value in (speed, torque, next_speed, next_torque)):
            continue
        if next_speed <= speed:
            text = f"has the speed {next_speed:g} rad/s, not above {speed:g} rad/s of the point before it"
            yield FileProblem(f"{path}.{number}", f"{text}; give points in the order of their speeds")
        if next_torque > torque:
            text = f"rises to {next_torque:g} N m from {torque:g} N m; the torque of a motor never grows with its speed"
            yield FileProblem(f"{path}.{number}", f"{text}: give at most {torque:g} N m")


def _start_problems(path: str, drive: Any) -> Iterator[FileProblem]:
    """A curve that begins without torque, or below the continuous torque."""
    points, rated = drive.curve.peak, drive.rated_torque
    if not points[0][1] > 0.0:
        yield FileProblem(f"{path}.curve.peak.1", "has no torque; a curve begins with the largest torque of its motor")
    elif isinstance(rated, float) and rated > points[0][1]:
        text = f"is {rated:g} N m; it must not exceed the start of {path}.curve.peak, {points[0][1]:g} N m"
        yield FileProblem(f"{path}.rated_torque", text)
