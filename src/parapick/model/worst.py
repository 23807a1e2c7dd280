"""The worst of a quantity along a motion: what it is, against which limit, when and where."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal, final

from parapick.errors import MotionError
from parapick.mechanism.drive import SLIDING, TURNING
from parapick.model.extremes import LIMIT_SLACK, TOUCH

WorstKind = Literal["slack", "margin", "speed", "torque"]
"""What is compared: a slack that must not be negative, a margin that must not vanish, or a load of a motor."""

UNBOUNDED: Final = "unbounded, the pose is singular"
"""What is said of a speed or torque where the robot can be and has none."""


@final
@dataclass(frozen=True)
class Worst:
    """The worst value of one quantity along a motion.

    Attributes:
        name: the quantity: slack of a name of `SLACKS` or `STATED`, such as "leg" or "workspace"; margin of a name of
            `MARGIN_KINDS`, such as "over-mobility"; "joint speed"; "motor torque".
        kind: whether that is a slack, a margin, a speed or a torque.
        value: its worst value: the smallest slack or margin, the speed or torque nearest to its limit; NaN where the
            robot can be but no finite speed or torque moves it.
        unit: its unit; empty for margins.
        limit: what it must not fall below (0 of slacks, next to 0 of margins) or exceed (speed, torque); None without a
            limit.
        leg: which leg, from 1; 0 where it is a property of all.
        time: when (s).
        pose: task vector there (m, rad).
    """

    name: str
    kind: WorstKind
    value: float
    unit: str
    limit: float | None
    leg: int
    time: float
    pose: tuple[float, ...]

    @property
    def title(self) -> str:
        """What the quantity is called in full, such as "leg slack"; a linear motor gives a force."""
        if self.kind == "torque" and self.unit == SLIDING.effort:
            return self.name.replace(TURNING.word, SLIDING.word)
        return f"{self.name} {self.kind}" if self.floor else self.name

    @property
    def floor(self) -> bool:
        """Whether the limit is a lower one, as of slacks and margins."""
        return self.kind in ("slack", "margin")

    @property
    def use(self) -> float | None:
        """Share of the limit that is used, for speed and torque with a limit; otherwise None."""
        return abs(self.value) / self.limit if self.limit and not self.floor else None

    @property
    def ok(self) -> bool:
        """Whether the limit holds; what is not finite holds none, stated or not."""
        if math.isnan(self.value):
            return False
        if self.limit is None:
            return True
        if self.floor:
            return self.value >= self.limit - (TOUCH if self.kind == "slack" else 0.0)
        return abs(self.value) <= self.limit * (1.0 + LIMIT_SLACK)

    def __str__(self) -> str:
        place = f"at {self.time:.4g} s, pose ({', '.join(f'{value:.4g}' for value in self.pose)})"
        if math.isnan(self.value):
            return f"{self.title}: {UNBOUNDED}, {place}"
        leg = f" of leg {self.leg}" if self.leg else ""
        value = f"{self.value:.4g}{f' {self.unit}' if self.unit else ''}"
        limit = "" if self.limit is None else f", limit {self.limit:.4g} {self.unit},"
        if self.floor:
            limit = ", negative is what is missing," if self.value < 0.0 else "" if self.ok else ", singular,"
        return f"{self.title}{leg}: {value}{limit} {place}"


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
class UnfollowableError(MotionError):
    """A robot cannot follow a motion.

    Attributes:
        worst: every quantity that breaks its limit.
        problems: the same in words.
    """

    def __init__(self, worst: tuple[Worst, ...]) -> None:
        self.worst = worst
        self.problems = tuple(map(str, worst))
        super().__init__("the robot cannot follow the motion: " + "; ".join(self.problems))
