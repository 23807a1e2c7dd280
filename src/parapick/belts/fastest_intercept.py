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
from parapick.belts.ladder import LADDER, ROUNDS, TICK, rungs_within, shortest
from parapick.belts.limit_use import Cell, drive_limits, exact_use, limits_hold
from parapick.belts.search import Found
from parapick.belts.types import ConveyorLimits
from parapick.model.extremes import LIMIT_SLACK
from parapick.motion.errors import LimitError
from parapick.motion.motion import Motion
from parapick.motion.motion_pieces import Along, path_of
from parapick.motion.path import PathRates
from parapick.timing import SingularPathError, UnreachablePathError, fastest
from parapick.timing.limits_along import KEPT, PathLimits
from parapick.timing.speed_profile import cell_rows, profile
from parapick.timing.stretch_duration import between, lasting

# Share of torque and acceleration that is left for making a timing last as long as it must, which changes them.
_SPARE: Final = 2.0 * KEPT
# Share by which the estimate of a shape may be above the best and still be timed: it is better known than that. With
# none a shape that seems slower by the error of the estimate, seen up to 2.5 %, would never be the fastest.
_CLOSE: Final = 0.1
# Share of a tick by which a robot is meant to be early: aimed at exactly, every other timing would be late.
_JUST: Final = 0.3
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
    count, (share, bend) = len(goals.pose), shapes(coarse=False)
    gentle = (share == 0) | ((bend == 0.0) & (share == 4 * COARSE))
    low, high = (np.array([spans[k][k] for spans in goals.spans]) for k in (0, -1))
    every = Candidates.of(
        goals,
        np.arange(count),
        np.clip(guess if guess < math.inf else np.median(LADDER), low, high),
        (share[gentle], bend[gentle]),
        waiting=False,
    )
    durations = every.time
    for _ in range(rounds):
        durations = _estimated(goals, every, COARSE if rounds < ROUNDS - 1 else 1)
        time = np.clip(np.where(np.isinf(durations), every.time, durations), low[every.goal], high[every.goal])
        every = replace(every, time=time, duration=time)
    good = np.isfinite(durations)
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
    rows = _path_limits(goals.cell).rows(path, np.zeros(x.shape[:2], dtype=bool))
    beta, gamma = rows.linear(np.zeros(x.shape[:2]))
    steps = np.maximum(np.linalg.norm(np.diff(x[..., :3], axis=1), axis=-1), LIMIT_SLACK)
    speeds = (float(np.linalg.norm(velocity[:3])) ** 2 for velocity in (goals.start.velocity, goals.velocity))
    first, last = speeds
    durations = np.full(len(x), math.inf)
    for k, h in enumerate(steps):
        pairs = [np.stack([value[k][:-1], value[k][1:]], axis=1) for value in (rows.alpha, beta, gamma, rows.cap)]
        room = np.maximum(1.0 - pairs[2], LIMIT_SLACK)
        u, _ = profile(cell_rows(h, pairs[0], pairs[1], room, pairs[3]), first, last)
        if np.isfinite(u).all():
            durations[k] = 2.0 * np.sum(h / np.maximum(np.sqrt(u[:-1]) + np.sqrt(u[1:]), LIMIT_SLACK))
    return durations


def _path_limits(cell: Cell) -> PathLimits:
    limits, ratio, (speeds, torques) = cell.limits, cell.model.motors.ratio, drive_limits(cell.model, cell.limits)
    plate = limits.v_max, limits.a_max, limits.yaw_rate, limits.yaw_acceleration
    return PathLimits(cell.model, torques * ratio, speeds / ratio, *plate)


def fastest_intercept(goals: Goals, found: Found) -> Found:
    """The earliest meeting with one goal by a fastest timing; what a law found already where none is earlier."""
    for low, high in goals.spans[0]:
        span = max(low, 0.0), min(high, LADDER[-1])
        if found.time <= span[0] * (1.0 + TICK):
            break
        sooner = _fastest_within(replace(goals, spans=((span,),)), found)
        if sooner is not found:
            return sooner
    return found


def _fastest_within(goals: Goals, found: Found) -> Found:
    """The earliest meeting of all shapes within one span; what was found already where none is earlier."""
    best = found
    durations, tried = estimates(goals, found.time, ROUNDS - 1)
    for k in np.argsort(durations).tolist():
        if durations[k] > (1.0 + _CLOSE) * best.time or best.time <= goals.spans[0][0][0] * (1.0 + TICK):
            break
        best = _soonest(goals, tried.take(np.array([k])), best)
    return best


