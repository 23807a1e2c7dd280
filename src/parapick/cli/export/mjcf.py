"""`parapick export mjcf`."""

from __future__ import annotations

import sys

from parapick.cli.answers import about
from parapick.cli.arguments import Amount, Json, Mode, RobotName, load_with_masses
from parapick.cli.files import check_target
from parapick.cli.tables import busy, print_json, say
from parapick.files import write_text


def mjcf(
    robot: RobotName,
    /,
    *,
    out: str | None = None,
    payload: Amount = None,
    mode: Mode = None,
    as_json: Json = False,
) -> int:
    """The robot as a MuJoCo model: real links and joints, loops closed.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        out: File to write, ending in .xml; the document is printed if not given.
        payload: Mass in the tool, such as 500g; none if not given.
        mode: Working mode: a name of the robot's, or one + or - an arm.
        as_json: Print one JSON document instead.
    """
    from parapick.multibody import assemble

    target = None if out is None else check_target(out, (".xml",))
    model = load_with_masses(robot, mode, payload)
    with busy("closing the loops in MuJoCo"):
        assembly = assemble(model.robot, payload=model.payload)
        document = assembly.mjcf()
    if target is not None:
        write_text(target, document)
    if as_json:
        facts = {"export": "mjcf", "file": None if target is None else str(target), "bytes": len(document.encode())}
        engine = {"bodies": int(assembly.model.nbody) - 1, "joints": int(assembly.model.njnt)}
        print_json({**about(model), **facts, **engine, "document": document if target is None else None})
    elif target is None:
        sys.stdout.write(document if document.endswith("\n") else document + "\n")
    else:
        say(f"{model.robot.name} is written to {target}; look at it with: python -m mujoco.viewer --mjcf={target}")
    return 0
