"""The indices by name: what maps can show, one row of the table of measures each, with how it is computed.

What the motors allow comes first, then what they must give, then what follows from geometry alone and needs no masses.
The last one times a motion at each pose: the fastest pick-and-place cycle there and back over a gate. Peak torque and
speed hold at every instant of it; rated torque holds for the effective torque over the cycle, which is repeated without
a rest.
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
from parapick.measures import MEASURES
from parapick.model import Model
from parapick.motion import Path, Route, gate_path, with_yaw
from parapick.motors import LEAST_PEAK
from parapick.timing import (
    CycleLimitError,
    HoldingTorqueError,
    OverheatingError,
    SingularPathError,
    TimingLimits,
    UnreachablePathError,
    enduring,
    fastest_each,
)


def velocity_of(model: Model, options: IndexOptions) -> np.ndarray | None:
    """The velocity of the options as a task vector (dof,); without a yaw rate that is 0. None at rest."""
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
    single, two = (half_spaces(model, poses, torque=(size * unit).tolist(), friction=False).d for size in (1.0, 2.0))
    facet = np.isfinite(single) | np.isnan(single)
    per_torque = np.where(facet, two, 1.0) - np.where(facet, single, 0.0)
    needed = 1.0 + (acceleration - np.where(facet, single, acceleration)) / per_torque
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
        # Both ways are timed: friction and gearboxes make them differ, and heat is that of both.
        there, back = (Route.along(_gate(model, a, b, pose, options), "way") for a, b in (ends, ends[::-1]))
        # Rounded corners make the curvature of a path jump: jerk is left aside.
        limits = TimingLimits(options.torque, rated=options.rated, joint_jerk=False)
        (cycle,) = fastest_each(model, there.then(back), limits)
        if isinstance(cycle, ParapickError):
            raise cycle
        return enduring(model, cycle, rated=options.rated).duration
    except (HoldingTorqueError, OverheatingError, CycleLimitError, SingularPathError, UnreachablePathError):
        return math.nan


def _gate(model: Model, start: list[float], end: list[float], pose: np.ndarray, options: IndexOptions) -> Path:
    path = gate_path(start, end, options.height, options.corner_radius)
    return path if model.robot.dof == 3 else with_yaw(path, float(pose[3]), float(pose[3]))


def _check_cycle(model: Model, options: IndexOptions) -> None:
    """Raise if a torque limit of the cycle is not known."""
    model.motors.joint_torque(options.torque)
    model.motors.continuous(options.known(model).rated)


_MOTORS: Final[Mapping[str, IndexFunction]] = {
    "acceleration": lambda model, x, asked: acceleration_any(model, x, velocity_of(model, asked), torque=asked.torque),
    "acceleration-best": lambda model, x, asked: (
        acceleration(model, x, velocity_of(model, asked), torque=asked.torque).max
    ),
    "acceleration-ratio": lambda model, x, asked: (
        acceleration(model, x, velocity_of(model, asked), torque=asked.torque).ratio
    ),
    "yaw-acceleration": lambda model, x, asked: (
        yaw_acceleration(model, x, velocity_of(model, asked), torque=asked.torque).reserve
    ),
    "ellipsoid": lambda model, x, asked: ellipsoid(model, x, torque=asked.torque).smallest,
    "force": lambda model, x, asked: force(model, x, torque=asked.torque).min_max,
    "force-best": lambda model, x, asked: force(model, x, torque=asked.torque).max,
    "payload": lambda model, x, asked: payload(model, x, asked.acceleration, torque=asked.torque),
    "speed": lambda model, x, asked: speed(model, x, speed=asked.speed).any,
    "speed-best": lambda model, x, asked: speed(model, x, speed=asked.speed).best,
    "stiffness": lambda model, x, asked: _stiffness(model, x, asked).smallest,
    "stiffness-ratio": lambda model, x, asked: _stiffness(model, x, asked).ratio,
    "yaw-stiffness": lambda model, x, asked: (
        yaw_stiffness(model, x, servo=asked.servo, rods=asked.rods, arms=asked.arms).tool
    ),
    "torque": torque_for,
}
"""What the motors allow or must give, by the name of the measure."""

_GEOMETRY: Final = (
    Index(MEASURES["margin"], lambda model, x, _: np.minimum.reduce(model.margins(x)), margin=0.0),
    Index(MEASURES["under-mobility"], _margin(0), margin=0.0),
    Index(MEASURES["over-mobility"], _margin(1), margin=0.0),
    Index(MEASURES["internal"], _margin(2), _check_rod_pairs, margin=0.0),
    Index(MEASURES["conditioning"], _conditioning(0), margin=0.0),
    Index(MEASURES["plate-conditioning"], _conditioning(1), margin=0.0),
    Index(MEASURES["internal-conditioning"], _conditioning(2), _check_rod_pairs, margin=0.0),
    Index(MEASURES["manipulability"], _conditioning(3)),
    Index(MEASURES["clearance"], lambda model, x, _: model.clearance(x).distance, _check_pairs, margin=0.0),
    Index(MEASURES["joint-speed"], _joint_speed),
)

_CYCLE: Final = Index(MEASURES["cycle-time"], cycle_time, _check_cycle, slow=True)

INDICES: Final[Mapping[str, Index]] = MappingProxyType(
    {
        **{name: Index(MEASURES[name], function) for name, function in _MOTORS.items()},
        **{index.name: index for index in (*_GEOMETRY, _CYCLE)},
    }
)
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
