"""What a robot's file limits over a cycle, as requirements: heat, gearboxes, windings, the bus; and what it lacks.

The sums are those of `motors.DriveCycle`, for a motion that is repeated without a rest.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

import numpy as np

from parapick.answer import Requirement, against, amount
from parapick.extremes import nearest_to_limit
from parapick.motors import CYCLE, HEAT, CycleLoads, DriveCycle, Motors, cycle_kinds, states_sums

if TYPE_CHECKING:
    from parapick.model import Model

WHERE: Final = "over the cycle"
"""Where a sum is, in words."""


def heat_requirement(cycle: DriveCycle) -> Requirement:
    """Torque at rest that would heat a motor as much as the cycle does, against its continuous torque.

    It is that of the motor which comes nearest to its limit, or gives most where none has one.

    Args:
        cycle: the motors over the cycle.
    """
    motors = cycle.motors
    (motor,) = nearest_to_limit(cycle.heat_torque, motors.continuous_torque)
    axis = motors.axes[motor]
    return against(
        HEAT.title,
        f"effective {axis.word} of motor {motor + 1}",
        float(cycle.heat_torque[motor]),
        at_most=float(motors.continuous_torque[motor]),
        unit=axis.effort,
        where=WHERE,
        motor=motor + 1,
        label=HEAT.title.replace("torque", axis.word),
    )


def cycle_requirements(cycle: DriveCycle) -> Iterator[Requirement]:
    """The worst of every sum over a cycle that the robot's file limits, heat first.

    Args:
        cycle: the motors over the cycle.
    """
    for loads in cycle.loads:
        yield heat_requirement(cycle) if loads.kind is HEAT else _worst(cycle.motors, loads)


def _worst(motors: Motors, loads: CycleLoads) -> Requirement:
    kind = loads.kind
    part = int(np.argmax(loads.shares))
    value = float(loads.values[part])
    rising = "rises from cycle to cycle: nothing takes what the motors return" if math.isinf(value) else ""
    return against(
        kind.title,
        _subject(loads, part),
        value,
        at_most=float(loads.limits[part]),
        unit=kind.unit or motors.axes[part].effort,
        where=WHERE,
        motor=0 if kind.shared else part + 1,
        state=rising,
        label="" if loads.above is None else f"{kind.title}, rise",
    )


def _subject(loads: CycleLoads, part: int) -> str:
    """A sum of which motor, counted from what: "rise of the winding of motor 2 above 40 degC"."""
    kind = loads.kind
    whose = "" if kind.shared else f" of motor {part + 1}"
    if loads.above is None:
        return f"{kind.words}{whose}"
    unit = "degC" if kind.unit == "K" else kind.unit
    return f"{kind.words}{whose} above {amount(float(loads.above[part]), unit)}"


def cycle_note(model: Model) -> tuple[str, ...]:
    """What counts over a cycle and what the file does not state; nothing where it states one continuous torque at most.

    Args:
        model: the robot.
    """
    motors = model.motors
    if not states_sums(motors):
        return ()
    counted = cycle_kinds(motors)
    missing = [f"{kind.title} ({kind.fields})" for kind in CYCLE if kind not in counted]
    words = "; ".join(kind.title for kind in counted) or "nothing, for want of a limit"
    unknown = f". Not stated in the file: {'; '.join(missing)}" if missing else ""
    return (f"counted over the cycle, repeated without a rest: {words}{unknown}", *_assumed(motors))


def _assumed(motors: Motors) -> Iterable[str]:
    """What sums over a cycle leave aside because the file does not state it."""
    windings = [winding for winding in motors.windings if winding is not None]
    counted = {kind.key for kind in cycle_kinds(motors)}
    if "winding" in counted and any(winding.thermal_time is None for winding in windings):
        yield "the file states no drive.winding.thermal_time, so the mean temperature of the winding counts"
    if motors.bus is None or motors.bus.voltage is None:
        return
    if not motors.copper.all():
        fields = "drive.winding.resistance and drive.winding.torque_constant"
        yield f"the loss in the copper is left aside on the bus: the file does not state {fields} of every motor"
    if motors.bus.capacitance is None:
        takes = "what the motors return is lost"
        if motors.bus.brake_resistance is not None:
            takes = "what the motors return goes to the brake resistor at once"
        yield f"the file states no bus.capacitance: {takes}"
