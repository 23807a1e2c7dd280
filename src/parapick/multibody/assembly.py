"""A robot put together by the engine: it closes the loops from a rough pose and drives the plate to a task vector.

Both are Gauss-Newton steps on the engine's own constraint rows: the least change of all coordinates that closes the
loops and puts the plate where it is wanted. Loops that close more than once (four rod pairs hold a plate that three
would hold) do no harm, since their rows agree.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Final, final

import numpy as np
from numpy.typing import ArrayLike

from parapick.arrays import reals
from parapick.errors import ParapickError, ShapeError, UnreachableError
from parapick.mechanism import Payload, Robot
from parapick.multibody.document import Options, written
from parapick.multibody.engine import Engine, mujoco
from parapick.multibody.legs import Mount, mounts
from parapick.multibody.limbs import rod_names
from parapick.multibody.plates import Elbow
from parapick.parameters import resolved

CLOSED: Final = 1e-13
"""Largest residual (m, rad) of a closed loop: a few hundred roundings of a length of 1 m."""

STEP_MAX: Final = 0.3
"""Largest change of a coordinate (m, rad) in one Gauss-Newton step: a loop that starts far from closed must not turn
its elbow to the other side."""

STEPS: Final = 60
"""Steps before the loops are given up; from the rough pose it takes about ten."""

STRIDE: Final = 0.1
"""Longest way (m, rad) of the plate between two closed poses on its way to a task vector."""

RANK: Final = 1e-10
"""Share of the largest singular value below which a direction counts as unconstrained. Repeated loops leave 1e-15, a
pose 1 mm from a singularity 1e-3."""


@final
@dataclasses.dataclass(frozen=True, eq=False)
class Assembly:
    """A robot in the engine, at a pose with closed loops.

    Attributes:
        robot: the description.
        options: how its multibody model was made.
        model: the compiled `mujoco.MjModel`.
        qpos: coordinates of every joint, loops closed.
        home: coordinates at the robot's home.
        mounts: where the legs stand, and which way their elbows point.
    """

    robot: Robot
    options: Options
    model: Any
    qpos: np.ndarray
    home: np.ndarray
    mounts: tuple[Mount, ...]

    def engine(self) -> Engine:
        """A fresh working state at the assembly's pose."""
        engine = Engine.of(self.model, self.robot.dof)
        engine.place(self.qpos)
        return engine

    def data(self) -> Any:
        """A fresh `mujoco.MjData` at the assembly's pose, at rest, to simulate or to look at."""
        return self.engine().data

    @property
    def x(self) -> np.ndarray:
        """Task vector (dof,), m and rad, as the engine places the plate."""
        return self.engine().task()[1]

    @property
    def q(self) -> np.ndarray:
        """Coordinates of the motors (n,), rad or m, read from the engine's joints."""
        return self.qpos[self.engine().motor_positions]

    @property
    def loop_error(self) -> float:
        """Largest residual of a loop (m, rad)."""
        return float(np.max(np.abs(self.engine().loops()[1])))

    def mjcf(self) -> str:
        """MJCF of the robot whose loops are closed at the start: at home, with yaw 0."""
        level = np.zeros(self.robot.dof)
        level[:3] = self.robot.home[:3]
        return written(self.robot, self.options, set_pose(self, level).q[: self.robot.arms])


