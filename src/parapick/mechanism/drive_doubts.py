"""Numbers of a drive that seem to be those of the other side of its gearbox, and those that count nothing alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from parapick.errors import Doubt
from parapick.mechanism.drive import Drive
from parapick.mechanism.robot import Robot

OTHER_SIDE: Final = 3.0
"""From this ratio on the two sides of a gearbox are told apart by their numbers."""

FAR: Final = 3.0
"""Joint speed or acceleration over what the motor allows from which on it is probably that of the motor: nobody limits
a joint to three times what it can do."""

FRICTION_SHARE: Final = 0.5
"""Largest friction of a gearbox at its input, as a share of what its motor gives for long: a twentieth is usual."""

TOGETHER: Final = {"torque_constant": "resistance", "resistance": "torque_constant", "thermal_time": "temperature_max"}
"""Numbers of a winding, each with the one without which it counts nothing."""


def side_doubts(robot: Robot) -> Iterator[Doubt]:
    """Numbers of gearboxes and joints that are probably those of the other side of the gearbox.

    Args:
        robot: the description, without numbers that follow others.
    """
    for path, drive in _drives(robot):
        if drive.gearbox is not None and drive.ratio >= OTHER_SIDE:
            yield from _output(path, drive)
            yield from _friction(path, drive)
    if isinstance(robot.drive, Drive) and robot.drive.ratio >= OTHER_SIDE:
        yield from _joint_speed(robot, robot.drive)
        yield from _joint_acceleration(robot, robot.drive)


def winding_doubts(robot: Robot) -> Iterator[Doubt]:
    """Numbers of windings that count nothing, because another one is not stated.

    Args:
        robot: the description, without numbers that follow others.
    """
    for path, drive in _drives(robot):
        for name, other in TOGETHER.items() if drive.winding is not None else ():
            if getattr(drive.winding, name) is not None and getattr(drive.winding, other) is None:
                text = f"counts nothing without {path}.winding.{other}"
                what = "its losses" if "temperature" not in other else "its temperature"
                yield Doubt(f"{path}.winding.{name}", f"{text}: {what} cannot be told; state both")


def _drives(robot: Robot) -> list[tuple[str, Drive]]:
    """The drives that turn, by their path in the file."""
    own = f"plate.{robot.plate.traits.drive_path}"
    stated = (("drive", robot.drive), (own, robot.plate.drive))
    return [(path, drive) for path, drive in stated if isinstance(drive, Drive)]


def _long(drive: Drive) -> tuple[str, float] | None:
    """What a motor gives for long, by the name of its field: rated, stall or, without these, peak torque."""
    for name in ("rated_torque", "stall_torque", "peak_torque"):
        if (value := getattr(drive, name)) is not None:
            return name, value
    return None


def _output(path: str, drive: Drive) -> Iterator[Doubt]:
    """Torques at the output of a gearbox that are less than its motor gives without it."""
    motor = _long(drive)
    for name in ("peak_torque", "nominal_torque", "mean_torque") if motor is not None else ():
        stated = getattr(drive.gearbox, name)
        if motor is None or stated is None or stated >= motor[1]:
            continue
        text = f"is {stated:g} N m at the joint, less than the {motor[1]:g} N m of the motor, which become"
        text += f" {drive.ratio * motor[1]:g} N m there; if it is that of the motor's side, write"
        text += f" {drive.ratio * stated:g} N m; if {path}.{motor[0]} is that of the joint, write"
        yield Doubt(f"{path}.gearbox.{name}", f"{text} {motor[1] / drive.ratio:.6g} N m there")


def _friction(path: str, drive: Drive) -> Iterator[Doubt]:
    """Friction of a gearbox that takes most of what its motor gives."""
    motor, gearbox = _long(drive), drive.gearbox
    if motor is None or gearbox is None:
        return
    speed = drive.rated_speed or drive.peak_speed
    sizes = {
        "static_friction": (gearbox.static_friction, 1.0, drive.ratio, "N m"),
        "viscous_friction": (gearbox.viscous_friction, speed, drive.ratio**2, "N m s/rad"),
    }
    for name, (stated, at, factor, unit) in sizes.items():
        if stated is None or at is None or stated * at <= FRICTION_SHARE * motor[1]:
            continue
        where = "" if name == "static_friction" else f" ({stated * at:.3g} N m at {at:.4g} rad/s)"
        text = f"is {stated:g} {unit}{where} at the motor, whose {path}.{motor[0]} is {motor[1]:g} N m, and"
        text += f" {factor * stated:.4g} {unit} at the joint; if it is that of the joint, write"
        yield Doubt(f"{path}.gearbox.{name}", f"{text} {stated / factor:.4g} {unit}")


def _joint_speed(robot: Robot, drive: Drive) -> Iterator[Doubt]:
    """A speed of joints that only their motors have."""
    speed, motor = _largest(robot.limits.joint_speed), drive.peak_speed
    if speed is None or motor is None:
        return
    if drive.ratio * speed > FAR * motor:
        text = f"is {speed:g} rad/s of the joint, {drive.ratio * speed:g} rad/s of a motor that ends at {motor:g}"
        text += f"; if it is that of the motor, write {speed / drive.ratio:.6g} rad/s; if drive.peak_speed is that of"
        yield Doubt("limits.joint_speed", f"{text} the joint, write {drive.ratio * motor:g} rad/s there")


def _joint_acceleration(robot: Robot, drive: Drive) -> Iterator[Doubt]:
    """An acceleration of joints that their motors do not give their own rotors."""
    stated, peak = _largest(robot.limits.joint_acceleration), drive.peak_torque
    inertia = drive.coupled_inertia + (drive.inertia or 0.0)
    if stated is None or peak is None or not inertia > 0.0:
        return
    most = peak / inertia / drive.ratio
    if stated > FAR * most:
        text = f"is {stated:.6g} rad/s2 of the joint; the motor gives its own rotor {most:.4g} rad/s2 there"
        text += f" ({drive.ratio * most:.4g} rad/s2 at the motor); if it is that of the motor, write"
        yield Doubt("limits.joint_acceleration", f"{text} {stated / drive.ratio:.6g} rad/s2")


def _largest(stated: Any) -> float | None:
    """The largest of what is stated for all legs or for each; None without."""
    return max(stated) if isinstance(stated, tuple) else stated
