"""Simulation of the multibody model in MuJoCo's own time steps: torques in, plate positions out."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, final

import numpy as np
from numpy.typing import ArrayLike

from parapick.arrays import reals
from parapick.errors import ParameterError, ShapeError
from parapick.multibody.assembly import Assembly, set_pose
from parapick.multibody.document import LOOP_TIME
from parapick.multibody.engine import Engine, mujoco

LOOP_STEPS: Final = 4.0
"""Time constant of the loops in time steps: the shorter the step, the stiffer the loops. The engine allows no less than
two."""

Torque = ArrayLike | Callable[[float], ArrayLike]


@final
@dataclass(frozen=True)
class Rollout:
    """A simulated motion, with its start as the first row.

    Attributes:
        t: times (T,), s.
        x: task vectors (T, dof), m and rad.
        q: motor angles (T, n), rad.
        loop_error: largest opening of a loop at any time (m, rad); the engine's loops are stiff, not rigid.
    """

    t: np.ndarray
    x: np.ndarray
    q: np.ndarray
    loop_error: float


def rollout(
    assembly: Assembly, x0: ArrayLike, torque: Torque, duration: float, timestep: float | None = None
) -> Rollout:
    """Let go at rest and apply motor torques, held constant over each step of MuJoCo's RK4 integrator.

    Torques beyond the drive's peak are cut off there, as by the drive.

    Args:
        x0: task vector (dof,) of the start, m and rad.
        torque: torques (N m): constant (n,), one row a step (T - 1, n), or a function of time (s) that gives (n,).
        duration: simulated time (s).
        timestep: time step (s), at most 0.25 ms; that of the assembly if not given.

    Raises:
        UnreachableError: the loops do not close at the start.
    """
    step = assembly.options.timestep if timestep is None else replace(assembly.options, timestep=timestep).timestep
    if not (np.isfinite(duration) and duration > 0):
        raise ParameterError("duration", f"is {duration} s; it must be a finite number greater than 0")
    count = max(1, round(duration / step))
    torques = _series(torque, step * np.arange(count), assembly.robot.motors)
    posed = set_pose(assembly, x0)
    # A copy, because time step and loop stiffness are settings of the model, and the assembly's must stay as they are.
    engine = Engine.of(copy.deepcopy(posed.model), assembly.robot.dof)
    engine.model.opt.timestep = step
    engine.model.eq_solref[:, 0] = min(LOOP_TIME, LOOP_STEPS * step)
    coordinates = _stepped(engine, posed.qpos, torques)
    return _record(engine, step * np.arange(count + 1), coordinates)


def _series(torque: Torque, times: np.ndarray, motors: int) -> np.ndarray:
    """Torques (T, n) at the start of every step."""
    if callable(torque):
        return _series([reals("torque(t)", torque(float(t))) for t in times], times, motors)
    given = reals("torque", torque)
    if given.shape not in ((motors,), (len(times), motors)):
        raise ShapeError("torque", given.shape, f"({motors},), or one row a step ({len(times)}, {motors})")
    if not np.all(np.isfinite(given)):
        raise ParameterError("torque", "holds a number that is not finite")
    return np.broadcast_to(given, (len(times), motors))


def _stepped(engine: Engine, start: np.ndarray, torques: np.ndarray) -> np.ndarray:
    """Coordinates (T + 1, nq) of the simulated motion."""
    step, model, data = mujoco().mj_step, engine.model, engine.data
    coordinates = np.empty((len(torques) + 1, model.nq))
    data.qpos[:] = coordinates[0] = start
    for row, torque in enumerate(torques, start=1):
        data.ctrl[:] = torque
        step(model, data)
        coordinates[row] = data.qpos
    return coordinates


def _record(engine: Engine, times: np.ndarray, coordinates: np.ndarray) -> Rollout:
    poses, error = [], 0.0
    for qpos in coordinates:
        engine.place(qpos)
        poses.append(engine.task()[1])
        error = max(error, float(np.max(np.abs(engine.loops()[1]))))
    return Rollout(times, np.array(poses), coordinates[:, engine.motor_positions], error)
