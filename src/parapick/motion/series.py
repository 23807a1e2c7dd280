"""Named phases of a motion, and what is carried from when on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from parapick.model.payload import Payload


@final
@dataclass(frozen=True)
class Phase:
    """A named stretch of a motion; phases may overlap.

    Attributes:
        name: such as `lift`.
        start: when it begins (s).
        end: when it ends (s).
    """

    name: str
    start: float
    end: float


@final
@dataclass(frozen=True)
class PayloadStep:
    """From a time on, the tool carries a load, on top of what the robot's model holds.

    Attributes:
        time: from when on (s).
        load: what it carries.
    """

    time: float
    load: Payload

    @property
    def mass(self) -> float:
        """Mass of the load (kg)."""
        return self.load.mass
