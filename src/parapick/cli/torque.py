"""`parapick torque`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from cyclopts import Parameter

from parapick.cli.arguments import PLAIN, Amount, RobotName, Shared, SharingRule, load_with_masses, series
from parapick.cli.files import targets
from parapick.cli.tables import busy
from parapick.errors import ParapickError
from parapick.files import write_text


@final
@Parameter(name="*")
@dataclass(frozen=True)
class StateTexts:
    """One state, as texts.

    Attributes:
        pose: One state: x,y,z or x,y,z,yaw, such as 0.1,0,-700mm,30deg.
        rate: Its rate, such as 1,0,0 or 500mm/s,0,0,90deg/s; at rest if not given.
        acceleration: Its acceleration, such as 50,0,0 or 0,0,20m/s2; none if not given.
    """

    pose: Amount = None
    rate: Amount = None
    acceleration: Amount = None


_NO_STATE: Final = StateTexts()


def torque(
    robot: RobotName,
    /,
    *,
    state: StateTexts = _NO_STATE,
    csv: str | None = None,
    out: str | None = None,
    payload: Amount = None,
    sharing: SharingRule = None,
    shared: Shared = PLAIN,
) -> int:
    """Torques of the motors, at one state or along a motion.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        state: One state.
        csv: A motion: a file with columns t,x,y,z or t,x,y,z,yaw (s, m, rad); rates and payload may follow.
        out: Write torques and speeds of every sample of the motion into this CSV file.
        payload: Mass in the tool beyond the gripper, such as 500g, instead of what the motion carries.
        sharing: How the motors of a redundant robot share: least-norm or least-peak; least-peak if not given.
        shared: Working mode, and how the answer is printed.
    """
    from parapick.cli.printing import print_answer
    from parapick.inspection import read_samples, torque_along, torque_answer, torque_csv

    _check_choice(state, csv, out)
    model = load_with_masses(robot, shared, payload).with_sharing(sharing)
    if csv is None:
        x = series(model.robot, "--pose", str(state.pose))
        xd = series(model.robot, "--rate", state.rate or "0,0,0", order=1)
        xdd = series(model.robot, "--acceleration", state.acceleration or "0,0,0", order=2)
        return print_answer(torque_answer(model, x, xd, xdd), as_json=shared.as_json, settings=shared.settings.stated)
    files = targets(samples=out)
    # First what a robot without masses cannot do at all, so that it is said whatever the file holds.
    model.kernel("inverse_dynamics")
    with busy(f"moving {model.robot.name}"):
        file = read_samples(csv, model.robot)
        answer, ride = torque_along(model, file)
        for target in files.values() if answer.ok else ():
            write_text(target, torque_csv(ride))
    written = files if answer.ok else {}
    return print_answer(answer, as_json=shared.as_json, files=written, settings=shared.settings.stated)


def _check_choice(state: StateTexts, csv: str | None, out: str | None) -> None:
    """Raise unless one state or one motion is given, with the options that go with it."""
    if (state.pose is None) == (csv is None):
        raise ParapickError("give one state by --pose x,y,z or a motion by --csv FILE")
    if state.pose is not None and out is not None:
        raise ParapickError("--out goes with --csv: it takes the samples of a motion")
    if csv is not None and (state.rate is not None or state.acceleration is not None):
        raise ParapickError("--rate and --acceleration go with --pose; a motion has them in its file")
