"""The options that set something otherwise than a file states it: `--set` and `--rods` of robots, `--task-set`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, final

from cyclopts import Parameter

from parapick.cli.groups import ROBOT, TASK
from parapick.errors import ParameterError

if TYPE_CHECKING:
    from parapick.mechanism import Robot
    from parapick.model import Model
    from parapick.robots import RobotFile
    from parapick.tasks import Task


@final
@Parameter(name="*", group=ROBOT)
@dataclass(frozen=True)
class RobotSettings:
    """What a robot has otherwise than its file states.

    Attributes:
        numbers: A number in the place of the file's, such as limb.arm=350mm; repeatable. Its path is that of the file.
        rods: How the mass of the rods is spread, in the place of the file's rod_model, such as halves.
    """

    numbers: Annotated[
        tuple[str, ...], Parameter(name="--set", negative=(), show_default=False, metavar="PATH=VALUE")
    ] = ()
    rods: Annotated[str | None, Parameter(metavar="NAME")] = None

    @property
    def stated(self) -> dict[str, str]:
        """What is set, as it was written, by its path."""
        rods = {} if self.rods is None else {"limb.rod_model": self.rods}
        return {**rods, **self._pairs()}

    def applied(self, file: RobotFile) -> Model:
        """The robot with these settings, which pass the checks of a file that states them.

        Args:
            file: the robot's file.

        Raises:
            ParameterError: a setting that the robot cannot have.
        """
        from parapick.mechanism import ROD_MODELS, VARIABLE
        from parapick.model import Model

        model = Model(file.robot)
        if self.rods is not None:
            if self.rods not in (*ROD_MODELS, *VARIABLE):
                raise ParameterError("--rods", f"is {self.rods!r}; valid are {', '.join((*ROD_MODELS, *VARIABLE))}")
            model = model.with_rod_model(self.rods)
        pairs = self._pairs()
        if not pairs:
            return model
        try:
            model = model.with_parameters(si_numbers(pairs))
        except ParameterError as error:
            hint = "; --rods takes a name" if error.path == "limb.rod_model" else ""
            raise _refused(tuple(pairs), error.path, f"{error.message}{hint}") from error
        try:
            _check_as_file(file, model.robot, tuple(pairs))
        except ParameterError:
            # What is refused may be a forgotten unit; of what is accepted the answer has its doubts.
            _doubt_bare_numbers(model.robot, pairs)
            raise
        return model

    def applied_to_all(self, robots: Sequence[RobotFile]) -> tuple[list[Model], tuple[str, ...]]:
        """Robots with these settings, each with those that it has a place for; and which of them have none.

        Args:
            robots: the robots' files.

        Raises:
            ParameterError: a setting that no robot has a place for, or that one of them cannot have.
        """
        from parapick.mechanism import names_something

        notes = []
        for path, value in self._pairs().items():
            without = [file.robot.name for file in robots if not names_something(file.robot, path)]
            if len(without) == len(robots):
                raise ParameterError(f"--set {path}", "is a number of none of these robots")
            if without:
                notes.append(f"{path} = {value} is not set for {', '.join(without)}: no such number there")
        return [self.known_to(file).applied(file) for file in robots], tuple(notes)

    def known_to(self, file: RobotFile) -> RobotSettings:
        """Those of the settings that a robot has a place for.

        Args:
            file: the robot's file.
        """
        from parapick.mechanism import names_something

        pairs = self._pairs().items()
        known = tuple(f"{path}={value}" for path, value in pairs if names_something(file.robot, path))
        return RobotSettings(known, self.rods)

    def overridden(self, other: RobotSettings) -> RobotSettings:
        """These settings, with others before them where both set a number.

        Args:
            other: the others.
        """
        pairs = {**self._pairs(), **other._pairs()}
        return RobotSettings(tuple(f"{path}={value}" for path, value in pairs.items()), other.rods or self.rods)

    def _pairs(self) -> dict[str, str]:
        return pairs_of("--set", "limb.arm=350mm", self.numbers)


@final
@Parameter(name="*", group=TASK)
@dataclass(frozen=True)
class TaskSettings:
    """What a task has otherwise than its file states.

    Attributes:
        fields: A field of the task in the place of the file's, such as cycles_per_minute=90 or pick.time=60ms;
            repeatable.
        allow_missed: Share of the items of a belt that may be missed, such as 5%; none if not given.
    """

    fields: Annotated[
        tuple[str, ...], Parameter(name="--task-set", negative=(), show_default=False, metavar="PATH=VALUE")
    ] = ()
    allow_missed: Annotated[str | None, Parameter(allow_leading_hyphen=True, metavar="SHARE")] = None

    @property
    def stated(self) -> dict[str, str]:
        """What is set, as it was written, by its path after `task`."""
        return {f"task.{path}": text for path, text in self._pairs().items()}

    def load(self, task: str) -> Task:
        """A task with these settings.

        Args:
            task: a shipped task, or the path of a file.
        """
        from parapick.tasks import load_task

        return load_task(task, {path: _value(text) for path, text in self._pairs().items()})

    def _pairs(self) -> dict[str, str]:
        allowed = {} if self.allow_missed is None else {"allow_missed": self.allow_missed}
        return pairs_of("--task-set", "cycles_per_minute=90", self.fields) | allowed


def _check_as_file(file: RobotFile, robot: Robot, paths: tuple[str, ...]) -> None:
    """Raise if a file that states these settings would be refused.

    Args:
        file: the robot's file.
        robot: the robot with the settings.
        paths: what is set; no document states these any more.
    """
    from parapick.mechanism import PRINTED, problems

    def documented(path: str) -> bool:
        return file.cites_document(path) and not any(path == own or path.startswith(f"{own}.") for own in plain)

    plain = tuple(path.removesuffix(".*") for path in paths)
    for problem in problems(robot, documented=documented):
        raise _refused(paths, problem.path, problem.message.removesuffix(PRINTED))


def _doubt_bare_numbers(robot: Robot, pairs: Mapping[str, str]) -> None:
    """Doubt numbers without a unit that are implausible in SI."""
    from parapick.cli.doubts import doubt_bare
    from parapick.parameters import units_of

    units = dict(units_of(robot))
    for path, value in si_numbers(pairs).items():
        if isinstance(value, float):
            doubt_bare(f"--set {path}", pairs[path].strip(), value, units.get(path, ""))


def _refused(paths: tuple[str, ...], path: str, message: str) -> ParameterError:
    """The error of a setting: of the number that is set, or of another number that cannot be beside it.

    Args:
        paths: what is set.
        path: the number that is wrong.
        message: what is wrong with it.
    """
    own = next((given for given in paths if f"{path}.".startswith(f"{given.removesuffix('.*')}.")), None)
    if own is not None:
        return ParameterError(f"--set {path}", message)
    return ParameterError(f"--set {', '.join(paths)}", f"then {path}: {message}")


def pairs_of(option: str, example: str, texts: Sequence[str]) -> dict[str, str]:
    """Values by path, of texts such as `limb.arm=350mm`.

    Args:
        option: the option that gives them, for messages.
        example: how one is written.
        texts: the texts.
    """
    pairs: dict[str, str] = {}
    for text in texts:
        path, sign, value = (part.strip() for part in text.partition("="))
        if not (path and sign and value):
            raise ParameterError(option, f"{text!r} is not a path and its value; write it as {example}")
        if path in pairs:
            raise ParameterError(f"{option} {path}", "is given twice")
        pairs[path] = value
    return pairs


def si_numbers(pairs: Mapping[str, str]) -> dict[str, float | str]:
    """Values by path, with numbers in the place of texts without a unit: on the command line these are SI.

    Args:
        pairs: texts by path.
    """
    from parapick.units import bare_number

    numbers = {path: bare_number(text) for path, text in pairs.items()}
    return {path: text if (number := numbers[path]) is None else number for path, text in pairs.items()}


def _value(text: str) -> Any:
    """A value as a file would have it: a number, a list, true or false; anything else is text."""
    try:
        document = tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError:
        return text
    return document["value"] if document.keys() == {"value"} else text


NO_ROBOT_SETTINGS = RobotSettings()
NO_TASK_SETTINGS = TaskSettings()
