"""What designs are evaluated with: plain data that travels to a worker on this computer or another one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, final

import numpy as np

from parapick.capability import PoseSettings
from parapick.evaluation import (
    PUSH,
    SPEED,
)
from parapick.formulas import missing_masses
from parapick.mechanism import motor_ratings
from parapick.model import Model
from parapick.motors import Motors, cycle_kinds
from parapick.parameters import Follow, leaves, resolved
from parapick.search import Bound
from parapick.study.account import Shortfall, shortfall
from parapick.study.design_space import DesignSpace, quantities
from parapick.study.drive_fold import DRIVE
from parapick.study.instant_fold import instant_titles
from parapick.study.motion_fold import Sharing, TaskSeries
from parapick.study.path_fold import rods_rated, stated_kinds
from parapick.study.region_fold import Wanted, region_points, slack_kinds
from parapick.study.study_measures import RATINGS, STUDY_MEASURES, StudyMeasure

ROUNDING: Final = 1e-6
"""How near to 1 the share of a limit is that a fold does not decide: its samples stand a rounding beside the instants
at which `evaluate` looks. Whether the limit is kept is then asked of `evaluate`."""

BETWEEN: Final = 0.05
"""The same where friction or losses make torques jump as a joint turns back: there `evaluate` looks at both sides of
the very instant, a study at samples before and behind it, between which a torque changes by about a hundredth."""


@final
@dataclass(frozen=True, eq=False)
class Work:
    """All that designs are evaluated with; plain data.

    Attributes:
        space: the designs.
        series: the samples of the tasks by a law of time.
        timed: the tasks with the fastest timing, and those on belts.
        settings: what quantities over the workspace are asked for with, what the tool holds all along among it.
        sharing: how torques are computed.
        counts: points of the workspace along each of its axes; none where nothing is asked of it.
        reach: whether the whole workspace must be reached.
        requirements: bounds of measures.
        objectives: names of the measures that are made as good as can be, the first before the others.
        columns: names of all measures that are computed.
        tasks: the tasks by a law of time.
        looked: their samples as `evaluate` looks at them.
        left_out: requirements of `evaluate` that do not count.
        reserves: of requirements by name, what is kept beyond their limits: a share of the limit, or a slack (m, rad).
        further: points of the workspace beside those of `counts`, in its own units.
    """

    space: DesignSpace
    series: tuple[TaskSeries, ...]
    timed: tuple[Any, ...]
    settings: PoseSettings
    sharing: Sharing
    counts: tuple[int, ...]
    reach: bool
    requirements: tuple[Bound, ...]
    objectives: tuple[str, ...]
    columns: tuple[str, ...]
    tasks: tuple[Any, ...] = ()
    looked: tuple[TaskSeries, ...] = ()
    left_out: tuple[str, ...] = ()
    reserves: tuple[tuple[str, float], ...] = ()
    further: tuple[tuple[float, ...], ...] = ()

    @cached_property
    def points(self) -> np.ndarray:
        """Points of the workspace in its own units (T, dof)."""
        robot = self.space.robot
        grid = region_points(robot, self.counts) if self.counts else np.empty((0, robot.dof))
        return np.concatenate([grid, np.array(self.further).reshape(-1, robot.dof)])

    @cached_property
    def measures(self) -> tuple[StudyMeasure, ...]:
        """The measures that are computed."""
        return tuple(STUDY_MEASURES[name] for name in self.columns)

    def is_smooth(self, measure: StudyMeasure) -> bool:
        """Whether a search has slopes of a measure; it has none along motions that are other ones for every design.

        Args:
            measure: the measure.
        """
        return measure.smooth and not (measure.source == "motion" and self.timed)

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
        return STUDY_MEASURES[name].unit_of(self.space.robot)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of slack that are looked at."""
        robot = self.space.robot
        stated = stated_kinds(robot) if self.looked or self.timed else ()
        return (*slack_kinds(robot), *(kind for kind in stated if slack_title(kind) not in self.left_out))

    @cached_property
    def weighed(self) -> bool:
        """Whether the robot's file has masses, so that there are torques."""
        return not missing_masses(self.space.robot)

    @cached_property
    def of_drives(self) -> bool:
        """Whether designs differ in the drives of arms alone, and loads of joints do not depend on these."""
        robot = self.space.robot
        varied = [self.space.paths[i] for i in self.space.varied]
        follows = (value.of for _, _, value in quantities(robot) if isinstance(value, Follow))
        alone = all(path.startswith(DRIVE) for path in varied) and not any(of.startswith(DRIVE) for of in follows)
        # Motors of a redundant robot share what their rotors take, too.
        return self.weighed and not robot.redundant and bool(varied) and alone

    @cached_property
    def rated(self) -> tuple[str, ...]:
        """Limits of motors and rods that are kept, by the names that `evaluate` has for them."""
        robot = self.space.robot
        names = [
            name for name, rating in RATINGS.items() if any(value is not None for value in motor_ratings(robot, rating))
        ]
        names += [PUSH] if rods_rated(robot) else []
        names += instant_titles(robot)
        return tuple(
            name
            for name in names
            if name not in self.left_out and (self.weighed or name in (SPEED, *instant_titles(robot)))
        )

    @cached_property
    def unfolded(self) -> tuple[str, ...]:
        """Limits of sums over a cycle at which folds do not look, by the names that `evaluate` has for them.

        The hottest instant of a winding and the highest voltage of a bus follow from a whole cycle, which ends as it
        begins: `evaluate` is asked for them.
        """
        if not (self.weighed and self.looked):
            return ()
        kinds = cycle_kinds(Motors.of(resolved(self.space.robot)))
        return tuple(kind.title for kind in kinds if kind.title not in (*RATINGS, *self.left_out))

    @cached_property
    def band(self) -> float:
        """How near to 1 the share of a limit is that samples alone do not decide; infinite where they never do."""
        if self.sharing.lossless:
            return ROUNDING
        numbers = dict(leaves(self.space.robot))
        varied = {self.space.paths[i] for i in self.space.varied}
        # One number for all axes of a drive, or one per axis behind a dot.
        sticking = [path for path in numbers if f"{path}.".partition("friction.stribeck.")[1]]
        # Such friction is largest at the very instant at which a joint turns back, and soon gone.
        return math.inf if any(numbers[path] or path in varied for path in sticking) else BETWEEN

    def model(self, design: np.ndarray) -> Model:
        """The robot of a design, with the payload of the study and how its motors share.

        Args:
            design: values of the free numbers (free,), SI.
        """
        return Model(self.space.robot_of(design), self.settings.payload, self.sharing.rule)

    def shortfall(self, design: np.ndarray) -> Shortfall | None:
        """What `evaluate` holds against a design on the tasks by a law of time; None for nothing.

        Args:
            design: values of the free numbers (free,), SI.
        """
        return shortfall(self.model(design), self.tasks, self.left_out)


def slack_title(kind: str) -> str:
    """What `evaluate` calls a kind of slack."""
    return f"{kind} slack"


def slack_column(kind: str) -> str:
    """Name of the column of a kind of slack."""
    return f"{kind.replace(' ', '_')}_slack"


def is_lossless(space: DesignSpace) -> bool:
    """Whether no design has friction or losses in its drives."""
    motors = Motors.of(resolved(space.robot))
    drives = ("drive.friction", "drive.efficiency", "drive.gearbox.", f"plate.{space.robot.plate.traits.drive_path}.")
    chosen = {path: set(values) for free in space.free for path, values in free.sets}
    varied = [space.paths[i] for i in space.varied if space.paths[i].startswith(drives)]
    # A choice among drives that all lose nothing loses nothing.
    losing = any(chosen.get(path) != {1.0} or path != "drive.efficiency" for path in varied)
    return not losing and not motors.jumping and not np.any(motors.viscous)