def _soonest(goals: Goals, shape: Candidates, otherwise: Found) -> Found:
    """The earliest meeting by one shape: its path keeps reach and margins, and its fastest time is not too long."""
    high, before, later = goals.spans[0][0][1], otherwise.time, TICK
    time, motion = _in_time(goals, shape, before)
    while time < before:
        clear = _first_clear(goals, shape, time, min(high, before))
        if clear > time:
            time, motion = clear, _timed(goals, shape, clear) if clear < before else None
        if motion is None:
            break
        arriving = _arriving(goals, shape, time, motion)
        if arriving is not None and (use := exact_use(goals.cell, arriving)).holds[0]:
            one = replace(shape, time=np.array([time]), duration=np.array([arriving.duration]))
            wait = time - arriving.duration
            return Found(time, replace(one.approach(), wait=wait if wait > TICK * time else 0.0, timed=arriving), use)
        # Samples hid something: a little later.
        time, later = min(high, time * (1.0 + later)) if time < high else math.inf, 2.0 * later
        motion = _timed(goals, shape, time) if time < before else None
    return otherwise


def _first_clear(goals: Goals, shape: Candidates, first: float, last: float) -> float:
    """The first instant (s) from one to another at which the path of a shape keeps reach and margins; or infinite."""
    free = replace(goals.cell, limits=ConveyorLimits(margin=goals.cell.limits.margin))

    def clear(which: np.ndarray, time: np.ndarray) -> np.ndarray:
        every = replace(shape.take(which), time=time, duration=time)
        return limits_hold(free, every.series())

    def hopeful(_: np.ndarray, time: np.ndarray) -> np.ndarray:
        return np.ones(len(time), dtype=bool)

    return float(shortest([rungs_within((first, last))], hopeful, clear, clear)[0])


def _in_time(goals: Goals, shape: Candidates, before: float) -> tuple[float, Motion | None]:
    """The first instant (s) by which the robot can be there, and its timing then; infinite if not earlier than another.

    Fastest times hardly change with the instant, so that secants find it; where there is no timing yet, by halving.
    """
    (low, high), late, early, quick = goals.spans[0][0], (0.0, math.nan), (math.inf, math.nan), None
    time = low if low > 0.0 else float(shape.time[0])
    for _ in LADDER:
        time = _first_clear(goals, shape, max(low, time), min(high, before)) if quick is None else time
        if time >= before:
            break
        motion = _timed(goals, shape, time)
        over = math.inf if motion is None else motion.duration - time
        if over > 0.0:
            late = time, over
        else:
            early, quick = (time, over), motion
            if time == low or max(late[0] - time, over) >= -TICK * time:
                break
        time = _next(late, early)
    return early[0], quick


def _next(late: tuple[float, float], early: tuple[float, float]) -> float:
    """The next instant to try, from one that is too soon and one that is not, each with the time that is missing."""
    (first, missing), (last, over) = late, early
    if math.isnan(missing):
        return last + over + _JUST * TICK * last
    if math.isinf(last):
        return first + missing + _JUST * TICK * first if missing < math.inf else float(LADDER[first < LADDER][0])
    if math.isinf(missing):
        return 0.5 * (first + last)
    return first + missing / (missing - over) * (last - first) + _JUST * TICK * last


def _timed(goals: Goals, shape: Candidates, time: float, v_max: float = math.inf) -> Motion | None:
    """The fastest intercept of what is met at a time, on the path of a law that takes as long; None without one."""
    one = replace(shape, time=np.array([time]), duration=np.array([time]))
    law, limits, model = one.law_motion(one.approach()), goals.cell.limits, goals.cell.model
    speeds, torques = drive_limits(model, limits)
    v_max, a_max = min(limits.v_max, v_max), limits.a_max * (1.0 - _SPARE)
    try:
        return fastest(
            model,
            path_of(law.pieces[0]),
            torque=(torques * (1.0 - _SPARE)).tolist() if np.isfinite(torques).any() else None,
            speed=limits.motor_speed if np.isfinite(speeds).any() and limits.motor_speed is not None else False,
            v_max=None if math.isinf(v_max) else v_max,
            a_max=None if math.isinf(a_max) else a_max,
            yaw_rate=limits.yaw_rate,
            yaw_acceleration=limits.yaw_acceleration * (1.0 - _SPARE),
            start_speed=float(np.linalg.norm(goals.start.velocity[:3])),
            end_speed=float(np.linalg.norm(goals.velocity[:3])),
            name=law.phases[0].name,
        )
    except (LimitError, SingularPathError, UnreachablePathError):
        return None


def _arriving(goals: Goals, shape: Candidates, time: float, quick: Motion) -> Motion | None:
    """An intercept that is there at a time (s) and not before, from a quick one, which at rest may wait; or None."""
    if quick.duration >= time * (1.0 - TICK):
        return lasting(quick, time)
    if goals.start.resting:
        return quick
    mean = sum(piece.piece.length for piece in quick.pieces if isinstance(piece, Along)) / time
    slow = _timed(goals, shape, time, _SLOWER * mean)
    return between(quick, slow, time) if slow is not None and slow.duration >= time else None
