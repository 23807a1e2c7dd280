"""Inverse dynamics by virtual power: what the motors must give so that the plate moves as wanted, and the rods' forces.

With loops `J qd = 0` and task rows `C qd = xd` the engine's own Jacobians give every joint's velocity and acceleration
and, column by column, the motions S with `J S = 0, C S = 1`. The forces `g = M qdd + bias` then do the power
`S' g = J_m' tau`, where the rows of J_m are those of S at the motors; what is left, `g - B tau = J' f`, are the forces
of the loops. Three rod pairs hold a plate in just one way; where there are more, f is the smallest force that does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import ArrayLike

from parapick.arrays import reals
from parapick.errors import ParapickError, ShapeError
from parapick.multibody.assembly import RANK, Assembly, moved
from parapick.multibody.engine import Engine, mujoco
from parapick.multibody.limbs import rod_names

CONSISTENT: Final = 1e-8
"""Largest share by which velocities and accelerations may miss the loops; rounding leaves 1e-12, a singular pose 1."""


@final
@dataclass(frozen=True)
class Loads:
    """Inverse dynamics of a series of states; leading shape `...` is that of the states.

    Attributes:
        q: motor angles (..., n), rad.
        qd: motor rates (..., n), rad/s.
        qdd: motor accelerations (..., n), rad/s2.
        jacobian: J_m (..., n, dof): `qd = J_m xd`.
        force: J_m' tau (..., dof), N and N m: unique also where torques are not.
        tau: torques (..., n), N m; the least-norm ones where there are more motors than task coordinates.
        rod_elbow: force of the elbow on every rod (..., arms, rods, 3), N.
        rod_plate: force of the plate on every rod (..., arms, rods, 3), N.
        rod_direction: direction of every rod, elbow to plate (..., arms, rods, 3).
        power_left: largest force (..., ), N or N m, that no motor and no loop accounts for: 0 up to rounding.
    """

    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    jacobian: np.ndarray
    force: np.ndarray
    tau: np.ndarray
    rod_elbow: np.ndarray
    rod_plate: np.ndarray
    rod_direction: np.ndarray
    power_left: np.ndarray

    @property
    def tension_elbow(self) -> np.ndarray:
        """Axial force of every rod at the elbow (..., arms, rods), N; a pull is positive."""
        return -np.sum(self.rod_elbow * self.rod_direction, axis=-1)

    @property
    def tension_plate(self) -> np.ndarray:
        """Axial force of every rod at the plate (..., arms, rods), N; a pull is positive."""
        return np.sum(self.rod_plate * self.rod_direction, axis=-1)


def inverse_dynamics(assembly: Assembly, x: ArrayLike, xd: ArrayLike, xdd: ArrayLike) -> Loads:
    """Torques and rod forces of plate motions, rigid loops; friction is not part of the model.

    Args:
        x: task vectors (..., dof), m and rad; neighbours in a series should be near each other.
        xd: their rates (..., dof), m/s and rad/s.
        xdd: their accelerations (..., dof), m/s2 and rad/s2.

    Raises:
        UnreachableError: the loops do not close at one of the poses.
        ParapickError: a pose is singular, so that forces are not finite.
    """
    states = [reals(name, value) for name, value in (("x", x), ("xd", xd), ("xdd", xdd))]
    dof = assembly.robot.dof
    for name, value in zip(("x", "xd", "xdd"), states, strict=True):
        if value.ndim == 0 or value.shape[-1] != dof:
            raise ShapeError(name, value.shape, f"(..., {dof})")
    states = np.broadcast_arrays(*states)
    shape = states[0].shape[:-1]
    engine, qpos, rods = assembly.engine(), assembly.qpos, _rods(assembly)
    rows = []
    for pose, rate, acceleration in zip(*(value.reshape(-1, dof) for value in states), strict=True):
        qpos = moved(assembly, engine, qpos, pose)
        rows.append(_loads(engine, rods, rate, acceleration))
    columns = (np.stack(column) for column in zip(*rows, strict=True))
    return Loads(*(column.reshape(shape + column.shape[1:]) for column in columns))


@final
@dataclass(frozen=True)
class _RodIds:
    """Ids of a rod: its body, the site at its plate end, the equality that pins it."""

    body: int
    end: int
    pin: int


def _rods(assembly: Assembly) -> list[list[_RodIds]]:
    robot, model = assembly.robot, assembly.model
    return [
        [
            _RodIds(model.body(f"rod{name}").id, model.site(f"rod{name}").id, model.equality(f"rod{name}").id)
            for name in rod_names(robot, leg)
        ]
        for leg in range(robot.arms)
    ]


@final
@dataclass(frozen=True)
class Solved:
    """Inverse dynamics at the engine's working pose.

    Attributes:
        velocity: rate of every coordinate (nv,).
        acceleration: its acceleration (nv,).
        motions: rates of the coordinates for unit task rates (nv, dof).
        force: J_m' tau (dof,).
        tau: torques of the motors (n,).
        pull: force of every row of the loops (m,), the smallest that does.
        left: what no motor and no loop accounts for.
    """

    velocity: np.ndarray
    acceleration: np.ndarray
    motions: np.ndarray
    force: np.ndarray
    tau: np.ndarray
    pull: np.ndarray
    left: float


def solved(engine: Engine, xd: np.ndarray, xdd: np.ndarray) -> Solved:
    """Inverse dynamics at the working pose, which is left moving.

    Args:
        engine: the working state.
        xd: task rate (dof,), m/s and rad/s.
        xdd: task acceleration (dof,), m/s2 and rad/s2.

    Raises:
        ParapickError: the pose is singular, so that forces are not finite.
    """
    loops, task = engine.loops()[0], engine.task()[0]
    rows = np.vstack([loops, task])
    inverse = np.linalg.pinv(rows, rcond=RANK)
    motions = inverse[:, len(loops) :]
    velocity = motions @ xd
    loop_rate, task_rate = engine.rates(velocity)
    wanted = np.concatenate([-loop_rate, xdd - task_rate])
    acceleration = inverse @ wanted
    _check(rows @ motions, np.eye(len(rows))[:, len(loops) :])
    _check(rows @ acceleration, wanted)
    forces = engine.forces(acceleration)
    jacobian, force = motions[engine.motors], motions.T @ forces
    tau = np.linalg.lstsq(jacobian.T, force, rcond=RANK)[0]
    _check(jacobian.T @ tau, force)
    rest = forces.copy()
    rest[engine.motors] -= tau
    pull = np.linalg.lstsq(loops.T, rest, rcond=RANK)[0]
    left = float(np.max(np.abs(rest - loops.T @ pull)))
    return Solved(velocity, acceleration, motions, force, tau, pull, left)


def _loads(engine: Engine, rods: list[list[_RodIds]], xd: np.ndarray, xdd: np.ndarray) -> tuple[np.ndarray, ...]:
    """The fields of `Loads` at the engine's working pose."""
    state = solved(engine, xd, xdd)
    elbow, plate, direction = _rod_forces(engine, rods, state.pull, state.velocity, state.acceleration)
    return (
        np.array(engine.data.qpos[engine.motor_positions]),
        state.velocity[engine.motors],
        state.acceleration[engine.motors],
        state.motions[engine.motors],
        state.force,
        state.tau,
        elbow,
        plate,
        direction,
        np.array(state.left),
    )


