"""The INI file of a machine: what LinuxCNC reads first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from parapick.export.linuxcnc.files import FileNames
from parapick.export.linuxcnc.machine import FOLLOWING, CncAxis, CncMachine, Joint

PERIOD: Final = 1_000_000
"""Period of the servo thread (ns): LinuxCNC's usual one."""

HOMING: Final = 0.1
"""Speed to the home position as a share of a joint's largest speed."""


def ini_text(machine: CncMachine, names: FileNames, title: str) -> str:
    """The INI file.

    Args:
        machine: the machine.
        names: names of the files.
        title: what it is called.
    """
    sections: dict[str, Mapping[str, object]] = {
        "EMC": {"VERSION": "1.1", "MACHINE": title},
        "DISPLAY": {
            "DISPLAY": f"./{names.runner}",
            "PROGRAM_PREFIX": ".",
            "POSITION_OFFSET": "RELATIVE",
            "CYCLE_TIME": "0.1",
        },
        "TASK": {"TASK": "milltask", "CYCLE_TIME": "0.005"},
        "RS274NGC": {"PARAMETER_FILE": f"{names.prefix}.var"},
        "EMCMOT": {"EMCMOT": "motmod", "SERVO_PERIOD": PERIOD},
        "EMCIO": {"EMCIO": "io", "CYCLE_TIME": "0.1", "TOOL_TABLE": names.tools},
        "HAL": {"HALFILE": names.hal},
        "KINS": {"KINEMATICS": names.kinematics, "JOINTS": len(machine.joints)},
        "TRAJ": _trajectory(machine),
    }
    sections |= {f"AXIS_{axis.letter}": _axis(axis) for axis in machine.axes}
    sections |= {f"JOINT_{number}": _joint(joint) for number, joint in enumerate(machine.joints)}
    return "\n".join(_section(name, entries) for name, entries in sections.items())


def _section(name: str, entries: Mapping[str, object]) -> str:
    return "".join([f"[{name}]\n", *(f"{key} = {_value(value)}\n" for key, value in entries.items())])


def _value(value: object) -> str:
    return f"{value:.9g}" if isinstance(value, float) else str(value)


def _trajectory(machine: CncMachine) -> dict[str, object]:
    turning = [axis for axis in machine.axes if axis.letter == "C"]
    speeds: dict[str, object] = {
        "COORDINATES": machine.letters,
        "LINEAR_UNITS": "mm",
        "ANGULAR_UNITS": "deg",
        "DEFAULT_LINEAR_VELOCITY": machine.speed / 10,
        "MAX_LINEAR_VELOCITY": machine.speed,
        "DEFAULT_LINEAR_ACCELERATION": machine.acceleration,
        "MAX_LINEAR_ACCELERATION": machine.acceleration,
    }
    for axis in turning:
        speeds |= {
            "DEFAULT_ANGULAR_VELOCITY": axis.velocity / 10,
            "MAX_ANGULAR_VELOCITY": axis.velocity,
            "DEFAULT_ANGULAR_ACCELERATION": axis.acceleration,
            "MAX_ANGULAR_ACCELERATION": axis.acceleration,
        }
    return speeds


def _axis(axis: CncAxis) -> dict[str, object]:
    return {
        "MIN_LIMIT": axis.low,
        "MAX_LIMIT": axis.high,
        "MAX_VELOCITY": axis.velocity,
        "MAX_ACCELERATION": axis.acceleration,
    }


def _joint(joint: Joint) -> dict[str, object]:
    """A joint with an absolute encoder: it is homed by reading it, then moves to its home together with the others."""
    return {
        "TYPE": "ANGULAR" if joint.angular else "LINEAR",
        "MIN_LIMIT": joint.low,
        "MAX_LIMIT": joint.high,
        "MAX_VELOCITY": joint.velocity,
        "MAX_ACCELERATION": joint.acceleration,
        "FERROR": FOLLOWING,
        "MIN_FERROR": FOLLOWING,
        "HOME": joint.home,
        "HOME_OFFSET": 0.0,
        "HOME_ABSOLUTE_ENCODER": 1,
        "HOME_FINAL_VEL": HOMING * joint.velocity,
        "HOME_SEQUENCE": -1,
    }
