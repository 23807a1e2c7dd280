"""Whether a robot can follow a motion: reach, margins, joint speed and torque, each where it is worst."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

import numpy as np

from parapick.errors import MissingMassError
from parapick.motion.errors import MotionError, UnfollowableError
from parapick.motion.fit import LIMIT_SLACK
from parapick.motion.series import Samples

if TYPE_CHECKING:
    from parapick.mechanism.drive import Drive
    from parapick.model import Model
    from parapick.motion.motion import Motion

__all__ = ["TOUCH", "Followed", "Worst", "follow"]

TOUCH: Final = 1e-12
"""A limit of reach met to this distance (m, rad) is kept: a motion to the very limit overshoots it by rounding."""


@final
@dataclass(frozen=True)
class Worst:
    """The worst value of one quantity along a motion.

    Attributes:
        name: the quantity: slack of "leg", "joint", "elbow", "cone", "yaw" or "clearance"; margin of "under-mobility",
            "over-mobility" or "internal"; "joint speed"; "motor torque".
        value: its worst value: the smallest slack or margin, the speed or torque nearest to its limit.
        unit: its unit; empty for margins.
        limit: what it must not fall below (0, of slacks and margins) or exceed (speed, torque); None without a limit.
        leg: which leg, from 1; 0 where it is a property of all.
        time: when (s).
        pose: task vector there (m, rad).
    """

    name: str
    value: float
    unit: str
    limit: float | None
    leg: int
    time: float
    pose: tuple[float, ...]

    @property
    def use(self) -> float | None:
        """Share of the limit that is used, for speed and torque with a limit; otherwise None."""
        return abs(self.value) / self.limit if self.limit else None

    @property
    def ok(self) -> bool:
        """Whether the limit holds."""
        if self.limit is None:
            return True
        return self.value >= -TOUCH if self.limit == 0.0 else abs(self.value) <= self.limit * (1.0 + LIMIT_SLACK)

    def __str__(self) -> str:
        place = f"at {self.time:.4g} s, pose ({', '.join(f'{value:.4g}' for value in self.pose)})"
        leg = f" of leg {self.leg}" if self.leg else ""
        value = f"{self.value:.4g}{f' {self.unit}' if self.unit else ''}"
        if self.limit == 0.0:
            kind = "slack" if self.unit else "margin"
            missing = ", negative is what is missing," if self.value < 0.0 else ""
            return f"{self.name} {kind}{leg}: {value}{missing} {place}"
        limit = "" if self.limit is None else f", limit {self.limit:.4g} {self.unit},"
        return f"{self.name}{leg}: {value}{limit} {place}"


@final
@dataclass(frozen=True)
class Followed:
    """What following a motion asks of a robot.

    Attributes:
        worst: the worst of every quantity there is, reach first, then margins, speed and torque.
        left_out: what could not be looked at, and why.
    """

    worst: tuple[Worst, ...]
    left_out: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Worst:
        """The worst of one quantity by its name."""
        for worst in self.worst:
            if worst.name == name:
                return worst
        raise MotionError(f"no quantity {name!r}; there are {', '.join(worst.name for worst in self.worst)}")

    @property
    def ok(self) -> bool:
        """Whether the robot can follow: it reaches every pose and keeps its limits."""
        return not self.problems

    @property
    def problems(self) -> tuple[str, ...]:
        """What stands against it, each with time and pose."""
        return tuple(str(worst) for worst in self.worst if not worst.ok)

    def raise_if_not(self) -> None:
        """Raise `UnfollowableError` if the robot cannot follow."""
        if not self.ok:
            raise UnfollowableError(self.problems)


def follow(motion: Motion, model: Model, rate: float = 4000.0) -> Followed:
    """Look at a motion with a robot.

    A motion that carries a payload somewhere is computed with it; otherwise the model's own payload holds. A redundant
    robot shares its torques by least norm.

    Args:
        motion: the motion.
        model: the robot.
        rate: samples a second (Hz); both sides of every corner are added.

    Raises:
        MotionError: the robot has another number of coordinates.
    """
    if motion.dof != model.robot.dof:
        raise MotionError(
            f"the motion has {motion.dof} coordinates; {model.robot.name} has {model.robot.dof}: "
            f"{', '.join(model.robot.task_names)}"
        )
    samples = motion.sample(rate, corners=True)
    worst = [*_reaches(model, samples), *_margins(model, samples), *_speeds(model, samples)]
    left_out = ()
    try:
        worst += _torques(motion, model, samples)
    except MissingMassError as error:
        left_out = (f"motor torque: {error}",)
    return Followed(tuple(worst), left_out)


def _reaches(model: Model, samples: Samples) -> Iterator[Worst]:
    reach = model.reach(samples.x)
    kinds = (
        ("leg", reach.legs, "m"),
        ("joint", reach.joints, "rad"),
        ("elbow", reach.elbow, "rad"),
        ("cone", reach.cone, "rad"),
        ("yaw", reach.yaw[:, None], "rad"),
        ("clearance", reach.clearance[:, None], "m"),
    )
    for name, slack, unit in kinds:
        if np.isfinite(slack).any():
            yield _smallest(name, slack, unit, samples)


def _margins(model: Model, samples: Samples) -> Iterator[Worst]:
    under, over, internal = model.margins(samples.x)
    for name, margin in (("under-mobility", under), ("over-mobility", over), ("internal", internal)):
        if np.isfinite(margin).any():
            yield _smallest(name, margin[:, None], "", samples)


def _speeds(model: Model, samples: Samples) -> Iterator[Worst]:
    limits = [
        math.inf if drive is None or drive.peak_speed is None else drive.peak_speed / drive.ratio
        for drive in _drives(model)
    ]
    rates = model.joint_rates(samples.x, samples.xd)
    if np.isfinite(rates).any():
        yield _largest("joint speed", rates, "rad/s", limits, samples)


def _torques(motion: Motion, model: Model, samples: Samples) -> list[Worst]:
    """Motor-side torques, with friction and efficiency, against the peak torque of the drives."""
    torques = np.full((len(samples.t), model.robot.motors), np.nan)
    for mass in np.unique(samples.payload):
        here = samples.payload == mass
        loaded = model.with_payload(float(mass)) if motion.payload else model
        torques[here] = loaded.drive_torque(samples.x[here], samples.xd[here], samples.xdd[here]).torque
    limits = [math.inf if drive is None or drive.peak_torque is None else drive.peak_torque for drive in _drives(model)]
    return [_largest("motor torque", torques, "N m", limits, samples)] if np.isfinite(torques).any() else []


def _drives(model: Model) -> list[Drive | None]:
    """The drive of every leg."""
    robot = model.robot
    return [robot.drive] * robot.arms + [robot.plate.drive] * (robot.motors - robot.arms)


def _smallest(name: str, values: np.ndarray, unit: str, samples: Samples) -> Worst:
    """Smallest slack or margin over all instants and legs, NaN left aside."""
    index, leg = np.unravel_index(int(np.nanargmin(values)), values.shape)
    one = values.shape[1] == 1
    return _worst(name, float(values[index, leg]), unit, 0.0, 0 if one else int(leg) + 1, int(index), samples)


def _largest(name: str, values: np.ndarray, unit: str, limits: list[float], samples: Samples) -> Worst:
    """Value nearest to, or furthest above, its leg's limit; where no leg has one, the largest of all."""
    scale = np.array(limits) if np.isfinite(limits).any() else np.ones(len(limits))
    index, leg = np.unravel_index(int(np.nanargmax(np.abs(values) / scale)), values.shape)
    limit = float(limits[leg]) if math.isfinite(limits[leg]) else None
    return _worst(name, float(values[index, leg]), unit, limit, int(leg) + 1, int(index), samples)


def _worst(name: str, value: float, unit: str, limit: float | None, leg: int, index: int, samples: Samples) -> Worst:
    return Worst(name, value, unit, limit, leg, float(samples.t[index]), tuple(samples.x[index].tolist()))
