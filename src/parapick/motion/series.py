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
    """From a time on, the tool carries a payload beyond the gripper, or none.

    Attributes:
        time: from when on (s).
        load: the payload, which may be nothing yet; None where the tool stays empty whatever is carried elsewhere.
    """

    time: float
    load: Payload | None

    @property
    def mass(self) -> float:
        """Mass of the payload (kg)."""
        return 0.0 if self.load is None else self.load.mass
