"""`parapick export runtime`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter

from parapick.cli.arguments import PLAIN, Files, RobotName, Shared, load
from parapick.cli.groups import ASKED, SUPERVISOR
from parapick.cli.outputs import FOLDER, Force, Output, Outputs, contents, out_parameter, written_in
from parapick.cli.supervision_options import SupervisionOptions
from parapick.cli.tables import busy
from parapick.errors import ParapickError

OUTPUTS: Final = Outputs(Output("sources", "loop, law, supervisor, virtual cell and Makefile", (FOLDER,)))


def runtime(
    robot: RobotName,
    task: str = "adept-120",
    /,
    *,
    controller: Annotated[str, Parameter(group=ASKED, metavar="NAME")] = "tsid",
    guard: Annotated[
        tuple[str, ...], Parameter(group=SUPERVISOR, negative=(), show_default=False, metavar="GUARD=LIMIT")
    ] = (),
    shared: Shared = PLAIN,
    out: Annotated[Files, out_parameter(OUTPUTS)] = (),
    force: Annotated[Force, Parameter(help="Replace files of the same names.")] = False,
) -> int:
    """The runtime of a robot and a controller: sources with a Makefile, which needs a C compiler.

    Writes a folder, ROBOT-runtime if no other is named.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        task: A shipped task, or the path of a TOML file, from which gains that are not numbers are found.
        controller: A shipped controller, a control law, or the path of a TOML file.
        guard: Limit of a guard of the supervisor, such as following=2deg or singularity=off; repeatable.
        shared: Working mode, and how the answer is printed.
        out: The folder.
        force: Whether files of the same names are replaced.
    """
    from parapick.cli.printing import print_answer
    from parapick.runtime import export_runtime

    model = load(robot, shared)
    targets = OUTPUTS.targets(out)
    with busy("writing expressions as C"):
        exported = export_runtime(model, controller, task, supervisor=SupervisionOptions(guard=guard).supervisor(model))
    files = {}
    for path in [target.path for target in targets.of("sources")] or [Path(f"{model.robot.name}-runtime")]:
        before = contents(path)
        there = sorted(each.name for each in before if each.name in exported.texts)
        if there and not force:
            raise ParapickError(
                f"{path}: has {', '.join(there)} already, left alone; choose another folder, or give --force"
            )
        files |= written_in(before, exported.write(path))
    return print_answer(exported.answer(), as_json=shared.as_json, files=files, settings=shared.stated)
