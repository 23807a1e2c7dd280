"""The sampled loop: a robot follows a motion under a control law; the record says how well and at what cost."""

from __future__ import annotations

from parapick.simulation.buffeting import buffeting_energy
from parapick.simulation.description import Drives, Loop
from parapick.simulation.faults import FAULT_KINDS, FaultKind, InjectedFault, UnknownFaultError, fault_from, faults_from
from parapick.simulation.fused import parameters_of, scan_of
from parapick.simulation.judging import Fault, fault_of
from parapick.simulation.loop_answer import error_series, loop_answer, loop_data, loop_notes, tracking_table
from parapick.simulation.record import Divergence, Record, Saturation
from parapick.simulation.series import Disturbance
from parapick.simulation.simulate import ENGINES, simulate
from parapick.simulation.summary import Spread, Summary, by_cycle, by_phase, summary, torque_shares
from parapick.simulation.supervised import TaskBeyondGuardError, check_stoppable, supervise
from parapick.simulation.supervised_answer import (
    nearest_table,
    objection,
    run_data,
    states_table,
    stop_tables,
    supervised_answer,
    supervised_notes,
)
from parapick.simulation.supervised_run import Change, Nearest, Stop, SupervisedRun, Trip

__all__ = [
    "ENGINES",
    "FAULT_KINDS",
    "Change",
    "Disturbance",
    "Divergence",
    "Drives",
    "Fault",
    "FaultKind",
    "InjectedFault",
    "Loop",
    "Nearest",
    "Record",
    "Saturation",
    "Spread",
    "Stop",
    "Summary",
    "SupervisedRun",
    "TaskBeyondGuardError",
    "Trip",
    "UnknownFaultError",
    "buffeting_energy",
    "by_cycle",
    "by_phase",
    "check_stoppable",
    "error_series",
    "fault_from",
    "fault_of",
    "faults_from",
    "loop_answer",
    "loop_data",
    "loop_notes",
    "nearest_table",
    "objection",
    "parameters_of",
    "run_data",
    "scan_of",
    "simulate",
    "states_table",
    "stop_tables",
    "summary",
    "supervise",
    "supervised_answer",
    "supervised_notes",
    "torque_shares",
    "tracking_table",
]
