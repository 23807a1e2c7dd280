"""Designs side by side along a task, one per vector lane: what their motors do, folded into a few numbers per design.

A fold is a scan whose state is what a study asks for: peaks and sums of squares. The samples are shared by all designs
and the numbers of the robot are one column per design, so that one compilation serves every design and no array of
designs times samples is ever made. Samples are counted from the middle of the robot's workspace where the task is, so
they move with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, NamedTuple, final

import casadi as ca
import numpy as np

from parapick.formulas import (
    ROOMS,
    Expression,
    expression_of,
    gripper_column,
    held_together,
    motor_heat,
    sharing_kernel,
)
from parapick.kernel import Reads, Recipe, Scan, build_scan, known_scan_by_reads
from parapick.mechanism import TURNING, Robot, motor_ratings
from parapick.motors import LIFE_EXPONENT
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
        heat: torque at rest that would heat each motor as much (m, n), N m: the effective one, and with it what the
            speed heats where the file states continuous torques over it.
        gearbox_mean: mean torque at the output of each gearbox (m, n), N m; 0 where the file limits none.
    """

    torque: np.ndarray
    rms: np.ndarray
    speed: np.ndarray
    energy: np.ndarray
    power: np.ndarray
    heat: np.ndarray
    gearbox_mean: np.ndarray

    @classmethod
    def of(cls, robot: Robot, state: np.ndarray, duration: float) -> MotionFold:
        """What a scan ends with, see `after_sample`.

        Args:
            robot: the robot, for its structure.
            state: the last state of every design (m, states).
            duration: of the task (s).
        """
        n = robot.motors
        torque, square, speed, bus, sums = np.split(state, [n, 2 * n, 3 * n, 3 * n + 2], axis=-1)
        rms, mean = np.sqrt(square / duration), np.zeros_like(speed)
        heat = np.sqrt(sums[..., :n] / duration) if heated(robot) else rms
        if worn(robot):
            turned, wear = np.split(sums[..., -2 * n :], 2, axis=-1)
            mean = np.divide(wear, turned, out=mean, where=turned > 0.0) ** (1.0 / LIFE_EXPONENT)
        return cls(torque, rms, speed, bus[..., 0], bus[..., 1], heat, mean)


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
    scan = _motion_scan(structure(robot), sharing, series.placed)
    inputs = (series.x, series.xd, series.xdd, series.load, series.weights[:, None])
    state = scan.final(np.zeros(scan.states), *inputs, numbers)
    return MotionFold.of(robot, state, series.duration)


def heated(robot: Robot) -> bool:
    """Whether the speed of motors heats them too: their file states continuous torques over it."""
    return any(drive.continuous_curve is not None for drive in robot.motor_drives())


def worn(robot: Robot) -> bool:
    """Whether the file limits the mean torque of a gearbox."""
    return any(limit is not None for limit in motor_ratings(robot, "gearbox_mean_torque"))


def motion_expression(robot: Robot, sharing: Sharing, *, placed: bool) -> Expression:
    """Torque and speed of every motor at a sample of a task; the tool holds the robot's gripper and the load.

    Where the file states continuous torques over the speed, what heats them too; where it limits the mean torque of
    gearboxes, that at their outputs.

    Args:
        robot: with symbols in its fields.
        sharing: how torques are computed.
        placed: whether samples are counted from the middle of the workspace.
    """
    driven = without_losses(robot) if sharing.lossless else robot
    kernel = "drive_output" if worn(robot) else "drive_torque"
    whole = expression_of(sharing_kernel(robot, kernel, sharing.rule), driven)
    x, load = whole.inputs["x"], whole.inputs["payload"]
    there = [sample_place(robot, x, placed=placed), held_together(gripper_column(robot), load)]
    names = ("torque", "speed", "output") if worn(robot) else ("torque", "speed")
    *values, validity = ca.substitute([*(whole.outputs[name] for name in names), whole.validity], [x, load], there)
    outputs: dict[str, Any] = dict(zip(names, values, strict=True))
    if heated(robot):
        outputs["heat"] = motor_heat(robot, outputs["torque"], outputs["speed"])
    return Expression(whole.inputs, outputs, validity)


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


