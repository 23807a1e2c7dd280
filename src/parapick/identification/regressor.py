"""The torques of a robot as what they are: linear in its masses, moments of inertia and payload, exactly.

The columns are derivatives of the model's own balance by CasADi, not differences: for every inertial number of the
robot's file, and for mass, first moments and moment of inertia of what the tool holds. What the rotors take is kept
apart, since it passes no gearbox.

Rows: a square robot has one per motor, `tau = W p`. The motors of a redundant robot share a load as they like, so that
only `J_m' tau` follows from the motion; its rows are those of the task force.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, final

import casadi as ca
import numpy as np

from parapick.formulas import (
    PARTS,
    ROOMS,
    Balance,
    balance,
    shared_torque,
    state_of,
    validity_of,
)
from parapick.kernel import Kernel, Recipe, build, known
from parapick.mechanism import Robot
from parapick.parameters import leaves, symbols_of, units_of
from parapick.ride import Pose

if TYPE_CHECKING:
    from parapick.model import Model

INERTIAL: Final = ("kg", "kg m2")
"""Units of the numbers in which torques are linear."""

PAYLOAD: Final = {
    "gripper.mass": "kg",
    "gripper.mass offset.1": "kg m",
    "gripper.mass offset.2": "kg m",
    "gripper.mass offset.3": "kg m",
    "gripper.inertia about the tool": "kg m2",
}
"""What the tool holds, linear in the torques, and the units: mass, first moments `m r`, and `I + m (r_x^2 + r_y^2)`."""

_ROTORS: Final = "motors"
"""The part of a torque that passes no gearbox."""


@final
@dataclass(frozen=True, eq=False)
class Columns:
    """Columns of the inertial numbers along a motion (T, rows, k), and what the model says with the numbers it has.

    Attributes:
        paths: names of the k numbers: those of the robot's file, then those of `PAYLOAD`.
        rest: columns of all but the rotors (T, rows, k).
        rotors: columns of the rotors at the joints (T, n, k).
        torque: what the rest takes with the model's own numbers (T, rows).
        rotor_torque: what the rotors take (T, n).
        rates: joint rates (T, n), rad/s.
        jacobian: inverse Jacobian (T, n, dof).
    """

    paths: tuple[str, ...]
    rest: np.ndarray
    rotors: np.ndarray
    torque: np.ndarray
    rotor_torque: np.ndarray
    rates: np.ndarray
    jacobian: np.ndarray


def inertial_paths(robot: Robot) -> tuple[str, ...]:
    """Paths of the masses and moments of inertia that a robot's file states as numbers of their own."""
    return tuple(path for path, unit in units_of(robot) if unit in INERTIAL and not path.startswith("gripper."))


def columns_along(model: Model, motion: Pose) -> Columns:
    """The columns of a robot along a motion.

    Args:
        model: the robot, with what it holds.
        motion: poses, rates and accelerations (T, dof).
    """
    paths = (*inertial_paths(model.robot), *PAYLOAD)
    structure = model.kernels.structure
    kernel = known(Recipe((*ROOMS, "parapick.identification"), "regressor", structure), lambda: _made(structure))
    answers = kernel(motion.x, motion.xd, motion.xdd, model.held.vector(), model.parameters)
    rest, rotors, torque, rotor_torque, rates, jacobian = (np.asarray(one) for one in answers)
    return Columns(paths, rest, rotors, torque, rotor_torque, rates, jacobian)


def _made(structure: Robot) -> Kernel:
    parameters, robot = symbols_of(structure)
    names = [path for path, _ in leaves(structure)]
    chosen = ca.vertcat(*(parameters[names.index(path)] for path in inertial_paths(structure)))
    state = state_of(robot)
    forces = balance(robot, state)
    rest, value = _rows(robot, forces, tuple(part for part in PARTS if part != _ROTORS))
    rotors, _ = forces.total((_ROTORS,))
    outputs = {
        "rest": ca.horzcat(ca.jacobian(rest, chosen), _payload_columns(rest, state.payload)),
        "rotors": ca.horzcat(ca.jacobian(rotors, chosen), ca.SX.zeros(robot.motors, len(PAYLOAD))),
        "torque": rest,
        "rotor_torque": rotors,
        "rates": forces.rates,
        "jacobian": forces.jacobian,
    }
    dense = {name: ca.densify(value) for name, value in outputs.items()}
    return build("regressor", state.inputs, parameters, dense, validity_of(forces, value))


def _rows(robot: Robot, forces: Balance, parts: tuple[str, ...]) -> tuple[Any, Any]:
    """What parts take: torques, or task forces of a redundant robot; and what is >= 0 where it is regular."""
    if robot.redundant:
        return forces.generalized(parts), ca.SX(1)
    return shared_torque(robot, forces, parts)


def _payload_columns(torque: Any, payload: Any) -> Any:
    """Columns of `PAYLOAD`: the torque is `m (w_0 + w_x r_x + w_y r_y + w_z r_z) + (I + m (r_x^2 + r_y^2)) w_I`."""
    mass, offset, inertia = payload[0], payload[1:4], payload[4]
    by_mass = ca.jacobian(torque, mass)
    at_tool = ca.substitute(by_mass, offset, ca.SX.zeros(3))
    moments = ca.substitute(ca.jacobian(by_mass, offset), offset, ca.SX.zeros(3))
    return ca.horzcat(at_tool, moments, ca.jacobian(torque, inertia))
