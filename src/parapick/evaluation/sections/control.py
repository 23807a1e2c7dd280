"""The task in closed loop: how far the plate is from where it should be, under one controller or several.

Without another wish, laws with the same poles are compared on an ordinary machine: sampled, one sample late, with
encoders, a filtered velocity, the torque limits of the drives and their friction. It requires that some law does the
task, as `simulate` does; how much error a task bears beyond that is not in its file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from parapick.answer import Answer, Requirement, Table, against
from parapick.control import Controller, condition_notes, delays_data, delays_table, gains_tables
from parapick.evaluation.context import Context
from parapick.motors import Motors
from parapick.simulation import Record, error_series, fault_of, loop_data, loop_notes, tracking_table

_TITLE: Final = "Closed loop"

_NOTE: Final = (
    "Peak and RMS of the plate's distance from where it should be; peaks of its part across the path, of the error of "
    "yaw and of what the motors give at the joints; the largest share of its limit that a motor gives, and the share "
    "of samples at which a law wants more than some motor has."
)


def section(context: Context) -> Answer:
    """Tracking errors of the task under several controllers.

    Args:
        context: the robot along the motion of its task.
    """
    loops = context.loops
    if loops.reason:
        return Answer("control", _TITLE, left_out=(f"not computed: {loops.reason}",))
    return Answer(
        key="control",
        title=_TITLE,
        findings=(_sound(loops.records),),
        tables=(
            replace(tracking_table(loops.records, title="the task in closed loop"), note=_NOTE),
            *_gains(context),
            replace(delays_table(_run(context), "law"), printed=0),
        ),
        series=tuple(error_series(loops.records)),
        notes=(
            *loop_notes(loops.records),
            *(f"{name} is left out: {reason}" for name, reason in loops.refused.items()),
            *_notes(context, loops.controllers),
        ),
        data={"laws": loop_data(loops.records), "ledger": delays_data(_run(context))},
    )


def _gains(context: Context) -> Iterator[Table]:
    """Gains in the units of the drives, which the terminal leaves out."""
    for table in gains_tables(context.model, context.motion, _run(context)):
        yield replace(table, printed=0)


def _run(context: Context) -> dict[str, Controller]:
    """The controllers that were run, by name."""
    return {name: context.loops.controllers[name] for name in context.loops.records}


def _sound(records: Mapping[str, Record]) -> Requirement:
    """The requirement that some law does the task: it neither diverges, nor loses the path, nor chatters."""
    sound = [name for name, record in records.items() if fault_of(record) is None]
    text = f"under control: {', '.join(sound)}" if sound else _unsound(records)
    reading = f"{len(sound)} of {len(records)} laws do it"
    return against("control that does it", "", len(sound), at_least=1.0, unit="laws", words=text, reading=reading)


def _unsound(records: Mapping[str, Record]) -> str:
    """Why no law does the task, by the one that stays nearest to the path; one that diverges is far from it."""
    name = min(records, key=lambda law: (records[law].divergence is not None, float(records[law].distance.max())))
    fault = fault_of(records[name])
    return f"no control law is left that does this task; nearest is {name}: {'' if fault is None else fault.text}"


def _notes(context: Context, controllers: Mapping[str, Controller]) -> Iterator[str]:
    yield from condition_notes(controllers)
    yield from dict.fromkeys(_plant(controller, context.motors) for controller in controllers.values())
    if context.model.robot.redundant:
        yield "laws with a model share torques by least norm where they state no rule"


def _plant(controller: Controller, motors: Motors) -> str:
    differs = [*controller.plant.parameters, *controller.plant.factors]
    differs += [name for name in ("rods", "payload") if getattr(controller.plant, name) is not None]
    known = f"the plant differs in {', '.join(differs)}" if differs else "the controller knows the robot exactly"
    return f"{known}; {_limits(controller, motors)}, {_friction(controller, motors)}"


def _limits(controller: Controller, motors: Motors) -> str:
    stated = controller.torque_max
    if stated is None:
        return f"no motor has a {motors.word} limit"
    if stated not in ("drive", "peak"):
        return f"motors give their rated {motors.word} at most" if stated == "rated" else f"{motors.word}s are limited"
    limited = np.isfinite(motors.peak_torque)
    if limited.all():
        return f"motors give their peak {motors.word} at most"
    unlimited = f"motors without a peak {motors.word} in the file have no limit"
    return unlimited if limited.any() else f"no motor has a {motors.word} limit"


def _friction(controller: Controller, motors: Motors) -> str:
    if controller.plant.friction is not True:
        return "without friction" if controller.plant.friction is False else "with the friction stated"
    acts = motors.rubbing or motors.viscous.any()
    return "the friction of the drives acts on them" if acts else "without friction, for the file states none"
