"""A Delta as files of an Automation Studio project, with what has no place in one."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import final

from parapick.answer import Answer, Column, Table
from parapick.exchange import TABLE_ROWS, BrDelta, machine_of, project_texts
from parapick.files import write_folder
from parapick.mechanism import Robot
from parapick.robots import RobotChoice, model_of


@final
@dataclass(frozen=True)
class ExportedProject:
    """A robot as files of a project.

    Attributes:
        robot: the robot.
        machine: its numbers as the project states them.
        texts: the files by their names.
        left_out: what has no place in a project, each as a sentence.
    """

    robot: Robot
    machine: BrDelta
    texts: dict[str, str]
    left_out: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether it could be written: what has no place there is listed, and no refusal."""
        return True

    def answer(self) -> Answer:
        """What is written, and what is left out."""
        name, rows = self.robot.name, len(TABLE_ROWS) if self.machine.bodies else 0
        table = f"a dynamic model of {rows} rows" if rows else "no dynamic model"
        sizes = tuple((file, len(text.encode())) for file, text in self.texts.items())
        return Answer(
            "export",
            f"{name} as a mechanical system of Automation Studio",
            tables=(Table("files", "", (Column("file"), Column("bytes")), sizes),),
            left_out=self.left_out,
            data={"robot": name, "export": "br", "subtype": self.machine.subtype, "rows": rows},
            headline=f"{name} is the mechanical system {self.machine.name} ({self.machine.subtype}) with {table}.",
        )

    def table(self, name: str) -> Table:
        """A table of the answer by its name.

        Args:
            name: its name, such as "files".
        """
        return self.answer().table(name)

    def __repr__(self) -> str:
        return f"<ExportedProject {self.machine.name}: {', '.join(self.texts)}>"

    def _repr_html_(self) -> str:
        return self.answer()._repr_html_()

    def write(self, folder: str | os.PathLike[str]) -> dict[str, Path]:
        """Write the files into a folder, which is made where it is missing; their paths by their names.

        Args:
            folder: the folder.

        Raises:
            ParapickError: a file cannot be written.
        """
        return write_folder(folder, self.texts)


def export_br(robot: RobotChoice | Robot) -> ExportedProject:
    """A Delta as files of a project of B&R Automation Studio.

    Args:
        robot: a model, a description, the name of a shipped robot, or the path of a file.

    Raises:
        UnknownRobotError: no robot of this name is shipped.
        ParapickError: a project cannot state it.
    """
    description = robot if isinstance(robot, Robot) else model_of(robot).robot
    machine, left_out = machine_of(description)
    return ExportedProject(description, machine, project_texts(machine), left_out)
