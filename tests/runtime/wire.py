"""A wire to virtual drives: bytes of process data, read and written apart from the bridge, with a virtual cell behind.

The layouts here are written down by hand from the types of CiA 402, not taken from `parapick.runtime.pdo`.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from parapick.runtime.layout import IN, OUT
from runtime.compiled import Library, pointer

GET = "<HbhhiB"
"""6040 UNSIGNED16, 6060 INTEGER8, 6071 INTEGER16, 60B2 INTEGER16, 607A INTEGER32, and a byte that fills up."""

SAY = "<BHHbiihI"
"""A byte that fills up, 6041 UNSIGNED16, 603F UNSIGNED16, 6061 INTEGER8, 6064 INTEGER32, 606C INTEGER32,
6077 INTEGER16, 60FD UNSIGNED32."""

OBJECTS = ((0x6040, 0x6060, 0x6071, 0x60B2, 0x607A, 0), (0, 0x6041, 0x603F, 0x6061, 0x6064, 0x606C, 0x6077, 0x60FD))

BRAKE, RELEASED = 17, 3


class VirtualWire:
    """Slaves of a bus with virtual drives in them, which count from a zero of their own, some backwards."""

    def __init__(self, library: Library, whole: Any, zeros: Sequence[int], directions: Sequence[int]) -> None:
        self._functions, self._cell = library.functions, library.started(whole)
        self.zeros, self.directions = zeros, directions
        self.broken, self.pressed = False, False
        self.cycle = 0
        self.asked: list[np.ndarray] = []

    def exchange(self, outputs: Sequence[bytes]) -> Sequence[bytes] | None:
        said, out = np.zeros((), IN), np.zeros((), OUT)
        self.cycle += 1
        out["cycle"] = self.cycle
        for i, (data, zero, way) in enumerate(zip(outputs, self.zeros, self.directions, strict=True)):
            word, mode, torque, offset, position, _ = struct.unpack(GET, data)
            drive = out["drives"][i]
            drive["control_word"], drive["mode"] = word, mode
            drive["target_torque"], drive["torque_offset"] = way * torque, way * offset
            drive["target_position"] = way * (position - zero)
        self.asked.append(out)
        self._functions.pp_cell_sense(self._cell, pointer(said))
        self._functions.pp_cell_move(self._cell, None if self.broken else pointer(out))
        return None if self.broken else [self._bytes(said["drives"][i], i) for i in range(len(outputs))]

    def _bytes(self, drive: Any, i: int) -> bytes:
        way, inputs = self.directions[i], int(drive["brake"]) << BRAKE | (not self.pressed) << RELEASED
        numbers = [int(drive[name]) for name in ("status_word", "error_code", "mode")]
        position = self.zeros[i] + way * int(drive["position"])
        return struct.pack(SAY, 0xEE, *numbers, position, way * int(drive["speed"]), way * int(drive["torque"]), inputs)

    @property
    def x(self) -> np.ndarray:
        """Where the plate is."""
        said = np.zeros((), IN)
        self._functions.pp_cell_sense(self._cell, pointer(said))
        return said["x"]
