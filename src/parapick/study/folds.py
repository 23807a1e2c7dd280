"""Designs side by side, one per vector lane: folds of a motion and of a region into a few numbers per design.

A fold is a scan whose state is what a study asks for: peaks, sums of squares, smallest slack. The samples are shared by
all designs and the numbers of the robot are one column per design, so that one compilation serves every design and no
array of designs times samples is ever made.

Motion: samples are counted from the middle of the robot's workspace where the task is, so they move with it. Region:
points are given in units of the region, `middle + half * point`, so they fill whatever region a design has.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, Final, Literal, NamedTuple, final

import casadi as ca
import numpy as np

from parapick.kernel import Reads, Recipe, Scan, build_scan, known_scan_by_reads
from parapick.mechanism.drive import TURNING
from parapick.mechanism.parameters import structure, symbols_of
from parapick.mechanism.robot import Robot
from parapick.model.expression import Expression
from parapick.model.held import gripper_column, held_together
from parapick.model.kernels import ROOMS, expression_of, sharing_kernel
from parapick.model.reach import SLACKS
from parapick.study.region_quantities import PLAIN, REGION_QUANTITIES, RegionSettings

FOLD_ROOMS: Final = (*ROOMS, "parapick.capability", "parapick.study")
"""Where the expressions of a fold are written."""

KINDS: Final = tuple(kind.name for kind in SLACKS)
"""Every kind of slack by its name."""


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
    """

    name: str
    placed: bool
    t: np.ndarray
    x: np.ndarray
    xd: np.ndarray
    xdd: np.ndarray
    load: np.ndarray

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
        series: the samples.
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
    return x + ca.vertcat(*(center for center, _ in _extent(robot)[:3]), ca.SX.zeros(robot.dof - 3))


def _without_losses(robot: Robot) -> Robot:
    """The robot with plain numbers for friction and efficiency, which fold away."""

    def clean(drive: Any) -> Any:
        if drive is None:
            return None
        changes = {"friction": type(drive.friction)()} | ({"efficiency": 1.0} if drive.axis is TURNING else {})
        return replace(drive, **changes)

    bare = replace(robot, drive=clean(robot.drive))
    own = robot.plate.drive
    return bare if own is None else _replaced(bare, ("plate", *robot.plate.traits.drive_path.split(".")), clean(own))


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


@final
@dataclass(frozen=True)
class Wanted:
    """Quantities over the workspace that are asked for.

    Attributes:
        names: names of `REGION_QUANTITIES`.
        settings: what they are asked for with.
    """

    names: tuple[str, ...] = ()
    settings: RegionSettings = PLAIN


NO_QUANTITIES: Final = Wanted()


def reach_fold(
    robot: Robot, points: np.ndarray, spread: Spread, numbers: np.ndarray, wanted: Wanted = NO_QUANTITIES
) -> dict[str, np.ndarray]:
    """The smallest value over points, of every slack and of the quantities that are asked for, for each design (m,).

    The largest of a quantity is there too, as "most" and its name.

    Args:
        robot: the robot, for its structure.
        points: the points (T, dof); in units of the region each is from -1 to 1.
        spread: how they are counted.
        numbers: numbers of the robot, one row per design (m, all).
        wanted: what else is asked for.
    """
    scan = _reach_scan(structure(robot), spread, wanted)
    state = scan.final(np.full(scan.states, math.inf), points, numbers)
    names = [*slack_kinds(robot), *wanted.names, *(f"most {name}" for name in wanted.names)]
    values = {name: state[..., i] for i, name in enumerate(names)}
    # Largest values are folded as smallest negative ones.
    return {name: -value if name.startswith("most ") else value for name, value in values.items()}


def slack_kinds(robot: Robot) -> tuple[str, ...]:
    """Kinds of slack that a robot has.

    Args:
        robot: the robot.
    """
    limits = robot.limits
    bounded = {
        "leg": True,
        "joint": any(limit is not None for pair in robot.joint_limits() for limit in pair),
        "elbow": limits.elbow_min is not None or limits.elbow_max is not None,
        "cone": limits.cone_max is not None,
        "yaw": robot.dof == 4,
        "clearance": limits.clearance_min is not None,
    }
    return tuple(name for name in KINDS if bounded[name])


