"""What motors can do, seen at their joints: torque, speed, friction and losses as arrays, one number a motor."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, final

import numpy as np

from parapick.arrays import reals
from parapick.motion.errors import LimitError
from parapick.motion.loads import drives_of

if TYPE_CHECKING:
    from parapick.mechanism.drive import Drive
    from parapick.model import Model

__all__ = ["Motors", "TorqueLimit", "motors_of"]

TorqueLimit = Literal["peak", "rated"] | float | Sequence[float] | None
"""Which torque a motor may give: its peak, its rated torque, numbers (N m, motor side), or any."""


@final
@dataclass(frozen=True, eq=False)
class Motors:
    """Limits and losses of every motor (n,), at the joint.

    Attributes:
        torque: largest torque (N m), the motor's times its ratio; infinite without a limit.
        speed: largest speed (rad/s), the motor's over its ratio; infinite without a limit.
        ratio: motor turns per joint turn.
        inertia: reflected inertia of motor and gearbox (kg m2).
        efficiency: efficiency of the gearbox.
        coulomb: Coulomb friction (N m).
        viscous: viscous friction (N m s/rad).
        stribeck: breakaway torque above Coulomb's (N m).
        stribeck_speed: speed at which that excess has decayed (rad/s).
    """

    torque: np.ndarray
    speed: np.ndarray
    ratio: np.ndarray
    inertia: np.ndarray
    efficiency: np.ndarray
    coulomb: np.ndarray
    viscous: np.ndarray
    stribeck: np.ndarray
    stribeck_speed: np.ndarray

    @property
    def limited(self) -> bool:
        """Whether any motor has a torque limit."""
        return bool(np.isfinite(self.torque).any())

    @property
    def lossy(self) -> bool:
        """Whether any gearbox has losses."""
        return bool((self.efficiency < 1.0).any())

    @property
    def rubbing(self) -> bool:
        """Whether any joint has dry friction."""
        return bool((self.coulomb > 0.0).any() or (self.stribeck > 0.0).any())

    def dry(self, rate: np.ndarray) -> np.ndarray:
        """Magnitude of dry friction (..., n), N m.

        Args:
            rate: joint rates (..., n), rad/s.
        """
        return self.coulomb + self.stribeck * np.exp(-((rate / self.stribeck_speed) ** 2))


def motors_of(model: Model, torque: TorqueLimit, *, speed: bool | float) -> Motors:
    """The motors of a robot with the torque limits that are asked for.

    Args:
        model: the robot.
        torque: "peak", "rated", one number or one a motor (N m, motor side), or None for no limit.
        speed: whether the peak speed of the drives is a limit, or which share of it.

    Raises:
        LimitError: a torque that the robot's file does not state, or numbers that no motor can keep.
    """
    from parapick.mechanism.drive import Drive
    from parapick.model.dynamics import reflected

    found = [Drive() if drive is None else drive for drive in drives_of(model)]
    ratio = np.array([drive.ratio for drive in found])
    if not 0.0 <= speed < math.inf:
        raise LimitError("speed", f"is {speed:g}; it must be true, false or a share of the peak speed")
    speeds = [None if drive.peak_speed is None or not speed else speed * drive.peak_speed for drive in found]
    friction = [drive.friction for drive in found]
    return Motors(
        torque=_torques(model.robot.name, torque, found) * ratio,
        speed=np.array([math.inf if value is None else value for value in speeds]) / ratio,
        ratio=ratio,
        inertia=np.array([reflected(drive) for drive in found], dtype=float),
        efficiency=np.array([drive.efficiency for drive in found]),
        coulomb=np.array([value.coulomb for value in friction]),
        viscous=np.array([value.viscous for value in friction]),
        stribeck=np.array([value.stribeck for value in friction]),
        stribeck_speed=np.array([value.stribeck_speed for value in friction]),
    )


def _torques(name: str, torque: TorqueLimit, drives: Sequence[Drive]) -> np.ndarray:
    if torque is None:
        return np.full(len(drives), math.inf)
    if isinstance(torque, str):
        return _stated(name, torque, drives)
    numbers = reals("torque", torque)
    if numbers.shape not in ((), (len(drives),)):
        raise LimitError(
            "torque", f"has {numbers.size} numbers; {name} has {len(drives)} motors: give one, or one each"
        )
    for motor, value in enumerate(np.broadcast_to(numbers, len(drives)), start=1):
        if not value > 0.0:
            raise LimitError("torque", f"of motor {motor} is {value:g} N m; it must be greater than 0")
    return np.broadcast_to(numbers, len(drives)).astype(float)


def _stated(name: str, which: str, drives: Sequence[Drive]) -> np.ndarray:
    if which not in ("peak", "rated"):
        raise LimitError("torque", f"is {which!r}; valid are 'peak', 'rated', numbers (N m, motor side) and None")
    values = [drive.peak_torque if which == "peak" else drive.rated_torque for drive in drives]
    if all(value is None for value in values):
        raise LimitError("torque", f"{name} states no {which} torque; give numbers (N m, motor side), or None for none")
    return np.array([math.inf if value is None else value for value in values])
