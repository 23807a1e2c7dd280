"""What the tool holds: an input of every dynamic kernel, beside the parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.errors import ParameterError

__all__ = ["NOTHING", "Payload"]


@final
@dataclass(frozen=True)
class Payload:
    """A load in the tool.

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

    def vector(self) -> np.ndarray:
        """The five numbers as kernels take them: mass, offset, inertia."""
        return np.array([self.mass, *self.offset, self.inertia])


NOTHING: Final = Payload()
