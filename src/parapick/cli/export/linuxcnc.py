"""`parapick export linuxcnc`."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Annotated, Final

from cyclopts import Parameter

from parapick.cli.arguments import PLAIN, Files, RobotName, Shared, load
from parapick.cli.outputs import FOLDER, Force, Output, Outputs, contents, out_parameter, written_in
from parapick.errors import ParapickError

OUTPUTS: Final = Outputs(Output("machine", "components, INI, HAL, G-code and a script that runs them", (FOLDER,)))


def linuxcnc(
    robot: RobotName,
    task: str | None = None,
    /,
    *,
    shared: Shared = PLAIN,
    out: Annotated[Files, out_parameter(OUTPUTS)] = (),
    force: Annotated[Force, Parameter(help="Replace files of the same names.")] = False,
) -> int:
    """A robot with a task as a machine of LinuxCNC: kinematics, torques, G-code.

    The component of the kinematics is printed if nothing is written.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        task: A shipped task, or the path of a TOML file; the Adept cycle at 120 per minute if not given.
        shared: Working mode, and how the answer is printed.
        out: What is written; the component of the kinematics is printed if nothing is.
        force: Whether files of the same names are replaced.
    """
    from parapick.cli.printing import print_answer
    from parapick.export import export_linuxcnc

    exported = export_linuxcnc(load(robot, shared), task)
    targets = OUTPUTS.targets(out)
    answer = exported.answer()
    if not targets and shared.as_json:
        whole = replace(answer, data={**answer.data, "documents": dict(exported.texts)})
        return print_answer(whole, as_json=True, files={}, settings=shared.stated)
    if not targets:
        sys.stdout.write(exported.texts[f"{exported.names.kinematics}.comp"])
        return 0
    files = {}
    for target in targets.of("machine"):
        before = contents(target.path)
        there = sorted(path for path in before if path.name in exported.texts)
        if there and not force:
            names = ", ".join(path.name for path in there)
            raise ParapickError(
                f"{target.path}: has {names} already, left alone; choose another folder, or give --force"
            )
        files |= written_in(before, exported.write(target.path))
    return print_answer(answer, as_json=shared.as_json, files=files, settings=shared.stated)
