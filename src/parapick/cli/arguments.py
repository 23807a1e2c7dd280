"""The words that commands share: robot, pose, working mode, and amounts with their unit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from parapick.cli.tables import note, unit_of
from parapick.errors import ParameterError, ParapickError

if TYPE_CHECKING:
    from parapick.mechanism import Robot
    from parapick.model import Model

RobotName = Annotated[str, Parameter(help="A shipped robot, or the path of a TOML file.")]
Json = Annotated[
    bool, Parameter(name="--json", negative=(), show_default=False, help="Print one JSON document instead.")
]
Coordinate = Annotated[str, Parameter(allow_leading_hyphen=True)]
Amount = Annotated[str | None, Parameter(allow_leading_hyphen=True)]
Mode = Annotated[str | None, Parameter(allow_leading_hyphen=True)]

_RATES: Final = ("", "/s", "/s2")
"""What follows the unit of a coordinate, of its rate and of its acceleration."""

_RATE: Final = re.compile(r"(?P<amount>.*[^\s/])\s*/\s*s\s*(?P<square>\^?2|²)?\s*", re.DOTALL)
_PLAIN: Final = re.compile(r"[\s\d.eE+-]+")

_KINDS: Final = {("m", 1): "a speed", ("m", 2): "an acceleration", ("rad", 1): "a rate", ("rad", 2): "an acceleration"}


def load(robot: str, mode: str | None) -> Model:
    """The model of a robot, in another working mode if one is given."""
    from parapick.model import Model
    from parapick.robots import load_robot

    model = Model(load_robot(robot).robot)
    return model if mode is None else model.with_working_mode(mode)


def load_with_masses(robot: str, mode: str | None, payload: str | None) -> Model:
    """The model of a robot whose masses matter: with a payload, and with notes on doubtful numbers."""
    from parapick.mechanism.doubts import doubts

    model = load(robot, mode)
    for doubt in doubts(model.robot):
        note(f"{model.robot.name}: {doubt}")
    return model if payload is None else model.carrying(amount("--payload", payload, "kg", least=0.0))


@contextmanager
def as_options(*names: str) -> Iterator[None]:
    """Turn errors of arguments of a function into errors of the options that give them.

    Args:
        names: the arguments.
    """
    try:
        yield
    except ParameterError as error:
        if error.path not in names:
            raise
        raise ParameterError(f"--{error.path.replace('_', '-')}", error.message) from error


def pose_given(robot: Robot, place: Sequence[str | None], yaw: str | None) -> list[float] | None:
    """The task vector of optional coordinates; None if there are none."""
    given = [text for text in place if text is not None]
    if not given:
        return None
    if len(given) < 3:
        raise ParapickError("a pose is X Y Z, and YAW where the robot has it; give all of them or none")
    return task_vector(robot, given, yaw)


def task_vector(robot: Robot, place: Sequence[str], yaw: str | None) -> list[float]:
    """The task vector (m, rad) of three coordinates and a yaw, which is 0 if not given."""
    if yaw is not None and robot.dof == 3:
        raise ParameterError("YAW", f"{robot.name} has no yaw; give X Y Z only")
    texts = [*place, *([yaw or "0"] if robot.dof == 4 else [])]
    return [_coordinate(name.upper(), text, name) for name, text in zip(robot.task_names, texts, strict=True)]


def series(robot: Robot, option: str, text: str, order: int = 0) -> list[float]:
    """A task vector written as one word, `x,y,z` or `x,y,z,yaw`; yaw is 0 if not given.

    Args:
        robot: the robot.
        option: its name, for messages.
        text: the word.
        order: 0 for a pose (m, rad), 1 for its rate (m/s, rad/s), 2 for its acceleration (m/s2, rad/s2).
    """
    parts = text.split(",")
    if len(parts) not in (3, robot.dof):
        names = ",".join(robot.task_names)
        raise ParameterError(option, f"{text!r} has {len(parts)} numbers; {robot.name} takes {names}")
    parts += ["0"] * (robot.dof - len(parts))
    pairs = zip(robot.task_names, parts, strict=True)
    return [_coordinate(f"{option}, {name}", part, name, order) for name, part in pairs]


def amount(option: str, text: str, unit: str, *, least: float | None = None, bare: bool = True) -> float:
    """A number with its unit, or in SI without one.

    Args:
        option: its name, for messages.
        text: such as `10mm`.
        unit: SI unit.
        least: smallest value allowed.
        bare: whether the unit may be left out.
    """
    from parapick.units import parse, range_objection

    try:
        value = parse(text, unit, bare=bare)
    except ParapickError as error:
        raise ParameterError(option, str(error)) from error
    if objection := range_objection(value, unit):
        raise ParameterError(option, objection)
    if least is not None and value < least:
        raise ParameterError(option, f"is {text}; it must be at least {least:g}")
    return value


def _coordinate(label: str, text: str, name: str, order: int = 0) -> float:
    if text.startswith("--"):
        raise ParapickError(f"unknown option {text}")
    if order == 0:
        return amount(label, text, unit_of(name))
    # A rate is written as a coordinate a second: 500 mm/s, 30 deg/s2.
    match = _RATE.fullmatch(text)
    if match is None and _PLAIN.fullmatch(text):
        return amount(label, text, unit_of(name))
    if match is None or bool(match["square"]) != (order == 2):
        raise ParameterError(label, _unlike(text, name, order))
    return amount(label, match["amount"], unit_of(name), bare=False)


def _unlike(text: str, name: str, order: int) -> str:
    units = ("m", "mm") if unit_of(name) == "m" else ("rad", "deg")
    kind = _KINDS[unit_of(name), order]
    return f"{text!r} is not {kind}; write it in {' or '.join(unit + _RATES[order] for unit in units)}"
