"""The limits of the guards of a robot, from its file and from what the supervisor is told; never outside the file's."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np

from parapick.arrays import reals
from parapick.control import prepared
from parapick.errors import ParameterError
from parapick.model import MARGIN_KINDS, Model
from parapick.motors import per_motor
from parapick.supervision.guards import GUARDS, NAMES
from parapick.supervision.joint_quantities import WINDOW
from parapick.supervision.settings import GuardLimits, Supervisor

PLAUSIBLE: Final = 4.0
"""How many times the joint acceleration that all motors together can give at home an encoder angle may show: joints
are lighter elsewhere, and a blow comes on top."""

RUNAWAY: Final = 2.0
"""Times its limit that a following error may reach before a controlled stop is given up."""

FROZEN: Final = 10
"""Samples in a row over which an encoder must repeat its angle until it is taken for dead."""

UNREST: Final = 0.5
"""Time (s) that the plate may take to come to rest once its reference has."""

SETTLED: Final = WINDOW
"""Samples over which the plate must rest to count as at rest."""

STANDSTILL: Final = 0.05
"""Joint speed (rad/s, m/s) below which a joint rests: of an arm of 0.35 m, 17 mm/s. Chosen."""


@final
@dataclass(frozen=True, eq=False)
class WatchedLimits:
    """Limits of the guards of a robot.

    Attributes:
        values: limit of every guard by its name: one number per column; infinite (of floors: minus infinity) where a
            guard is off or the file states nothing.
        persistence: samples in a row beyond the limit until it trips, by guard.
        off: guards that are switched off by the caller.
        unstated: guards that watch nothing because the robot's file states no limit.
    """

    values: dict[str, np.ndarray]
    persistence: dict[str, int]
    off: tuple[str, ...]
    unstated: tuple[str, ...]


def guard_limits(model: Model, supervisor: Supervisor, torque_max: np.ndarray, rate: float) -> WatchedLimits:
    """The limits of the guards of a robot.

    Args:
        model: the robot as the controller knows it.
        supervisor: what the supervisor is told.
        torque_max: torque limits of the loop at the joints (n,), N m.
        rate: control rate (Hz).

    Raises:
        ParameterError: a limit that is no number, or lies outside the robot's file.
    """
    given, motors, n = _checked(model, supervisor), model.motors, model.robot.motors
    peak = np.minimum(motors.peak_torque * motors.ratio, torque_max)
    speed = _within(model, "speed", given.speed, motors.peak_speed / motors.ratio, motors.speed_unit)
    torque = _within(model, "torque", given.torque, peak, motors.torque_unit)
    following = np.full(n, math.inf) if given.following is None else np.broadcast_to(reals("", given.following), (n,))
    sides = model.robot.dof - 2
    values = {
        "drive": np.full(n, 0.5),
        "jump": PLAUSIBLE * _acceleration(model, peak),
        "frozen": np.full(n, 0.5),
        "runaway": RUNAWAY * following,
        "unrest": np.array([UNREST]),
        "emergency": np.array([0.5]),
        "position": np.full(len(_slacks(model)), _floor(given.position)),
        "workspace": np.full(sides, _floor(None if model.numbers.workspace is None else given.workspace)),
        "singularity": np.full(len(MARGIN_KINDS), _floor(given.singularity)),
        "speed": speed,
        "torque": torque,
        "following": following,
        "deadline": np.array([math.inf if given.deadline is None else 0.5]),
    }
    persistence = dict.fromkeys(NAMES, 1) | {
        "frozen": FROZEN,
        "unrest": max(round(UNREST * rate), SETTLED + 1),
        "torque": max(round(given.torque_time * rate), 1),
        "deadline": given.deadline or 1,
    }
    off = tuple(name for name in NAMES if getattr(given, name, 0.0) is None)
    unstated = tuple(guard.name for guard in GUARDS if guard.name not in off and np.isinf(values[guard.name]).all())
    return WatchedLimits(values, persistence, off, unstated)


def _checked(model: Model, supervisor: Supervisor) -> GuardLimits:
    for name, floor in (("position", "stops"), ("workspace", "workspace")):
        value = getattr(supervisor.guards, name)
        if isinstance(value, (int, float)) and value < 0.0:
            text = f"is {value:g}: the guard would lie outside the {floor} of {model.robot.name}'s file; give 0 or more"
            raise ParameterError(f"guards.{name}", text)
    spread, problems = prepared(supervisor, model.robot, "supervisor")
    if problems:
        raise ParameterError(problems[0].path.removeprefix("supervisor."), problems[0].message)
    count = spread.guards.deadline
    if count is not None and (isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 1):
        raise ParameterError("guards.deadline", f"is {count!r}; it must be a whole number of samples, at least 1")
    return spread.guards


def _floor(value: float | None) -> float:
    return -math.inf if value is None else value


def _within(model: Model, name: str, given: Any, stated: np.ndarray, unit: str) -> np.ndarray:
    """A limit per motor: the file's, or what is given where it is not above that."""
    path = f"guards.{name}"
    if given is None:
        return np.full(len(stated), math.inf)
    if isinstance(given, str):
        if given != "file":
            raise ParameterError(path, f'is {given!r}; valid are "file", None and numbers ({unit}, at the joints)')
        return stated
    numbers = per_motor(model.motors, path, given, unit)
    for motor, (value, most) in enumerate(zip(numbers, stated, strict=True), start=1):
        if value > most:
            allowed = f"{model.robot.name} and its loop allow; it may be at most {most:g} {unit}"
            raise ParameterError(path, f"of motor {motor} is {value:g} {unit}, outside what {allowed}")
    return numbers


