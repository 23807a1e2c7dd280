"""The operating states around a control law: transition table, guards, homing and the controlled stop.

`step` is one sample of the supervisor, a pure function. `Watch` finds the quantities of the guards, `stop_plan` slows a
path to rest, `slow_motion` leads home. `parapick.simulation.supervise` runs a loop with all of it.
"""

from __future__ import annotations

from parapick.supervision.guards import GUARDS, NAMES, Guard, guard_of
from parapick.supervision.homing import HomingError, slow_motion
from parapick.supervision.limits import WatchedLimits, columns_of, guard_limits, units_of
from parapick.supervision.settings import GUARD_FIELDS, GuardLimits, Supervisor
from parapick.supervision.states import COMMANDS, ENERGISED, MEANINGS, TRANSITIONS, Event, State, Transition, after
from parapick.supervision.step import CellMemory, Observation, Rules, step
from parapick.supervision.stop import StopLimits, StopPlan, stop_plan
from parapick.supervision.watching import Past, Signals, Watch, Watched

__all__ = [
    "COMMANDS",
    "ENERGISED",
    "GUARDS",
    "GUARD_FIELDS",
    "MEANINGS",
    "NAMES",
    "TRANSITIONS",
    "CellMemory",
    "Event",
    "Guard",
    "GuardLimits",
    "HomingError",
    "Observation",
    "Past",
    "Rules",
    "Signals",
    "State",
    "StopLimits",
    "StopPlan",
    "Supervisor",
    "Transition",
    "Watch",
    "Watched",
    "WatchedLimits",
    "after",
    "columns_of",
    "guard_limits",
    "guard_of",
    "slow_motion",
    "step",
    "stop_plan",
    "units_of",
]
