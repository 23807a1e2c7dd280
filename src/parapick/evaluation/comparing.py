"""Several robots on one task, side by side; also with drives of equal total torque."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np

from parapick.answer import FORMAT, Answer, Cell, Requirement, Table, at_least, at_most, columns, finite
from parapick.errors import MotionError, ParameterError
from parapick.evaluation.differences import differences_of, labels_of, same_notes
from parapick.evaluation.equal_torque import equalised, total_torque
from parapick.evaluation.evaluating import evaluate
from parapick.evaluation.evaluation import Evaluation
from parapick.evaluation.load_requirements import PEAK, RMS, SPEED
from parapick.evaluation.tasks import chosen_task, load_words, title_of
from parapick.inspection import sharing_words
from parapick.progress import Listener, tell
from parapick.ride import tool_ratio
from parapick.robots import RobotChoice, model_of
from parapick.tasks import TaskChoice

if TYPE_CHECKING:
    from parapick.mechanism import Load
    from parapick.model import Model
    from parapick.motion import Motion
    from parapick.tasks import Task

_WAYS: Final = ("own law", "fastest timing", "slowed timing")
_PAYLOAD: Final = "largest payload (kg)"
_BELT: Final = "largest belt rate, items per minute"

LARGEST: Final = (*(f"{way}, {unit} per minute" for unit in ("cycles", "picks") for way in _WAYS), _PAYLOAD, _BELT)
"""Rows of what is possible at most; to be printed rounded down, so that it is kept."""

_GROUPED: Final = {
    SPEED: ("joints", "speed_by_group"),
    PEAK: ("torque", "peak_by_group"),
    RMS: ("torque", "rms_by_group"),
}
"""Requirements of motors, and the section and its number that state them for each group of motors."""


_TIE: Final = 1e-9
"""Share by which durations that are equal but for rounding may differ."""


@final
@dataclass(frozen=True, eq=False)
class Comparison:
    """Robots side by side.

    Attributes:
        task: the task's name.
        title: the task in words.
        robots: names of the robots; variants of one robot are named by what differs, see `labels_of`.
        evaluations: one a robot; None where the task cannot be made for it.
        refused: why it cannot be made for a robot, one a robot; empty where it can.
        quantities: the table of quantities, one column a robot.
        differences: what differs between their descriptions, number by number.
        notes: what a reader must know, such as how drives were scaled.
        settings: what was set otherwise than the files of robots and task state it, by its path, as it was written.
    """

    task: str
    title: str
    robots: tuple[str, ...]
    evaluations: tuple[Evaluation | None, ...]
    refused: tuple[str, ...]
    quantities: Table
    differences: Table
    notes: tuple[str, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """Whether every robot can do the task."""
        return all(evaluation is not None and evaluation.verdict.ok for evaluation in self.evaluations)

    @property
    def headline(self) -> str:
        """How many of the robots can do the task, and which of them is fastest."""
        each = zip(self.robots, self.evaluations, strict=True)
        able = {name: evaluation for name, evaluation in each if evaluation is not None and evaluation.verdict.ok}
        # By the names of the columns: variants of a robot share its own name.
        durations = {name: duration for name, one in able.items() if (duration := _least_duration(one))}
        count = f"{len(able)} of {len(self.robots)} robots can do this"
        if not durations:
            return f"{'YES' if self.ok else 'NO'}: {count}"
        least = min(durations.values())
        quickest = [name for name, duration in durations.items() if duration <= least * (1.0 + _TIE)]
        words = f"{quickest[0]} is fastest" if len(quickest) == 1 else f"{' and '.join(quickest)} are equally fast"
        return f"{'YES' if self.ok else 'NO'}: {count}; {words}, {_pace_text(tuple(able.values()), least)}"

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The verdict on every robot."""
        each = zip(self.robots, self.refused, self.evaluations, strict=True)
        return tuple(
            f"NO: {robot} cannot do this: {reason}" if evaluation is None else _verdict(robot, evaluation)
            for robot, reason, evaluation in each
        )

    def answer(self) -> Answer:
        """The robots side by side; refused where one of them cannot do the task."""
        refusal = "; ".join(text for text in self.verdicts if text.startswith("NO"))
        return Answer(
            "compare", self.title, tables=(self.quantities, self.differences), notes=self.notes, refusal=refusal
        )

    def table(self, name: str) -> Table:
        """A table of the answer by its name.

        Args:
            name: its name, such as "quantities".
        """
        return self.answer().table(name)

    def _repr_html_(self) -> str:
        return self.answer()._repr_html_()

    def to_dict(self) -> dict[str, Any]:
        """The comparison as dicts, lists, texts and numbers, with the whole evaluation of every robot."""
        each = zip(self.robots, self.refused, self.evaluations, strict=True)
        robots = [
            {
                "robot": robot,
                "refused": reason or None,
                "evaluation": None if evaluation is None else evaluation.to_dict(),
            }
            for robot, reason, evaluation in each
        ]
        values = {"format": FORMAT, "answer": "compare", "ok": self.ok, "headline": self.headline}
        values |= {"task": self.task, "title": self.title}
        values["settings"] = dict(self.settings)
        tables = {table.name: finite(table.to_dict()) for table in (self.quantities, self.differences)}
        return {**values, "notes": list(self.notes), "tables": tables, "robots": robots}

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(self.robots)} on {self.task}>"


