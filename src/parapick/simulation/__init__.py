"""The sampled loop: a robot follows a motion under a control law; the record says how well and at what cost."""

from __future__ import annotations

from parapick.simulation.buffeting import buffeting_energy
from parapick.simulation.description import Drives, Loop
from parapick.simulation.fused import parameters_of, scan_of
from parapick.simulation.judging import Fault, fault_of
from parapick.simulation.loop_answer import error_series, loop_answer, loop_data, loop_notes, tracking_table
from parapick.simulation.record import Divergence, Record, Saturation
from parapick.simulation.series import Disturbance
from parapick.simulation.simulate import ENGINES, simulate
from parapick.simulation.summary import Spread, Summary, by_cycle, by_phase, summary, torque_shares

__all__ = [
    "ENGINES",
    "Disturbance",
    "Divergence",
    "Drives",
    "Fault",
    "Loop",
    "Record",
    "Saturation",
    "Spread",
    "Summary",
    "buffeting_energy",
    "by_cycle",
    "by_phase",
    "error_series",
    "fault_of",
    "loop_answer",
    "loop_data",
    "loop_notes",
    "parameters_of",
    "scan_of",
    "simulate",
    "summary",
    "torque_shares",
    "tracking_table",
]
