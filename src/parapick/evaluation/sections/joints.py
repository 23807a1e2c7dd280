"""Joint angles and speeds along the task, and the speeds of the motors against their motors."""

from __future__ import annotations

import math

import numpy as np

from parapick.evaluation.answer import Finding, Section, Series, Table
from parapick.evaluation.context import Context
from parapick.evaluation.findings import against
from parapick.evaluation.words import at_place
from parapick.motion.extremes import first_largest

__all__ = ["section"]


def section(context: Context) -> Section:
    """Range and speed of every joint.

    Args:
        context: the robot on its way.
    """
    q, rate = context.q, context.joint_speed
    if not np.isfinite(q).any(axis=0).all():
        return Section("joints", "Joints", notes=("the robot can be nowhere on this motion",))
    motors, t = context.motors, context.samples.t
    speed = rate * motors.ratio
    labels = tuple(f"motor {i + 1}" for i in range(q.shape[1]))
    limits = motors.named(peak=motors.peak_speed)
    return Section(
        key="joints",
        title="Joints",
        findings=(_finding(context, speed),),
        tables=(_table(context, speed),),
        series=(
            Series("joint angle", "rad", t, q, labels),
            Series("joint speed", "rad/s", t, rate, labels, motors.named(peak=motors.peak_speed / motors.ratio)),
            Series("motor speed", "rad/s", t, speed, labels, limits),
        ),
        notes=() if limits else ("the file states no peak speed of the drives",),
    )


def _table(context: Context, speed: np.ndarray) -> Table:
    rows = []
    for i, limit in enumerate(context.motors.peak_speed):
        angles, rates = context.q[:, i], context.joint_speed[:, i]
        fastest = float(np.nanmax(np.abs(speed[:, i])))
        rows.append(
            (
                i + 1,
                float(np.nanmin(angles)),
                float(np.nanmax(angles)),
                float(np.nanmax(np.abs(rates))),
                fastest,
                float(context.samples.t[first_largest(np.abs(rates))]),
                100.0 * fastest / limit if math.isfinite(limit) else None,
            )
        )
    heads = ("motor", "smallest angle", "largest angle", "joint speed", "motor speed", "at t", "of peak speed")
    units = ("", "rad", "rad", "rad/s", "rad/s", "s", "%")
    return Table("angles and largest speeds of the joints", heads, units, tuple(rows))


def _finding(context: Context, speed: np.ndarray) -> Finding:
    limits = context.motors.peak_speed
    share = np.abs(speed) / context.motors.scale(limits)
    if not np.nanmax(share) > 0.0:
        # Only motors at rest are rated; then the fastest of the others is worth more to know.
        share = np.abs(speed)
    sample, motor = (int(i) for i in np.unravel_index(first_largest(share), share.shape))
    value, limit = float(speed[sample, motor]), float(limits[motor])
    place = context.place(sample, motor + 1)
    return against(
        "motor speed",
        f"speed of motor {motor + 1}",
        value,
        limit=limit,
        unit="rad/s",
        where=at_place(place),
        place=place,
    )
