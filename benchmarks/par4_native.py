"""The hand-written C of `par4_kinematics.c` as Python functions, and the numbers of the robot it is given."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast, final

import numpy as np

from native import SCALAR_FLAGS, VECTOR_FLAGS, Instructions, compile_library, instructions
from par4_numpy import Geometry

__all__ = ["ARRAYS", "GEOMETRY", "ROWS", "SOURCE", "NativePar4", "build", "numbers_of"]

SOURCE = Path(__file__).with_name("par4_kinematics.c")
ARRAYS, ROWS = "par4_kinematics", "par4_kinematics_rows"

# The parameter set of the shipped Par4; elbows out.
GEOMETRY = Geometry(
    base=0.35,
    plate=0.10,
    arm=0.35,
    rod=0.80,
    lever=0.10,
    angles=(math.pi / 4, 3 * math.pi / 4, 5 * math.pi / 4, 7 * math.pi / 4),
    branch=(1.0, 1.0, 1.0, 1.0),
)


class _Par4(ctypes.Structure):
    """The struct of the same name in the C file."""

    _fields_ = [
        *((name, ctypes.c_double) for name in ("base", "plate", "arm", "rod", "lever")),
        *((name, ctypes.c_double * 4) for name in ("cosine", "sine", "branch")),
    ]


@final
@dataclass(frozen=True)
class NativePar4:
    """One build of the C file, by the routes it is called. Poses are structures of arrays (4, n) but for `rows`.

    Attributes:
        allocating: pose -> q (4, n) and J (16, n), parts of one new array.
        rows: pose (n, 4) -> q (n, 4) and J (n, 4, 4), new arrays.
        into: pose, q (4, n) and J (16, n) to be filled.
        bound: pose, q, J -> a call that fills them and takes no argument: the C function with the least of Python.
        machine_code: instructions of the function on structures of arrays.
    """

    allocating: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
    rows: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
    into: Callable[[np.ndarray, np.ndarray, np.ndarray], None]
    bound: Callable[[np.ndarray, np.ndarray, np.ndarray], Callable[[], object]]
    machine_code: Instructions


def build(folder: Path, *, vectors: bool) -> NativePar4:
    """Compile the C file into `folder`, with or without vectors, and load it."""
    name, flags = ("vector", VECTOR_FLAGS) if vectors else ("scalar", SCALAR_FLAGS)
    path = compile_library(SOURCE, folder, name, flags)
    library = ctypes.CDLL(str(path))
    arrays, rows = library[ARRAYS], library[ROWS]
    arrays.restype = rows.restype = None
    numbers = ctypes.byref(numbers_of(GEOMETRY))
    return NativePar4(*_routes(arrays, rows, numbers), machine_code=instructions(path, ARRAYS))


def numbers_of(g: Geometry) -> _Par4:
    """The numbers of a robot as the C file takes them."""
    cosine, sine = tuple(map(math.cos, g.angles)), tuple(map(math.sin, g.angles))
    return _Par4(g.base, g.plate, g.arm, g.rod, g.lever, cosine, sine, g.branch)


def _routes(arrays: Any, rows: Any, numbers: Any) -> tuple[Any, Any, Any, Any]:
    """The four routes; names are local and arguments few, because a single pose is mostly the cost of the call."""
    empty, address, view = np.empty, ctypes.byref, cast(Any, ctypes.c_double.from_buffer)

    def allocating(pose: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        n = pose.shape[1]
        out = empty((20, n))
        start = view(out)
        arrays(numbers, n, address(view(pose)), address(start), address(start, 32 * n))
        return out[:4], out[4:]

    def allocating_rows(pose: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        n = pose.shape[0]
        q, jacobian = empty((n, 4)), empty((n, 4, 4))
        rows(numbers, n, address(view(pose)), address(view(q)), address(view(jacobian)))
        return q, jacobian

    def into(pose: np.ndarray, q: np.ndarray, jacobian: np.ndarray) -> None:
        arrays(numbers, pose.shape[1], address(view(pose)), address(view(q)), address(view(jacobian)))

    def bound(pose: np.ndarray, q: np.ndarray, jacobian: np.ndarray) -> Callable[[], object]:
        arguments = (numbers, pose.shape[1], address(view(pose)), address(view(q)), address(view(jacobian)))
        return lambda: arrays(*arguments)

    return allocating, allocating_rows, into, bound
