"""Designs side by side along a task, one per vector lane: what their motors do, folded into a few numbers per design.

A fold is a scan whose state is what a study asks for: peaks and sums of squares. The samples are shared by all designs
and the numbers of the robot are one column per design, so that one compilation serves every design and no array of
designs times samples is ever made. Samples are counted from the middle of the robot's workspace where the task is, so
they move with it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, Literal, NamedTuple, final

import casadi as ca
import numpy as np

from parapick.formulas import ROOMS, Expression, expression_of, gripper_column, held_together, sharing_kernel
from parapick.kernel import Reads, Recipe, Scan, build_scan, known_scan_by_reads
from parapick.mechanism import TURNING, Robot
from parapick.parameters import structure, symbols_of

FOLD_ROOMS: Final = (*ROOMS, "parapick.capability", "parapick.study")
"""Where the expressions of a fold are written."""

Spread = Literal["region", "workspace", "base"]
"""How points are counted: in units of the region, from the middle of the workspace (m), or from the base (m)."""


@final
@dataclass(frozen=True, eq=False)
class TaskSeries:
    """The samples of a task.

    Attributes:
        name: of the task.
        placed: whether poses are counted from the middle of the robot's workspace.
        t: instants (T,), s.
        x: task vectors (T, dof), m and rad.
        xd: their rates (T, dof).
        xdd: their accelerations (T, dof).
        load: what is carried on top of the gripper (T, 5) as kernels take it.
        xddd: jerks (T, dof), infinite where the acceleration jumps, of robots that limit them; None of others.
    """

    name: str
    placed: bool
    t: np.ndarray
    x: np.ndarray
    xd: np.ndarray
    xdd: np.ndarray
    load: np.ndarray
    xddd: np.ndarray | None = None

    @property
    def instant(self) -> tuple[np.ndarray, ...]:
        """What limits of an instant are computed from: x, xd, xdd and the load, and the jerk where it is known."""
        state = (self.x, self.xd, self.xdd, self.load)
        return state if self.xddd is None else (*state, self.xddd)

    @property
    def spread(self) -> Spread:
        """How its poses are counted."""
        return "workspace" if self.placed else "base"

    @property
    def duration(self) -> float:
        """Time from the first to the last sample (s)."""
        return float(self.t[-1] - self.t[0])

    @property
    def weights(self) -> np.ndarray:
        """Time that each sample stands for by the trapezoidal rule (T,), s."""
        steps = np.diff(self.t)
        return (np.append(steps, 0.0) + np.append(0.0, steps)) / 2


class MotionFold(NamedTuple):
    """What the motors of designs do along a task; NaN where the robot cannot follow.

    Attributes:
        torque: largest torque of each motor (m, n), N m.
        rms: effective torque of each motor (m, n), N m.
        speed: largest speed of each motor (m, n), rad/s.
        energy: energy that the bus gives (m,), J.
        power: largest power of the bus (m,), W.
    """

    torque: np.ndarray
    rms: np.ndarray
    speed: np.ndarray
    energy: np.ndarray
    power: np.ndarray


@final
@dataclass(frozen=True)
class Sharing:
    """How torques are computed: what a kernel depends on beside the robot's structure.

    Attributes:
        rule: how a redundant robot's motors share, one of `SHARINGS`.
        lossless: whether no drive has friction or losses, which saves three quarters of the time.
    """

    rule: str
    lossless: bool


def motion_fold(robot: Robot, series: TaskSeries, sharing: Sharing, numbers: np.ndarray) -> MotionFold:
    """What the motors of designs do along a task.

    Args:
        robot: the robot, for its structure.
        sharing: how torques are computed.
        numbers: numbers of the robot, one row per design (m, all).
    """
    n = robot.motors
    scan = _motion_scan(structure(robot), sharing, series.placed)
    inputs = (series.x, series.xd, series.xdd, series.load, series.weights[:, None])
    state = scan.final(np.zeros(3 * n + 2), *inputs, numbers)
    torque, square, speed, rest = np.split(state, [n, 2 * n, 3 * n], axis=-1)
    return MotionFold(torque, np.sqrt(square / series.duration), speed, rest[..., 0], rest[..., 1])


def motion_expression(robot: Robot, sharing: Sharing, *, placed: bool) -> Expression:
    """Torque and speed of every motor at a sample of a task; the tool holds the robot's gripper and the load.

    Args:
        robot: with symbols in its fields.
        sharing: how torques are computed.
        placed: whether samples are counted from the middle of the workspace.
    """
    driven = _without_losses(robot) if sharing.lossless else robot
    whole = expression_of(sharing_kernel(robot, "drive_torque", sharing.rule), driven)
    x, load = whole.inputs["x"], whole.inputs["payload"]
    there = [sample_place(robot, x, placed=placed), held_together(gripper_column(robot), load)]
    outputs = [whole.outputs["torque"], whole.outputs["speed"], whole.validity]
    torque, speed, validity = ca.substitute(outputs, [x, load], there)
    return Expression(whole.inputs, {"torque": torque, "speed": speed}, validity)


def sample_place(robot: Robot, x: Any, *, placed: bool) -> Any:
    """Task vector of a sample in the robot's base.

    Args:
        robot: with symbols in its fields.
        x: as the samples have it, dof x 1.
        placed: whether samples are counted from the middle of the workspace.
    """
    if not placed:
        return x
    return x + ca.vertcat(*(center for center, _ in extent_of(robot)[:3]), ca.SX.zeros(robot.dof - 3))


def _without_losses(robot: Robot) -> Robot:
    """The robot with plain numbers for friction and efficiency, which fold away."""

    def clean(drive: Any) -> Any:
        if drive is None:
            return None
        changes = {"friction": type(drive.friction)()} | ({"efficiency": 1.0} if drive.axis is TURNING else {})
        return replace(drive, **changes)

    bare = replace(robot, drive=clean(robot.drive))
    plate = robot.plate
    if plate.drive is None:
        return bare
    return _replaced(bare, ("plate", *plate.traits.drive_path.split(".")), clean(plate.drive))


def _replaced(node: Any, path: tuple[str, ...], value: Any) -> Any:
    """A description with another value at a path."""
    first, *rest = path
    return replace(node, **{first: _replaced(getattr(node, first), tuple(rest), value) if rest else value})


def _motion_scan(key: Robot, sharing: Sharing, placed: bool) -> Scan:
    def make(reads: Reads) -> Scan:
        numbers, robot = symbols_of(key, reads)
        sample = motion_expression(robot, sharing, placed=placed)
        torque, speed, weight, n = sample.outputs["torque"], sample.outputs["speed"], ca.SX.sym("weight"), robot.motors
        state = ca.SX.sym("state", 3 * n + 2)
        bus = ca.dot(torque, speed)
        after = ca.vertcat(
            ca.fmax(state[:n], ca.fabs(torque)),
            state[n : 2 * n] + weight * torque * torque,
            ca.fmax(state[2 * n : 3 * n], ca.fabs(speed)),
            state[3 * n] + weight * ca.fmax(bus, 0.0),
            ca.fmax(state[3 * n + 1], bus),
        )
        inputs = {**sample.inputs, "weight": weight}
        return build_scan("study_motion", state, inputs, numbers, after, {}, validity=sample.validity)

    name = f"study_motion {sharing.rule} {sharing.lossless} {placed}"
    return known_scan_by_reads(Recipe(FOLD_ROOMS, name, key), make)


def extent_of(robot: Robot) -> list[tuple[Any, Any]]:
    """Middle and half extent of the region along every task coordinate; the home where there is no region.

    Args:
        robot: with symbols in its fields.
    """
    region: Any = robot.workspace
    if region is None:
        return [(coordinate, 0.0) for coordinate in robot.home]
    return list(region.extents)
