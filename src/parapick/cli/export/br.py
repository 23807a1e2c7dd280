"""`parapick export br`."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Annotated, Final

from cyclopts import Parameter

from parapick.cli.arguments import PLAIN, Files, RobotName, Shared, load
from parapick.cli.outputs import FOLDER, Force, Output, Outputs, contents, out_parameter, written_in
from parapick.cli.replacing import check_file
from parapick.errors import ParapickError

OUTPUTS: Final = Outputs(Output("project", "mechanical system, axes, axes group and motors", (FOLDER,)))


def br(
    robot: RobotName,
    /,
    *,
    shared: Shared = PLAIN,
    out: Annotated[Files, out_parameter(OUTPUTS)] = (),
    force: Annotated[Force, Parameter(help="Replace files of the same names.")] = False,
) -> int:
    """A Delta as files of a B&R Automation Studio project.

    The mechanical system is printed if nothing is written. What has no place in a project is listed.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        shared: Working mode, and how the answer is printed.
        out: What is written; the mechanical system is printed if nothing is.
        force: Whether files of the same names are replaced.
    """
    from parapick.cli.printing import print_answer
    from parapick.export import export_br

    exported = export_br(load(robot, shared))
    targets = OUTPUTS.targets(out)
    answer = exported.answer()
    if not targets and shared.as_json:
        whole = replace(answer, data={**answer.data, "documents": dict(exported.texts)})
        return print_answer(whole, as_json=True, files={}, settings=shared.stated)
    if not targets:
        system = next(text for name, text in exported.texts.items() if name.endswith(".mechanicalsystem"))
        sys.stdout.write(system.removeprefix("\ufeff"))
        return 0
    files = {}
    for target in targets.of("project"):
        before = contents(target.path)
        there = sorted(path for path in before if path.name in exported.texts)
        if there and not force:
            names = ", ".join(path.name for path in there)
            raise ParapickError(
                f"{target.path}: has {names} already, left alone; choose another folder, or give --force"
            )
        for path in there:
            check_file(path, "an XML file", force=True)
        files |= written_in(before, exported.write(target.path))
    return print_answer(answer, as_json=shared.as_json, files=files, settings=shared.stated)
