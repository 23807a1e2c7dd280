"""Numbers of a drive that seem to be those of the other side of its gearbox."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from parapick.errors import Doubt
from parapick.mechanism.drive import Drive
from parapick.mechanism.robot import Robot

OTHER_SIDE: Final = 3.0
"""From this ratio on the two sides of a gearbox are told apart by their numbers."""

FAR: Final = 3.0
"""Joint speed over what the motor allows from which on it is probably that of the motor: nobody limits a joint to three
times what it can do."""


def side_doubts(robot: Robot) -> Iterator[Doubt]:
    """Torques of a gearbox below those of its motor, and joint speeds that are those of a motor.

    Args:
        robot: the description, without numbers that follow others.
    """
    own = f"plate.{robot.plate.traits.drive_path}"
    for path, drive in (("drive", robot.drive), (own, robot.plate.drive)):
        if isinstance(drive, Drive) and drive.gearbox is not None:
            yield from _output(path, drive)
    if isinstance(robot.drive, Drive):
        yield from _joint_speed(robot, robot.drive)


def _output(path: str, drive: Drive) -> Iterator[Doubt]:
    """A torque at the output of a gearbox that is less than its motor gives without it."""
    gearbox: Any = drive.gearbox
    stated, motor = gearbox.peak_torque, drive.rated_torque or drive.peak_torque
    if stated is None or motor is None or drive.ratio < OTHER_SIDE or stated >= motor:
        return
    text = f"is {stated:g} N m at the joint, less than the {motor:g} N m of the motor, which become"
    text += f" {drive.ratio * motor:g} N m there"
    yield Doubt(
        f"{path}.gearbox.peak_torque",
        f"{text}; if it is that of the motor's side, write {drive.ratio * stated:g} N m",
    )


def _joint_speed(robot: Robot, drive: Drive) -> Iterator[Doubt]:
    """A speed of joints that only their motors have."""
    speed, motor = robot.limits.joint_speed, drive.peak_speed
    if not isinstance(speed, float) or motor is None or drive.ratio < OTHER_SIDE:
        return
    if drive.ratio * speed > FAR * motor:
        text = f"is {speed:g} rad/s of the joint, {drive.ratio * speed:g} rad/s of a motor that ends at {motor:g}"
        text += f"; if it is that of the motor, write {speed / drive.ratio:.6g} rad/s"
        yield Doubt("limits.joint_speed", text)
