"""Slow motions between a pose and the robot's home, or from home to where a task starts."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Final, final

import numpy as np

from parapick.answer import pose_text
from parapick.errors import ParapickError
from parapick.model import NEAR, Model, too_near
from parapick.motion import Motion, Stroke, Strokes, hold, law_of

LAW: Final = "3-4-5"
"""Time law of slow motions: acceleration begins and ends at zero."""

SAME: Final = 1e-9
"""Poses nearer than this (m, rad) are the same."""

YAW_ARM: Final = 0.1
"""Radius (m) at which yaw counts as a way of the plate's rim: at 0.25 m/s it turns by at most 2.5 rad/s."""

GENTLE: Final = 0.5
"""Share of the torque and speed limits that a slow motion may need; a slower one is taken until it does."""

SLOWEST: Final = 64.0
"""How many times slower than the homing speed a slow motion may become."""

LOOKS: Final = 200.0
"""Samples per second (Hz) at which a slow motion is looked at."""


@final
class HomingError(ParapickError):
    """A pose from which home, or another pose, cannot be reached by a slow motion."""

    def __init__(self, robot: str, start: Sequence[float], end: Sequence[float], reason: str) -> None:
        path = f"from {pose_text(start)} to {pose_text(end)}"
        if _same(start, end):
            text = f"{robot} cannot be held at {pose_text(start)}: {reason}; carry less, or take stronger motors"
        else:
            text = f"{robot} cannot move slowly {path}: {reason}; start nearer to its home, or move it there by hand"
        super().__init__(text)
        self.start = tuple(start)
        self.end = tuple(end)
        self.reason = reason


def slow_motion(model: Model, start: Sequence[float], end: Sequence[float], speed: float, name: str) -> Motion:
    """A slow motion from rest to rest: straight, or by the height or the place of the end first where that is free.

    Args:
        start: task vector of the start (m, rad).
        end: task vector of the end (m, rad).
        speed: largest speed of the plate (m/s).
        name: name of its phase.

    Raises:
        HomingError: every way leads out of reach, through a singularity, or beyond the motors.
    """
    reasons = []
    for points in _ways(start, end):
        motion = _through(points, speed, name)
        reason = _objection(model, motion)
        gentle = None if reason else _gentle(model, motion)
        if gentle is not None:
            return gentle
        reasons.append(reason or f"it would need more than {100 * GENTLE:g} % of what its motors have")
    raise HomingError(model.robot.name, start, end, reasons[0])


def _ways(start: Sequence[float], end: Sequence[float]) -> Iterator[list[Sequence[float]]]:
    """Straight; up or down first; over first. Corners are stops."""
    lifted = (*start[:2], end[2], *start[3:])
    over = (*end[:2], start[2], *end[3:])
    for middle in ((), (lifted,), (over,)):
        points = [tuple(map(float, point)) for point in (start, *middle, end)]
        yield [points[0], *(b for a, b in itertools.pairwise(points) if not _same(a, b))]


def _same(a: Sequence[float], b: Sequence[float]) -> bool:
    return max(map(abs, np.subtract(a, b))) <= SAME


def _through(points: list[Sequence[float]], speed: float, name: str) -> Motion:
    if len(points) == 1:
        return hold(points[0], 1.0 / LOOKS, name)
    moves = [_move(a, b, speed) for a, b in itertools.pairwise(points)]
    whole = moves[0]
    for move in moves[1:]:
        whole = whole.then(move)
    return whole.named(name)


def _move(a: Sequence[float], b: Sequence[float], speed: float) -> Motion:
    way = np.subtract(b, a)
    length = max(float(np.linalg.norm(way[:3])), YAW_ARM * float(np.abs(way[3:]).max(initial=0.0)))
    profile = law_of(LAW).profile()
    duration = float(profile.at(0.5).sd) * length / speed
    stroke = Stroke(0.0, duration, tuple(way.tolist()), profile)
    return Motion((Strokes(tuple(a), duration, (stroke,)),))


def _objection(model: Model, motion: Motion) -> str:
    """Why a robot cannot follow a motion; empty where it can."""
    x = motion.sample(LOOKS).x
    reach = model.reach(x)
    if not reach.ok.all():
        first = int(np.argmin(reach.ok))
        return f"at {pose_text(x[first].tolist())} {reach.reason((first,))}"
    near = too_near(model.margins(x), NEAR)
    if (near >= 0).any():
        return f"at {pose_text(x[int(np.argmax(near >= 0))].tolist())} it is singular"
    return ""


def _gentle(model: Model, motion: Motion) -> Motion | None:
    """The motion, slower where the motors would need more than their share; None where they cannot even hold it."""
    motors, factor = model.motors, 1.0
    while factor <= SLOWEST:
        slowed = motion.slowed(factor)
        loads = slowed.follow(model, LOOKS).loads
        used = max(
            float(np.max(np.abs(loads.torque) / motors.peak_torque)),
            float(np.max(np.abs(loads.speed) / motors.peak_speed)),
        )
        if used <= GENTLE:
            return slowed
        factor *= 2.0
    return None
