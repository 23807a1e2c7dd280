"""What holds a design back (ends of ranges, limits of reach, bounds of measures), and how it would change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from parapick.answer import Cell, Column, Table
from parapick.answer.words import amount
from parapick.model.model import Model
from parapick.model.reach import SLACKS
from parapick.study.account import findings_of
from parapick.study.designs import evaluated
from parapick.study.measures import MEASURES
from parapick.study.reading import Study
from parapick.study.slopes import SMOOTH, along, measure_pieces
from parapick.study.work import Work
from parapick.study.worst_points import LARGEST, SMALLEST, WorstPoint, worst_points

ACTIVE: Final = 1e-3
"""A limit with less left than this is active: a milliradian, a millimetre, a thousandth of a bound or of a range."""

BROKEN: Final = 1e-6
"""A limit of which more than this is missing is not kept: a microradian, a micrometre, a millionth of a bound."""


def limits_of(study: Study, design: np.ndarray) -> Table:
    """Every limit of a design with what is left of it, those that hold it back marked as active.

    Args:
        study: the study.
        design: values of the free numbers (free,), SI.
    """
    work = study.work
    rows = [*_ends(work, design), *_reach(work, design), *_along(work, design), *_bounds(work, design)]
    cells: list[tuple[Cell, ...]] = [
        (name, place, amount(left if abs(left) > BROKEN else 0.0, unit), _state(left))
        for name, place, left, unit in rows
    ]
    columns = (Column("limit"), Column("at"), Column("left"), Column("state"))
    return Table("limits", "what holds the best design", columns, tuple(cells))


def _state(left: float) -> str:
    if left < -BROKEN:
        return "broken"
    return "active" if left <= ACTIVE else ""


def slopes_of(study: Study, design: np.ndarray) -> Table | None:
    """How the first objective changes with every free number at a design, all others kept; None where it has no slopes.

    A peak changes as its largest piece does.

    Args:
        study: the study.
        design: values of the free numbers (free,), SI.
    """
    work, goal = study.work, MEASURES[study.file.objectives[0]]
    if goal.name not in SMOOTH:
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


Limit = tuple[str, str, float, str]
"""What it is, where, what is left, and the unit of that."""


def _ends(work: Work, design: np.ndarray) -> Iterator[Limit]:
    """The nearer end of every range, as a share of the range."""
    for free, value in zip(work.space.free, design.tolist(), strict=True):
        size = free.high - free.low
        if size > 0.0 and not free.listed:
            lower = value - free.low <= free.high - value
            end = free.low if lower else free.high
            yield free.path, f"{'from' if lower else 'to'} {amount(end, free.unit)}", abs(value - end) / size, ""


def _reach(work: Work, design: np.ndarray) -> Iterator[Limit]:
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
        yield name, _place(point.pose), point.left, unit


def _along(work: Work, design: np.ndarray) -> Iterator[Limit]:
    """What is left of the requirements of `evaluate` on the task that leaves least of each, as a share or a slack.

    Margins are left out: they have no limit that they come near to gradually.
    """
    least: dict[str, Limit] = {}
    reached = {kind.title for kind in SLACKS} if work.reach else set[str]()
    for task in work.tasks:
        for finding in findings_of(work.model(design), task):
            share = finding.use is not None
            if finding.name in (*work.left_out, *reached) or not (share or finding.name.endswith(" slack")):
                continue
            left = 1.0 - (finding.use or 0.0) if share else finding.value
            if finding.name not in least or left < least[finding.name][2]:
                least[finding.name] = finding.name, task.name, left, "" if share else finding.unit
    yield from least.values()


def _name(model: Model, point: WorstPoint) -> tuple[str, str]:
    """What a limit is called, and the unit of what is left of it."""
    axis = model.motors.axes[0]
    if point.kind in (SMALLEST, LARGEST):
        end = model.numbers.joint_limits()[point.leg][0 if point.kind == SMALLEST else 1]
        return f"joint {point.leg + 1}, {point.kind.split()[0]} {axis.text(float(end or 0.0))}", axis.unit
    kind = next(kind for kind in SLACKS if kind.name == point.kind)
    return f"{kind.name} {point.leg + 1}" if kind.per_leg else kind.name, kind.unit


def _bounds(work: Work, design: np.ndarray) -> Iterator[Limit]:
    row = evaluated(work, design[None]) if work.requirements else {}
    for one in work.requirements:
        value, unit = float(row[one.measure][0]), MEASURES[one.measure].unit_of(work.space.robot)
        yield one.measure, amount(value, unit), float(one.slack(np.array(value))), ""


def _place(pose: np.ndarray) -> str:
    flat = ", ".join(f"{value:.0f}" for value in np.round(1e3 * pose[:3]) + 0.0)
    return f"({flat}) mm"
