"""What an answer rests on: requirements, where along a task they are nearest to their limits, quantities over time."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Protocol, final

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
            samples: the motion.
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
@dataclass(frozen=True)
class Finding:
    """One requirement, and whether it is met.

    Attributes:
        name: the quantity, such as "motor torque, peak".
        value: its worst value (SI).
        limit: what it must not exceed, or fall below where `floor`; None where nothing limits it.
        unit: unit of both; empty for margins and ratios.
        ok: whether the requirement is met.
        text: the requirement in words with its numbers and its place.
        place: where the worst is.
        floor: whether `limit` is a lower bound (slack, margin) instead of an upper one.
        brief: the same in few words without the place, as a verdict quotes it; the whole text if empty.
        motor: which motor a requirement without a place is about, from 1; 0 for none.
        label: what people read instead of the name, such as "motor force, peak" of linear motors; the name if empty.
    """

    name: str
    value: float
    limit: float | None
    unit: str
    ok: bool
    text: str
    place: Place | None = None
    floor: bool = False
    brief: str = ""
    motor: int = 0
    label: str = ""

    @property
    def whose(self) -> str:
        """The motor or leg that it is about, such as "leg 2"; empty where it is a property of all."""
        return self.place.whose if self.place is not None else f"motor {self.motor}" if self.motor else ""

    @property
    def title(self) -> str:
        """What people read: the label, or the name where there is none."""
        return self.label or self.name

    @property
    def use(self) -> float | None:
        """Share of an upper limit that is used; None without one."""
        return abs(self.value) / self.limit if self.limit and not self.floor else None

    def to_dict(self) -> dict[str, Any]:
        """The requirement as plain values, with the share of its limit that is used."""
        return {**asdict(self), "use": self.use}


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
    """

    name: str
    unit: str
    t: np.ndarray
    values: np.ndarray
    labels: tuple[str, ...]
    limits: dict[str, float] = field(default_factory=dict)
