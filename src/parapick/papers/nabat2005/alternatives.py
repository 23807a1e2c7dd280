"""nabat2005's reasons against I4 and against Delta, as numbers: loads of the plate's joints, stiffness of a telescope.

The document says that I4's guides have "a short service life, due to high acceleration and pressure exerted on balls"
(section III.A) and that Delta's telescopic leg "could suffer from a lack of stiffness at workspace extremities" and has
a short service life (section I). It prints no number. Here the shipped robots go through its 13 g cycle, the tool
turning by half a turn from pick to place; sizes of guides, bearings and tubes are chosen, and stated below and in the
robot files.

Nominal lives are those of ISO 14728-1 (linear guides, 100 km) and ISO 281 (bearings, a million turns): (C / P)^3 times
that travel, P the cubic mean over the travel. Impacts, oscillation over few balls and lubrication only shorten them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.capability import acceleration_any, lattice, yaw_stiffness
from parapick.mechanism import Cylinder
from parapick.model import Model, PlateJointLoads
from parapick.papers.nabat2005.cycles import NabatCycle, nabat2005_cycle
from parapick.parameters import leaves
from parapick.ride import Ride, tool_ratio
from parapick.robots import load

ROBOTS: Final = ("par4", "h4", "i4", "delta-4")

TURN: Final = math.pi
"""Turn of the tool from pick to place (rad)."""

CARRIAGE: Final = (0.020, 0.009)
"""Length and width over the balls (m) of a guide's carriage. Chosen: a miniature guide on a rail of 9 mm."""

HINGE: Final = 0.020
"""Distance (m) of the two ball bearings of a hinge. Chosen."""

RATING: Final = 2000.0
"""Dynamic load rating C (N). Chosen: a round number, one for a guide's carriage and a hinge's ball bearing alike."""

RODS: Final = 3e6
"""Axial stiffness E A (N) of a rod. Chosen: solid carbon of 60 GPa and of the 8 mm of the robot files."""

POINTS: Final = (5, 24, 3, 13)
"""Points along radius, azimuth, height and yaw."""

DENSITY: Final = 2700.0
"""Density (kg/m3) of the telescope's tubes: aluminium, as their shear modulus."""


@final
@dataclass(frozen=True)
class JointLife:
    """What a guide or hinge of a plate bears in the cycle.

    Attributes:
        joint: its name.
        kind: slide or hinge.
        lateral: largest force across its axis (N).
        moment: largest moment that it bears (N m): roll and bending of a guide, tilt of a hinge.
        pressure: largest load of a carriage or bearing with the moments as pairs of forces (N).
        travel: way of the carriage in a cycle (m), or turn of the hinge (rad).
        speed: largest speed of it (m/s, rad/s).
        hours: nominal life (h); infinite where it does not move.
    """

    joint: str
    kind: str
    lateral: float
    moment: float
    pressure: float
    travel: float
    speed: float
    hours: float


def joint_lives(
    robots: Sequence[str] = ROBOTS, *, case: NabatCycle = "13G", turn: float = TURN
) -> Mapping[str, tuple[JointLife, ...]]:
    """Guides and hinges of every robot in the cycle, by robot; a Delta has none in its plate.

    Args:
        robots: names of shipped robots with yaw.
        case: which cycle.
        turn: turn of the tool from pick to place (rad).
    """
    return {name: _lives(load(name), case, turn) for name in robots}


def _lives(model: Model, case: NabatCycle, turn: float) -> tuple[JointLife, ...]:
    half = turn / tool_ratio(model) / 2
    ride = Ride.along(model, nabat2005_cycle(case, model, yaw=(-half, half)))
    loads, lives = ride.plate_joints, []
    for i, (name, kind) in enumerate(zip(loads.names, loads.kinds, strict=True)):
        # The tool's bearing carries nothing but what the tool holds, and that is nothing here.
        if kind in ("slide", "hinge") and name not in ("tool", "pinion"):
            lives.append(_life(ride, loads, i, name, kind))
    return tuple(lives)