def reach_expression(robot: Robot, spread: Spread) -> Expression:
    """Every slack of every leg at a point, by kind; without NaN: what has no value is not limited.

    Args:
        robot: with symbols in its fields.
        spread: how the point is counted.
    """
    whole, point = expression_of("reach", robot), ca.SX.sym("point", robot.dof)
    place = point_place(robot, point, spread)
    substituted = ca.substitute([*whole.outputs.values()], [whole.inputs["x"]], [place])
    outputs = dict(zip(whole.outputs, substituted, strict=True))
    legs = ca.fmin(outputs["short"], outputs["long"])
    closed = _least(legs) >= 0
    slacks = {"leg": legs, **{kind.name: outputs[kind.field] for kind in SLACKS if kind.name != "leg"}}
    kept = {name: ca.if_else(closed, slacks[name], math.inf) for name in slack_kinds(robot) if name != "leg"}
    return Expression({"point": point}, {"leg": legs, **kept})


def _least(column: Any) -> Any:
    return reduce(ca.fmin, ca.vertsplit(column))


def point_place(robot: Robot, point: Any, spread: Spread) -> Any:
    """Task vector of a point.

    Args:
        robot: with symbols in its fields.
        point: the point, dof x 1.
        spread: how it is counted.
    """
    if spread != "region":
        return sample_place(robot, point, placed=spread == "workspace")
    return ca.vertcat(*(center + half * point[i] for i, (center, half) in enumerate(_extent(robot)[: robot.dof])))


def _extent(robot: Robot) -> list[tuple[Any, Any]]:
    """Middle and half extent of the region along every task coordinate; the home where there is no region."""
    region: Any = robot.workspace
    if region is None:
        return [(coordinate, 0.0) for coordinate in robot.home]
    if region.polar:
        flat = [(region.x, region.radius), (region.y, region.radius)]
    else:
        flat = [_middle(region.x_min, region.x_max), _middle(region.y_min, region.y_max)]
    return [*flat, _middle(region.z_min, region.z_max), _middle(region.yaw_min, region.yaw_max)]


def _middle(low: Any, high: Any) -> tuple[Any, Any]:
    return (low + high) / 2, (high - low) / 2


def _reach_scan(key: Robot, spread: Spread, wanted: Wanted) -> Scan:
    def make(reads: Reads) -> Scan:
        numbers, robot = symbols_of(key, reads)
        point = reach_expression(robot, spread)
        closed = _least(point.outputs["leg"]) >= 0
        least = [_least(slack) for slack in point.outputs.values()]
        place = point_place(robot, point.inputs["point"], spread)
        values = [REGION_QUANTITIES[name](robot, place, wanted.settings) for name in wanted.names]
        least += [ca.if_else(closed, sign * value, math.inf) for sign in (1.0, -1.0) for value in values]
        state = ca.SX.sym("state", len(least))
        return build_scan("study_reach", state, point.inputs, numbers, ca.fmin(state, ca.vertcat(*least)), {})

    name = f"study_reach {spread} {wanted.settings.key(wanted.names)}"
    return known_scan_by_reads(Recipe(FOLD_ROOMS, name, key), make)


def region_points(robot: Robot, counts: tuple[int, ...]) -> np.ndarray:
    """Points of the solid region in its own units (T, dof): its rim, its ends and its inside.

    Args:
        robot: the robot, for the kind of its region and whether it has yaw.
        counts: points along radius, azimuth and z of a cylinder, x, y and z of a box, and along yaw.
    """
    region: Any = robot.workspace
    lines = [np.linspace(-1.0, 1.0, count) if count > 1 else np.zeros(1) for count in counts]
    if region.polar:
        lines[0] = np.linspace(0.0, 1.0, counts[0]) if counts[0] > 1 else np.ones(1)
        lines[1] = np.linspace(0.0, 2 * np.pi, counts[1], endpoint=False)
    mesh = np.stack(np.meshgrid(*lines[: robot.dof], indexing="ij"), axis=-1).reshape(-1, robot.dof)
    if region.polar:
        radius, azimuth = mesh[:, 0].copy(), mesh[:, 1].copy()
        mesh[:, 0], mesh[:, 1] = radius * np.cos(azimuth), radius * np.sin(azimuth)
        # On the axis all azimuths are one point.
        mesh = mesh[(radius > 0.0) | (azimuth == 0.0)]
    return mesh
