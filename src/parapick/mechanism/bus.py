"""The direct-current bus that feeds the drives of a robot from the mains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from parapick.fields import quantity


@final
@dataclass(frozen=True)
class Bus:
    """A bus that all motors share. The mains feed it through a rectifier, which takes nothing back.

    What braking motors return charges its capacitor; from the voltage of the brake chopper on a resistor takes it.
    """

    voltage: float | None = quantity("V", "voltage to which the mains charge it", default=None, above=0.0)
    capacitance: float | None = quantity("F", "capacitance of all capacitors on it", default=None, above=0.0)
    brake_resistance: float | None = quantity("ohm", "resistance of the brake resistor", default=None, above=0.0)
    brake_voltage: float | None = quantity(
        "V", "voltage from which on the brake resistor is switched on", default=None, above=0.0
    )
    voltage_max: float | None = quantity("V", "largest voltage, at which drives switch off", default=None, above=0.0)
