"""What a study asks of a design: rows of the table of measures, with what they are computed from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, final

import numpy as np

from parapick.measures import MEASURES, Measure
from parapick.mechanism import SLIDING, Robot
from parapick.study.body_measures import BODY_FORMULAS
from parapick.study.motion_fold import MotionFold

Source = Literal["motion", "timing", "region", "robot"]
"""What a measure is computed from: the motors along the tasks, the fastest timing of tasks, the points of the
workspace, or the robot alone."""


@final
@dataclass(frozen=True)
class StudyMeasure:
    """A measure of a design, with what it is computed from.

    Attributes:
        measure: what it is.
        source: what it is computed from.
        quantity: of a measure over the region, the measure at a pose whose least or evenness it is.
        rating: of a measure of motors as a share, the rating that it is a share of.
        smooth: whether it is the largest or smallest of smooth pieces, so that a search has slopes.
    """

    measure: Measure
    source: Source
    quantity: str = ""
    rating: str = ""
    smooth: bool = True

    @property
    def name(self) -> str:
        """As files and tables have it."""
        return self.measure.name

    @property
    def unit(self) -> str:
        """SI unit."""
        return self.measure.unit

    @property
    def most(self) -> bool:
        """Whether more is better."""
        return self.measure.better == "high"

    @property
    def doc(self) -> str:
        """What it is; that of a pose is taken where it is least."""
        return f"{self.measure.doc}, least over the workspace" if self.measure.over == "pose" else self.measure.doc

    def unit_of(self, robot: Robot) -> str:
        """Its unit for a robot: linear motors give forces."""
        linear = robot.limb.axis is SLIDING and self.source == "motion"
        return {"N m": "N", "rad/s": "m/s"}.get(self.unit, self.unit) if linear else self.unit


_LISTED: Final = (
    StudyMeasure(MEASURES["peak_torque"], "motion"),
    StudyMeasure(MEASURES["rms_torque"], "motion"),
    StudyMeasure(MEASURES["peak_speed"], "motion"),
    StudyMeasure(MEASURES["torque_use"], "motion", rating="peak_torque"),
    StudyMeasure(MEASURES["heat_use"], "motion", rating="continuous_torque"),
    StudyMeasure(MEASURES["speed_use"], "motion", rating="peak_speed"),
    StudyMeasure(MEASURES["gearbox_mean_use"], "motion", rating="gearbox_mean_torque"),
    StudyMeasure(MEASURES["energy"], "motion"),
    StudyMeasure(MEASURES["peak_power"], "motion", smooth=False),
    StudyMeasure(MEASURES["cycle_time"], "timing", smooth=False),
    StudyMeasure(MEASURES["acceleration"], "region", quantity="acceleration"),
    StudyMeasure(MEASURES["homogeneity"], "region", quantity="acceleration", smooth=False),
    StudyMeasure(MEASURES["margin"], "region", quantity="margin"),
    StudyMeasure(MEASURES["conditioning"], "region", quantity="conditioning"),
    StudyMeasure(MEASURES["stiffness"], "region", quantity="stiffness"),
    *(StudyMeasure(MEASURES[name], "robot") for name in BODY_FORMULAS),
)
STUDY_MEASURES: Final = {measure.name: measure for measure in _LISTED}
"""Every measure of a study by its name."""

RATINGS: Final = {
    STUDY_MEASURES[name].measure.verdict: STUDY_MEASURES[name].rating
    for name in ("speed_use", "torque_use", "heat_use", "gearbox_mean_use")
}
"""Limits of motors by the names that `evaluate` has for them, and the rating of a drive that each is."""


def measured(
    measure: StudyMeasure, motions: list[MotionFold], region: dict[str, np.ndarray], body: dict[str, np.ndarray]
) -> np.ndarray:
    """A measure of designs (m,).

    Args:
        motions: the folds of all tasks.
        region: the fold of the region.
        body: what the numbers say by themselves.
    """
    if measure.source == "robot":
        return body[measure.name]
    if measure.source == "region":
        least = region[measure.quantity]
        return least / region[f"most {measure.quantity}"] if measure.name == "homogeneity" else least
    if measure.name == "energy":
        return np.sum([motion.energy for motion in motions], axis=0)
    if measure.name == "peak_power":
        return np.max([motion.power for motion in motions], axis=0)
    field = FIELDS[measure.name]
    limit = body[measure.rating] if measure.rating else 1.0
    return np.max([(getattr(motion, field) / limit).max(axis=-1) for motion in motions], axis=0)


FIELDS: Final = {
    "peak_torque": "torque",
    "rms_torque": "rms",
    "peak_speed": "speed",
    "torque_use": "torque",
    "heat_use": "heat",
    "gearbox_mean_use": "gearbox_mean",
    "speed_use": "speed",
}
"""Measures of motors: the field of `MotionFold` they are the largest of."""
