"""A robot as a folder of C: `export_c`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, final

from parapick.answer import Answer, Column, Table
from parapick.control import CallableLaw, ControlLaw, ControllerChoice, controller_of
from parapick.errors import ParameterError
from parapick.evaluation import default_task
from parapick.export.c.law import CLaw, c_law, gains_note, law_units, law_vectors
from parapick.export.c.model_functions import functions_of, model_functions
from parapick.export.c.objects import CObject, c_object, check_processors
from parapick.export.c.source import CSource, Numbers
from parapick.export.c.supervised import CSupervisor, c_supervisor, without_supervisor
from parapick.export.c.supervisor_check import supervisor_check
from parapick.export.c.test_program import test_program
from parapick.export.c.texts import cost_lines, header, law_source, makefile, model_source, readme
from parapick.export.c.vectors import model_vectors, table_text
from parapick.files import write_folder
from parapick.kernel import CFunction, CStyle, identifier, is_identifier
from parapick.mechanism import Robot
from parapick.model import Model
from parapick.parameters import leaves, structure, symbols_of, units_of
from parapick.robots import RobotChoice, model_of
from parapick.simulation import stated_controller
from parapick.supervision import Supervisor
from parapick.tasks import TaskChoice, motion_for, name_of


@final
@dataclass(frozen=True)
class ExportedC:
    """A robot as C.

    Attributes:
        robot: its name.
        prefix: what every symbol begins with.
        texts: the files by their names.
        functions: the functions that can be called.
        names: identifier of C by the name in the robot's file, where they differ.
        left_out: what could not be exported, each as a sentence.
        objects: the model as machine code for other processors.
        notes: what else it rests on, each as a sentence.
    """

    robot: str
    prefix: str
    texts: dict[str, str]
    functions: tuple[CFunction, ...]
    names: dict[str, str] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    objects: tuple[CObject, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def files(self) -> dict[str, bytes]:
        """What is written, by file."""
        code = {f"{one.name}.o": one.code for one in self.objects}
        return {**{name: text.encode() for name, text in self.texts.items()}, **code}

    @property
    def ok(self) -> bool:
        """Whether it could be written: what is left out is listed, and no refusal."""
        return True

    def answer(self) -> Answer:
        """What is written, what a call costs, and what is left out."""
        sizes = tuple((file, len(content)) for file, content in self.files.items())
        costs = tuple((one.name, one.cost.operations, sum(one.cost.calls.values())) for one in self.functions)
        mapped = tuple(self.names.items())
        return Answer(
            "export",
            f"{self.robot} as C",
            tables=(
                Table("files", "", (Column("file"), Column("bytes")), sizes),
                Table("functions", "", (Column("function"), Column("operations"), Column("calls of libm")), costs),
                *self._object_tables(),
                Table("names", "", (Column("name"), Column("in C")), mapped),
            ),
            left_out=self.left_out,
            notes=(
                *self.notes,
                "`make test` in the folder compares it with the library; that step needs a C compiler",
            ),
            data={"robot": self.robot, "export": "c", "prefix": self.prefix},
            headline=f"{self.robot} is {len(self.functions)} functions of C with the prefix {self.prefix}.",
        )

    def _object_tables(self) -> tuple[Table, ...]:
        rows = [(name, count, one.calls[name]) for one in self.objects for name, count in one.instructions.items()]
        columns = (Column("function"), Column("instructions"), Column("calls of libm"))
        title = "machine code: instructions of a call at most, those of libm apart"
        return (Table("objects", title, columns, tuple(rows)),) if rows else ()

    def table(self, name: str) -> Table:
        """A table of the answer by its name.

        Args:
            name: its name, such as "files".
        """
        return self.answer().table(name)

    def __repr__(self) -> str:
        return f"<ExportedC {self.prefix}: {', '.join(self.files)}>"

    def _repr_html_(self) -> str:
        return self.answer()._repr_html_()

    def write(self, folder: str | os.PathLike[str]) -> dict[str, Path]:
        """Write the files into a folder, which is made where it is missing; their paths by their names.

        Args:
            folder: the folder.

        Raises:
            ParapickError: a file cannot be written.
        """
        return write_folder(folder, self.files)


@final
@dataclass(frozen=True, eq=False)
class CFolder:
    """What the files of an export are made of; other exports that build on its code take it from here.

    Attributes:
        model: the robot.
        source: style and numbers of the model.
        functions: functions of the model, static ones among them.
        names: names of those that can be called, without the prefix.
        law: the law with its state, reference and terms; None without one.
        supervisor: its guards, operating states and stop; None without one.
        objects: the model as machine code for other processors.
    """

    model: Model
    source: CSource
    functions: tuple[CFunction, ...]
    names: tuple[str, ...]
    law: CLaw | None
    supervisor: CSupervisor | None
    objects: tuple[CObject, ...]

    @property
    def callable(self) -> tuple[CFunction, ...]:
        """Every function that can be called."""
        outer = [one for one in self.functions if not one.declaration.startswith("static")]
        law = [] if self.law is None else [self.law.function]
        return (*outer, *law, *(() if self.supervisor is None else self.supervisor.functions))


_SUPERVISOR: Final = Supervisor()


def export_c(
    robot: RobotChoice,
    controller: ControllerChoice | ControlLaw | CallableLaw | None = None,
    *,
    prefix: str = "",
    task: TaskChoice | None = None,
    supervisor: Supervisor = _SUPERVISOR,
    real: Literal["double", "float"] = "double",
    fixed: bool = False,
    functions: Sequence[str] | None = None,
    objects: Sequence[str] = (),
) -> ExportedC:
    """A robot as C99: kinematics, dynamics, margins and slack, a law with its supervisor, a test program with vectors.

    Args:
        robot: a model, the name of a shipped robot, or the path of a file.
        controller: a controller, the name of a shipped one or of a law, or the path of a file; None for no law.
        prefix: what every symbol begins with; made from the robot's name if not given.
        task: a motion, a task, the name of a shipped task, or the path of a file, along which gains are found that
            depend on it, and the vectors of the law are taken; None for the Adept cycle.
        supervisor: limits of the guards around the law, and how it stops.
        real: type of all numbers.
        fixed: whether the robot's numbers are written into the code; otherwise functions take them as a struct.
        functions: names of functions of the model; all that the robot's numbers suffice for if not given.
        objects: processors for which the functions of the model are written as machine code too: "aarch64",
            "cortex-m7".

    Raises:
        ParameterError: a name is none in C, a function or a processor is unknown, a law has no step that a machine
            could run, or a limit of a guard lies outside the robot's file.
        MissingMassError: the robot lacks masses that a function or the law needs.
    """
    model = model_of(robot)
    name = prefix or identifier(model.robot.name)
    if not is_identifier(name):
        raise ParameterError("prefix", f"{name!r} is not an identifier of C; {identifier(name)!r} would be one")
    if real not in ("double", "float"):
        raise ParameterError("real", f"is {real!r}; valid are 'double' and 'float'")
    style = CStyle(name, real)
    check_processors(objects, style)
    names, left_out = functions_of(model.robot, None if functions is None else tuple(functions))
    source, description = _model_source(model, style, fixed=fixed)
    written = model_functions(source, description, names)
    stated = None if controller is None else stated_controller(controller_of(controller, model))
    work = default_task([model]) if task is None else task
    law = None if stated is None else c_law(model, stated, motion_for(work, model), style, fixed=fixed)
    note = "" if stated is None else gains_note(stated, name_of(work))
    why = without_supervisor(model, law, names, fixed=fixed)
    guarded = None if law is None or why else c_supervisor(source, description, written, law, supervisor)
    left_out += (why,) if why else ()
    made = tuple(c_object(model, style, names, processor) for processor in dict.fromkeys(objects))
    return _exported(
        CFolder(model, source, tuple(written), names, law, guarded, made), left_out, (note,) if note else ()
    )


def _model_source(model: Model, style: CStyle, *, fixed: bool) -> tuple[CSource, Robot]:
    pairs = tuple(leaves(model.robot))
    symbols, robot = symbols_of(structure(model.robot))
    numbers = Numbers("parameters", "p", tuple(path for path, _ in pairs), tuple(value for _, value in pairs), fixed)
    return CSource(style, numbers, symbols), robot


def _exported(folder: CFolder, left_out: tuple[str, ...], notes: tuple[str, ...]) -> ExportedC:
    model, source, style = folder.model, folder.source, folder.source.style
    law, guarded, prefix = folder.law, folder.supervisor, folder.source.style.prefix
    units = dict(units_of(model.robot))
    units |= {} if law is None else law_units(law)
    used = [source.numbers.paths[place] for place in sorted(source.used)]
    mapping = {model.robot.name: prefix, **{path: source.numbers.fields[path] for path in used}}
    code = {f"{prefix}_model.c": model_source(source, model, folder.functions)}
    code |= {} if law is None else {f"{prefix}_law.c": law_source(law)}
    code |= {} if guarded is None else {f"{prefix}_supervisor.c": guarded.part.source}
    texts = {
        f"{prefix}.h": header(source, model, folder.functions, law, guarded, units),
        **code,
        **_test_texts(folder),
        **{f"{one.name}.h": one.header for one in folder.objects},
        "Makefile": makefile(style, [*code]),
        "README.md": readme(style, model.robot, cost_lines(folder.callable, style), left_out, mapping, notes),
    }
    changed = {key: value for key, value in mapping.items() if key != value}
    return ExportedC(model.robot.name, prefix, texts, folder.callable, changed, left_out, folder.objects, notes)


def _test_texts(folder: CFolder) -> dict[str, str]:
    """The test program, and the header with its vectors."""
    model, names, style, law = folder.model, folder.names, folder.source.style, folder.law
    vectors = model_vectors(model, names, style)
    inputs = {name: [port.name for port in model.kernel(name).ports.inputs] for name in names}
    if law is not None:
        vectors["law"] = law_vectors(law, model)
    tables = [table_text(style, name, key, values) for name, table in vectors.items() for key, values in table.items()]
    checks = []
    if law is not None and folder.supervisor is not None:
        check = supervisor_check(folder.source, law, folder.supervisor)
        checks, tables = [check.program], [*tables, check.tables]
    program = test_program(style, vectors, inputs, folder.source.numbers.fixed, law, model, checks)
    vectors_text = "\n".join(["/* Inputs and the library's answers. */\n", *tables])
    return {f"{style.prefix}_vectors.h": vectors_text, f"{style.prefix}_test.c": program}
