"""What `evaluate` says of a design on the tasks of a study: the same findings, without those that the study leaves out.

The folds decide where it is plain. Where a design is next to a limit, or where they do not look (a task with the
fastest timing, the speeds of a robot without masses), this account decides. It is that of `evaluate` itself.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from parapick.answer import Requirement
from parapick.belts import ITEMS
from parapick.errors import ParapickError
from parapick.evaluation import (
    PEAK,
    PUSH,
    RMS,
    SPEED,
    Run,
    limiting_of,
    no_torque,
)
from parapick.model import Model
from parapick.motors import CYCLE
from parapick.ride import UnreachableCornerError
from parapick.study.instant_fold import INSTANT_TITLES
from parapick.study.path_fold import STATED
from parapick.tasks import planned_task

_SUMS: Final = tuple(kind.title for kind in CYCLE if kind.title != RMS)
LEAVABLE: Final = (SPEED, PEAK, RMS, PUSH, ITEMS, *INSTANT_TITLES, *_SUMS, *(f"{kind} slack" for kind in STATED))
"""Requirements of `evaluate` that a study may leave out: ratings, items, and where a robot is meant to be. What it
cannot do at all is never left out: poses that it does not reach within its limits, singular ones, torques that are not
finite."""

TASK: Final = "task"
"""Fault of a design for which a task makes no motion."""

TORQUE: Final = "motor torque"
"""Fault of a design that has no finite torque somewhere on its way."""


class Shortfall(NamedTuple):
    """A requirement of `evaluate` that a design does not keep.

    Attributes:
        name: of the requirement, as `evaluate` has it.
        text: what is wrong, where and by how much.
        amount: how much of its limit is missing, as a share, or of a slack (m, rad); 0 where that has no meaning, as of
            a margin.
    """

    name: str
    text: str
    amount: float = 0.0


def shortfall(model: Model, tasks: tuple[Any, ...], left_out: tuple[str, ...]) -> Shortfall | None:
    """What `evaluate` holds against a design, the gravest of the first task that has something; None for nothing.

    Args:
        model: the robot, with its payload and how its motors share.
        tasks: the tasks.
        left_out: names of requirements that do not count.
    """
    for task in tasks:
        try:
            planned = planned_task(task, model)
        except UnreachableCornerError as error:
            return Shortfall("corner", f"corner {error.corner!r} of {task.name}: {error.reason}")
        except ParapickError as error:
            return Shortfall(TASK, f"{task.name}: {error}")
        lacking = run_shortfall(Run.of(model, planned.motion, planned.picks), left_out)
        if lacking is not None:
            return lacking._replace(text=f"{task.name}: {lacking.text}")
    return None


def run_shortfall(run: Run, left_out: tuple[str, ...]) -> Shortfall | None:
    """What `evaluate` holds against a robot on the motion of a task, and of its items; None for nothing.

    Args:
        run: the robot, with its payload and how its motors share, on the task planned for it.
        left_out: names of requirements that do not count.
    """
    broken = [finding for finding in run.requirements if finding.name not in left_out and not finding.ok]
    first = limiting_of(broken) or next(iter(broken), None)
    if first is not None:
        return Shortfall(first.name, first.text, _missing(first))
    lost = "" if run.ride.no_masses else no_torque(run.ride)
    return Shortfall(TORQUE, lost) if lost else None


def findings_of(model: Model, task: Any) -> tuple[Requirement, ...]:
    """Everything that `evaluate` requires of a robot on a task.

    Args:
        model: the robot, with its payload and how its motors share.
        task: the task.
    """
    planned = planned_task(task, model)
    return tuple(Run.of(model, planned.motion, planned.picks).requirements)


def _missing(broken: Requirement) -> float:
    """How much of a limit is missing, as a share, or of a slack (m, rad)."""
    if broken.name == ITEMS and broken.limit:
        return 1.0 - broken.value / broken.limit
    return -broken.value if broken.name.endswith(" slack") else (broken.use or 1.0) - 1.0
