"""What a robot file holds: the description, and what is said about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, final

if TYPE_CHECKING:
    from parapick.mechanism import Robot

BEGUN: Final = "begun as "
"""How the title of a robot and the sources of its numbers begin where they were copied from another robot's file."""

OWN: Final = (
    *("chosen", "not in the document", "measured", "estimated", "assumed", "guessed", "computed", "ours"),
    BEGUN.strip(),
)
"""How a source begins that is no document: the author of the file stands for the number."""


@final
@dataclass(frozen=True)
class RobotEntry:
    """A shipped robot in the list of robots.

    Attributes:
        name: name for `load`.
        title: one line that says what it is.
        dof: length of the task vector: 3, or 4 with yaw.
        motors: number of motors.
        plate: kind of the plate.
        path: its file.
    """

    name: str
    title: str
    dof: int
    motors: int
    plate: str
    path: Path


@final
@dataclass(frozen=True)
class RobotFile:
    """A robot file, read.

    Attributes:
        robot: the description.
        description: free text about the robot.
        sources: where numbers come from, by dotted path of the number or of its table.
        path: the file; None for contents that are not in a file.
    """

    robot: Robot
    description: str = ""
    sources: Mapping[str, str] = field(default_factory=dict)
    path: Path | None = None

    def source_of(self, path: str) -> str | None:
        """Where a number comes from: the source of its path, or of the nearest table around it.

        Args:
            path: dotted path of a parameter, such as `limb.arm` or `base.angles.2`.
        """
        # A file states the branches of a description as its working mode.
        names = path.split(".")
        if names[0] == "branches":
            names = ["working_modes", "default"]
        while names:
            source = self.sources.get(".".join(names))
            if source is not None:
                return source
            names.pop()
        return None

    def cites_document(self, path: str) -> bool:
        """Whether a number is stated by a document: it has a source, and that does not begin with a word of `OWN`.

        Args:
            path: dotted path of a parameter.
        """
        source = (self.source_of(path) or "").strip().lower()
        return bool(source) and not source.startswith(OWN)
