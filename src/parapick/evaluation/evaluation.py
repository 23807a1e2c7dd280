"""What an evaluation is: a verdict that rests on requirements, and sections that are answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, final

from parapick.answer import FORMAT, Answer, Requirement, Table, finite
from parapick.mechanism import NOTHING

if TYPE_CHECKING:
    from parapick.errors import Doubt
    from parapick.evaluation.paces import Paces
    from parapick.model import Model
    from parapick.motion import Motion
    from parapick.ride import Samples
    from parapick.simulation import Record
    from parapick.tasks import Task


@final
@dataclass(frozen=True)
class Verdict:
    """The answer in one line.

    Attributes:
        ok: whether every requirement is met.
        text: one line: yes with the tightest requirement and what is in reserve, or no with what breaks first, where
            and by how much.
        limiting: the requirement it rests on; None where nothing limits the task.
    """

    ok: bool
    text: str
    limiting: Requirement | None


@final
@dataclass(frozen=True, eq=False)
class Evaluation:
    """A robot, a task, and what came out.

    Attributes:
        model: the robot, with the payload that was asked for, if any.
        task: the task's name.
        title: the task in words.
        motion: the plate's motion; None where a corner of the task is out of reach, so that there is none.
        samples: the samples of the motion that the sections rest on; None without a motion.
        verdict: the answer.
        sections: its parts, in the order of the report.
        loops: the task in closed loop, by the name of the controller; none where that was not asked for.
        settings: what was set otherwise than the files of robot and task state it, by its path, as it was written.
        paces: how fast the task can be done each way; None where that was not computed, or without a motion.
        work: the task itself; None where a motion was given.
    """

    model: Model
    task: str
    title: str
    motion: Motion | None
    samples: Samples | None
    verdict: Verdict
    sections: tuple[Answer, ...]
    loops: Mapping[str, Record] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    paces: Paces | None = None
    work: Task | None = None

    def __getitem__(self, key: str) -> Answer:
        """A section by its key."""
        for section in self.sections:
            if section.key == key:
                return section
        raise KeyError(f"no section {key!r}; there are {', '.join(section.key for section in self.sections)}")

    @property
    def ok(self) -> bool:
        """Whether the robot can do the task: every requirement is met."""
        return self.verdict.ok

    def answer(self) -> Answer:
        """The verdict, every requirement, and all tables; each is named by its section and itself: "torque.motors"."""
        tables = (
            replace(table, name=f"{section.key}.{table.name}") for section in self.sections for table in section.tables
        )
        notes = tuple(note for section in self.sections for note in section.notes)
        return Answer("evaluate", self.verdict.text, self.findings, tuple(tables), notes=notes)

    def table(self, name: str) -> Table:
        """A table of a section.

        Args:
            name: names of the section and of its table, such as "torque.motors".
        """
        return self.answer().table(name)

    def to_dict(self, *, series: bool = False) -> dict[str, Any]:
        """The evaluation as dicts, lists, texts and numbers, None in the place of NaN and infinity.

        Args:
            series: whether the quantities along the task are given too; they are long.
        """
        verdict, motion = self.verdict, self.motion
        carried = () if motion is None else motion.payload
        values = {
            "format": FORMAT,
            "answer": "evaluate",
            "ok": verdict.ok,
            "headline": verdict.text,
            "robot": self.model.robot.name,
            "working_mode": asdict(self.model.working_mode),
            "task": self.task,
            "title": self.title,
            "settings": dict(self.settings),
            "duration": None if motion is None else motion.duration,
            "gripper": asdict(self.model.gripper),
            "payload": [{"time": step.time, **asdict(step.load or NOTHING)} for step in carried],
            "verdict": {
                "ok": verdict.ok,
                "text": verdict.text,
                "limiting": None if verdict.limiting is None else verdict.limiting.to_dict(),
            },
            "doubts": [asdict(doubt) for doubt in self.doubts],
        }
        return {**finite(values), "sections": {part.key: part.to_dict(series=series) for part in self.sections}}

    def __repr__(self) -> str:
        return f"<Evaluation {self.verdict.text}>"

    def _repr_html_(self) -> str:
        parts = "".join(section._repr_html_() for section in self.sections)
        return f"<p><strong>{escape(self.verdict.text)}</strong></p>\n{parts}"

    @cached_property
    def doubts(self) -> tuple[Doubt, ...]:
        """What is doubtful about the robot's numbers, on which all answers rest."""
        from parapick.model import all_doubts

        return all_doubts(self.model)

    @property
    def findings(self) -> tuple[Requirement, ...]:
        """Every requirement that was checked."""
        return tuple(requirement for section in self.sections for requirement in section.findings)
