"""What drives do with their gearboxes looked at: torque and speed of the shafts, and torque at the outputs."""

from __future__ import annotations

from typing import Any

from parapick.formulas.dynamics import PARTS, Balance, balance
from parapick.formulas.expression import Expression
from parapick.formulas.instant_limits import gearbox_outputs
from parapick.formulas.torques import driven, least_peak_torque, shared_torque, state_of, validity_of
from parapick.mechanism import Robot


def drive_output(robot: Robot) -> Expression:
    """Torque and speed of every shaft, and torque at the output of every gearbox; redundant robots: least norm."""
    state = state_of(robot)
    forces = balance(robot, state)
    torque, value = shared_torque(robot, forces, PARTS)
    return _outputs(robot, state, forces, torque, validity_of(forces, value))


def least_peak_drive_output(robot: Robot) -> Expression:
    """The same for motors that share so that the largest torque at a shaft is least."""
    state = state_of(robot)
    forces = balance(robot, state)
    return _outputs(robot, state, forces, least_peak_torque(robot, forces), forces.radicands)


def _outputs(robot: Robot, state: Any, forces: Balance, torque: Any, validity: Any) -> Expression:
    torques, speeds = driven(robot, forces, torque)
    outputs = {"torque": torques, "speed": speeds, "output": gearbox_outputs(robot, forces, torque)}
    return Expression(state.inputs, outputs, validity)
