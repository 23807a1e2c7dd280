"""A robot of ours as a Delta of a project: what it is there, and what has no place there.

The base plane is where the telescope begins; without its height it is the plane of the motor axes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

from parapick.errors import ParapickError
from parapick.exchange.br.drives import channel_of, motor_of, row_of
from parapick.exchange.br.machine import (
    ARMS,
    Arm,
    AxisLimits,
    BrDelta,
    DrivenAxis,
    JerkReduction,
    Platforms,
    TableBody,
    body,
)
from parapick.exchange.br.ranges import range_of
from parapick.mechanism import VARIABLE, Limb, Radial, Robot, per_leg
from parapick.mechanism.plates import Rigid, Telescope, TelescopeHalf
from parapick.names import file_name
from parapick.parameters import leaves, resolved

SECTION_FREE: Final = 10_000.0
"""What stands for no limit of a cross section (N, N m), as the maker of the sample project writes it."""

CENTRED: Final = 1e-12
"""Largest share of a rod's mass by which its weight may hang elsewhere than it moves: rounding."""

COVERED: Final = (
    *("base.radius", "base.angles", "base.sign", "branches", "home", "gravity"),
    *(f"limb.{name}" for name in ("arm", "rod_length", "rod_spacing", "arm_mass", "arm_center", "arm_offset")),
    *(f"limb.{name}" for name in ("arm_inertia", "rod_mass", "rod_center", "rod_inertia")),
    *("plate.radius", "plate.mass", "plate.telescope.inertia", "plate.telescope.ratio", "plate.telescope.height"),
    *("plate.telescope.upper", "plate.telescope.lower", "gripper", "workspace"),
    *(f"limits.{name}" for name in ("joint_min", "joint_max", "joint_speed", "joint_acceleration", "joint_jerk")),
    *(f"limits.{name}" for name in ("yaw_min", "yaw_max", "jerk_over_payload", "rod_pull")),
    *(
        f"{drive}.{name}"
        for drive in ("drive", "plate.telescope.drive")
        for name in (
            *("rated_torque", "stall_torque", "peak_torque", "rated_speed", "peak_speed", "inertia", "encoder_inertia"),
            *("gearbox_inertia", "ratio", "brake", "friction.coulomb", "friction.viscous", "gearbox.peak_torque"),
            *("gearbox.peak_speed", "gearbox.nominal_torque", "gearbox.static_friction", "gearbox.viscous_friction"),
            *(f"winding.{name}" for name in ("resistance", "torque_constant", "thermal_time", "temperature_max")),
        )
    ),
)
"""Paths of numbers that a project has a place for, or that are no property of the machine (home, gravity)."""


def machine_of(robot: Robot) -> tuple[BrDelta, tuple[str, ...]]:
    """The Delta of a project that a robot is, and what of it has no place there, each as a sentence.

    Args:
        robot: the robot.

    Raises:
        ParapickError: a project cannot state it.
    """
    plain = resolved(robot)
    base, limb, plate = _delta(plain)
    shaft = plate.telescope
    pivot = 0.0 if shaft is None or shaft.height is None else -shaft.height
    drives = [plain.drive] * ARMS + ([] if shaft is None else [shaft.drive])
    bodies: tuple[TableBody, ...] = ()
    massive = not limb.missing_masses and plate.mass is not None
    if massive and plate.mass is not None and shaft is not None:
        bodies = _bodies(plain, shaft, base.sign, plate.mass)
    frictions = plain.motor_frictions()
    motors: list[tuple[Any, Any]] = list(zip(plain.motor_drives(), frictions, strict=True))
    reach = range_of(plain.workspace, pivot)
    machine = BrDelta(
        name=f"MechSys_{_identifier(plain.name)}",
        subtype="3AxesDeltaA" if shaft is None else "4AxesDeltaA",
        arms=tuple(_arm(base, limb, plate, pivot, i) for i in range(ARMS)),
        frame=Platforms(pair_distance=_number(limb.rod_spacing, "limb.rod_spacing")),
        inverse=base.sign > 0,
        model=plain.name,
        bodies=bodies,
        rows=tuple(row_of(drive, friction) for drive, friction in motors) if bodies else (),
        gear_torques=_gear_torques(drives),
        section_limits=_sections(plain),
        reductions=tuple(JerkReduction(mass, 1.0 - share) for mass, share in plain.limits.jerk_over_payload or ()),
        range=reach,
        axes=tuple(_axis(plain, i, drives[i], frictions[i]) for i in range(len(drives))),
    )
    return machine, tuple(_omissions(plain, machine, massive=massive))


