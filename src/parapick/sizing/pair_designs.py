"""Pairs as designs of a study: a motor and a gearbox are two choices, each of which sets numbers of the drive.

Parts that state different fields, or curves of different lengths, are different structures, each with a study of its
own. Curves get as many points as the longest one by splitting their straight lines, which changes no torque.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Final, final

import numpy as np

from parapick.capability import PoseSettings
from parapick.evaluation import sampling_rate
from parapick.mechanism import Points, Robot
from parapick.model import Model
from parapick.motion import Motion
from parapick.motors import JUDGED
from parapick.parameters import leaves, structure
from parapick.search import Free
from parapick.sizing.parts import CataloguePart, Pair, drive_of
from parapick.study import DesignSpace, Sharing, SiftedDesigns, Work, is_lossless, motion_series, sifted_designs
from parapick.tasks import PlannedTask, Task

MEASURED: Final = (
    "torque_use",
    "heat_use",
    "speed_use",
    "gearbox_mean_use",
    "energy",
    "peak_power",
    "peak_torque",
    "rms_torque",
    "peak_speed",
)
"""Measures of a study that every pair gets."""

_GEARBOX: Final = ("ratio", "efficiency", "gearbox_inertia", "gearbox.")
_JOINT: Final = "friction."
"""Numbers of a drive that are those of its gearbox, and of the joint; all others are the motor's."""


@final
@dataclass(frozen=True, eq=False)
class SizedTask:
    """A robot on the motion of a task, for which drives are chosen.

    Attributes:
        model: the robot, with its payload and how its motors share; its own drive does not count.
        name: of the task.
        motion: its motion, which does not depend on the drives.
        task: the task; None where a motion was given.
        planned: the task as it was planned, at its own pace; the motion itself if not given.
    """

    model: Model
    name: str
    motion: Motion
    task: Task | None = None
    planned: PlannedTask | None = None

    @property
    def robot(self) -> Robot:
        """The description of the robot."""
        return self.model.robot

    def with_pair(self, pair: Pair) -> Model:
        """The robot with a pair in each of its arms' drives.

        Args:
            pair: the pair.
        """
        return replace(self.model, robot=replace(self.robot, drive=pair.drive(self.robot.drive)), original=None)

    def work(self, motors: Sequence[CataloguePart], gearboxes: Sequence[CataloguePart]) -> Work:
        """What pairs of equal structure are evaluated with; a design is the numbers of its motor and of its gearbox.

        Args:
            motors: motors that state the same fields.
            gearboxes: gearboxes that state the same fields.
        """
        robot = replace(self.robot, drive=drive_of((motors[0], gearboxes[0]), self.robot.drive))
        space = DesignSpace(robot, (_choice("motor", motors), _choice("gearbox", gearboxes)))
        series = motion_series(self.name, self.motion, robot, sampling_rate(self.motion.duration))
        rule = self.model.judged_sharing or JUDGED
        return Work(
            space=space,
            series=(series,),
            timed=(),
            settings=PoseSettings(self.model.payload, sharing=rule),
            sharing=Sharing(rule, is_lossless(space)),
            counts=(),
            reach=False,
            requirements=(),
            objectives=(),
            columns=MEASURED,
            looked=(series,),
        )


@final
@dataclass(frozen=True, eq=False)
class PairRows:
    """Pairs as far as folds decide about them.

    Attributes:
        pairs: the pairs.
        columns: their measures (N,) by name, and the largest share of a limit, `use`.
        uses: the largest share of each limit (N,) by the names that `evaluate` has; NaN where a pair states none.
        faults: what folds hold against each, as a word and as a sentence; empty for nothing.
        decided: for which of them nothing is next to its limit (N,).
    """

    pairs: tuple[Pair, ...]
    columns: Mapping[str, np.ndarray]
    uses: Mapping[str, np.ndarray]
    faults: tuple[tuple[str, str], ...]
    decided: np.ndarray

    @cached_property
    def sound(self) -> np.ndarray:
        """Places of the pairs against which folds hold nothing."""
        return np.array([place for place, (word, _) in enumerate(self.faults) if not word], dtype=int)


