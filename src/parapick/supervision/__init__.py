"""The operating states around a control law: transition table, guards, homing and the controlled stop.

`step` is one sample of the supervisor, a pure function. `Watch` finds the quantities of the guards, `stop_plan` slows a
path to rest, `slow_motion` leads home. `parapick.operation.supervise` runs a loop with all of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.supervision.guards import (
        GUARDS as GUARDS,
        NAMES as NAMES,
        TRACKING as TRACKING,
        Guard as Guard,
        guard_of as guard_of,
    )
    from parapick.supervision.homing import (
        HomingError as HomingError,
        slow_motion as slow_motion,
    )
    from parapick.supervision.joint_quantities import (
        EXACT as EXACT,
        JOINT_QUANTITIES as JOINT_QUANTITIES,
        WINDOW as WINDOW,
    )
    from parapick.supervision.limits import (
        SETTLED as SETTLED,
        STANDSTILL as STANDSTILL,
        WatchedLimits as WatchedLimits,
        columns_of as columns_of,
        guard_limits as guard_limits,
        units_of as units_of,
    )
    from parapick.supervision.pose_quantities import (
        POSE_QUANTITIES as POSE_QUANTITIES,
    )
    from parapick.supervision.settings import (
        GUARD_FIELDS as GUARD_FIELDS,
        GuardLimits as GuardLimits,
        Supervisor as Supervisor,
    )
    from parapick.supervision.states import (
        COMMANDS as COMMANDS,
        ENERGISED as ENERGISED,
        MEANINGS as MEANINGS,
        TRANSITIONS as TRANSITIONS,
        Event as Event,
        State as State,
        Transition as Transition,
        after as after,
    )
    from parapick.supervision.step import (
        ENDS as ENDS,
        CellMemory as CellMemory,
        Observation as Observation,
        Rules as Rules,
        step as step,
    )
    from parapick.supervision.stop import (
        Course as Course,
        StopLimits as StopLimits,
        StopPlan as StopPlan,
        stop_plan as stop_plan,
    )
    from parapick.supervision.stop_expressions import (
        CHOICES as CHOICES,
        TRIED as TRIED,
        UNTRIED as UNTRIED,
        stop_advance as stop_advance,
        stop_begin as stop_begin,
        stop_try as stop_try,
    )
    from parapick.supervision.watching import (
        Past as Past,
        Signals as Signals,
        Watch as Watch,
        Watched as Watched,
        still_displacement as still_displacement,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "guards": "GUARDS Guard NAMES TRACKING guard_of",
        "homing": "HomingError slow_motion",
        "joint_quantities": "EXACT JOINT_QUANTITIES WINDOW",
        "limits": "SETTLED STANDSTILL WatchedLimits columns_of guard_limits units_of",
        "pose_quantities": "POSE_QUANTITIES",
        "settings": "GUARD_FIELDS GuardLimits Supervisor",
        "states": "COMMANDS ENERGISED Event MEANINGS State TRANSITIONS Transition after",
        "step": "CellMemory ENDS Observation Rules step",
        "stop": "Course StopLimits StopPlan stop_plan",
        "stop_expressions": "CHOICES TRIED UNTRIED stop_advance stop_begin stop_try",
        "watching": "Past Signals Watch Watched still_displacement",
    },
)
