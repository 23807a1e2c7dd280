"""The words that commands share: robot, pose, working mode, and amounts with their unit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, final

from cyclopts import Parameter

from parapick.cli.doubts import doubt, doubt_bare, keep_doubt
from parapick.cli.groups import ASKED, LOAD, OUTPUT, ROBOT, TASK
from parapick.cli.settings import NO_ROBOT_SETTINGS, NO_TASK_SETTINGS, RobotSettings, TaskSettings
from parapick.cli.tables import note, unit_of
from parapick.errors import ParameterError, ParapickError

if TYPE_CHECKING:
    from parapick.mechanism import Robot
    from parapick.model import Model

RobotName = Annotated[str, Parameter(help="A shipped robot, or the path of a TOML file.")]
TaskName = Annotated[str, Parameter(help="A shipped task, or the path of a TOML file.")]
Json = Annotated[
    bool,
    Parameter(name="--json", group=OUTPUT, negative=(), show_default=False, help="Print one JSON document instead."),
]
Coordinate = Annotated[str, Parameter(allow_leading_hyphen=True)]
Amount = Annotated[str | None, Parameter(allow_leading_hyphen=True, metavar="AMOUNT")]
Vector = Annotated[str | None, Parameter(allow_leading_hyphen=True, metavar="X,Y,Z[,YAW]")]
Real = Annotated[float | None, Parameter(allow_leading_hyphen=True, metavar="NUMBER")]
Count = Annotated[int | None, Parameter(allow_leading_hyphen=True, metavar="NUMBER")]
Whole = Annotated[int, Parameter(allow_leading_hyphen=True, metavar="NUMBER")]
Names = Annotated[str, Parameter(show_default=False, metavar="NAMES")]
Text = Annotated[str, Parameter(show_default=False, metavar="TEXT")]
Pairs = Annotated[tuple[str, ...], Parameter(negative=(), show_default=False, metavar="PATH=VALUE")]
Files = tuple[str, ...]

SharingRule = Annotated[
    Literal["least-norm", "least-peak"] | None,
    Parameter(help="How the motors of a redundant robot share the torque; least-peak if not given."),
]

_RATES: Final = ("", "/s", "/s2")
"""What follows the unit of a coordinate, of its rate and of its acceleration."""


@final
@Parameter(name="*", group=ROBOT)
@dataclass(frozen=True)
class Shared:
    """Options of every command that loads a robot.

    Attributes:
        mode: Working mode: a name of the robot's, or one + or - per arm.
        settings: What the robot has otherwise than its file states.
        as_json: Print one JSON document instead.
    """

    mode: Annotated[str | None, Parameter(allow_leading_hyphen=True, metavar="MODE")] = None
    settings: RobotSettings = NO_ROBOT_SETTINGS
    as_json: Json = False

    @property
    def stated(self) -> dict[str, str]:
        """What the robot has otherwise than its file states, by its path."""
        mode = {} if self.mode is None else {"mode": self.mode}
        return {**mode, **self.settings.stated}


PLAIN: Final = Shared()
"""The robot as its file states it, and text."""


@final
@Parameter(name="*", group=LOAD)
@dataclass(frozen=True)
class Load:
    """What the motors carry and how they share it.

    Attributes:
        payload: Mass in the tool beyond the gripper, such as 500g, instead of what a task carries.
        sharing: How the motors of a redundant robot share the torque; least-peak if not given.
    """

    payload: Amount = None
    sharing: SharingRule = None

    @property
    def stated(self) -> dict[str, str]:
        """What is given here, by its name."""
        return given_texts(payload=self.payload, sharing=self.sharing)

    def on(self, robot: str, shared: Shared = PLAIN) -> Model:
        """The model of a robot whose masses matter, with this load."""
        return load_with_masses(robot, shared, self.payload).with_sharing(self.sharing)


NO_LOAD: Final = Load()
"""Nothing in the tool."""


@final
@Parameter(name="*", group=TASK)
@dataclass(frozen=True)
class TaskChoice:
    """Which task is evaluated, and what is changed about it.

    Attributes:
        task: A shipped task, or the path of a TOML file; the Adept cycle at 120 per minute if not given.
        cycles_per_minute: Cycles per minute, there and back, instead of those of the task.
        settings: What the task has otherwise than its file states.
        load: What the motors carry and how they share it.
    """

    task: Annotated[str | None, Parameter(group=ASKED, metavar="TASK")] = None
    cycles_per_minute: Real = None
    settings: TaskSettings = NO_TASK_SETTINGS
    load: Load = NO_LOAD

    @property
    def stated(self) -> dict[str, str]:
        """What the task has otherwise than its file states, by its path."""
        pace = None if self.cycles_per_minute is None else f"{self.cycles_per_minute:g}"
        return {**given_texts(**{"task.cycles_per_minute": pace}), **self.load.stated, **self.settings.stated}

    def read(self) -> dict[str, Any]:
        """The arguments of `evaluate` and `compare`."""
        self._check_pace()
        task: Any = self.task
        if self.settings.stated:
            if task is None:
                raise ParameterError("--task-set", "changes a task; name one, such as adept-120")
            task = self.settings.load(task)
        asked = {"task": task, "payload": kilograms(self.load.payload), "sharing": self.load.sharing}
        return {**asked, "cycles_per_minute": self.cycles_per_minute}

    def _check_pace(self) -> None:
        """Raise if two paces are asked for."""
        if self.cycles_per_minute is None:
            return
        for name in ("cycles_per_minute", "picks_per_minute"):
            if f"task.{name}" in self.settings.stated:
                raise ParameterError("--cycles-per-minute", f"is given beside --task-set {name}; give one of them")


DEFAULT_TASK: Final = TaskChoice()
"""The Adept cycle."""


def given_texts(**texts: str | None) -> dict[str, str]:
    """Those of some texts that are given, by their names."""
    return {name: text for name, text in texts.items() if text is not None}


def load(robot: str, shared: Shared = PLAIN) -> Model:
    """The model of a robot, with what is asked for otherwise than its file states."""
    from parapick.robots import load_robot

    model = shared.settings.applied(load_robot(robot))
    doubt_settings(model, shared.settings)
    return model if shared.mode is None else model.with_working_mode(shared.mode)


def load_with_masses(robot: str, shared: Shared = PLAIN, payload: str | None = None) -> Model:
    """The model of a robot whose masses matter: with a payload, and with notes on doubtful numbers."""
    from parapick.model import number_doubts

    model = load(robot, shared)
    note_doubts(model)
    for entry in number_doubts(model):
        keep_doubt(entry)
    return with_payload(model, payload)


def doubt_settings(model: Model, settings: RobotSettings) -> None:
    """Doubt what is set otherwise than the robot's file states, where it is implausible."""
    from parapick.mechanism import doubts

    paths = [path.removesuffix(".*") for path in settings.stated]
    for entry in doubts(model.robot) if paths else ():
        if any(entry.path == path or entry.path.startswith(f"{path}.") for path in paths):
            doubt(f"--set {entry.path}", entry.message, entry.meant)


