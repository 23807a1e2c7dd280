"""A runtime as a folder of C: the loop with its law, the virtual cell, a Makefile and a README."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from parapick.answer import Answer, Column, Table
from parapick.control import ControlLaw, ControllerChoice
from parapick.files import write_folder
from parapick.robots import RobotChoice
from parapick.runtime.building import runtime_sources, runtime_texts
from parapick.runtime.cell_program import CELL_SOURCES, FLAGS, cell_texts
from parapick.runtime.run_settings import RunSettings
from parapick.runtime.session import Session, session
from parapick.supervision import Supervisor
from parapick.tasks import TaskChoice

_SUPERVISOR: Final = Supervisor()

_MAKEFILE: Final = """CC ?= cc
CFLAGS ?= {flags}

all: runtime cell

runtime: {runtime}
\t$(CC) $(CFLAGS) -o $@ $(filter %.c,$^) -lm -lrt

cell: {cell}
\t$(CC) $(CFLAGS) -o $@ $(filter %.c,$^) -lm -lrt

clean:
\trm -f runtime cell

.PHONY: all clean
"""

_README: Final = """# The runtime of {robot} under {law}

`make` builds two programs; it needs a C compiler (C11, Linux).

- `runtime SEGMENT` is the loop: {rate:g} times per second it reads the drives, checks its guards, takes the
  supervisor's step, computes the law and writes.
- `cell SEGMENT` is a virtual cell with drives of CiA 402, for trying the loop without a machine.

Both meet in a segment of POSIX shared memory, such as `/parapick-cell`. `parapick run` makes one, feeds the reference
and drains the log; `bus.h`, `ring.h` and `loop.h` state every field of it for other planners. For a machine, a bridge
takes the place of `cell`: it takes the drives' seat at the segment and copies its frames to a bus and back.

What is refused, and by which exit code: 2 for a segment that is not of this robot, taken, dead or damaged, 3 for a
period that the law cannot keep.

| file | what it is |
| --- | --- |
{table}
"""

_MEANING: Final = {
    "bus": "the process image and its segment",
    "ring": "rings of rows: reference in, log out",
    "turns": "what periods and bus cycles depended on, for computing a run again",
    "master": "bringing drives up, units",
    "cia402": "the state machine of drives",
    "loop": "one period",
    "pace": "the loop against a clock",
    "cell": "the virtual cell",
    "drive": "a virtual drive",
    "belts": "belts, items and gripper of the virtual cell",
    "faults": "what goes wrong in the virtual cell",
    "cell_run": "the virtual cell as a process",
    "lockstep": "loop and virtual cell in one process",
    "replay": "a paced run again, turn by turn",
    "numbers": "rounding to the integers of the process image",
    "pp_names": "numbers of states, events and guards",
    "runtime_main": "the program `runtime`",
    "cell_main": "the program `cell`",
}


@final
@dataclass(frozen=True)
class ExportedRuntime:
    """A runtime as C.

    Attributes:
        robot: name of the robot.
        law: name of the law.
        texts: the files by their names.
    """

    robot: str
    law: str
    texts: dict[str, str]

    @property
    def ok(self) -> bool:
        """Whether it could be written."""
        return True

    def answer(self) -> Answer:
        """What is written."""
        sizes = tuple((file, len(text.encode())) for file, text in self.texts.items())
        return Answer(
            "export",
            f"{self.robot} under {self.law} as a runtime",
            tables=(Table("files", "", (Column("file"), Column("bytes")), sizes),),
            notes=("`make` in the folder builds it; that step needs a C compiler",),
            data={"robot": self.robot, "export": "runtime", "law": self.law},
            headline=f"The runtime of {self.robot} under {self.law} is {len(self.texts)} files.",
        )

    def write(self, folder: str | os.PathLike[str]) -> dict[str, Path]:
        """Write the files into a folder, which is made where it is missing; their paths by their names.

        Args:
            folder: the folder.

        Raises:
            ParapickError: a file cannot be written.
        """
        return write_folder(folder, self.texts)


def export_runtime(
    robot: RobotChoice,
    controller: ControllerChoice | ControlLaw,
    task: TaskChoice,
    *,
    supervisor: Supervisor = _SUPERVISOR,
) -> ExportedRuntime:
    """The runtime of a robot and a controller as C with a Makefile.

    Args:
        robot: a model, the name of a shipped robot, or the path of a file.
        controller: a controller, the name of a shipped one or of a law, the path of a file, or only its law.
        task: a task, from which gains that are not numbers are found.
        supervisor: limits of the guards, homing and stopping.

    Raises:
        LawError: a law that cannot be stopped along its path, or one that does not fit the robot.
        ParameterError: a law that cannot be exported, or a setting that is not valid.
    """
    run = session(robot, task, controller, RunSettings(supervisor))
    robot_name, law = run.cell.assembly.model.robot.name, run.machine.law.name
    texts = {**cell_texts(run.cell), **runtime_texts(run)}
    texts["Makefile"], texts["README.md"] = _makefile(run, texts), _readme(run, robot_name, law, texts)
    return ExportedRuntime(robot_name, law, dict(sorted(texts.items())))


def _makefile(run: Session, texts: dict[str, str]) -> str:
    headers = sorted(name for name in texts if name.endswith(".h"))
    cell = [*CELL_SOURCES, "cell_main.c"]
    return _MAKEFILE.format(
        flags=" ".join(FLAGS),
        runtime=" ".join([*runtime_sources(run), *headers]),
        # The plant is included by cell_main.c, which make rebuilds by hand: `make clean`.
        cell=" ".join([*cell, *headers]),
    )


def _readme(run: Session, robot: str, law: str, texts: dict[str, str]) -> str:
    lines = []
    for name in sorted(texts):
        stem = name.partition(".")[0]
        kind = stem.rpartition("_")[2]
        meaning = _MEANING.get(stem) or ("functions" if name.endswith(".h") else kind) + f" of {robot}, printed"
        lines.append(f"| `{name}` | {meaning} |")
    return _README.format(robot=robot, law=law, rate=run.planned.supervision.rate, table="\n".join(lines))
