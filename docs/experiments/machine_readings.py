"""What the maker's project leaves open of `codian-d4-1100`, each other reading with its effect on the torques.

The project gives numbers without saying what some of them are counted from. The robot's file takes one reading; here
each is changed alone, and the largest change of a torque at the joints along `abb-cycle` counts, at the task's own pace
and payload. `python docs/experiments/machine_readings.py` prints the table of docs/machines.md.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from maps_tables import markdown
from parapick.mechanism import Robot
from parapick.model import Model
from parapick.robots import load
from parapick.tasks import load_task

ROBOT: Final = "codian-d4-1100"
TASK: Final = "abb-cycle"

SAMPLE_RATE: Final = 2000.0
"""Samples of the motion per second: its torques bend over some milliseconds."""

PAYLOAD: Final = 1.0
"""What the tool holds (kg), there and back: the load of the task."""

YAW_ACCELERATION: Final = math.radians(75_000.0)
"""Largest acceleration of the fourth axis in the maker's project (rad/s2), for which the file has no field."""


def _limb(robot: Robot, **changes: Any) -> Robot:
    return dataclasses.replace(robot, limb=dataclasses.replace(robot.limb, **changes))


def _shaft(robot: Robot, **changes: Any) -> Robot:
    plate: Any = robot.plate
    shaft = dataclasses.replace(plate.telescope, **changes)
    return dataclasses.replace(robot, plate=dataclasses.replace(plate, telescope=shaft))


def readings(robot: Robot) -> Mapping[str, Robot]:
    """The robot by every other reading, by what it says.

    Args:
        robot: as its file reads the project.
    """
    limb: Any = robot.limb
    plate: Any = robot.plate
    shaft = plate.telescope
    about_center = limb.arm_mass * (limb.arm_center**2 + limb.arm_offset**2)
    spin = shaft.upper.spin_inertia + shaft.lower.spin_inertia
    still = {name: dataclasses.replace(getattr(shaft, name), spin_inertia=0.0) for name in ("upper", "lower")}
    return {
        "Jyy of the arms about the motor axis, not about their centre": _limb(
            robot, arm_inertia=limb.arm_inertia - about_center
        ),
        "the arms' centre on the other side of the arm": _limb(robot, arm_offset=-limb.arm_offset),
        "the arms' centre on the arm": _limb(robot, arm_offset=None),
        "the shaft from the motors' height, not from the base plane": _shaft(robot, height=0.0),
        "body 8 as the upper half, body 7 as the lower": _shaft(robot, upper=shaft.lower, lower=shaft.upper),
        "halves that spin at the tool's rate, wherever the plate is": _shaft(
            robot, inertia=shaft.inertia + spin, **still
        ),
        "halves without mass, their spin with the tool": _shaft(
            robot, inertia=shaft.inertia + spin, upper=None, lower=None
        ),
    }


def effects() -> tuple[float, dict[str, tuple[float, float]]]:
    """Peak of the arms' torque at the joint, and the largest change of it and of the shaft's by reading (N m)."""
    model = load(ROBOT)
    motion = load_task(TASK).motion(model)
    samples = motion.sample(SAMPLE_RATE)
    states = samples.x, samples.xd, samples.xdd

    def torques(robot: Robot) -> np.ndarray:
        return Model(robot).with_payload(PAYLOAD).inverse_dynamics(*states)

    own = torques(model.robot)
    changes = {name: np.abs(torques(robot) - own).max(axis=0) for name, robot in readings(model.robot).items()}
    peak = float(np.abs(own[:, : model.robot.arms]).max())
    return peak, {name: (float(change[:-1].max()), float(change[-1])) for name, change in changes.items()}


def yaw_torque() -> float:
    """What flange and halves take at the fourth joint (N m) at its largest acceleration, the plate on its axis."""
    model = load(ROBOT)
    rest, home = np.zeros(4), np.array(model.robot.home)
    drive: Any = model.robot.plate.drive
    rotor = drive.ratio**2 * (drive.inertia + drive.coupled_inertia)
    moving = model.inverse_dynamics(home, rest, np.array([0.0, 0.0, 0.0, YAW_ACCELERATION]))[3]
    return float(moving - rotor * YAW_ACCELERATION)


def readings_table() -> str:
    """The table of the page."""
    peak, changes = effects()
    rows = [(name, _rounded(arms), _rounded(shaft)) for name, (arms, shaft) in changes.items()]
    return markdown(("another reading", f"arms, of {peak:.0f} N m", "fourth axis"), rows)


def _rounded(torque: float) -> str:
    """A torque to two digits, in N m; nothing below a thousandth."""
    return "0" if torque < 1e-3 else f"{float(f'{torque:.1e}'):g}"


if __name__ == "__main__":
    print(readings_table())
    print(f"\nfourth axis at its largest acceleration: {yaw_torque():.2f} N m without its rotor")
