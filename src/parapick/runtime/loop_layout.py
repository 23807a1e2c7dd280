"""Rows of reference and log, and the settings of the loop, as NumPy types: the layout of `c/loop.h`, field by field."""

from __future__ import annotations

from typing import Final

import numpy as np

from parapick.runtime.layout import BELTS_MAX, DOF_MAX, MOTORS_MAX, PAYLOAD

TERMS_MAX: Final = 96
"""Numbers that the terms of a law may be."""
QUANTITIES_MAX: Final = 128
"""Numbers that the guards may look at."""
COMMANDS_MAX: Final = 8
LOOP_MAGIC: Final = 0x316C727563707070

ARRIVED: Final = 1
"""Flag of a row: the reference has come to its end."""
LAST: Final = 2
"""Flag of a row: the last of its segment."""
KNOT: Final = 4
"""Flag of a row: between two samples; only a stop reads it."""
GRIPPED: Final = 8
"""Flag of a row: the gripper is to take."""

LATE: Final = {1: "drives", 2: "period", 4: "bus", 8: "planner"}
"""Why a torque counted as late, by bits."""

ROW: Final = np.dtype(
    [
        ("s", "f8"),
        ("pace", "f8"),
        ("x", "f8", DOF_MAX),
        ("xd", "f8", DOF_MAX),
        ("xdd", "f8", DOF_MAX),
        ("ahead", "f8", DOF_MAX),
        ("shift", "f8", DOF_MAX),
        ("shift_rate", "f8", DOF_MAX),
        ("known", "f8", PAYLOAD),
        ("load", "f8", PAYLOAD),
        ("state", "u4"),
        ("flags", "u4"),
    ],
    align=True,
)
LOG: Final = np.dtype(
    [
        ("sample", "u8"),
        ("begin", "i8"),
        ("sampled", "i8"),
        ("computed", "i8"),
        ("written", "i8"),
        ("seen", "u8"),
        ("before", "u4"),
        ("state", "u4"),
        ("event", "i4"),
        ("cause", "i4"),
        ("fault", "i4"),
        ("late", "u4"),
        ("looked", "u4"),
        ("inputs", "u4"),
        ("s", "f8"),
        ("pace", "f8"),
        ("share", "f8"),
        ("x_ref", "f8", DOF_MAX),
        ("xd_ref", "f8", DOF_MAX),
        ("xdd_ref", "f8", DOF_MAX),
        ("x", "f8", DOF_MAX),
        ("xd", "f8", DOF_MAX),
        ("known", "f8", PAYLOAD),
        ("load", "f8", PAYLOAD),
        ("q_meas", "f8", MOTORS_MAX),
        ("command", "f8", MOTORS_MAX),
        ("torque", "f8", MOTORS_MAX),
        ("reported", "f8", MOTORS_MAX),
        ("status", "u2", MOTORS_MAX),
        ("belts", "i4", BELTS_MAX),
        ("terms", "f8", TERMS_MAX),
        ("quantities", "f8", QUANTITIES_MAX),
    ],
    align=True,
)
COMMAND: Final = np.dtype([("state", "u4"), ("event", "i4"), ("begin", "u8")], align=True)
BINS: Final = 512
"""Bins of histograms: microseconds, the last for all that is longer."""
REPORT: Final = np.dtype(
    [
        ("pid", "i8"),
        ("scheduler", "i8"),
        ("memory", "i8"),
        ("pinned", "i8"),
        ("rehearsed", "i8"),
        ("periods", "u8"),
        ("overruns", "u8"),
        ("missed", "u8"),
        ("lost", "u8"),
        ("worst_late", "i8"),
        ("worst_length", "i8"),
        ("late", "u8", BINS),
        ("length", "u8", BINS),
    ],
    align=True,
)
SETTINGS: Final = np.dtype(
    [
        ("magic", "u8"),
        ("dwell", "u8"),
        ("shown", "u8"),
        ("resting", "u8"),
        ("braking", "u8"),
        ("horizon", "u8"),
        ("commands", "u8"),
        ("command", COMMAND, COMMANDS_MAX),
        ("start", ROW),
        ("phase", "i8"),
        ("budget", "i8"),
        ("mode", "i4"),
        ("priority", "i4"),
        ("processor", "i4"),
        ("reset", "i4"),
        ("asked", "i8"),
        ("report", REPORT),
    ],
    align=True,
)
LOOP_TURN: Final = np.dtype(
    [
        ("number", "u8"),
        ("time", "i8"),
        ("read", "u8"),
        ("cycle", "u8"),
        ("sample", "u8"),
        ("rows", "u8"),
        ("asked", "i4"),
        ("late", "u4"),
        ("flags", "u4"),
        ("spare", "u4"),
        ("digest", "u8"),
    ],
    align=True,
)
CELL_TURN: Final = np.dtype(
    [
        ("cycle", "u8"),
        ("time", "i8"),
        ("read", "u8"),
        ("taken", "u8"),
        ("flags", "u4"),
        ("spare", "u4"),
        ("digest", "u8"),
    ],
    align=True,
)
CLOSED: Final = 1
"""Flag of a turn of the loop: no rows of the reference come behind those that are there."""
FRESH: Final = 1
"""Flag of a turn of the drives: the frame that was read acts from this cycle on."""
EXCUSED: Final = 2
"""Flag of a turn of the drives: a frame is missing because they were late themselves."""

LOOP_STRUCTS: Final = {
    "pp_loop_turn": LOOP_TURN,
    "pp_cell_turn": CELL_TURN,
    "pp_row": ROW,
    "pp_log_row": LOG,
    "pp_command": COMMAND,
    "pp_report": REPORT,
    "pp_loop_settings": SETTINGS,
}
"""Every struct by its name in C."""
