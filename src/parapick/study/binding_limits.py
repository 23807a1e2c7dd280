"""What holds a design back (ends of ranges, limits of reach, bounds of measures), and how it would change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from parapick.answer import Cell, Column, Requirement, Table, against, amount, pose_text
from parapick.formulas import SLACKS
from parapick.model import Model
from parapick.study.account import findings_of
from parapick.study.designs import evaluated
from parapick.study.reading import Study
from parapick.study.slopes import along, measure_pieces
from parapick.study.study_measures import STUDY_MEASURES
from parapick.study.work import Work
from parapick.study.worst_points import LARGEST, SMALLEST, WorstPoint, worst_points

ACTIVE: Final = 1e-3
"""A limit that is kept with less left than this holds a design back: a milliradian, a millimetre, a thousandth of a
bound or of a range. This is another question than whether it is kept: a search ends a step short of a limit."""

NOTHING: Final = 1e-6
"""What is left of a limit that is kept is shown as nothing below this: the place where least is left is known to a
millionth of the workspace."""


class DesignLimit(NamedTuple):
    """A limit of a design.

    Attributes:
        requirement: what is left of it, which must not be negative.
        at: where that is.
    """

    requirement: Requirement
    at: str

    @property
    def state(self) -> str:
        """Whether it is broken, or holds the design back ("active"); empty where there is room."""
        if not self.requirement.ok:
            return "broken"
        return "active" if self.requirement.value <= ACTIVE else ""

    @property
    def left(self) -> str:
        """What is left of it, in words."""
        left = self.requirement.value
        return amount(0.0 if self.requirement.ok and abs(left) <= NOTHING else left, self.requirement.unit)


def _limit(name: str, at: str, left: float, unit: str) -> DesignLimit:
    """A limit by what is left of it, as a share or in a unit."""
    return DesignLimit(against(name, name, left, unit=unit, at_least=0.0, where=at), at)


def limits_of(study: Study, design: np.ndarray) -> tuple[DesignLimit, ...]:
    """Every limit of a design with what is left of it.

    Args:
        design: values of the free numbers (free,), SI.
    """
    work = study.work
    return (*_ends(work, design), *_reach(work, design), *_along(work, design), *_bounds(work, design))


def limits_table(limits: Sequence[DesignLimit]) -> Table:
    """Limits of the best design as a table, those that hold it back marked as active.

    Args:
        limits: the limits.
    """
    cells: list[tuple[Cell, ...]] = [(limit.requirement.name, limit.at, limit.left, limit.state) for limit in limits]
    columns = (Column("limit"), Column("at"), Column("left"), Column("state"))
    return Table("limits", "what holds the best design", columns, tuple(cells))


def slopes_of(study: Study, design: np.ndarray) -> Table | None:
    """How the first objective changes with every free number at a design, all others kept; None where it has no slopes.

    A peak changes as its largest piece does.

    Args:
        design: values of the free numbers (free,), SI.
    """
    work, goal = study.work, STUDY_MEASURES[study.file.objectives[0]]
    if not work.is_smooth(goal):
        return None
    motions = [along(work, series, design) for series in work.series]
    pieces = measure_pieces(work, goal, design, motions)
    slopes = pieces.slopes[int(np.argmin(pieces.values) if goal.most else np.argmax(pieces.values))]
    unit = goal.unit_of(work.space.robot)
    cells: list[tuple[Cell, ...]] = []
    for free, slope in zip(work.space.free, slopes.tolist(), strict=True):
        if free.options:
            continue
        step = 0.01 * (free.high - free.low)
        cells.append((free.path, amount(step, free.unit), slope * step))
    columns = (Column("number"), Column("step"), Column(f"change of {goal.name}", unit, signed=True))
    return Table("slopes", "a hundredth of a range more of a number, all others kept", columns, tuple(cells))


def _ends(work: Work, design: np.ndarray) -> Iterator[DesignLimit]:
    """The nearer end of every range, as a share of the range."""
    for free, value in zip(work.space.free, design.tolist(), strict=True):
        size = free.high - free.low
        if size > 0.0 and not free.listed:
            lower = value - free.low <= free.high - value
            end = free.low if lower else free.high
            at = f"{'from' if lower else 'to'} {amount(end, free.unit)}"
            yield _limit(free.path, at, abs(value - end) / size, "")


def _reach(work: Work, design: np.ndarray) -> Iterator[DesignLimit]:
    """The smallest slack of every kind over the solid workspace, those of joints for each side, with the place."""
    if not work.reach:
        return
    model = Model(work.space.robot_of(design))
    worst: dict[str, WorstPoint] = {}
    for point in worst_points(work, design):
        if point.kind not in worst or point.left < worst[point.kind].left:
            worst[point.kind] = point
    for point in worst.values():
        name, unit = _name(model, point)
        yield _limit(name, pose_text(point.pose[:3]), point.left, unit)


def _along(work: Work, design: np.ndarray) -> Iterator[DesignLimit]:
    """What is left of the requirements of `evaluate` on the task that leaves least of each, as a share or a slack.

    Margins are left out: they have no limit that they come near to gradually.
    """
    least: dict[str, DesignLimit] = {}
    reached = {kind.title for kind in SLACKS} if work.reach else set[str]()
    for task in (*work.tasks, *work.timed):
        for finding in findings_of(work.model(design), task):
            share = finding.use is not None
            if finding.name in (*work.left_out, *reached) or not (share or finding.name.endswith(" slack")):
                continue
            left = 1.0 - (finding.use or 0.0) if share else finding.value
            if finding.name not in least or left < least[finding.name].requirement.value:
                limit = _limit(finding.name, task.name, left, "" if share else finding.unit)
                least[finding.name] = limit._replace(requirement=replace(limit.requirement, ok=finding.ok))
    yield from least.values()


def _name(model: Model, point: WorstPoint) -> tuple[str, str]:
    """What a limit is called, and the unit of what is left of it."""
    axis = model.motors.axes[0]
    if point.kind in (SMALLEST, LARGEST):
        end = model.numbers.joint_limits()[point.leg][0 if point.kind == SMALLEST else 1]
        return f"joint {point.leg + 1}, {point.kind.split()[0]} {axis.text(float(end or 0.0))}", axis.unit
    kind = next(kind for kind in SLACKS if kind.name == point.kind)
    return f"{kind.name} {point.leg + 1}" if kind.per_leg else kind.name, kind.unit


def _bounds(work: Work, design: np.ndarray) -> Iterator[DesignLimit]:
    row = evaluated(work, design[None]) if work.requirements else {}
    for bound in work.requirements:
        value = float(row[bound.name][0])
        unit = work.unit_of(bound.name)
        kept = all(requirement.ok for requirement in bound.requirements(value, unit))
        limit = _limit(bound.name, amount(value, unit), float(bound.slack(value)), "")
        yield limit._replace(requirement=replace(limit.requirement, ok=kept))
