"""The tree of deliberate errors: each carries its data, names the field or pose, and says what would be valid."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

__all__ = [
    "CacheWarning",
    "CancelledError",
    "Doubt",
    "FileError",
    "FileProblem",
    "KernelError",
    "MissingMassError",
    "MotionError",
    "ParameterError",
    "ParapickError",
    "PlausibilityWarning",
    "RobotFileError",
    "ShapeError",
    "UnknownFileError",
    "UnknownRobotError",
    "UnreachableError",
    "WorkingModeError",
]


class ParapickError(ValueError):
    """Root of everything parapick raises on purpose; also a `ValueError`."""


class CancelledError(Exception):
    """Raise it in a `progress` function to end long work; it leaves the verb as it is.

    It is no `ParapickError`: nothing was wrong, and no room may take it for an answer.
    """


class PlausibilityWarning(UserWarning):
    """A description holds numbers that are probably not meant; they are taken as they stand."""


class CacheWarning(UserWarning):
    """Compiled kernels are not kept, because somebody else could write where they would be."""


@final
class KernelError(ParapickError):
    """An expression cannot be turned into native code, for example because it uses an operation we do not know."""

    def __init__(self, kernel: str, message: str) -> None:
        super().__init__(f"kernel {kernel!r}: {message}")
        self.kernel = kernel


@final
class ShapeError(ParapickError):
    """An array has the wrong shape for the quantity it stands for."""

    def __init__(self, name: str, shape: tuple[int, ...], expected: str) -> None:
        super().__init__(f"{name} has shape {shape}; it should be {expected}")
        self.name = name
        self.shape = shape
        self.expected = expected


@final
class ParameterError(ParapickError):
    """A parameter path is unknown, or its new value is not allowed."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}")
        self.path = path
        self.message = message


class UnknownFileError(ParapickError):
    """Nothing of this name is shipped and no file of this name exists.

    Attributes:
        name: the name.
        known: names of what is shipped.
        close: those that come close to it.
    """

    def __init__(
        self,
        name: str,
        known: tuple[str, ...],
        kind: str = "file",
        plural: str = "files",
        *,
        also: tuple[str, ...] = (),
        head: str = "",
    ) -> None:
        """State that there is no file of this name.

        Args:
            name: the name.
            known: names of what is shipped.
            kind: what has no such name: "robot".
            plural: the same of several.
            also: further names that may have been meant.
            head: how the message begins; "no robot named 'x'" if empty.
        """
        from difflib import get_close_matches

        close = tuple(get_close_matches(name.strip().lower(), (*known, *also), n=3))
        hint = f"did you mean {' or '.join(close)}?" if close else f"shipped {plural}: {', '.join(known)}."
        super().__init__(f"{head or f'no {kind} named {name!r}'}; {hint} A path to a .toml file works too.")
        self.name = name
        self.close = close
        self.known = known


@final
class UnknownRobotError(UnknownFileError):
    """No robot of this name is shipped and no file of this name exists."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(name, known, "robot", "robots")


@final
class MissingMassError(ParapickError):
    """A robot described by its geometry only was asked for its dynamics."""

    def __init__(self, robot: str, missing: tuple[str, ...]) -> None:
        super().__init__(f"{robot} has no masses to compute forces from; give {', '.join(missing)} in its file")
        self.robot = robot
        self.missing = missing


@final
class WorkingModeError(ParapickError):
    """A working mode is not one of the robot's."""

    def __init__(self, mode: object, valid: str) -> None:
        super().__init__(f"no working mode {mode!r}; {valid}")
        self.mode = mode


@final
@dataclass(frozen=True)
class FileProblem:
    """One thing wrong with a file.

    Attributes:
        path: dotted name of the field, as in the file; empty when the file as a whole is meant.
        message: what is wrong and what would be valid.
    """

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


@final
@dataclass(frozen=True)
class Doubt:
    """A number that is taken as it stands, although it is probably not what was meant.

    Attributes:
        path: dotted name of the field, as in the file; empty when the file as a whole is meant.
        message: what is doubtful about it, and what may have been meant.
        meant: unit in which the number would be plausible, such as "mm"; empty where no unit explains it.
        impossible: whether no body at all can have it: a file is refused for it unless it cites a document.
        lines: lines of a robot file that would settle it, to be pasted; none where it is for the reader to decide.
    """

    path: str
    message: str
    meant: str = ""
    impossible: bool = False
    lines: tuple[str, ...] = ()

    def __str__(self) -> str:
        text = f"{self.path}: {self.message}" if self.path else self.message
        return f"{text}: {'; '.join(self.lines)}" if self.lines else text

    @property
    def head(self) -> str:
        """The doubt without its lines, which stand below it where they can be pasted from."""
        return str(replace(self, lines=())) + (":" if self.lines else "")


class FileError(ParapickError):
    """A file cannot be read or does not describe what it should; carries every problem found.

    Attributes:
        file: its path.
        problems: all that is wrong with it.
    """

    def __init__(self, file: str, problems: tuple[FileProblem, ...]) -> None:
        lines = "\n".join(f"  {problem}" for problem in problems)
        super().__init__(f"{file}: {len(problems)} problem{'s' if len(problems) != 1 else ''}\n{lines}")
        self.file = file
        self.problems = problems


@final
class RobotFileError(FileError):
    """A robot file cannot be read or does not describe a robot; carries every problem found."""


class MotionError(ParapickError):
    """A motion cannot be made, or not by this robot."""


@final
class UnreachableError(ParapickError):
    """A pose lies outside what the robot can reach.

    Attributes:
        pose: task vector (m, rad) of the first unreachable pose.
        reason: what is missing there, such as `leg 2: the rod is 12.3 mm too short`.
        slack: the negative slack.
        index: position of the pose in the batch; empty for a single pose.
        unit: of the slack: m for legs and clearance, rad for joints and yaw.
    """

    def __init__(self, pose: tuple[float, ...], reason: str, slack: float, index: tuple[int, ...], unit: str) -> None:
        where = f" (index {', '.join(map(str, index))} of the batch)" if index else ""
        values = ", ".join(f"{value:.6g}" for value in pose)
        super().__init__(f"pose ({values}){where} cannot be reached: {reason}")
        self.pose = pose
        self.reason = reason
        self.slack = slack
        self.index = index
        self.unit = unit