def with_payload(model: Model, payload: str | None) -> Model:
    """The model with the payload of `--payload`, if it is given."""
    mass = kilograms(payload)
    return model if mass is None else model.with_payload(mass)


def note_doubts(*models: Model) -> None:
    """Say beside the answer which numbers of robots are doubtful; of variants that lack the same lines, for one."""
    from parapick.model import number_doubts

    lines = set()
    for model in models:
        for entry in number_doubts(model):
            if entry.lines and entry.lines in lines:
                continue
            lines.add(entry.lines)
            note("\n  ".join([f"{model.robot.name}: {entry.head}", *entry.lines]))


def names_in(text: str) -> tuple[str, ...]:
    """Names that are separated by commas."""
    return tuple(filter(None, (name.strip() for name in text.split(","))))


def kilograms(payload: str | None) -> float | None:
    """The mass of `--payload` (kg); None if it is not given."""
    return None if payload is None else parsed_amount("--payload", payload, "kg", least=0.0)


@contextmanager
def as_options(*names: str, **options: str) -> Iterator[None]:
    """Turn errors of arguments of a function into errors of the options that give them.

    Args:
        names: arguments that options are named after.
        options: other arguments, and the options that give them.
    """
    known = {**{name: f"--{name.replace('_', '-')}" for name in names}, **options}
    try:
        yield
    except ParameterError as error:
        if error.path not in known:
            raise
        raise ParameterError(known[error.path], error.message) from error


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


def parsed_amount(option: str, text: str, unit: str, *, least: float | None = None, bare: bool = True) -> float:
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
    doubt_bare(option, text, value, unit)
    return value


def _coordinate(label: str, text: str, name: str, order: int = 0) -> float:
    if text.startswith("--"):
        raise ParapickError(f"unknown option {text}")
    return parsed_amount(label, text, f"{unit_of(name)}{_RATES[order]}")
