"""Findings: a value against the limit that it must keep, in words; those of a path, and those of moving along it.

What a motion asks of motors and rods is found here alone. The sections show it, the verdict rests on it, and the
searches for a pace or a payload ask for it again and again, so that none of them can contradict another.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

import numpy as np

from parapick.answer import Finding, Place
from parapick.answer.words import amount, percent
from parapick.model import Model, Ride, buckling_load
from parapick.model.extremes import LIMIT_SLACK, first_largest, nearest_to_limit
from parapick.model.motors import Motors
from parapick.model.naming import rod_names
from parapick.model.worst import UNBOUNDED
from parapick.timing.turning import FAR

SPEED: Final = "motor speed"
PEAK: Final = "motor torque, peak"
RMS: Final = "motor torque, RMS"
PUSH: Final = "rod push"
"""Names of the findings of a robot that moves."""

_BROKEN: Final = 1e-12
"""Excess of a limit that is broken by rounding alone: greater than 0, so that a search knows its side."""


def against(
    name: str, subject: str, value: float, *, limit: float, unit: str, where: str, place: Place | None, label: str = ""
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
        label: what people read instead of the name; the name if empty.
    """
    size = abs(value)
    if not math.isfinite(limit):
        brief = f"{subject}: {amount(size, unit)}"
        return Finding(name, value, None, unit, True, f"{brief}, {where}", place, brief=brief, label=label)
    share = size / limit
    text = f"{subject}: {amount(size, unit)} of {amount(limit, unit)} ({percent(share)}), {where}"
    brief = f"{subject} at {percent(share)} of {amount(limit, unit)}"
    return Finding(name, value, limit, unit, size <= limit * (1.0 + LIMIT_SLACK), text, place, brief=brief, label=label)


def limiting_of(findings: Iterable[Finding]) -> Finding | None:
    """The finding that a verdict rests on; None where nothing limits.

    A requirement of reach breaks first, for without it nothing else can be told; then the one that exceeds its limit
    most; last what has no place on the path, such as that no control law does the task. Where all are kept it is the
    one that uses most of its limit.

    Args:
        findings: the findings.
    """
    known = tuple(findings)
    broken = [finding for finding in known if not finding.ok]
    lost = next((finding for finding in broken if finding.floor and finding.place), None)
    limited = [finding for finding in broken or known if finding.use is not None]
    tightest = max(limited, key=lambda finding: finding.use or 0.0, default=None)
    return lost or tightest or next(iter(broken), None)


def excess_of(finding: Finding | None) -> float:
    """Logarithm of the share of its limit that a finding uses: above 0 where it is broken, far below where none limits.

    Args:
        finding: the finding that limits; None where nothing does.
    """
    if finding is None or (finding.ok and not finding.use):
        return -FAR
    if finding.use is None:
        return FAR
    return min(math.log(finding.use), 0.0) if finding.ok else max(math.log(finding.use), _BROKEN)


def by_group(motors: Motors, size: np.ndarray, rating: np.ndarray) -> dict[str, dict[str, float | None]]:
    """What comes nearest to its rating among the motors of the arms and among those of the plate, each by itself.

    Args:
        motors: the motors.
        size: magnitudes (..., n).
        rating: rating of every motor (n,), infinite where it has none.

    Returns:
        For each group the value, and its share of the rating; None where it has none.
    """
    groups = {}
    for group, own in motors.groups.items():
        index = nearest_to_limit(size[..., own], rating[own])
        value, limit = float(size[..., own][index]), float(rating[own][index[-1]])
        groups[group] = {"value": value, "share": value / limit if math.isfinite(limit) else None}
    return groups


def no_torque(ride: Ride) -> str:
    """Why torques cannot be looked at: no masses, or a motion that cannot be followed; empty where they can.

    Args:
        ride: the robot on its way.
    """
    if ride.no_masses:
        return ride.no_masses
    if np.isfinite(ride.loads.torque).all():
        return ""
    unbounded = next((worst for worst in ride.floors if worst.kind == "torque"), None)
    return "the robot cannot follow the whole motion, so it has no torques" if unbounded is None else str(unbounded)


