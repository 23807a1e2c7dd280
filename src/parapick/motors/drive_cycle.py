"""Drives over a cycle that is repeated: sums of what they do, against what their file states for ever.

This is the one account of these sums: heat over speed, mean torque of gearboxes, temperature of windings, voltage of
the bus, energy from the mains. Whoever has torques and speeds of motors asks it: rides, simulated loops, searches.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, final

import numpy as np

from parapick.measures import MEASURES
from parapick.motors.bus_cycle import BusCycle, bus_cycle
from parapick.motors.gearbox_load import mean_output
from parapick.motors.motors import Motors
from parapick.motors.winding_heat import copper_loss, winding_temperature

if TYPE_CHECKING:
    from parapick.mechanism import Bus


@final
@dataclass(frozen=True)
class CycleLimit:
    """A kind of limit that holds for sums over a cycle.

    Attributes:
        key: its name for programs.
        title: what it is called beside other requirements.
        words: what its values are, in a few words.
        fields: where a file states it.
        unit: SI unit; empty for that of the motor's torque.
        shared: whether it is one for all motors, not one per motor.
    """

    key: str
    title: str
    words: str
    fields: str
    unit: str = ""
    shared: bool = False


CYCLE: Final = (
    CycleLimit(
        "heat", MEASURES["heat_use"].verdict, "effective torque", "drive.rated_torque, or drive.curve.continuous"
    ),
    CycleLimit(
        "gearbox_mean",
        MEASURES["gearbox_mean_use"].verdict,
        "mean gearbox torque",
        "drive.gearbox.mean_torque, or drive.gearbox.nominal_torque",
    ),
    CycleLimit("winding", "winding temperature", "rise of the winding", "drive.winding.temperature_max", "K"),
    CycleLimit("bus", "bus voltage", "rise of the bus", "bus.voltage_max", "V", shared=True),
)
"""Every kind, in the order in which answers list them."""

HEAT: Final = CYCLE[0]
"""The kind that every rated motor has."""


@final
@dataclass(frozen=True, eq=False)
class CycleLoads:
    """Sums of one kind over a cycle, and their limits.

    Attributes:
        kind: what they are.
        values: magnitudes (parts,), SI.
        limits: their limits (parts,); infinite where the file states none.
        above: what values and limits are counted from (parts,): the temperature around the motor (degC), the voltage of
            the supply (V); None where it is nothing.
    """

    kind: CycleLimit
    values: np.ndarray
    limits: np.ndarray
    above: np.ndarray | None = None

    @property
    def shares(self) -> np.ndarray:
        """Values as shares of their limits (parts,)."""
        return self.values / self.limits


@final
@dataclass(frozen=True, eq=False)
class DriveCycle:
    """Motors over a cycle that is repeated without a rest.

    Attributes:
        motors: the motors.
        t: instants (T,), s.
        torque: torques at the shafts (T, n), N m.
        speed: speeds of the shafts (T, n), rad/s.
        outputs: gives the torques at the outputs of the gearboxes (T, n), N m; asked only where a mean is limited.
    """

    motors: Motors
    t: np.ndarray
    torque: np.ndarray
    speed: np.ndarray
    outputs: Callable[[], np.ndarray]

    @property
    def duration(self) -> float:
        """Time of the cycle (s)."""
        return float(self.t[-1] - self.t[0])

    @cached_property
    def heat(self) -> np.ndarray:
        """What heats the motors (T, n), (N m)2; see `Motors.heat`."""
        return self.motors.heat(self.torque, self.speed)

    @cached_property
    def heat_torque(self) -> np.ndarray:
        """Torque at rest that would heat every motor as much (n,), N m, at the shaft."""
        return np.sqrt(np.trapezoid(self.heat, self.t, axis=0) / self.duration)

    @cached_property
    def mean_speed(self) -> np.ndarray:
        """Mean magnitude of the speed of every shaft (n,), rad/s."""
        return np.trapezoid(np.abs(self.speed), self.t, axis=0) / self.duration

    @cached_property
    def gearbox_mean(self) -> np.ndarray:
        """Mean torque at the output of every gearbox (n,), N m; see `gearbox_load`."""
        return mean_output(self.t, self.outputs(), self.speed)

    @cached_property
    def temperature(self) -> np.ndarray:
        """Temperature of every winding (T, n), degC; NaN where it is not known, see `winding_heat`."""
        return winding_temperature(self.motors, self.t, self.heat)

    @cached_property
    def copper(self) -> np.ndarray:
        """Energy that is lost in the copper of every motor (n,), J; 0 where the file does not state its winding."""
        return np.trapezoid(copper_loss(self.motors, self.torque), self.t, axis=0)

    @cached_property
    def power(self) -> np.ndarray:
        """What all motors together take (T,), W: at their shafts, and in their copper where it is known."""
        return np.sum(self.torque * self.speed + copper_loss(self.motors, self.torque), axis=-1)

    @cached_property
    def bus(self) -> BusCycle | None:
        """The bus that feeds them; None where the file states no voltage of one."""
        bus = self.motors.bus
        return None if bus is None or bus.voltage is None else bus_cycle(bus, self.t, self.power)

    @cached_property
    def loads(self) -> tuple[CycleLoads, ...]:
        """Every sum that the file limits, with its limits."""
        return tuple(self._loads(kind) for kind in cycle_kinds(self.motors))

    def _loads(self, kind: CycleLimit) -> CycleLoads:
        motors = self.motors
        if kind.key == "heat":
            return CycleLoads(kind, self.heat_torque, motors.continuous_torque)
        if kind.key == "gearbox_mean":
            return CycleLoads(kind, self.gearbox_mean, motors.gearbox_mean_torque)
        if kind.key == "winding":
            # A motor whose winding is not stated has no temperature, and no limit.
            rise = self.temperature.max(axis=0) - motors.ambient
            unknown = np.isnan(rise)
            limits = np.where(unknown, np.inf, motors.temperature_max - motors.ambient)
            return CycleLoads(kind, np.where(unknown, 0.0, rise), limits, motors.ambient)
        supply, highest, most = _voltages(motors.bus, self.bus)
        return CycleLoads(kind, np.array([highest - supply]), np.array([most - supply]), np.array([supply]))


def _voltages(bus: Bus | None, cycle: BusCycle | None) -> tuple[float, float, float]:
    """Voltage of the supply, the highest over a cycle and the largest allowed (V), of a bus that states them."""
    if bus is None or cycle is None or bus.voltage is None or bus.voltage_max is None:
        return 0.0, 0.0, np.inf
    return bus.voltage, cycle.highest, bus.voltage_max


def cycle_kinds(motors: Motors) -> tuple[CycleLimit, ...]:
    """The sums over a cycle that a robot's file limits, and that follow from what it states."""
    return tuple(kind for kind in CYCLE if _stated(motors, kind))


def _stated(motors: Motors, kind: CycleLimit) -> bool:
    if kind.key == "heat":
        return bool(np.isfinite(motors.continuous_torque).any())
    if kind.key == "gearbox_mean":
        return bool(np.isfinite(motors.gearbox_mean_torque).any())
    if kind.key == "winding":
        return bool((np.isfinite(motors.temperature_max) & np.isfinite(motors.continuous_torque)).any())
    bus = motors.bus
    if bus is None or bus.voltage is None or bus.voltage_max is None:
        return False
    return bus.capacitance is not None or bus.brake_resistance is not None


def states_sums(motors: Motors) -> bool:
    """Whether a robot's file states more of what drives do over a cycle than one continuous torque."""
    curved = any(curve is not None for curve in motors.continuous_curves)
    wound = any(winding is not None for winding in motors.windings)
    geared = bool(np.isfinite(motors.gearbox_mean_torque).any())
    return curved or wound or geared or motors.bus is not None
