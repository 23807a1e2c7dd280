"""The rigid-body model inside a law: torques linear in the acceleration, and how redundant motors share them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import casadi as ca

from parapick.algebra import least_squares, solve
from parapick.control.sensing import TaskState
from parapick.errors import FileProblem
from parapick.formulas import (
    PARTS,
    Balance,
    PlateState,
    balance,
    inlined,
    least_peak,
    missing_masses,
    shared_torque,
    state_of,
)
from parapick.kernel import noted, part_of
from parapick.mechanism import Robot
from parapick.motors import LEAST_NORM, LEAST_PEAK, SHARINGS


@final
@dataclass(frozen=True)
class RigidBody:
    """`tau = M_p xdd + n_p` at the state a law believes (righettini2024 (14), (15)).

    Attributes:
        mass: M_p (n x dof); of least norm where motors share.
        bias: n_p (n).
        jacobian: J_m (n x dof).
        drift: joint accelerations at rest acceleration of the plate, `dJ_m/dt xd` (n).
        force: M and h of the task force `M xdd + h`, where motors share; otherwise empty.
    """

    mass: Any
    bias: Any
    jacobian: Any
    drift: Any
    force: tuple[Any, Any]

    def acceleration(self, joints: Any) -> Any:
        """Task acceleration of joint accelerations, `J_m^-1 (qdd - dJ_m/dt xd)`, drift left out.

        Args:
            joints: joint accelerations (n x k), one case a column.
        """
        n, dof = self.jacobian.shape
        if n == dof:
            return solve(self.jacobian, joints)[0]
        return ca.horzcat(*(least_squares(self.jacobian, joints[:, k]) for k in range(joints.shape[1])))

    def shared(self, acceleration: Any, sharing: str | None) -> Any:
        """What a sharing rule adds to the least-norm torques of an acceleration: an internal preload (n).

        Args:
            acceleration: task acceleration (dof).
            sharing: a sharing rule; None or least norm adds nothing.
        """
        n, dof = self.jacobian.shape
        if sharing != LEAST_PEAK or n == dof:
            return None
        matrix, rest = self.force
        wanted = ca.mtimes(matrix, acceleration) + rest
        return least_peak(self.jacobian, wanted)[0] - (ca.mtimes(self.mass, acceleration) + self.bias)


def rigid_body(robot: Robot, task: TaskState, payload: Any) -> RigidBody:
    """The rigid-body model at a state.

    Args:
        robot: the controller's description.
        task: pose and velocity as the law believes them.
        payload: what the controller believes the tool holds (5).
    """
    with part_of("model"):
        return _rigid_body(robot, task, payload)


def _rigid_body(robot: Robot, task: TaskState, payload: Any) -> RigidBody:
    state = state_of(robot)
    forces = balance(robot, state)
    mass, bias = _linear(shared_torque(robot, forces, PARTS)[0], state)
    outputs = [
        mass,
        bias,
        forces.jacobian,
        _linear(forces.accelerations, state)[1],
        *_force(robot, forces, state),
    ]
    values = inlined(outputs, [state.x, state.xd, state.payload], [task.x, task.xd, payload])
    noted("torque tau = M_p xdd + n_p", "M_p", values[0])
    noted("torque tau = M_p xdd + n_p", "n_p", values[1])
    return RigidBody(*values[:4], force=(values[4], values[5]))


def _force(robot: Robot, forces: Balance, state: PlateState) -> tuple[Any, Any]:
    """Mass matrix and bias in task space, needed where motors share otherwise than by least norm."""
    if not robot.redundant:
        return ca.SX(0, 0), ca.SX(0, 0)
    return _linear(forces.generalized(), state)


def _linear(value: Any, state: PlateState) -> tuple[Any, Any]:
    """Slope by the acceleration, and value at acceleration 0."""
    (rest,) = inlined([value], [state.xdd], [ca.SX.zeros(state.xdd.shape[0])])
    return ca.jacobian(value, state.xdd), rest


def sharing_problems(robot: Robot, sharing: str | None) -> list[FileProblem]:
    """What keeps a model-based law from controlling a robot.

    Args:
        robot: the controller's description.
        sharing: the law's sharing rule.
    """
    problems = []
    missing = missing_masses(robot)
    if missing:
        problems.append(FileProblem("", f"needs masses that {robot.name} lacks: {', '.join(missing)}"))
    if sharing is not None and sharing not in SHARINGS:
        problems.append(FileProblem("sharing", f"is {sharing!r}; valid are {', '.join(SHARINGS)}"))
    elif sharing is None and robot.redundant:
        count = f"{robot.motors} motors for {robot.dof} freedoms"
        problems.append(FileProblem("sharing", f"{robot.name} has {count}; give {LEAST_NORM} or {LEAST_PEAK}"))
    return problems
