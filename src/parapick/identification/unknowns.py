"""What is identified: numbers in which torques are linear, with a column each along a measured motion.

The torque that a motor gives at its joint is `tau = rotor + L (rest + friction)`, where L is 1 / efficiency where the
motor drives the joint and the efficiency where the joint drives it (`model.drive_torque`); so `(tau - rotor) / L` is
linear in masses, payload and friction, and in the inertia of the rotors.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

import numpy as np

from parapick.errors import ParameterError
from parapick.identification.filtering import derivative, edge_of, low_passed
from parapick.identification.measured_motion import MeasuredMotion
from parapick.identification.regressor import PAYLOAD, Columns, inertial_paths
from parapick.mechanism import replaced
from parapick.parameters import leaves, units_of

if TYPE_CHECKING:
    from parapick.model import Model

GROUPS: Final = ("friction", "stribeck", "payload", "payload-center", "inertia")
"""What may be asked for by one word: Coulomb and viscous friction, with Stribeck's, the mass of what is held, with its
centre and moment of inertia, and all inertial numbers of the robot's file."""

SLOW: Final = 0.05
"""Share of its largest speed below which a joint does not count: there dry friction is anything up to its size."""

STILL: Final = 1e-3
"""Speed (rad/s, m/s) that a joint must exceed somewhere to count as moved; the steps of encoders give less."""

REVERSAL: Final = 0.5
"""Time around a slow joint that does not count, over one period of the cutoff: filtered angles turn back a little early
or late, and the filter of the torques spreads what that makes of dry friction so far."""


@final
@dataclass(frozen=True)
class Unknown:
    """A number that is identified.

    Attributes:
        name: its name: a path of the robot's file, `friction.coulomb.2` of motor 2, or one of `PAYLOAD`.
        unit: its SI unit.
        file: what the robot's file says.
    """

    name: str
    unit: str
    file: float


@final
@dataclass(frozen=True)
class Stribeck:
    """Stribeck's friction of a motor, as far as it is known.

    Attributes:
        excess: breakaway torque above Coulomb's (N m).
        speed: speed of its decay (rad/s).
    """

    excess: float
    speed: float


@final
@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of the regression of one stretch; R rows a sample.

    Attributes:
        t: times (T,), s.
        left: what is explained (T, R), N m; what is known is taken off.
        columns: columns of the unknowns (T, R, k), in their order.
        counted: which rows count (T, R).
        given: logged torques through the filter, as rows (T, R), N m.
        slope: their rate (T, R), N m/s.
        edge: samples at either end that the filter makes up.
    """

    t: np.ndarray
    left: np.ndarray
    columns: np.ndarray
    counted: np.ndarray
    given: np.ndarray
    slope: np.ndarray
    edge: int


def unknowns_of(model: Model, asked: Sequence[str]) -> tuple[Unknown, ...]:
    """The unknowns that are asked for, friction first, then payload, then numbers of the file.

    Args:
        asked: words of `GROUPS` and paths of inertial numbers.

    Raises:
        ParameterError: neither.
    """
    paths = inertial_paths(model.robot)
    for word in asked:
        if word not in (*GROUPS, *paths):
            if "." in word:
                replaced(model.robot, {word: 1.0})
            valid = f"{', '.join(GROUPS)}, and the inertial numbers {', '.join(paths)}"
            raise ParameterError("estimate", f"{word!r} cannot be identified; valid are {valid}")
    chosen = [*_friction(model, asked), *_payload(model, asked)]
    numbers, units = dict(leaves(model.robot)), dict(units_of(model.robot))
    wanted = [path for path in paths if path in asked or "inertia" in asked]
    return (*chosen, *(Unknown(path, units[path], numbers[path]) for path in wanted))


def _friction(model: Model, asked: Sequence[str]) -> Iterator[Unknown]:
    motors = model.motors
    kinds = ["coulomb", "viscous"] if {"friction", "stribeck"} & set(asked) else []
    for kind in [*kinds, *(["stribeck", "stribeck_speed"] if "stribeck" in asked else [])]:
        for i, axis in enumerate(motors.axes):
            units = {"viscous": f"{axis.effort} s/{axis.unit}", "stribeck_speed": axis.speed}
            yield Unknown(f"friction.{kind}.{i + 1}", units.get(kind, axis.effort), float(getattr(motors, kind)[i]))


def _payload(model: Model, asked: Sequence[str]) -> Iterator[Unknown]:
    held = model.held
    x, y, _ = held.offset
    moments = [held.mass * one for one in held.offset]
    values = [held.mass, *moments, held.inertia + held.mass * (x * x + y * y)]
    for (name, unit), value in zip(PAYLOAD.items(), values, strict=True):
        if "payload-center" in asked or ("payload" in asked and name == "gripper.mass"):
            yield Unknown(name, unit, value)


def rows_of(
    model: Model,
    unknowns: Sequence[Unknown],
    measured: MeasuredMotion,
    cutoff: float,
    *,
    stribeck: Mapping[int, Stribeck] | None = None,
    lead: float = 0.0,
    filtered: np.ndarray | None = None,
) -> Rows:
    """The regression of a stretch, everything through the same filter.

    Args:
        model: the robot, with its file's numbers.
        unknowns: what is identified.
        cutoff: cutoff (Hz).
        stribeck: excess and speed of its decay by motor from 0; the file's where it is not given.
        lead: by how much torques are recorded before they act (s).
        filtered: columns of the same motion (T, R, k), where they are known; only losses depend on torques.
    """
    columns = measured.columns
    rate = 1.0 / float(np.median(np.diff(measured.t)))
    given = _shifted(measured.t, measured.torque, lead)
    torque = low_passed(given, cutoff, rate)
    loss = _losses(model, torque - columns.rotor_torque, measured.qd)
    friction = _known_friction(model, unknowns, measured.qd)
    left = _to_rows(model, columns, (given - columns.rotor_torque) / loss - friction) - columns.torque
    if filtered is None or model.motors.lossy:
        parts = [_column(model, one, columns, measured.qd, loss, stribeck or {}) for one in unknowns]
        whole = np.stack(parts, axis=-1) if parts else np.zeros((*left.shape, 0))
        filtered = low_passed(whole, cutoff, rate)
    slope = _to_rows(model, columns, derivative(measured.t, torque, 1) / loss)
    return Rows(
        measured.t,
        low_passed(left, cutoff, rate),
        filtered,
        _counted(model, measured.qd, edge_of(cutoff, rate), math.ceil(REVERSAL * rate / cutoff)),
        _to_rows(model, columns, torque / loss),
        slope,
        edge_of(cutoff, rate),
    )


def ideal_columns(model: Model, unknowns: Sequence[Unknown], columns: Columns) -> tuple[np.ndarray, np.ndarray]:
    """Columns of the unknowns (T, R, k) along an exact motion without losses, and which rows count (T, R).

    Args:
        unknowns: what is identified.
        columns: its columns along the motion.
    """
    rates = columns.rates
    parts = [_column(model, one, columns, rates, np.ones_like(rates), {}) for one in unknowns]
    return np.stack(parts, axis=-1), _counted(model, rates, 0, 0)


def _shifted(t: np.ndarray, torque: np.ndarray, lead: float) -> np.ndarray:
    """Torques at the times at which they act."""
    if lead == 0.0:
        return torque
    from scipy.interpolate import CubicSpline

    return np.asarray(CubicSpline(t, torque)(np.clip(t - lead, t[0], t[-1])))


def _losses(model: Model, passing: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """What gearboxes multiply a joint's torque by at the motor (T, n), by the side on which they work."""
    efficiency = model.motors.efficiency
    return np.where(passing * rates >= 0.0, 1.0 / efficiency, efficiency)


