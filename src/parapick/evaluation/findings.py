"""Findings: a value against the limit that it must keep, in words; and those of a robot that moves.

What a motion asks of motors and rods is found here alone. The sections show it, the verdict rests on it, and the
searches for a pace or a payload ask for it again and again, so that none of them can contradict another.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import numpy as np

from parapick.evaluation.answer import Finding, Place
from parapick.evaluation.rods import buckling_loads, pushes, rod_names
from parapick.evaluation.words import amount, at_place, percent
from parapick.motion.extremes import first_largest
from parapick.motion.fitting import LIMIT_SLACK

if TYPE_CHECKING:
    from parapick.evaluation.context import Context

__all__ = [
    "PEAK",
    "PUSH",
    "RMS",
    "SPEED",
    "against",
    "by_group",
    "limiting_of",
    "nearest",
    "push_findings",
    "speed_findings",
    "torque_findings",
]

SPEED: Final = "motor speed"
PEAK: Final = "motor torque, peak"
RMS: Final = "motor torque, RMS"
PUSH: Final = "rod push"
"""Names of the findings of a robot that moves."""


def against(
    name: str, subject: str, value: float, *, limit: float, unit: str, where: str, place: Place | None
) -> Finding:
    """A value against its upper limit, if it has one.

    Args:
        name: the quantity.
        subject: the quantity of which motor or rod, in words.
        value: its worst value (SI); its magnitude counts.
        limit: what it must not exceed; infinite without a limit.
        unit: unit of both.
        where: where it is, in words.
        place: where it is; None where it is a property of the whole cycle.
    """
    size = abs(value)
    if not math.isfinite(limit):
        brief = f"{subject}: {amount(size, unit)}"
        return Finding(name, value, None, unit, True, f"{brief}, {where}", place, brief=brief)
    share = size / limit
    text = f"{subject}: {amount(size, unit)} of {amount(limit, unit)} ({percent(share)}), {where}"
    brief = f"{subject} at {percent(share)} of {amount(limit, unit)}"
    return Finding(name, value, limit, unit, size <= limit * (1.0 + LIMIT_SLACK), text, place, brief=brief)


def limiting_of(findings: Iterable[Finding]) -> Finding | None:
    """The finding that a verdict rests on; None where nothing limits.

    A requirement of reach breaks first, for without it nothing else can be told; then the one that exceeds its limit
    most. Where all are kept it is the one that uses most of its limit.

    Args:
        findings: the findings.
    """
    known = tuple(findings)
    broken = [finding for finding in known if not finding.ok]
    lost = next((finding for finding in broken if finding.floor), None)
    limited = [finding for finding in broken or known if finding.use is not None]
    return lost or max(limited, key=lambda finding: finding.use or 0.0, default=None)


def nearest(size: np.ndarray, rating: np.ndarray) -> tuple[int, ...]:
    """Index of the magnitude that comes nearest to, or furthest above, its rating.

    Where none has a rating, or only motors at rest have one, it is that of the largest of all.

    Args:
        size: magnitudes (..., n), NaN where unknown.
        rating: rating of every motor (n,), infinite where it has none.
    """
    share = size / rating
    if not np.nanmax(share) > 0.0:
        share = size
    return tuple(int(i) for i in np.unravel_index(first_largest(share), share.shape))


def by_group(context: Context, size: np.ndarray, rating: np.ndarray) -> dict[str, dict[str, float | None]]:
    """What comes nearest to its rating among the motors of the arms and among those of the plate, each by itself.

    Args:
        context: the robot on its way.
        size: magnitudes (..., n).
        rating: rating of every motor (n,), infinite where it has none.

    Returns:
        For each group the value, and its share of the rating; None where it has none.
    """
    found = {}
    for group, motors in context.groups.items():
        index = nearest(size[..., motors], rating[motors])
        value, limit = float(size[..., motors][index]), float(rating[motors][index[-1]])
        found[group] = {"value": value, "share": value / limit if math.isfinite(limit) else None}
    return found


def speed_findings(context: Context) -> tuple[Finding, ...]:
    """Motor speed against its peak; nothing where the robot can be nowhere on the motion.

    Args:
        context: the robot on its way.
    """
    if not np.isfinite(context.joint_speed).any(axis=0).all():
        return ()
    motors, (sample, motor) = context.motors, context.quickest
    place = context.place(sample, motor + 1)
    finding = against(
        SPEED,
        f"speed of motor {motor + 1}",
        float(context.joint_speed[sample, motor] * motors.ratio[motor]),
        limit=float(motors.peak_speed[motor]),
        unit="rad/s",
        where=at_place(place),
        place=place,
    )
    return (finding,)


def torque_findings(context: Context) -> tuple[Finding, ...]:
    """Peak torque, and effective torque against the rated one; nothing where torques cannot be found.

    Args:
        context: the robot on its way.
    """
    if context.no_torque:
        return ()
    motors, (sample, motor), hottest = context.motors, context.limiting, context.hottest
    place = context.place(sample, motor + 1)
    peak = against(
        PEAK,
        f"peak torque of motor {motor + 1}",
        float(context.loads.torque[sample, motor]),
        limit=float(motors.peak_torque[motor]),
        unit="N m",
        where=at_place(place),
        place=place,
    )
    effective = against(
        RMS,
        f"effective torque of motor {hottest + 1}",
        float(context.rms_torque[hottest]),
        limit=float(motors.rated_torque[hottest]),
        unit="N m",
        where="over the cycle",
        place=None,
    )
    return peak, effective


def push_findings(context: Context) -> tuple[Finding, ...]:
    """The rod that is pushed nearest to its buckling load; nothing where the file lacks what that follows from.

    Args:
        context: the robot on its way.
    """
    loads = buckling_loads(context.model)
    if loads is None or context.no_torque or np.isnan(context.rod_forces).all():
        return ()
    forces = context.rod_forces
    names = rod_names(context.model)
    share = pushes(forces / loads[:, None]).reshape(len(forces), -1)
    sample, rod = (int(i) for i in np.unravel_index(first_largest(share), share.shape))
    leg = rod * len(loads) // len(names)
    place = context.place(sample, leg + 1)
    finding = against(
        PUSH,
        f"push in {names[rod]}",
        max(float(share[sample, rod] * loads[leg]), 0.0),
        limit=float(loads[leg]),
        unit="N",
        where=at_place(place),
        place=place,
    )
    return (finding,)
