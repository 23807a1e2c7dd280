"""The process image and its segment as NumPy types: the layout of `c/bus.h`, field by field.

The names are those of the header, which says what each field is. `tests/runtime/test_layout.py` compares places and
sizes with those that a compiler gives.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

MAGIC: Final = 0x3130737562707070
VERSION: Final = 2
MOTORS_MAX: Final = 8
DOF_MAX: Final = 6
BELTS_MAX: Final = 4
ITEMS_MAX: Final = 256
FAULTS_MAX: Final = 8
PAYLOAD: Final = 5
SLOTS: Final = 4
ALWAYS: Final = 2**32 - 1

EXACT: Final = 1
"""Flag: drives and master take exact numbers in the place of increments and per mille."""
STATED_LOAD: Final = 2
"""Flag: the tool holds what the master says; otherwise what the gripper has taken."""
LOCKSTEP: Final = 4
"""Flag: no clock; the drives step once for every frame of the master."""

GRIP: Final = 1
"""Output: the gripper takes."""
EMERGENCY: Final = 1
"""Input: the emergency stop is pressed."""
LATE: Final = 2
"""Input: an injected fault says that the torques of the cycle before came too late."""
HELD: Final = 4
"""Input: the gripper holds something."""
SENSOR: Final = 256
"""Input: an item is at the sensor of the first belt; shifted for the others."""

SEATS: Final = ("master", "drives")


def _struct(*fields: Any) -> np.dtype:
    return np.dtype([*fields], align=True)


DRIVE_OUT: Final = _struct(
    ("control_word", "u2"),
    ("mode", "i1"),
    ("spare", "u1"),
    ("target_torque", "i2"),
    ("torque_offset", "i2"),
    ("target_position", "i4"),
    ("spare2", "i4"),
    ("exact_torque", "f8"),
    ("exact_position", "f8"),
)
DRIVE_IN: Final = _struct(
    ("status_word", "u2"),
    ("error_code", "u2"),
    ("mode", "i1"),
    ("brake", "u1"),
    ("torque", "i2"),
    ("position", "i4"),
    ("speed", "i4"),
    ("exact_torque", "f8"),
    ("exact_position", "f8"),
    ("exact_speed", "f8"),
)
OUT: Final = _struct(
    ("cycle", "u8"),
    ("time", "i8"),
    ("answers", "u8"),
    ("state", "u4"),
    ("outputs", "u4"),
    ("load", "f8", PAYLOAD),
    ("drives", DRIVE_OUT, MOTORS_MAX),
)
IN: Final = _struct(
    ("cycle", "u8"),
    ("time", "i8"),
    ("answers", "u8"),
    ("missed", "u4"),
    ("inputs", "u4"),
    ("belts", "i4", BELTS_MAX),
    ("items", "u4"),
    ("spare", "u4"),
    ("x", "f8", DOF_MAX),
    ("xd", "f8", DOF_MAX),
    ("drives", DRIVE_IN, MOTORS_MAX),
)
UNITS: Final = _struct(("angle", "f8"), ("torque", "f8"), ("torque_max", "f8"), ("rated", "f8"))
WORDS: Final = max(OUT.itemsize, IN.itemsize) // 8
SLOT: Final = _struct(("sequence", "u8"), ("spare", "u8", 7), ("words", "u8", WORDS))
FRAMES: Final = _struct(("newest", "u8"), ("spare", "u8", 7), ("slots", SLOT, SLOTS))
DRIVE_SETTINGS: Final = _struct(
    ("position_gain", "f8"),
    ("speed_gain", "f8"),
    ("integral_gain", "f8"),
    ("position_min", "f8"),
    ("position_max", "f8"),
    ("speed_max", "f8"),
    ("following_max", "f8"),
    ("interpolation", "f8"),
    ("ramp", "f8"),
    ("brake", "f8"),
    ("opening", "f8"),
    ("closing", "f8"),
    ("self_test", "f8"),
    ("quick_stop", "i2"),
    ("disable", "i2"),
    ("reaction", "i2"),
    ("spare", "i2"),
)
FAULT: Final = _struct(
    ("state", "u4"),
    ("active", "u4"),
    ("begin", "u8"),
    ("end", "u8"),
    ("angle_share", "f8", MOTORS_MAX),
    ("angle_offset", "f8", MOTORS_MAX),
    ("angle_repeat", "f8", MOTORS_MAX),
    ("torque_share", "f8", MOTORS_MAX),
    ("torque_offset", "f8", MOTORS_MAX),
    ("torque_repeat", "f8", MOTORS_MAX),
    ("load_share", "f8", PAYLOAD),
    ("load_offset", "f8", PAYLOAD),
    ("force", "f8", DOF_MAX),
    ("dead", "u4", MOTORS_MAX),
    ("late", "u4"),
    ("emergency", "u4"),
)
BELT: Final = _struct(
    ("point", "f8", 3),
    ("along", "f8", 3),
    ("across", "f8", 3),
    ("speed", "f8"),
    ("resolution", "f8"),
    ("sensor", "f8"),
)
ITEM: Final = _struct(("position", "f8"), ("across", "f8"), ("load", "f8", PAYLOAD), ("belt", "i4"), ("there", "i4"))
CELL: Final = _struct(
    ("jitter", "f8"),
    ("dropped", "f8"),
    ("reach", "f8"),
    ("seed", "u8"),
    ("belts", "u4"),
    ("items", "u4"),
    ("faults", "u4"),
    ("belt_state", "u4"),
    ("belt_begin", "u8"),
    ("gripper", "f8", PAYLOAD),
    ("start", "f8", DOF_MAX),
    ("drives", DRIVE_SETTINGS, MOTORS_MAX),
    ("belt", BELT, BELTS_MAX),
    ("fault", FAULT, FAULTS_MAX),
    ("item", ITEM, ITEMS_MAX),
)
HEAD: Final = _struct(
    ("magic", "u8"),
    ("version", "u4"),
    ("flags", "u4"),
    ("bytes", "u8"),
    ("fingerprint", "u1", 32),
    ("motors", "u4"),
    ("dof", "u4"),
    ("period", "i8"),
    ("watchdog", "i8"),
    ("reference", "u8"),
    ("log", "u8"),
    ("loop_turns", "u8"),
    ("cell_turns", "u8"),
    ("epoch", "i8"),
    ("pids", "i8", len(SEATS)),
    ("ending", "u8"),
    ("units", UNITS, MOTORS_MAX),
)
SEGMENT: Final = _struct(("head", HEAD), ("cell", CELL), ("out", FRAMES), ("in", FRAMES))
RING: Final = _struct(
    ("magic", "u8"),
    ("rows", "u8"),
    ("row_size", "u8"),
    ("closed", "u8"),
    ("gap0", "u1", 32),
    ("written", "u8"),
    ("gap1", "u1", 56),
    ("taken", "u8"),
    ("gap2", "u1", 56),
)
RING_MAGIC: Final = 0x474E49525F505000

STRUCTS: Final = {
    "pp_drive_out": DRIVE_OUT,
    "pp_drive_in": DRIVE_IN,
    "pp_out": OUT,
    "pp_in": IN,
    "pp_units": UNITS,
    "pp_slot": SLOT,
    "pp_frames": FRAMES,
    "pp_drive_settings": DRIVE_SETTINGS,
    "pp_fault": FAULT,
    "pp_belt": BELT,
    "pp_item": ITEM,
    "pp_cell_settings": CELL,
    "pp_head": HEAD,
    "pp_segment": SEGMENT,
    "pp_ring": RING,
}
"""Every struct by its name in C."""
