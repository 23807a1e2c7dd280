"""The hand-written C of `delta_capability.c` as Python functions, and the robot as it takes it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np

from native import SCALAR_FLAGS, VECTOR_FLAGS, Instructions, compile_library, instructions

__all__ = ["NativeCapability", "build"]

_ONES = ("base", "plate", "arm", "rod", "gravity", "limit")
_LEGS = ("cosine", "sine", "branch")
_MASSES = ("inertia", "arm_moment", "rod_mass", "plate_mass")


@final
@dataclass(frozen=True)
class NativeCapability:
    """One build of the C file for one robot.

    Attributes:
        into: poses (3, n), index (n,) to be filled.
        allocating: poses (3, n) -> index (n,), a new array.
        bound: poses, index -> a call that fills it and takes no argument: the C function with the least of Python.
        rows: poses (n, 3) -> index (n,), a new array.
        machine_code: instructions of the function.
    """

    into: Callable[[np.ndarray, np.ndarray], None]
    allocating: Callable[[np.ndarray], np.ndarray]
    bound: Callable[[np.ndarray, np.ndarray], Callable[[], object]]
    rows: Callable[[np.ndarray], np.ndarray]
    machine_code: Instructions


def build(folder: Path, model: Any, *, vectors: bool) -> NativeCapability:
    """Compile the C file for the number of motors of a Delta, with or without vectors, and load it for this model."""
    legs, kind = model.robot.motors, "vector" if vectors else "scalar"
    flags = (*(VECTOR_FLAGS if vectors else SCALAR_FLAGS), f"-DLEGS={legs}")
    source = Path(__file__).with_name("delta_capability.c")
    path = compile_library(source, folder, f"delta_capability_{legs}_{kind}", flags)
    library, numbers = ctypes.CDLL(str(path)), _robot(model)
    plain, on_rows = library.delta_capability, library.delta_capability_rows
    for function in (plain, on_rows):
        function.argtypes = [ctypes.c_void_p, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
        function.restype = None
    address = ctypes.addressof(numbers)

    def into(pose: np.ndarray, out: np.ndarray, _alive: Any = numbers) -> None:
        plain(address, pose.shape[1], pose.ctypes.data, out.ctypes.data)

    def allocating(pose: np.ndarray) -> np.ndarray:
        out = np.empty(pose.shape[1])
        into(pose, out)
        return out

    def bound(pose: np.ndarray, out: np.ndarray) -> Callable[[], object]:
        given = (address, pose.shape[1], pose.ctypes.data, out.ctypes.data)
        return lambda: plain(*given)

    def rows(pose: np.ndarray) -> np.ndarray:
        out = np.empty(len(pose))
        on_rows(address, len(pose), pose.ctypes.data, out.ctypes.data)
        return out

    return NativeCapability(into, allocating, bound, rows, instructions(path, "delta_capability"))


def _robot(model: Any) -> ctypes.Structure:
    """The numbers of a parapick model, a Delta with a rigid plate and slender rods, as the C file takes them."""
    robot, limb, drive = model.robot, model.robot.limb, model.robot.drive
    angles = np.array(robot.base.angles)

    class Robot(ctypes.Structure):
        _fields_ = [
            *((name, ctypes.c_double) for name in _ONES),
            *((name, ctypes.c_double * robot.motors) for name in _LEGS),
            *((name, ctypes.c_double) for name in _MASSES),
        ]

    return Robot(
        base=robot.base.radius,
        plate=robot.plate.radius,
        arm=limb.arm,
        rod=limb.rod_length,
        gravity=robot.gravity,
        limit=drive.peak_torque * drive.ratio,
        cosine=tuple(np.cos(angles)),
        sine=tuple(np.sin(angles)),
        branch=robot.branches,
        inertia=limb.arm_inertia + drive.ratio**2 * (drive.inertia + drive.gearbox_inertia),
        arm_moment=limb.arm_mass * limb.arm_center,
        rod_mass=limb.rods * limb.rod_mass,
        plate_mass=robot.plate.mass + model.held.mass,
    )
