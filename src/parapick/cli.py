"""The commands: thin, and each imports what it needs only when it is called.

Exit code 0: done. 1: the pose cannot be reached, which is an answer. 2: the input is wrong; one message says what.
"""

from __future__ import annotations

import dataclasses
import json
import math
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import App, CycloptsError, Parameter

from parapick import __version__
from parapick.errors import ParameterError, ParapickError, RobotFileError

if TYPE_CHECKING:
    from rich.console import Console

    from parapick.mechanism import Robot
    from parapick.model import Model
    from parapick.robots import RobotFile
    from parapick.robots.rows import Row

__all__ = ["main"]

WIDTH_MAX: Final = 100
"""Tables are at most this wide (characters)."""

UNREACHABLE, WRONG_INPUT = 1, 2

app = App(
    name="parapick",
    help="A workbench for fast pick-and-place parallel robots.",
    version=__version__,
    help_formatter="plain",
)

RobotName = Annotated[str, Parameter(help="A shipped robot, or the path of a TOML file.")]
Json = Annotated[bool, Parameter(name="--json", negative=(), show_default=False, help="Print JSON, not tables.")]
Coordinate = Annotated[str, Parameter(allow_leading_hyphen=True)]
Mode = Annotated[str | None, Parameter(allow_leading_hyphen=True)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    Args:
        arguments: words of the command line; those of the process if not given.
    """
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character of somebody's title gets a question mark, not a crash.
        getattr(stream, "reconfigure", lambda **_: None)(errors="replace")
    try:
        options = {"exit_on_error": False, "print_error": False, "result_action": "return_value"}
        code = app(arguments, console=_console(), **options)
        sys.stdout.flush()
    except CycloptsError as error:
        print(f"parapick: {error}\nTry: parapick --help", file=sys.stderr)
        return WRONG_INPUT
    except ParapickError as error:
        print(f"parapick: {error}", file=sys.stderr)
        return WRONG_INPUT
    except BrokenPipeError:
        # Whoever read the output has seen enough; nothing may complain when Python closes it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code or 0


@app.command
def robots(*, as_json: Json = False) -> int:
    """List the shipped robots."""
    from parapick.robots import list_robots

    entries = list_robots()
    if as_json:
        return _print_json([{**dataclasses.asdict(entry), "path": str(entry.path)} for entry in entries])
    heads = ("name", "motors", "freedoms", "plate", "title")
    cells = [(e.name, str(e.motors), str(e.dof), e.plate, e.title) for e in entries]
    _print_table(heads, cells, numbers=(1, 2))
    return 0


@app.command
def show(robot: RobotName, /, *, as_json: Json = False) -> int:
    """Show a robot: its legs, working modes, and numbers with sources."""
    from parapick.robots import load_robot
    from parapick.robots.rows import rows

    contents = load_robot(robot)
    numbers = rows(contents)
    if as_json:
        return _print_json(_shown(contents, numbers))
    _print_robot(contents, numbers)
    return 0


@app.command
def check(file: Annotated[str, Parameter(help="Path of a TOML file.")], /, *, as_json: Json = False) -> int:
    """Check a robot file and report all its problems at once."""
    from parapick.robots import check_file

    problems = check_file(file)
    if as_json:
        _print_json({"file": file, "valid": not problems, "problems": [dataclasses.asdict(p) for p in problems]})
        return WRONG_INPUT if problems else 0
    if problems:
        raise RobotFileError(file, problems)
    print(f"{file} is a valid robot")
    return 0


@app.command
def pose(
    robot: RobotName,
    x: Coordinate,
    y: Coordinate,
    z: Coordinate,
    yaw: Coordinate | None = None,
    /,
    *,
    mode: Mode = None,
    as_json: Json = False,
) -> int:
    """Put a robot at a pose: joint angles, slack, margins.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        x: In metres, or with its unit: 100mm.
        y: In metres, or with its unit.
        z: In metres, or with its unit.
        yaw: In radians, or with its unit: 30deg. Zero if not given.
        mode: Working mode: a name of the robot's, or one + or - an arm.
        as_json: Print JSON, not tables.
    """
    from parapick.robots import load

    model = load(robot)
    vector = _task_vector(model.robot, (x, y, z), yaw)
    if mode is not None:
        model = model.with_working_mode(mode)
    answer = _posed(model, vector)
    if as_json:
        _print_json(answer)
    else:
        _print_pose(answer)
    return 0 if answer["reachable"] else UNREACHABLE


@app.command
def schema() -> int:
    """Print the JSON Schema of robot files."""
    from parapick.robots.schema import json_schema

    return _print_json(json_schema())


def _task_vector(robot: Robot, place: Sequence[str], yaw: str | None) -> list[float]:
    if yaw is not None and robot.dof == 3:
        raise ParameterError("YAW", f"{robot.name} has no yaw; give X Y Z only")
    texts = [*place, *([yaw or "0"] if robot.dof == 4 else [])]
    return [_coordinate(name, text) for name, text in zip(robot.task_names, texts, strict=True)]


def _coordinate(name: str, text: str) -> float:
    from parapick.robots.units import parse

    if text.startswith("--"):
        raise ParapickError(f"unknown option {text}")
    try:
        return parse(text, _unit(name), bare=True)
    except ParapickError as error:
        raise ParameterError(name.upper(), str(error)) from error


def _posed(model: Model, vector: list[float]) -> dict[str, Any]:
    """The answer of `pose` as plain values; None where there is none."""
    reach, arms = model.reach(vector), model.robot.arms
    joint = {"q": model.inverse_kinematics(vector), "joint_limit_slack": reach.joints}
    arm = {"slack": reach.legs, "elbow_limit_slack": reach.elbow, "cone_limit_slack": reach.cone}
    legs = [
        {"leg": i + 1}
        | {name: float(values[i]) for name, values in joint.items()}
        | {name: float(values[i]) if i < arms else None for name, values in arm.items()}
        for i in range(model.robot.motors)
    ]
    return _finite(
        {
            "robot": model.robot.name,
            "working_mode": dataclasses.asdict(model.working_mode),
            "pose": dict(zip(model.robot.task_names, vector, strict=True)),
            "reachable": bool(reach.ok),
            "reason": reach.reason() or None,
            "legs": legs,
            "yaw_limit_slack": float(reach.yaw),
            "clearance_slack": float(reach.clearance),
            "margins": {name: float(value) for name, value in model.margins(vector)._asdict().items()},
        }
    )


def _finite(value: Any) -> Any:
    """The value with None in the place of NaN and infinity, which JSON does not have."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _print_pose(answer: dict[str, Any]) -> None:
    text = _mode_text(**answer["working_mode"])
    print(f"{answer['robot']} at {_place(answer['pose'])}; working mode {text}\n")
    # A column for a limit that the robot does not have would be empty.
    columns = [c for c in _COLUMNS if c[0] in ("q", "slack") or any(leg[c[0]] is not None for leg in answer["legs"])]
    cells = [
        (str(leg["leg"]), *(_number(leg[key], digits, factor) for key, _, digits, factor in columns))
        for leg in answer["legs"]
    ]
    _print_table(("leg", *(head for _, head, *_ in columns)), cells, numbers=range(len(columns) + 1))
    print(f"\nmargins (0 is singular): {', '.join(f'{k} {_number(v, 4)}' for k, v in answer['margins'].items())}")
    if answer["yaw_limit_slack"] is not None:
        print(f"yaw limit slack: {_number(answer['yaw_limit_slack'], 3, _DEGREES)} deg")
    if answer["clearance_slack"] is not None:
        print(f"clearance slack: {_number(answer['clearance_slack'], 3, 1e3)} mm")
    print("the pose can be reached" if answer["reachable"] else f"out of reach: {answer['reason']}")


_DEGREES: Final = 180 / math.pi
_COLUMNS: Final = (
    ("q", "q (rad)", 6, 1.0),
    ("q", "q (deg)", 4, _DEGREES),
    ("slack", "leg slack (mm)", 3, 1e3),
    ("joint_limit_slack", "joint slack (deg)", 3, _DEGREES),
    ("elbow_limit_slack", "elbow slack (deg)", 3, _DEGREES),
    ("cone_limit_slack", "cone slack (deg)", 3, _DEGREES),
)


def _place(pose: dict[str, float]) -> str:
    from parapick.robots.rows import amount

    return ", ".join(f"{name} {amount(value, _unit(name))}" for name, value in pose.items())


def _unit(name: str) -> str:
    return "rad" if name == "yaw" else "m"


def _number(value: float | None, digits: int, factor: float = 1.0) -> str:
    return "-" if value is None else f"{value * factor:.{digits}f}"


def _signs(robot: Robot) -> str:
    return "".join("+" if branch > 0 else "-" for branch in robot.branches)


def _mode_text(name: str, signs: str) -> str:
    return signs if name == signs else f"{name} ({signs})"


def _shown(contents: RobotFile, numbers: Iterable[Row]) -> dict[str, Any]:
    """The answer of `show --json`."""
    robot = contents.robot
    plain = {name: getattr(robot, name) for name in ("name", "title", "dof", "task_names", "arms", "motors", "home")}
    return _finite(
        {
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
    )


def _print_robot(contents: RobotFile, numbers: Iterable[Row]) -> None:
    from parapick.robots.rows import in_words, legs_in_words

    robot = contents.robot
    print(f"{robot.name}: {robot.title}" if robot.title else robot.name)
    for paragraph in filter(None, re.split(r"\n\s*\n", contents.description.strip())):
        print(f"\n{textwrap.fill(' '.join(paragraph.split()), _width())}")
    print(f"\nfile          {contents.path}")
    own = f" and {robot.motors - robot.arms} of the plate" if robot.motors > robot.arms else ""
    print(f"motors        {robot.arms} arms{own}, base {robot.base.kind}, plate {robot.plate.kind}")
    print(f"task vector   {', '.join(robot.task_names)}{' (redundant)' if robot.redundant else ''}")
    print(f"rods          {robot.limb.rods} a leg, {robot.limb.rod_model}")
    print(f"home          {_place(dict(zip(robot.task_names, robot.home, strict=True)))}")
    names = {mode.signs: mode.name for mode in robot.modes}
    default = _signs(robot)
    others = ", ".join(_mode_text(name, signs) for signs, name in names.items() if signs != default)
    text = _mode_text(names.get(default, default), default)
    print(f"working mode  {text}{f'; also {others}' if others else ''}\n")
    heads = ("leg", "kind", "motor (m)", "axis", "arm (m)", "rod (m)")
    _print_table(heads, legs_in_words(robot), numbers=(0, 4, 5))
    print()
    _print_table(("parameter", "value", "source"), in_words(numbers))


def _console() -> Console:
    from rich.console import Console

    return Console(width=_width(), markup=False, highlight=False, emoji=False)


def _width() -> int:
    return min(WIDTH_MAX, shutil.get_terminal_size((WIDTH_MAX, 24)).columns)


def _print_table(heads: Sequence[str], cells: Iterable[Sequence[str]], numbers: Iterable[int] = ()) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    right = set(numbers)
    for index, head in enumerate(heads):
        table.add_column(head, justify="right" if index in right else "left", overflow="fold")
    for row in cells:
        table.add_row(*row)
    console = _console()
    with console.capture() as drawn:
        console.print(table)
    # A table fills its width with blanks, which a pipe would keep.
    print("\n".join(line.rstrip() for line in drawn.get().splitlines()))


def _print_json(value: Any) -> int:
    print(json.dumps(value, indent=2, allow_nan=False, ensure_ascii=False))
    return 0
