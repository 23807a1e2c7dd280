"""Mechanical power and energy of the motors, and what the bus that feeds them must give and take."""

from __future__ import annotations

from typing import Final

import numpy as np

from parapick.answer import Answer, Series, Table, columns
from parapick.evaluation.context import Context
from parapick.extremes import first_largest
from parapick.motors import Power

_ROUNDING: Final = 1e-6
"""Share of the energy drawn below which what is used is left of the integrals over samples: a robot without losses gets
all of it back."""


def section(context: Context) -> Answer:
    """Power of every motor and of all together, and the energy of one cycle.

    Args:
        context: the robot along the motion of its task.
    """
    if context.run.no_torque:
        return Answer("power", "Power and energy", left_out=(f"not computed: {context.run.no_torque}",))
    power = _power(context)
    labels = tuple(f"motor {i + 1}" for i in range(power.motors.shape[1]))
    duration = float(power.time[-1] - power.time[0])
    used = power.drawn - power.returned
    if abs(used) < _ROUNDING * power.drawn:
        used = 0.0
    data = {
        "bus_peak": float(np.max(power.bus)),
        "bus_peak_time": _when(power.time, power.bus),
        "bus_lowest": float(np.min(power.bus)),
        "bus_lowest_time": _when(power.time, -power.bus),
        "energy_drawn": power.drawn,
        "energy_returned": power.returned,
        "energy_used": used,
        "mean_power": used / duration,
    }
    return Answer(
        key="power",
        title="Power and energy",
        tables=(_bus(data), _motors(power)),
        series=(
            Series("motor power", "W", power.time, power.motors, labels),
            Series("bus power", "W", power.time, power.bus[:, None], ("all motors",)),
        ),
        summary={
            "bus": f"{data['bus_peak']:.0f} W at most, t {data['bus_peak_time']:.4f} s, for all motors together",
            "energy": f"{power.drawn:.1f} J drawn and {power.returned:.1f} J returned per cycle, "
            f"{data['mean_power']:.1f} W on average",
        },
        notes=("mechanical power at the motor shafts; losses in windings and amplifiers come on top",),
        data=dict(data),
    )


def _power(context: Context) -> Power:
    loads = context.ride.loads
    return Power(
        time=loads.t,
        motors=loads.torque * loads.speed,
        rms_torque=context.ride.rms_torque,
        peak_torque=np.max(np.abs(loads.torque), axis=0),
        peak_speed=np.max(np.abs(loads.speed), axis=0),
    )


def _when(t: np.ndarray, values: np.ndarray) -> float:
    return float(t[first_largest(values)])


def _bus(data: dict[str, float]) -> Table:
    rows = (
        ("bus power, largest", data["bus_peak"], "W", data["bus_peak_time"]),
        ("bus power, smallest", data["bus_lowest"], "W", data["bus_lowest_time"]),
        ("energy drawn a cycle", data["energy_drawn"], "J", None),
        ("energy returned a cycle", data["energy_returned"], "J", None),
        ("energy used a cycle", data["energy_used"], "J", None),
        ("mean power", data["mean_power"], "W", None),
    )
    note = "Motors that brake feed the others; what is left over returns to the bus: a capacitor or a brake resistor."
    heads = columns(("quantity", "value", "unit", "at t"), ("", "", "", "s"))
    return Table("bus", "a bus that all motors share", heads, rows, note, printed=0)


def _motors(power: Power) -> Table:
    duration = power.time[-1] - power.time[0]
    rows = tuple(
        (
            i + 1,
            float(np.max(series)),
            float(np.min(series)),
            float(np.trapezoid(np.maximum(series, 0.0), power.time) / duration),
            float(np.trapezoid(np.maximum(-series, 0.0), power.time) / duration),
        )
        for i, series in enumerate(power.motors.T)
    )
    heads = ("motor", "largest", "smallest", "mean driving", "mean braking")
    return Table("motors", "power of the motors", columns(heads, ("", "W", "W", "W", "W")), rows, printed=0)
