"""Requirements of a robot that moves at a pace: speed and torque of its motors, and the push of its rods.

What a motion asks of motors and rods is compared with its limits here alone. The sections show it, the verdict rests on
it, and the searches for a pace or a payload ask for it again and again, so that none of them can contradict another.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from parapick.answer import Place, Requirement, against
from parapick.extremes import first_largest, nearest_to_limit
from parapick.formulas import INSTANT, buckling_load
from parapick.inspection import rod_names
from parapick.measures import MEASURES
from parapick.model import Model
from parapick.motors import Motors
from parapick.ride import UNBOUNDED, Ride, heat_requirement, si_text

SPEED: Final = MEASURES["speed_use"].verdict
PEAK: Final = MEASURES["torque_use"].verdict
RMS: Final = MEASURES["heat_use"].verdict
PUSH: Final = MEASURES["rod_push"].verdict
"""Names of the requirements of motors and rods."""


def instant_requirements(ride: Ride, *keys: str) -> tuple[Requirement, ...]:
    """Some of the limits of an instant that the file states beside the peaks of its motors.

    Args:
        ride: the robot along the motion.
        keys: which, keys of `formulas.INSTANT`.
    """
    titles = {kind.title for kind in INSTANT if kind.key in keys}
    return tuple(requirement for requirement in ride.instant_requirements if requirement.name in titles)


def by_group(motors: Motors, size: np.ndarray, rating: np.ndarray) -> dict[str, dict[str, float | None]]:
    """What comes nearest to its rating among the motors of the arms and among those of the plate, each by itself.

    Args:
        size: magnitudes (..., n).
        rating: rating of every motor (n,), infinite where it has none.

    Returns:
        For each group the value, and its share of the rating; None where it has none.
    """
    groups = {}
    for group, members in motors.groups.items():
        index = nearest_to_limit(size[..., members], rating[members])
        value = float(size[..., members][index])
        limit = float(rating[members][index[-1]])
        groups[group] = {"value": value, "share": value / limit if math.isfinite(limit) else None}
    return groups


def no_torque(ride: Ride) -> str:
    """Why there are no torques: no masses, or a motion that cannot be followed; empty where there are.

    Args:
        ride: the robot along the motion.
    """
    if ride.no_masses:
        return ride.no_masses
    if np.isfinite(ride.loads.torque).all():
        return ""
    if ride.unbounded_torque is None:
        return "the robot cannot follow the whole motion, so it has no torques"
    return si_text(ride.unbounded_torque)


def speed_requirements(ride: Ride) -> tuple[Requirement, ...]:
    """Motor speed against its peak; nothing where it is not finite, or the robot can be nowhere on the motion.

    Args:
        ride: the robot along the motion.
    """
    if ride.unbounded_speed is not None or not np.isfinite(ride.joint_speed).any(axis=0).all():
        return ()
    motors = ride.model.motors
    sample, motor = ride.quickest
    speed = against(
        SPEED,
        f"speed of motor {motor + 1}",
        float(ride.joint_speed[sample, motor] * motors.ratio[motor]),
        at_most=float(motors.peak_speed[motor]),
        unit=motors.axes[motor].speed,
        place=Place.of(ride.samples, sample, motor + 1),
    )
    return (speed,)


def torque_requirements(ride: Ride) -> tuple[Requirement, ...]:
    """Peak torque, and effective torque against the continuous one; nothing where there are no torques.

    Args:
        ride: the robot along the motion.
    """
    if no_torque(ride):
        return ()
    return _peak_torque(ride), heat_requirement(ride.cycle)


def _peak_torque(ride: Ride) -> Requirement:
    sample, motor = ride.limiting
    axis = ride.model.motors.axes[motor]
    return against(
        PEAK,
        f"peak {axis.word} of motor {motor + 1}",
        float(ride.loads.torque[sample, motor]),
        at_most=float(ride.model.motors.peak_torque[motor]),
        unit=axis.effort,
        place=Place.of(ride.samples, sample, motor + 1),
        label=PEAK.replace("torque", axis.word),
    )


def cycle_requirements(ride: Ride) -> tuple[Requirement, ...]:
    """What the file limits over the cycle beside heat: gearboxes, windings, the bus; nothing without torques.

    Args:
        ride: the robot along the motion.
    """
    return tuple(requirement for requirement in ride.cycle_requirements if requirement.name != RMS)


def push_requirements(ride: Ride) -> tuple[Requirement, ...]:
    """The rod that is pushed nearest to its buckling load; nothing where the file lacks what that follows from.

    Args:
        ride: the robot along the motion.
    """
    loads = buckling_loads(ride.model)
    if loads is None or no_torque(ride):
        return ()
    ends = ride.inner_forces.axial_elbow, ride.inner_forces.axial_plate
    if not all(np.isfinite(forces).all() for forces in ends):
        known = np.isfinite(axial_forces(ride)).all(axis=(1, 2, 3))
        place = Place.of(ride.samples, int(np.argmin(known)))
        return (against(PUSH, PUSH, math.nan, at_least=-math.inf, unit="N", place=place, state=UNBOUNDED),)
    return (_push(ride, (pushes(*ends) / loads[:, None]).reshape(len(ends[0]), -1), loads),)


def _push(ride: Ride, share: np.ndarray, loads: np.ndarray) -> Requirement:
    """Push of the rod that uses most of its buckling load, by the shares of all (T, rods) and the loads (arms,), N."""
    names = rod_names(ride.model)
    sample, rod = (int(index) for index in np.unravel_index(first_largest(share), share.shape))
    leg = rod * len(loads) // len(names)
    return against(
        PUSH,
        f"push in {names[rod]}",
        max(float(share[sample, rod] * loads[leg]), 0.0),
        at_most=float(loads[leg]),
        unit="N",
        place=Place.of(ride.samples, sample, leg + 1, "leg"),
    )


def axial_forces(ride: Ride) -> np.ndarray:
    """Axial force at both ends of every rod (T, 2, arms, rods), N; tension is positive.

    Args:
        ride: the robot along the motion, with masses.
    """
    forces = ride.inner_forces
    return np.stack([forces.axial_elbow, forces.axial_plate], axis=1)


def buckling_loads(model: Model) -> np.ndarray | None:
    """Euler's load of a rod of each leg (arms,), N; None where the file lacks what it follows from."""
    limb = model.numbers.limb
    if limb.rod_modulus is None or limb.rod_radius is None:
        return None
    return np.array([buckling_load(limb, leg) for leg in range(model.robot.arms)])


def pushes(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Push at the end that bears more (T, ...), negative where it pulls; minus infinity where no force is known.

    Args:
        one: axial forces at one end (T, ...), N, tension positive.
        other: those at the other end.
    """
    less = np.fmin(one, other)
    return np.where(np.isnan(less), -np.inf, -less)
