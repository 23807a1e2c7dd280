"""`parapick verify`."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from parapick.cli.arguments import PLAIN, RobotName, Shared, as_options, load
from parapick.cli.groups import ASKED
from parapick.cli.progress import watched


def verify(
    robot: RobotName,
    /,
    *,
    states: Annotated[int, Parameter(group=ASKED)] = 12,
    other: Annotated[str | None, Parameter(group=ASKED, metavar="ROBOT")] = None,
    shared: Shared = PLAIN,
) -> int:
    """Whether MuJoCo agrees with a robot: loops, torques and energy, with the differences.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        states: States of the motion each way, there and back.
        other: The robot that MuJoCo is given instead, to see how far a change shows: a shipped one, or a path.
        shared: Working mode, what the robot has otherwise than its file states, and how the answer is printed.
    """
    from parapick.cli.printing import print_answer
    from parapick.verification import verify as verified

    model = load(robot, shared)
    second = None if other is None else load(other, PLAIN)
    with watched(f"building {other or robot} in MuJoCo") as progress, as_options("states", "other"):
        answer = verified(model, other=second, states=states, progress=progress).answer()
    stated = shared.stated if other is None else {**shared.stated, "other": other}
    return print_answer(answer, as_json=shared.as_json, settings=stated)
