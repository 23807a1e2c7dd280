"""The fastest cycle: the way of the task, run through as fast as the drives allow.

The peak torque and peak speed of the drives bound every instant. Where the file states a rated torque, the effective
torque must keep it too: a cycle that is too hot is run slower as a whole until it does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from parapick.errors import ParapickError
from parapick.evaluation.answer import Section, Series, Table
from parapick.evaluation.context import Context
from parapick.evaluation.pace import Pace
from parapick.evaluation.words import percent
from parapick.motion.loads import looked_at, motor_loads

__all__ = ["section"]

_TITLE: Final = "Fastest cycle"
_AT_LIMIT: Final = 0.98
"""Share of its peak torque from which on a motor counts as working at its limit; the timing keeps 0.1 % back."""


def section(context: Context) -> Section:
    """How many cycles a minute the drives allow, and which of them decide.

    Args:
        context: the robot on its way.
    """
    if context.no_pace:
        return Section("fastest", _TITLE, notes=(f"not looked at: {context.no_pace}",))
    try:
        pace = context.pace
    except ParapickError as error:
        return Section("fastest", _TITLE, notes=(f"not found: {error}",))
    samples = looked_at(context.model, pace.motion, 1000.0 / pace.motion.duration)
    loads = motor_loads(context.model, samples)
    motors, now = context.motors, context.motion.duration
    labels = tuple(f"motor {i + 1}" for i in range(loads.torque.shape[1]))
    per_minute = 60.0 / pace.motion.duration
    return Section(
        key="fastest",
        title=_TITLE,
        tables=(_table(context, pace, samples.t, np.abs(loads.torque) / motors.peak_torque),),
        series=(
            Series(
                "motor torque of the fastest cycle",
                "N m",
                samples.t,
                loads.torque,
                labels,
                motors.named(peak=motors.peak_torque, rated=motors.rated_torque),
            ),
        ),
        notes=tuple(_notes(pace)),
        data={
            "fastest_cycles_per_minute": per_minute,
            "fastest_duration": pace.motion.duration,
            "peak_limited_duration": pace.peak_limited,
            "limited_by_heat": pace.hot,
            "asked_duration": now,
        },
    )


def _table(context: Context, pace: Pace, t: np.ndarray, share: np.ndarray) -> Table:
    peaks = pace.motion.peaks()
    duration, now = pace.motion.duration, context.motion.duration
    rows = [
        ("cycles a minute", 60.0 / now, 60.0 / duration),
        ("duration (s)", now, duration),
        ("plate speed (m/s)", context.motion.peaks().speed.value, peaks.speed.value),
        ("plate acceleration (m/s2)", context.motion.peaks().acceleration.value, peaks.acceleration.value),
    ]
    own = np.abs(context.loads.torque) / context.motors.peak_torque
    for i in range(share.shape[1]):
        working = (_lasting(context.samples.t, own[:, i]), _lasting(t, share[:, i]))
        rows.append((f"motor {i + 1} at its peak torque (% of the time)", *working))
    return Table(
        "the cycle as asked for and as fast as it can be", ("quantity", "asked", "fastest"), ("", "", ""), tuple(rows)
    )


def _lasting(t: np.ndarray, share: np.ndarray) -> float:
    """Share of the time (%) for which a share of a limit counts as all of it."""
    return 100.0 * float(np.trapezoid((share >= _AT_LIMIT).astype(float), t) / (t[-1] - t[0]))


def _notes(pace: Pace) -> Iterator[str]:
    yield "limits are those of the drives; limits of the task on the plate are left aside"
    if pace.hot:
        slower = pace.motion.duration / pace.peak_limited - 1.0
        yield (
            f"the peak torque alone would allow {60.0 / pace.peak_limited:.4g} cycles a minute; run {percent(slower)} "
            "slower the effective torque keeps its rating"
        )