def _verdict(label: str, evaluation: Evaluation) -> str:
    """The verdict on a robot, with the name that tells it from its variants."""
    return evaluation.verdict.text.replace(f" {evaluation.model.robot.name} ", f" {label} ", 1)


def _least_duration(evaluation: Evaluation) -> float | None:
    """The shortest duration of a task (s), by its own law or the fastest timing; None where that was not computed."""
    paces = evaluation.paces
    known = () if paces is None else filter(None, (paces.own_law, paces.fastest))
    return min((pace.motion.duration for pace in known), default=None)


def compare(
    robots: Sequence[RobotChoice],
    task: TaskChoice | None = None,
    *,
    payload: Load | None = None,
    cycles_per_minute: float | None = None,
    sharing: str | None = None,
    equal_torque: bool = False,
    sections: Collection[str] | None = None,
    progress: Listener | None = None,
) -> Comparison:
    """Evaluate several robots on one task, each in the middle of its own workspace.

    Variants of one robot, which share its name, are told apart by the numbers that differ.

    Args:
        robots: two or more: models, names of shipped robots, or paths of files.
        task: as for `evaluate`; if not given, the Adept cycle in the first size and direction that fits all their
            workspaces.
        payload: what the tools hold beyond their grippers, in the place of what the task carries; as for `evaluate`.
        cycles_per_minute: cycles per minute, there and back, instead of those of the task.
        sharing: how the motors of redundant robots share, as for `evaluate`.
        equal_torque: give every robot drives with the total peak torque of the first one's.
        sections: keys of the sections to compute; all if not given.
        progress: called with the name of every robot before it is evaluated; what it raises ends the work.

    Raises:
        ParameterError: fewer than two robots, or drives that cannot be scaled.
        ParapickError: whatever `evaluate` raises for the robots' files and the task.
    """
    if len(robots) < 2:
        raise ParameterError("robots", f"{len(robots)} given; a comparison takes two or more")
    models = [model_of(robot) for robot in robots]
    notes: tuple[str, ...] = ()
    if equal_torque:
        models, notes = equalised(models)
    models = models if payload is None else [model.with_payload(payload) for model in models]
    models = models if sharing is None else [model.with_sharing(sharing) for model in models]
    chosen = chosen_task(task, models, cycles_per_minute)
    name, title = title_of(chosen, cycles_per_minute)
    names = labels_of(models)
    outcomes = []
    for done, (label, model) in enumerate(zip(names, models, strict=True)):
        tell(progress, label, done, len(models))
        outcomes.append(_evaluated(model, chosen, cycles_per_minute=cycles_per_minute, sections=sections))
    evaluations = [outcome if isinstance(outcome, Evaluation) else None for outcome in outcomes]
    if isinstance(outcomes[0], MotionError) and not any(evaluations):
        # The task can be made for none of them: as for one robot alone, that is no answer about robots.
        raise outcomes[0]
    refused = ["" if isinstance(outcome, Evaluation) else str(outcome) for outcome in outcomes]
    loads = dict(_loads(names, models, evaluations))
    if len(set(loads.values())) == 1:
        title = "; ".join(filter(None, (title, next(iter(loads.values())))))
    else:
        notes += (", ".join(f"{robot}: {words or 'no payload'}" for robot, words in loads.items()),)
    shared = zip(names, map(sharing_words, models), strict=True)
    notes += tuple(f"{robot}: {words}" for robot, words in shared if words)
    notes += (*_yaw_notes(models, evaluations), *same_notes(models, names))
    table = Table(
        "robots",
        "side by side",
        columns(("quantity", *names), ("",) * (len(names) + 1)),
        _rows(models, evaluations),
    )
    differences = differences_of(models, names)
    return Comparison(name, title, names, tuple(evaluations), tuple(refused), table, differences, notes)


