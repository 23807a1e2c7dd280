"""What holds a design back (ends of ranges, limits of reach, bounds of measures), and how it would change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from parapick.answer import Cell, Column, Table
from parapick.answer.words import amount
from parapick.model.model import Model
from parapick.model.reach import SLACKS
from parapick.study.designs import Work, evaluated
from parapick.study.folds import region_points
from parapick.study.measures import MEASURES
from parapick.study.reading import Study
from parapick.study.slopes import SMOOTH, along, measure_pieces

ACTIVE: Final = 1e-3
"""A limit with less left than this is active: a milliradian, a millimetre, a thousandth of a bound or of a range."""


def limits_of(study: Study, design: np.ndarray) -> Table:
    """Every limit of a design with what is left of it, those that hold it back marked as active.

    Args:
        study: the study.
        design: values of the free numbers (free,), SI.
    """
    rows = [*_ends(study.work, design), *_reach(study.work, design), *_bounds(study.work, design)]
    cells: list[tuple[Cell, ...]] = [
        (name, place, amount(left, unit), "active" if left <= ACTIVE else "") for name, place, left, unit in rows
    ]
    columns = (Column("limit"), Column("at"), Column("left"), Column("state"))
    return Table("limits", "what holds the best design", columns, tuple(cells))


DENSER: Final = 4
"""How many times as many steps each axis of the workspace has where the best design is looked at."""


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
    """The smallest slack of every kind over the workspace, those of joints for each side, with the place.

    It is looked for at more points than designs are evaluated at: between those, a slack may be a little less.
    """
    if not work.reach:
        return
    model = Model(work.space.robot_of(design))
    poses = _poses(model, region_points(model.robot, tuple(DENSER * (count - 1) + 1 for count in work.counts)))
    reach = model.reach(poses)
    for kind in SLACKS:
        slack = reach.slack(kind)
        if kind.name == "joint":
            yield from _joints(model, poses)
        elif np.isfinite(slack).any():
            row, leg = np.unravel_index(int(np.nanargmin(slack)), slack.shape)
            whose = f" {leg + 1}" if kind.per_leg else ""
            yield f"{kind.name}{whose}", _place(poses[row]), float(slack[row, leg]), reach.unit(kind)


def _joints(model: Model, poses: np.ndarray) -> Iterator[Limit]:
    q, axis = model.inverse_kinematics(poses), model.motors.axes[0]
    limits = Model(model.numbers).robot.joint_limits()
    for name, side in (("smallest", 0), ("largest", 1)):
        ends = [pair[side] for pair in limits]
        if any(end is None for end in ends):
            continue
        slack = (q[:, : len(ends)] - np.array(ends, dtype=float)) * (1 if side == 0 else -1)
        row, leg = np.unravel_index(int(np.argmin(slack)), slack.shape)
        end = float(np.array(ends, dtype=float)[leg])
        yield f"joint {leg + 1}, {name} {axis.text(end)}", _place(poses[row]), float(slack[row, leg]), axis.unit


def _bounds(work: Work, design: np.ndarray) -> Iterator[Limit]:
    row = evaluated(work, design[None]) if work.requirements else {}
    for one in work.requirements:
        value, unit = float(row[one.measure][0]), MEASURES[one.measure].unit_of(work.space.robot)
        yield one.measure, amount(value, unit), float(one.slack(np.array(value))), ""


def _poses(model: Model, points: np.ndarray) -> np.ndarray:
    """Task vectors of points that are counted in units of the workspace."""
    region = model.numbers.workspace
    if region is None:
        return np.empty((0, model.robot.dof))
    ends = [(low, high) for _, low, high in region.bounds]
    if region.polar:
        radius = region.bounds[0][2]
        ends[:2] = [(middle - radius, middle + radius) for middle in region.middle]
    low, high = (np.array([pair[i] for pair in ends])[: points.shape[1]] for i in (0, 1))
    return (low + high) / 2 + (high - low) / 2 * points


def _place(pose: np.ndarray) -> str:
    flat = ", ".join(f"{1e3 * value:.0f}" for value in pose[:3] + 0.0)
    return f"({flat}) mm"
