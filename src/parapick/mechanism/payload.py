"""What the tool holds: an input of every dynamic kernel, beside the parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, final

import numpy as np

from parapick.errors import ParameterError, ParapickError
from parapick.mechanism.gripper import Gripper
from parapick.units import parse


@final
@dataclass(frozen=True)
class Payload:
    """A gripper, or what the tool holds beyond it. Two loads held together add up: `gripper + payload`.

    Attributes:
        mass: mass (kg).
        offset: its centre from the tool's point, turning with the tool's yaw (m).
        inertia: moment of inertia about the vertical through its centre (kg m2).
    """

    mass: float = 0.0
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    inertia: float = 0.0

    def __post_init__(self) -> None:
        for name, value in (("payload.mass", self.mass), ("payload.inertia", self.inertia)):
            if not (np.isfinite(value) and value >= 0):
                raise ParameterError(name, f"is {value}; it must be a finite number, at least 0")
        if len(self.offset) != 3 or not np.all(np.isfinite(self.offset)):
            raise ParameterError("payload.offset", f"is {self.offset}; it must be three finite numbers (m)")

    @classmethod
    def held(cls, gripper: Gripper) -> Payload:
        """What a robot always holds.

        Args:
            gripper: the gripper of its description, without numbers that follow others.
        """
        return cls(gripper.mass, gripper.offset, gripper.inertia)

    @classmethod
    def from_vector(cls, numbers: np.ndarray) -> Payload:
        """A load from its five numbers as kernels take them.

        Args:
            numbers: mass, offset, inertia (5,).
        """
        mass, x, y, z, inertia = numbers.tolist()
        return cls(mass, (x, y, z), inertia)

    @property
    def gripper(self) -> Gripper:
        """The gripper of a robot that always holds this."""
        # An int would count as structure.
        x, y, z = map(float, self.offset)
        return Gripper(float(self.mass), (x, y, z), float(self.inertia))

    @staticmethod
    def of(load: Load, name: str = "payload") -> Payload:
        """A payload from a mass (kg), a mass with its unit such as "500 g", or as it is given.

        Args:
            load: the load.
            name: of the argument, for messages.

        Raises:
            ParameterError: neither of them, or a mass that cannot be.
        """
        if isinstance(load, Payload):
            return load
        if isinstance(load, str):
            try:
                load = parse(load, "kg")
            except ParapickError as error:
                raise ParameterError(name, str(error)) from error
        if isinstance(load, bool) or not isinstance(load, (int, float, np.integer, np.floating)):
            raise ParameterError(name, f'is {load!r}; give a mass (kg), a text such as "500 g", or a Payload')
        if not (np.isfinite(load) and load >= 0):
            raise ParameterError(name, f"is {load:g} kg; it must be a finite number, at least 0")
        return Payload(float(load))

    def __add__(self, other: Payload) -> Payload:
        """Both held together; see `combined`."""
        return self if not other else Payload.from_vector(combined(self.vector(), other.vector()))

    def __bool__(self) -> bool:
        """Whether it is anything at all."""
        return bool(self.mass or self.inertia)

    def vector(self) -> np.ndarray:
        """The five numbers as kernels take them: mass, offset, inertia."""
        return np.array([self.mass, *self.offset, self.inertia])


Load = float | str | Payload
"""How a load is given: a mass (kg), a mass with its unit such as "500 g", or a `Payload`."""

NOTHING: Final = Payload()


class ToolLoads(NamedTuple):
    """Masses in the tool (kg), each by itself: the gripper of the robot's file, and the payload beyond it."""

    gripper: float
    payload: float

    @property
    def words(self) -> str:
        """Both in words; empty where the tool holds nothing."""
        if not any(self):
            return ""
        payload = f"payload {self.payload:g} kg" if self.payload else "no payload"
        return f"gripper {self.gripper:g} kg, {payload}" if self.gripper else payload


def combined(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Two loads held together (..., 5): masses add, the centre by moments, inertia by the parallel axis.

    `I = I1 + I2 + m1 m2 / (m1 + m2) d^2` about the vertical through the common centre, with d the horizontal distance
    of the two centres.

    Args:
        one: loads as kernels take them (..., 5).
        other: likewise (..., 5).
    """
    mass = one[..., :1] + other[..., :1]
    share = np.divide(other[..., :1], mass, out=np.zeros(np.shape(mass)), where=mass > 0.0)
    apart = other[..., 1:4] - one[..., 1:4]
    # From the first centre towards the second: exact where either of them is nothing.
    center = np.where(share == 1.0, other[..., 1:4], one[..., 1:4] + share * apart)
    square = apart[..., :1] ** 2 + apart[..., 1:2] ** 2
    inertia = one[..., 4:] + other[..., 4:] + one[..., :1] * share * square
    return np.concatenate([mass, center, inertia], axis=-1)
