"""The reserve around the worst pose: what the motors allow there, in the task's own direction and in any other.

The section on torque says whether a motor gives too much. This one says what that leaves the plate: how much more
acceleration, speed and payload, at the speed of the task and with what it carries. It checks no requirement of its own:
a reserve below 1 is a torque or a speed above its limit, which the other sections count already. The largest payload is
the mass at which the verdict turns, so it counts heat as well.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from parapick.answer import (
    Answer,
    Cell,
    Place,
    Requirement,
    Series,
    Table,
    amount,
    at_most,
    columns,
    percent,
)
from parapick.capability import speed
from parapick.evaluation.context import Context
from parapick.evaluation.largest_payload import Bearing, bearing, largest_payload
from parapick.evaluation.limiting import limiting_of
from parapick.evaluation.load_requirements import RMS, torque_requirements
from parapick.evaluation.pace import decides_words
from parapick.evaluation.torque_reserve import TorqueReserve, torque_reserve
from parapick.extremes import first_largest, first_smallest
from parapick.motors import LEAST_NORM
from parapick.timing import Turning

_TITLE: Final = "Reserve"

_GUESS: Final = 1.0
"""Mass (kg) at which the search for the largest payload begins where nothing better is known."""

_RESTING: Final = 1e-9
"""Joint speed as a share of its limit below which nothing is asked of the motor."""


def section(context: Context) -> Answer:
    """Accelerations, speeds and payloads that the drives allow along the task.

    Args:
        context: the robot along the motion of its task.
    """
    if context.run.no_torque or limiting_of(torque_requirements(context.ride)) is None:
        return Answer("capability", _TITLE, left_out=(f"not computed: {_left_out(context)}",))
    bears, reason = bearing(context), _left_out(context)
    if reason:
        most = largest_payload(bears, _GUESS)
        return Answer(
            key="capability",
            title=_TITLE,
            summary=_summary(bears, most),
            notes=tuple(_payload_notes(bears, most)),
            left_out=(f"not computed: {reason}",),
            data=_payload_data(bears, most),
        )
    # From here on the robot bears a load where the task would have one, if only a trace.
    context = bears.context
    reserve = torque_reserve(context.ride)
    places = _places(context, reserve)
    carrier = first_smallest(np.where(bears.carried, reserve.payload, np.inf))
    most = largest_payload(bears, float(reserve.payload[carrier]))
    tables = [_accelerations(context, reserve, {**places, "least payload": carrier})]
    if np.isfinite(context.motors.peak_speed).all():
        tables.append(_speeds(context))
    curves = np.column_stack([reserve.asked, reserve.along, reserve.any])
    labels = ("asked", "possible in its direction", "possible in any direction")
    return Answer(
        key="capability",
        title=_TITLE,
        tables=tuple(tables),
        series=(Series("acceleration, asked and possible", "m/s2", context.samples.t, curves, labels),),
        summary=_summary(bears, most),
        notes=(*_notes(context, reserve, places), *_payload_notes(bears, most)),
        data=_data(context, reserve, places) | _payload_data(bears, most),
    )


def _left_out(context: Context) -> str:
    """Why accelerations are not computed; empty where they are."""
    if context.run.no_torque:
        return context.run.no_torque
    if context.model.judged_sharing == LEAST_NORM and context.motors.lossy:
        return "what lossy gearboxes allow at speed is not known for motors that share by least norm"
    open_ended = [str(i + 1) for i in np.flatnonzero(~np.isfinite(context.motors.peak_torque))]
    if not open_ended:
        return ""
    which = "the drives" if len(open_ended) == context.model.robot.motors else f"motor {', '.join(open_ended)}"
    return f"the file states no peak {context.motors.word} of {which}, so nothing bounds the acceleration"


def _most(context: Context) -> str:
    """What the place is called where a motor comes nearest to its peak torque."""
    return f"most {context.motors.word}"


def _places(context: Context, reserve: TorqueReserve) -> dict[str, int]:
    """Samples that say most, by what they are."""
    places = {_most(context): context.ride.limiting[0]}
    if np.isfinite(reserve.factor).any():
        places["least reserve"] = first_smallest(reserve.factor)
    return {**places, "least in any direction": first_smallest(reserve.any)}


def _accelerations(context: Context, reserve: TorqueReserve, places: dict[str, int]) -> Table:
    rows = tuple((name, float(context.samples.t[k]), *_row(reserve, k)) for name, k in places.items())
    heads = ("where", "at t", "asked", "in its direction", "reserve", "in any direction", "in the best", "payload")
    units = ("", "s", "m/s2", "m/s2", "", "m/s2", "m/s2", "kg")
    peaks = f"peak {context.motors.word}s"
    note = (
        f"Accelerations of the plate by {peaks}, at the task's speed and with what it carries, while yaw accelerates "
        "as asked. The reserve is how many times its own acceleration a place allows; the payload is the mass with "
        f"which {peaks} can still do what is asked there; heat, which does not depend on a place, aside."
    )
    return Table(
        "reserve", "acceleration and payload, asked and possible", columns(heads, units), rows, note, printed=0
    )


def _row(reserve: TorqueReserve, sample: int) -> Iterator[Cell]:
    for values in (reserve.asked, reserve.along, reserve.factor, reserve.any, reserve.best, reserve.payload):
        value = float(values[sample])
        yield None if np.isnan(value) else value


def _speeds(context: Context) -> Table:
    """Plate speeds at the sample where a motor comes nearest to its peak speed, and where most torque is asked."""
    samples, share = context.samples, _speed_share(context)
    rows = []
    for name, k in (("most motor speed", first_largest(share)), (_most(context), context.ride.limiting[0])):
        turning = float(samples.xd[k, 3]) if samples.xd.shape[1] > 3 else 0.0
        possible = speed(context.model, samples.x[k], yaw=turning)
        asked, times = float(np.linalg.norm(samples.xd[k, :3])), 1.0 / share[k] if share[k] > _RESTING else None
        along = None if times is None else asked * times
        rows.append((name, float(samples.t[k]), asked, along, times, float(possible.any), float(possible.best)))
    heads = ("where", "at t", "asked", "in its direction", "reserve", "in any direction", "in the best")
    units = ("", "s", "m/s", "m/s", "", "m/s", "m/s")
    note = "Speeds of the plate by the peak speeds of the drives, while yaw turns as asked."
    return Table("speed", "speed, asked and possible", columns(heads, units), tuple(rows), note, printed=0)


def _speed_share(context: Context) -> np.ndarray:
    """Largest share of its peak speed that a motor has (T,)."""
    motors = context.motors
    return np.max(np.abs(context.ride.joint_speed) * motors.ratio / motors.peak_speed, axis=-1)


def _notes(context: Context, reserve: TorqueReserve, places: dict[str, int]) -> Iterator[str]:
    worst = places[_most(context)]
    where = str(Place.of(context.samples, worst))
    if np.isfinite(reserve.factor[worst]):
        times = f"{reserve.factor[worst]:.3g} times the {amount(float(reserve.asked[worst]), 'm/s2')} asked"
        free = amount(float(reserve.any[worst]), "m/s2")
        yield f"where {_most(context)} is asked, {where}, the motors allow {times}, and {free} in any direction"
    else:
        yield f"where {_most(context)} is asked, {where}, the motors allow no acceleration along that of the task"
    losses = sorted(set(context.motors.efficiency.tolist()) - {1.0})
    if losses:
        yield (
            f"the efficiency of the gearbox ({', '.join(map(percent, losses))}) counts against the motors both ways; "
            "where they brake, a little more is left"
        )
    if not np.isfinite(context.motors.peak_speed).all():
        yield "the file does not state the peak speed of every drive, so nothing bounds the plate's speed"


def _summary(bears: Bearing, most: Turning[Requirement | None]) -> dict[str, str]:
    """The largest payload in a line, where there is one."""
    if not 0.0 < most.kept < math.inf:
        return {}
    anew = "; with another payload it would be timed anew" if bears.timed else ""
    return {"payload": f"up to {at_most(most.kept, 4)} kg at this pace{decides_words(most.breaks)}{anew}"}


def _payload_notes(bears: Bearing, most: Turning[Requirement | None]) -> Iterator[str]:
    """The largest payload in words, rounded to what is kept."""
    gripper = bears.context.model.gripper.mass
    besides = f", beyond the gripper of {amount(gripper, 'kg')}" if gripper else ""
    if most.breaks is None:
        yield "no rating limits the payload"
    elif most.kept == 0.0:
        yield f"at this pace no payload is possible{besides}: {most.breaks.brief or most.breaks.text}"
    else:
        heat = ", for heat" if most.breaks.name == RMS else ""
        beyond = most.breaks.brief or most.breaks.text
        yield f"at this pace it carries {at_most(most.kept)} kg at most{heat}{besides}; then {beyond}"
    if bears.timed and most.breaks is not None:
        yield "that is with its timing as it is; with another payload the task would be timed anew"


def _payload_data(bears: Bearing, most: Turning[Requirement | None]) -> dict[str, object]:
    place = None if most.breaks is None else most.breaks.place
    return {
        "largest_payload": most.kept,
        "largest_payload_limited_by": None if most.breaks is None else most.breaks.name,
        "largest_payload_time": None if place is None else place.time,
        "largest_payload_timed_anew": bears.timed,
    }


def _data(context: Context, reserve: TorqueReserve, places: dict[str, int]) -> dict[str, object]:
    worst, least = places[_most(context)], places["least in any direction"]
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
    }
