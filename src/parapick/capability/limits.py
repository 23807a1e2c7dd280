"""What the motors may give, at their joints: one number a motor, from the robot's file or from the caller."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from parapick.arrays import reals
from parapick.errors import ParameterError

if TYPE_CHECKING:
    from parapick.mechanism.drive import Drive
    from parapick.model import Model

__all__ = ["SpeedLimit", "TorqueLimit", "joint_speeds", "joint_torques", "per_motor"]

TorqueLimit = Literal["peak", "rated"] | float | Sequence[float]
"""Which torque a motor may give: its peak, its rated torque, or numbers (N m, motor side)."""

SpeedLimit = Literal["peak"] | float | Sequence[float]
"""Which speed a motor may have: its peak, or numbers (rad/s, motor side)."""

_TORQUES: Final = {"peak": "peak_torque", "rated": "rated_torque"}
_SPEEDS: Final = {"peak": "peak_speed"}


def joint_torques(model: Model, torque: TorqueLimit) -> np.ndarray:
    """Largest torque (n,) at the joints, N m: the motor's times its ratio and the efficiency of its gearbox.

    Taking the efficiency off both ways is what a motor that drives its joint has left; one that brakes has a little
    more.

    Args:
        model: the robot.
        torque: "peak", "rated", one number or one a motor (N m, motor side).

    Raises:
        ParameterError: a torque that the robot's file does not state, or numbers that no motor can keep.
    """
    drives = _drives(model)
    given = _stated(model, "torque", torque, _TORQUES, "N m")
    return given * np.array([drive.ratio * drive.efficiency for drive in drives])


def joint_speeds(model: Model, speed: SpeedLimit) -> np.ndarray:
    """Largest speed (n,) of the joints, rad/s: the motor's over its ratio.

    Args:
        model: the robot.
        speed: "peak", one number or one a motor (rad/s, motor side).

    Raises:
        ParameterError: a speed that the robot's file does not state, or numbers that no motor can keep.
    """
    return _stated(model, "speed", speed, _SPEEDS, "rad/s") / np.array([drive.ratio for drive in _drives(model)])


def per_motor(model: Model, name: str, given: float | Sequence[float], unit: str) -> np.ndarray:
    """One number a motor (n,), all greater than 0 and finite, of one number or one a motor.

    Args:
        model: the robot.
        name: of the argument, for messages.
        given: the numbers.
        unit: their unit, for messages.

    Raises:
        ParameterError: not one number, or one a motor; or a number that is none.
    """
    robot = model.robot
    numbers = reals(name, given)
    if numbers.shape not in ((), (robot.motors,)):
        text = f"has {numbers.size} numbers; {robot.name} has {robot.motors} motors: give one, or one each"
        raise ParameterError(name, text)
    numbers = np.array(np.broadcast_to(numbers, robot.motors))
    for motor, value in enumerate(numbers, start=1):
        if not (np.isfinite(value) and value > 0.0):
            raise ParameterError(name, f"of motor {motor} is {value:g} {unit}; it must be finite and greater than 0")
    return numbers


def _drives(model: Model) -> list[Drive]:
    """The drive of every motor, arms first; a drive that the file does not have is a direct one without limits."""
    from parapick.mechanism.drive import Drive
    from parapick.mechanism.parameters import Follow, resolved

    robot = model.robot
    if any(isinstance(value, Follow) for drive in (robot.drive, robot.plate.drive) for value in _fields(drive)):
        robot = resolved(robot)  # a walk over the whole robot, which most files do not need
    arm, plate = (Drive() if drive is None else drive for drive in (robot.drive, robot.plate.drive))
    return [arm] * robot.arms + [plate] * (robot.motors - robot.arms)


def _fields(drive: Drive | None) -> tuple[object, ...]:
    return () if drive is None else tuple(vars(drive).values())


def _stated(model: Model, name: str, given: object, fields: dict[str, str], unit: str) -> np.ndarray:
    if not isinstance(given, str):
        return per_motor(model, name, given, unit)  # pyright: ignore[reportArgumentType]
    if given not in fields:
        words = ", ".join(repr(word) for word in fields)
        raise ParameterError(name, f"is {given!r}; valid are {words} and numbers ({unit}, motor side)")
    values = [getattr(drive, fields[given]) for drive in _drives(model)]
    if None in values:
        place = "drive" if values.index(None) < model.robot.arms else _plate_drive(model)
        raise ParameterError(
            f"{place}.{fields[given]}",
            f"the file of {model.robot.name} does not state it; add it, or give {name}= ({unit}, motor side)",
        )
    return np.array(values)


def _plate_drive(model: Model) -> str:
    """Path of the drive of the plate's own legs in the robot's file."""
    return "plate.telescope.drive" if getattr(model.robot.plate, "telescope", None) is not None else "plate.drive"
