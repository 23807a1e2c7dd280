"""The table of what a model can compute, and the kernels made from it, one a structure.

Robots that differ in numbers only share their kernels: the numbers are inputs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from parapick.errors import ParameterError
from parapick.kernel import Kernel, Reads, Recipe, build, known_by_reads
from parapick.mechanism import Robot
from parapick.motors import LEAST_PEAK, check_sharing
from parapick.parameters import symbols_of

if TYPE_CHECKING:
    from parapick.formulas.expression import Expression

EXPRESSIONS: Final = {
    "bias": "torques",
    "border": "border",
    "clearance": "link_distances",
    "closure_residual": "kinematics",
    "constraint_matrices": "constraints",
    "drive_output": "drive_output",
    "drive_torque": "torques",
    "energy": "torques",
    "forward_dynamics": "torques",
    "forward_kinematics": "kinematics",
    "indices": "singular_margins",
    "inner_forces": "rod_forces",
    "instant_limits": "instant_limits",
    "inverse_dynamics": "torques",
    "inverse_dynamics_parts": "torques",
    "inverse_jacobian": "kinematics",
    "inverse_jacobian_rate": "kinematics",
    "inverse_kinematics": "kinematics",
    "joint_accelerations": "kinematics",
    "joint_jerks": "kinematics",
    "joint_loads": "joint_loads",
    "joint_rates": "kinematics",
    "joint_space": "torques",
    "kinematics": "kinematics",
    "least_peak_drive_output": "drive_output",
    "least_peak_drive_torque": "torques",
    "least_peak_dynamics": "torques",
    "least_peak_instant_limits": "instant_limits",
    "margins": "singular_margins",
    "mass_matrix": "torques",
    "mixed_space": "torques",
    "part_slopes": "part_slopes",
    "plate_joint_loads": "plate_joint_forces",
    "plate_turn": "plate_turn",
    "reach": "slacks",
    "rod_pair_matrix": "constraints",
    "room": "free_room",
    "task_rates": "task_rates",
}
"""Every kernel of a model by name, and the module here whose function of that name writes it."""

_OF_LEAST_PEAK: Final = {
    "inverse_dynamics": "least_peak_dynamics",
    "drive_output": "least_peak_drive_output",
    "drive_torque": "least_peak_drive_torque",
    "instant_limits": "least_peak_instant_limits",
}
"""Kernels that share by least norm, and those that share by least peak."""

ROOMS: Final = ("parapick.algebra", "parapick.parameters", "parapick.mechanism", "parapick.formulas")
"""Where the expressions of a model are written."""


def kernel_of(structure: Robot, name: str) -> Kernel:
    """The kernel of a structure (a robot with its floats zeroed), made at its first use.

    Args:
        structure: what `parapick.mechanism.structure` gives.
        name: a key of `EXPRESSIONS`.
    """
    if name not in EXPRESSIONS:
        raise ParameterError(name, f"is not a kernel of a model; valid are {', '.join(sorted(EXPRESSIONS))}")
    return known_by_reads(Recipe(ROOMS, name, structure), lambda reads: _made(structure, name, reads))


def sharing_kernel(robot: Robot, name: str, sharing: str) -> str:
    """Name of the kernel whose torques are shared as asked for; robots with nothing to share have one kernel for all.

    Args:
        name: the kernel that shares by least norm, such as "inverse_dynamics".
        sharing: one of `SHARINGS`.
    """
    check_sharing(sharing)
    return _OF_LEAST_PEAK[name] if sharing == LEAST_PEAK and robot.redundant else name


def expression_of(name: str, robot: Robot) -> Expression:
    """What a kernel computes.

    Args:
        name: a key of `EXPRESSIONS`.
        robot: the description, with symbols in its fields.
    """
    return getattr(import_module(f"parapick.formulas.{EXPRESSIONS[name]}"), name)(robot)


def _made(structure: Robot, name: str, reads: Reads) -> Kernel:
    parameters, robot = symbols_of(structure, reads)
    expression = expression_of(name, robot)
    return build(name, expression.inputs, parameters, expression.outputs, expression.validity)
