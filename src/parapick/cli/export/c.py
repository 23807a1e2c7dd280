"""`parapick export c`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal

from cyclopts import Parameter

from parapick.cli.arguments import PLAIN, Files, RobotName, Shared, load
from parapick.cli.groups import ASKED, SUPERVISOR
from parapick.cli.outputs import FOLDER, Force, Output, Outputs, contents, out_parameter, written_in
from parapick.cli.supervision_options import SupervisionOptions
from parapick.cli.tables import busy
from parapick.errors import ParameterError, ParapickError

OUTPUTS: Final = Outputs(Output("sources", "header, sources, test program and Makefile", (FOLDER,)))


def c(
    robot: RobotName,
    /,
    *,
    controller: Annotated[str | None, Parameter(group=ASKED, metavar="NAME")] = None,
    task: Annotated[str | None, Parameter(group=ASKED, metavar="NAME")] = None,
    prefix: Annotated[str, Parameter(group=ASKED, metavar="NAME", show_default=False)] = "",
    real: Annotated[Literal["double", "float"], Parameter(group=ASKED)] = "double",
    fixed: Annotated[bool, Parameter(group=ASKED, negative=(), show_default=False)] = False,
    functions: Annotated[str | None, Parameter(group=ASKED, metavar="NAMES")] = None,
    machine: Annotated[
        tuple[str, ...],
        Parameter(name="--object", group=ASKED, negative=(), show_default=False, metavar="PROCESSOR"),
    ] = (),
    guard: Annotated[
        tuple[str, ...], Parameter(group=SUPERVISOR, negative=(), show_default=False, metavar="GUARD=LIMIT")
    ] = (),
    shared: Shared = PLAIN,
    out: Annotated[Files, out_parameter(OUTPUTS)] = (),
    force: Annotated[Force, Parameter(help="Replace files of the same names.")] = False,
) -> int:
    """The model of a robot, a control law and its supervisor, as C99 for a controller.

    Writes a folder, ROBOT-c if no other is named.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        controller: A controller whose law and supervisor are exported too: a shipped one, a law, or the path of a
            TOML file.
        task: A task along which gains are found that depend on it: a shipped one, or the path of a TOML file; the Adept
            cycle at 120 per minute if not given.
        prefix: What every symbol begins with; made from the robot's name if not given.
        real: Type of all numbers.
        fixed: Write the robot's numbers into the code; otherwise functions take them as a struct.
        functions: Functions of the model, separated by commas; all that the robot's numbers suffice for if not given.
        machine: Processor for which the model is written as machine code too: cortex-m7 or aarch64; repeatable.
        guard: Limit of a guard of the supervisor, such as following=2deg, workspace=5mm or singularity=off; repeatable.
        shared: Working mode, and how the answer is printed.
        out: The folder.
        force: Whether files of the same names are replaced.
    """
    from parapick.cli.printing import print_answer
    from parapick.export import export_c

    model = load(robot, shared)
    targets = OUTPUTS.targets(out)
    asked = None if functions is None else [name.strip() for name in functions.split(",")]
    if guard and controller is None:
        raise ParameterError("--guard", "is for the supervisor of a controller; give --controller, too")
    supervisor = SupervisionOptions(guard=guard).supervisor(model)
    with busy("writing expressions as C"):
        exported = export_c(
            model,
            controller,
            task=task,
            prefix=prefix,
            supervisor=supervisor,
            real=real,
            fixed=fixed,
            functions=asked,
            objects=machine,
        )
    files = {}
    for path in [target.path for target in targets.of("sources")] or [Path(f"{model.robot.name}-c")]:
        before = contents(path)
        there = sorted(each.name for each in before if each.name in exported.files)
        if there and not force:
            raise ParapickError(
                f"{path}: has {', '.join(there)} already, left alone; choose another folder, or give --force"
            )
        files |= written_in(before, exported.write(path))
    return print_answer(exported.answer(), as_json=shared.as_json, files=files, settings=shared.stated)