def _delta(robot: Robot) -> tuple[Radial, Limb, Rigid]:
    """Base, limb and plate of a Delta that a project can state."""
    base, limb, plate = robot.base, robot.limb, robot.plate
    if not isinstance(plate, Rigid):
        raise _refused(robot, f"its plate is of the kind {plate.kind}; a Delta has a rigid one")
    if not (isinstance(limb, Limb) and isinstance(base, Radial)):
        raise _refused(robot, "its legs must be arms that turn, with their motors on a circle")
    shaft = plate.telescope
    for wrong, reason in (
        (robot.arms != ARMS, f"it has {robot.arms} arms; a Delta there has {ARMS}"),
        (limb.rods != 2, f"its legs have {limb.rods} rod each; a Delta there has pairs"),
        (bool(base.zero), "base.zero is not 0; joints there count from the horizontal"),
        (base.offsets is not None, "base.offsets: its motors do not stand on a circle"),
        (plate.angles not in (None, base.angles), "plate.angles differ from base.angles; there they are one"),
        (min(robot.branches) < 0, "its elbows point inward; there they point outward: choose --mode outward"),
        (shaft is not None and shaft.ratio != 1.0, "plate.telescope.ratio is not 1; put it into the drive's ratio"),
    ):
        if wrong:
            raise _refused(robot, reason)
    return base, limb, plate


def _refused(robot: Robot, reason: str) -> ParapickError:
    return ParapickError(f"{robot.name} cannot be a mechanical system of Automation Studio: {reason}")


def _identifier(name: str) -> str:
    """A name as the program takes it: letters, digits and underscores."""
    return "".join(letter if letter.isalnum() else "_" for letter in file_name(name))


def _number(value: Any, path: str) -> Any:
    """A number that all arms share."""
    if isinstance(value, tuple) and len(set(value)) > 1:
        raise ParapickError(f"{path} differs from arm to arm; a project has one for all of them")
    return value[0] if isinstance(value, tuple) else value


def _arm(base: Radial, limb: Limb, plate: Rigid, pivot: float, i: int) -> Arm:
    lengths = per_leg(limb.arm, i), per_leg(limb.rod_length, i)
    return Arm(base.angles[i], base.radius, pivot, *lengths, plate.radius)


def _bodies(robot: Robot, shaft: Telescope, sign: float, plate_mass: float) -> tuple[TableBody, ...]:
    """Arms, rod pairs, halves of the telescope, plate and flange."""
    legs: Any = robot.rod_legs()
    arms = []
    for leg in legs:
        mass, center = float(leg.mass), float(leg.mass_center)
        aside = 0.0 if leg.mass_offset is None else sign * float(leg.mass_offset)
        arms.append(body(mass, (center, 0.0, aside), (0.0, float(leg.inertia) - mass * (center**2 + aside**2), 0.0)))
    gripper = robot.gripper
    turning = shaft.inertia + gripper.inertia
    return (
        *arms,
        *(_pair(robot, leg) for leg in legs),
        _half(shaft.upper),
        _half(shaft.lower),
        body(plate_mass, (0.0, 0.0, 0.0)),
        body(gripper.mass, gripper.offset, (0.0, 0.0, turning)),
    )


