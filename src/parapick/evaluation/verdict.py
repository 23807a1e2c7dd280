"""The answer in one line: yes with the tightest requirement, or no with the one that breaks; and the pace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from parapick.answer import Answer, Requirement, at_least, at_most
from parapick.evaluation.evaluation import Verdict
from parapick.evaluation.limiting import limiting_of
from parapick.evaluation.load_requirements import PEAK, RMS
from parapick.evaluation.pace import LIMITS
from parapick.evaluation.paces import Paces
from parapick.motors import CYCLE

if TYPE_CHECKING:
    from parapick.model import Model

_DECIDES: Final = {
    **{kind.title: f" ({kind.title} decides)" for kind in CYCLE},
    RMS: " (heat decides)",
    LIMITS: " (its own limits decide)",
}
"""What is said of a pace by the requirement that breaks beyond it; torque and speed go without saying."""


def verdict_of(
    model: Model, sections: Sequence[Answer], path: Sequence[Requirement] = (), paces: Paces | None = None
) -> Verdict:
    """The verdict of requirements.

    A requirement of reach breaks first, for without it no other has a value; then the one that exceeds its limit most.
    Where all are kept the tightest is the one that uses most of its limit. A motion on which the robot cannot be is
    never a yes, whichever sections were computed.

    Args:
        sections: the sections with the requirements that they check.
        path: what must hold for the robot to be on the motion at all.
        paces: how fast the task can be done; None where that was not computed.
    """
    robot = model.robot.name
    requirements = [requirement for section in sections for requirement in section.findings]
    names = {requirement.name for requirement in requirements}
    requirements += [requirement for requirement in path if not requirement.ok and requirement.name not in names]
    limiting = limiting_of(requirements)
    pace = "" if paces is None else _pace(paces, sections)
    if not requirements:
        text = f"YES, as far as was computed: nothing here says what {robot} must keep"
        return Verdict(True, text, None)
    if limiting is None:
        return Verdict(True, f"YES, as far as {_unlimited(model, requirements)}", None)
    if limiting.ok and not model.motors.rated:
        return Verdict(True, f"YES, as far as {_unlimited(model, requirements)}; {_brief(limiting)}", limiting)
    if limiting.ok:
        return Verdict(True, f"YES: {robot} can do this: {_brief(limiting)}{pace}", limiting)
    broken = sum(not requirement.ok for requirement in requirements)
    more = f" and {broken - 1} more" if broken > 1 else ""
    text = f"NO: {robot} cannot do this: {_brief(limiting)}{_when(limiting)}{more}{pace}"
    return Verdict(False, text, limiting)


def _unlimited(model: Model, requirements: Sequence[Requirement]) -> str:
    """How far a yes goes that rests on slacks and margins alone: no drive is rated, or the drives were left aside."""
    needs = "".join(f"; {_brief(requirement)}" for requirement in requirements if requirement.name == PEAK)
    robot = model.robot.name
    if model.motors.rated:
        return f"was computed: {robot} can do this, its drives left aside{needs}"
    return f"the file says: {robot} can do this, no drive is rated{needs}"


def _brief(requirement: Requirement) -> str:
    return requirement.brief or requirement.text


def _when(requirement: Requirement) -> str:
    return f", t {requirement.place.time:.3g} s" if requirement.place is not None and requirement.brief else ""


def _pace(paces: Paces, sections: Sequence[Answer]) -> str:
    """What a verdict adds of the pace: that of the task's own law and of the fastest timing, or that of its belts."""
    if paces.of_belts:
        return _belts_pace(next((section.data for section in sections if section.key == "pattern"), {}))
    words = ", ".join(_pace_words(paces))
    if not words:
        return ""
    return f"; up to {words}" if paces.cycle else f"; one way in {words}"


def _belts_pace(items: Mapping[str, Any]) -> str:
    """The pace of a task on belts: what is picked, and what would be kept up with."""
    if "picks_per_minute" not in items or items.get("brought_per_minute") is None:
        return "; its pace is that of the belts"
    if items["largest_belt_rate"]:
        return f"; it keeps up with {at_most(items['largest_belt_rate'])} per minute"
    return f"; {items['picks_per_minute']:.4g} picks per minute, the belt brings {items['brought_per_minute']:.4g}"


def _pace_words(paces: Paces) -> Iterator[str]:
    """Each way to time the task with its pace, or with its duration where it is no cycle; rounded to what is kept."""
    word = "picks per minute" if paces.items > 1 else "per minute"
    unit = f" {word}" if paces.cycle else " s"
    timed = None if paces.by_own_law else paces.fastest
    for pace, name in ((paces.own_law, "its own law"), (timed, "the fastest timing")):
        if pace is None:
            continue
        duration = pace.motion.duration
        number = at_most(60.0 * paces.items / duration) if paces.cycle else at_least(duration)
        decides = "" if pace.decides is None else _DECIDES.get(pace.decides.name, "")
        yield f"{number}{unit} by {name}{decides}"
        # "175 per minute by its own law, 227 by the fastest timing"
        unit = "" if paces.cycle else unit
