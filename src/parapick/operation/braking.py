"""Brakes: dry friction at joints whose drives are off; how strong they are, and the run until the robot rests."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final, final

import casadi as ca
import numpy as np

from parapick.control import ControlStage, JointFriction, inertia_at_joints, prepared, sample_of
from parapick.errors import FileProblem, ParameterError
from parapick.mechanism import Robot
from parapick.model import Model
from parapick.motion import Motion
from parapick.operation.setup import Supervision
from parapick.simulation import (
    Assembled,
    Judge,
    Loop,
    LoopSeries,
    Outputs,
    Rotors,
    machine_of,
    substeps_of,
)
from parapick.supervision import SETTLED, WINDOW, Supervisor, still_displacement

ENOUGH: Final = 2.0
"""How many times what a joint needs along the motion its brake holds, where nothing states it. Chosen."""

DAMPING: Final = 0.5
"""Damping ratio zeta of a brake that holds: lining and hub lose energy, and without any a robot that stands would ring
for ever. Chosen."""


SHOWN: Final = 0.05
"""Time (s) that is shown after the robot has come to rest."""

BRAKING: Final = 1.0
"""Longest time (s) that brakes are given."""

FINER: Final = 32
"""How many times finer brakes may be integrated than the loop."""


LOOKS: Final = 1000.0
"""Samples per second (Hz) at which the task is looked at before it is run."""


@final
@dataclass(frozen=True)
class DrivesOff:
    """`tau = 0`."""

    name: ClassVar[str] = "drives-off"

    def problems(self, robot: Robot) -> list[FileProblem]:
        """Fits every robot."""
        return []

    def stage(self, robot: Robot) -> ControlStage:
        """The law as expressions."""
        return ControlStage(sample_of(robot), (), ca.SX.zeros(robot.motors), {}, {})


def brake_torque(loop: Loop, supervisor: Supervisor, needed: np.ndarray) -> np.ndarray:
    """Torque of the brakes at the joints (n,), N m.

    As stated; or as much as a drive can give; or, of a drive without a limit, `ENOUGH` times what its joint needs.

    Args:
        supervisor: its torque of the brakes, if it states one.
        needed: largest torques that the motion needs at the joints (n,), N m.
    """
    if supervisor.brake is not None:
        return np.broadcast_to(np.array(supervisor.brake, dtype=float), (loop.motors,))
    limit = np.array(loop.drives.torque_max)
    return np.where(np.isfinite(limit), limit, ENOUGH * needed)


def needed_torque(plant: Model, motion: Motion) -> np.ndarray:
    """Largest torques at the joints along a motion (n,), N m.

    Args:
        plant: the robot as it is.
        motion: the motion.
    """
    return np.abs(motion.follow(plant, LOOKS).loads.joint_torque).max(axis=0)


def braked(loop: Loop, torque: np.ndarray, inertia: np.ndarray) -> Loop:
    """The same plant with its brakes applied and its drives off.

    A brake that holds is a spring and a damper, `K = torque / presliding` and `D = 2 zeta sqrt(K I)`, up to its torque.

    Args:
        torque: torque of the brakes at the joints (n,), N m.
        inertia: inertia I that each brake holds (n,), kg m2.
    """
    friction = loop.friction or prepared(JointFriction(), loop.plant)[0]
    added = tuple((np.array(friction.coulomb) + torque).tolist())
    # Brakes stick: creep under a swinging load is that of bearings.
    brakes = replace(friction, coulomb=added, model="elasto-plastic")
    stiffness = np.array(added) / np.array(friction.presliding)
    settling = tuple((2.0 * DAMPING * np.sqrt(inertia / stiffness)).tolist())
    drives = replace(loop.drives, lag=None, delay=0)
    return replace(loop, law=DrivesOff(), drives=drives, friction=brakes, faults=False, settling=settling)


def braking_outputs(
    fixed: Supervision, series: LoopSeries, place: tuple[np.ndarray, np.ndarray, Rotors | None]
) -> Outputs:
    """What is recorded while the brakes bring the robot to rest.

    Args:
        fixed: what stays the same during the run.
        series: what acts on the robot meanwhile.
        place: task vector of the plate, its rate, and the rotors, where the brakes are applied.
    """
    x, xd, rotors = place
    loop = braked(fixed.loop, fixed.brake, held_inertia(fixed.plant, fixed.loop, x))
    moving = replace(series, xd=np.concatenate([xd[None], series.xd[1:]]))
    assembly = stable(replace(fixed.assembly, loop=loop, series=moving), x)
    return machine_of(fixed.engine, assembly, x, rotors).run(series, _resting(fixed))


def stable(assembly: Assembled, x: np.ndarray) -> Assembled:
    """The same loop with integration steps that follow its brakes.

    Args:
        assembly: the loop with its brakes applied.
        x: pose of the plate (dof), m and rad.
    """
    finer = replace(assembly, substeps=substeps_of(assembly.rate, None, True))
    for _ in range(FINER):
        try:
            finer.check_stiffness(x)
        except ParameterError:
            finer = replace(finer, substeps=2 * finer.substeps)
        else:
            break
    return finer


def held_inertia(plant: Model, loop: Loop, x: np.ndarray) -> np.ndarray:
    """Inertia that each brake holds at a pose (n,), kg m2: a rotor behind its spring, or all that its joint moves.

    Args:
        plant: the robot as it is.
        loop: the loop.
        x: task vector (dof), m and rad.
    """
    held = inertia_at_joints(plant, x) if loop.drive_train is None else np.array(loop.drive_train.rotor)
    # Where the plate is singular a joint holds nothing that is known, and its brake does not damp.
    return np.where(np.isfinite(held), held, 0.0)


def _resting(fixed: Supervision) -> Judge:
    """A judge that ends a piece some time after the encoders say that every joint rests."""
    count, past = 0, np.zeros((0, fixed.loop.motors))
    least = still_displacement(fixed.rate, fixed.watch.resolution)

    def judge(_offset: int, q_meas: np.ndarray, _asked: np.ndarray) -> int:
        nonlocal count, past
        angles = np.concatenate([past, q_meas])
        for i in range(len(q_meas)):
            here = len(past) + i
            window = angles[max(here - WINDOW, 0) : here + 1]
            count = count + 1 if len(window) > WINDOW and np.all(np.ptp(window, axis=0) <= least) else 0
            if count > SETTLED + SHOWN * fixed.rate:
                return i
        past = angles[-WINDOW:]
        return len(q_meas)

    return judge
