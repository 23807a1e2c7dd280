"""Maps: an index over a region, as labelled arrays, with its worst and its best pose and how even it is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, final

import numpy as np

from parapick.answer import Answer, Table
from parapick.capability.index import index_of
from parapick.capability.index_types import Index, IndexFunction, IndexOptions
from parapick.capability.map_region import Axis, Lattice, lattice
from parapick.capability.reachable import REASONS, counts_of
from parapick.deferred import fetched
from parapick.errors import ParameterError
from parapick.extremes import first_smallest
from parapick.limits import MOST
from parapick.mechanism import Region
from parapick.model import MARGIN_KINDS, Model, too_near
from parapick.progress import Listener, tell
from parapick.robots import RobotChoice, model_of
from parapick.units import quantity

MAP_REASONS: Final = (*REASONS, "no value")
"""Why a point has no value; a reason is an index into this list, 0 where it has one.

After the reasons for which a pose does not belong to the workspace (faults, and kinds of singularity that are too
near): the index has no value there."""

CHUNK: Final = 50_000
"""Poses between two reports of progress: some tens of milliseconds of a native index."""

POINTS: Final = 20_000
"""Points of a map if no spacing is given."""

POINTS_SLOW: Final = 150
"""The same for an index that takes a tenth of a second a pose."""


class Extreme(NamedTuple):
    """A pose where an index is at its worst or its best.

    Attributes:
        pose: task vector by the names of its coordinates (m, rad).
        value: the index there.
    """

    pose: Mapping[str, float]
    value: float


class Homogeneity(NamedTuple):
    """How even an index is over a region; NaN where no point has a value.

    Attributes:
        minimum: smallest value.
        maximum: largest value.
        ratio: smallest over largest value: 1 is the same everywhere.
        mean: mean over the region, each point with the part of the region it stands for.
        deviation: standard deviation over mean, likewise: 0 is the same everywhere.
    """

    minimum: float
    maximum: float
    ratio: float
    mean: float
    deviation: float


@final
@dataclass(frozen=True, eq=False, repr=False)
class IndexMap:
    """An index over a region.

    Attributes:
        model: the robot, with its payload.
        task_names: names of the task coordinates.
        index: what was mapped: its title, its unit, and whether high or low is better.
        options: what it was asked for with.
        lattice: region and axes.
        values: the index (shape of the lattice); NaN where there is none.
        reason: why not (shape of the lattice), an index into `MAP_REASONS`; 0 where there is a value.
        margin: smallest margin to a singularity of the points that were asked for.
    """

    model: Model
    task_names: tuple[str, ...]
    index: Index
    options: IndexOptions
    lattice: Lattice
    values: np.ndarray
    reason: np.ndarray
    margin: float

    def __repr__(self) -> str:
        worst = "no value" if self.worst is None else f"worst {self.worst.value:.4g} {self.index.unit}".rstrip()
        return f"<IndexMap of {self.robot}: {self.index.title}, {self.values.size} points, {worst}>"

    def _repr_html_(self) -> str:
        return self.answer()._repr_html_()

    @property
    def robot(self) -> str:
        """Name of the robot."""
        return self.model.robot.name

    @property
    def ok(self) -> bool:
        """Whether a point of the region has a value."""
        return self.worst is not None

    def answer(self) -> Answer:
        """The worst and the best pose, and how even the index is."""
        return fetched("parapick.capability.map_answer", "map_answer")(self.model, self)

    def table(self, name: str) -> Table:
        """A table of the answer by its name.

        Args:
            name: its name, such as "extremes".
        """
        return self.answer().table(name)

    @property
    def axes(self) -> tuple[Axis, ...]:
        """Names, units and coordinates along the axes of `values`."""
        return self.lattice.axes

    @property
    def share(self) -> float:
        """Share of the region in which the index has a value, from 0 to 1."""
        return float(self.lattice.weights()[self.reason == 0].sum())

    @property
    def left_out(self) -> float:
        """Share of the region, from 0 to 1, that can be reached and was left out: nearer to a singularity."""
        kinds = [MAP_REASONS.index(kind) for kind in MARGIN_KINDS]
        return float(self.lattice.weights()[np.isin(self.reason, kinds)].sum())

    @property
    def worst(self) -> Extreme | None:
        """The worst pose of the lattice, of several equal ones the first; None where no point has a value."""
        return self._extreme(largest=self.index.better == "low")

    @property
    def best(self) -> Extreme | None:
        """The best pose of the lattice, of several equal ones the first; None where no point has a value."""
        return self._extreme(largest=self.index.better == "high")

    def homogeneity(self) -> Homogeneity:
        """How even the index is over the part of the region in which it has a value."""
        here = self.reason == 0
        if not here.any():
            return Homogeneity(*[float("nan")] * 5)
        values, weights = self.values[here], self.lattice.weights()[here]
        low, high = float(values.min()), float(values.max())
        mean = float(np.average(values, weights=weights))
        spread = float(np.sqrt(np.average((values - mean) ** 2, weights=weights)))
        return Homogeneity(low, high, _quotient(low, high), mean, _quotient(spread, abs(mean)))

    def counts(self) -> Mapping[str, int]:
        """Number of points by reason, the most frequent first; those with a value are `reachable`."""
        return counts_of(self.reason, MAP_REASONS)

    def _extreme(self, *, largest: bool) -> Extreme | None:
        here = np.flatnonzero(self.reason == 0)
        if len(here) == 0:
            return None
        first = here[first_smallest((-1.0 if largest else 1.0) * self.values.flat[here])]
        pose = self.lattice.placed(self.lattice.coordinates(first))
        named = {name: float(value) for name, value in zip(self.task_names, pose, strict=True)}
        return Extreme(named, float(self.values.flat[first]))


def _quotient(above: float, below: float) -> float:
    return above / below if below else float("nan")


def index_map(
    robot: RobotChoice,
    index: str | Index,
    region: Region | None = None,
    *,
    spacing: float | str | None = None,
    points: Sequence[int] | None = None,
    options: IndexOptions | None = None,
    margin: float | None = None,
    progress: Listener | None = None,
) -> IndexMap:
    """Map an index over a region: natively, and on all cores, where the index is a native one.

    Args:
        robot: a model with its payload, the name of a shipped robot, or the path of a file.
        index: name of one of `INDICES`, or an `Index` of your own.
        region: a region; the workspace of the robot's file if not given. `cut` makes slices of one.
        spacing: largest distance of neighbouring points (m, or a text such as "20 mm"); some thousand
            points if not given.
        points: number of points along each axis instead: x, y, z or radius, azimuth, z, and yaw.
        options: what the index is asked for with; `IndexOptions()` if not given.
        margin: smallest margin to a singularity; points that are nearer are left out. That of the workspace if not
            given, 0.05, and 0 for indices that keep their bounds there: margins, conditioning, clearance.
        progress: called with how many points are done, now and then; what it raises ends the work.

    Raises:
        UnknownIndexError: no such index; lists those there are.
        ParameterError: a region, spacing or option that does not fit, or an index that this robot does not have.
        MissingMassError: an index of forces of a robot without masses.
    """
    model = model_of(robot)
    spacing = None if spacing is None else quantity("spacing", spacing, "m")
    chosen = (index if isinstance(index, Index) else index_of(index)).on(model)
    asked = (IndexOptions() if options is None else options).known(model)
    chosen.check(model, asked)
    least = chosen.margin if margin is None else margin
    if not 0.0 <= least < math.inf:
        raise ParameterError("margin", f"is {least:g}; it must be a number, at least 0")
    count, most = (POINTS_SLOW, MOST["slow map"]) if chosen.slow else (POINTS, MOST["map"])
    grid = lattice(model.robot, region, spacing=spacing, points=points, count=count, most=most)
    poses = grid.poses().reshape(-1, model.robot.dof)
    values = np.full(len(poses), np.nan)
    reason = np.zeros(len(poses), dtype=np.int8)
    worker = replace(chosen, function=_remembered(chosen.function)) if chosen.slow else chosen
    size = 1 if chosen.slow else CHUNK
    for start in range(0, len(poses), size):
        here = slice(start, start + size)
        values[here], reason[here] = _valued(model, worker, poses[here], asked, least)
        tell(progress, "points", min(start + size, len(poses)), len(poses))
    answer = values.reshape(grid.shape), reason.reshape(grid.shape)
    return IndexMap(model, model.robot.task_names, chosen, asked, grid, *answer, float(least))


def _remembered(function: IndexFunction) -> IndexFunction:
    """The same function of single poses, which asks only once for each: the axis of a cylinder comes up many times."""
    known: dict[tuple[float, ...], np.ndarray] = {}

    def asked(model: Model, poses: np.ndarray, options: IndexOptions) -> np.ndarray:
        pose = tuple(poses[0].tolist())
        if pose not in known:
            known[pose] = function(model, poses, options)
        return known[pose]

    return asked


def _valued(
    model: Model, index: Index, poses: np.ndarray, options: IndexOptions, margin: float
) -> tuple[np.ndarray, np.ndarray]:
    """Values and reasons of a chunk of poses."""
    reason = model.reach(poses).fault
    values = np.full(len(poses), np.nan)
    good = np.flatnonzero(reason == 0)
    if margin > 0.0:
        kinds = too_near(model.margins(poses[good]), margin)
        reason[good] = np.where(kinds < 0, 0, REASONS.index(MARGIN_KINDS[0]) + kinds)
        good = good[kinds < 0]
    if len(good) == 0:
        return values, reason
    computed = np.asarray(index.function(model, poses[good], options), dtype=float)
    if computed.shape != good.shape:
        raise ParameterError(
            index.name, f"answered {computed.shape} for {len(good)} poses; it must give one number a pose"
        )
    values[good] = np.where(np.isfinite(computed), computed, np.nan)
    reason[good[~np.isfinite(computed)]] = MAP_REASONS.index("no value")
    return values, reason