def _check(reached: np.ndarray, wanted: np.ndarray) -> None:
    if np.max(np.abs(reached - wanted)) > CONSISTENT * max(1.0, float(np.max(np.abs(wanted)))):
        raise ParapickError("the pose is singular: no finite torques of the motors move the plate as wanted")


def _rod_forces(
    engine: Engine, rods: list[list[_RodIds]], pull: np.ndarray, velocity: np.ndarray, acceleration: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Forces at elbow and plate, and direction, of every rod (arms, rods, 3); the elbow's follow from Newton's law."""
    model, data = engine.model, engine.data
    first_row = dict(engine.connects())
    shape = (len(rods), len(rods[0]), 3)
    elbow, plate, direction = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    for i, leg in enumerate(rods):
        for k, rod in enumerate(leg):
            row = first_row[rod.pin]
            plate[i, k] = pull[row : row + 3]
            centre, jacobian, rate = np.array(data.xipos[rod.body]), np.zeros((3, model.nv)), np.zeros((3, model.nv))
            mujoco().mj_jac(model, data, jacobian, None, centre, rod.body)
            mujoco().mj_jacDot(model, data, rate, None, centre, rod.body)
            motion = jacobian @ acceleration + rate @ velocity - model.opt.gravity
            elbow[i, k] = model.body_mass[rod.body] * motion - plate[i, k]
            along = data.site_xpos[rod.end] - data.xpos[rod.body]
            direction[i, k] = along / np.linalg.norm(along)
    return elbow, plate, direction
