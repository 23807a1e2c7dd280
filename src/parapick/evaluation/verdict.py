"""The answer in one line: yes with the tightest requirement, or no with the one that breaks; and the pace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from parapick.answer import Answer, Finding
from parapick.answer.words import at_least, at_most
from parapick.evaluation.evaluation import Verdict
from parapick.evaluation.findings import PEAK, RMS, limiting_of
from parapick.evaluation.pace import LIMITS

if TYPE_CHECKING:
    from parapick.model import Model

_DECIDES: Final = {RMS: " (heat decides)", LIMITS: " (its own limits decide)"}
"""What is said of a pace by the requirement that breaks beyond it; torque and speed go without saying."""


def verdict_of(model: Model, sections: Sequence[Answer], path: Sequence[Finding] = ()) -> Verdict:
    """The verdict of findings.

    A requirement of reach breaks first, for without it nothing else can be told; then the one that exceeds its limit
    most. Where all are kept the tightest is the one that uses most of its limit. A motion on which the robot cannot be
    is never a yes, whichever sections were computed.

    Args:
        model: the robot.
        sections: the sections with what they found.
        path: what must hold for the robot to be on the motion at all.
    """
    robot, findings = model.robot.name, [finding for section in sections for finding in section.findings]
    known = {finding.name for finding in findings}
    findings += [finding for finding in path if not finding.ok and finding.name not in known]
    limiting, pace = limiting_of(findings), _pace(sections)
    if not findings:
        text = f"YES, as far as this was looked at: nothing here says what {robot} must keep"
        return Verdict(True, text, None)
    if limiting is None:
        return Verdict(True, f"YES, as far as {_unlimited(model, findings)}", None)
    if limiting.ok and not model.motors.rated:
        return Verdict(True, f"YES, as far as {_unlimited(model, findings)}; {_brief(limiting)}", limiting)
    if limiting.ok:
        return Verdict(True, f"YES: {robot} can do this: {_brief(limiting)}{pace}", limiting)
    broken = sum(not finding.ok for finding in findings)
    more = f" and {broken - 1} more" if broken > 1 else ""
    text = f"NO: {robot} cannot do this: {_brief(limiting)}{_when(limiting)}{more}{pace}"
    return Verdict(False, text, limiting)


def _unlimited(model: Model, findings: Sequence[Finding]) -> str:
    """How far a yes goes that rests on slacks and margins alone: no drive is rated, or the drives were left aside."""
    needs = "".join(f"; {_brief(finding)}" for finding in findings if finding.name == PEAK)
    robot = model.robot.name
    if model.motors.rated:
        return f"this was looked at: {robot} can do this, its drives left aside{needs}"
    return f"the file says: {robot} can do this, no drive is rated{needs}"


def _brief(finding: Finding) -> str:
    return finding.brief or finding.text


def _when(finding: Finding) -> str:
    return f", t {finding.place.time:.3g} s" if finding.place is not None and finding.brief else ""


def _pace(sections: Sequence[Answer]) -> str:
    """What the section on the pace adds, if there is one: the pace of the task's own law and of the fastest timing."""
    data = next((section.data for section in sections if section.key == "fastest"), {})
    if data.get("meets_belts"):
        return "; its pace is that of the belts"
    words = ", ".join(_ways(data))
    if not words:
        return ""
    return f"; up to {words}" if data["cycle"] else f"; one way in {words}"


def _ways(data: Mapping[str, object]) -> Iterator[str]:
    """Each way to time the task with its pace, or with its duration where it is no cycle; rounded to what is kept."""
    unit = " a minute" if data.get("cycle") else " s"
    for key, name in (("own_law", "its own law"), ("fastest", "the fastest timing")):
        duration = data.get(f"{key}_duration")
        if isinstance(duration, float):
            number = at_most(60.0 / duration) if data["cycle"] else at_least(duration)
            yield f"{number}{unit} by {name}{_DECIDES.get(str(data[f'{key}_limited_by']), '')}"
            # "175 a minute by its own law, 227 by the fastest timing"
            unit = "" if data["cycle"] else unit
