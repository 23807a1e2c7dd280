"""What a task asks of a robot, as plain values: peaks, limits and motors, each with time and pose."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from parapick.belts import BeltError, MissedItemError, NoInterceptError
from parapick.cli.answers import about, named
from parapick.cli.drives import shares
from parapick.model import Ride
from parapick.model.ride import SHARING
from parapick.tasks import ConveyorTask, StreamTask
from parapick.timing import HoldingTorqueError, SingularPathError, UnreachablePathError

if TYPE_CHECKING:
    from parapick.belts import Meeting, PickPlan
    from parapick.model import Model, MotorWorst, Samples, Worst
    from parapick.motion import Motion, MotionError, Peak, UnreachableCornerError
    from parapick.tasks import Task

LOOK_RATE: Final = 4000.0
"""Samples a second (Hz) at which a motion is looked at; corners are added, so that no peak at a corner is lost."""

LOOKS_MAX: Final = 1_000_000.0
"""Most samples at which a motion is looked at: 250 s at that rate, and 0.7 GB."""

BLOCKED: Final = (
    BeltError,
    MissedItemError,
    NoInterceptError,
    HoldingTorqueError,
    SingularPathError,
    UnreachablePathError,
)
"""What says that a robot cannot do a task, which is an answer and no mistake in the task."""

_PLATE: Final = {
    "speed": ("plate speed", "m/s", "v_max"),
    "acceleration": ("plate acceleration", "m/s2", "a_max"),
    "jerk": ("plate jerk", "m/s3", "j_max"),
    "yaw_rate": ("yaw rate", "rad/s", ""),
    "yaw_acceleration": ("yaw acceleration", "rad/s2", ""),
}
"""Peak of a motion -> what it is called, its unit, and the limit of the task that bounds it."""


def ride_of(model: Model, motion: Motion) -> Ride:
    """A robot along a motion, looked at finely, and more coarsely where the motion is long.

    Args:
        model: the robot.
        motion: the motion, with what it carries.
    """
    return Ride.along(model, motion, min(LOOK_RATE, LOOKS_MAX / motion.duration))


def made_of(model: Model, task: Task) -> tuple[Motion, dict[str, Any]]:
    """The motion of a task for a robot, and what is met on belts.

    Args:
        model: the robot.
        task: the task.
    """
    if isinstance(task, ConveyorTask):
        cycle = task.plan(model)
        meetings = {name: _meeting(model, cycle, name) for name in ("pick", "place")}
        return cycle.motion, {"meetings": meetings, "stream": None}
    if isinstance(task, StreamTask):
        done = task.stream(model)
        missed = [
            {"seen": one.item.time, "reason": one.reason, "late": one.late, "error": one.error} for one in done.missed
        ]
        told = {
            "picked": len(done.picked),
            "picks_per_minute": done.picks_per_minute,
            "missed_share": done.missed_share,
            "busy_share": done.busy / done.duration,
            "duration": done.duration,
            "seed": task.items.seed,
            "missed": missed,
        }
        return done.motion(), {"meetings": None, "stream": told}
    return task.motion(model), {"meetings": None, "stream": None}


def _meeting(model: Model, cycle: PickPlan, name: str) -> dict[str, Any]:
    """When and where something on a belt is met; times are those of the motion, which starts at 0."""
    meeting: Meeting = getattr(cycle, name)
    return {
        "time": meeting.time - cycle.start,
        "pose": named(model.robot, meeting.pose),
        "touch": meeting.touch - cycle.start,
        "intercept": meeting.approach.duration,
        "wait": meeting.approach.wait + meeting.approach.stop,
        "bent": bool(meeting.approach.bend),
    }


def motion_answer(task: Task, motion: Motion, ride: Ride, met: dict[str, Any]) -> dict[str, Any]:
    """The answer of `parapick motion` where the robot reaches the corners of the task.

    Args:
        task: the task.
        motion: its motion for this robot.
        ride: the robot along it.
        met: what is met on belts, as `made_of` tells it.
    """
    model = ride.model
    limits = [
        {**asdict(worst), "pose": named(model.robot, worst.pose), "use": worst.use, "ok": worst.ok}
        for worst in ride.worst
    ]
    return {
        **_about(model, task),
        "can_follow": ride.ok,
        "corner": None,
        "reason": None,
        "duration": motion.duration,
        **met,
        "phases": [asdict(phase) for phase in motion.phases],
        "payload": [{"time": step.time, "mass": step.mass} for step in motion.payload],
        "peaks": list(_peaks(model, task, motion)),
        "limits": limits,
        "left_out": list(ride.left_out),
        "motors": [_motor(ride, worst) for worst in ride.motors],
        "sharing": SHARING if model.robot.redundant and not ride.no_masses else None,
        "csv": None,
        "plot": None,
    }


def corner_answer(model: Model, task: Task, error: UnreachableCornerError) -> dict[str, Any]:
    """The answer of `parapick motion` where a corner of the task is out of reach.

    Args:
        model: the robot.
        task: the task.
        error: which corner, and what is missing.
    """
    corner = {
        "name": error.corner,
        "pose": named(model.robot, error.pose),
        "reason": error.reason,
        "slack": float(error.slack),
    }
    return {**_about(model, task), "can_follow": False, "corner": corner, "reason": error.reason}


def blocked_answer(model: Model, task: Task, error: MotionError) -> dict[str, Any]:
    """The answer of `parapick motion` where there is no motion of the task for the robot.

    Args:
        model: the robot.
        task: the task.
        error: what stands against it, where and by how much.
    """
    return {**_about(model, task), "can_follow": False, "corner": None, "reason": str(error)}


def table(names: tuple[str, ...], samples: Samples) -> str:
    """Samples as CSV (s, m, rad, kg), with all digits: time, poses, rates, accelerations and what is carried.

    Args:
        names: names of the task coordinates.
        samples: the samples.
    """
    header = ["t", *(f"{name}{'d' * order}" for order in range(3) for name in names), "payload"]
    rows = np.column_stack([samples.t, samples.x, samples.xd, samples.xdd, samples.payload]).tolist()
    return "\n".join([",".join(header), *(",".join(map(repr, row)) for row in rows)]) + "\n"


def _about(model: Model, task: Task) -> dict[str, Any]:
    return {**about(model), "task": task.name, "title": task.title, "kind": task.kind}


def _peaks(model: Model, task: Task, motion: Motion) -> Iterator[dict[str, Any]]:
    peaks = motion.peaks()
    # Limits of single strokes do not bound the plate where strokes overlap.
    bounded = not getattr(task, "per_stroke", False)
    for field, (name, unit, bound) in _PLATE.items():
        peak: Peak = getattr(peaks, field)
        if peak.value > 0.0 or not field.startswith("yaw"):
            limit = getattr(task, bound, None) if bound and bounded else None
            pose = named(model.robot, motion.at(peak.time).x)
            yield {"name": name, "value": peak.value, "unit": unit, "limit": limit, "time": peak.time, "pose": pose}


def _motor(ride: Ride, worst: MotorWorst) -> dict[str, Any]:
    """What one motor does; NaN where the robot can be nowhere, or has no masses."""
    index, motors = worst.motor - 1, ride.model.motors
    rate, rate_time = _largest(worst.speed)
    peak, peak_time = _largest(worst.torque)
    speed = rate * float(motors.ratio[index])
    rms = math.nan if ride.no_masses else float(ride.rms_torque[index])
    return {
        "motor": worst.motor,
        "joint_speed": rate,
        "joint_speed_time": rate_time,
        "motor_peak_speed": speed,
        "motor_peak_torque": peak,
        "motor_peak_time": peak_time,
        "motor_rms_torque": rms,
        **shares(motors, index, rms, peak, speed),
    }


def _largest(worst: Worst | None) -> tuple[float, float]:
    """Largest magnitude and when; NaN if there is none."""
    return (math.nan, math.nan) if worst is None else (abs(worst.value), worst.time)
