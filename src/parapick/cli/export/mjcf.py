"""`parapick export mjcf`."""

from __future__ import annotations

import sys
from dataclasses import replace

from parapick.cli.arguments import Amount, Json, Mode, RobotName, load_with_masses
from parapick.cli.files import check_target
from parapick.cli.tables import busy
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
    from parapick.cli.printing import print_answer
    from parapick.multibody.mjcf_answer import mjcf_answer

    target = None if out is None else check_target(out, (".xml",))
    model = load_with_masses(robot, mode, payload)
    with busy("closing the loops in MuJoCo"):
        answer, document = mjcf_answer(model)
    if target is not None:
        write_text(target, document)
        seen = replace(answer, notes=(f"look at it with: python -m mujoco.viewer --mjcf={target}",))
        return print_answer(seen, as_json=as_json, files={"mjcf": target})
    if as_json:
        return print_answer(replace(answer, data={**answer.data, "document": document}), as_json=True, files={})
    sys.stdout.write(document.rstrip("\n") + "\n")
    return 0