def _loads(
    names: Sequence[str], models: Sequence[Model], evaluations: Sequence[Evaluation | None]
) -> Iterator[tuple[str, str]]:
    """What every tool holds along the task, by the robot's name."""
    for name, model, evaluation in zip(names, models, evaluations, strict=True):
        if evaluation is not None and evaluation.motion is not None:
            yield name, load_words(model, evaluation.motion)


def _evaluated(model: Model, task: Task | Motion, **options: Any) -> Evaluation | MotionError:
    """The evaluation of a robot, or why the task cannot be made for it: a robot without yaw cannot turn."""
    try:
        return evaluate(model, task, **options)
    except MotionError as error:
        return error


def _yaw_notes(models: Sequence[Model], evaluations: Sequence[Evaluation | None]) -> Iterator[str]:
    """What the yaw of a task is at the tools, where a gear or belt of a robot amplifies it."""
    turns = [_turn(known.samples.x) for known in evaluations if known is not None and known.samples is not None]
    amplified = {model.robot.name: tool_ratio(model) for model in models if tool_ratio(model) != 1.0}
    largest = max(turns, default=0.0)
    if amplified and largest > 0.0:
        turn = math.degrees(largest)
        tools = ", ".join(f"that of {name} {ratio * turn:.4g} deg" for name, ratio in amplified.items())
        yield (
            f"the yaw of a task is that of the plate, which turns by {turn:.4g} deg here; a gear or belt turns the "
            f"tool further: {tools}"
        )


def _turn(poses: np.ndarray) -> float:
    """Range of the yaw (rad) of poses (T, dof); 0 without yaw."""
    return float(np.ptp(poses[:, 3])) if poses.shape[1] > 3 else 0.0


def _rows(models: Sequence[Model], evaluations: Sequence[Evaluation | None]) -> tuple[tuple[Cell, ...], ...]:
    # Arms are compared with arms, and motors of the plate with such; their names differ where both are in the table.
    apart = any(model.robot.motors > model.robot.arms for model in models)
    amplified = any(tool_ratio(model) != 1.0 for model in models)
    columns = [
        _column(model, evaluation, apart=apart, amplified=amplified)
        for model, evaluation in zip(models, evaluations, strict=True)
    ]
    names: list[str] = []
    for column in columns:
        place = 0
        # What only some robots have is placed where they have it.
        for name in column:
            if name not in names:
                names.insert(place, name)
            place = names.index(name) + 1
    rows = [(name, *(column.get(name) for column in columns)) for name in names]
    return tuple(row for row in rows if any(cell is not None for cell in row[1:]))


