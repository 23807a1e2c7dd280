"""Intercepts as fast as the drives allow: the way of an intercept by a law, run through by its fastest timing.

The item moves on while the robot comes, so the instant t of the meeting solves `t = now + T(way to where the item is at
t)`. T changes slowly with t, because a belt is slower than a robot: a few timings find it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final, final

import numpy as np

from parapick.belts.phases import approached
from parapick.belts.search import Found
from parapick.belts.tries import SHARES, Departure, Goal, tried
from parapick.belts.types import Approach, ConveyorLimits
from parapick.belts.use import Cell, drive_limits, exact_use, fits
from parapick.motion.errors import LimitError
from parapick.motion.motion import Motion
from parapick.motion.motion_pieces import Along, stated
from parapick.timing import SingularPathError, UnreachablePathError, fastest
from parapick.timing.stretch_duration import between, lasting

__all__ = ["hastened"]

# Share of torque and acceleration that is left for making a timing last as long as it must.
_SPARE: Final = 2e-3
# How much earlier than the item, as a share of T, the robot may be before it is made to last: what the grids of two
# timings differ by is less.
_EARLY: Final = 1e-4
# A wait shorter than this (s) is rounding.
_AT_ONCE: Final = 1e-9
# Timings that find an instant, and ways that are tried one after the other.
_TIMINGS: Final = 8
_WAYS: Final = 4
# Ramp shares of the ways: with short ramps a way is almost a polygon, in whose corners the plate would have to stop.
_TRIED: Final = np.flatnonzero(np.array(SHARES) >= 0.25)[::2]
# Share of the time by a law at which ways are looked for first: about what a fastest timing takes.
_GUESS: Final = 0.75
# Ways are looked for with so many times the margin that is asked for, because what is met still moves a little.
_MARGIN: Final = 1.05
# Share of the mean speed up to a meeting that makes a robot come too late: a limit on speed for one that would be too
# early and cannot wait.
_SLOWER: Final = 0.9


@final
@dataclass(frozen=True)
class _Way:
    """How an intercept leads: the share of its ramps, and its bend as a part of the distance (dof numbers)."""

    share: float
    aside: tuple[float, ...]

    @staticmethod
    def of(approach: Approach) -> _Way:
        aside = tuple(value * approach.duration for value in approach.bend)
        return _Way(approach.ramp_time / approach.duration, aside)

    def lasting(self, duration: float) -> Approach:
        """The intercept of a law with this way."""
        bend = tuple(value / duration for value in self.aside)
        return Approach(duration, min(self.share, 0.5) * duration, bend)


def hastened(cell: Cell, start: Departure, goal: Goal, found: Found) -> Found:
    """The earliest meeting with a fastest timing; what was found already where none is earlier and keeps the limits.

    Args:
        cell: robot, with what it carries, laws and limits.
        start: where and when it starts.
        goal: what is met.
        found: the earliest meeting by a law, if there is one.
    """
    if not goal.spans or (found.approach is not None and found.approach.stop):
        return found
    latest = goal.spans[-1][1] if found.approach is None else found.time
    low = next((low for low, high in goal.spans if low <= latest <= high), latest)
    low, known = max(low, start.time), set[_Way]()
    if found.approach is not None and found.time <= low + _AT_ONCE:
        return found
    time = max(low, start.time + _GUESS * (latest - start.time))
    for _ in range(_WAYS):
        way = next((way for way in _ways(cell, start, goal, time) if way not in known), None)
        if way is None:
            break
        known.add(way)
        try:
            time, motion = _met(cell, start, goal, way, low, time)
        except (LimitError, SingularPathError, UnreachablePathError):
            continue
        if motion is not None and time < latest:
            used = exact_use(cell, motion)
            if fits(used)[0]:
                wait = time - start.time - motion.duration if start.resting else 0.0
                wait = wait if wait > _AT_ONCE else 0.0
                return Found(time, replace(way.lasting(motion.duration), wait=wait, timed=motion), used)
    return found


def _met(cell: Cell, start: Departure, goal: Goal, way: _Way, low: float, guess: float) -> tuple[float, Motion | None]:
    """The instant of the meeting, not before `low`, and the intercept up to it; None where none is found."""
    whole = low - start.time
    if whole > 0.0:
        # From rest the way is that of a law that goes late; otherwise that of one that goes at once.
        first = _timed(cell, start, goal, way, low, min(whole, guess - start.time) if start.resting else whole)
        if first.duration <= whole:
            return low, first if start.resting else _slower(cell, start, goal, way, low, first)
    late = early = (math.nan, math.nan)
    time = guess
    for _ in range(_TIMINGS):
        motion = _timed(cell, start, goal, way, time, time - start.time)
        over = start.time + motion.duration - time
        if -_EARLY * motion.duration <= over <= 0.0:
            return time, lasting(motion, time - start.time)
        late, early = ((time, over), early) if over > 0.0 else (late, (time, over))
        time = max(low, _next(late, early, 0.3 * _EARLY * motion.duration))
        if not time > start.time:
            break
    return max(time, low), None


def _next(late: tuple[float, float], early: tuple[float, float], margin: float) -> float:
    """The next instant to try: by a secant between one that is too soon and one that is not, and a little later."""
    if math.isnan(late[1]):
        # Only instants that leave time: T hardly changes with the instant.
        return early[0] + early[1] + margin
    if math.isnan(early[1]):
        return late[0] + late[1] + margin
    share = late[1] / (late[1] - early[1])
    return late[0] + share * (early[0] - late[0]) + margin


def _timed(
    cell: Cell, start: Departure, goal: Goal, way: _Way, time: float, duration: float, cap: float = math.inf
) -> Motion:
    """The fastest intercept of what is met at an instant, on the way of a law that would take a duration."""
    pose = goal.pose(np.array([time]))[0]
    law = approached(start.pose, start.velocity, pose.tolist(), goal.velocity, way.lasting(duration), cell.work)
    limits, (speeds, torques) = cell.limits, drive_limits(cell.model, cell.limits)
    v_max, a_max = min(limits.v_max, cap), limits.a_max * (1.0 - _SPARE)
    return fastest(
        cell.model,
        stated(law.pieces[0]).path(),
        torque=(torques * (1.0 - _SPARE)).tolist() if np.isfinite(torques).any() else None,
        speed=limits.motor_speed if np.isfinite(speeds).any() and limits.motor_speed is not None else False,
        v_max=None if math.isinf(v_max) else v_max,
        a_max=None if math.isinf(a_max) else a_max,
        start_speed=float(np.linalg.norm(start.velocity[:3])),
        end_speed=float(np.linalg.norm(goal.velocity[:3])),
        name=law.phases[0].name,
    )


def _slower(cell: Cell, start: Departure, goal: Goal, way: _Way, time: float, quick: Motion) -> Motion:
    """An intercept that is there at an instant and not before: between a quick one and one that a speed limit slows."""
    whole = time - start.time
    if quick.duration >= whole * (1.0 - _EARLY):
        return lasting(quick, whole)
    mean = sum(piece.piece.length for piece in quick.pieces if isinstance(piece, Along)) / whole
    return between(quick, _timed(cell, start, goal, way, time, whole, _SLOWER * mean), whole)


def _ways(cell: Cell, start: Departure, goal: Goal, time: float) -> list[_Way]:
    """Ways to a meeting at an instant that keep reach and margins: the smallest bends first, then the longest ramps."""
    free = replace(cell, limits=ConveyorLimits(margin=_MARGIN * cell.limits.margin))
    tries, good, _ = tried(free, start, goal, np.array([time]), _TRIED, _TRIED)
    size = np.linalg.norm(tries.bend, axis=1)
    order = np.lexsort((tries.share, size))
    return [_Way.of(tries.approach(int(index), start)) for index in order[good[order]]]
