"""A run of the runtime as a small panel: state, error, torque, and a histogram of its periods.

It is folded from the rows that the recorder has drained, and drawn from that alone: nothing here looks at the loop.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np

from parapick.names import printable

if TYPE_CHECKING:
    from rich.panel import Panel
    from rich.text import Text

    from parapick.runtime import Session

WIDTH: Final = 76
"""Width of the panel (characters): a terminal of 80 has room for it and for the `^C` that it writes behind."""

HEIGHT: Final = 15
"""Its lines."""

EDGES: Final = (-50, -20, -10, -5, -2, -1, 1, 2, 5, 10, 20, 50, 100)
"""Edges of the bins: by how much of itself (%) a period is shorter or longer than it should be."""

SLOW: Final = 20
"""From this edge (%) on a bin stands out; from 100 on a whole period is missing."""

_BAR, _GAP, _ROWS = 4, 1, 4
_EIGHTHS: Final = " ▁▂▃▄▅▆▇█"
_SCALE: Final = 30
"""Length (characters) of the bar of the torque."""


@final
@dataclass(frozen=True, eq=False)
class RunSight:
    """What was seen of a run so far.

    Attributes:
        run: the run.
        report: what the runtime says of itself (), of type `REPORT`.
        row: the newest row of its log (), of type `LOG`.
        periods: how often a period fell into each bin (len(EDGES) + 1,).
        error: largest position error so far (m).
        torque: largest torque of each motor so far (n,), N m at the joints.
        late: samples so far at which a torque came too late.
    """

    run: Session
    report: Any
    row: np.ndarray
    periods: np.ndarray
    error: float
    torque: np.ndarray
    late: int


def seen(before: RunSight | None, run: Session, report: Any, rows: np.ndarray) -> RunSight | None:
    """What was seen of a run with some more rows of its log; nothing while there is none.

    A period is the time between the beginnings of two samples. Samples that are made up for begin together: what lies
    before them is one long period.

    Args:
        before: what was seen before.
        run: the run.
        report: what the runtime says of itself (), of type `REPORT`.
        rows: the rows (T,), of type `LOG`.
    """
    if not len(rows):
        return before
    motors = run.cell.plant.robot.motors
    begins = rows["begin"] if before is None else np.concatenate([before.row["begin"][None], rows["begin"]])
    first = before or RunSight(run, report, rows[0], np.zeros(len(EDGES) + 1, int), 0.0, np.zeros(motors), 0)
    return replace(
        first,
        report=report,
        row=rows[-1],
        periods=first.periods + _binned(np.diff(begins), run.cell.period),
        error=max(first.error, float(_errors(rows).max())),
        torque=np.maximum(first.torque, np.abs(rows["torque"][:, :motors]).max(axis=0)),
        late=first.late + int(np.count_nonzero(rows["late"])),
    )


def _binned(lengths: np.ndarray, period: int) -> np.ndarray:
    """How many periods (ns) fall into each bin."""
    apart = 100.0 * (lengths[lengths > 0] / period - 1.0)
    return np.bincount(np.searchsorted(EDGES, apart, side="right"), minlength=len(EDGES) + 1)


def _errors(rows: np.ndarray) -> np.ndarray:
    """Distances (m) from where the plate is wanted."""
    return np.linalg.norm((rows["x"] - rows["x_ref"])[..., :3], axis=-1)


def knows_pose(row: Any) -> bool:
    """Whether a row has where the plate is: virtual drives say it, those behind a bridge do not.

    Args:
        row: a row of the log (), of type `LOG`.
    """
    return bool(np.all(np.isfinite(row["x"])))


def error_text(row: Any) -> str:
    """The distance from where the plate is wanted, as far as it is known.

    Args:
        row: a row of the log (), of type `LOG`.
    """
    return f"{1e3 * float(_errors(row)):.3f} mm" if knows_pose(row) else "-"


def panel(sight: RunSight, title: str) -> Panel:
    """The panel.

    Args:
        sight: what was seen.
        title: what runs.
    """
    from rich.box import ROUNDED
    from rich.panel import Panel
    from rich.text import Text

    lines = [*_now(sight), Text(""), *_histogram(sight), _counts(sight)]
    head = Text(printable(title))
    head.truncate(WIDTH - 6, overflow="ellipsis")
    return Panel(Text("\n").join(lines), box=ROUNDED, title=head, title_align="left", width=WIDTH)


def _now(sight: RunSight) -> list[Text]:
    """State, pace, error and torque."""
    from rich.text import Text

    row, rate = sight.row, sight.run.planned.supervision.rate
    state = Text("").append(f"{sight.run.state_name(row):<10}", style="bold red" if row["fault"] >= 0 else "bold")
    state.append(f"pace {float(row['pace']):.2f}   {int(row['sample']) / rate:.1f} s")
    error = Text(f"error     {error_text(row)}   most {1e3 * sight.error:.3f} mm")
    return [state, error if knows_pose(row) else Text("error     -, no drive says where the plate is"), _torque(sight)]


def _torque(sight: RunSight) -> Text:
    """The largest torque as a share of its limit, with a bar; in N m where there is no limit."""
    from rich.text import Text

    limit = sight.run.cell.units()["torque_max"]
    now = np.abs(sight.row["torque"][: len(limit)])
    if not np.all(np.isfinite(limit)):
        unit = sight.run.planned.supervision.model.motors.torque_unit
        return Text(f"torque    {now.max():.1f} {unit}   most {sight.torque.max():.1f} {unit}, without a limit")
    share, most = float((now / limit).max()), sight.torque / limit
    filled = min(round(share * _SCALE), _SCALE)
    line = Text(f"torque    {100.0 * share:3.0f} % ")
    line.append("█" * filled, style="red" if share >= 1.0 else "")
    line.append("░" * (_SCALE - filled), style="dim")
    return line.append(f" most {100.0 * most.max():.0f} %, motor {int(most.argmax()) + 1}")


def _histogram(sight: RunSight) -> list[Text]:
    """Bars of the periods, logarithmic, with the edges of their bins and what share of all they are."""
    from rich.text import Text

    counts = sight.periods
    styles = ["red" if low >= EDGES[-1] else "yellow" if low >= SLOW else "" for low in (-100, *EDGES)]
    full = math.log1p(int(counts.sum()) or 1)
    heights = [max(round(8 * _ROWS * math.log1p(int(count)) / full), int(count > 0)) for count in counts]
    rows = []
    for level in reversed(range(_ROWS)):
        line = Text("")
        for height, style in zip(heights, styles, strict=True):
            line.append(_EIGHTHS[min(max(height - 8 * level, 0), 8)] * _BAR + " " * _GAP, style=style)
        rows.append(line)
    shares = Text("")
    for count, style in zip(counts, styles, strict=True):
        shares.append(f"{_share(int(count), int(counts.sum())):^{_BAR}}" + " " * _GAP, style=style)
    edges = " " * (_BAR - 2) + "".join(f"{edge:^+{_BAR + _GAP}d}" for edge in EDGES)
    head = f"periods by their difference from {sight.run.cell.period / 1e3:g} us (%), bars logarithmic"
    return [Text(head, style="dim"), *rows, Text(edges, style="dim"), shares]


def _share(count: int, total: int) -> str:
    """A share in at most four characters (%)."""
    share = 100.0 * count / max(total, 1)
    if not count:
        return "-"
    return "<.01" if share < 0.01 else f"{share:.2f}"[:4].rstrip(".") if share < 100.0 else "100"


def _counts(sight: RunSight) -> Text:
    """Periods that took too long or were left out, torques that came too late, rows without room in the log."""
    from rich.text import Text

    report = sight.report
    line = Text(f"periods {int(report['periods'])}")
    for words, count in (
        ("overruns", int(report["overruns"])),
        ("missed", int(report["missed"])),
        ("late", sight.late),
        ("lost", int(report["lost"])),
    ):
        line.append("  ").append(f"{words} {count}", style="red" if count else "")
    return line
