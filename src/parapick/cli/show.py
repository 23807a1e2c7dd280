"""`parapick show`."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from parapick.cli.arguments import Json, RobotName
from parapick.cli.tables import mode_text, place_text, print_json, print_list, print_table, say

if TYPE_CHECKING:
    from parapick.mechanism import Robot
    from parapick.robots import RobotFile
    from parapick.robots.rows import Row

__all__ = ["show"]


def show(robot: RobotName, /, *, as_json: Json = False) -> int:
    """Show a robot: its legs, working modes, and numbers with sources."""
    from parapick.robots import load_robot
    from parapick.robots.rows import rows

    contents = load_robot(robot)
    numbers = rows(contents)
    if as_json:
        print_json(_answer(contents, numbers))
    else:
        _print(contents, numbers)
    return 0


def _signs(robot: Robot) -> str:
    return "".join("+" if branch > 0 else "-" for branch in robot.branches)


def _answer(contents: RobotFile, numbers: Iterable[Row]) -> dict[str, Any]:
    robot = contents.robot
    plain = {name: getattr(robot, name) for name in ("name", "title", "dof", "task_names", "arms", "motors", "home")}
    return {
        **plain,
        "description": contents.description,
        "path": str(contents.path),
        "base": robot.base.kind,
        "plate": robot.plate.kind,
        "rods": robot.limb.rods,
        "rod_model": robot.limb.rod_model,
        "working_mode": _signs(robot),
        "working_modes": {mode.name: mode.signs for mode in robot.modes},
        "parameters": [dataclasses.asdict(row) for row in numbers],
    }


def _print(contents: RobotFile, numbers: Iterable[Row]) -> None:
    from parapick.robots.rows import in_words, legs_in_words

    robot = contents.robot
    say(f"{robot.name}: {robot.title}" if robot.title else robot.name)
    for paragraph in filter(None, re.split(r"\n\s*\n", contents.description.strip())):
        say()
        say(" ".join(paragraph.split()), indent="")
    say()
    own = f" and {robot.motors - robot.arms} of the plate" if robot.motors > robot.arms else ""
    print_list(
        {
            "file": str(contents.path),
            "motors": f"{robot.arms} {robot.limb.body}s{own}, base {robot.base.kind}, plate {robot.plate.kind}",
            "task vector": f"{', '.join(robot.task_names)}{' (redundant)' if robot.redundant else ''}",
            "rods": f"{robot.limb.rods} a leg, {robot.limb.rod_model}",
            "home": place_text(dict(zip(robot.task_names, robot.home, strict=True))),
            "working mode": _modes(robot),
            **_lists(robot),
        }
    )
    say()
    heads = ("leg", "kind", "motor (m)", "axis", f"{robot.limb.carrier} (m)", "rod (m)")
    print_table(heads, legs_in_words(robot), numbers=(0, 4, 5))
    say()
    print_table(("parameter", "value", "source"), in_words(numbers))


def _lists(robot: Robot) -> dict[str, str]:
    """Lists of whole numbers of the plate, one a leg: they are structure, so no row of the numbers has them."""
    fields = {f"plate.{field.name}": getattr(robot.plate, field.name) for field in dataclasses.fields(robot.plate)}
    lists = {path: value for path, value in fields.items() if isinstance(value, tuple) and value}
    return {path: str(list(value)) for path, value in lists.items() if all(type(item) is int for item in value)}


def _modes(robot: Robot) -> str:
    names = {mode.signs: mode.name for mode in robot.modes}
    default = _signs(robot)
    others = ", ".join(mode_text(name, signs) for signs, name in names.items() if signs != default)
    return f"{mode_text(names.get(default, default), default)}{f'; also {others}' if others else ''}"
