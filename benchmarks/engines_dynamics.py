"""The engines side by side: MuJoCo and Pinocchio where they are installed, with rod pairs and with single rods."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import mujoco_dynamics
import pinocchio_dynamics
from peers_dynamics import Cost, cost_of
from racing import table

__all__ = ["MISSING", "engine_table", "engines", "strangers"]

# Engines solve systems of thirty unknowns, and the massless parts of their robots have a mass of 1e-12 kg.
AGREEMENT = 1e-6

MISSING = {
    "MuJoCo": "left out, because MuJoCo is not installed: pip install mujoco",
    "Pinocchio": "left out, because Pinocchio is not installed: pip install pin",
}


def engines(model: Any, states: Sequence[np.ndarray]) -> dict[tuple[str, bool], Cost]:
    """Costs of the engines that are installed, by name and whether rods come in pairs.

    With pairs the robot is what it is. A single rod in the place of each pair, and a plate that cannot tilt, is the
    leanest robot with the same torques.

    Args:
        model: the robot.
        states: task vectors, rates and accelerations, each (count, dof).
    """
    mujoco, pinocchio = mujoco_dynamics.library(), pinocchio_dynamics.libraries()
    if mujoco is None:
        return {}
    from parapick.multibody import assemble

    robot = model.robot
    limb = dataclasses.replace(robot.limb, rods=1, rod_mass=2.0 * robot.limb.rod_mass, rod_spacing=None)
    found = {}
    for pairs, built in ((True, robot), (False, dataclasses.replace(robot, limb=limb))):
        assembly = assemble(built)
        arguments, yaw = (assembly.model, assembly.home), robot.dof == 4
        peer = mujoco_dynamics.MujocoPeer(mujoco, *arguments, yaw=yaw)
        found["MuJoCo", pairs] = cost_of(
            peer, mujoco_dynamics.MujocoPeer.smallest(mujoco), states, mujoco_dynamics.ALGEBRA
        )
        if pinocchio is not None:
            peer = pinocchio_dynamics.PinocchioPeer(pinocchio, *arguments, yaw=yaw)
            smallest = pinocchio_dynamics.PinocchioPeer.smallest(pinocchio, mujoco)
            found["Pinocchio", pairs] = cost_of(peer, smallest, states, pinocchio_dynamics.ALGEBRA)
    return found


def strangers(model: Any, states: Sequence[np.ndarray], costs: Mapping[tuple[str, bool], Cost]) -> list[str]:
    """Engines whose torques are not ours."""
    wanted = model.inverse_dynamics(*states)
    found = []
    for (engine, _), cost in costs.items():
        worst = float(np.abs(cost.torque - wanted).max() / np.abs(wanted).max())
        if worst > AGREEMENT:
            found.append(f"{model.robot.name}, {engine}: differs by {worst:.1e}")
    return found


def engine_table(name: str, costs: Mapping[tuple[str, bool], Cost], ours: float) -> str:
    """Microseconds a state inside each library, the whole way, and ratios to our batch (`ours`, seconds a state)."""
    lines = []
    for (engine, pairs), cost in costs.items():
        label = f"{engine}, {'rod pairs' if pairs else 'single rods'}"
        size = f"{cost.freedoms}, {cost.constraints}"
        times = (cost.pose, cost.closing, cost.library, cost.algebra, cost.whole)
        ratios = (f"{cost.pose / ours:.0f}", f"{cost.library / ours:.0f}", f"{cost.whole / ours:.0f}")
        lines.append((label, size, f"{cost.steps:.1f}", *(f"{1e6 * seconds:.1f}" for seconds in times), *ratios))
    head = ("freedoms, loops", "Newton", "pose us", "closing us", "library us", "(algebra)", "whole us")
    return table((f"{name}, engines", *head, "ratio pose", "library", "whole"), lines)
