"""`parapick torque`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, final

from cyclopts import Parameter

from parapick.cli.arguments import NO_LOAD, PLAIN, Files, Load, RobotName, Shared, Vector, series
from parapick.cli.groups import ASKED
from parapick.cli.outputs import Force, Output, Outputs, out_parameter
from parapick.cli.tables import busy
from parapick.errors import ParapickError
from parapick.files import write_text

OUTPUTS: Final = Outputs(Output("torques", "torques and speeds of every sample", (".csv",), "a table of t, tau1"))


@final
@Parameter(name="*", group=ASKED)
@dataclass(frozen=True)
class StateTexts:
    """One state, as texts.

    Attributes:
        pose: One state: x,y,z or x,y,z,yaw, such as 0.1,0,-700mm,30deg.
        velocity: Its velocity, such as 1,0,0 or 500mm/s,0,0,90deg/s; at rest if not given.
        acceleration: Its acceleration, such as 50,0,0 or 0,0,20m/s2; none if not given.
    """

    pose: Vector = None
    velocity: Vector = None
    acceleration: Vector = None


_NO_STATE: Final = StateTexts()


def torque(
    robot: RobotName,
    /,
    *,
    state: StateTexts = _NO_STATE,
    motion: Annotated[str | None, Parameter(group=ASKED, metavar="FILE")] = None,
    load: Load = NO_LOAD,
    shared: Shared = PLAIN,
    out: Annotated[Files, out_parameter(OUTPUTS)] = (),
    force: Force = False,
) -> int:
    """Torques of the motors, at one state or along a motion.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        state: One state.
        motion: A motion: a CSV file with columns t,x,y,z or t,x,y,z,yaw (s, m, rad); rates and payload may follow.
        load: What the motors carry and how they share it.
        shared: Working mode, and how the answer is printed.
        out: What is written.
        force: Whether files of the same kind are replaced.
    """
    from parapick.cli.printing import print_answer
    from parapick.inspection import read_samples, torque_along, torque_answer, torque_csv

    _check_choice(state, motion, out)
    model, stated = load.on(robot, shared), {**shared.stated, **load.stated}
    if motion is None:
        x = series(model.robot, "--pose", str(state.pose))
        xd = series(model.robot, "--velocity", state.velocity or "0,0,0", order=1)
        xdd = series(model.robot, "--acceleration", state.acceleration or "0,0,0", order=2)
        return print_answer(torque_answer(model, x, xd, xdd), as_json=shared.as_json, settings=stated)
    targets = OUTPUTS.targets(out, force=force)
    # First what a robot without masses cannot do at all, so that it is said whatever the file holds.
    model.kernel("inverse_dynamics")
    with busy(f"moving {model.robot.name}"):
        file = read_samples(motion, model.robot)
        answer, ride = torque_along(model, file)
        for target in targets.of("torques") if answer.ok else ():
            write_text(target.path, torque_csv(ride))
    written = targets.written() if answer.ok else {}
    return print_answer(answer, as_json=shared.as_json, files=written, settings=stated)


def _check_choice(state: StateTexts, motion: str | None, out: Files) -> None:
    """Raise unless one state or one motion is given, with the options that go with it."""
    if (state.pose is None) == (motion is None):
        raise ParapickError("give one state by --pose x,y,z or a motion by --motion FILE")
    if state.pose is not None and out:
        raise ParapickError("--out goes with --motion: it takes the samples of a motion")
    if motion is not None and (state.velocity is not None or state.acceleration is not None):
        raise ParapickError("--velocity and --acceleration go with --pose; a motion has them in its file")
