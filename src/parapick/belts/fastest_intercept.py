"""Intercepts as fast as the drives allow: the path of a shape, run through by its fastest timing.

The item moves on while the robot comes, so the time T up to the meeting is the first with `tau(path to the item at T)
<= T` and a path within reach and margins, with tau the fastest time along a path. tau changes slowly with T, because a
belt is slower than a robot: a few timings find it, of all shapes side by side. Neither shapes nor what is within reach
depend on the limits, and what is fast enough for some limits is so for looser ones: these never make a meeting later.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

import numpy as np

from parapick.belts.candidates import COARSE, Candidates, Goals, shapes
from parapick.belts.ladder import LADDER, TICK, rungs_within, shortest
from parapick.belts.limit_use import Cell, drive_limits, exact_use, limits_hold
from parapick.belts.search import SearchResult
from parapick.belts.types import ConveyorLimits
from parapick.motion import Along, Motion, PathRates, path_of
from parapick.timing import KEPT, TimingLimits, between, fastest_each, lasting

# Share of torque and acceleration that is left for making a timing last as long as it must, which changes them.
_SPARE: Final = 2.0 * KEPT
# Share by which the estimate of a shape may be above the best and still be timed. With none a shape that seems slower
# by the error of the estimate, seen up to 9 %, would never be the fastest.
_CLOSE: Final = 0.1
# Share of the mean speed up to a meeting that makes a robot come too late: a limit on speed for one that would be too
# early and cannot wait.
_SLOWER: Final = 0.9


def fastest_intercept(goals: Goals, found: SearchResult) -> SearchResult:
    """The earliest meeting with one goal by a fastest timing; what a law found already where none is earlier."""
    for low, high in goals.spans[0]:
        span = max(low, 0.0), min(high, LADDER[-1])
        if found.time <= span[0] * (1.0 + TICK):
            break
        sooner = _soonest(replace(goals, spans=((span,),)), found)
        if sooner is not found:
            return sooner
    return found


def _soonest(goals: Goals, otherwise: SearchResult) -> SearchResult:
    """The earliest meeting of all shapes within one span; what is known otherwise where none is earlier."""
    high, best = goals.spans[0][0][1], otherwise
    durations, every = estimates(goals, otherwise.time)
    every = every.take(durations <= (1.0 + _CLOSE) * durations.min(initial=math.inf))
    times, quick = _in_time(every, otherwise.time)
    for k in np.argsort(times).tolist():
        candidate = every.take(np.array([k]))
        time = float(times[k])
        motion = quick[k]
        if motion is not None and time < best.time:
            best = _settled(candidate, time, motion) or _settled_later(candidate, time, high, best)
    return best


def _settled(one: Candidates, time: float, quick: Motion) -> SearchResult | None:
    """The meeting at a time (s) by a timing that is quick enough, checked without samples; None if it is none."""
    arriving = _arriving(one, time, quick)
    if arriving is None or not (use := exact_use(one.goals.cell, arriving)).holds[0]:
        return None
    met = replace(one, time=np.array([time]), duration=np.array([arriving.duration])).approach()
    wait = time - arriving.duration if time - arriving.duration > TICK * time else 0.0
    return SearchResult(time, replace(met, wait=wait, timed=arriving), use)


def _settled_later(one: Candidates, early: float, high: float, otherwise: SearchResult) -> SearchResult:
    """The first meeting behind an instant at which samples hid something (s): by doubling the step, then halving it."""
    best, step, growth = otherwise, TICK * early, 2.0
    while step >= 0.5 * TICK * early:
        time = float(first_clear(one, np.array([early + step]), np.array([min(high, best.time)]))[0])
        if not time < best.time:
            break
        (motion,) = _timed(one, np.array([time]))
        if motion is not None and (found := _settled(one, time, motion)):
            best, growth = found, 0.5
        else:
            early = time
        step *= growth
    return best


def _in_time(every: Candidates, before: float) -> tuple[np.ndarray, list[Motion | None]]:
    """The first instants (n,), s, by which the robot can be there by shapes, with its timings then; or infinite.

    What is not there before some instant, or before another, is not tried any further.
    """
    (low, high), time, count = every.goals.spans[0][0], every.time.copy(), len(every.time)
    late, missing, early, over = np.zeros(count), np.full(count, math.nan), np.full(count, math.inf), np.zeros(count)
    quick: list[Motion | None] = [None] * count
    left = np.arange(count)
    for _ in LADDER:
        time[left] = np.maximum(time[left], low)
        clear = first_clear(every.take(left), time[left], np.minimum(early[left], min(high, before)))
        # Before the first instant at which the path is clear there is no timing.
        blocked = left[(clear > time[left]) & np.isfinite(clear)]
        time[left] = clear
        late[blocked], missing[blocked] = time[blocked] * (1.0 - TICK), math.inf
        left = left[time[left] < min(before, early.min(initial=math.inf))]
        if len(left) == 0:
            break
        for k, motion in zip(left.tolist(), _timed(every.take(left), time[left]), strict=True):
            gap = math.inf if motion is None else motion.duration - time[k]
            if gap > 0.0:
                late[k], missing[k] = time[k], gap
            else:
                early[k], over[k], quick[k] = time[k], gap, motion
        near = np.maximum(late - early, over) >= -TICK * early
        left = left[~(np.isfinite(early) & (near | (early <= low)))[left]]
        time = _next_times(late, missing, early, over)
    return early, quick


def _next_times(late: np.ndarray, missing: np.ndarray, early: np.ndarray, over: np.ndarray) -> np.ndarray:
    """The next instants to try (n,), s, from some that are too soon and some that are not, and the times that lack.

    By a secant, to the middle of a tick; by halving where there is no timing, and by the next rung where none is yet.
    """
    rung = LADDER[np.minimum(np.searchsorted(LADDER, late, side="right"), len(LADDER) - 1)]
    with np.errstate(invalid="ignore"):
        secant = late + missing / (missing - over) * (early - late)
        unknown = [np.isnan(missing), np.isinf(missing) & np.isinf(early), np.isinf(early), np.isinf(missing)]
        time = np.select(unknown, [early + over, rung, late + missing, 0.5 * (late + early)], secant)
    return time * (1.0 + 0.5 * TICK)


def first_clear(every: Candidates, first: np.ndarray, last: np.ndarray) -> np.ndarray:
    """The first instants (n,), s, from some to others at which the paths of shapes are within reach; or infinite."""
    cell, ahead = every.goals.cell, np.flatnonzero(first <= last)
    free = replace(cell, limits=ConveyorLimits(margin=cell.limits.margin))

    def clear(which: np.ndarray, time: np.ndarray) -> np.ndarray:
        return limits_hold(free, replace(every.take(ahead[which]), time=time, duration=time).series())

    def always(which: np.ndarray, _: np.ndarray) -> np.ndarray:
        return np.ones(len(which), dtype=bool)

    times = np.full(len(first), math.inf)
    if len(ahead):
        spans = zip(first[ahead].tolist(), last[ahead].tolist(), strict=True)
        times[ahead] = shortest([rungs_within(span) for span in spans], always, clear, clear)
    return times


def _timed(every: Candidates, time: np.ndarray, v_max: float = math.inf) -> list[Motion | None]:
    """The fastest intercepts of what is met at times (n,), s, on the paths of laws that take as long; None without."""
    goals, every = every.goals, replace(every, time=time, duration=time)
    paths = [path_of(every.law_motion(every.approach(k), k).pieces[0]) for k in range(len(time))]
    ends = float(np.linalg.norm(goals.start.velocity[:3])), float(np.linalg.norm(goals.velocity[:3]))
    timed = fastest_each(goals.cell.model, list(paths), timing_limits(goals.cell, v_max), end_speeds=ends)
    return [motion if isinstance(motion, Motion) else None for motion in timed]


def timing_limits(cell: Cell, v_max: float = math.inf) -> TimingLimits:
    """The limits of a cell, and of a speed (m/s), for a fastest timing, less a little of torque and acceleration."""
    limits, (speeds, torques) = cell.limits, drive_limits(cell.model, cell.limits)
    v_max, a_max = min(limits.v_max, v_max), limits.a_max * (1.0 - _SPARE)
    # Torque over speed counts in any case, and begins with a peak torque.
    curved = any(curve is not None for curve in cell.model.motors.curves)
    asked = (torques * (1.0 - _SPARE)).tolist() if np.isfinite(torques).any() else None
    return TimingLimits(
        torque="peak" if asked is None and curved else asked,
        speed=limits.motor_speed if np.isfinite(speeds).any() and limits.motor_speed is not None else False,
        v_max=None if math.isinf(v_max) else v_max,
        a_max=None if math.isinf(a_max) else a_max,
        yaw_rate=limits.yaw_rate,
        yaw_acceleration=limits.yaw_acceleration * (1.0 - _SPARE),
        share=(1.0 if limits.motor_torque is None else limits.motor_torque) * (1.0 - _SPARE),
    )


def _arriving(one: Candidates, time: float, quick: Motion) -> Motion | None:
    """An intercept that is there at a time (s) and not before, from a quick one, which at rest may wait; or None."""
    if quick.duration >= time * (1.0 - TICK):
        return lasting(quick, time)
    if one.goals.start.resting:
        return quick
    mean = sum(piece.piece.length for piece in quick.pieces if isinstance(piece, Along)) / time
    (slow,) = _timed(one, np.array([time]), _SLOWER * mean)
    return between(quick, slow, time) if slow is not None and slow.duration >= time else None


def estimates(goals: Goals, guess: float) -> tuple[np.ndarray, Candidates]:
    """About how long fastest intercepts take (n,), s, and with which shapes.

    The paths are those to where goals are at a guess (s), then to where they are after the times that came out.
    """
    low, high = (np.array([spans[k][k] for spans in goals.spans]) for k in (0, -1))
    share, bend = shapes(coarse=False)
    gentle = (share == 0) | ((bend == 0.0) & (share == 4 * COARSE))
    times = np.clip(guess if guess < math.inf else np.median(LADDER), low, high)
    every = Candidates.of(goals, np.arange(len(times)), times, (share[gentle], bend[gentle]), waiting=False)
    durations = every.time
    for _ in range(2):
        durations = _estimated(every)
        time = np.clip(np.where(np.isinf(durations), every.time, durations), low[every.goal], high[every.goal])
        every = replace(every, time=time, duration=time)
    good = np.isfinite(durations)
    return durations[good], every.take(good)


def _estimated(every: Candidates) -> np.ndarray:
    """Fastest times (n,) along the paths of candidates, s, on the grid of their samples; infinite where none is."""
    goals, (x, xd, xdd, _) = every.goals, every.series()
    speed = np.linalg.norm(xd[..., :3], axis=-1, keepdims=True)
    ends = [0, -1]
    for value in (xd, xdd, speed):
        # At rest a direction is a quotient of nothing by nothing: that of the next sample will do.
        value[:, ends] = np.where(speed[:, ends] > TICK * speed.max(), value[:, ends], value[:, [1, -2]])
    tangent = xd / speed
    along = np.einsum("knd,knd->kn", tangent[..., :3], xdd[..., :3])[..., None]
    path = PathRates(x, tangent, (xdd - tangent * along) / speed**2, np.zeros_like(x))
    steps = np.linalg.norm(np.diff(x[..., :3], axis=1), axis=-1)
    # Samples at one place would be a jump of the speed.
    steps = np.maximum(steps, TICK * steps.max(axis=1, keepdims=True))
    speeds = float(np.linalg.norm(goals.start.velocity[:3])), float(np.linalg.norm(goals.velocity[:3]))
    return timing_limits(goals.cell).of(goals.cell.model).sampled_durations(path, steps, speeds)
