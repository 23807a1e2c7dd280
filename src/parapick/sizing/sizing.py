"""`size`: which motor and which gearbox of a catalogue a robot needs for a task."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, final

from parapick.answer import Answer, Table
from parapick.errors import MissingMassError, ParameterError
from parapick.evaluation import Evaluation, at_pace, chosen_task, evaluate, planned_of, title_of
from parapick.formulas import missing_masses
from parapick.mechanism import SLIDING, Load
from parapick.motion import Motion
from parapick.progress import Listener, tell
from parapick.robots import RobotChoice, model_of
from parapick.sizing.pair_designs import PairRows, SizedTask, pair_rows
from parapick.sizing.part_files import read_catalogue, with_free_ratios
from parapick.sizing.parts import Pair, PartsCatalogue
from parapick.sizing.ranked_pairs import RankedPairs
from parapick.sizing.ranking import Judged, check_by, judge
from parapick.sizing.sized_pair import SizedPair
from parapick.tasks import TaskChoice, meets_belts

if TYPE_CHECKING:
    from parapick.model import Model

BEST: Final = 10
"""Pairs that are looked at in detail."""

PACED: Final = 30
"""Pairs whose fastest cycle is planned where pairs are ranked by it: those with most reserve at the task's own pace."""

RATIOS: Final = 41
"""Ratios of gearboxes of any ratio: steps of 6 % over a decade."""


@final
@dataclass(frozen=True, eq=False, repr=False)
class Sizing:
    """Which drives of a catalogue do a task.

    Attributes:
        ranked: every pair, with what is held against it, and the best ones.
    """

    ranked: RankedPairs

    @property
    def ok(self) -> bool:
        """Whether a pair keeps every requirement."""
        return bool(self.best)

    @property
    def task(self) -> SizedTask:
        """The robot and the motion."""
        return self.ranked.task

    @property
    def rows(self) -> PairRows:
        """Every pair with its measures."""
        return self.ranked.rows

    @property
    def best(self) -> tuple[SizedPair, ...]:
        """The best pairs, in their order."""
        return self.ranked.best

    @cached_property
    def evaluation(self) -> Evaluation:
        """What `evaluate` says of the best pair, its torques and speeds along the task.

        Raises:
            ParameterError: no pair keeps every requirement.
        """
        return evaluate(self.robot(), self.task.motion, sections=("joints", "torque"))

    def robot(self) -> Model:
        """The robot with the best pair.

        Raises:
            ParameterError: no pair keeps every requirement.
        """
        if not self.best:
            raise ParameterError("catalogue", f"no pair of {self.ranked.catalogue.folder} does {self.task.name}")
        return self.best[0].model

    def save_robot(self, path: str | os.PathLike[str]) -> Path:
        """Write the robot with the best pair as a robot file, every number of its drive with its source.

        Args:
            path: the file, ending in .toml.

        Raises:
            ParameterError: no pair keeps every requirement.
            RobotFileError: it cannot be written.
        """
        from parapick.robots import save

        return save(self.robot(), path, sources=self.best[0].pair.sources())

    def answer(self) -> Answer:
        """The best pairs, every rejected one with what rejects it, and the own fastest cycle of the best."""
        from parapick.sizing.sizing_answer import sizing_answer

        return sizing_answer(self.ranked)

    def table(self, name: str) -> Table:
        """A table of the answer by its name.

        Args:
            name: its name, such as "best" or "rejected".
        """
        return self.answer().table(name)

    def __repr__(self) -> str:
        return f"<Sizing of {self.task.robot.name} on {self.task.name}: {len(self.rows.pairs)} pairs>"

    def _repr_html_(self) -> str:
        return self.answer()._repr_html_()


