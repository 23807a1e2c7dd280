"""The hand-written closed loops of `delta_loop.c` as Python functions."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from closed_loop import Case
from native import SCALAR_FLAGS, VECTOR_FLAGS, compile_library
from native_dynamics import LEGS, robot_struct

__all__ = ["Native", "build"]

Native = Callable[[], tuple[np.ndarray, np.ndarray]]
"""A run of the case: positions (T, 3) and torques (T, 4)."""


class _Loop(ctypes.Structure):
    """The struct `Loop` of `delta_loop.c`."""

    _fields_ = [(name, ctypes.c_double) for name in ("stiffness", "damping", "substep", "limit")]


def build(folder: Path, case: Case, *, lanes: bool) -> Native:
    """Compile the loop, in scalars or with a leg a vector lane, and bind it to a case."""
    name, flags = ("delta_loop_lanes", VECTOR_FLAGS) if lanes else ("delta_loop", SCALAR_FLAGS)
    library = ctypes.CDLL(str(compile_library(Path(__file__).with_name("delta_loop.c"), folder, name, flags)))
    function: Any = library[name]
    function.restype = None
    robot = robot_struct(case.model)
    loop = _Loop(case.stiffness, case.damping, case.step / case.substeps, case.limit)
    counts = ctypes.c_long(len(case.x)), ctypes.c_long(case.substeps)

    def run() -> tuple[np.ndarray, np.ndarray]:
        state, x, tau = case.start.copy(), np.empty((len(case.x), 3)), np.empty((len(case.x), LEGS))
        arrays = [ctypes.c_void_p(array.ctypes.data) for array in (case.x, case.xd, case.xdd, state, x, tau)]
        function(ctypes.byref(robot), ctypes.byref(loop), *counts, *arrays)
        return x, tau

    return run
