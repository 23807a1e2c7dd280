"""What the motors of designs do along tasks, each task looked at once for all who ask."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import final

import numpy as np

from parapick.parameters import values
from parapick.study.body_measures import body_of
from parapick.study.drive_fold import DriveFold, drive_fold, without_drive
from parapick.study.instant_fold import instant_fold, instant_titles
from parapick.study.motion_fold import MotionFold, TaskSeries, motion_fold
from parapick.study.path_fold import push_fold
from parapick.study.work import Work


@final
@dataclass(frozen=True, eq=False)
class DesignFolds:
    """Folds of designs that reach what they must.

    Attributes:
        work: what they are evaluated with.
        numbers: numbers of the robot, one row per design (m, all).
    """

    work: Work
    numbers: np.ndarray
    _motions: dict[int, MotionFold] = field(default_factory=dict)
    _drives: dict[int, DriveFold] = field(default_factory=dict)

    @cached_property
    def body(self) -> dict[str, np.ndarray]:
        """What the numbers say by themselves: measures (m,), and ratings of motors (m, n), by name."""
        return body_of(self.work.space.robot, self.numbers)

    def motion(self, series: TaskSeries) -> MotionFold:
        """What the motors do along a task."""
        if self._by_drives:
            return self._drive(series).motion
        if id(series) not in self._motions:
            robot, sharing = self.work.space.robot, self.work.sharing
            self._motions[id(series)] = motion_fold(robot, series, sharing, self.numbers)
        return self._motions[id(series)]

    def instant(self, series: TaskSeries) -> dict[str, np.ndarray]:
        """Largest share of every limit of an instant along a task (m,), by the names that `evaluate` has for them."""
        robot, rule = self.work.space.robot, self.work.sharing.rule
        if not self._by_drives:
            return instant_fold(robot, series, rule, self.numbers)
        # Joints and rods move alike under every drive: one design stands for all but for what its drives do.
        common = without_drive(robot, self.numbers[0])
        shared = instant_fold(common, series, rule, values(common)[None]) if instant_titles(common) else {}
        alike = {title: np.repeat(share, len(self.numbers)) for title, share in shared.items()}
        return alike | dict(self._drive(series).instant)

    def push(self, series: TaskSeries) -> np.ndarray:
        """Largest push in a rod along a task as a share of its buckling load (m,)."""
        if not self._by_drives:
            return push_fold(self.work.space.robot, series, self.numbers)
        common = without_drive(self.work.space.robot, self.numbers[0])
        return np.repeat(push_fold(common, series, values(common)[None]), len(self.numbers))

    @property
    def _by_drives(self) -> bool:
        return self.work.of_drives and len(self.numbers) > 0

    def _drive(self, series: TaskSeries) -> DriveFold:
        if id(series) not in self._drives:
            robot, sharing = self.work.space.robot, self.work.sharing
            self._drives[id(series)] = drive_fold(robot, series, sharing, self.numbers)
        return self._drives[id(series)]