def speed_findings(ride: Ride) -> tuple[Finding, ...]:
    """Motor speed against its peak; nothing where it is not finite, or the robot can be nowhere on the motion.

    Args:
        ride: the robot on its way.
    """
    unbounded = any(worst.kind == "speed" for worst in ride.floors)
    if unbounded or not np.isfinite(ride.joint_speed).any(axis=0).all():
        return ()
    motors, (sample, motor) = ride.model.motors, ride.quickest
    place = Place.of(ride.samples, sample, motor + 1)
    finding = against(
        SPEED,
        f"speed of motor {motor + 1}",
        float(ride.joint_speed[sample, motor] * motors.ratio[motor]),
        limit=float(motors.peak_speed[motor]),
        unit=motors.axes[motor].speed,
        where=str(place),
        place=place,
    )
    return (finding,)


def torque_findings(ride: Ride) -> tuple[Finding, ...]:
    """Peak torque, and effective torque against the rated one; nothing where torques cannot be found.

    Args:
        ride: the robot on its way.
    """
    if no_torque(ride):
        return ()
    motors, (sample, motor), hottest = ride.model.motors, ride.limiting, ride.hottest
    place = Place.of(ride.samples, sample, motor + 1)
    peak = against(
        PEAK,
        f"peak {motors.axes[motor].word} of motor {motor + 1}",
        float(ride.loads.torque[sample, motor]),
        limit=float(motors.peak_torque[motor]),
        unit=motors.axes[motor].effort,
        where=str(place),
        place=place,
        label=PEAK.replace("torque", motors.axes[motor].word),
    )
    effective = replace(
        against(
            RMS,
            f"effective {motors.axes[hottest].word} of motor {hottest + 1}",
            float(ride.rms_torque[hottest]),
            limit=float(motors.rated_torque[hottest]),
            unit=motors.axes[hottest].effort,
            where="over the cycle",
            place=None,
            label=RMS.replace("torque", motors.axes[hottest].word),
        ),
        motor=hottest + 1,
    )
    return peak, effective


def push_findings(ride: Ride) -> tuple[Finding, ...]:
    """The rod that is pushed nearest to its buckling load; nothing where the file lacks what that follows from.

    Args:
        ride: the robot on its way.
    """
    loads = buckling_loads(ride.model)
    if loads is None or no_torque(ride):
        return ()
    forces, names = axial_forces(ride), rod_names(ride.model)
    lost = ~np.isfinite(forces).all(axis=(1, 2, 3))
    if lost.any():
        place = Place.of(ride.samples, int(np.argmax(lost)))
        brief = f"{PUSH}: {UNBOUNDED}"
        return (Finding(PUSH, math.nan, None, "N", False, f"{brief}, {place}", place, floor=True, brief=brief),)
    share = pushes(forces / loads[:, None]).reshape(len(forces), -1)
    sample, rod = (int(i) for i in np.unravel_index(first_largest(share), share.shape))
    leg = rod * len(loads) // len(names)
    place = Place.of(ride.samples, sample, leg + 1, "leg")
    finding = against(
        PUSH,
        f"push in {names[rod]}",
        max(float(share[sample, rod] * loads[leg]), 0.0),
        limit=float(loads[leg]),
        unit="N",
        where=str(place),
        place=place,
    )
    return (finding,)


def axial_forces(ride: Ride) -> np.ndarray:
    """Axial force at both ends of every rod (T, 2, arms, rods), N; tension is positive.

    Args:
        ride: the robot on its way, with masses.
    """
    forces = ride.inner_forces
    return np.stack([forces.axial_elbow, forces.axial_plate], axis=1)


def buckling_loads(model: Model) -> np.ndarray | None:
    """Euler's load of a rod of each leg (arms,), N; None where the file lacks what it follows from.

    Args:
        model: the robot.
    """
    limb = model.numbers.limb
    if limb.rod_modulus is None or limb.rod_radius is None:
        return None
    return np.array([buckling_load(limb, leg) for leg in range(model.robot.arms)])


def pushes(forces: np.ndarray) -> np.ndarray:
    """Push at the end that bears more (T, ...), negative where it pulls; minus infinity where no force is known.

    Args:
        forces: axial forces at both ends (T, 2, ...), tension positive.
    """
    return np.max(np.where(np.isnan(forces), -np.inf, -forces), axis=1)
