"""A robot file as an answer: its legs, working modes, and numbers with sources."""

from __future__ import annotations

from dataclasses import asdict, fields

from parapick.answer import Answer, Column, Table, lines
from parapick.inspection import named, place_text
from parapick.mechanism import Robot, WorkingMode
from parapick.robots.number_rows import legs_in_words, number_rows, row_texts
from parapick.robots.robot_file import RobotFile


def robot_answer(contents: RobotFile) -> Answer:
    """Everything that a robot file says.

    Args:
        contents: the file, read.
    """
    robot = contents.robot
    numbers = number_rows(contents)
    legs = tuple(map(Column, ("leg", "kind", "motor (m)", "axis", f"{robot.limb.carrier} (m)", "rod (m)")))
    parameters = tuple(map(Column, ("parameter", "value", "source")))
    plain = {name: getattr(robot, name) for name in ("name", "title", "dof", "task_names", "arms", "motors", "home")}
    return Answer(
        key="show",
        title=f"{robot.name}: {robot.title}" if robot.title else robot.name,
        tables=(
            lines("about", _about(contents)),
            Table("legs", "", legs, tuple(legs_in_words(robot))),
            Table("parameters", "", parameters, tuple(row_texts(numbers))),
        ),
        data={
            **plain,
            "description": contents.description,
            "path": str(contents.path),
            "base": robot.base.kind,
            "plate": robot.plate.kind,
            "rods": robot.limb.rods,
            "rod_model": robot.limb.rod_model,
            "working_mode": _default(robot).signs,
            "working_modes": {mode.name: mode.signs for mode in robot.modes},
            "parameters": [asdict(row) for row in numbers],
        },
        headline=f"{robot.name} moves its plate by {robot.motors} motors along {', '.join(robot.task_names)}.",
    )


def _about(contents: RobotFile) -> dict[str, str]:
    """What the file says of the robot as a whole, in words."""
    robot, description = contents.robot, " ".join(contents.description.split())
    own = f" and {robot.motors - robot.arms} of the plate" if robot.motors > robot.arms else ""
    default = _default(robot)
    others = ", ".join(str(mode) for mode in robot.modes if mode.signs != default.signs)
    return {
        **({"description": description} if description else {}),
        "file": str(contents.path),
        "motors": f"{robot.arms} {robot.limb.body}s{own}, base {robot.base.kind}, plate {robot.plate.kind}",
        "task vector": f"{', '.join(robot.task_names)}{' (redundant)' if robot.redundant else ''}",
        "rods": f"{robot.limb.rods} per leg, {robot.limb.rod_model}",
        "home": place_text(named(robot, robot.home)),
        "working mode": f"{default}{f'; also {others}' if others else ''}",
        **_drive_names(robot),
        **_lists(robot),
    }


def _drive_names(robot: Robot) -> dict[str, str]:
    """What makers call motor and gearbox of each drive, by the drive's path: texts, which no row of numbers has."""
    names = {}
    for path, drive in (("drive", robot.drive), (f"plate.{robot.plate.traits.drive_path}", robot.plate.drive)):
        motor, gearbox = getattr(drive, "motor", ""), None if drive is None else drive.gearbox
        parts = {"motor": motor, "gearbox": "" if gearbox is None else gearbox.name}
        if text := ", ".join(f"{part} {name}" for part, name in parts.items() if name):
            names[path] = text
    return names


def _default(robot: Robot) -> WorkingMode:
    """The working mode that the file states."""
    signs = "".join("+" if branch > 0 else "-" for branch in robot.branches)
    return next((mode for mode in robot.modes if mode.signs == signs), WorkingMode(signs, signs))


def _lists(robot: Robot) -> dict[str, str]:
    """Lists of whole numbers of the plate, one per leg: they are structure, so no row of the numbers has them."""
    values = {f"plate.{field.name}": getattr(robot.plate, field.name) for field in fields(robot.plate)}
    lists = {path: value for path, value in values.items() if isinstance(value, tuple) and value}
    return {path: str(list(value)) for path, value in lists.items() if all(type(item) is int for item in value)}
