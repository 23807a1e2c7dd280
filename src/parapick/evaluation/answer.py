"""What an evaluation answers: a verdict that rests on findings, and sections of tables and series.

These are plain values. The command line prints them, the report draws them, JSON carries them; none of them asks a
section where its numbers come from.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, final

import numpy as np

if TYPE_CHECKING:
    from parapick.errors import Doubt
    from parapick.model import Model
    from parapick.motion import Motion, Samples

__all__ = ["Cell", "Evaluation", "Finding", "Place", "Section", "Series", "Table", "Verdict"]

Cell = str | float | int | bool | None
"""What a table holds: numbers stay numbers (SI), so that JSON and the report can format them each in its way."""


@final
@dataclass(frozen=True)
class Place:
    """Where along a task something happens.

    Attributes:
        time: when (s).
        pose: task vector there (m, rad).
        motor: which motor or leg, from 1; 0 where it is a property of all.
    """

    time: float
    pose: tuple[float, ...]
    motor: int = 0

    @classmethod
    def of(cls, samples: Samples, index: int, motor: int = 0) -> Place:
        """Where a sample is.

        Args:
            samples: the motion.
            index: of the sample.
            motor: which motor or leg it is about, from 1; 0 for none.
        """
        return cls(float(samples.t[index]), tuple(samples.x[index].tolist()), motor)


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
        brief: the same in few words without the place, as the verdict quotes it; the whole text if empty.
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

    @property
    def use(self) -> float | None:
        """Share of an upper limit that is used; None without one."""
        return abs(self.value) / self.limit if self.limit and not self.floor else None


@final
@dataclass(frozen=True)
class Table:
    """A table of numbers and texts.

    Attributes:
        title: what it shows, as a phrase.
        heads: column heads without units.
        units: unit of every column (SI as stored); empty for texts and ratios.
        rows: the cells.
        note: what a reader must know to read it; may be empty.
    """

    title: str
    heads: tuple[str, ...]
    units: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""

    @property
    def records(self) -> tuple[dict[str, Cell], ...]:
        """The rows, each by the heads of its columns."""
        return tuple(dict(zip(self.heads, row, strict=True)) for row in self.rows)


@final
@dataclass(frozen=True, eq=False)
class Series:
    """Quantities along the task, for figures and CSV.

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


@final
@dataclass(frozen=True, eq=False)
class Section:
    """One part of an evaluation.

    Attributes:
        key: its name, the file's name in `parapick.evaluation.sections`.
        title: its heading.
        findings: requirements it checks; the verdict rests on all of them.
        tables: what it found.
        series: quantities along the task.
        notes: sentences that a reader should know.
        left_out: what could not be looked at or found, and why, each as a sentence without its subject.
        data: plain values (dict, list, str, numbers) for JSON beside the tables; empty if the tables say it all.
    """

    key: str
    title: str
    findings: tuple[Finding, ...] = ()
    tables: tuple[Table, ...] = ()
    series: tuple[Series, ...] = ()
    notes: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    data: dict[str, object] = field(default_factory=dict)


@final
@dataclass(frozen=True)
class Verdict:
    """The answer in one line.

    Attributes:
        ok: whether every requirement is met.
        text: one line: yes with the tightest requirement and what is in reserve, or no with what breaks first, where
            and by how much.
        limiting: the finding it rests on; None where nothing limits the task.
    """

    ok: bool
    text: str
    limiting: Finding | None


@final
@dataclass(frozen=True, eq=False)
class Evaluation:
    """A robot, a task, and what came out.

    Attributes:
        model: the robot, with the payload it was evaluated with.
        task: the task's name.
        title: the task in words.
        motion: the plate's motion; None where a corner of the task is out of reach, so that there is none.
        samples: the motion sampled as it was looked at; None without a motion.
        verdict: the answer.
        sections: its parts, in the order of the report.
    """

    model: Model
    task: str
    title: str
    motion: Motion | None
    samples: Samples | None
    verdict: Verdict
    sections: tuple[Section, ...]

    def __getitem__(self, key: str) -> Section:
        """A section by its key."""
        for section in self.sections:
            if section.key == key:
                return section
        raise KeyError(f"no section {key!r}; there are {', '.join(section.key for section in self.sections)}")

    @cached_property
    def doubts(self) -> tuple[Doubt, ...]:
        """What is doubtful about the robot's numbers, on which all answers rest."""
        from parapick.model import all_doubts

        return all_doubts(self.model)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every requirement that was checked."""
        return tuple(finding for section in self.sections for finding in section.findings)