def _column(model: Model, evaluation: Evaluation | None, *, apart: bool, amplified: bool) -> dict[str, Cell]:
    """What a robot says of every quantity; the order is that of the table."""
    unit = model.motors.torque_unit
    column: dict[str, Cell] = {
        "can do it": None if evaluation is None else evaluation.verdict.ok,
        "motors": model.robot.motors,
        "freedoms": model.robot.dof,
        "turns of the tool per turn of yaw": tool_ratio(model) if amplified and model.robot.dof == 4 else None,
        f"total peak torque of the arms ({unit})" if apart else f"total peak torque ({unit})": total_torque(model),
    }
    if evaluation is None:
        return column | {"can do it": False}
    for requirement in evaluation.findings:
        if requirement.name in _GROUPED:
            column |= _grouped(requirement, _stated(evaluation, *_GROUPED[requirement.name]), apart=apart)
            continue
        suffix = f" ({requirement.unit})" if requirement.unit else ""
        column[f"{requirement.name}{suffix}"] = requirement.value if requirement.floor else abs(requirement.value)
        if requirement.use is not None:
            column[f"{requirement.name}, share of its limit"] = requirement.use
    column |= _largest(evaluation)
    numbers = {
        "bus peak (W)": ("power", "bus_peak"),
        "energy drawn a cycle (J)": ("power", "energy_drawn"),
        f"peak torque per kg of payload ({unit})": ("improve", "peak_per_payload"),
        "plate joints, largest lateral force (N)": ("forces", "joint_lateral"),
        "plate joints, largest bending moment (N m)": ("forces", "joint_bending"),
    }
    return column | {name: _number(evaluation, section, key) for name, (section, key) in numbers.items()}


def _pace_text(able: Sequence[Evaluation], least: float) -> str:
    """The pace of the fastest robot: cycles or picks per minute, or the time of a task that is no cycle.

    Args:
        able: the evaluations of the robots that can do the task.
        least: shortest duration of the task (s).
    """
    paces = [evaluation.paces for evaluation in able if evaluation.paces is not None]
    if len(paces) < len(able) or not all(pace.cycle for pace in paces):
        return f"in {at_least(least)} s"
    items = paces[0].items
    return f"up to {at_most(60.0 * items / least)} {'picks ' if items > 1 else ''}per minute"


def _largest(evaluation: Evaluation) -> dict[str, Cell]:
    """Rows of what is possible at most, `LARGEST`, and how long each way takes where it is no cycle."""
    paces = evaluation.paces
    ways = [None] * 3 if paces is None else [paces.own_law, paces.fastest, paces.slowed]
    rows: dict[str, Cell] = {}
    for name, pace in zip(_WAYS, ways, strict=True):
        unit, items = ("cycles", 1) if paces is None else (paces.unit, paces.items)
        per_minute = None if pace is None else pace.per_minute
        rows[f"{name}, {unit} per minute"] = None if per_minute is None else items * per_minute
    rows[_PAYLOAD] = _number(evaluation, "capability", "largest_payload")
    rows["picks per minute"] = _number(evaluation, "pattern", "picks_per_minute")
    rows[_BELT] = _number(evaluation, "pattern", "largest_belt_rate")
    # A cycle is counted per minute; its duration says the same again.
    cycle = paces is not None and paces.cycle
    for name, pace in zip(_WAYS, ways, strict=True):
        rows[f"{name}, duration (s)"] = None if pace is None or cycle else pace.motion.duration
    return rows


def _stated(evaluation: Evaluation, section: str, key: str) -> Any:
    """What a section states for programs; None where it was not computed."""
    return next((known.data.get(key) for known in evaluation.sections if known.key == section), None)


def _number(evaluation: Evaluation, section: str, key: str) -> float | None:
    value = _stated(evaluation, section, key)
    return value if isinstance(value, (int, float)) else None


def _grouped(requirement: Requirement, groups: Any, *, apart: bool) -> dict[str, Cell]:
    """Rows of a requirement of motors, for those of the arms and those of the plate."""
    rows: dict[str, Cell] = {}
    for group, nearest in groups.items():
        name = f"{requirement.name}, {group}" if apart else requirement.name
        rows[f"{name} ({requirement.unit})"] = nearest["value"]
        rows[f"{name}, share of its limit"] = nearest["share"]
    return rows