def _acceleration(model: Model, torque: np.ndarray) -> np.ndarray:
    """Largest joint accelerations (n,) that all motors together can give at home, rad/s2."""
    if not np.isfinite(torque).all():
        return np.full(len(torque), math.inf)
    home = np.array(model.robot.home)
    jacobian, mass = model.inverse_jacobian(home), model.mass_matrix(home)
    return np.abs(jacobian @ np.linalg.solve(mass, jacobian.T)) @ torque


def _slacks(model: Model) -> tuple[str, ...]:
    """What the position guard watches, column by column."""
    legs = [f"joint {leg + 1}" for leg in range(model.robot.motors)]
    passive = [f"{kind} {leg + 1}" for kind in ("elbow", "cone") for leg in range(model.robot.arms)]
    return (*legs, *passive, "yaw", "clearance")


def columns_of(model: Model) -> dict[str, tuple[str, ...]]:
    """What each column of every guard's quantity is, in words."""
    motors = tuple(f"motor {motor + 1}" for motor in range(model.robot.motors))
    named = {
        "position": _slacks(model),
        "singularity": MARGIN_KINDS,
        "workspace": ("place", "yaw")[: model.robot.dof - 2],
    }
    return {guard.name: named.get(guard.name, motors if guard.axis == "motor" else ("",)) for guard in GUARDS}


def units_of(model: Model) -> dict[str, tuple[str, ...]]:
    """Unit of each column of every guard's quantity."""
    axes, arms, columns = model.robot.axes, model.robot.arms, columns_of(model)
    units = {
        "joint": tuple(axis.unit for axis in axes),
        "speed": tuple(axis.speed for axis in axes),
        "acceleration": tuple(f"{axis.speed}2" for axis in axes),
        "effort": tuple(axis.effort for axis in axes),
        "slack": (*(axis.unit for axis in axes), *("rad",) * (2 * arms), "rad", "m"),
        "border": ("m", "rad")[: model.robot.dof - 2],
    }
    return {guard.name: units.get(guard.unit, (guard.unit,) * len(columns[guard.name])) for guard in GUARDS}
