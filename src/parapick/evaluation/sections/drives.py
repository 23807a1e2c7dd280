"""What drives do over a cycle that is repeated: heat, gearboxes, windings, the bus, and where the energy goes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from parapick.answer import Answer, Cell, Series, Table, columns
from parapick.evaluation.context import Context
from parapick.evaluation.load_requirements import cycle_requirements
from parapick.motors import BusCycle, CycleEnergy, DriveCycle, cycle_energy, states_sums
from parapick.ride import cycle_note

_RIPPLE: Final = 0.01
"""Share of its rise by which a temperature changes over a cycle from which on it is drawn: less is a level line."""

_ROUNDING: Final = 1e-9
"""Share of the largest energy of a cycle below which one is left of integrals over samples, and shown as none."""

_TITLE: Final = "Drives over the cycle"


def section(context: Context) -> Answer | None:
    """Sums over the cycle of every motor and of the bus; None where the file states one continuous torque at most.

    Args:
        context: the robot along the motion of its task.
    """
    if not states_sums(context.motors):
        return None
    if context.run.no_torque:
        return Answer("drives", _TITLE, left_out=(f"not computed: {context.run.no_torque}",))
    cycle = context.ride.cycle
    energy = cycle_energy(cycle, context.ride.loads.joint_torque)
    return Answer(
        key="drives",
        title=_TITLE,
        findings=cycle_requirements(context.ride),
        tables=(_motors(cycle), *_windings(cycle), _energy(cycle, energy), *_bus(cycle.bus)),
        series=tuple(_series(cycle)),
        summary=_summary(cycle),
        notes=cycle_note(context.model),
        data=_data(cycle, energy),
    )


def _known(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _columns(cycle: DriveCycle) -> dict[str, list[float | None]]:
    """What there is of every motor, by name."""
    motors = cycle.motors
    temperature = cycle.temperature
    geared = np.isfinite(motors.gearbox_mean_torque)
    mean = np.trapezoid(temperature, cycle.t, axis=0) / cycle.duration
    numbers = {
        "heat_torque": cycle.heat_torque,
        "continuous_torque": motors.continuous_torque,
        "mean_speed": cycle.mean_speed,
        "gearbox_mean": np.where(geared, cycle.gearbox_mean, math.nan)
        if geared.any()
        else np.full(len(mean), math.nan),
        "gearbox_mean_max": motors.gearbox_mean_torque,
        "winding_mean": mean,
        "winding_peak": temperature.max(axis=0),
        "winding_max": motors.temperature_max,
    }
    return {name: [_known(value) for value in values] for name, values in numbers.items()}


def _motors(cycle: DriveCycle) -> Table:
    motors = cycle.motors
    effort = motors.torque_unit
    heads = {
        "heat_torque": (f"heating {motors.word}", effort),
        "continuous_torque": ("continuous", effort),
        "mean_speed": ("mean speed", motors.speed_unit),
        "gearbox_mean": ("gearbox mean", effort),
        "gearbox_mean_max": ("gearbox bears", effort),
    }
    note = (
        f"Heating {motors.word} is what would heat the motor as much at rest, continuous what it bears there; gearbox "
        "mean is the cubic mean at its output, weighted by the speed."
    )
    return _table("motors", "every motor over the cycle", cycle, heads, note)


def _windings(cycle: DriveCycle) -> Iterator[Table]:
    """Temperatures of the windings; none where they are not known."""
    if not np.isnan(cycle.temperature).all():
        names = {"winding_mean": "mean", "winding_peak": "peak", "winding_max": "limit"}
        heads = {name: (word, "degC") for name, word in names.items()}
        yield _table("windings", "temperatures of the windings", cycle, heads, "")


def _table(name: str, title: str, cycle: DriveCycle, heads: dict[str, tuple[str, str]], note: str) -> Table:
    """A row per motor, of what is known of any of them."""
    numbers = _columns(cycle)
    shown = [key for key in heads if any(value is not None for value in numbers[key])]
    rows: list[tuple[Cell, ...]] = [
        (motor + 1, *(numbers[key][motor] for key in shown)) for motor in range(cycle.motors.count)
    ]
    names, units = zip(("motor", ""), *(heads[key] for key in shown), strict=True)
    return Table(name, title, columns(names, units), tuple(rows), note)


def _energy(cycle: DriveCycle, energy: CycleEnergy) -> Table:
    words = {
        "mains": "from the mains",
        "braked": "to the brake resistor" if _has_resistor(cycle) else "returned and lost",
        "copper": "lost in the copper",
        "friction": "lost by friction",
        "gearbox": "lost in gearboxes",
        "load": "work on the load",
    }
    largest = max(abs(getattr(energy, name) or 0.0) for name in words)
    rows: list[tuple[Cell, ...]] = []
    for name, word in words.items():
        value = getattr(energy, name)
        if value is not None:
            shown = 0.0 if abs(value) < _ROUNDING * largest else value
            rows.append((word, shown, shown / cycle.duration))
    note = "What comes from the mains is the sum of the others. Losses of amplifiers, iron and rectifier come on top."
    heads = columns(("energy", "a cycle", "mean"), ("", "J", "W"))
    return Table("energy", "where the energy of a cycle goes", heads, tuple(rows), note)


def _has_resistor(cycle: DriveCycle) -> bool:
    return cycle.motors.bus is not None and cycle.motors.bus.brake_resistance is not None


def _bus(bus: BusCycle | None) -> Iterator[Table]:
    """The bus that feeds the motors; nothing where the file states none, or not where returned energy goes."""
    if bus is None or np.isnan(bus.voltage).any():
        return
    rows = (
        ("voltage, lowest", _known(bus.lowest), "V"),
        ("voltage, highest", _known(bus.highest), "V"),
        ("power, largest", float(np.max(bus.power)), "W"),
        ("power, smallest", float(np.min(bus.power)), "W"),
        ("drawn a cycle", bus.drawn, "J"),
        ("returned a cycle", bus.returned, "J"),
    )
    note = "Electrical power of all motors together; what braking motors return feeds the others first."
    heads = columns(("quantity", "value", "unit"), ("", "", ""))
    yield Table("voltage", "the bus over the cycle", heads, rows, note, printed=0)


def _series(cycle: DriveCycle) -> Iterator[Series]:
    """Temperatures that change over a cycle, and the voltage of the bus."""
    motors, temperature = cycle.motors, cycle.temperature
    labels = tuple(f"motor {i + 1}" for i in range(motors.count))
    if np.any(np.ptp(temperature, axis=0) > _RIPPLE * (temperature.max(axis=0) - motors.ambient)):
        limits = motors.named(limit=motors.temperature_max)
        yield Series("winding temperature", "degC", cycle.t, temperature, labels, limits)
    bus = cycle.bus
    if bus is not None and np.isfinite(bus.voltage).all():
        stated = {"chopper": "brake_voltage", "limit": "voltage_max"}
        limits = {name: getattr(motors.bus, field) for name, field in stated.items()}
        known = {name: limit for name, limit in limits.items() if limit is not None}
        yield Series("bus voltage", "V", bus.t, bus.voltage[:, None], ("bus",), known)


def _summary(cycle: DriveCycle) -> dict[str, str]:
    """The bus and the mains in a line each."""
    bus = cycle.bus
    if bus is None:
        return {}
    lines = {"mains": f"{bus.mains:.1f} J per cycle, {bus.mains / bus.duration:.1f} W on average"}
    if bus.braked > 0.0 and _has_resistor(cycle):
        lines["brake resistor"] = f"{bus.braked:.1f} J per cycle, {bus.braked / bus.duration:.1f} W on average"
    if np.isfinite(bus.voltage).all():
        lines["bus voltage"] = f"{bus.lowest:.1f} to {bus.highest:.1f} V"
    return lines


def _data(cycle: DriveCycle, energy: CycleEnergy) -> dict[str, Any]:
    """What programs are given: numbers of every motor, energies, and the bus where there is one."""
    bus = cycle.bus
    voltages = {} if bus is None else {"voltage_lowest": _known(bus.lowest), "voltage_highest": _known(bus.highest)}
    energies = {name: getattr(energy, name) for name in ("mains", "braked", "copper", "friction", "gearbox", "load")}
    return {**_columns(cycle), "energy": energies, **voltages}
