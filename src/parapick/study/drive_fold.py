"""Designs that differ in their drives alone, along a task: what their motors do, from loads that all of them share.

Of a robot with as many motors as freedoms the joints move alike under every drive and take the same torques, but for
what rotors take (`formulas.joint_loads`). These are computed once per task; a design is then a lane that folds its
drives alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import reduce
from typing import Any, Final, NamedTuple

import casadi as ca
import numpy as np

from parapick.formulas import (
    INSTANT,
    JointRates,
    curve_limits,
    driven,
    expression_of,
    gearbox_outputs,
    gripper_column,
    held_together,
    motor_heat,
    reflected,
    states,
)
from parapick.kernel import Kernel, Reads, Recipe, Scan, build, build_scan, known_by_reads, known_scan_by_reads
from parapick.mechanism import Drive, Robot, motor_ratings
from parapick.parameters import leaves, structure, symbolic, symbols_of, values
from parapick.study.motion_fold import (
    FOLD_ROOMS,
    MotionFold,
    Sharing,
    TaskSeries,
    after_sample,
    heated,
    motion_sums,
    sample_place,
    without_losses,
    without_sticking,
    worn,
)

DRIVE: Final = "drive."
"""What the paths of all numbers of the drives of arms begin with."""

_OF_DRIVES: Final = {kind.key: kind.title for kind in INSTANT if kind.key in ("curve", "gearbox")}
"""Limits of an instant that depend on the drives, by the names that `evaluate` has for them."""


class DriveFold(NamedTuple):
    """What the drives of designs do along a task.

    Attributes:
        motion: torques, speeds, heat and energy.
        instant: largest shares of the limits of an instant that depend on drives (m,), by the names of `evaluate`.
    """

    motion: MotionFold
    instant: Mapping[str, np.ndarray]


def drive_fold(robot: Robot, series: TaskSeries, sharing: Sharing, numbers: np.ndarray) -> DriveFold:
    """What the drives of designs do along a task; NaN where the robot cannot follow.

    Args:
        robot: the robot, for its structure; it has as many motors as freedoms.
        series: the samples of the task.
        sharing: how torques are computed.
        numbers: numbers of the robot, one row per design (m, all), that differ in the drives alone.
    """
    common = without_drive(robot, numbers[0])
    inputs = (series.x, series.xd, series.xdd, series.load)
    joints = _loads_kernel(structure(common), series.placed)(*inputs, values(common))
    scan, titles = _drive_scan(structure(robot), sharing, _sticks(robot, numbers)), _titles(robot)
    if all(np.isfinite(column).all() for column in joints):
        samples = map(np.ascontiguousarray, joints)
        state = scan.final(np.zeros(scan.states), *samples, series.weights[:, None], numbers)
    else:
        # Where a leg does not close there is no motion of the joints, and no torque of any design.
        state = np.full((len(numbers), scan.states), np.nan)
    split = state.shape[-1] - len(titles)
    instant = {title: state[..., split + i] for i, title in enumerate(titles)}
    return DriveFold(MotionFold.of(robot, state[..., :split], series.duration), instant)


def without_drive(robot: Robot, numbers: np.ndarray) -> Robot:
    """A design without its drive: what all designs have in common that differ in their drives alone.

    Args:
        robot: the robot, for its structure.
        numbers: numbers of the design (all,).
    """
    return replace(symbolic(robot, numbers.tolist()), drive=Drive(inertia=0.0))


def _titles(robot: Robot) -> tuple[str, ...]:
    return tuple(kind.title for kind in INSTANT if kind.key in _OF_DRIVES and states(robot, kind))


def _sticks(robot: Robot, numbers: np.ndarray) -> bool:
    """Whether friction at rest exceeds that in motion in any design; its exponential is the dearest of a drive."""
    excess = [i for i, (path, _) in enumerate(leaves(robot)) if "stribeck" in path.split(".")]
    return bool(numbers[:, excess].any())


def _loads_kernel(key: Robot, placed: bool) -> Kernel:
    def make(reads: Reads) -> Kernel:
        numbers, robot = symbols_of(key, reads)
        whole = expression_of("joint_loads", robot)
        x, load = whole.inputs["x"], whole.inputs["payload"]
        there = [sample_place(robot, x, placed=placed), held_together(gripper_column(robot), load)]
        *columns, valid = ca.substitute([*whole.outputs.values(), whole.validity], [x, load], there)
        outputs: dict[str, Any] = dict(zip(whole.outputs, columns, strict=True))
        return build("study_joint_loads", whole.inputs, numbers, outputs, ca.SX(valid))

    return known_by_reads(Recipe(FOLD_ROOMS, f"study_joint_loads {placed}", key), make)


def _drive_scan(key: Robot, sharing: Sharing, sticking: bool) -> Scan:
    def make(reads: Reads) -> Scan:
        numbers, stated = symbols_of(key, reads)
        robot = without_losses(stated) if sharing.lossless else stated if sticking else without_sticking(stated)
        n = robot.motors
        load, rate, acceleration = (ca.SX.sym(name, n) for name in ("load", "rate", "acceleration"))
        joints, weight = JointRates(rate, acceleration), ca.SX.sym("weight")
        rotors = ca.vertcat(*(reflected(drive) for drive in robot.motor_drives()))
        outputs, shares = _drive_outputs(robot, joints, load + rotors * acceleration)
        sums = motion_sums(outputs)
        count = 3 * n + 2 + sums.shape[0]
        state = ca.SX.sym("state", count + len(shares))
        largest = [reduce(ca.fmax, [state[count + i], *ca.vertsplit(share)]) for i, share in enumerate(shares)]
        after = ca.vertcat(after_sample(state[:count], outputs, sums, weight), *largest)
        inputs = {"load": load, "rate": rate, "acceleration": acceleration, "weight": weight}
        return build_scan("study_drive", state, inputs, numbers, after, {})

    return known_scan_by_reads(Recipe(FOLD_ROOMS, f"study_drive {sharing.lossless} {sticking}", key), make)


def _drive_outputs(robot: Robot, joints: JointRates, torque: Any) -> tuple[dict[str, Any], list[Any]]:
    """What the drives do at a sample, and shares of the limits of an instant in the order of `_titles`."""
    motor, speed = driven(robot, joints, torque)
    outputs: dict[str, Any] = {"torque": motor, "speed": speed}
    shares = []
    stated = {kind.key for kind in INSTANT if states(robot, kind)}
    output: Any = gearbox_outputs(robot, joints, torque) if worn(robot) or "gearbox" in stated else None
    if worn(robot):
        outputs["output"] = output
    if heated(robot):
        outputs["heat"] = motor_heat(robot, motor, speed)
    if "curve" in stated:
        shares.append(ca.fabs(motor) / curve_limits(robot, ca.fabs(speed)))
    if "gearbox" in stated:
        limits = [ca.inf if limit is None else limit for limit in motor_ratings(robot, "gearbox_torque")]
        shares.append(ca.fabs(output) / ca.vertcat(*limits))
    return outputs, shares
