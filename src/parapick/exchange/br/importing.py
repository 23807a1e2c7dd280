"""`import br`: a Delta of an Automation Studio project as a robot file, with what was compared and what was left."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import final

from parapick.answer import Answer, Column, Requirement, Table
from parapick.errors import FileProblem, ParapickError, RobotFileError
from parapick.exchange.br.agreement import Twice, compared
from parapick.exchange.br.machine import BrDelta
from parapick.exchange.br.project import Project, read_project
from parapick.exchange.br.reading import chosen_system, read_machine
from parapick.exchange.br.remainder import NO_FIELD, LeftSettings, left_of, unmodelled
from parapick.exchange.br.to_robot import robot_of
from parapick.mechanism import problems
from parapick.names import name_objection
from parapick.parameters import leaves
from parapick.robots import RobotFile


@final
@dataclass(frozen=True)
class ImportedRobot:
    """A robot of a project.

    Attributes:
        contents: the robot with its sources, as a file holds them.
        machine: its numbers as the project states them.
        compared: what the project states twice: of each kind what differs most.
        left: what was not taken over, by reason.
        left_out: numbers that a robot file has no place for, each as a sentence.
        files: files of the project from which something was taken.
    """

    contents: RobotFile
    machine: BrDelta
    compared: tuple[Twice, ...]
    left: tuple[LeftSettings, ...]
    left_out: tuple[str, ...]
    files: tuple[str, ...]

    @property
    def findings(self) -> tuple[Requirement, ...]:
        """That the project does not contradict itself."""
        return tuple(one.requirement for one in self.compared)

    @property
    def ok(self) -> bool:
        """Whether the project contradicts itself nowhere."""
        return all(finding.ok for finding in self.findings)

    def answer(self) -> Answer:
        """What was taken over, what was compared, and what was left."""
        robot, machine = self.contents.robot, self.machine
        numbers, left = sum(1 for _ in leaves(robot)), sum(len(group.paths) for group in self.left)
        wrong = "; ".join(finding.text for finding in self.findings if not finding.ok)
        verdict = " The project contradicts itself; the first of two numbers is taken." if wrong else ""
        return Answer(
            "import",
            f"{robot.name}, from {machine.name} ({machine.subtype})",
            tables=(self._compared_table(), self._left_table(left), self._sources_table()),
            left_out=self.left_out,
            data={
                "robot": robot.name,
                "system": machine.name,
                "subtype": machine.subtype,
                "numbers": numbers,
                "files": list(self.files),
                "settings_left": left,
                "left": [{"file": one.file, "reason": one.reason, "paths": list(one.paths)} for one in self.left],
            },
            refusal=wrong,
            headline=f"{robot.name} has {numbers} numbers from {len(self.files)} files of the project.{verdict}",
        )

    def table(self, name: str) -> Table:
        """A table of the answer by its name.

        Args:
            name: its name, such as "compared".
        """
        return self.answer().table(name)

    def __repr__(self) -> str:
        return f"<ImportedRobot {self.contents.robot.name} from {self.machine.name}: {len(self.files)} files>"

    def _repr_html_(self) -> str:
        return self.answer()._repr_html_()

    def _compared_table(self) -> Table:
        columns = (
            *(Column("stated twice"), Column("the one taken; the other"), Column("taken", by_row=True)),
            *(Column("other", by_row=True), Column("unit"), Column("alike", alarm=False)),
        )
        pairs = zip(self.compared, self.findings, strict=True)
        rows = tuple((one.name, one.what, one.first, one.second, one.unit, found.ok) for one, found in pairs)
        return Table("compared", "", columns, rows)

    def _left_table(self, count: int) -> Table:
        columns = (Column("file"), Column("settings"), Column("why"))
        rows = tuple((group.file, len(group.paths), group.reason) for group in self.left)
        return Table("left", f"not taken over: {count} settings", columns, rows)

    def _sources_table(self) -> Table:
        rows = tuple(self.contents.sources.items())
        return Table("sources", "where the numbers come from", (Column("path"), Column("source")), rows, printed=0)


def import_br(folder: str | os.PathLike[str], *, system: str | None = None, name: str | None = None) -> ImportedRobot:
    """A Delta of a project of B&R Automation Studio as a robot, with a source for every number.

    Args:
        folder: folder of the project, or of one of its configurations.
        system: name of the mechanical system; the only one if not given.
        name: name of the robot; that of the mechanical system if not given.

    Raises:
        ParapickError: there is no such project, or several systems and none is named.
        FileError: a file cannot be read, or states what a robot file cannot.
        RobotFileError: the numbers are those of no robot.
    """
    project = read_project(folder)
    part = chosen_system(project, system)
    machine, ledger = read_machine(project, part)
    named = part.name if name is None else name
    objection = name_objection(named)
    if objection:
        raise ParapickError(f"name: {objection}")
    robot, sources = robot_of(machine, ledger, named)
    contents = RobotFile(robot, _description(project, machine), {path: text for path, text in sources.items() if text})
    wrong = tuple(problems(robot, documented=contents.cites_document))
    if wrong:
        raise RobotFileError(str(Path(folder)), tuple(_with_source(problem, contents) for problem in wrong))
    files = tuple(dict.fromkeys(file for file, _, _ in sorted(ledger.taken)))
    own = frozenset(owner for _, owner, _ in ledger.taken)
    left = left_of(project, ledger, own)
    return ImportedRobot(contents, machine, compared(machine), left, (*unmodelled(machine), *_named(left)), files)


def _description(project: Project, machine: BrDelta) -> str:
    place = project.folder.resolve().name
    return (
        f"Imported from the mechanical system {machine.name} ({machine.subtype}) of the Automation Studio project in "
        f"the folder {place}. The origin is in the plane of the motor axes, {1e3 * -machine.arms[0].z:g} mm below the "
        "base plane of the project."
    )


def _with_source(problem: FileProblem, contents: RobotFile) -> FileProblem:
    """A problem of the robot with the place in the project from which its number is."""
    source = contents.source_of(problem.path) if problem.path else None
    return problem if source is None else FileProblem(problem.path, f"{problem.message} [{source}]")


def _named(left: tuple[LeftSettings, ...]) -> Iterator[str]:
    """Settings of the robot for which no reason is known, one by one."""
    for group in left:
        if group.reason == NO_FIELD:
            yield from (f"{group.file}: {path}: {NO_FIELD}" for path in group.paths)