def _pair(robot: Robot, leg: Any) -> TableBody:
    """A pair of rods as a rigid body: `m11 = (m b^2 + J) / L^2` and so on, with the centre a from the elbow, b beyond.

    A lumped model may hang elsewhere than it moves; no body does.
    """
    known, numbers, length = leg.rods.known, leg.rods.inertia, float(leg.rod)
    mass = float(known.mass)
    if leg.rods.model in VARIABLE:
        raise _refused(robot, f"limb.rod_model is {leg.rods.model}, no rigid body; choose general or slender")
    if mass == 0.0:
        return TableBody()
    share, hung = float(numbers.m12 + numbers.m22) / mass, float(numbers.weight2) / mass
    if abs(share - hung) > CENTRED:
        message = f"limb.rod_model {leg.rods.model} moves like a rod with its centre at {share:.4g} of its length, but "
        raise _refused(robot, f"{message}weighs like one with it at {hung:.4g}; no body does both: choose general")
    center = share * length
    inertia = mass * center * (length - center) - float(numbers.m12) * length**2
    return body(mass, (0.0, 0.0, center), (inertia, inertia, 0.0))


def _half(half: TelescopeHalf | None) -> TableBody:
    if half is None:
        return TableBody()
    return body(half.mass, (0.0, 0.0, half.center), (half.inertia, half.inertia, half.spin_inertia))


def _gear_torques(drives: list[Any]) -> tuple[float, ...]:
    """Largest torques of the gearboxes at their output, where every drive states one."""
    each = [None if drive is None or drive.gearbox is None else drive.gearbox.peak_torque for drive in drives]
    known = tuple(torque for torque in each if torque is not None)
    return known if len(known) == len(each) else ()


def _sections(robot: Robot) -> tuple[float, ...]:
    """Limits of cross sections: none of the first six, and the pull of each rod."""
    pull = robot.limits.rod_pull
    if pull is None:
        return ()
    return (*(SECTION_FREE,) * 6, *(per_leg(pull, i) for i in range(ARMS) for _ in range(2)))


def _axis(robot: Robot, i: int, drive: Any, friction: Any) -> DrivenAxis:
    limits = robot.limits
    torque = None if drive is None else drive.peak_torque
    if i < ARMS:
        speed, acceleration, jerk = (
            per_leg(getattr(limits, f"joint_{n}"), i) for n in ("speed", "acceleration", "jerk")
        )
        ends = per_leg(limits.joint_min, i), per_leg(limits.joint_max, i)
    else:
        acceleration = jerk = None
        speed = None if drive is None or drive.peak_speed is None else drive.peak_speed / drive.ratio
        ends = limits.yaw_min, limits.yaw_max
    own = AxisLimits(
        lower=ends[0],
        upper=ends[1],
        speed=speed,
        acceleration=acceleration,
        deceleration=acceleration,
        jerk=jerk,
        torque=torque,
    )
    if drive is None:
        return DrivenAxis(own)
    return DrivenAxis(own, motor_of(drive, friction), channel_of(drive), drive.motor or "Motor")


def _omissions(robot: Robot, machine: BrDelta, *, massive: bool) -> Iterator[str]:
    """What has no place in a project."""
    if not massive:
        yield "no dynamic model: the robot has no masses; geometry and limits only"
    elif not machine.bodies:
        yield "no dynamic model: rows are known of the Delta with four axes only"
    if robot.workspace is not None and machine.range is None:
        yield "workspace: a working range there is three heights with radii about the axis"
    torques = [drive.gearbox and drive.gearbox.peak_torque for drive in robot.motor_drives()]
    if any(torques) and not machine.gear_torques:
        yield "gearbox.peak_torque in the limits of the system: it needs one for every axis; the hardware has it"
    stated = dict(leaves(robot))
    for path, value in stated.items():
        covered = any(f"{path}.".startswith(f"{one}.") for one in COVERED)
        if not covered and not _idle(path, value, stated):
            yield f"{path} ({value:g}): a project has no place for it"


def _idle(path: str, value: float, stated: dict[str, float]) -> bool:
    """Whether a number says nothing: 0, or without effect as long as another is."""
    if path.endswith("friction.stribeck_speed"):
        return not stated.get(path.removesuffix("_speed"))
    defaults = {"efficiency": 1.0, "ambient": 40.0}
    return value == defaults.get(path.rpartition(".")[2], 0.0) or math.isnan(value)
