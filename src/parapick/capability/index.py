"""The indices by name: what maps can show, one row each.

What the motors allow comes first, then what they must give, then what follows from geometry alone and needs no masses.
The last one times a motion at each pose: the fastest pick-and-place cycle there and back over a gate. Peak torque and
speed hold at every instant of it; rated torque holds for the effective torque over the cycle, which is repeated without
a rest and run slower as a whole where a motor would get too hot.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, final

import numpy as np

from parapick.arrays import reals
from parapick.capability.acceleration import acceleration, acceleration_any, yaw_acceleration
from parapick.capability.ellipsoid import ellipsoid
from parapick.capability.force import force, payload
from parapick.capability.half_spaces import half_spaces
from parapick.capability.index_types import Index, IndexFunction, IndexOptions
from parapick.capability.speed import speed
from parapick.capability.stiffness import Stiffness, stiffness
from parapick.capability.yaw_stiffness import yaw_stiffness
from parapick.errors import ParameterError, ParapickError
from parapick.model.model import Model
from parapick.model.redundancy import LEAST_PEAK
from parapick.motion import Path, gate_path, with_yaw
from parapick.timing import (
    HoldingTorqueError,
    OverheatingError,
    SingularPathError,
    UnreachablePathError,
    enduring,
    fastest,
)


def velocity_of(model: Model, options: IndexOptions) -> np.ndarray | None:
    """The velocity of the options as a task vector (dof,); without a yaw rate that is 0. None at rest.

    Args:
        model: the robot.
        options: the options.
    """
    if options.velocity is None:
        return None
    given = reals("velocity", options.velocity)
    dof = model.robot.dof
    if given.shape not in ((3,), (dof,)) or not np.isfinite(given).all():
        names = ", ".join(model.robot.task_names)
        raise ParameterError("velocity", f"is {options.velocity}; give finite numbers for {names} (m/s, rad/s)")
    return np.append(given, [0.0] * (dof - len(given)))


def _stiffness(model: Model, poses: np.ndarray, options: IndexOptions) -> Stiffness:
    return stiffness(model, poses, servo=options.servo, rods=options.rods, arms=options.arms)


def torque_for(model: Model, poses: np.ndarray, options: IndexOptions) -> np.ndarray:
    """Largest torque at the arms (N,), N m, for an acceleration from rest in the worst direction, yaw held.

    The torques are `M_p xdd + n_p`, so motor i needs `a |row i of M_p| + |n_p,i|` where the acceleration points along
    its row. The motors of a redundant robot share by the rule of the model, or else by least peak: then the bounds of
    `half_spaces`, linear in the torque, say which torque allows the acceleration. Friction is left out.

    Args:
        model: the robot, with its payload.
        poses: task vectors (N, dof), m and rad.
        options: the acceleration (m/s2).
    """
    if model.judged_sharing == LEAST_PEAK:
        return _least_peak_for(model, poses, options.acceleration)
    matrix, rest = model.mixed_space(poses, np.zeros(model.robot.dof))
    arms = slice(0, model.robot.arms)
    rows = np.linalg.norm(matrix[..., arms, :3], axis=-1)
    return (options.acceleration * rows + np.abs(rest[..., arms])).max(axis=-1)


def _least_peak_for(model: Model, poses: np.ndarray, acceleration: float) -> np.ndarray:
    """The torque at the joints (N,), N m, with which the largest ball of accelerations has a radius (m/s2)."""
    unit = 1.0 / (model.motors.ratio * model.motors.efficiency)
    one, two = (half_spaces(model, poses, torque=(size * unit).tolist(), friction=False).d for size in (1.0, 2.0))
    facet = np.isfinite(one) | np.isnan(one)
    per_torque = np.where(facet, two, 1.0) - np.where(facet, one, 0.0)
    needed = 1.0 + (acceleration - np.where(facet, one, acceleration)) / per_torque
    return np.where(facet, needed, -np.inf).max(axis=-1)


def _margin(which: int) -> IndexFunction:
    return lambda model, x, _: model.margins(x)[which]


def _conditioning(which: int) -> IndexFunction:
    return lambda model, x, _: model.indices(x)[which]


def _joint_speed(model: Model, poses: np.ndarray, options: IndexOptions) -> np.ndarray:
    """A plate speed v in the direction of row i of the Jacobian asks v times its norm of motor i: no direction more."""
    rows = np.linalg.norm(model.inverse_jacobian(poses)[..., : model.robot.arms, :3], axis=-1)
    return options.plate_speed * rows.max(axis=-1)


def _check_rod_pairs(model: Model, _: IndexOptions) -> None:
    """Raise if no rod pairs hold the plate: the internal kind exists where they do."""
    if np.isinf(model.margins(np.array(model.robot.home)).internal):
        raise ParameterError(
            "internal", f"{model.robot.name} has no rod pairs that hold a plate, so no internal margin"
        )


def _check_pairs(model: Model, _: IndexOptions) -> None:
    """Raise if no two links could meet."""
    if not model.clearance(np.array(model.robot.home)).pairs:
        raise ParameterError("clearance", f"{model.robot.name} has no two links of different legs to compare")


def cycle_time(model: Model, poses: np.ndarray, options: IndexOptions) -> np.ndarray:
    """Duration of the fastest cycle there and back (s), its middle at each pose; NaN where it cannot be run.

    Args:
        model: the robot, with its payload.
        poses: task vectors (N, dof) halfway between pick and place, at their height, m and rad.
        options: size of the cycle and limits of the motors.
    """
    known = options.known(model)
    return np.array([_cycle(model, pose, known) for pose in poses])


def _cycle(model: Model, pose: np.ndarray, options: IndexOptions) -> float:
    half = options.width / 2 * np.array([math.cos(options.azimuth), math.sin(options.azimuth), 0.0])
    ends = (pose[:3] - half).tolist(), (pose[:3] + half).tolist()
    try:
        # Both ways are timed: friction and gearboxes make them differ.
        there, back = (
            fastest(model, _gate(model, a, b, pose, options), torque=options.torque) for a, b in (ends, ends[::-1])
        )
        cycle = there.then(back)
        return (cycle if options.rated is None else enduring(model, cycle, rated=options.rated)).duration
    except (HoldingTorqueError, OverheatingError, SingularPathError, UnreachablePathError):
        return math.nan


def _gate(model: Model, start: list[float], end: list[float], pose: np.ndarray, options: IndexOptions) -> Path:
    path = gate_path(start, end, options.height, options.corner_radius)
    return path if model.robot.dof == 3 else with_yaw(path, float(pose[3]), float(pose[3]))


def _check_cycle(model: Model, options: IndexOptions) -> None:
    """Raise if a torque limit of the cycle is not known."""
    model.motors.joint_torque(options.torque)
    model.motors.torque(options.known(model).rated, name="rated")


_MOTORS: Final = (
    Index(
        "acceleration",
        "acceleration in any direction{at}",
        "m/s2",
        "high",
        lambda model, x, asked: acceleration_any(model, x, velocity_of(model, asked), torque=asked.torque),
    ),
    Index(
        "acceleration-best",
        "acceleration in the best direction{at}",
        "m/s2",
        "high",
        lambda model, x, asked: acceleration(model, x, velocity_of(model, asked), torque=asked.torque).max,
    ),
    Index(
        "acceleration-ratio",
        "acceleration in the best over that in any direction{at}",
        "",
        "low",
        lambda model, x, asked: acceleration(model, x, velocity_of(model, asked), torque=asked.torque).ratio,
    ),
    Index(
        "yaw-acceleration",
        "yaw acceleration, both ways{at}",
        "rad/s2",
        "high",
        lambda model, x, asked: yaw_acceleration(model, x, velocity_of(model, asked), torque=asked.torque).reserve,
    ),
    Index(
        "ellipsoid",
        "smallest radius of the dynamic manipulability ellipsoid",
        "m/s2",
        "high",
        lambda model, x, asked: ellipsoid(model, x, torque=asked.torque).smallest,
    ),
    Index(
        "force",
        "force in any direction at standstill",
        "N",
        "high",
        lambda model, x, asked: force(model, x, torque=asked.torque).min_max,
    ),
    Index(
        "force-best",
        "force in the best direction at standstill",
        "N",
        "high",
        lambda model, x, asked: force(model, x, torque=asked.torque).max,
    ),
    Index(
        "payload",
        "payload with {acceleration:g} m/s2 in any direction",
        "kg",
        "high",
        lambda model, x, asked: payload(model, x, asked.acceleration, torque=asked.torque),
    ),
    Index(
        "speed",
        "plate speed in any direction",
        "m/s",
        "high",
        lambda model, x, asked: speed(model, x, speed=asked.speed).any,
    ),
    Index(
        "speed-best",
        "plate speed in the best direction",
        "m/s",
        "high",
        lambda model, x, asked: speed(model, x, speed=asked.speed).best,
    ),
    Index(
        "stiffness",
        "stiffness in the softest direction, servo {servo:g} {stiffness}",
        "N/m",
        "high",
        lambda model, x, asked: _stiffness(model, x, asked).smallest,
    ),
    Index(
        "stiffness-ratio",
        "stiffness in the stiffest over that in the softest direction",
        "",
        "low",
        lambda model, x, asked: _stiffness(model, x, asked).ratio,
    ),
    Index(
        "yaw-stiffness",
        "stiffness of the tool in yaw, servo {servo:g} {stiffness}",
        "N m/rad",
        "high",
        lambda model, x, asked: yaw_stiffness(model, x, servo=asked.servo, rods=asked.rods, arms=asked.arms).tool,
    ),
    Index("torque", "{effort} for {acceleration:g} m/s2 in the worst direction", "N m", "low", torque_for),
)

KINEMATIC: Final = (
    Index(
        "margin",
        "smallest margin to any singularity",
        "",
        "high",
        lambda model, x, _: np.minimum.reduce(model.margins(x)),
        margin=0.0,
    ),
    Index("under-mobility", "margin to under-mobility", "", "high", _margin(0), margin=0.0),
    Index("over-mobility", "margin to over-mobility", "", "high", _margin(1), margin=0.0),
    Index("internal", "margin to internal singularities", "", "high", _margin(2), _check_rod_pairs, margin=0.0),
    Index("conditioning", "conditioning of the Jacobian", "", "high", _conditioning(0), margin=0.0),
    Index("plate-conditioning", "conditioning of J_x", "", "high", _conditioning(1), margin=0.0),
    Index("internal-conditioning", "conditioning of J_int", "", "high", _conditioning(2), _check_rod_pairs, margin=0.0),
    Index("manipulability", "manipulability (m/rad to the power of the freedoms)", "", "high", _conditioning(3)),
    Index(
        "clearance",
        "distance of links of different legs",
        "m",
        "high",
        lambda model, x, _: model.clearance(x).distance,
        _check_pairs,
        margin=0.0,
    ),
    Index("joint-speed", "joint speed for {plate_speed:g} m/s in the worst direction", "rad/s", "low", _joint_speed),
)

_CYCLE: Final = Index(
    "cycle-time",
    "fastest cycle, {width:g} m over and {height:g} m up, there and back, {heat}",
    "s",
    "low",
    cycle_time,
    _check_cycle,
    slow=True,
)

INDICES: Final[Mapping[str, Index]] = MappingProxyType({index.name: index for index in (*_MOTORS, *KINEMATIC, _CYCLE)})
"""Every index by its name."""


@final
class UnknownIndexError(ParapickError):
    """No index has this name."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        close = difflib.get_close_matches(name, known, n=1)
        hint = f" did you mean {close[0]}?" if close else ""
        super().__init__(f"no index {name!r};{hint} indices: {', '.join(known)}")
        self.name = name
        self.known = known


def index_of(name: str) -> Index:
    """Look an index up by its name.

    Args:
        name: such as `conditioning`.

    Raises:
        UnknownIndexError: there is no such index; the error lists those there are.
    """
    if name not in INDICES:
        raise UnknownIndexError(name, tuple(INDICES))
    return INDICES[name]
