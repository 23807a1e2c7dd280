"""How the robot stops: the operator's stop where the plate is fastest, under every controller and the supervisor.

It is the worst instant of the task for a stop along the path, and says how far the plate moves on after somebody wants
it to rest. It requires that the robot keeps to its limits until then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from parapick.answer import Answer, Requirement, Series, against
from parapick.control import with_sharing_rule
from parapick.errors import ParapickError
from parapick.evaluation.context import Context
from parapick.operation import (
    InjectedFault,
    SupervisedRun,
    objection,
    run_data,
    stop_tables,
    supervise,
    supervised_notes,
)
from parapick.simulation import fault_of

_TITLE: Final = "Stopping"


def section(context: Context) -> Answer:
    """Stops of the task where the plate is fastest.

    Args:
        context: the robot along the motion of its task.
    """
    if context.loops.reason:
        return Answer("stopping", _TITLE, left_out=(f"not computed: {context.loops.reason}",))
    samples = context.samples
    speed = np.linalg.norm(samples.xd[:, :3], axis=-1)
    fastest = int(np.argmax(speed))
    runs, refused = _runs(context, float(samples.t[fastest]))
    if not runs:
        reasons = tuple(f"{name}: {reason}" for name, reason in refused.items())
        return Answer("stopping", _TITLE, left_out=reasons or ("not computed: no controller does the task",))
    where = f"the operator's stop at {samples.t[fastest]:.4g} s, where the plate has {speed[fastest]:.4g} m/s"
    return Answer(
        key="stopping",
        title=_TITLE,
        findings=(_inside(runs),),
        tables=tuple(table for table in stop_tables(runs) if table.name == "stop"),
        series=tuple(_speeds(runs)),
        notes=(
            where,
            *supervised_notes(context.model, runs),
            *(f"{name} is left out: {reason}" for name, reason in refused.items()),
        ),
        data={"runs": {name: run_data(run) for name, run in runs.items()}},
    )


def _runs(context: Context, time: float) -> tuple[dict[str, SupervisedRun], dict[str, str]]:
    """A run per controller that does the task, and why others have none."""
    loops, runs, refused = context.loops, {}, {}
    for name, controller in loops.controllers.items():
        if fault_of(loops.records[name]) is not None:
            continue
        try:
            model, stop = context.model, InjectedFault("stop", time)
            runs[name] = supervise(model, context.motion, with_sharing_rule(controller, model), faults=(stop,))
        except ParapickError as error:
            refused[name] = str(error)
    return runs, refused


def _inside(runs: Mapping[str, SupervisedRun]) -> Requirement:
    """The requirement that some controller stops the robot within its limits."""
    sound = [name for name, run in runs.items() if run.stop is not None and run.stop.inside and run.trip is None]
    text = f"stops within its limits: {', '.join(sound)}" if sound else _unsound(runs)
    reading = f"{len(sound)} of {len(runs)} laws do it"
    return against("stop within limits", "", len(sound), at_least=1.0, unit="laws", words=text, reading=reading)


def _unsound(runs: Mapping[str, SupervisedRun]) -> str:
    """Why no controller stops the robot within its limits, by the first of them."""
    name, run = next(iter(runs.items()))
    reason = objection(run) or ("it was not stopped" if run.trip is None else run.trip.text)
    return f"no controller stops the robot within its limits; {name}: {reason}"


def _speeds(runs: Mapping[str, SupervisedRun]) -> Iterator[Series]:
    """Speed of the plate from the stop on."""
    stopped = {name: run for name, run in runs.items() if run.stop is not None}
    if not stopped:
        return
    parts = {name: run.record.t >= run.stop.start for name, run in stopped.items() if run.stop is not None}
    speeds = [np.linalg.norm(stopped[name].record.xd[part, :3], axis=-1) for name, part in parts.items()]
    t = max((stopped[name].record.t[part] for name, part in parts.items()), key=len)
    padded = [np.pad(speed, (0, len(t) - len(speed)), constant_values=np.nan) for speed in speeds]
    since_stop, together = t - t[0], np.column_stack(padded)
    yield Series("speed of the plate", "m/s", since_stop, together, tuple(stopped), since="the stop")
