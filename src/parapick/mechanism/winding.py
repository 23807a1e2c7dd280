"""The winding of a motor: what heats it, how slowly, and how hot it may get."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from parapick.fields import quantity


@final
@dataclass(frozen=True)
class Winding:
    """The winding of a three-phase servo motor.

    Its current is the torque over the torque constant. With the resistance R between two terminals the copper takes
    `3/2 R I^2`, I being the effective current of a phase.
    """

    resistance: float | None = quantity("ohm", "resistance between two terminals", default=None, above=0.0)
    torque_constant: float | None = quantity(
        "N m/A", "torque per ampere, of the effective current of a phase", default=None, above=0.0
    )
    thermal_time: float | None = quantity("s", "thermal time constant of the winding", default=None, above=0.0)
    temperature_max: float | None = quantity(
        "degC", "largest temperature of the winding, which it has at its continuous torque", default=None
    )
    ambient: float = quantity("degC", "temperature around the motor for which its torques are stated", default=40.0)
