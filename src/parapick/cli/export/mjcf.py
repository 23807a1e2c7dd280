"""`parapick export mjcf`."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Annotated, Final

from cyclopts import Parameter

from parapick.cli.arguments import PLAIN, Amount, Files, RobotName, Shared, given_texts, load_with_masses
from parapick.cli.groups import LOAD
from parapick.cli.outputs import Output, Outputs, out_parameter
from parapick.cli.tables import busy
from parapick.files import write_text

OUTPUTS: Final = Outputs(Output("model", "the model instead of printing it", (".xml",)))


def mjcf(
    robot: RobotName,
    /,
    *,
    payload: Annotated[Amount, Parameter(group=LOAD)] = None,
    shared: Shared = PLAIN,
    out: Annotated[Files, out_parameter(OUTPUTS)] = (),
) -> int:
    """The robot as a MuJoCo model: real links and joints, loops closed.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        payload: Mass in the tool beyond the gripper, such as 500g; none if not given.
        shared: Working mode, and how the answer is printed.
        out: What is written; the document is printed if nothing is.
    """
    from parapick.cli.printing import print_answer
    from parapick.export import mjcf_answer

    model = load_with_masses(robot, shared, payload)
    targets, stated = OUTPUTS.targets(out), {**shared.stated, **given_texts(payload=payload)}
    with busy("closing the loops in MuJoCo"):
        answer, document = mjcf_answer(model)
    for target in targets.of("model"):
        write_text(target.path, document)
    if targets:
        first, *_ = targets.of("model")
        seen = replace(answer, notes=(f"look at it with: python -m mujoco.viewer --mjcf={first}",))
        return print_answer(seen, as_json=shared.as_json, files=targets.written(), settings=stated)
    if shared.as_json:
        whole = replace(answer, data={**answer.data, "document": document})
        return print_answer(whole, as_json=True, files={}, settings=stated)
    sys.stdout.write(document.rstrip("\n") + "\n")
    return 0
