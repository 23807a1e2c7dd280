"""The table of what a model can compute, and the kernels made from it, one a structure.

Robots that differ in numbers only share their kernels: the numbers are inputs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from parapick.errors import ParameterError
from parapick.kernel import Kernel, Recipe, build, known
from parapick.mechanism.parameters import symbols_of
from parapick.mechanism.robot import Robot
from parapick.model import kinematics as k
from parapick.model import torques as t
from parapick.model.clearance import clearance
from parapick.model.constraints import constraint_matrices, rod_pair_matrix
from parapick.model.expression import Expression
from parapick.model.forces import inner_forces
from parapick.model.margins import indices, margins
from parapick.model.parts import part_slopes
from parapick.model.reach import reach
from parapick.model.redundancy import LEAST_PEAK, SHARINGS
from parapick.model.room import room
from parapick.model.yaw import plate_turn

EXPRESSIONS: Final[dict[str, Callable[[Robot], Expression]]] = {
    "bias": t.bias,
    "clearance": clearance,
    "closure_residual": k.closure_residual,
    "constraint_matrices": constraint_matrices,
    "drive_torque": t.drive_torque,
    "energy": t.energy,
    "forward_dynamics": t.forward_dynamics,
    "forward_kinematics": k.forward_kinematics,
    "indices": indices,
    "inner_forces": inner_forces,
    "inverse_dynamics": t.inverse_dynamics,
    "inverse_dynamics_parts": t.inverse_dynamics_parts,
    "inverse_jacobian": k.inverse_jacobian,
    "inverse_jacobian_rate": k.inverse_jacobian_rate,
    "inverse_kinematics": k.inverse_kinematics,
    "joint_accelerations": k.joint_accelerations,
    "joint_rates": k.joint_rates,
    "joint_space": t.joint_space,
    "kinematics": k.kinematics,
    "least_peak_drive_torque": t.least_peak_drive_torque,
    "least_peak_dynamics": t.least_peak_dynamics,
    "margins": margins,
    "mass_matrix": t.mass_matrix,
    "mixed_space": t.mixed_space,
    "part_slopes": part_slopes,
    "plate_turn": plate_turn,
    "reach": reach,
    "rod_pair_matrix": rod_pair_matrix,
    "room": room,
}
"""Every kernel of a model by name."""

_OF_LEAST_PEAK: Final = {"inverse_dynamics": "least_peak_dynamics", "drive_torque": "least_peak_drive_torque"}
"""Kernels that share by least norm, and those that share by least peak."""

ROOMS: Final = ("parapick.mechanism", "parapick.model")
"""Where the expressions of a model are written."""


def kernel_of(structure: Robot, name: str) -> Kernel:
    """The kernel of a structure (a robot with its floats zeroed), made at its first use.

    Args:
        structure: what `parapick.mechanism.structure` gives.
        name: a key of `EXPRESSIONS`.
    """
    if name not in EXPRESSIONS:
        raise ParameterError(name, f"is not a kernel of a model; valid are {', '.join(sorted(EXPRESSIONS))}")
    return known(Recipe(ROOMS, name, structure), lambda: _made(structure, name))


def sharing_kernel(robot: Robot, name: str, sharing: str) -> str:
    """Name of the kernel whose torques are shared as asked for; robots with nothing to share have one kernel for all.

    Args:
        robot: the description.
        name: the kernel that shares by least norm, such as "inverse_dynamics".
        sharing: one of `SHARINGS`.
    """
    if sharing not in SHARINGS:
        raise ParameterError("sharing", f"{sharing!r} is not a sharing rule; valid are {', '.join(SHARINGS)}")
    return _OF_LEAST_PEAK[name] if sharing == LEAST_PEAK and robot.redundant else name


def _made(structure: Robot, name: str) -> Kernel:
    parameters, robot = symbols_of(structure)
    expression = EXPRESSIONS[name](robot)
    return build(name, expression.inputs, parameters, expression.outputs, expression.validity)
