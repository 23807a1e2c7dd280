"""The holding brake of a motor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from parapick.fields import quantity


@final
@dataclass(frozen=True)
class Brake:
    """A holding brake on the motor shaft."""

    torque: float | None = quantity("N m", "torque that it holds, at the motor shaft", default=None, above=0.0)
    inertia: float | None = quantity("kg m2", "moment of inertia of its rotor", default=None, at_least=0.0)
    closing_time: float | None = quantity("s", "time from the signal until it holds", default=None, at_least=0.0)
    opening_time: float | None = quantity("s", "time from the signal until it lets go", default=None, at_least=0.0)