def without_losses(robot: Robot) -> Robot:
    """The robot with plain numbers for friction and efficiency, which fold away."""

    def clean(drive: Any) -> Any:
        changes = {"friction": type(drive.friction)()} | ({"efficiency": 1.0} if drive.axis is TURNING else {})
        return replace(drive, **changes)

    return _with_drives(robot, clean)


def without_sticking(robot: Robot) -> Robot:
    """The robot with plain numbers for what its friction at rest exceeds that in motion by, which fold away."""
    return _with_drives(robot, lambda drive: replace(drive, friction=replace(drive.friction, stribeck=0.0)))


def _with_drives(robot: Robot, change: Callable[[Any], Any]) -> Robot:
    """The robot with other drives of arms and plate, as far as it has them."""
    bare = robot if robot.drive is None else replace(robot, drive=change(robot.drive))
    plate = robot.plate
    if plate.drive is None:
        return bare
    return _replaced(bare, ("plate", *plate.traits.drive_path.split(".")), change(plate.drive))


def _replaced(node: Any, path: tuple[str, ...], value: Any) -> Any:
    """A description with another value at a path."""
    first, *rest = path
    return replace(node, **{first: _replaced(getattr(node, first), tuple(rest), value) if rest else value})


def _motion_scan(key: Robot, sharing: Sharing, placed: bool) -> Scan:
    def make(reads: Reads) -> Scan:
        numbers, robot = symbols_of(key, reads)
        sample = motion_expression(robot, sharing, placed=placed)
        weight, sums = ca.SX.sym("weight"), motion_sums(sample.outputs)
        state = ca.SX.sym("state", 3 * robot.motors + 2 + sums.shape[0])
        after = after_sample(state, sample.outputs, sums, weight)
        inputs = {**sample.inputs, "weight": weight}
        return build_scan("study_motion", state, inputs, numbers, after, {}, validity=sample.validity)

    name = f"study_motion {sharing.rule} {sharing.lossless} {placed}"
    return known_scan_by_reads(Recipe(FOLD_ROOMS, name, key), make)


def after_sample(state: Any, outputs: Mapping[str, Any], sums: Any, weight: Any) -> Any:
    """The state of a fold behind a sample: peaks of torque and speed, sums of squares, energy and power of the bus.

    Args:
        state: before it (3 n + 2 + sums).
        outputs: what the drives do there, "torque" and "speed" (n x 1).
        sums: what is summed beside, see `motion_sums`.
        weight: time that the sample stands for (s).
    """
    torque, speed = outputs["torque"], outputs["speed"]
    n = torque.shape[0]
    bus = ca.dot(torque, speed)
    return ca.vertcat(
        ca.fmax(state[:n], ca.fabs(torque)),
        state[n : 2 * n] + weight * torque * torque,
        ca.fmax(state[2 * n : 3 * n], ca.fabs(speed)),
        state[3 * n] + weight * ca.fmax(bus, 0.0),
        ca.fmax(state[3 * n + 1], bus),
        state[3 * n + 2 :] + weight * sums,
    )


def motion_sums(outputs: Mapping[str, Any]) -> Any:
    """What is summed over the time beside squares of torques: heat, turns and wear of gearboxes, where they count."""
    sums = [outputs["heat"]] if "heat" in outputs else []
    if "output" in outputs:
        turning = ca.fabs(outputs["speed"])
        sums += [turning, turning * ca.fabs(outputs["output"]) ** LIFE_EXPONENT]
    return ca.vertcat(ca.SX(0, 1), *sums)


def extent_of(robot: Robot) -> list[tuple[Any, Any]]:
    """Middle and half extent of the region along every task coordinate; the home where there is no region.

    Args:
        robot: with symbols in its fields.
    """
    region: Any = robot.workspace
    if region is None:
        return [(coordinate, 0.0) for coordinate in robot.home]
    return list(region.extents)
