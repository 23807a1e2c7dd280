"""The task of an evaluation in closed loop, a record per controller."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, final

from parapick.control import Controller, machine_controller, with_sharing_rule
from parapick.errors import ParapickError
from parapick.evaluation.run import Run
from parapick.simulation import Record, simulate

LAWS_SHOWN: Final = ("pd", "ppi", "computed-torque", "tsid")
"""Laws that are compared: motor by motor without a model, the cascade of most drives, and with a model, at the joints
and in task space."""

_LONGEST: Final = 20.0
"""A motion (s) that lasts longer is left to a simulation of its own: it would take seconds a law."""


@final
@dataclass(frozen=True, eq=False)
class ClosedLoops:
    """Simulated loops by the names of their controllers.

    Attributes:
        records: the records.
        controllers: the controllers of these records.
        refused: why other controllers have no record.
        reason: why there is none at all; empty where there is one.
    """

    records: Mapping[str, Record] = field(default_factory=dict)
    controllers: Mapping[str, Controller] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    reason: str = ""


def closed_loops(run: Run, controllers: Mapping[str, Controller]) -> ClosedLoops:
    """A task simulated under controllers.

    Args:
        run: the robot on the motion of the task.
        controllers: the controllers by name; the usual laws if there is none.
    """
    model, motion = run.ride.model, run.motion
    reason = run.no_torque
    if not reason and motion.duration > _LONGEST:
        reason = f"the motion lasts {motion.duration:.4g} s; simulate it by itself"
    if reason:
        return ClosedLoops(reason=reason)
    controllers = dict(controllers) or {name: machine_controller(name) for name in LAWS_SHOWN}
    records, refused = {}, {}
    for name, controller in controllers.items():
        try:
            records[name] = simulate(model, motion, with_sharing_rule(controller, model))
        except ParapickError as error:
            refused[name] = str(error)
    reason = "" if records else "; ".join(dict.fromkeys(refused.values()))
    return ClosedLoops(records, {name: controllers[name] for name in records}, refused, reason)
