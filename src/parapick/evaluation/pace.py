"""How fast a robot can do a task: by the task's own law, and by the fastest timing of its path.

Both are the pace at which the verdict turns, found by its own computation (`turning`): peak torque and speed at every
instant, effective torque over the cycle, push of the rods, reach.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

import numpy as np

from parapick.answer import Requirement, against
from parapick.errors import ParameterError, ParapickError
from parapick.evaluation.limiting import excess_of, limiting_of
from parapick.evaluation.load_requirements import PEAK, RMS, SPEED
from parapick.evaluation.run import Run
from parapick.evaluation.tasks import most_allowed, paced, tried_at_pace
from parapick.formulas import INSTANT
from parapick.motion import Motion
from parapick.motors import CYCLE
from parapick.timing import KEPT, turning

if TYPE_CHECKING:
    from parapick.tasks import Task

LIMITS: Final = "limits of the task"
"""What decides where the task itself allows no faster pace: its limits on the plate, or its rests."""

_EXTREMES: Final = (1e-3, 1e3)
"""Paces of a search, as shares of the first: a cycle so slow is at rest, and one so fast is limited by nothing."""

_SUMS: Final = frozenset(kind.title for kind in CYCLE)
"""Names of the requirements over a cycle, heat among them."""

_SAME: Final = 1e-9
"""Two poses that are so near (m, rad) are the same."""


@final
@dataclass(frozen=True, eq=False)
class Pace:
    """The fastest that a robot can do a task in some way.

    Attributes:
        run: the robot along the motion at that pace.
        decides: the requirement that breaks at a faster pace; None where nothing limits the timing.
        peak_limited: how long it would take if limits of every instant were the only ones: without heat, and with rods
            that do not buckle (s).
        scaled: whether it is the timing by limits of every instant, run slower as a whole.
    """

    run: Run
    decides: Requirement | None
    peak_limited: float
    scaled: bool = False

    @property
    def motion(self) -> Motion:
        """The motion at that pace."""
        return self.run.motion

    @property
    def per_minute(self) -> float | None:
        """How often the motion can be done per minute; None where it does not end where it begins."""
        return 60.0 / self.motion.duration if returns(self.motion) else None

    @property
    def hot(self) -> bool:
        """Whether it is the rated torque that decides."""
        return self.decides is not None and self.decides.name == RMS


def returns(motion: Motion) -> bool:
    """Whether a motion ends where it begins, so that it can be repeated, and counted per minute."""
    return bool(np.abs(motion.end - motion.start).max() <= _SAME)


def own_pace(run: Run, task: Task | Motion, own_motion: Motion) -> Pace | None:
    """The fastest pace of a task by its own law: that at which the verdict turns, asked for one pace after the other.

    Where the task as it is asked for can be done, it is the largest pace up to which it can; where it cannot be done,
    the largest slower one at which it can.

    Args:
        run: the robot along a motion that meets no belt.
        task: the task, or the motion that was given.
        own_motion: the motion at the task's own pace.

    Returns:
        The pace; None where no requirement limits it.

    Raises:
        ParameterError: no pace is slow enough.
    """
    least, most = _EXTREMES
    allowed = math.inf if paced(task) else most_allowed(task, own_motion) * run.motion.duration / 60.0

    def at(factor: float) -> tuple[Run, bool]:
        """The robot at another pace, and whether that is along the same path with the same loads."""
        if factor == 1.0:
            return run, False
        model = run.ride.model
        motion = tried_at_pace(task, own_motion, model, factor * 60.0 / run.motion.duration).with_payload(model.payload)
        same = run.retimed(motion)
        return (Run.of(model, motion), False) if same is None else (same, True)

    def limiting(factor: float) -> Requirement | None:
        try:
            there, same = at(factor)
        except ParapickError as error:
            return _broken_limits(str(error))
        # The path at another pace is the same, and so is all that follows from it alone.
        return limiting_of(there.load_requirements if same else there.requirements)

    turn = turning(limiting, excess_of, 1.0, least, min(most, allowed))
    factor, breaks = turn.kept, turn.breaks
    if breaks is None:
        if allowed > most:
            return None
        factor, breaks = allowed, _broken_limits("the task allows no faster pace")
    if factor == 0.0:
        raise ParameterError("cycles_per_minute", f"no pace is slow enough: {breaks.text}")
    there, _ = at(factor)
    return Pace(there, breaks, there.motion.duration)


def _broken_limits(reason: str) -> Requirement:
    return against(LIMITS, "", math.nan, at_least=-math.inf, unit="", words=reason)


def tires(quickest: Run) -> bool:
    """Whether a robot on a timing breaks a limit of a sum over the cycle if it is repeated, such as heat.

    Args:
        quickest: the robot on its timing, with masses.
    """
    return any(requirement.name in _SUMS and not requirement.ok for requirement in quickest.load_requirements)


def fastest_pace(quickest: Run, cool: Run | None = None) -> Pace:
    """The fastest timing, if all is kept along it; otherwise run slower as a whole until it is.

    Args:
        quickest: the robot on its fastest timing by limits of every instant, with masses.
        cool: the robot on its fastest timing under sums over the cycle as well, where the former breaks one; None where
            it does not, or where there is none.

    Raises:
        ParameterError: no cycle is slow enough, such as for motors that get too hot when they hold the plate.
    """
    worst = limiting_of(quickest.load_requirements)
    if worst is None or worst.ok:
        return Pace(quickest, _nearest(quickest), quickest.motion.duration)
    timed = cool or quickest
    turn = turning(lambda factor: limiting_of(timed.sped_up(factor).load_requirements), excess_of, 1.0, *_EXTREMES)
    if turn.breaks is not None and turn.kept == 0.0:
        raise ParameterError("cycles_per_minute", f"no cycle is slow enough: {turn.breaks.text}")
    kept = timed.sped_up(turn.kept)
    scaled = quickest.retimed(kept.motion) is not None
    used = [one for one in kept.load_requirements if one.name in _SUMS and one.use and one.use >= 1.0 - KEPT]
    # Where all time beyond that of the peaks is there for a sum, it decides, though peaks may break a hair before it.
    decides = used[0] if used and not scaled else turn.breaks
    return Pace(kept, decides, quickest.motion.duration, scaled)


def _nearest(quickest: Run) -> Requirement | None:
    """What decides a fastest timing: peak torque, speed, or another limit of an instant, the nearest to its limit."""
    names = (PEAK, SPEED, *(kind.title for kind in INSTANT))
    return limiting_of(requirement for requirement in quickest.load_requirements if requirement.name in names)


def decides_words(decides: Requirement | None) -> str:
    """What decides a pace or a payload, as the end of a line; empty where nothing does.

    Args:
        decides: the requirement that breaks next.
    """
    if decides is None:
        return ""
    word = "force" if decides.unit == "N" else "torque"
    words = {RMS: f"heat (rated {word})", PEAK: f"peak {word}"}
    return f"; what decides: {words.get(decides.name, decides.name)}"
