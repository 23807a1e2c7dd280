"""Where the energy of a cycle goes: friction, gearboxes, copper, the load; with a bus, mains and brake resistor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from parapick.motors.drive_cycle import DriveCycle


@final
@dataclass(frozen=True)
class CycleEnergy:
    """Energies of a cycle (J). What the mains give is what is lost, what the load keeps, and what the resistor takes.

    Attributes:
        friction: lost by friction at the joints and in the gearboxes.
        gearbox: lost by the efficiency of the gearboxes.
        copper: lost in the copper; 0 where the file does not state the windings.
        load: work on the load: what was lifted, and less what was let down.
        mains: from the mains; None where the file states no voltage of a bus.
        braked: to the brake resistor; None likewise.
    """

    friction: float
    gearbox: float
    copper: float
    load: float
    mains: float | None
    braked: float | None


def cycle_energy(cycle: DriveCycle, joint_torque: np.ndarray) -> CycleEnergy:
    """Where the energy of a cycle goes, by the trapezoidal rule.

    Args:
        cycle: the motors over the cycle.
        joint_torque: torques at the joints without friction (T, n), N m; rotors are accelerated by them.
    """
    motors, rate = cycle.motors, cycle.speed / cycle.motors.ratio

    def over(power: np.ndarray) -> float:
        return float(np.trapezoid(np.sum(power, axis=-1), cycle.t))

    friction = over(motors.dry(rate) * np.abs(rate) + motors.viscous * rate**2)
    load = over(joint_torque * rate)
    gearbox = over(cycle.torque * cycle.speed) - load - friction if motors.lossy else 0.0
    bus = cycle.bus
    mains, braked = (None, None) if bus is None else (bus.mains, bus.braked)
    return CycleEnergy(friction, gearbox, float(np.sum(cycle.copper)), load, mains, braked)
