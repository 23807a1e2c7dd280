"""Joint angles and speeds along the task, and the speeds of the motors against their ratings."""

from __future__ import annotations

import math

import numpy as np

from parapick.answer import Answer, Series, Table, columns
from parapick.evaluation.context import Context
from parapick.evaluation.load_requirements import by_group, instant_requirements, speed_requirements
from parapick.extremes import first_largest


def section(context: Context) -> Answer:
    """Range and speed of every joint.

    Args:
        context: the robot along the motion of its task.
    """
    q, rate = context.ride.q, context.ride.joint_speed
    if not np.isfinite(q).any(axis=0).all():
        return Answer("joints", "Joints", notes=("the robot can be nowhere on this motion",))
    motors, t = context.motors, context.samples.t
    speed = rate * motors.ratio
    labels = tuple(f"motor {i + 1}" for i in range(q.shape[1]))
    limits = motors.named(peak=motors.peak_speed)
    return Answer(
        key="joints",
        title="Joints",
        findings=(*speed_requirements(context.ride), *instant_requirements(context.ride, "acceleration", "jerk")),
        tables=(_table(context, speed),),
        series=(
            Series(f"joint {_word(context)}", motors.unit, t, q, labels),
            Series(
                "joint speed", motors.speed_unit, t, rate, labels, motors.named(peak=motors.peak_speed / motors.ratio)
            ),
            Series("motor speed", motors.speed_unit, t, speed, labels, limits),
        ),
        notes=() if limits else ("the file states no peak speed of the drives",),
        data={"speed_by_group": by_group(context.motors, np.abs(speed), motors.peak_speed)},
    )


def _word(context: Context) -> str:
    """What the coordinate of a joint is called: an angle, or the place of a carriage."""
    return "place" if context.motors.unit == "m" else "angle"


def _table(context: Context, speed: np.ndarray) -> Table:
    rows = []
    for i, limit in enumerate(context.motors.peak_speed):
        angles, rates = context.ride.q[:, i], context.ride.joint_speed[:, i]
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
    word, unit, rate = _word(context), context.motors.unit, context.motors.speed_unit
    heads = ("motor", f"smallest {word}", f"largest {word}", "joint speed", "motor speed", "at t", "of peak speed")
    units = ("", unit, unit, rate, rate, "s", "%")
    title = f"{word}s and largest speeds of the joints"
    return Table("joints", title, columns(heads, units), tuple(rows), printed=0)
