"""`parapick verify`."""

from __future__ import annotations

from parapick.cli.arguments import PLAIN, RobotName, Shared, as_options, load
from parapick.cli.progress import watched


def verify(robot: RobotName, /, *, states: int = 12, shared: Shared = PLAIN) -> int:
    """Whether MuJoCo agrees with a robot: loops, joints, torques and energy on a motion across its workspace.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        states: States of the motion each way, there and back.
        shared: Working mode, what the robot has otherwise than its file states, and how the answer is printed.
    """
    from parapick.cli.printing import print_answer
    from parapick.verification import verify as verified

    model = load(robot, shared)
    with watched(f"building {robot} in MuJoCo") as progress, as_options("states"):
        answer = verified(model, states=states, progress=progress).answer()
    return print_answer(answer, as_json=shared.as_json, settings=shared.settings.stated)
