"""Torque over speed as expressions: what a curve allows at a speed, and the lines that bound it around there.

A curve is straight between its points and never rises. Around a speed it is the line it is on there; where it bends
down, it is below the lines beside as well, and where it bends up (a field that is weakened) it is above its own line.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import casadi as ca


class CurveLine(NamedTuple):
    """A line of a curve.

    Attributes:
        torque: what it gives at the speed that is looked at (N m).
        fall: how much less it gives per speed (N m s/rad), not negative.
    """

    torque: Any
    fall: Any


def curve_torque(points: Any, speed: Any) -> Any:
    """Torque of a curve at a speed (N m): the first below its first point, the last beyond its last.

    Args:
        points: speeds (rad/s) and torques (N m), with numbers or symbols.
        speed: magnitude of the speed (rad/s).
    """
    held = ca.fmin(speed, points[-1][0])
    return curve_lines(points, held)[0].torque


def curve_lines(points: Any, speed: Any) -> tuple[CurveLine, CurveLine, CurveLine]:
    """The line that a curve is on at a speed, and the lines before and behind it where the curve bends down to them.

    Where it does not, the line itself stands in for the other. Beyond its last point a curve goes on as its last line.

    Args:
        points: speeds (rad/s) and torques (N m), with numbers or symbols.
        speed: magnitude of the speed (rad/s).
    """
    starts = [points[0][0], *(point[0] for point in points[:-1])]
    falls = [0.0, *(-(b[1] - a[1]) / (b[0] - a[0]) for a, b in pairwise(points))]
    heights = [points[0][1], *(point[1] for point in points[:-1])]
    lines = [CurveLine(h - fall * (speed - start), fall) for h, fall, start in zip(heights, falls, starts, strict=True)]
    own, before, behind = lines[0], lines[0], _steeper(lines[0], lines[1])
    for k in range(1, len(lines)):
        reached = speed >= starts[k]
        behind_k = _steeper(lines[k], lines[k + 1]) if k + 1 < len(lines) else lines[k]
        own = _chosen(reached, lines[k], own)
        before = _chosen(reached, _shallower(lines[k], lines[k - 1]), before)
        behind = _chosen(reached, behind_k, behind)
    return own, before, behind


def _steeper(line: CurveLine, other: CurveLine) -> CurveLine:
    """The line behind another one where the curve bends down to it, otherwise that one itself."""
    return _chosen(other.fall > line.fall, other, line)


def _shallower(line: CurveLine, other: CurveLine) -> CurveLine:
    """The line before another one where the curve bends down from it, otherwise that one itself."""
    return _chosen(other.fall < line.fall, other, line)


def _chosen(condition: Any, one: CurveLine, other: CurveLine) -> CurveLine:
    return CurveLine(*(ca.if_else(condition, a, b) for a, b in zip(one, other, strict=True)))