def pair_rows(task: SizedTask, pairs: Sequence[Pair]) -> PairRows:
    """Every pair along the cycle of a task.

    Args:
        pairs: the pairs.
    """
    motors = _by_structure(_padded(pairs))
    gearboxes = _by_structure({pair.gearbox.name: pair.gearbox for pair in pairs})
    group_of = {name: i for i, group in enumerate(motors) for name in group}
    box_group_of = {name: i for i, group in enumerate(gearboxes) for name in group}
    places: dict[tuple[int, int], list[int]] = {}
    for place, pair in enumerate(pairs):
        places.setdefault((group_of[pair.motor.name], box_group_of[pair.gearbox.name]), []).append(place)
    gathered = _Gathered(len(pairs))
    for (i, j), chosen in places.items():
        work = task.work(tuple(motors[i].values()), tuple(gearboxes[j].values()))
        motor_at, gearbox_at = ({name: k for k, name in enumerate(group)} for group in (motors[i], gearboxes[j]))
        designs = [(motor_at[pairs[k].motor.name], gearbox_at[pairs[k].gearbox.name]) for k in chosen]
        gathered.add(np.array(chosen), sifted_designs(work, np.array(designs, dtype=float)))
    return gathered.rows(tuple(pairs))


class _Gathered:
    """Rows of several structures, each at its place."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.columns: dict[str, np.ndarray] = {}
        self.uses: dict[str, np.ndarray] = {}
        self.faults: list[tuple[str, str]] = [("", "")] * count
        self.decided = np.zeros(count, dtype=bool)

    def add(self, places: np.ndarray, sifted: SiftedDesigns) -> None:
        """Put the rows of a structure where their pairs are.

        Args:
            places: of its pairs.
            sifted: its rows.
        """
        for kept, given in ((self.columns, sifted.columns), (self.uses, sifted.uses)):
            for name, column in given.items():
                kept.setdefault(name, np.full(self.count, np.nan))[places] = column
        for place, fault in zip(places, sifted.faults, strict=True):
            self.faults[place] = fault
        self.decided[places] = sifted.plain

    def rows(self, pairs: tuple[Pair, ...]) -> PairRows:
        """All rows.

        Args:
            pairs: their pairs.
        """
        return PairRows(pairs, self.columns, self.uses, tuple(self.faults), self.decided)


def _choice(name: str, parts: Sequence[CataloguePart]) -> Free:
    """A choice among parts that state the same fields."""
    numbers = [{path: value for path, value in leaves(drive_of([part])) if _is_of(name, path)} for part in parts]
    sets = tuple((f"drive.{path}", tuple(row[path] for row in numbers)) for path in numbers[0])
    values = tuple(map(float, range(len(parts))))
    options = tuple(part.name for part in parts)
    return Free(name, "", 0.0, values[-1], values, listed=True, options=options, sets=sets)


def _is_of(name: str, path: str) -> bool:
    """Whether a number of a drive is one of its motor, or of its gearbox."""
    geared = path.startswith(_GEARBOX)
    return geared if name == "gearbox" else not geared and not path.startswith(_JOINT)


def _by_structure(parts: Mapping[str, CataloguePart]) -> list[dict[str, CataloguePart]]:
    """Parts by name, those that state the same fields together."""
    groups: dict[object, dict[str, CataloguePart]] = {}
    for name, part in parts.items():
        groups.setdefault(structure(drive_of([part])), {})[name] = part
    return list(groups.values())


def _padded(pairs: Iterable[Pair]) -> dict[str, CataloguePart]:
    """Motors by name, all curves of a kind with as many points."""
    motors = {pair.motor.name: pair.motor for pair in pairs}
    most: dict[str, int] = {}
    for motor in motors.values():
        for kind, points in motor.curves.items():
            most[kind] = max(most.get(kind, 0), len(points))
    curves = {
        name: {kind: split(points, most[kind]) for kind, points in motor.curves.items()}
        for name, motor in motors.items()
    }
    return {name: replace(motor, curves=curves[name]) for name, motor in motors.items()}


def split(points: Points, count: int) -> Points:
    """A curve with so many points: its longest straight line is halved until it has them.

    Args:
        points: speeds (rad/s) and torques (N m).
        count: how many points it is to have, at least those that it has.
    """
    while len(points) < count:
        lengths = [after[0] - before[0] for before, after in pairwise(points)]
        place = lengths.index(max(lengths))
        (start, first), (end, last) = points[place : place + 2]
        middle = ((start + end) / 2, (first + last) / 2)
        points = (*points[: place + 1], middle, *points[place + 1 :])
    return points
