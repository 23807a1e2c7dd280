"""Loops of robots for python-control: the plant from mass matrix, Jacobian and gravity, held exactly; laws by hand.

Nothing here comes from the stages that are simulated, nor from their slopes: slopes of gravity are differences, the
hold is a matrix exponential, and a law is its formula.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import control
from parapick.control import DriveTrain
from parapick.model import Model

STEP = 1e-5
"""Step of central differences (m, rad): a tenth of all digits is lost to rounding, and as much to what bends."""


def falling(model: Model, x: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """Acceleration of the plate where no motor holds it (dof,)."""
    still = np.zeros_like(x)
    return -np.linalg.solve(mass, model.inverse_jacobian(x).T @ model.inverse_dynamics(x, still, still))


def rigid_plant(model: Model, x: np.ndarray) -> control.StateSpace:
    """Torques (n) to angles and rates of the joints (2 n) and the pose (dof), about a plate that begins to fall.

    Args:
        model: the robot.
        x: its pose (dof).
    """
    dof, motors = model.robot.dof, model.robot.motors
    mass, jacobian = model.mass_matrix(x), model.inverse_jacobian(x)
    gravity = slope_of(lambda at: falling(model, at, model.mass_matrix(at)), x)
    transition = np.block([[np.zeros((dof, dof)), np.eye(dof)], [gravity, np.zeros((dof, dof))]])
    entry = np.vstack([np.zeros((dof, motors)), np.linalg.solve(mass, jacobian.T)])
    out = np.block(
        [[jacobian, 0.0 * jacobian], [0.0 * jacobian, jacobian], [np.eye(dof), np.zeros((dof, dof))]],
    )
    return control.StateSpace(transition, entry, out, np.zeros((len(out), motors)))


def elastic_plant(model: Model, x: np.ndarray, train: DriveTrain) -> control.StateSpace:
    """The same with a spring and a damper between every rotor and its joint, angles and rates those of the rotors.

    Args:
        model: the robot; its drives' own inertia is taken from the plate's mass.
        x: its pose (dof).
        train: stiffness, damping and inertia of the rotors, the same for all.
    """
    dof, motors = model.robot.dof, model.robot.motors
    stiffness, damping, rotor = float(train.stiffness), float(train.damping), float(train.rotor)  # pyright: ignore[reportArgumentType]
    jacobian = model.inverse_jacobian(x)

    def bare_mass(at: np.ndarray) -> np.ndarray:
        here = model.inverse_jacobian(at)
        return model.mass_matrix(at) - here.T @ np.diag(model.motors.inertia) @ here

    # The springs carry the plate from the first sample on, so that its weight pulls through slanted arms.
    still = np.zeros_like(x)
    torque = model.inverse_dynamics(x, still, still)

    def carried(at: np.ndarray) -> np.ndarray:
        pull = model.inverse_jacobian(at).T @ (torque - model.inverse_dynamics(at, still, still))
        return np.linalg.solve(bare_mass(at), pull)

    inward = np.linalg.solve(bare_mass(x), jacobian.T)
    zero, none, one, each = np.zeros((dof, dof)), np.zeros((dof, motors)), np.eye(dof), np.eye(motors)
    # Rows: rates of the plate and the rotors, then their accelerations; columns likewise.
    spring = np.block([[-inward @ jacobian, inward], [jacobian / rotor, -each / rotor]])
    pulled = np.block([[slope_of(carried, x), none], [none.T, 0.0 * each]])
    moving = np.eye(dof + motors)
    transition = np.block([[0.0 * moving, moving], [stiffness * spring + pulled, damping * spring]])
    entry = np.vstack([none, np.zeros((motors, motors)), none, each / rotor])
    out = np.block([[none.T, each, none.T, 0.0 * each], [none.T, 0.0 * each, none.T, each], [one, none, zero, none]])
    return control.StateSpace(transition, entry, out, np.zeros((len(out), motors)))


def slope_of(function: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> np.ndarray:
    """Slope of a function of a pose (m, dof), by central differences."""
    columns = [(function(x + STEP * way) - function(x - STEP * way)) / (2.0 * STEP) for way in np.eye(len(x))]
    return np.array(columns).T


def lagged(plant: control.StateSpace, lag: float) -> control.StateSpace:
    """A plant behind drives whose torque follows in first order.

    Args:
        plant: the plant.
        lag: time constant (s).
    """
    each = np.eye(plant.ninputs)
    return plant * control.StateSpace(-each / lag, each / lag, each, 0.0 * each)


def delayed(motors: int, samples: int, period: float) -> control.StateSpace:
    """A delay of whole samples in every motor."""
    each = np.eye(motors)
    late = control.StateSpace([], [], [], each, period)
    for _ in range(samples):
        late = control.StateSpace(0.0 * each, each, each, 0.0 * each, period) * late
    return late


def pd(motors: int, kp: float, kd: float, dof: int, period: float, *, differenced: bool) -> control.StateSpace:
    """Angles, rates and pose to torques of a PD law; rates exact, or differences of the angles."""
    each, pose = np.eye(motors), np.zeros((motors, dof))
    if not differenced:
        return control.StateSpace([], [], [], np.hstack([kp * each, kd * each, pose]), period)
    memory = np.zeros((motors, motors))
    entry = np.hstack([each, memory, pose])
    direct = np.hstack([(kp + kd / period) * each, memory, pose])
    return control.StateSpace(memory, entry, -kd / period * each, direct, period)
