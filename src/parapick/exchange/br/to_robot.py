"""A Delta of a project as a robot of ours, every number with its source.

Ours has its origin in the plane of the motor axes, theirs in a base plane above it; joints count from the horizontal,
positive down unless the project says `Inverse`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from parapick.errors import FileError, FileProblem
from parapick.exchange.br.drives import arm_drive, yaw_drive
from parapick.exchange.br.machine import ARMS, SECTIONS, BrDelta, TableBody
from parapick.exchange.br.places import Ledger
from parapick.exchange.br.ranges import region_of
from parapick.mechanism import Gripper, Limb, Limits, Radial, Robot, WorkingMode, Workspace
from parapick.mechanism.plates import Rigid, Telescope, TelescopeHalf
from parapick.names import TITLE_MAX, printable

Sources = dict[str, str]

_HOME_ANGLES: Final = tuple(math.radians(angle) for angle in (0.0, 30.0, 60.0, -30.0, 80.0, -60.0))
"""Angles of the arms below the horizontal at which a robot without a working range may have its home, best first."""


def robot_of(machine: BrDelta, ledger: Ledger, name: str) -> tuple[Robot, Sources]:
    """The robot, and where each number comes from, by its path.

    Args:
        machine: the Delta as the project states it.
        ledger: where the project states what.
        name: name of the robot.

    Raises:
        FileError: the project states what a robot file cannot.
    """
    sources: Sources = {}
    limits = _limits(machine, ledger, sources)
    workspace = _workspace(machine, limits, ledger, sources)
    plate = _plate(machine, ledger, sources)
    robot = Robot(
        name=name,
        base=_base(machine, ledger, sources),
        limb=_limb(machine, ledger, sources),
        plate=plate,
        home=_home(machine, workspace, limits, sources)[: plate.dof],
        branches=(1.0,) * ARMS,
        title=printable(machine.model or machine.name)[:TITLE_MAX],
        modes=(WorkingMode("outward", "+" * ARMS),),
        drive=arm_drive(machine, ledger, sources),
        limits=limits,
        workspace=workspace,
        gripper=_gripper(machine, ledger, sources),
    )
    sources["working_modes"] = "chosen: elbows outward, as the project's Deltas have them"
    sources["gravity"] = "chosen: standard value to three digits; the project states none"
    return robot, sources


def _base(machine: BrDelta, ledger: Ledger, sources: Sources) -> Radial:
    radius = same(machine, "BasePlatform/Arm{n}LinkPoint/Radius", [arm.radius for arm in machine.arms])
    same(machine, "BasePlatform/Arm{n}LinkPoint/Z", [arm.z for arm in machine.arms])
    sources["base.radius"] = ledger.source("Arm.radius")
    sources["base.angles"] = ledger.source("Arm.angle") or "the project's default: 0"
    direction = (
        "CountDirections, Inverse: q grows when the arm rises" if machine.inverse else "q grows when the arm falls"
    )
    sources["base.sign"] = f"{machine.name}: {direction}"
    return Radial(radius, tuple(arm.angle for arm in machine.arms), sign=1.0 if machine.inverse else -1.0)


def _limb(machine: BrDelta, ledger: Ledger, sources: Sources) -> Limb:
    sources["limb.arm"] = ledger.source("Arm.upper")
    sources["limb.rod_length"] = ledger.source("Arm.lower")
    values: dict[str, Any] = {
        "arm": per_arm([arm.upper for arm in machine.arms]),
        "rod_length": per_arm([arm.lower for arm in machine.arms]),
    }
    if machine.frame.pair_distance:
        values["rod_spacing"] = machine.frame.pair_distance
        sources["limb.rod_spacing"] = ledger.source("Platforms.pair_distance")
    if machine.bodies:
        values |= _arm_masses(machine, ledger, sources) | _rod_masses(machine, ledger, sources)
    return Limb(**values)


def _arm_masses(machine: BrDelta, ledger: Ledger, sources: Sources) -> dict[str, Any]:
    """Arms: their frame has x along the arm, y along the motor axis, z up where the arm is level.

    `Jyy` is about the centre, ours about the motor axis: `Jyy + m rcx^2 + m rcz^2`.
    """
    arms = machine.bodies[:ARMS]
    side = 1.0 if machine.inverse else -1.0
    masses: dict[str, Any] = {
        "arm_mass": per_arm([arm.m for arm in arms]),
        "arm_inertia": per_arm([arm.jyy + arm.m * (arm.center[0] ** 2 + arm.center[2] ** 2) for arm in arms]),
    }
    rows = {"arm_mass": ("m",), "arm_inertia": ("jyy", "mx", "mz")}
    if any(arm.m for arm in arms):
        masses["arm_center"] = per_arm([arm.center[0] for arm in arms])
        rows["arm_center"] = ("mx",)
    if any(arm.mz for arm in arms):
        masses["arm_offset"] = per_arm([side * arm.center[2] for arm in arms])
        rows["arm_offset"] = ("mz",)
    words = {"arm_inertia": ", moved to the motor axis by the centre: taken about the centre, not proven"}
    words["arm_offset"] = ", z taken as up where the arm is level, not proven"
    for field, names in rows.items():
        sources[f"limb.{field}"] = ledger.source(*(f"TableBody.{name}.{n}" for name in names for n in range(1, 4)))
        sources[f"limb.{field}"] += words.get(field, "")
    return masses


def _rod_masses(machine: BrDelta, ledger: Ledger, sources: Sources) -> dict[str, Any]:
    """Rods: a body is a pair, with z along the rods from the elbow."""
    pairs = machine.bodies[ARMS : 2 * ARMS]
    for field, names in (("rod_mass", ("m",)), ("rod_center", ("mz",)), ("rod_inertia", ("jxx",))):
        text = ledger.source(*(f"TableBody.{name}.{n}" for name in names for n in range(4, 7)))
        sources[f"limb.{field}"] = text if field == "rod_center" else f"{text}, half of the pair's"
    sources["limb.rod_model"] = "chosen: general, the one with a centre and an inertia of its own"
    centers = {} if not any(pair.m for pair in pairs) else {"rod_center": per_arm([pair.center[2] for pair in pairs])}
    if not centers:
        del sources["limb.rod_center"]
    return {
        "rod_mass": per_arm([pair.m / 2 for pair in pairs]),
        "rod_inertia": per_arm([pair.jxx / 2 for pair in pairs]),
        "rod_model": "general",
        **centers,
    }


def _plate(machine: BrDelta, ledger: Ledger, sources: Sources) -> Rigid:
    radius = same(machine, "EndEffectorPlatform/Arm{n}LinkPoint/Radius", [arm.plate_radius for arm in machine.arms])
    same(machine, "EndEffectorPlatform/Arm{n}LinkPoint/Z", [arm.plate_z for arm in machine.arms])
    sources["plate.radius"] = ledger.source("Arm.plate_radius")
    mass = None
    if machine.bodies:
        mass = machine.bodies[8].m
        sources["plate.mass"] = ledger.source("TableBody.m.9")
    return Rigid(radius, mass=mass, telescope=_telescope(machine, ledger, sources) if machine.count > ARMS else None)


def _telescope(machine: BrDelta, ledger: Ledger, sources: Sources) -> Telescope:
    sources["plate.telescope.ratio"] = "chosen: the joint is the shaft itself; the gearbox is part of the drive"
    values: dict[str, Any] = {"drive": yaw_drive(machine, ledger, sources)}
    if not machine.bodies:
        sources["plate.telescope.inertia"] = "not in the document"
    else:
        values["inertia"] = machine.bodies[9].jzz
        sources["plate.telescope.inertia"] = ledger.source("TableBody.jzz.10")
    for field, n in (("upper", 7), ("lower", 8)):
        half = _half(machine.bodies[n - 1]) if machine.bodies else None
        if half is not None:
            values[field] = half
            for own, name in (("mass", "m"), ("center", "mz"), ("inertia", "jxx"), ("spin_inertia", "jzz")):
                sources[f"plate.telescope.{field}.{own}"] = ledger.source(f"TableBody.{name}.{n}")
    if machine.arms[0].z != 0.0:
        values["height"] = -machine.arms[0].z
        sources["plate.telescope.height"] = f"{ledger.source('Arm.z.1')}: the shaft taken to begin in the base plane"
    return Telescope(**values)


def _half(rows: TableBody) -> TelescopeHalf | None:
    """A half of the telescope; None where it has neither mass nor inertia."""
    if not (rows.m or rows.jxx or rows.jzz):
        return None
    return TelescopeHalf(rows.m, rows.center[2], rows.jxx, rows.jzz)


def _gripper(machine: BrDelta, ledger: Ledger, sources: Sources) -> Gripper:
    """What hangs on the flange and turns with it: body 10, where it has a mass."""
    if not machine.bodies or machine.bodies[9].m == 0.0:
        sources["gripper"] = "not in the document: nothing hangs on the flange"
        return Gripper()
    flange = machine.bodies[9]
    sources["gripper"] = ledger.source("TableBody.m.10", "TableBody.mx.10") + ", the flange"
    x, y, z = flange.center
    return Gripper(flange.m, (x, y, z + machine.frame.flange_z))


def _limits(machine: BrDelta, ledger: Ledger, sources: Sources) -> Limits:
    values: dict[str, Any] = {}

    def state(field: str, read: Callable[[Any], float | None], *keys: str) -> None:
        """A limit of the arms, where every one of them has it."""
        each = [read(axis.limits) for axis in machine.axes[:ARMS]]
        if each and None not in each:
            values[field] = per_arm(each)
            sources[f"limits.{field}"] = ledger.source(*(f"AxisLimits.{key}.{n}" for key in keys for n in range(1, 4)))

    state("joint_min", lambda one: one.lower, "lower")
    state("joint_max", lambda one: one.upper, "upper")
    state("joint_speed", lambda one: one.smallest("speed"), "speed")
    state("joint_acceleration", _least_acceleration, "acceleration", "deceleration")
    state("joint_jerk", lambda one: one.smallest("jerk"), "jerk", "jerk_1", "jerk_2", "jerk_3", "jerk_4")
    for field in ("joint_acceleration", "joint_jerk"):
        if field in values:
            sources[f"limits.{field}"] += ", the smallest of them"
    if machine.count > ARMS and machine.axes:
        yaw = machine.axes[ARMS].limits
        for field, value, key in (("yaw_min", yaw.lower, "lower"), ("yaw_max", yaw.upper, "upper")):
            if value is not None:
                values[field] = value
                sources[f"limits.{field}"] = ledger.source(f"AxisLimits.{key}.4")
    if machine.reductions and "joint_jerk" in values:
        values["jerk_over_payload"] = tuple((one.payload, 1.0 - one.share) for one in machine.reductions)
        sources["limits.jerk_over_payload"] = ledger.source("JerkReduction.share", "JerkReduction.payload")
    if machine.section_limits:
        pulls = machine.section_limits[6:12]
        values["rod_pull"] = per_arm([min(pulls[2 * i : 2 * i + 2]) for i in range(ARMS)])
        text = "taken as the pull of the six rods, because there are six; not proven"
        sources["limits.rod_pull"] = f"{ledger.source(*(f'{SECTIONS}{n}' for n in range(7, 13)))}, {text}"
    return Limits(**values)


def _least_acceleration(limits: Any) -> float | None:
    each = [limits.smallest("acceleration"), limits.smallest("deceleration")]
    return min((value for value in each if value is not None), default=None)


def _workspace(machine: BrDelta, limits: Limits, ledger: Ledger, sources: Sources) -> Workspace | None:
    if machine.range is None:
        return None
    sources["workspace"] = f"{ledger.source('WorkingRange')}, heights those of the plate's joints from the base plane"
    yaw = (
        -math.pi if limits.yaw_min is None else limits.yaw_min,
        math.pi if limits.yaw_max is None else limits.yaw_max,
    )
    if machine.count > ARMS and limits.yaw_min is None:
        sources["workspace.yaw_min"] = sources["workspace.yaw_max"] = "chosen: a whole turn; the axis has no ends"
    return region_of(machine.range, machine.arms[0].z, yaw if machine.count > ARMS else (0.0, 0.0))


def _home(machine: BrDelta, workspace: Workspace | None, limits: Limits, sources: Sources) -> tuple[float, ...]:
    """On the axis, in the middle of the working range, or where the arms are near the middle of their limits."""
    if workspace is not None:
        sources["home"] = "chosen: on the axis, in the middle of the working range"
        return (0.0, 0.0, (workspace.z_min + workspace.z_max) / 2, 0.0)
    arm = machine.arms[0]
    middles = (
        ()
        if limits.joint_min is None or limits.joint_max is None
        else ((_first(limits.joint_min) + _first(limits.joint_max)) / 2,)
    )
    for angle in (*middles, *_HOME_ANGLES):
        across = arm.radius + arm.upper * math.cos(angle) - arm.plate_radius
        if abs(across) < arm.lower:
            sources["home"] = f"chosen: on the axis, arm 1 at {math.degrees(angle):.4g} deg below the horizontal"
            return (0.0, 0.0, -arm.upper * math.sin(angle) - math.sqrt(arm.lower**2 - across**2), 0.0)
    message = f"rods of {arm.lower:g} m do not reach from arms of {arm.upper:g} m to the plate on the axis"
    raise FileError(machine.name, (FileProblem("Arms/Arm1/LowerArmLength", message),))


def _first(value: float | tuple[float, ...]) -> float:
    return value[0] if isinstance(value, tuple) else value


def per_arm(values: Sequence[Any]) -> Any:
    """One number where all arms have the same, otherwise one per arm.

    Args:
        values: the number of each arm.
    """
    return values[0] if len(set(values)) == 1 else tuple(values)


def same(machine: BrDelta, what: str, values: Sequence[Any]) -> Any:
    """What all arms share.

    Args:
        machine: the Delta.
        what: its place in the project, with `{n}` for the arm.
        values: the value of each arm.

    Raises:
        FileError: they differ.
    """
    if len(set(values)) == 1:
        return values[0]
    listed = ", ".join(f"{value:g}" if isinstance(value, float) else str(value) for value in values)
    message = f"is {listed} (SI) for arms 1 to {len(values)}; a robot file has one for all arms: make them equal"
    raise FileError(machine.name, (FileProblem(what.format(n="n"), message),))