def _known_friction(model: Model, unknowns: Sequence[Unknown], rates: np.ndarray) -> np.ndarray:
    """Friction that the file states (T, n), N m, where none is identified."""
    motors = model.motors
    if any(one.name.startswith("friction.") for one in unknowns):
        return np.zeros_like(rates)
    return motors.dry(rates) * np.sign(rates) + motors.viscous * rates


def _to_rows(model: Model, columns: Columns, torque: np.ndarray) -> np.ndarray:
    """Torques at the joints (T, n) as rows: themselves, or the task forces of a redundant robot."""
    return np.einsum("tij,ti->tj", columns.jacobian, torque) if model.robot.redundant else torque


def _column(
    model: Model,
    unknown: Unknown,
    columns: Columns,
    rates: np.ndarray,
    loss: np.ndarray,
    stribeck: Mapping[int, Stribeck],
) -> np.ndarray:
    """The column of an unknown (T, R)."""
    if unknown.name in columns.paths:
        k = columns.paths.index(unknown.name)
        return columns.rest[..., k] + _to_rows(model, columns, columns.rotors[..., k] / loss)
    _, kind, number = unknown.name.split(".")
    i = int(number) - 1
    alone, rate = np.zeros_like(rates), rates[:, i]
    known = stribeck.get(i, Stribeck(0.0, float(model.motors.stribeck_speed[i])))
    relative = (rate / known.speed) ** 2
    decay = np.exp(-relative) * np.sign(rate)
    # The speed of the decay is no linear number: its column is the derivative at the speed that is known so far.
    alone[:, i] = {
        "coulomb": lambda: np.sign(rate),
        "viscous": lambda: rate,
        "stribeck": lambda: decay,
        "stribeck_speed": lambda: known.excess * decay * 2.0 * relative / known.speed,
    }[kind]()
    return _to_rows(model, columns, alone)


def _counted(model: Model, rates: np.ndarray, edge: int, around: int) -> np.ndarray:
    """Rows that count (T, R): away from the ends, and where the joint (of a redundant robot every joint) moves.

    Args:
        rates: joint rates (T, n), rad/s.
        edge: samples at either end that do not count.
        around: samples before and after a slow joint that do not count.
    """
    from scipy.ndimage import binary_dilation

    largest = np.abs(rates).max(axis=0)
    slow = np.abs(rates) <= np.maximum(SLOW * largest, STILL)
    if around:
        slow = binary_dilation(slow, np.ones((2 * around + 1, 1), dtype=bool))
    moving = np.logical_not(slow)
    if model.robot.redundant:
        moving = np.repeat(moving[:, largest > STILL].all(axis=1, keepdims=True), model.robot.dof, axis=1)
    moving[:edge] = False
    moving[len(moving) - edge :] = False
    return moving
