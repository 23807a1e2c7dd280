"""A robot with a task as a configuration of LinuxCNC: components, INI, HAL, G-code and a script that runs it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import final

from parapick.answer import Answer, Column, Table
from parapick.errors import ParapickError
from parapick.evaluation import chosen_task, evaluate
from parapick.export.linuxcnc.code import model_code, plant_code
from parapick.export.linuxcnc.component import kinematics_component, plant_component
from parapick.export.linuxcnc.files import FileNames, hal_prefix
from parapick.export.linuxcnc.gcode import gcode
from parapick.export.linuxcnc.hal import hal_text
from parapick.export.linuxcnc.ini import PERIOD, ini_text
from parapick.export.linuxcnc.machine import CncMachine, machine_of
from parapick.export.linuxcnc.readme import readme_text
from parapick.export.linuxcnc.runner import runner_text
from parapick.files import write_folder
from parapick.formulas import expression_of
from parapick.model import Model
from parapick.motion import Motion
from parapick.robots import RobotChoice, model_of
from parapick.tasks import TaskChoice, meets_belts, name_of


@final
@dataclass(frozen=True, eq=False)
class ExportedController:
    """A robot with a task as files of LinuxCNC.

    Attributes:
        model: the robot.
        task: name of the task.
        machine: joints and axes as the controller has them.
        names: names of the files.
        texts: the files by their names.
        objection: what `evaluate` says where it says no; empty where the robot can do the task at its own pace.
    """

    model: Model
    task: str
    machine: CncMachine
    names: FileNames
    texts: dict[str, str]
    objection: str = ""

    @property
    def ok(self) -> bool:
        """Whether it could be written."""
        return True

    def answer(self) -> Answer:
        """What is written, and which joint and axis is which."""
        robot, machine, prefix = self.model.robot.name, self.machine, self.names.prefix
        sizes = tuple((name, len(text.encode())) for name, text in self.texts.items())
        joints = tuple((i, each.unit, each.home, each.low, each.high) for i, each in enumerate(machine.joints))
        torque = "torques at the motor shaft" if machine.masses else "no torques: the robot states no masses"
        return Answer(
            "export",
            f"{robot} as a machine of LinuxCNC",
            tables=(
                Table("files", "", (Column("file"), Column("bytes")), sizes),
                Table(
                    "joints",
                    "joints",
                    (Column("joint"), Column("unit"), Column("home"), Column("from"), Column("to")),
                    joints,
                ),
                Table("names", "", (Column("name"), Column("in HAL")), () if robot == prefix else ((robot, prefix),)),
            ),
            notes=() if not self.objection else (f"at its own pace the robot cannot do the task: {self.objection}",),
            data={"robot": robot, "task": self.task, "export": "linuxcnc", "prefix": self.names.prefix},
            headline=(
                f"{robot} is the kinematics {self.names.kinematics} with {len(machine.joints)} joints and the axes "
                f"{machine.letters}; {torque}."
            ),
        )

    def table(self, name: str) -> Table:
        """A table of the answer by its name.

        Args:
            name: its name, such as "files".
        """
        return self.answer().table(name)

    def __repr__(self) -> str:
        return f"<ExportedController {self.names.kinematics}: {', '.join(self.texts)}>"

    def _repr_html_(self) -> str:
        return self.answer()._repr_html_()

    def write(self, folder: str | os.PathLike[str]) -> dict[str, Path]:
        """Write the files into a folder, which is made where it is missing; their paths by their names.

        Args:
            folder: the folder.

        Raises:
            ParapickError: a file cannot be written.
        """
        paths = write_folder(folder, self.texts)
        # LinuxCNC starts it as a program.
        paths[self.names.runner].chmod(0o755)
        return paths


def export_linuxcnc(robot: RobotChoice, task: TaskChoice | None = None) -> ExportedController:
    """A robot with a task as a configuration of LinuxCNC.

    Args:
        robot: a model, the name of a shipped robot, or the path of a file.
        task: a motion, a task, the name of a shipped task, or the path of a file; None for the Adept cycle.

    Raises:
        UnknownRobotError: no robot of this name is shipped.
        UnreachableError: the robot cannot reach a pose of the task.
        ParapickError: the task picks from a belt, or LinuxCNC has too few joints.
    """
    model = model_of(robot)
    motion, called = _motion(model, task)
    machine = machine_of(model, motion)
    names = FileNames(hal_prefix(model.robot.name))
    verdict = evaluate(model, motion).verdict
    objection = "" if verdict.ok else verdict.text
    return ExportedController(model, called, machine, names, _texts(model, motion, machine, names, called), objection)


def _motion(model: Model, task: TaskChoice | None) -> tuple[Motion, str]:
    """The motion of a task, and its name."""
    work = chosen_task(task, [model], None)
    called = name_of(work if task is None else task)
    if meets_belts(work):
        raise ParapickError(
            f"{called} picks from a belt that moves, which G-code cannot follow; choose a task between fixed places"
        )
    motion = work if isinstance(work, Motion) else work.motion(model)
    return motion.with_payload(model.payload), called


def _texts(model: Model, motion: Motion, machine: CncMachine, names: FileNames, task: str) -> dict[str, str]:
    robot = model.robot
    margins = list(expression_of("margins", robot).outputs)
    title = f"{robot.name}, {task}"
    texts = {
        "README.md": readme_text(robot, machine, names, task),
        names.ini: ini_text(machine, names, title),
        names.hal: hal_text(machine, names),
        names.program: gcode(motion, machine.axes, title),
        names.tools: "",
        names.runner: runner_text(names, motion.duration),
        f"{names.kinematics}.comp": kinematics_component(machine, names, robot.home, margins),
        f"{names.prefix}_model.c": model_code(model, names, masses=machine.masses),
    }
    if machine.masses:
        plant = plant_code(model, motion, names, 1e-9 * PERIOD)
        texts[f"{names.plant}.comp"] = plant_component(machine, names, plant)
        texts[f"{names.prefix}_machine.c"] = plant.text
    return texts
