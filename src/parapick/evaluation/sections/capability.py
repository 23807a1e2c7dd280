"""The reserve around the worst pose: what the motors allow there, in the task's own direction and in any other.

The section on torque says whether a motor gives too much. This one says what that leaves the plate: how much more
acceleration, speed and payload, at the speed of the task and with what it carries. It checks no requirement of its own:
a reserve below 1 is a torque or a speed above its limit, which the other sections count already.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from parapick.capability import speed
from parapick.evaluation.answer import Cell, Section, Series, Table
from parapick.evaluation.context import Context
from parapick.evaluation.reserve import Reserve, reserve_of
from parapick.evaluation.words import amount, at_place, percent
from parapick.motion.extremes import first_largest, first_smallest

__all__ = ["section"]

_TITLE: Final = "Reserve"

_RESTING: Final = 1e-9
"""Joint speed as a share of its limit below which nothing is asked of the motor."""


def section(context: Context) -> Section:
    """Accelerations, speeds and payloads that the drives allow along the task.

    Args:
        context: the robot on its way.
    """
    reason = _left_out(context)
    if reason:
        return Section("capability", _TITLE, notes=(f"not looked at: {reason}",))
    reserve = reserve_of(context)
    places = _places(context, reserve)
    carrier = _carrier(context, reserve)
    tables = [_accelerations(context, reserve, {**places, "least payload": carrier})]
    if np.isfinite(context.motors.peak_speed).all():
        tables.append(_speeds(context))
    curves = np.column_stack([reserve.asked, reserve.along, reserve.any])
    labels = ("asked", "possible in its direction", "possible in any direction")
    return Section(
        key="capability",
        title=_TITLE,
        tables=tuple(tables),
        series=(Series("acceleration, asked and possible", "m/s2", context.samples.t, curves, labels),),
        notes=tuple(_notes(context, reserve, places, carrier)),
        data=_data(context, reserve, places, carrier),
    )


def _left_out(context: Context) -> str:
    """Why nothing bounds the accelerations; empty where something does."""
    if context.no_torque:
        return context.no_torque
    open_ended = [str(i + 1) for i in np.flatnonzero(~np.isfinite(context.motors.peak_torque))]
    if not open_ended:
        return ""
    which = "the drives" if len(open_ended) == context.model.robot.motors else f"motor {', '.join(open_ended)}"
    return f"the file states no peak torque of {which}, so nothing bounds the acceleration"


def _places(context: Context, reserve: Reserve) -> dict[str, int]:
    """Samples that say most, by what they are."""
    found = {"most torque": context.limiting[0]}
    if np.isfinite(reserve.factor).any():
        found["least reserve"] = first_smallest(reserve.factor)
    return {**found, "least in any direction": first_smallest(reserve.any)}


def _carrier(context: Context, reserve: Reserve) -> int:
    """The sample that bounds the payload: where the task carries something, or anywhere if it never does."""
    carries = context.payload[:, 0] > 0.0
    return first_smallest(np.where(carries | ~carries.any(), reserve.payload, np.inf))


def _accelerations(context: Context, reserve: Reserve, places: dict[str, int]) -> Table:
    rows = tuple((name, float(context.samples.t[k]), *_row(reserve, k)) for name, k in places.items())
    heads = ("where", "at t", "asked", "in its direction", "reserve", "in any direction", "in the best", "payload")
    units = ("", "s", "m/s2", "m/s2", "", "m/s2", "m/s2", "kg")
    note = (
        "Accelerations of the plate by peak torques, at the task's speed and with what it carries, while yaw "
        "accelerates as asked. The reserve is how many times its own acceleration a place allows; the payload is the "
        "mass with which the tool can still do what is asked there."
    )
    return Table("acceleration and payload, asked and possible", heads, units, rows, note)


def _row(reserve: Reserve, sample: int) -> Iterator[Cell]:
    for values in (reserve.asked, reserve.along, reserve.factor, reserve.any, reserve.best, reserve.payload):
        value = float(values[sample])
        yield None if np.isnan(value) else value


def _speeds(context: Context) -> Table:
    """Plate speeds at the sample where a motor comes nearest to its peak speed, and where most torque is asked."""
    samples, share = context.samples, _speed_share(context)
    rows = []
    for name, k in (("most motor speed", first_largest(share)), ("most torque", context.limiting[0])):
        turning = float(samples.xd[k, 3]) if samples.xd.shape[1] > 3 else 0.0
        possible = speed(context.model, samples.x[k], yaw=turning)
        asked, times = float(np.linalg.norm(samples.xd[k, :3])), 1.0 / share[k] if share[k] > _RESTING else None
        along = None if times is None else asked * times
        rows.append((name, float(samples.t[k]), asked, along, times, float(possible.any), float(possible.best)))
    heads = ("where", "at t", "asked", "in its direction", "reserve", "in any direction", "in the best")
    units = ("", "s", "m/s", "m/s", "", "m/s", "m/s")
    note = "Speeds of the plate by the peak speeds of the drives, while yaw turns as asked."
    return Table("speed, asked and possible", heads, units, tuple(rows), note)


def _speed_share(context: Context) -> np.ndarray:
    """Largest share of its peak speed that a motor has (T,)."""
    motors = context.motors
    return np.max(np.abs(context.joint_speed) * motors.ratio / motors.peak_speed, axis=-1)


def _notes(context: Context, reserve: Reserve, places: dict[str, int], carrier: int) -> Iterator[str]:
    worst = places["most torque"]
    where = at_place(context.place(worst))
    if np.isfinite(reserve.factor[worst]):
        times = f"{reserve.factor[worst]:.3g} times the {amount(float(reserve.asked[worst]), 'm/s2')} asked"
        free = amount(float(reserve.any[worst]), "m/s2")
        yield f"where most torque is asked, {where}, the motors allow {times}, and {free} in any direction"
    else:
        yield f"where most torque is asked, {where}, the motors allow no acceleration along that of the task"
    yield _payload_words(float(reserve.payload[carrier]))
    losses = sorted(set(context.motors.efficiency.tolist()) - {1.0})
    if losses:
        yield (
            f"the efficiency of the gearbox ({', '.join(map(percent, losses))}) counts against the motors both ways; "
            "where they brake, a little more is left"
        )
    if not np.isfinite(context.motors.peak_speed).all():
        yield "the file does not state the peak speed of every drive, so nothing bounds the plate's speed"


def _payload_words(mass: float) -> str:
    if mass > 0.0:
        return f"at this pace peak torques allow a payload of {amount(mass, 'kg')} at most; ratings for heat aside"
    return "at this pace peak torques allow no payload"


def _data(context: Context, reserve: Reserve, places: dict[str, int], carrier: int) -> dict[str, object]:
    worst, least = places["most torque"], places["least in any direction"]
    return {
        "reserve_time": float(context.samples.t[worst]),
        "reserve_pose": context.samples.x[worst].tolist(),
        "reserve_factor": float(reserve.factor[worst]),
        "acceleration_asked": float(reserve.asked[worst]),
        "acceleration_along": float(reserve.along[worst]),
        "acceleration_any": float(reserve.any[worst]),
        "acceleration_best": float(reserve.best[worst]),
        "acceleration_any_least": float(reserve.any[least]),
        "acceleration_any_least_time": float(context.samples.t[least]),
        "largest_payload": float(reserve.payload[carrier]),
        "largest_payload_time": float(context.samples.t[carrier]),
    }
