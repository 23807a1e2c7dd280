"""The plant of `simulation.py` in MuJoCo and Pinocchio: RK4 under the torques that our closed loop applied.

Both get the leanest robot with the same motion: one rod in the place of each pair on a plate that cannot tilt, 15
freedoms and 12 loop rows. MuJoCo runs in its own native loop (`mujoco.rollout`), Pinocchio in a loop in Python whose
library calls are also timed alone. Neither computes a control law; ours does.
"""

from __future__ import annotations

import copy
import dataclasses
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import mujoco_dynamics
import pinocchio_dynamics
from closed_loop import Case

__all__ = ["Engine", "mujoco_engine", "pinocchio_engine", "seconds"]

# Proximal term of Pinocchio's loops: the rows are independent, so that it may be tiny.
PROXIMAL = 1e-12


class Engine(NamedTuple):
    """A plant in somebody else's engine.

    Attributes:
        run: simulates the whole motion once.
        positions: what `run` gives as positions (T, 3) at the beginning of each step.
        library: seconds inside the library for one run, as far as it can be told from Python's.
        size: freedoms and loop rows.
    """

    run: Callable[[], Any]
    positions: Callable[[Any], np.ndarray]
    library: Callable[[], float]
    size: tuple[int, int]


def _single_rods(model: Any) -> Any:
    """The robot with one rod in the place of each pair."""
    limb = model.robot.limb
    lean = dataclasses.replace(limb, rods=1, rod_mass=2.0 * limb.rod_mass, rod_spacing=None)
    return dataclasses.replace(model.robot, limb=lean)


def mujoco_engine(case: Case, torques: np.ndarray) -> Engine | None:
    """The plant in MuJoCo with its RK4 integrator, or None where it is not installed."""
    mujoco = mujoco_dynamics.library()
    if mujoco is None:
        return None
    import mujoco.rollout as native

    from parapick.multibody import assemble, set_pose

    posed = set_pose(assemble(_single_rods(case.model), timestep=case.step), case.start[:3])
    model = copy.deepcopy(posed.model)
    data, full = mujoco.MjData(model), mujoco.mjtState.mjSTATE_FULLPHYSICS
    data.qpos[:] = posed.qpos
    state = np.empty(mujoco.mj_stateSize(model, full))
    mujoco.mj_getState(model, data, state, full)
    controls = torques[None]
    found = np.empty((1, len(torques), len(state)))

    def run() -> np.ndarray:
        native.rollout(model, data, state, controls, state=found, skip_checks=False)
        return found[0]

    def positions(states: np.ndarray) -> np.ndarray:
        result = [case.start[:3]]
        for row in states[:-1]:
            data.qpos[:] = row[1 : 1 + model.nq]
            mujoco.mj_kinematics(model, data)
            result.append(data.site("tool").xpos.copy())
        return np.array(result)

    def library() -> float:
        return seconds(run)

    mujoco.mj_forward(model, data)
    return Engine(run, positions, library, (model.nv, int(data.ne)))


def seconds(call: Callable[[], object]) -> float:
    """CPU time of a call (s): these are long enough to be interrupted by whatever else the machine does."""
    start = time.process_time()
    call()
    return time.process_time() - start


def pinocchio_engine(case: Case, torques: np.ndarray) -> Engine | None:
    """The plant in Pinocchio, RK4 around its constrained forward dynamics, or None where it is not installed."""
    found = pinocchio_dynamics.libraries()
    if found is None or mujoco_dynamics.library() is None:
        return None
    from parapick.multibody import assemble, set_pose

    posed = set_pose(assemble(_single_rods(case.model), timestep=case.step), case.start[:3])
    peer = pinocchio_dynamics.PinocchioPeer(found, posed.model, posed.qpos, yaw=False)
    pin, model = found.pin, peer.model
    data, loops, loop_data = model.createData(), pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for first, second in peer.pins:
        loops.append(_loop(pin, model, first, second))
        loop_data.append(loops[-1].createData())
    pin.initConstraintDynamics(model, data, loops, loop_data)
    settings = pin.ProximalSettings(PROXIMAL, PROXIMAL, 1)
    forces, h = np.zeros((len(torques), model.nv)), case.step
    forces[:, peer.motors] = torques

    def slope(q: np.ndarray, v: np.ndarray, force: np.ndarray) -> np.ndarray:
        return pin.constraintDynamics(model, data, q, v, force, loops, loop_data, settings).copy()

    def run() -> np.ndarray:
        q, v, result = peer.home.copy(), np.zeros(model.nv), np.empty((len(torques), model.nq))
        for k, force in enumerate(forces):
            result[k] = q
            a1 = slope(q, v, force)
            v2 = v + h / 2 * a1
            a2 = slope(pin.integrate(model, q, h / 2 * v), v2, force)
            v3 = v + h / 2 * a2
            a3 = slope(pin.integrate(model, q, h / 2 * v2), v3, force)
            v4 = v + h * a3
            a4 = slope(pin.integrate(model, q, h * v3), v4, force)
            q = pin.integrate(model, q, h / 6 * (v + 2 * v2 + 2 * v3 + v4))
            v = v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
        return result

    def positions(coordinates: np.ndarray) -> np.ndarray:
        return np.array([peer.place(q)[2] for q in coordinates])

    def library() -> float:
        """Four evaluations a step at one state, without the rest of RK4."""
        q, v = peer.home, np.zeros(model.nv)
        call = pin.constraintDynamics
        return seconds(
            lambda: [call(model, data, q, v, force, loops, loop_data, settings) for force in forces for _ in range(4)]
        )

    return Engine(run, positions, library, (model.nv, 3 * len(loops)))


def _loop(pin: Any, model: Any, first: int, second: int) -> Any:
    """Two points of different bodies that coincide."""
    one, other = model.frames[first], model.frames[second]
    places = (one.parentJoint, one.placement, other.parentJoint, other.placement)
    return pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, *places, pin.ReferenceFrame.LOCAL)
