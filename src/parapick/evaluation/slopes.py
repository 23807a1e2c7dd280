"""How torques and speeds of the motors change with the dimensions and masses of a robot: exact, by differentiation.

One reverse sweep gives the slope of a weighted sum of motor torques by every parameter and by the payload,
`d(w . tau)/dp`. With one weight it is the slope of one torque, as at a peak (whose place moves, but to first order
without effect). With `w = tau_i e_i` along a motion it is that of the effective torque:
`d rms_i/dp = (1 / (T rms_i)) integral of tau_i d tau_i/dp dt`. Speeds of the motors are treated likewise.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import casadi as ca
import numpy as np

from parapick.formulas import ROOMS, expression_of, sharing_kernel
from parapick.kernel import Kernel, Recipe, build, known
from parapick.mechanism import Robot
from parapick.parameters import symbols_of, units_of

if TYPE_CHECKING:
    from parapick.model import Model

_ROOTS: Final = ("base", "limb", "plate", "drive")
"""Parts of a description whose numbers make the machine; home, limits and workspace are not built."""

_UNITS: Final = ("m", "kg", "kg m2", "N m s/rad", "N s/m")
"""Lengths, masses, inertias and viscous friction. Angles and directions have no share by which they could change."""

_MORE: Final = tuple(
    f"{drive}.{number}"
    for drive in ("drive", "plate.drive", "plate.telescope.drive")
    for number in ("ratio", "friction.coulomb")
)
"""Numbers of drives that have another unit, or none."""

_SPEEDS = "motor_speed_slopes"


def torque_slopes(
    model: Model,
    state: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray],
    weights: np.ndarray,
    sharing: str,
) -> tuple[np.ndarray, np.ndarray]:
    """Slopes of a weighted sum of motor torques, `d(weights . torque)/dp`.

    Args:
        state: task vectors, rates and accelerations (..., dof), and payloads (..., 5).
        weights: weight of every motor's torque (..., n).
        sharing: how a redundant robot's motors share.

    Returns:
        Slopes by every parameter (..., P) in the order of `model.parameters`, and by the payload (..., 5).
    """
    name = sharing_kernel(model.robot, "drive_torque", sharing)
    kernel = _kernel(model, f"{name}_slopes", lambda: _torque_kernel(model.kernels.structure, name))
    by_parameter, by_payload = kernel(*state, weights, model.parameters)
    return by_parameter, by_payload


def speed_slopes(model: Model, x: np.ndarray, xd: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Slopes of a weighted sum of motor speeds, `d(weights . ratio qd)/dp`, by every parameter (..., P).

    Args:
        x: task vectors (..., dof), m and rad.
        xd: rates of them (..., dof).
        weights: weight of every motor's speed (..., n).
    """
    kernel = _kernel(model, _SPEEDS, lambda: _speed_kernel(model.kernels.structure))
    return kernel(x, xd, weights, model.parameters)[0]


def _kernel(model: Model, name: str, make: Callable[[], Kernel]) -> Kernel:
    return known(Recipe((*ROOMS, "parapick.evaluation"), name, model.kernels.structure), make)


def _torque_kernel(structure: Robot, name: str) -> Kernel:
    """The kernel of the slopes of torques of a structure."""
    parameters, robot = symbols_of(structure)
    expression = expression_of(name, robot)
    weights = ca.SX.sym("weights", robot.motors)
    total = ca.dot(weights, expression.outputs["torque"])
    outputs = {
        "by_parameter": ca.densify(ca.gradient(total, parameters)),
        "by_payload": ca.densify(ca.gradient(total, expression.inputs["payload"])),
    }
    inputs = {**expression.inputs, "weights": weights}
    return build(f"{name}_slopes", inputs, parameters, outputs, expression.validity)


def _speed_kernel(structure: Robot) -> Kernel:
    """The kernel of the slopes of speeds of a structure."""
    parameters, robot = symbols_of(structure)
    expression = expression_of("joint_rates", robot)
    ratios = ca.vertcat(*(drive.ratio for drive in robot.motor_drives()))
    weights = ca.SX.sym("weights", robot.motors)
    total = ca.dot(weights, ratios * expression.outputs["qd"])
    outputs = {"by_parameter": ca.densify(ca.gradient(total, parameters))}
    return build(_SPEEDS, {**expression.inputs, "weights": weights}, parameters, outputs, expression.validity)


def dimensions(robot: Robot) -> dict[str, str]:
    """Unit of every dimension and mass by its path."""
    stated = (number for root in _ROOTS for number in units_of(getattr(robot, root), root))
    return {path: unit for path, unit in stated if unit in _UNITS or path in _MORE}
