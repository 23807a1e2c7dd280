"""Motions that the drives keep up: run slower as a whole until every sum over the cycle keeps its limit.

A motion that is repeated without a rest heats its motors by their effective torque, and by their speed where the file
states continuous torques over it. The means of gearboxes, the temperature of windings and the voltage of the bus count
where the file limits them: all are those of `motors.DriveCycle`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from parapick.model import Model
from parapick.motion import Motion
from parapick.motors import HEAT, CycleLoads, Motors, TorqueLimit, cycle_kinds
from parapick.ride import Ride
from parapick.timing.errors import CycleLimitError, OverheatingError
from parapick.timing.turning import turning

_LOOKS: Final = 500.0
"""Samples of a motion from which its sums are found; corners and reversals are added."""

_SLOWEST: Final = 1e-3
"""A motion at this share of its pace is at rest: a torque that is still too large is that of gravity."""


class Endurance(NamedTuple):
    """A motion that the drives keep up.

    Attributes:
        motion: the motion, slowed as a whole where it must be.
        decides: the sum over the cycle that allows no faster one, by the name of its requirement; empty where the
            motion is as it was.
    """

    motion: Motion
    decides: str = ""


def enduring(model: Model, motion: Motion, *, rated: TorqueLimit = "rated") -> Motion:
    """The motion, run slower as a whole until every sum over the cycle keeps its limit; see `endurance`.

    Args:
        model: the robot, with masses.
        motion: a motion that is repeated without a rest.
        rated: as for `endurance`.

    Raises:
        OverheatingError: no motion is slow enough: a motor is too hot when it holds the plate.
        CycleLimitError: the same for another sum over the cycle.
        ParameterError: a rating that the file does not state, or numbers that no motor can keep.
    """
    return endurance(model, motion, rated=rated).motion


def endurance(model: Model, motion: Motion, *, rated: TorqueLimit = "rated") -> Endurance:
    """The motion, run slower as a whole until every sum over the cycle keeps its limit, and which of them decides.

    The motion itself where all do.

    Args:
        model: the robot, with masses.
        motion: a motion that is repeated without a rest.
        rated: "rated" for the continuous torque of the drives, over their speed where the file states it; numbers (N m,
            at the motor, one or one per motor), or None to leave heat aside.

    Raises:
        OverheatingError: no motion is slow enough: a motor is too hot when it holds the plate.
        CycleLimitError: the same for another sum over the cycle.
        ParameterError: a rating that the file does not state, or numbers that no motor can keep.
    """
    if rated is None and all(kind is HEAT for kind in cycle_kinds(model.motors)):
        return Endurance(motion)
    return endurance_under(model, motion, borne(model.motors, rated))


def borne(motors: Motors, rated: TorqueLimit) -> np.ndarray:
    """Torque at rest whose heat every motor bears for long (n,), N m, at the shaft; infinite without a limit.

    Args:
        motors: the motors.
        rated: as for `endurance`; "rated" is no error where the file limits other sums over the cycle alone.

    Raises:
        ParameterError: a rating that the file does not state, or numbers that no motor can keep.
    """
    return motors.continuous_torque if rated == "rated" and cycle_kinds(motors) else motors.continuous(rated)


def endurance_under(model: Model, motion: Motion, limit: np.ndarray) -> Endurance:
    """As `endurance`, under torques at rest whose heat the motors bear.

    Args:
        model: the robot, with masses.
        motion: a motion that is repeated without a rest.
        limit: the torques (n,), N m, at the shafts; infinite without a limit.

    Raises:
        OverheatingError: no motion is slow enough: a motor is too hot when it holds the plate.
        CycleLimitError: the same for another sum over the cycle.
    """
    ride = Ride.along(model, motion, _LOOKS / motion.duration)

    def loads(pace: float) -> dict[str, CycleLoads]:
        there = ride.sped_up(pace)
        sums = {one.kind.title: one for one in there.cycle_loads if one.kind is not HEAT}
        return {**sums, HEAT.title: CycleLoads(HEAT, there.heat_torque, limit)}

    if _excess(loads(1.0)) <= 0.0:
        return Endurance(motion)
    turn = turning(loads, _excess, 1.0, _SLOWEST, 1.0)
    if turn.kept == 0.0:
        raise _never(model, loads(_SLOWEST))
    return Endurance(motion.slowed(1.0 / turn.kept), _worst(turn.breaks or {})[0])


def _worst(sums: Mapping[str, CycleLoads]) -> tuple[str, float]:
    """The sum that uses most of its limit, by name, and the share; nothing of it where there is none."""
    shares = {title: float(one.shares.max()) for title, one in sums.items()}
    title = max(shares, key=lambda name: shares[name], default="")
    return title, shares.get(title, 0.0)


def _excess(sums: Mapping[str, CycleLoads]) -> float:
    return math.log(max(_worst(sums)[1], np.finfo(float).tiny))


def _never(model: Model, sums: Mapping[str, CycleLoads]) -> OverheatingError | CycleLimitError:
    """What is too much at next to no speed."""
    title, _ = _worst(sums)
    part = int(np.argmax(sums[title].shares))
    value, limit = float(sums[title].values[part]), float(sums[title].limits[part])
    unit = sums[title].kind.unit or model.motors.axes[part].effort
    if title == HEAT.title:
        return OverheatingError(part + 1, value, limit, unit)
    return CycleLimitError(title, value, limit, unit)
