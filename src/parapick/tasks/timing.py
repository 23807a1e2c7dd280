"""Tasks whose way is run through as fast as the motors allow: what their motion is made with, and how it is timed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, final

from parapick.motion.errors import LimitError, MotionError
from parapick.motion.law import Law, law_of
from parapick.motion.motion import Motion
from parapick.timing import fastest_cycle

if TYPE_CHECKING:
    from parapick.model import Model

__all__ = ["Given", "TimedTask", "given_for", "timed_for"]


class TimedTask(Protocol):
    """A task with a law, limits and a timing."""

    @property
    def name(self) -> str:
        """Short name."""
        ...

    @property
    def timing(self) -> str:
        """By the law, or the fastest."""
        ...

    @property
    def law(self) -> Law | str:
        """Time law."""
        ...

    @property
    def v_max(self) -> float | None:
        """Largest speed (m/s)."""
        ...

    @property
    def a_max(self) -> float | None:
        """Largest acceleration (m/s2)."""
        ...

    @property
    def j_max(self) -> float | None:
        """Largest jerk (m/s3)."""
        ...


@final
@dataclass(frozen=True)
class Given:
    """What a motion is made with.

    One that will be timed by the motors is first made in a second, without limits: only its way counts. Where strokes
    overlap that is the way of equal accelerations.

    Attributes:
        fastest: whether it will be timed by the motors.
        law: time law.
        v_max: largest speed (m/s).
        a_max: largest acceleration (m/s2).
        j_max: largest jerk (m/s3).
    """

    fastest: bool
    law: Law | str
    v_max: float | None = None
    a_max: float | None = None
    j_max: float | None = None

    def duration(self, stated: float | None) -> float | None:
        """Duration one way (s).

        Args:
            stated: that of the task.
        """
        return 1.0 if self.fastest else stated

    def rate(self, stated: float | None, rests: Sequence[float]) -> float | None:
        """Cycles a minute.

        Args:
            stated: those of the task.
            rests: rests of a cycle (s).
        """
        return 60.0 / (2.0 + sum(rests)) if self.fastest else stated


def given_for(task: TimedTask, settling: Mapping[str, float | None]) -> Given:
    """What the motion of a task is made with.

    Args:
        task: the task.
        settling: fields of it that settle durations, which the fastest timing has no use for.

    Raises:
        LimitError: such a field is given all the same.
    """
    if task.timing == "law":
        return Given(False, task.law, task.v_max, task.a_max, task.j_max)
    for name, value in settling.items():
        if value is not None:
            raise LimitError(name, 'timing = "fastest" follows from the motors and the limits; leave this out')
    return Given(True, law_of("3-4-5") if task.law == "fastest" else task.law)


def timed_for(task: TimedTask, model: Model | None, motion: Motion) -> Motion:
    """The motion of a task with the timing it asks for.

    Args:
        task: the task.
        model: the robot.
        motion: its motion by the law.

    Raises:
        MotionError: no robot to follow the fastest timing from; and what `fastest_cycle` raises.
    """
    if task.timing == "law":
        return motion
    if model is None:
        raise MotionError(f'{task.name}: timing = "fastest" follows from a robot; give one')
    return fastest_cycle(model, motion, v_max=task.v_max, a_max=task.a_max, j_max=task.j_max)
