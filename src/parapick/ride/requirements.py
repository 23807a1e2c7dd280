"""What must hold for a robot along samples of a motion, as requirements: slacks, margins, joint speeds, motor torques.

A slack (leg, joint, yaw, link, stated workspace) must not be negative, a margin to a singularity not vanish, a joint
speed and a motor torque not exceed the peak of the drive. Each is the worst along the samples, with its place.
Evaluations, motions and simulated loops give the same ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import numpy as np

from parapick.answer import Place, Requirement, against, keeps
from parapick.extremes import first_smallest
from parapick.formulas import SLACKS
from parapick.mechanism import TURNING, MotorAxis
from parapick.model import NEAR, Model, Reach
from parapick.ride.samples import Samples
from parapick.ride.stated_region import STATED, stated_slacks

JOINT_SPEED: Final = "joint speed"
MOTOR_TORQUE: Final = "motor torque"
"""Names of the requirements of motors; all others are slacks and margins."""

UNBOUNDED: Final = "unbounded, the pose is singular"
"""What is said of a speed or torque where the robot can be and has none."""


def slack_requirements(model: Model, samples: Samples, reach: Reach) -> Iterator[Requirement]:
    """The smallest slack of every kind that is bounded, those of the stated workspace last.

    Args:
        reach: of the robot at the samples.
    """
    slacks = [(kind.name, reach.slack(kind), reach.unit(kind)) for kind in SLACKS]
    units = dict(STATED)
    stated = stated_slacks(model, samples.x)
    slacks += [(name, values[:, None], units[name]) for name, values in stated.items()]
    for name, values, unit in slacks:
        if np.isfinite(values).any():
            title = f"{name} slack"
            value, place = _smallest(samples, values)
            yield against(title, _subject(title, place), value, unit=unit, at_least=0.0, place=place)


def margin_requirements(samples: Samples, margins: Mapping[str, np.ndarray]) -> Iterator[Requirement]:
    """The smallest margin of every kind to a singularity.

    Args:
        margins: margin (T,) by the name of its singularity, at least one of each finite.
    """
    for name, values in margins.items():
        title = f"{name} margin"
        value, place = _smallest(samples, values[:, None])
        state = f"{value:.3g}" if keeps(value, at_least=NEAR) else "singular"
        yield against(title, title, value, unit="", at_least=NEAR, place=place, state=state)


def finite_requirement(
    name: str, samples: Samples, values: np.ndarray, closes: np.ndarray, axis: MotorAxis
) -> Iterator[Requirement]:
    """The requirement that joint speeds or motor torques are finite where the legs close, only where it is broken.

    Args:
        name: `JOINT_SPEED` or `MOTOR_TORQUE`.
        values: the speeds or torques (T, n).
        closes: whether the legs close (T,).
        axis: of the first motor.
    """
    # On the very rim of its reach a leg may close for one way to compute it and not for the other.
    lost = np.isinf(values).any(axis=-1) | (closes & ~np.isfinite(values).all(axis=-1))
    if lost.any():
        place = Place.of(samples, int(np.argmax(lost)), part="leg")
        unit = axis.speed if name == JOINT_SPEED else axis.effort
        title = _title(name, axis)
        yield against(name, title, math.nan, unit=unit, at_least=-math.inf, place=place, label=title, state=UNBOUNDED)


def motor_requirement(name: str, value: float, limit: float, axis: MotorAxis, place: Place) -> Requirement:
    """The speed of a joint or the torque of a motor against the peak of its drive.

    Args:
        name: `JOINT_SPEED` or `MOTOR_TORQUE`.
        value: the speed or torque (SI).
        limit: its peak (SI); infinite where the file states none.
        axis: of the motor.
    """
    unit = axis.speed if name == JOINT_SPEED else axis.effort
    title = _title(name, axis)
    return against(name, _subject(title, place), value, unit=unit, at_most=limit, place=place, label=title)


def broken_words(requirements: Iterable[Requirement]) -> str:
    """The requirements that are not met, in words, one after the other; empty where all are.

    Args:
        requirements: the requirements.
    """
    return "; ".join(requirement.text for requirement in requirements if not requirement.ok)


def si_text(requirement: Requirement) -> str:
    """A requirement along a motion in SI, as errors state poses and numbers.

    Args:
        requirement: one that has a place.
    """
    place = "" if requirement.place is None else _si_place(requirement.place)
    if math.isnan(requirement.value):
        return f"{requirement.title}: {UNBOUNDED}, {place}"
    if math.isinf(requirement.value):
        return requirement.text
    value = f"{requirement.value:.4g} {requirement.unit}".rstrip()
    whose = f" of {requirement.whose}" if requirement.whose else ""
    return f"{requirement.title}{whose}: {value}{_si_limit(requirement)} {place}"


def _si_limit(requirement: Requirement) -> str:
    if requirement.floor:
        if requirement.value < 0.0:
            return ", negative is what is missing,"
        return "" if requirement.ok else ", singular,"
    return "" if requirement.limit is None else f", limit {requirement.limit:.4g} {requirement.unit},"


def _si_place(place: Place) -> str:
    return f"at {place.time:.4g} s, pose ({', '.join(f'{value:.4g}' for value in place.pose)})"


def _smallest(samples: Samples, values: np.ndarray) -> tuple[float, Place]:
    """Smallest value over all samples and legs (T, legs), NaN left aside, and where it is."""
    sample, leg = (int(index) for index in np.unravel_index(first_smallest(values), values.shape))
    whose = 0 if values.shape[1] == 1 else leg + 1
    return float(values[sample, leg]), Place.of(samples, sample, whose, "leg")


def _subject(title: str, place: Place) -> str:
    return f"{title} of {place.whose}" if place.whose else title


def _title(name: str, axis: MotorAxis) -> str:
    """What people read of a motor's quantity: a linear motor gives a force."""
    return name.replace(TURNING.word, axis.word)
