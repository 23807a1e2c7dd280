"""Whether a robot can follow a motion: reach, margins, joint speed and torque, each where it is worst."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

import numpy as np

from parapick.errors import MissingMassError
from parapick.motion.crossing import margins_along
from parapick.motion.errors import MotionError, UnfollowableError
from parapick.motion.extremes import first_largest, first_smallest
from parapick.motion.fitting import LIMIT_SLACK
from parapick.motion.loads import looked_at, motor_loads
from parapick.motion.series import Samples

if TYPE_CHECKING:
    from parapick.model import Model
    from parapick.motion.motion import Motion

__all__ = ["TOUCH", "Followed", "MotorWorst", "Worst", "follow"]

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
        limit: what it must not fall below (0 of slacks, next to 0 of margins) or exceed (speed, torque); None without a
            limit.
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
        return abs(self.value) / self.limit if self.limit and self.unit else None

    @property
    def ok(self) -> bool:
        """Whether the limit holds."""
        if self.limit is None:
            return True
        if not self.unit:
            return self.value >= self.limit
        return self.value >= -TOUCH if self.limit == 0.0 else abs(self.value) <= self.limit * (1.0 + LIMIT_SLACK)

    def __str__(self) -> str:
        place = f"at {self.time:.4g} s, pose ({', '.join(f'{value:.4g}' for value in self.pose)})"
        leg = f" of leg {self.leg}" if self.leg else ""
        value = f"{self.value:.4g}{f' {self.unit}' if self.unit else ''}"
        if self.limit == 0.0 or not self.unit:
            kind = "slack" if self.unit else "margin"
            missing = ", negative is what is missing," if self.value < 0.0 else "" if self.ok else ", singular,"
            return f"{self.name} {kind}{leg}: {value}{missing} {place}"
        limit = "" if self.limit is None else f", limit {self.limit:.4g} {self.unit},"
        return f"{self.name}{leg}: {value}{limit} {place}"


@final
@dataclass(frozen=True)
class MotorWorst:
    """The worst of one motor along a motion.

    Attributes:
        motor: which motor, from 1: that of its leg.
        speed: where its joint is fastest; None where the robot can be nowhere.
        torque: where it gives most; None without masses, or where the robot can be nowhere.
    """

    motor: int
    speed: Worst | None
    torque: Worst | None


@final
@dataclass(frozen=True)
class Followed:
    """What following a motion asks of a robot.

    Attributes:
        worst: the worst of every quantity there is, reach first, then margins, speed and torque: of the motor that
            comes nearest to its limit.
        left_out: what could not be looked at, and why.
        motors: the worst of every motor.
    """

    worst: tuple[Worst, ...]
    left_out: tuple[str, ...] = ()
    motors: tuple[MotorWorst, ...] = ()

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

    What the motion carries is added to what the model holds. A redundant robot shares its torques by least peak. Of
    several times at which a quantity is equally bad the first is reported.

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
    samples = looked_at(model, motion, rate)
    speeds, torques, left_out = _speeds(model, samples), [None] * model.robot.motors, ()
    try:
        torques = _torques(model, samples)
    except MissingMassError as error:
        left_out = (f"motor torque: {error}",)
    motors = tuple(MotorWorst(i + 1, *pair) for i, pair in enumerate(zip(speeds, torques, strict=True)))
    nearest = [worst for worst in (_nearest(speeds), _nearest(torques)) if worst is not None]
    return Followed((*_reaches(model, samples), *_margins(model, samples), *nearest), left_out, motors)


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
    from parapick.model.singularity import NEAR

    for name, margin in margins_along(model, samples.x).items():
        yield _smallest(name, margin[:, None], "", samples, NEAR)


def _speeds(model: Model, samples: Samples) -> list[Worst | None]:
    """The fastest of every joint, against the peak speed of the drives."""
    limits = _stated(model.motors.peak_speed / model.motors.ratio)
    return _largest("joint speed", model.joint_rates(samples.x, samples.xd), "rad/s", limits, samples)


def _torques(model: Model, samples: Samples) -> list[Worst | None]:
    """The largest torque of every motor, with friction and efficiency, against the peak torque of the drives."""
    limits = _stated(model.motors.peak_torque)
    return _largest("motor torque", motor_loads(model, samples).torque, "N m", limits, samples)


def _stated(limits: np.ndarray) -> list[float | None]:
    return [float(limit) if np.isfinite(limit) else None for limit in limits]


def _smallest(name: str, values: np.ndarray, unit: str, samples: Samples, limit: float = 0.0) -> Worst:
    """Smallest slack or margin over all instants and legs, NaN left aside."""
    index, leg = np.unravel_index(first_smallest(values), values.shape)
    one = values.shape[1] == 1
    return _worst(name, float(values[index, leg]), unit, limit, 0 if one else int(leg) + 1, int(index), samples)


def _largest(
    name: str, values: np.ndarray, unit: str, limits: Sequence[float | None], samples: Samples
) -> list[Worst | None]:
    """Largest magnitude of every motor, NaN left aside; None where there is nothing else."""
    found: list[Worst | None] = []
    for leg, limit in enumerate(limits):
        size = np.abs(values[:, leg])
        index = None if np.isnan(size).all() else first_largest(size)
        found.append(
            None if index is None else _worst(name, float(values[index, leg]), unit, limit, leg + 1, index, samples)
        )
    return found


def _nearest(found: Sequence[Worst | None]) -> Worst | None:
    """Of all motors the one nearest to, or furthest above, its limit; where none has one, that with the largest."""
    known = [worst for worst in found if worst is not None]
    if not known:
        return None
    limited = [worst for worst in known if worst.limit is not None] or known
    # Motors that are equally near: the one whose worst comes first, and of these the first.
    limited.sort(key=lambda worst: worst.time)
    return limited[first_largest(np.array([abs(worst.value) / (worst.limit or 1.0) for worst in limited]))]


def _worst(name: str, value: float, unit: str, limit: float | None, leg: int, index: int, samples: Samples) -> Worst:
    return Worst(name, value, unit, limit, leg, float(samples.t[index]), tuple(samples.x[index].tolist()))
