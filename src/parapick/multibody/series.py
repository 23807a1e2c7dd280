"""What the engine says of a motion of the plate, state by state: loops, inverse dynamics and energy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from parapick.multibody.assembly import Assembly, moved
from parapick.multibody.engine import mujoco
from parapick.multibody.loads import Loads, inverse_dynamics, solved
from parapick.progress import Listener, tell


@final
@dataclass(frozen=True, eq=False)
class EngineSeries:
    """A motion of T states by the engine.

    Attributes:
        loads: its inverse dynamics.
        loop_error: largest opening of a loop at every state (T,), m and rad.
        kinetic: kinetic energy (T,), J, rotors included.
        potential: potential energy (T,), J, from an origin of its own.
    """

    loads: Loads
    loop_error: np.ndarray
    kinetic: np.ndarray
    potential: np.ndarray


def engine_series(
    assembly: Assembly, x: np.ndarray, xd: np.ndarray, xdd: np.ndarray, *, progress: Listener | None = None
) -> EngineSeries:
    """Loops, torques and energy along a motion.

    Args:
        x: task vectors (T, dof), m and rad; neighbours should be near each other.
        xd: their rates (T, dof).
        xdd: their accelerations (T, dof).
        progress: called with how many states are done; what it raises ends the work.

    Raises:
        UnreachableError: the loops do not close at one of the poses.
        ParapickError: a pose is singular, so that forces are not finite.
    """
    engine, qpos, rows = assembly.engine(), assembly.qpos, []
    for done, (pose, rate, acceleration) in enumerate(zip(x, xd, xdd, strict=True)):
        tell(progress, "states", done, len(x))
        qpos = moved(assembly, engine, qpos, pose)
        opening = float(np.max(np.abs(engine.loops()[1])))
        solved(engine, rate, acceleration)
        mujoco().mj_energyPos(engine.model, engine.data)
        mujoco().mj_energyVel(engine.model, engine.data)
        rows.append((opening, float(engine.data.energy[1]), float(engine.data.energy[0])))
    openings, kinetic, potential = np.array(rows).T
    return EngineSeries(inverse_dynamics(assembly, x, xd, xdd), openings, kinetic, potential)