def assemble(
    robot: Robot,
    *,
    rod_radius: float | None = None,
    elbow: Elbow = "universal",
    payload: Payload | None = None,
    timestep: float = 1e-4,
) -> Assembly:
    """Build a robot in MuJoCo and close its loops at the robot's home, in its working mode.

    Args:
        robot: the description, with masses.
        rod_radius: radius (m) of solid cylinders to use as rods, spin included; by default the rod model of the file.
        elbow: joint between arm and rod, `universal` or `ball`.
        payload: what the tool holds beyond the gripper of the description; nothing if not given.
        timestep: time step (s) of simulations, at most 0.25 ms.

    Raises:
        MissingMassError: the description lacks masses.
        UnreachableError: the loops do not close at the robot's home.
        ParapickError: MuJoCo is not installed.
    """
    options = Options(rod_radius, elbow, payload, timestep)
    model = mujoco().MjModel.from_xml_string(written(robot, options, None))
    engine = Engine.of(model, robot.dof)
    home = np.array(robot.home)
    stands = mounts(resolved(robot))
    qpos, left = _closed(engine, np.array(model.qpos0), home)
    if left > CLOSED or not _in_working_mode(robot, stands, engine):
        raise _unreachable(home, left)
    # On its way an arm may have passed the half turn; the same pose inside one turn is the one meant.
    for position, mount in zip(engine.motor_positions[: robot.arms], stands, strict=True):
        qpos[position] = mount.wrapped(float(qpos[position]))
    return Assembly(robot, options, model, qpos, qpos, stands)


def set_pose(assembly: Assembly, x: ArrayLike) -> Assembly:
    """The same robot with its plate driven to a task vector, in the same working mode.

    Args:
        x: task vector (dof,), m and rad.

    Raises:
        UnreachableError: the loops do not close there.
    """
    return dataclasses.replace(assembly, qpos=moved(assembly, assembly.engine(), assembly.qpos, x))


def moved(assembly: Assembly, engine: Engine, start: np.ndarray, x: ArrayLike) -> np.ndarray:
    """Coordinates with the plate at a task vector, from coordinates `start` or else from home.

    The engine is left there.
    """
    target = reals("x", x)
    if target.shape != (assembly.robot.dof,):
        raise ShapeError("x", target.shape, f"({assembly.robot.dof},)")
    left = np.inf
    for begin in (start, assembly.home):
        qpos, left = _driven(engine, begin, target)
        if left <= CLOSED and _in_working_mode(assembly.robot, assembly.mounts, engine):
            return qpos
    raise _unreachable(target, left)


def _driven(engine: Engine, start: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, float]:
    """Along the straight line to a task vector, in strides."""
    engine.place(start)
    here = engine.task()[1]
    count = max(1, int(np.ceil(np.max(np.abs(target - here)) / STRIDE)))
    qpos, left = start, np.inf
    for share in np.linspace(0.0, 1.0, count + 1)[1:]:
        qpos, left = _closed(engine, qpos, here + share * (target - here))
    return qpos, left


def _closed(engine: Engine, start: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, float]:
    """Close the loops with the plate at `x`; coordinates, and the largest residual left (m, rad)."""
    qpos, left = start.copy(), np.inf
    for _ in range(STEPS):
        engine.place(qpos)
        loops, open_by = engine.loops()
        task, here = engine.task()
        residual = np.concatenate([open_by, here - x])
        best, left = left, float(np.max(np.abs(residual)))
        if left <= CLOSED and left >= best / 2:
            break
        step = -np.linalg.lstsq(np.vstack([loops, task]), residual, rcond=RANK)[0]
        size = np.max(np.abs(step))
        mujoco().mj_integratePos(engine.model, qpos, step * min(1.0, STEP_MAX / max(size, STEP_MAX)), 1.0)
    return qpos, left


def _in_working_mode(robot: Robot, stands: tuple[Mount, ...], engine: Engine) -> bool:
    """Whether every elbow lies where the description names it."""
    sites = engine.data.site
    for leg, mount in enumerate(stands):
        plate = np.mean([sites(f"plate{name}").xpos for name in rod_names(robot, leg)], axis=0)
        if not mount.in_mode(plate, sites(f"elbow{leg + 1}").xpos):
            return False
    return True


def _unreachable(x: np.ndarray, left: float) -> ParapickError:
    if left <= CLOSED:
        return UnreachableError(tuple(x), "the engine finds it only with an elbow on the other side", 0.0, (), "m")
    reason = f"{1e3 * left:.3g} mm are left open where the engine comes nearest to closing the loops"
    return UnreachableError(tuple(x), reason, -left, (), "m")
