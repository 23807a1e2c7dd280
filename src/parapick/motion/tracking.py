"""Motions that meet something moving, go along with it and leave it again (righettini2024 section 2.3).

Everything is written at the level of velocity with one unit ramp W, the integral of a law's acceleration pulse.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from parapick.motion.errors import LimitError, MotionError
from parapick.motion.fitting import check_duration
from parapick.motion.law import Law, law_of
from parapick.motion.motion import Motion
from parapick.motion.series import Phase
from parapick.motion.strokes import Stroke, Strokes


def intercept(
    start: Sequence[float],
    end: Sequence[float],
    *,
    duration: float,
    ramp_time: float,
    velocities: tuple[Sequence[float], Sequence[float]] = ((), ()),
    bend: Sequence[float] = (),
    law: str | Law = "modified-trapezoid",
    yaw_law: str | Law | None = None,
) -> Motion:
    """Go from one moving point to another: position and velocity match at both ends.

    `v = v0 + (v1 - v0) W(t/T) + V b(t) + U c(t)` with `b = W(t/t_a) - W((t - T + t_a)/t_a)`, the velocity `V` that
    closes the displacement, and the bend U: `c` is such a bump over the first half and its negative over the second,
    with ramps of `min(t_a, T/4)`, so that it moves the path aside and leaves both ends as they are.

    Args:
        start: task vector at the start (m, rad).
        end: task vector at the end (m, rad).
        duration: T (s).
        ramp_time: t_a (s), at most half of the duration.
        velocities: velocities at the start and at the end (m/s, rad/s); an empty one is at rest.
        bend: U (m/s); none if not given.
        law: law whose acceleration pulse makes W.
        yaw_law: law by which yaw goes from start to end over the whole duration, instead of along with the rest.

    Raises:
        LimitError: a ramp time that does not fit into the duration.
        MotionError: vectors of different lengths.
    """
    check_duration(duration)
    if not 0.0 < ramp_time <= duration / 2:
        raise LimitError("ramp_time", f"is {ramp_time:g} s; it must be greater than 0 and at most {duration / 2:g} s")
    x0, x1 = _vector("start", start, len(start)), _vector("end", end, len(start))
    v0, v1 = (_vector(f"velocity at the {at}", v, len(x0)) for at, v in zip(("start", "end"), velocities, strict=True))
    aside = _vector("bend", bend, len(x0))
    ramp = law_of(law).unit_ramp()
    half = float(ramp.position(1.0))
    missing = x1 - x0 - v0 * duration - (v1 - v0) * duration * half
    turning: tuple[Stroke, ...] = ()
    if yaw_law is not None and len(x0) == 4:
        turn = (0.0, 0.0, 0.0, float(missing[3]))
        turning = (Stroke(0.0, duration, turn, law_of(yaw_law).profile()),)
        missing[3] = 0.0
    closing = missing / (duration - ramp_time)
    short, middle = min(ramp_time, duration / 4), duration / 2
    changes = (
        (0.0, duration, v1 - v0),
        (0.0, ramp_time, closing),
        (duration - ramp_time, ramp_time, -closing),
        (0.0, short, aside),
        (middle - short, short, -aside),
        (middle, short, -aside),
        (duration - short, short, aside),
    )
    strokes = tuple(
        Stroke(begin, length, tuple((change * length).tolist()), ramp)
        for begin, length, change in changes
        if change.any()
    )
    return _motion(x0, v0, duration, strokes + turning, "intercept")


def track(
    start: Sequence[float],
    velocity: Sequence[float],
    duration: float,
    *,
    stroke: Sequence[float] = (),
    law: str | Law = "modified-trapezoid",
    name: str = "track",
) -> Motion:
    """Go along with something that moves evenly, and make a stroke relative to it, such as a descent.

    Args:
        start: task vector at the start (m, rad).
        velocity: its velocity (m/s, rad/s).
        duration: how long (s).
        stroke: what is added over the duration (m, rad); none if not given.
        law: law of the stroke.
        name: name of the phase.

    Raises:
        LimitError: a duration that is not greater than zero.
        MotionError: vectors of different lengths.
    """
    check_duration(duration)
    x0 = _vector("start", start, len(start))
    v0, added = _vector("velocity", velocity, len(x0)), _vector("stroke", stroke, len(x0))
    strokes = (Stroke(0.0, duration, tuple(added.tolist()), law_of(law).profile()),) if added.any() else ()
    return _motion(x0, v0, duration, strokes, name)


def change_speed(
    start: Sequence[float],
    start_velocity: Sequence[float],
    end_velocity: Sequence[float],
    duration: float,
    *,
    law: str | Law = "modified-trapezoid",
    name: str = "stop",
) -> Motion:
    """Go from one velocity to another in a given time; where that ends follows.

    Args:
        start: task vector at the start (m, rad).
        start_velocity: velocity at the start (m/s, rad/s).
        end_velocity: velocity at the end (m/s, rad/s).
        duration: how long (s).
        law: law whose acceleration pulse makes the ramp.
        name: name of the phase.

    Raises:
        LimitError: a duration that is not greater than zero.
        MotionError: vectors of different lengths.
    """
    check_duration(duration)
    x0 = _vector("start", start, len(start))
    v0, v1 = _vector("start_velocity", start_velocity, len(x0)), _vector("end_velocity", end_velocity, len(x0))
    change = Stroke(0.0, duration, tuple(((v1 - v0) * duration).tolist()), law_of(law).unit_ramp())
    return _motion(x0, v0, duration, (change,), name)


def _motion(x: np.ndarray, v: np.ndarray, duration: float, strokes: tuple[Stroke, ...], name: str) -> Motion:
    piece = Strokes(tuple(x.tolist()), duration, strokes, tuple(v.tolist()))
    return Motion((piece,), (Phase(name, 0.0, duration),))


def _vector(name: str, values: Sequence[float], dof: int) -> np.ndarray:
    if len(values) == 0:
        return np.zeros(dof)
    if len(values) != dof:
        raise MotionError(f"{name} has {len(values)} coordinates; it must have {dof}, as the start has")
    return np.array(values, dtype=float)
