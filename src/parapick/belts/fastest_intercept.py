"""Intercepts as fast as the drives allow: the path of a shape, run through by its fastest timing.

The item moves on while the robot comes, so the time T up to the meeting solves `tau(path to the item at T) = T` with
tau the fastest time along a path. tau changes slowly with T, because a belt is slower than a robot: a few timings
find it. Shapes do not depend on the limits; which of them are timed is decided by an estimate on a coarse grid.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

import numpy as np

from parapick.belts.candidates import COARSE, Candidates, Goals, shapes
from parapick.belts.ladder import LADDER, ROUNDS, TICK
from parapick.belts.limit_use import Cell, drive_limits, exact_use, limits_hold
from parapick.belts.search import Found
from parapick.belts.types import ConveyorLimits
from parapick.model.extremes import LIMIT_SLACK
from parapick.motion.errors import LimitError
from parapick.motion.motion import Motion
from parapick.motion.motion_pieces import Along, stated
from parapick.motion.path import PathRates
from parapick.timing import SingularPathError, UnreachablePathError, fastest
from parapick.timing.limits_along import KEPT, PathLimits
from parapick.timing.stretch_duration import between, lasting

# Share of torque and acceleration that is left for making a timing last as long as it must, which changes them.
_SPARE: Final = 2.0 * KEPT
# Share by which the estimate of a shape may be above the best and still be timed: it is better known than that. With
# none a shape that seems slower by the error of the estimate, seen up to 2.5 %, would never be the fastest.
_CLOSE: Final = 0.03
# Share of the mean speed up to a meeting that makes a robot come too late: a limit on speed for one that would be too
# early and cannot wait.
_SLOWER: Final = 0.9


def estimates(goals: Goals, guess: float, rounds: int = 2) -> tuple[np.ndarray, Candidates]:
    """About how long fastest intercepts take (n,), s, and with which shapes; those that keep reach and margins.

    Args:
        goals: what they meet, and from where.
        guess: about how long (s): what a law takes, or anything.
        rounds: how often the paths follow the estimate; three times on a fine grid.
    """
    count, tried = len(goals.pose), shapes(coarse=False)
    gentle = tried.take((tried.share == 0) | ((tried.bend == 0.0) & (tried.share == 4 * COARSE)))
    low, high = (np.array([spans[k][k] for spans in goals.spans]) for k in (0, -1))
    every = Candidates.of(
        goals,
        np.arange(count),
        np.clip(guess if guess < math.inf else np.median(LADDER), low, high),
        gentle,
        waiting=False,
    )
    durations = every.time
    for _ in range(rounds):
        durations = _estimated(goals, every, COARSE if rounds < ROUNDS - 1 else 1)
        time = np.clip(np.where(np.isinf(durations), every.time, durations), low[every.goal], high[every.goal])
        every = replace(every, time=time, duration=time)
    free = replace(goals.cell, limits=ConveyorLimits(margin=goals.cell.limits.margin))
    good = np.isfinite(durations)
    good[good] = limits_hold(free, every.take(good).series())
    return durations[good], every.take(good)


def _estimated(goals: Goals, candidates: Candidates, step: int) -> np.ndarray:
    """Fastest times (n,) along the paths of candidates, s, on the grid of their samples; infinite where none is."""
    x, xd, xdd = candidates.series(step)
    speed = np.linalg.norm(xd[..., :3], axis=-1, keepdims=True)
    ends = [0, -1]
    for value in (xd, xdd, speed):
        # At rest a direction is a quotient of nothing by nothing: that of the next sample will do.
        value[:, ends] = np.where(speed[:, ends] > TICK * speed.max(), value[:, ends], value[:, [1, -2]])
    tangent = xd / speed
    along = np.einsum("knd,knd->kn", tangent[..., :3], xdd[..., :3])[..., None]
    path = PathRates(x, tangent, (xdd - tangent * along) / speed**2, np.zeros_like(x))
    steps = np.maximum(np.linalg.norm(np.diff(x[..., :3], axis=1), axis=-1), LIMIT_SLACK)
    speeds = goals.start.velocity, goals.velocity
    first, last = (float(np.linalg.norm(velocity[:3])) for velocity in speeds)
    return _path_limits(goals.cell).sampled_durations(path, steps, (first, last))


def _path_limits(cell: Cell) -> PathLimits:
    limits, ratio, (speeds, torques) = cell.limits, cell.model.motors.ratio, drive_limits(cell.model, cell.limits)
    plate = limits.v_max, limits.a_max, limits.yaw_rate, limits.yaw_acceleration
    return PathLimits(cell.model, torques * ratio, speeds / ratio, *plate)


def fastest_intercept(goals: Goals, found: Found) -> Found:
    """The earliest meeting with a fastest timing; what was found already where none is earlier and keeps the limits.

    Args:
        goals: what is met, and from where: one goal.
        found: the earliest meeting by a law, if there is one.
    """
    for low, high in goals.spans[0]:
        if found.time <= max(low, 0.0) * (1.0 + TICK):
            break
        span = max(low, 0.0), min(high, LADDER[-1])
        sooner = _fastest_within(replace(goals, spans=((span,),)), found)
        if sooner is not found:
            return sooner
    return found


def _fastest_within(goals: Goals, found: Found) -> Found:
    """The earliest meeting with a fastest timing within one span; what was found already where none is earlier."""
    (low, high), best = goals.spans[0][0], found
    durations, tried = estimates(goals, found.time, ROUNDS - 1)
    for k in np.argsort(durations).tolist():
        if not durations[k] <= (1.0 + _CLOSE) * durations.min():
            break
        one = tried.take(np.array([k]))
        try:
            time, motion = _met(goals, one, low, best.time)
        except (LimitError, SingularPathError, UnreachablePathError):
            continue
        if motion is None or not (time < best.time and time <= high):
            continue
        use = exact_use(goals.cell, motion)
        if use.holds[0]:
            one = replace(one, time=np.array([time]), duration=np.array([motion.duration]))
            wait = time - motion.duration if goals.start.resting and time - motion.duration > TICK * time else 0.0
            best = Found(time, replace(one.approach(), wait=wait, timed=motion), use)
    return best


def _met(goals: Goals, shape: Candidates, low: float, before: float) -> tuple[float, Motion | None]:
    """The time of the meeting from `low` on and the intercept up to it; None where none is earlier than `before`."""
    if low > 0.0:
        first = _timed(goals, shape, low)
        if first.duration <= low:
            return low, first if goals.start.resting else _slower(goals, shape, low, first)
    late = early = (math.nan, math.nan)
    time = min(float(shape.time[0]), before)
    for _ in range(2 * ROUNDS):
        motion = _timed(goals, shape, time)
        over = motion.duration - time
        if -TICK * motion.duration <= over <= 0.0:
            return time, lasting(motion, time)
        late, early = ((time, over), early) if over > 0.0 else (late, (time, over))
        time = max(low, _next(late, early, 0.3 * TICK * motion.duration))
        if time >= before:
            break
    return time, None


def _next(late: tuple[float, float], early: tuple[float, float], margin: float) -> float:
    """The next instant to try: by a secant between one that is too soon and one that is not, and a little later."""
    if math.isnan(late[1]):
        # Only instants that leave time: tau hardly changes with the instant.
        return early[0] + early[1] + margin
    if math.isnan(early[1]):
        return late[0] + late[1] + margin
    share = late[1] / (late[1] - early[1])
    return late[0] + share * (early[0] - late[0]) + margin


def _timed(goals: Goals, shape: Candidates, time: float, v_max: float = math.inf) -> Motion:
    """The fastest intercept of what is met at a time, on the path of a law that takes as long."""
    one = replace(shape, time=np.array([time]), duration=np.array([time]))
    law, limits, model = one.law_motion(one.approach()), goals.cell.limits, goals.cell.model
    speeds, torques = drive_limits(model, limits)
    v_max, a_max = min(limits.v_max, v_max), limits.a_max * (1.0 - _SPARE)
    return fastest(
        model,
        stated(law.pieces[0]).path(),
        torque=(torques * (1.0 - _SPARE)).tolist() if np.isfinite(torques).any() else None,
        speed=limits.motor_speed if np.isfinite(speeds).any() and limits.motor_speed is not None else False,
        v_max=None if math.isinf(v_max) else v_max,
        a_max=None if math.isinf(a_max) else a_max,
        yaw_rate=limits.yaw_rate,
        yaw_acceleration=limits.yaw_acceleration * (1.0 - _SPARE),
        end_speeds=(float(np.linalg.norm(goals.start.velocity[:3])), float(np.linalg.norm(goals.velocity[:3]))),
        name=law.phases[0].name,
    )


def _slower(goals: Goals, shape: Candidates, time: float, quick: Motion) -> Motion:
    """An intercept that is there at a time and not before: between a quick one and one that a speed limit slows."""
    if quick.duration >= time * (1.0 - TICK):
        return lasting(quick, time)
    mean = sum(piece.piece.length for piece in quick.pieces if isinstance(piece, Along)) / time
    return between(quick, _timed(goals, shape, time, _SLOWER * mean), time)
