"""Designs evaluated: each becomes a row with its slacks, its measures, whether it is feasible, and why it is not.

What is computed here needs no file: `Work` is plain data that travels to a worker on this computer or another one, and
`evaluated` is the function that is called there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, final

import numpy as np

from parapick.answer.words import amount
from parapick.model.extremes import LIMIT_SLACK, TOUCH
from parapick.model.reach import SLACKS
from parapick.study.cycle_times import cycle_times
from parapick.study.folds import Sharing, TaskSeries, Wanted, motion_fold, reach_fold, region_points, slack_kinds
from parapick.study.measures import MEASURES, Measure, body_of, measured
from parapick.study.region_quantities import RegionSettings
from parapick.study.space import Space

Rows = Mapping[str, np.ndarray]
"""Columns of designs by name."""

FEASIBLE: Final = "feasible"
FAULT: Final = "fault"
REASON: Final = "reason"
"""Columns of every row: whether it is feasible, and if not, what the first fault is, as a word and as a sentence."""

NUMBERS: Final = "numbers"
"""Fault of a design with a number that no robot can have."""

_FAULTS: Final = {kind.name: (kind.fault, kind.unit) for kind in SLACKS}


@final
@dataclass(frozen=True)
class Requirement:
    """A bound of a measure.

    Attributes:
        measure: name of the measure.
        at_least: smallest value (SI); None for none.
        at_most: largest value (SI); None for none.
    """

    measure: str
    at_least: float | None = None
    at_most: float | None = None

    def slack(self, values: np.ndarray) -> np.ndarray:
        """What is left of the bound as a share of it; negative is what is missing.

        Args:
            values: the measure (...), SI.
        """
        slack = np.full(np.shape(values), np.inf)
        for bound, side in ((self.at_least, 1.0), (self.at_most, -1.0)):
            if bound is not None:
                slack = np.minimum(slack, side * (values - bound) / (abs(bound) or 1.0))
        return slack


@final
@dataclass(frozen=True, eq=False)
class Work:
    """All that designs are evaluated with; plain data.

    Attributes:
        space: the designs.
        series: the samples of the tasks by a law of time.
        timed: the tasks with the fastest timing.
        settings: what quantities over the workspace are asked for with, what the tool holds all along among it.
        sharing: how torques are computed.
        counts: points of the workspace along each of its axes; none where nothing is asked of it.
        reach: whether the whole workspace must be reached.
        requirements: bounds of measures.
        objectives: names of the measures that are made as good as can be, the first before the others.
        columns: names of all measures that are computed.
        further: points of the workspace beside those of `counts`, in its own units.
    """

    space: Space
    series: tuple[TaskSeries, ...]
    timed: tuple[Any, ...]
    settings: RegionSettings
    sharing: Sharing
    counts: tuple[int, ...]
    reach: bool
    requirements: tuple[Requirement, ...]
    objectives: tuple[str, ...]
    columns: tuple[str, ...]
    further: tuple[tuple[float, ...], ...] = ()

    @cached_property
    def points(self) -> np.ndarray:
        """Points of the workspace in its own units (T, dof)."""
        robot = self.space.robot
        own = region_points(robot, self.counts) if self.counts else np.empty((0, robot.dof))
        return np.concatenate([own, np.array(self.further).reshape(-1, robot.dof)])

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """The measures that are computed."""
        return tuple(MEASURES[name] for name in self.columns)

    @property
    def quantities(self) -> Wanted:
        """Quantities that are computed over the region."""
        names = tuple(dict.fromkeys(measure.quantity for measure in self.measures if measure.quantity))
        return Wanted(names, self.settings)

    def unit_of(self, name: str) -> str:
        """SI unit of a measure for this robot.

        Args:
            name: name of the measure.
        """
        return MEASURES[name].unit_of(self.space.robot)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of slack that are looked at."""
        return slack_kinds(self.space.robot)


def slack_column(kind: str) -> str:
    """Name of the column of a kind of slack."""
    return f"{kind}_slack"


def evaluated(work: Work, designs: np.ndarray) -> dict[str, np.ndarray]:
    """The rows of designs, as columns by name.

    Args:
        work: what they are evaluated with.
        designs: values of the free numbers (m, free), SI.
    """
    numbers, objections = work.space.numbers(designs), work.space.objections(designs)
    faults = [(NUMBERS, objection) if objection else ("", "") for objection in objections]
    possible = np.array([not fault for fault, _ in faults], dtype=bool)
    slacks = {kind: np.full(len(designs), np.nan) for kind in work.kinds}
    values = {name: np.full(len(designs), np.nan) for name in work.columns}
    region = _slacks(work, numbers, possible, slacks)
    reached = possible & np.all([slack >= -TOUCH for slack in slacks.values()], axis=0)
    _measures(work, designs, reached, region, values)
    for row in np.flatnonzero(possible & ~reached):
        faults[row] = _unreached({kind: float(slack[row]) for kind, slack in slacks.items()})
    for row in np.flatnonzero(reached):
        faults[row] = _unmet(work, {name: float(value[row]) for name, value in values.items()})
    free = {one.path: designs[:, i] for i, one in enumerate(work.space.free)}
    kept = {slack_column(kind): slack for kind, slack in slacks.items()}
    return {**free, **kept, **values, **_verdicts(faults)}


