"""An evaluation on the terminal: the verdict in one line, what it rests on, and the numbers people ask for first."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Final

from parapick.cli.tables import alarm, number, print_list, print_table, say
from parapick.evaluation.findings import PEAK, RMS
from parapick.evaluation.pace import LIMITS
from parapick.evaluation.words import amount, at_least, at_most, percent, shown
from parapick.names import printable

if TYPE_CHECKING:
    from rich.text import Text

    from parapick.evaluation import Evaluation, Finding, Section

__all__ = ["cell_text", "print_evaluation", "print_verdict"]

_IMPROVEMENTS: Final = 5
"""Numbers listed under what would improve the robot; the report has them all."""

_SMALL: Final = 1e-3
"""Below this a number needs its exponent."""

_CHANGES: Final = {
    "peak torque": "peak torque",
    "RMS torque": "RMS",
    "motor speed": "motor speed",
    "cycle time": "fastest cycle",
}
"""Columns of what would improve the robot, and what they are called here."""

_SLOWER: Final = 0.05
"""Change of the fastest cycle (%) from which on it is printed as one that is slower."""


def print_evaluation(made: Evaluation) -> None:
    """Print an evaluation: verdict, task, doubts, requirements, motors, and the rest in lines.

    Args:
        made: the evaluation.
    """
    print_verdict(made.verdict.text)
    say(f"task: {made.title}")
    for doubt in made.doubts:
        say(f"doubt: {doubt}")
    say()
    _print_findings(made)
    keys = {section.key: section for section in made.sections}
    if "torque" in keys and keys["torque"].tables:
        say()
        _print_motors(keys["torque"])
    if "control" in keys and keys["control"].tables:
        say()
        _print_loops(keys["control"])
    lines = _lines(keys)
    if lines:
        say()
        print_list(lines)
    if "improve" in keys and keys["improve"].tables:
        say()
        _print_improvements(keys["improve"])
    left_out = _left_out(made)
    if left_out:
        say()
    for text, titles in left_out.items():
        say(f"{', '.join(titles)} {text}")


def print_verdict(text: str) -> None:
    """Print a verdict in one line, however long it is.

    Args:
        text: the verdict.
    """
    sys.stdout.write(f"{printable(text)}\n")


def _left_out(made: Evaluation) -> dict[str, list[str]]:
    """Why something was not looked at, once, with the sections that it leaves empty."""
    reasons: dict[str, list[str]] = {}
    for section in made.sections:
        for text in section.left_out:
            reasons.setdefault(text, []).append(section.title.lower())
    return reasons


def _print_findings(made: Evaluation) -> None:
    names = made.model.robot.task_names
    heads = ("requirement", "worst", "limit", "used", "of", "t (s)", *(_head(name) for name in names))
    cells = [_finding_cells(finding, len(names)) for finding in made.findings]
    print_table(heads, cells, numbers=(1, 2, 3, *range(5, len(heads))))


def _finding_cells(finding: Finding, dof: int) -> list[str | Text]:
    value = finding.value if finding.floor else abs(finding.value)
    worst = amount(value, finding.unit) if finding.unit else number(value, 4)
    place = finding.place
    pose = [""] * dof if place is None else [_coordinate(i, value) for i, value in enumerate(place.pose)]
    return [
        # As `parapick pose` calls them, and short enough for one line.
        finding.name.replace("-mobility", ""),
        worst if finding.ok else alarm(worst),
        "-" if finding.limit is None else f"{'> ' if finding.floor else ''}{_limit(finding)}",
        "" if finding.use is None else percent(finding.use),
        "" if place is None or not place.motor else f"{'leg' if finding.floor else 'motor'} {place.motor}",
        "" if place is None else number(place.time, 4),
        *pose,
    ]


def _limit(finding: Finding) -> str:
    return amount(finding.limit, finding.unit) if finding.limit and finding.unit else "0"


def _head(name: str) -> str:
    return "yaw (deg)" if name == "yaw" else f"{name} (mm)"


def _coordinate(index: int, value: float) -> str:
    return number(value, 1, shown("rad" if index == 3 else "m")[1])


def _print_motors(torque: Section) -> None:
    table = torque.tables[0]
    kept = [i for i in range(len(table.heads)) if any(row[i] is not None for row in table.rows)]
    heads = [f"{table.heads[i]} ({table.units[i]})" if table.units[i] else table.heads[i] for i in kept]
    rows = [[cell_text(row[i]) for i in kept] for row in table.rows]
    print_table(heads, rows, numbers=range(len(heads)), title="torque at the motor shafts, with friction and gearbox")


def _print_loops(control: Section) -> None:
    table = control.tables[0]
    scales = [shown(unit) for unit in table.units]
    heads = [f"{head} ({scale[0]})" if scale[0] else head for head, scale in zip(table.heads, scales, strict=True)]
    rows = [
        [
            cell_text(cell * scale[1] if isinstance(cell, float) else cell)
            for cell, scale in zip(row, scales, strict=True)
        ]
        for row in table.rows
    ]
    print_table(heads, rows, numbers=range(1, len(heads)), title="the task in closed loop")


def cell_text(cell: object) -> str:
    """A cell of a table as text: four digits, yes and no, a dash for nothing.

    Args:
        cell: the cell.
    """
    if cell is None:
        return "-"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return f"{cell:.4g}" if abs(cell) < 1e4 and (abs(cell) >= _SMALL or cell == 0.0) else f"{cell:.3e}"
    return str(cell)


def _lines(keys: dict[str, Section]) -> dict[str, str]:
    lines = {}
    if "torque" in keys and keys["torque"].data.get("sharing"):
        lines["sharing"] = "more motors than freedoms: they share so that the largest torque is least"
    power = keys["power"].data if "power" in keys else {}
    if power:
        lines["bus"] = f"{power['bus_peak']:.0f} W at most, t {power['bus_peak_time']:.4f} s, for all motors together"
        lines["energy"] = (
            f"{power['energy_drawn']:.1f} J drawn and {power['energy_returned']:.1f} J returned a cycle, "
            f"{power['mean_power']:.1f} W on average"
        )
    lines |= _paces(keys["fastest"].data if "fastest" in keys else {})
    payload = keys["capability"].data if "capability" in keys else {}
    if isinstance(most := payload.get("largest_payload"), float) and 0.0 < most < math.inf:
        decides = _decides(payload["largest_payload_limited_by"])
        anew = "; with another payload it would be timed anew" if payload["largest_payload_timed_anew"] else ""
        lines["payload"] = f"up to {at_most(most, 4)} kg at this pace{decides}{anew}"
    return lines


def _paces(pace: dict[str, object]) -> dict[str, str]:
    """The pace by the task's own law, and by the fastest timing, rounded to what is kept."""
    lines = {}
    for key, name in (("own_law", "own law"), ("fastest", "fastest timing")):
        duration = pace.get(f"{key}_duration")
        if isinstance(duration, float):
            per_minute = f"up to {at_most(60.0 / duration, 4)} a minute, " if pace["cycle"] else ""
            lines[name] = f"{per_minute}{at_least(duration, 4)} s{_decides(pace[f'{key}_limited_by'])}"
    return lines


def _decides(name: object) -> str:
    words = {RMS: "heat (rated torque)", PEAK: "peak torque", LIMITS: "limits of the task"}
    return "" if name is None else f"; what decides: {words.get(str(name), name)}"


def _print_improvements(improve: Section) -> None:
    """What would improve the robot most, in percent; a change that makes the fastest cycle slower says so."""
    heads = ("improve", *(f"{words} (%)" for words in _CHANGES.values()))
    rows = []
    for record in improve.tables[0].records[:_IMPROVEMENTS]:
        cells = [_percents(record[name]) for name in _CHANGES]
        slower = isinstance(cycle := record["cycle time"], float) and cycle >= _SLOWER
        rows.append([f"{record['change']} {record['number']}", *cells, "slower" if slower else ""])
    print_table((*heads, ""), rows, numbers=range(1, len(heads)))


def _percents(change: object) -> str:
    """A change in percent with its sign; a rounded 0 has none."""
    if not isinstance(change, float):
        return "-"
    text = f"{change:+.1f}"
    return text[1:] if not text.strip("+-0.") else text
