"""Robots to compare with the engine: every kind of plate, base and rod, with masses, and a region to draw poses from.

They are written here rather than read from files, so that every field of a description is exercised: signs and zeros of
joints, shifted motors, single rods, uneven legs, off-centre bodies, gears.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from parapick.mechanism import CarriageLimb, Drive, Limb, LinearMotor, Placed, Radial, Rails, Robot
from parapick.mechanism.plates import (
    Bars,
    Parallelogram,
    Point,
    Rigid,
    Screw,
    Slider,
    Spindle,
    Telescope,
    TelescopeHalf,
)
from parapick.multibody import Assembly, assemble

TAU = 2 * math.pi
DRIVE = Drive(inertia=0.003, peak_torque=90.0)
GEARED = Drive(inertia=1.7e-5, gearbox_inertia=2.485e-5, ratio=64.0, peak_torque=1.4)


@dataclass(frozen=True)
class Case:
    """A robot and the half sizes (m, rad) of a region about its home in which it works well."""

    robot: Robot
    region: tuple[float, ...]

    def poses(self, count: int, seed: int = 0) -> np.ndarray:
        """Task vectors (count, dof), uniform in the region."""
        half = np.array(self.region)
        return np.array(self.robot.home) + np.random.default_rng(seed).uniform(-half, half, (count, len(half)))


def spread(count: int, first: float = 0.0) -> tuple[float, ...]:
    return tuple(first + TAU * k / count for k in range(count))


LIMB = Limb(arm=0.35, rod_length=0.8, rod_spacing=0.1, arm_mass=1.7, arm_center=0.15, arm_inertia=0.071, rod_mass=0.15)


def delta(count: int) -> Robot:
    return Robot(
        name=f"delta-{count}",
        base=Radial(radius=0.35, angles=spread(count, 0.2)),
        limb=LIMB,
        plate=Rigid(radius=0.1, mass=0.6),
        home=(0.0, 0.0, -0.7),
        branches=(1.0,) * count,
        drive=DRIVE,
    )


def uneven_delta() -> Robot:
    """Every leg its own: lengths, masses, shifts, a joint zero and sign, elbows both ways, rods of no special shape."""
    limb = Limb(
        arm=(0.35, 0.33, 0.36),
        rod_length=(0.8, 0.82, 0.79),
        rod_model="general",
        arm_mass=(1.0, 1.1, 1.2),
        arm_center=(0.1, 0.12, 0.2),
        arm_inertia=(0.05, 0.06, 0.07),
        rod_mass=(0.15, 0.16, 0.2),
        rod_center=(0.3, 0.5, 0.4),
        rod_inertia=(0.01, 0.008, 0.009),
    )
    offsets = ((0.01, 0.0, 0.02), (0.0, -0.02, 0.0), (0.0, 0.0, -0.03))
    base = Radial(radius=0.3, angles=(0.1, 2.2, 4.1), zero=0.4, sign=-1.0, offsets=offsets)
    return replace(delta(3), name="uneven", base=base, limb=limb, branches=(1.0, 1.0, -1.0))


def telescope() -> Robot:
    shaft = Telescope(ratio=3.0, inertia=2e-3, drive=Drive(inertia=1e-5, gearbox_inertia=2e-6, ratio=5.0))
    return replace(
        delta(3), name="telescope", plate=Rigid(radius=0.1, mass=0.6, telescope=shaft), home=(0.0, 0.0, -0.7, 0.0)
    )


def swinging() -> Robot:
    """A telescope whose halves weigh more than the plate and hardly less about their axis, and arms with their mass
    beside them: each its own way, with angles that count downward."""
    robot, offsets = telescope(), (0.03, -0.02, 0.04)
    assert isinstance(robot.plate, Rigid)
    assert isinstance(robot.limb, Limb)
    assert isinstance(robot.base, Radial)
    assert robot.plate.telescope is not None
    shaft = replace(
        robot.plate.telescope,
        upper=TelescopeHalf(0.6, 0.25, inertia=0.028, spin_inertia=0.02),
        lower=TelescopeHalf(0.5, 0.2, inertia=0.02, spin_inertia=0.03),
        height=0.09,
    )
    return replace(
        robot,
        name="swinging",
        base=replace(robot.base, sign=-1.0),
        limb=replace(robot.limb, arm_offset=offsets),
        plate=replace(robot.plate, telescope=shaft),
    )


def four(name: str, plate: Parallelogram | Bars | Slider | Screw) -> Robot:
    base = Radial(radius=0.35, angles=spread(4, TAU / 8))
    return replace(delta(4), name=name, base=base, plate=plate, home=(0.0, 0.0, -0.7, 0.0))


def par4() -> Robot:
    """Par4 as chosen in the record of nabat2005."""
    plate = Parallelogram(
        radius=0.1,
        bar_length=0.1,
        bar_spacing=0.1,
        carried=(1, 1, 0, 0),
        yaw_ratio=4.0,
        mass=0.26,
        carried_mass=0.18,
        bar_mass=0.08,
    )
    limb = Limb(
        arm=0.35, rod_length=0.8, rod_spacing=0.1, arm_mass=3 * 0.071 / 0.35**2, arm_inertia=0.071, rod_mass=0.15
    )
    return replace(four("par4", plate), limb=limb)


def geared_par4() -> Robot:
    """Par4 with a tool to turn, bars askew and geared motors."""
    robot = par4()
    assert isinstance(robot.plate, Parallelogram)
    plate = replace(robot.plate, tool_inertia=5e-5, bar_angle=1.2, bar_spacing=None, angles=(0.9, 2.3, 4.0, 5.4))
    return replace(robot, name="geared-par4", plate=plate, drive=GEARED)


def h4() -> Robot:
    """The arrangement without internal singularity: one leg of each bar along x, the other two side by side."""
    base = Radial(
        radius=0.35,
        angles=(0.0, 0.75 * TAU, 0.5 * TAU, 0.75 * TAU),
        offsets=((0.0, 0.0, 0.0), (0.15, 0.0, 0.0), (0.0, 0.0, 0.0), (-0.15, 0.0, 0.0)),
    )
    plate = Bars(
        radius=0.1,
        crossbar_length=0.12,
        crossbar_angle=0.0,
        carried=(1, 1, 0, 0),
        yaw_ratio=2.0,
        mass=0.3,
        carried_mass=0.2,
        crossbar_mass=0.15,
        tool_inertia=1e-3,
    )
    return replace(four("h4", plate), base=base)


def i4() -> Robot:
    plate = Slider(
        radius=0.1,
        pinion_radius=0.03,
        sides=(1, 1, -1, -1),
        slide_angle=0.1,
        mass=0.3,
        side_mass=0.15,
        tool_inertia=1e-3,
    )
    return four("i4", plate)


def heli4() -> Robot:
    plate = Screw(radius=0.08, pitch=0.05, carried=(1, 0, 1, 0), mass=0.4, carried_mass=0.3, screw_inertia=5e-5)
    return four("heli4", plate)


def asymmetric() -> Robot:
    """wu2020, Table 1, in the outward working mode."""
    tilts = (-TAU / 8, TAU / 8, TAU / 8, -TAU / 8)
    base = Placed(
        points=((0.3, 0.15, 0.0), (-0.3, 0.15, 0.0), (-0.3, -0.15, 0.0), (0.3, -0.15, 0.0)),
        zeros=tuple((math.cos(a), 0.0, -math.sin(a)) for a in tilts),
        axes=tuple((math.sin(a), 0.0, math.cos(a)) for a in tilts),
    )
    return Robot(
        name="asymmetric",
        base=base,
        limb=Limb(arm=0.3, rod_length=0.6, arm_mass=0.73, rod_mass=0.421, rod_model="halves"),
        plate=Screw(
            radius=0.1, pitch=0.02, carried=(1, 0, 1, 0), angles=spread(4, TAU / 8), mass=1.18, carried_mass=0.955
        ),
        home=(0.0, 0.0, -0.5, 0.0),
        branches=(-1.0, 1.0, -1.0, 1.0),
        drive=Drive(inertia=0.0),
    )


def spara() -> Robot:
    """The robot chosen in the record of spara: single rods that meet in a point."""
    return Robot(
        name="spara3",
        base=Placed(
            points=((0.0, 0.1, 0.0), (0.0, -0.1, 0.0), (0.0, 0.0, 0.75)),
            zeros=((0.0, 1.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
            axes=((0.0, 0.0, 1.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0)),
        ),
        limb=Limb(arm=0.65, rod_length=(0.8, 0.8, 1.0), rods=1, arm_mass=0.5, rod_mass=(0.2, 0.2, 0.25)),
        plate=Point(mass=0.5),
        home=(0.8, 0.0, 0.15),
        branches=(1.0, -1.0, 1.0),
        drive=Drive(inertia=0.0),
    )


def five_bar() -> Robot:
    """righettini2024, Tables 1 and 2."""
    return Robot(
        name="five-bar",
        base=Placed(
            points=((-0.09, 0.0, 0.0), (0.09, 0.0, 0.0)),
            zeros=((1.0, 0.0, 0.0), (1.0, 0.0, 0.0)),
            axes=((0.0, 0.0, 1.0), (0.0, 0.0, 1.0)),
        ),
        limb=Limb(
            arm=0.25,
            rod_length=0.25,
            rods=1,
            rod_model="general",
            arm_mass=2.9,
            arm_inertia=0.0522 + 2.9 * 0.125**2,
            rod_mass=2.9,
            rod_inertia=0.0522,
        ),
        plate=Spindle(
            pitch=0.02,
            mass=0.36,
            inertia=6.4e-6,
            screw_nut_inertia=1.2e-6,
            spline_nut_inertia=1.2e-6,
            drive=Drive(inertia=2.4e-6, gearbox_inertia=20.5e-6, ratio=40.0, peak_torque=0.72),
        ),
        home=(0.0, 0.33, 0.0, 0.0),
        branches=(1.0, -1.0),
        drive=GEARED,
    )


CARRIAGE = CarriageLimb(rod_length=0.7, rod_spacing=0.1, carriage_mass=1.5, rod_mass=0.12)


def rails() -> Robot:
    return Robot(
        name="rails",
        base=Rails(radius=0.4, length=1.0, angles=spread(3, 0.3)),
        limb=CARRIAGE,
        plate=Rigid(radius=0.08, mass=0.6),
        home=(0.0, 0.0, -1.0),
        branches=(1.0, 1.0, 1.0),
        drive=LinearMotor(peak_force=600.0, reflected_mass=0.4),
    )


def inclined() -> Robot:
    """Every rail its own: tilt, shift, carriage and rod, and no rod is uniform."""
    limb = CarriageLimb(
        rod_length=(0.7, 0.72, 0.68),
        rod_model="general",
        carriage_mass=(1.5, 1.2, 1.8),
        rod_mass=(0.12, 0.1, 0.15),
        rod_center=(0.3, 0.4, 0.35),
        rod_inertia=(0.006, 0.005, 0.007),
    )
    offsets = ((0.01, 0.0, 0.02), (0.0, -0.02, 0.0), (0.0, 0.0, -0.03))
    base = Rails(radius=0.3, length=1.2, angles=(0.1, 2.2, 4.1), tilt=(0.3, 0.1, -0.2), offsets=offsets)
    return replace(rails(), name="inclined", base=base, limb=limb, home=(0.0, 0.0, -0.8))


def rails_par4() -> Robot:
    """Par4's plate on four rails that lean outward, with half the mass of a rod on each of its ends."""
    base = Rails(radius=0.3, length=0.9, angles=spread(4, TAU / 8), tilt=0.35)
    limb = replace(CARRIAGE, rod_model="halves")
    return replace(par4(), name="rails-par4", base=base, limb=limb, home=(0.0, 0.0, -0.8, 0.0), drive=rails().drive)


