"""The hand-written C of `delta_dynamics.c` and `par4_dynamics.c` as Python functions, and the robot as they take it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast, final

import numpy as np

from native import SCALAR_FLAGS, VECTOR_FLAGS, Instructions, compile_library, instructions

__all__ = ["NativeDynamics", "Route", "build", "robot_struct"]

LEGS = 4

# By length of the task vector: the C file, which is also the name of its function on structures of arrays.
NAMES = {3: "delta_dynamics", 4: "par4_dynamics"}

_ONES = ("base", "plate", "arm", "rod", "sign", "gravity")
_LEGS = ("cosine", "sine", "branch")
_MASSES = ("inertia", "arm_moment", "rod_mass", "plate_mass")
_PAR4 = ("carried_mass", "bar_mass", "lever_x", "lever_y", "yaw_ratio", "tool_inertia")
_LOAD = ("load_mass", "load_x", "load_y", "load_inertia")


class _Robot(ctypes.Structure):
    """The struct `Robot` of `legs_dynamics.c`."""

    _fields_ = [
        *((name, ctypes.c_double) for name in _ONES),
        *((name, ctypes.c_double * LEGS) for name in _LEGS),
        *((name, ctypes.c_double) for name in (*_MASSES, *_PAR4, *_LOAD)),
    ]


def robot_struct(model: Any) -> ctypes.Structure:
    """The numbers of a parapick model, `delta-r4` or `par4` with any numbers, as the C files take them."""
    robot, limb, drive, load = model.robot, model.robot.limb, model.robot.drive, model.held
    angles = np.array(robot.base.angles)
    numbers: dict[str, Any] = {
        "base": robot.base.radius,
        "plate": robot.plate.radius,
        "arm": limb.arm,
        "rod": limb.rod_length,
        "sign": robot.base.sign,
        "gravity": robot.gravity,
        "cosine": tuple(np.cos(angles)),
        "sine": tuple(np.sin(angles)),
        "branch": robot.branches,
        "inertia": limb.arm_inertia + drive.ratio**2 * (drive.inertia + drive.gearbox_inertia),
        "arm_moment": limb.arm_mass * limb.arm_center,
        "rod_mass": limb.rods * limb.rod_mass,
        "plate_mass": robot.plate.mass,
        "load_mass": load.mass,
        "load_x": load.offset[0],
        "load_y": load.offset[1],
        "load_inertia": load.inertia,
    }
    if robot.dof == 4:
        numbers |= _bars(robot.plate)
    return _Robot(**numbers)


def _bars(plate: Any) -> dict[str, float]:
    return {
        "carried_mass": plate.carried_mass,
        "bar_mass": 2.0 * plate.bar_mass,
        "lever_x": plate.bar_length * np.cos(plate.bar_angle),
        "lever_y": plate.bar_length * np.sin(plate.bar_angle),
        "yaw_ratio": plate.yaw_ratio,
        "tool_inertia": plate.tool_inertia,
    }


@final
@dataclass(frozen=True)
class Route:
    """How one C function on structures of arrays is called. A state is (3 dof, n): x, xd, xdd.

    Attributes:
        allocating: state -> torques (4, n), a new array.
        into: state, torques (4, n) to be filled.
        bound: state, torques -> a call that fills them and takes no argument: the C function with the least of Python.
        machine_code: instructions of the function.
    """

    allocating: Callable[[np.ndarray], np.ndarray]
    into: Callable[[np.ndarray, np.ndarray], None]
    bound: Callable[[np.ndarray, np.ndarray], Callable[[], object]]
    machine_code: Instructions


@final
@dataclass(frozen=True)
class NativeDynamics:
    """One build of the C file for one robot.

    Attributes:
        arrays: inverse dynamics on structures of arrays, with all that a payload may have.
        centred: the same for a payload without offset from the tool; None for a Delta, whose tool does not turn.
        rows: x, xd, xdd (n, dof) -> torques (n, 4), a new array.
    """

    arrays: Route
    centred: Route | None
    rows: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def build(folder: Path, model: Any, *, vectors: bool) -> NativeDynamics:
    """Compile the C file of a model's kind into `folder`, with or without vectors, and load it for this model."""
    name, (kind, flags) = NAMES[model.robot.dof], ("vector", VECTOR_FLAGS) if vectors else ("scalar", SCALAR_FLAGS)
    path = folder / f"{name}_{kind}.so"
    if not path.exists():
        compile_library(Path(__file__).with_name(f"{name}.c"), folder, path.stem, flags)
    library, numbers = ctypes.CDLL(str(path)), robot_struct(model)
    centred = None if model.robot.dof == 3 else _route(library, path, f"{name}_centred", numbers)
    return NativeDynamics(_route(library, path, name, numbers), centred, _on_rows(library[f"{name}_rows"], numbers))


def _route(library: ctypes.CDLL, path: Path, name: str, robot: ctypes.Structure) -> Route:
    """The routes to one function; names are local and arguments few: a single state is mostly the cost of the call."""
    function: Any = library[name]
    function.restype = None
    numbers, empty, address, view = ctypes.byref(robot), np.empty, ctypes.byref, cast(Any, ctypes.c_double.from_buffer)

    def allocating(state: np.ndarray) -> np.ndarray:
        n = state.shape[1]
        torque = empty((LEGS, n))
        function(numbers, n, address(view(state)), address(view(torque)))
        return torque

    def into(state: np.ndarray, torque: np.ndarray) -> None:
        function(numbers, state.shape[1], address(view(state)), address(view(torque)))

    def bound(state: np.ndarray, torque: np.ndarray) -> Callable[[], object]:
        arguments = (numbers, state.shape[1], address(view(state)), address(view(torque)))
        return lambda: function(*arguments)

    return Route(allocating, into, bound, instructions(path, name))


def _on_rows(function: Any, robot: ctypes.Structure) -> Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]:
    function.restype = None
    numbers, empty, address, view = ctypes.byref(robot), np.empty, ctypes.byref, cast(Any, ctypes.c_double.from_buffer)

    def rows(x: np.ndarray, xd: np.ndarray, xdd: np.ndarray) -> np.ndarray:
        n = x.shape[0]
        torque = empty((n, LEGS))
        function(numbers, n, address(view(x)), address(view(xd)), address(view(xdd)), address(view(torque)))
        return torque

    return rows
