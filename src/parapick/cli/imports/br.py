"""`parapick import br`."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Final

from cyclopts import Parameter

from parapick.cli.arguments import Files, Json
from parapick.cli.groups import ROBOT
from parapick.cli.outputs import Force, Output, Outputs, out_parameter
from parapick.errors import ParapickError
from parapick.names import name_objection

OUTPUTS: Final = Outputs(Output("robot", "the robot file, whose name is that of the robot", (".toml",), "a robot file"))


def br(
    folder: Annotated[str, Parameter(help="Folder of the project, or of one of its configurations.")],
    /,
    *,
    system: Annotated[str | None, Parameter(group=ROBOT, metavar="NAME")] = None,
    out: Annotated[Files, out_parameter(OUTPUTS)] = (),
    force: Force = False,
    as_json: Json = False,
) -> int:
    """A Delta of a B&R Automation Studio project as a robot file.

    Geometry, masses, drives, limits and working range, each with its place in the project. What the project states
    twice is compared: a contradiction ends with exit code 1. What is not taken over is listed.

    Args:
        folder: Folder of the project, or of one of its configurations.
        system: Name of the mechanical system, where the project has several.
        out: What is written; nothing if not given.
        force: Whether a robot file of this name is replaced.
        as_json: Print one JSON document instead.
    """
    from parapick.cli.printing import print_answer
    from parapick.exchange import import_br
    from parapick.robots import save

    targets = OUTPUTS.targets(out, force=force)
    for target in targets.of("robot"):
        if objection := name_objection(target.path.stem):
            raise ParapickError(f"--out: {target.path}: {objection}")
    names = [target.path.stem for target in targets.of("robot")] or [None]
    imported = import_br(folder, system=system, name=names[0])
    for target, name in zip(targets.of("robot"), names, strict=False):
        robot = replace(imported.contents.robot, name=str(name))
        save(replace(imported.contents, robot=robot), target.path)
    answer = imported.answer()
    note = f"next: parapick check {targets.of('robot')[0]}" if targets else "nothing is written; --out FILE.toml does"
    return print_answer(replace(answer, notes=(note,)), as_json=as_json, files=targets.written())
