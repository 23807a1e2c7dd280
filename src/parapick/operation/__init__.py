"""A machine in operation: runs under the supervisor, with faults injected, and the stops that follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.operation.braking import (
        BRAKING as BRAKING,
        SHOWN as SHOWN,
        brake_torque as brake_torque,
        braked as braked,
        held_inertia as held_inertia,
        needed_torque as needed_torque,
        stable as stable,
    )
    from parapick.operation.fault_kinds import (
        FAULT_KINDS as FAULT_KINDS,
        ActingFault as ActingFault,
        ChannelRows as ChannelRows,
        FaultKind as FaultKind,
        SignalRows as SignalRows,
        act as act,
    )
    from parapick.operation.faults import (
        InjectedFault as InjectedFault,
        UnknownFaultError as UnknownFaultError,
        fault_from as fault_from,
        faults_from as faults_from,
    )
    from parapick.operation.onset import (
        Onset as Onset,
    )
    from parapick.operation.run_answer import (
        nearest_table as nearest_table,
        objection as objection,
        run_data as run_data,
        states_table as states_table,
        stop_tables as stop_tables,
        supervised_answer as supervised_answer,
        supervised_notes as supervised_notes,
    )
    from parapick.operation.run_log import (
        Piece as Piece,
        SupervisedLog as SupervisedLog,
    )
    from parapick.operation.run_loop import (
        DWELL as DWELL,
    )
    from parapick.operation.run_stop import (
        Stop as Stop,
    )
    from parapick.operation.setup import (
        Plan as Plan,
        Supervision as Supervision,
    )
    from parapick.operation.state_change import (
        Change as Change,
    )
    from parapick.operation.state_reference import (
        ARRIVAL as ARRIVAL,
        WHOLE as WHOLE,
        StateReference as StateReference,
        reference_of as reference_of,
    )
    from parapick.operation.supervised_run import (
        SupervisedRun as SupervisedRun,
        Trip as Trip,
    )
    from parapick.operation.supervising import (
        PlannedRun as PlannedRun,
        TaskBeyondGuardError as TaskBeyondGuardError,
        check_stoppable as check_stoppable,
        planned_run as planned_run,
        supervise as supervise,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "braking": "BRAKING SHOWN brake_torque braked held_inertia needed_torque stable",
        "fault_kinds": "FAULT_KINDS FaultKind act ActingFault ChannelRows SignalRows",
        "faults": "InjectedFault UnknownFaultError fault_from faults_from",
        "run_answer": "nearest_table objection run_data states_table stop_tables supervised_answer supervised_notes",
        "onset": "Onset",
        "run_log": "Piece SupervisedLog",
        "run_loop": "DWELL",
        "run_stop": "Stop",
        "setup": "Plan Supervision",
        "state_change": "Change",
        "state_reference": "ARRIVAL WHOLE StateReference reference_of",
        "supervised_run": "SupervisedRun Trip",
        "supervising": "PlannedRun TaskBeyondGuardError check_stoppable planned_run supervise",
    },
)
