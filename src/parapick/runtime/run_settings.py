"""`RunSettings`: how a run of the runtime is, beside its robot, its task and its controller."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, final

from parapick.operation import InjectedFault
from parapick.runtime.cell_belts import CellBelts
from parapick.runtime.virtual_drives import VirtualDrives
from parapick.supervision import Supervisor

_SUPERVISOR: Final = Supervisor()


@final
@dataclass(frozen=True, eq=False)
class RunSettings:
    """Settings of a run of the runtime, none of which need be stated.

    Attributes:
        supervisor: limits of the guards, homing and stopping.
        faults: what is made to go wrong, as values or as texts such as "emergency@100ms".
        cycles: how often the motion is run through.
        settle: time at rest after the motion's end: seconds, or a text such as "50 ms".
        drives: settings of the virtual drives and their bus.
        belts: belts and items of the cell: the gripper then holds what it takes, and not what the task says.
        image: "integer" for increments and per mille, as a bus has them, "exact" for the numbers of a simulation.
        clock: whether it runs against a clock, the drives in a process of their own; otherwise in lockstep.
        segment: name of the segment of drives that run already, see `serve_cell`; none if not given.
        reset: whether faults of those drives are reset before the start.
    """

    supervisor: Supervisor = _SUPERVISOR
    faults: Sequence[InjectedFault | str] = ()
    cycles: int = 1
    settle: float | str = 0.0
    drives: VirtualDrives | None = None
    belts: CellBelts | None = None
    image: Literal["exact", "integer"] = "integer"
    clock: bool = True
    segment: str = ""
    reset: bool = False
