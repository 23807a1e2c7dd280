"""The answer in one line: yes with the tightest requirement, or no with the one that breaks."""

from __future__ import annotations

from collections.abc import Sequence

from parapick.evaluation.answer import Finding, Section, Verdict

__all__ = ["verdict_of"]


def verdict_of(robot: str, sections: Sequence[Section]) -> Verdict:
    """The verdict of findings.

    A requirement of reach breaks first, for without it nothing else can be told; then the one that exceeds its limit
    most. Where all are kept the tightest is the one that uses most of its limit.

    Args:
        robot: name of the robot.
        sections: the sections with what they found.
    """
    findings = [finding for section in sections for finding in section.findings]
    broken = [finding for finding in findings if not finding.ok]
    if broken:
        worst = next((finding for finding in broken if finding.floor), max(broken, key=_use))
        more = f" and {len(broken) - 1} more" if len(broken) > 1 else ""
        text = f"NO: {robot} cannot do this: {_brief(worst)}{_when(worst)}{more}{_fastest(sections)}"
        return Verdict(False, text, worst)
    limited = [finding for finding in findings if finding.use is not None]
    if not limited:
        needs = "".join(f"; {_brief(finding)}" for finding in findings if finding.name == "motor torque, peak")
        return Verdict(True, f"YES, as far as the file says: {robot} can do this, no drive is rated{needs}", None)
    tightest = max(limited, key=_use)
    return Verdict(True, f"YES: {robot} can do this: {_brief(tightest)}{_fastest(sections)}", tightest)


def _brief(finding: Finding) -> str:
    return finding.brief or finding.text


def _when(finding: Finding) -> str:
    return f", t {finding.place.time:.3g} s" if finding.place is not None and finding.brief else ""


def _use(finding: Finding) -> float:
    return finding.use or 0.0


def _fastest(sections: Sequence[Section]) -> str:
    """What the section on the fastest cycle adds, if there is one."""
    for section in sections:
        pace = section.data.get("fastest_cycles_per_minute")
        if isinstance(pace, float):
            return f"; up to {pace:.{0 if pace >= 100.0 else 1}f} a minute"
    return ""
