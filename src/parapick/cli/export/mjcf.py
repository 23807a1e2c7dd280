"""`parapick export mjcf`."""

from __future__ import annotations

import sys
from dataclasses import replace

from parapick.cli.arguments import PLAIN, Amount, RobotName, Shared, load_with_masses
from parapick.cli.files import targets
from parapick.cli.tables import busy
from parapick.files import write_text


def mjcf(
    robot: RobotName,
    /,
    *,
    out: str | None = None,
    payload: Amount = None,
    shared: Shared = PLAIN,
) -> int:
    """The robot as a MuJoCo model: real links and joints, loops closed.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        out: File to write, ending in .xml; the document is printed if not given.
        payload: Mass in the tool beyond the gripper, such as 500g; none if not given.
        shared: Working mode, and how the answer is printed.
    """
    from parapick.cli.printing import print_answer
    from parapick.export import mjcf_answer

    files = targets(mjcf=out)
    model = load_with_masses(robot, shared, payload)
    with busy("closing the loops in MuJoCo"):
        answer, document = mjcf_answer(model)
    for target in files.values():
        write_text(target, document)
        seen = replace(answer, notes=(f"look at it with: python -m mujoco.viewer --mjcf={target}",))
        return print_answer(seen, as_json=shared.as_json, files=files, settings=shared.settings.stated)
    if shared.as_json:
        whole = replace(answer, data={**answer.data, "document": document})
        return print_answer(whole, as_json=True, files={}, settings=shared.settings.stated)
    sys.stdout.write(document.rstrip("\n") + "\n")
    return 0
