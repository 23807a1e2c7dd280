"""What the joints of a robot take without the rotors of its motors: what every choice of drives has in common."""

from __future__ import annotations

from parapick.formulas.dynamics import PARTS, balance
from parapick.formulas.expression import Expression
from parapick.formulas.torques import shared_torque, state_of, validity_of
from parapick.mechanism import Robot


def joint_loads(robot: Robot) -> Expression:
    """Torque, rate and acceleration of every joint, without what rotors and all that turns with them take.

    Of a robot with as many motors as freedoms these do not depend on its drives: `tau = load + ratio^2 J qdd`. The
    motors of a redundant robot share what their rotors take, too, so its loads say less.
    """
    state = state_of(robot)
    forces = balance(robot, state)
    torque, value = shared_torque(robot, forces, tuple(part for part in PARTS if part != "motors"))
    outputs = {"load": torque, "rate": forces.rates, "acceleration": forces.accelerations}
    return Expression(state.inputs, outputs, validity_of(forces, value))
