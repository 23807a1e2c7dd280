"""What a study asks of a design: measures with their unit, their better side, and what they are computed from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, final

import casadi as ca
import numpy as np

from parapick.kernel import Kernel, Recipe, build, known
from parapick.mechanism.drive import SLIDING
from parapick.mechanism.parameters import structure, symbols_of
from parapick.mechanism.robot import Robot
from parapick.study.folds import FOLD_ROOMS, MotionFold

Source = Literal["motion", "timing", "region", "robot"]
"""What a measure is computed from: the motors along the tasks, the fastest timing of tasks, the points of the
workspace, or the robot alone."""


@final
@dataclass(frozen=True)
class Measure:
    """A number that a design has.

    Attributes:
        name: as files and tables have it.
        unit: SI unit.
        doc: what it is.
        source: what it is computed from.
        most: whether more is better.
        quantity: of a measure over the region, the name of one of `REGION_QUANTITIES`.
        rating: of a measure of motors as a share, the rating that it is a share of.
    """

    name: str
    unit: str
    doc: str
    source: Source
    most: bool = False
    quantity: str = ""
    rating: str = ""

    def unit_of(self, robot: Robot) -> str:
        """Its unit for a robot: linear motors give forces.

        Args:
            robot: the robot.
        """
        linear = robot.limb.axis is SLIDING and self.source == "motion"
        return {"N m": "N", "rad/s": "m/s"}.get(self.unit, self.unit) if linear else self.unit


_LISTED: Final = (
    Measure("peak_torque", "N m", "largest torque of a motor along the tasks, at its shaft", "motion"),
    Measure("rms_torque", "N m", "largest effective torque of a motor along a task, at its shaft", "motion"),
    Measure("peak_speed", "rad/s", "largest speed of a motor along the tasks, at its shaft", "motion"),
    Measure("torque_use", "", "largest torque as a share of the motor's peak torque", "motion", rating="peak_torque"),
    Measure("heat_use", "", "effective torque as a share of the motor's rated torque", "motion", rating="rated_torque"),
    Measure("speed_use", "", "largest speed as a share of the motor's peak speed", "motion", rating="peak_speed"),
    Measure("energy", "J", "energy that the motors draw from a common bus along all tasks", "motion"),
    Measure("peak_power", "W", "largest power of that bus", "motion"),
    Measure("cycle_time", "s", "time of the tasks with the fastest timing, all together", "timing"),
    Measure(
        "acceleration",
        "m/s2",
        "acceleration in any direction that peak torques allow at rest, least over the workspace",
        "region",
        most=True,
        quantity="acceleration",
    ),
    Measure(
        "homogeneity",
        "",
        "that acceleration where it is least over where it is most; 1 is the same everywhere",
        "region",
        most=True,
        quantity="acceleration",
    ),
    Measure(
        "margin",
        "",
        "margin to the nearest singularity, least over the workspace",
        "region",
        most=True,
        quantity="margin",
    ),
    Measure(
        "conditioning",
        "",
        "conditioning of the inverse Jacobian, least over the workspace",
        "region",
        most=True,
        quantity="conditioning",
    ),
    Measure(
        "stiffness",
        "N/m",
        "stiffness of the tool in its softest direction, least over the workspace",
        "region",
        most=True,
        quantity="stiffness",
    ),
    Measure("footprint", "m", "diameter of the circle that motors and level arms need, seen from above", "robot"),
    Measure("moving_mass", "kg", "mass of arms or carriages, rods and plate", "robot"),
)
MEASURES: Final = {measure.name: measure for measure in _LISTED}
"""Every measure by its name."""


class BodyMeasures(NamedTuple):
    """What the numbers of a robot say by themselves.

    Attributes:
        footprint: diameter seen from above (m,), m.
        moving_mass: mass of what moves (m,), kg; 0 where the file has no masses.
        peak_torque: rating of each motor (m, n); infinite where there is none.
        rated_torque: likewise.
        peak_speed: likewise.
    """

    footprint: np.ndarray
    moving_mass: np.ndarray
    peak_torque: np.ndarray
    rated_torque: np.ndarray
    peak_speed: np.ndarray


def body_outputs(robot: Robot) -> dict[str, Any]:
    """What `BodyMeasures` holds, as expressions.

    Args:
        robot: with symbols in its fields.
    """
    drives = robot.motor_drives()
    ratings = {
        name: [getattr(drive, name) for drive in drives] for name in ("peak_torque", "rated_torque", "peak_speed")
    }
    return {
        "footprint": _footprint(robot),
        "moving_mass": _moving_mass(robot),
        **{name: ca.vertcat(*(ca.SX(np.inf) if one is None else one for one in own)) for name, own in ratings.items()},
    }


def _footprint(robot: Robot) -> Any:
    ends = []
    for leg in robot.rod_legs():
        flat = ca.SX(leg.base[:2])
        if robot.limb.axis is SLIDING:
            far = flat + leg.carrier * ca.SX(leg.axis[:2])
            ends += [ca.sqrt(ca.sumsqr(flat)), ca.sqrt(ca.sumsqr(far))]
        else:
            ends.append(ca.sqrt(ca.sumsqr(flat)) + leg.carrier)
    widest = ends[0]
    for end in ends[1:]:
        widest = ca.fmax(widest, end)
    return 2 * widest


def _moving_mass(robot: Robot) -> Any:
    total = ca.SX(0)
    legs: Any = robot.rod_legs()
    for leg in legs:
        total += leg.mass + (0.0 if leg.rods.body is None else leg.rods.body.mass)
    plate = robot.plate_pose(ca.SX.zeros(robot.dof))
    bodies = (*plate.parts, *plate.bars)
    return total + sum((body.mass for body in bodies if body.mass is not None), ca.SX(0))


def body_of(robot: Robot, numbers: np.ndarray) -> BodyMeasures:
    """What the numbers of designs say by themselves.

    Args:
        robot: the robot, for its structure.
        numbers: numbers of the robot, one row per design (m, all).
    """
    return BodyMeasures(*_body_kernel(structure(robot))(numbers, threads=1))


def _body_kernel(key: Robot) -> Kernel:
    def make() -> Kernel:
        numbers, robot = symbols_of(key)
        return build("study_body", {"numbers": numbers}, None, body_outputs(robot))

    return known(Recipe(FOLD_ROOMS, "study_body", key), make)


def measured(
    measure: Measure, motions: list[MotionFold], region: dict[str, np.ndarray], body: BodyMeasures
) -> np.ndarray:
    """A measure of designs (m,).

    Args:
        measure: the measure.
        motions: the folds of all tasks.
        region: the fold of the region.
        body: what the numbers say by themselves.
    """
    if measure.source == "robot":
        return getattr(body, measure.name)
    if measure.source == "region":
        least = region[measure.quantity]
        return least / region[f"most {measure.quantity}"] if measure.name == "homogeneity" else least
    if measure.name == "energy":
        return np.sum([motion.energy for motion in motions], axis=0)
    if measure.name == "peak_power":
        return np.max([motion.power for motion in motions], axis=0)
    field = FIELDS[measure.name]
    limit = getattr(body, measure.rating) if measure.rating else 1.0
    return np.max([(getattr(motion, field) / limit).max(axis=-1) for motion in motions], axis=0)


FIELDS: Final = {
    "peak_torque": "torque",
    "rms_torque": "rms",
    "peak_speed": "speed",
    "torque_use": "torque",
    "heat_use": "rms",
    "speed_use": "speed",
}
"""Measures of motors: the field of `MotionFold` they are the largest of."""
