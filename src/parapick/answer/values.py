"""What an answer shows: where along a task something happens, and quantities over time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol, final

import numpy as np

from parapick.answer.words import pose_text


class Sampled(Protocol):
    """A sampled motion, as far as places need it."""

    @property
    def t(self) -> np.ndarray:
        """Instants (T,), s."""
        ...

    @property
    def x(self) -> np.ndarray:
        """Poses (T, dof), m and rad."""
        ...


@final
@dataclass(frozen=True)
class Place:
    """Where along a task something happens.

    Attributes:
        time: when (s).
        pose: task vector there (m, rad).
        motor: which motor or leg, from 1; 0 where it is a property of all.
        part: what it is a number of: "motor" or "leg".
    """

    time: float
    pose: tuple[float, ...]
    motor: int = 0
    part: str = "motor"

    @classmethod
    def of(cls, samples: Sampled, index: int, motor: int = 0, part: str = "motor") -> Place:
        """Where a sample is.

        Args:
            index: of the sample.
            motor: which motor or leg it is about, from 1; 0 for none.
            part: whether that is a "motor" or a "leg".
        """
        return cls(float(samples.t[index]), tuple(samples.x[index].tolist()), motor, part)

    @property
    def whose(self) -> str:
        """The motor or leg, such as "leg 2"; empty where it is a property of all."""
        return f"{self.part} {self.motor}" if self.motor else ""

    def __str__(self) -> str:
        return f"at {self.time:.4g} s, {pose_text(self.pose)}"


@final
@dataclass(frozen=True, eq=False)
class Series:
    """Quantities along a task, for figures and CSV.

    Attributes:
        name: what it is, such as "motor torque".
        unit: unit of the values (SI).
        t: instants (T,), s.
        values: (T, k).
        labels: name of each of the k columns.
        limits: named limits, such as {"peak": 90.0, "rated": 45.0}; drawn at both signs where values have both.
        since: what the instants count from, such as "the stop"; the start of the task if empty.
        sided: whether each limit holds for its own sign only, as the pull and the push of a rod do.
    """

    name: str
    unit: str
    t: np.ndarray
    values: np.ndarray
    labels: tuple[str, ...]
    limits: dict[str, float] = field(default_factory=dict)
    since: str = ""
    sided: bool = False
