"""Supervised runs as a figure for files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from parapick.report.figures.stop import stop_panels
from parapick.report.plot.paper import paper_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from parapick.operation import SupervisedRun

_WIDTH: Final = 13.0
"""Width of the figure (inches)."""


def stop_figure(runs: Mapping[str, SupervisedRun], title: str) -> Figure:
    """Draw supervised runs one below the other: states, speed, torques, distance from the reference, path of the stop.

    Args:
        runs: runs by the name of their law.
        title: what they are, in a line.
    """
    panels = [panel for run in runs.values() for panel in stop_panels(run)]
    return paper_figure(panels, _WIDTH, columns=2, title=f"{title}, {', '.join(runs)}")
