"""What is worth measuring of a robot: one table that maps, studies, tunings and verdicts share.

A row says what a number is; how it is computed is attached to it where that is known: `capability/index.py` at poses,
`study/study_measures.py` for designs, `tuning/loop_folds.py` for closed loops, `evaluation/load_requirements.py` for
verdicts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, final

__all__ = ["MEASURES", "Measure", "Over"]

Over = Literal["pose", "region", "motion", "loop", "robot"]
"""What a measure is taken over: a pose (and so, where it is least, over a workspace), only a workspace, the tasks, the
run of a closed loop, or the robot alone."""


@final
@dataclass(frozen=True)
class Measure:
    """A number that a robot has.

    Attributes:
        name: its name, as commands, files and tables have it.
        title: what it is, in words; may name options in braces.
        unit: its SI unit; empty for a pure number.
        better: whether a high or a low value is better.
        over: what it is taken over.
        meaning: what it is where nothing is asked for by options; the title if empty.
        verdict: name of the requirement by which a verdict holds it against a limit; empty for none.
    """

    name: str
    title: str
    unit: str
    better: Literal["high", "low"]
    over: Over
    meaning: str = ""
    verdict: str = ""

    @property
    def doc(self) -> str:
        """What it is, in words without options."""
        return self.meaning or self.title


_POSE: Final = (
    Measure(
        "acceleration",
        "acceleration in any direction{at}",
        "m/s2",
        "high",
        "pose",
        "acceleration in any direction that peak torques allow at rest",
    ),
    Measure("acceleration-best", "acceleration in the best direction{at}", "m/s2", "high", "pose"),
    Measure("acceleration-ratio", "acceleration in the best over that in any direction{at}", "", "low", "pose"),
    Measure("acceleration-x", "acceleration along x{at}", "m/s2", "high", "pose"),
    Measure("acceleration-y", "acceleration along y{at}", "m/s2", "high", "pose"),
    Measure("acceleration-up", "acceleration upward{at}", "m/s2", "high", "pose"),
    Measure("acceleration-down", "acceleration downward{at}", "m/s2", "high", "pose"),
    Measure("yaw-acceleration", "yaw acceleration, both ways{at}", "rad/s2", "high", "pose"),
    Measure("ellipsoid", "smallest radius of the dynamic manipulability ellipsoid", "m/s2", "high", "pose"),
    Measure("force", "force in any direction at standstill", "N", "high", "pose"),
    Measure("force-best", "force in the best direction at standstill", "N", "high", "pose"),
    Measure("payload-held", "payload that can be held", "kg", "high", "pose"),
    Measure("payload", "payload with {acceleration:g} m/s2 in any direction", "kg", "high", "pose"),
    Measure("speed", "plate speed in any direction", "m/s", "high", "pose"),
    Measure("speed-best", "plate speed in the best direction", "m/s", "high", "pose"),
    Measure(
        "stiffness",
        "stiffness in the softest direction, servo {servo:g} {stiffness}",
        "N/m",
        "high",
        "pose",
        "stiffness of the tool in its softest direction",
    ),
    Measure("stiffness-ratio", "stiffness in the stiffest over that in the softest direction", "", "low", "pose"),
    Measure("yaw-stiffness", "stiffness of the tool in yaw, servo {servo:g} {stiffness}", "N m/rad", "high", "pose"),
    Measure("torque", "{effort} for {acceleration:g} m/s2 in the worst direction", "N m", "low", "pose"),
    Measure("margin", "smallest margin to any singularity", "", "high", "pose", "margin to the nearest singularity"),
    Measure("under-mobility", "margin to under-mobility", "", "high", "pose"),
    Measure("over-mobility", "margin to over-mobility", "", "high", "pose"),
    Measure("internal", "margin to internal singularities", "", "high", "pose"),
    Measure("conditioning", "conditioning of the Jacobian", "", "high", "pose", "conditioning of the inverse Jacobian"),
    Measure("plate-conditioning", "conditioning of J_x", "", "high", "pose"),
    Measure("internal-conditioning", "conditioning of J_int", "", "high", "pose"),
    Measure("manipulability", "manipulability (m/rad to the power of the freedoms)", "", "high", "pose"),
    Measure("clearance", "distance of links of different legs", "m", "high", "pose"),
    Measure("joint-speed", "joint speed for {plate_speed:g} m/s in the worst direction", "rad/s", "low", "pose"),
    Measure(
        "cycle-time",
        "fastest cycle, {width:g} m over and {height:g} m up, there and back, {heat}",
        "s",
        "low",
        "pose",
    ),
)

_REGION: Final = (
    Measure(
        "homogeneity",
        "that acceleration where it is least over where it is most; 1 is the same everywhere",
        "",
        "high",
        "region",
    ),
)

_MOTION: Final = (
    Measure("peak_torque", "largest torque of a motor along the tasks, at its shaft", "N m", "low", "motion"),
    Measure("rms_torque", "largest effective torque of a motor along a task, at its shaft", "N m", "low", "motion"),
    Measure("peak_speed", "largest speed of a motor along the tasks, at its shaft", "rad/s", "low", "motion"),
    Measure(
        "torque_use",
        "largest torque as a share of the motor's peak torque",
        "",
        "low",
        "motion",
        verdict="motor torque, peak",
    ),
    Measure(
        "heat_use",
        "effective torque as a share of the motor's continuous torque, its speed counted where that falls with it",
        "",
        "low",
        "motion",
        verdict="motor torque, RMS",
    ),
    Measure(
        "speed_use", "largest speed as a share of the motor's peak speed", "", "low", "motion", verdict="motor speed"
    ),
    Measure(
        "gearbox_mean_use",
        "cubic mean of the torque at a gearbox's output, weighted by its speed, as a share of what it bears for long",
        "",
        "low",
        "motion",
        verdict="gearbox torque, mean",
    ),
    Measure(
        "rod_push", "largest push of a rod as a share of its buckling load", "", "low", "motion", verdict="rod push"
    ),
    Measure("energy", "energy that the motors draw from a common bus along all tasks", "J", "low", "motion"),
    Measure("peak_power", "largest power of that bus", "W", "low", "motion"),
    Measure("cycle_time", "time of the tasks with the fastest timing, all together", "s", "low", "motion"),
)

_LOOP: Final = (
    Measure("integral", "integral of the norm of the joint error, wu2020 (26)", "rad s", "low", "loop"),
    Measure("peak", "largest distance of the plate from its reference", "m", "low", "loop"),
    Measure("rms", "root mean square of the distance of the plate from its reference", "m", "low", "loop"),
)

_ROBOT: Final = (
    Measure(
        "footprint", "diameter of the circle that motors and level arms need, seen from above", "m", "low", "robot"
    ),
    Measure("moving_mass", "mass of arms or carriages, rods and plate", "kg", "low", "robot"),
)

MEASURES: Final[Mapping[str, Measure]] = MappingProxyType(
    {measure.name: measure for measure in (*_POSE, *_REGION, *_MOTION, *_LOOP, *_ROBOT)}
)
"""Every measure by its name."""