def refused(work: Work, designs: np.ndarray, reason: str) -> dict[str, np.ndarray]:
    """The rows of designs that could not be evaluated.

    Args:
        work: what they should have been evaluated with.
        designs: values of the free numbers (m, free), SI.
        reason: why not.
    """
    free = {one.path: designs[:, i] for i, one in enumerate(work.space.free)}
    names = [*map(slack_column, work.kinds), *work.columns]
    nothing = {name: np.full(len(designs), np.nan) for name in names}
    return {**free, **nothing, **_verdicts([(NUMBERS, reason)] * len(designs))}


def _verdicts(faults: list[tuple[str, str]]) -> dict[str, np.ndarray]:
    words, reasons = ([fault[i] for fault in faults] for i in (0, 1))
    feasible = np.array([not word for word in words], dtype=bool)
    return {FEASIBLE: feasible, FAULT: np.array(words, dtype=str), REASON: np.array(reasons, dtype=str)}


def _slacks(work: Work, numbers: np.ndarray, rows: np.ndarray, slacks: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Fill in the slacks of some rows, over the workspace and along the tasks; the fold of the region of all rows."""
    robot, chosen = work.space.robot, numbers[rows]
    least: dict[str, np.ndarray] = {kind: np.full(len(chosen), np.inf) for kind in work.kinds}
    for series in work.series:
        along = reach_fold(robot, series.x, series.spread, chosen)
        least = {kind: np.minimum(least[kind], along[kind]) for kind in work.kinds}
    region: dict[str, np.ndarray] = {}
    if len(work.points):
        folded = reach_fold(robot, work.points, "region", chosen, work.quantities)
        if work.reach:
            least = {kind: np.minimum(least[kind], folded[kind]) for kind in work.kinds}
        for name, own in folded.items():
            region[name] = np.full(len(numbers), np.nan)
            region[name][rows] = own
    for kind, own in least.items():
        slacks[kind][rows] = own
    return region


def _measures(
    work: Work, designs: np.ndarray, rows: np.ndarray, region: dict[str, np.ndarray], values: dict[str, np.ndarray]
) -> None:
    """Fill in the measures of the rows that reach what they must."""
    robot, chosen = work.space.robot, work.space.numbers(designs[rows])
    moving = any(measure.source == "motion" for measure in work.measures)
    motions = [motion_fold(robot, series, work.sharing, chosen) for series in work.series] if moving else []
    body = body_of(robot, chosen)
    own = {name: column[rows] for name, column in region.items()}
    for measure in work.measures:
        if measure.source == "timing":
            values[measure.name][rows] = cycle_times(
                work.space, work.timed, work.settings.payload, work.sharing.rule, designs[rows]
            )
        else:
            values[measure.name][rows] = measured(measure, motions, own, body)


def _unreached(slacks: dict[str, float]) -> tuple[str, str]:
    """What is missing of the reach: legs first, for without them joints have no angles."""
    for kind, slack in slacks.items():
        if not slack >= -TOUCH:
            fault, unit = _FAULTS[kind]
            return kind, f"{fault}, {amount(-slack, unit)} missing"
    return "", ""


def _unmet(work: Work, values: dict[str, float]) -> tuple[str, str]:
    """The first measure that cannot be computed, or requirement that is not met."""
    for measure in work.measures:
        if not np.isfinite(values[measure.name]):
            missing = "a task cannot be done" if measure.source == "timing" else "a singular pose"
            return measure.name, f"{measure.name} has no value: {missing}"
    for requirement in work.requirements:
        name, value = requirement.measure, values[requirement.measure]
        if requirement.slack(np.array(value)) < -LIMIT_SLACK:
            unit = MEASURES[name].unit_of(work.space.robot)
            low, high = requirement.at_least, requirement.at_most
            bound = (
                f"at least {amount(low, unit)}"
                if low is not None and value < low
                else f"at most {amount(high or 0.0, unit)}"
            )
            return name, f"{name} is {amount(value, unit)}; {bound} is required"
    return "", ""
