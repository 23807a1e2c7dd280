"""Robots with lossy gearboxes and heavy rotors, and what their motors do, by the definition of a drive alone."""

from __future__ import annotations

import dataclasses

import numpy as np
from scipy.optimize import linprog

import parapick as pp
from parapick.mechanism.drive import Drive
from poses import workspace_poses

POSES = 8


def lossy_drive(drive: Drive, generator: np.random.Generator) -> Drive:
    """The drive behind a gearbox with losses: as much torque at the joint, but for them, and a rotor that matters."""
    ratio = generator.uniform(10.0, 50.0)
    rotor = 10 ** generator.uniform(-1.5, 0.5) / ratio**2
    return dataclasses.replace(
        drive,
        efficiency=generator.uniform(0.6, 0.95),
        ratio=ratio,
        inertia=rotor,
        gearbox_inertia=0.2 * rotor,
        peak_torque=drive.peak_torque * drive.ratio / ratio,
    )


def lossy_states(name: str, seed: int) -> tuple[pp.Model, np.ndarray, np.ndarray]:
    """A robot with lossy gearboxes and a payload, poses of its workspace and rates at which it can go on (N, dof)."""
    generator = np.random.default_rng(seed)
    robot = pp.load(name).robot
    drive = lossy_drive(robot.drive, generator)
    model = pp.Model(dataclasses.replace(robot, drive=drive)).with_payload(generator.uniform(0.0, 2.0))
    x = workspace_poses(model, POSES, seed)
    xd = generator.normal(size=x.shape) * generator.uniform(0.2, 3.0, size=(len(x), 1))
    goes_on = used(model, x, xd, np.zeros_like(x)) < 0.98
    return model, x[goes_on], xd[goes_on]


def used(model: pp.Model, x: np.ndarray, xd: np.ndarray, xdd: np.ndarray) -> np.ndarray:
    """Largest share of its peak torque that a motor gives (...)."""
    torque = model.drive_torque(x, xd, xdd, sharing="least-peak").torque
    return np.max(np.abs(torque) / model.motors.peak_torque, axis=-1)


def least_use(model: pp.Model, x: np.ndarray, xd: np.ndarray, xdd: np.ndarray) -> float:
    """The same of one state, for the best sharing there is: by linear programmes and halving.

    At a given state a motor's torque rises with that at its joint, so a share of its peak bounds the latter.
    """
    motors = model.motors
    jacobian, force = model.inverse_jacobian(x), model.mass_matrix(x) @ xdd + model.bias(x, xd)
    rate, rotor = model.joint_rates(x, xd), motors.inertia * model.joint_accelerations(x, xd, xdd)

    def joint_torque(shaft: np.ndarray) -> np.ndarray:
        through = motors.ratio * shaft - rotor
        return rotor + np.where(through * rate >= 0.0, motors.efficiency, 1.0 / motors.efficiency) * through

    def possible(share: float) -> bool:
        low, high = (joint_torque(sign * share * motors.peak_torque) for sign in (-1.0, 1.0))
        size = np.abs(force).max()
        found = linprog(
            np.zeros(len(rate)), A_eq=jacobian.T / size, b_eq=force / size, bounds=np.column_stack([low, high])
        )
        return found.status == 0

    below, above = 0.0, 2.0
    for _ in range(30):
        middle = 0.5 * (below + above)
        below, above = (below, middle) if possible(middle) else (middle, above)
    return above


def nearest_limit(model: pp.Model, x: np.ndarray, xd: np.ndarray) -> np.ndarray:
    """The smallest acceleration (3,) at which a motor of a robot that is not redundant is at its limit; yaw is held.

    Motor by motor: its torque is the larger (or the smaller, for a joint that turns back) of two affine functions of
    the acceleration, one per direction in which its gearbox may work. No facets, no zonotope.
    """
    motors, dof = model.motors, model.robot.dof
    peak, rate = motors.peak_torque * motors.ratio, model.joint_rates(x, xd)
    accelerations = np.vstack([np.zeros(3), np.eye(3)])
    xdd = np.concatenate([accelerations, np.zeros((4, dof - 3))], axis=-1)
    rotor = motors.inertia * model.joint_accelerations(x, xd, xdd)
    through = model.inverse_dynamics(x, xd, xdd) - rotor
    best = np.full(3, np.inf)
    for motor, side in np.ndindex(motors.count, 2):
        sign, feet = 1 - 2 * side, []
        for loss in (motors.efficiency[motor], 1.0 / motors.efficiency[motor]):
            torque = sign * (rotor[:, motor] + loss * through[:, motor])
            slope = torque[1:] - torque[0]
            feet.append((peak[motor] - torque[0]) * slope / (slope @ slope))
        # Where the motor drives towards this side either function ends it; where it brakes, both must.
        driving = sign * rate[motor] >= 0.0
        for foot in feet:
            exact = used(model, x, xd, np.append(foot, np.zeros(dof - 3)))
            if (driving or exact >= 1.0 - 1e-9) and np.linalg.norm(foot) < np.linalg.norm(best):
                best = foot
    return best