def size(
    robot: RobotChoice,
    task: TaskChoice | None = None,
    *,
    catalogue: PartsCatalogue | str | os.PathLike[str] | None = None,
    by: str = "energy",
    ratio: tuple[float, float] | None = None,
    payload: Load | None = None,
    cycles_per_minute: float | None = None,
    sharing: str | None = None,
    progress: Listener | None = None,
) -> Sizing:
    """Which motor and which gearbox of a catalogue the arms of a robot need for a task, the best first.

    All arms get the same pair; motors of the plate stay as they are. Rotor, brake, encoder and gearbox turn with the
    joints; masses of motors and gearboxes stand on the base and move nothing. Friction at the joints stays that of the
    robot's file.

    Args:
        robot: a model, the name of a shipped robot, or the path of a file.
        task: name of a shipped task, path of a file, a task, or a motion; the Adept cycle at 120 per minute if not
            given.
        catalogue: folder of a catalogue, or one that was read; the shipped one if not given.
        by: what pairs are ranked by: "cost", "mass", "energy", "pace" or "reserve".
        ratio: least and largest ratio of further gearboxes of any ratio, without losses and inertia; none if not given.
        payload: what the tool holds beyond the gripper, as for `evaluate`.
        cycles_per_minute: cycles per minute instead of those of the task.
        sharing: how the motors of a redundant robot share, as for `evaluate`.
        progress: called with what is done; what it raises ends the work.

    Raises:
        MissingMassError: the robot's file lacks masses.
        ParameterError: a robot with linear motors, a task whose time follows from its motors or belts, or another word.
        CatalogueFileError: a catalogue with a row that is no part; see `read_catalogue`.
    """
    check_by(by)
    parts = catalogue if isinstance(catalogue, PartsCatalogue) else read_catalogue(catalogue)
    if ratio is not None:
        parts = with_free_ratios(parts, *_checked(ratio), RATIOS)
    model = model_of(robot)
    model = model if payload is None else model.with_payload(payload)
    model = model if sharing is None else model.with_sharing(sharing)
    _check_robot(model)
    sized, title = _sized_task(model, task, cycles_per_minute)
    pairs = tuple(Pair(parts.motors[motor], parts.gearboxes[gearbox]) for motor, gearbox in parts.pairs)
    tell(progress, f"{len(pairs)} pairs", 0, 1)
    judged = Judged(sized, pair_rows(sized, pairs))
    places = judge(judged, by, PACED if by == "pace" else BEST, progress)
    best = tuple(SizedPair.of(sized, pairs[place]) for place in places)
    if by == "pace":
        best = tuple(sorted(best, key=_cycle))[:BEST]
    return Sizing(RankedPairs(sized, title, parts, by, judged, best))


def _cycle(pair: SizedPair) -> float:
    """Time of its fastest cycle (s); 0 where nothing limits it."""
    return 0.0 if pair.pace is None else pair.pace.motion.duration


def _checked(ratio: tuple[float, float]) -> tuple[float, float]:
    low, high = ratio
    if not 0.0 < low <= high < float("inf"):
        raise ParameterError("ratio", f"is {low:g} to {high:g}; give two numbers greater than 0, the least first")
    return float(low), float(high)


def _check_robot(model: Model) -> None:
    """Raise if no motor of a catalogue can drive a robot, or it has no masses to move."""
    robot = model.robot
    if robot.limb.axis is SLIDING:
        raise ParameterError(
            "robot", f"{robot.name} has carriages on rails; catalogues hold motors that turn: name a robot with arms"
        )
    # A motor of a catalogue has a rotor, whatever the file states.
    missing = tuple(path for path in missing_masses(robot) if path != "drive.inertia")
    if missing:
        raise MissingMassError(robot.name, missing)


def _sized_task(model: Model, task: TaskChoice | None, cycles_per_minute: float | None) -> tuple[SizedTask, str]:
    """The motion for which drives are chosen, and its title."""
    work = chosen_task(task, (model,), cycles_per_minute)
    name, title = title_of(work, cycles_per_minute)
    if not isinstance(work, Motion) and (meets_belts(work) or getattr(work, "timing", "") == "fastest"):
        by = "its belt" if meets_belts(work) else "the motors, which are to be chosen"
        text = f"{name} has no pace of its own: its time follows from {by}; state cycles_per_minute and a law of time"
        raise ParameterError("task", text)
    planned = planned_of(work, model, cycles_per_minute)
    motion = planned.motion
    if cycles_per_minute is not None:
        motion = at_pace(work, planned.motion, model, cycles_per_minute)
    named_task = None if isinstance(work, Motion) else work
    sized = SizedTask(replace(model, original=None), name, motion.with_payload(model.payload), named_task, planned)
    return sized, title