WIDE = (0.2, 0.2, 0.08, 0.6)

CASES = {
    case.robot.name: case
    for case in (
        Case(delta(3), WIDE[:3]),
        Case(delta(4), WIDE[:3]),
        Case(delta(6), WIDE[:3]),
        Case(uneven_delta(), (0.15, 0.15, 0.08)),
        Case(telescope(), (*WIDE[:3], 2.0)),
        Case(swinging(), (*WIDE[:3], 2.0)),
        Case(par4(), WIDE),
        Case(geared_par4(), WIDE),
        Case(h4(), (0.1, 0.1, 0.05, 0.5)),
        Case(i4(), WIDE),
        Case(heli4(), (*WIDE[:3], 2.0)),
        Case(asymmetric(), (0.15, 0.1, 0.1, 3.0)),
        Case(spara(), (0.2, 0.4, 0.12)),
        Case(rails(), (0.15, 0.15, 0.1)),
        Case(inclined(), (0.1, 0.1, 0.08)),
        Case(rails_par4(), (0.1, 0.1, 0.08, 0.5)),
        Case(five_bar(), (0.18, 0.06, 0.005, 3.0)),
    )
}


@cache
def assembled(name: str) -> Assembly:
    """The robot of a case, put together once a run; assemblies do not change."""
    return assemble(CASES[name].robot)