def _life(ride: Ride, loads: PlateJointLoads, i: int, name: str, kind: str) -> JointLife:
    t, lateral, torque, bending = ride.samples.t, loads.lateral[:, i], np.abs(loads.torque[:, i]), loads.bending[:, i]
    if kind == "slide":
        length, width = CARRIAGE
        moment, pressure = np.hypot(torque, bending), lateral + 2 * bending / length + 2 * torque / width
        scale, unit = float(ride.model.robot.plate.yaw_length), 1e5
    else:
        moment, pressure = bending, lateral / 2 + bending / HINGE + np.abs(loads.axial[:, i])
        scale, unit = 1.0, 2 * math.pi * 1e6
    rate = scale * np.abs(ride.samples.xd[:, 3])
    travel = float(np.trapezoid(rate, t))
    hours = math.inf
    if travel > 0:
        mean = np.trapezoid(pressure**3 * rate, t) / travel
        hours = unit * RATING**3 / mean / travel * (t[-1] - t[0]) / 3600
    across, turning, on_balls, speed = (float(np.max(values)) for values in (lateral, moment, pressure, rate))
    return JointLife(name, kind, across, turning, on_balls, travel, speed, float(hours))


@final
@dataclass(frozen=True)
class YawCompared:
    """Stiffness of a robot's tool in yaw over a cylinder (N m/rad), with `RODS`.

    Attributes:
        axis: smallest on the axis.
        smallest: smallest of all.
        largest: largest of all.
    """

    axis: float
    smallest: float
    largest: float


def yaw_compared(robots: Sequence[str] = ROBOTS, *, radius: float = 0.2) -> Mapping[str, YawCompared]:
    """Yaw stiffness of the tools with the same rods and servos, over z from -0.75 to -0.65 m and a turn of the tool.

    Args:
        robots: names of shipped robots with yaw.
        radius: radius of the cylinder (m).
    """
    compared = {}
    for name in robots:
        model = load(name)
        half = math.pi / tool_ratio(model)
        cylinder = Cylinder(radius, -0.75, -0.65, yaw_min=-half, yaw_max=half)
        poses = lattice(model.robot, cylinder, points=POINTS).poses()
        values = yaw_stiffness(model, poses, rods=RODS).tool
        axis = values[np.hypot(poses[..., 0], poses[..., 1]) < 1e-9]
        compared[name] = YawCompared(*(float(value) for value in (axis.min(), values.min(), values.max())))
    return compared


@final
@dataclass(frozen=True)
class TelescopeCost:
    """What Delta's telescope weighs and costs.

    Attributes:
        mass: mass of its tubes at their longest in the workspace (kg).
        before: acceleration in any direction without it (m/s2), the smallest over the cylinder.
        after: the same with it.
    """

    mass: float
    before: float
    after: float


def telescope_cost(robot: str = "delta-4", *, radius: float = 0.3) -> TelescopeCost:
    """Mass of the tubes, and the acceleration it costs: of a leg that stretches evenly, a third moves with the plate.

    Args:
        robot: a Delta with a telescope.
        radius: radius of the cylinder (m).
    """
    model = load(robot)
    numbers = dict(leaves(model.numbers))
    outer, bore = (numbers[f"plate.telescope.{name}"] for name in ("tube_radius", "tube_bore"))
    poses = lattice(
        model.robot, Cylinder(radius, -0.75, -0.65, yaw_min=0.0, yaw_max=0.0), points=(*POINTS[:3], 1)
    ).poses()
    mass = DENSITY * math.pi * (outer**2 - bore**2) * float(np.linalg.norm(poses[..., :3], axis=-1).max())
    loaded = model.with_parameters({"plate.mass": numbers["plate.mass"] + mass / 3})
    before, after = (float(acceleration_any(robot_model, poses).min()) for robot_model in (model, loaded))
    return TelescopeCost(mass, before, after)
