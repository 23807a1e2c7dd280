"""What one sample of a task-space law costs: encoder angles and reference in, torques out, on one core.

The stage is everything a machine would compute at a sample: joint rates by differences, three Newton steps of forward
kinematics from the last pose, inverse dynamics. It runs along measured angles as a scan; a step of it is what the same
code takes in a real-time loop, without the call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

__all__ = ["Stage", "tsid_stage"]

SAMPLES = 2000
RATE = 4000.0
# A circle around the robot's home that every shipped robot can follow.
RADIUS, TURNS = 0.03, 4.0


class Stage(NamedTuple):
    """A control law ready to run.

    Attributes:
        run: runs it over `SAMPLES` samples; gives its torques.
        wanted: the torques of inverse dynamics along the same motion, which the law ends up giving.
    """

    run: Callable[[], np.ndarray]
    wanted: np.ndarray


def _circle(model: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A circle with its rate and acceleration, each (SAMPLES, dof)."""
    t = np.arange(SAMPLES) / RATE
    speed = 2.0 * np.pi * TURNS
    x, xd, xdd = (np.zeros((SAMPLES, model.robot.dof)) for _ in range(3))
    x[:, 0], x[:, 1] = RADIUS * np.cos(speed * t), RADIUS * np.sin(speed * t)
    xd[:, 0], xd[:, 1] = -speed * x[:, 1], speed * x[:, 0]
    xdd[:, :2] = -(speed**2) * x[:, :2]
    return x + np.array(model.robot.home), xd, xdd


def tsid_stage(model: Any) -> Stage:
    """Task-space inverse dynamics of a robot, from encoder angles."""
    import casadi as ca

    from parapick.control import TaskSpaceID, ready
    from parapick.kernel import build_scan
    from parapick.parameters import leaves, resolved, structure, symbolic

    law = ready(TaskSpaceID.from_poles(30.0, 1.0), model.robot, RATE)
    counts = [sum(1 for _ in leaves(one)) for one in (model.kernels.structure, law)]
    numbers = ca.SX.sym("p", sum(counts))
    parts = ca.vertsplit(numbers)
    robot = resolved(symbolic(model.kernels.structure, parts[: counts[0]]))
    stage = symbolic(structure(law), parts[counts[0] :]).stage(robot)
    sample = stage.sample
    inputs = {
        **{f"measured_{name}": getattr(sample.measured, name) for name in ("q", "qd", "x", "xd")},
        **{f"wanted_{name}": getattr(sample.reference, name) for name in ("x", "xd", "xdd", "payload")},
    }
    parameters = ca.vertcat(numbers, sample.step, sample.limit)
    scan = build_scan("tsid_step", stage.state, inputs, parameters, stage.next, {"torque": stage.torque})
    start = ca.Function("start", [*inputs.values(), parameters], [stage.initial])
    x, xd, xdd = _circle(model)
    q, qd = model.inverse_kinematics(x), model.joint_rates(x, xd)
    payload = np.broadcast_to(model.held.vector(), (SAMPLES, 5))
    limit = np.full(model.robot.motors, np.finfo(float).max)
    values = np.concatenate([model.parameters, [value for _, value in leaves(law)], [1.0 / RATE], limit])
    series = (q, qd, x, xd, x, xd, xdd, payload)
    first = np.array(start(*(column[0] for column in series), values)).ravel()

    def run() -> np.ndarray:
        return scan(first, *series, values).outputs["torque"]

    return Stage(run, model.inverse_dynamics(x, xd, xdd))
