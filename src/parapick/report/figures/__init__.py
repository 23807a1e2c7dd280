"""The figures of the report, one a file; a new one is one line here.

A section's own figures come first; series that none of them claims are drawn as curves over time, so a section that is
not named here has figures too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from parapick.answer import Answer, Series
from parapick.evaluation import Evaluation
from parapick.report.figures import profiles
from parapick.report.figures.bars import bars_figure
from parapick.report.figures.drawing import Drawing, figure_element, figure_elements
from parapick.report.figures.loop import loop_drawings
from parapick.report.figures.path import path_figure
from parapick.report.figures.plane import plane_figure
from parapick.report.figures.profiles import profiles_figure
from parapick.report.figures.series import series_figure

__all__ = ["CLAIMED", "FIGURES", "Drawing", "draw", "figure_element", "figure_elements"]

Draw = Callable[[Evaluation, Answer], Drawing | None]

FIGURES: Final[dict[str, tuple[Draw, ...]]] = {
    "reach": (path_figure,),
    "motion": (profiles_figure,),
    "torque": (plane_figure,),
    "improve": (bars_figure,),
}
"""Figures of a section by its key, in their order; a figure may answer None where it has nothing to show."""

CLAIMED: Final[dict[str, tuple[str, ...]]] = {"motion": profiles.CLAIMS}
"""Series of a section that its own figures show already."""


def draw(evaluation: Evaluation, section: Answer) -> list[Drawing]:
    """All figures of a section.

    Args:
        evaluation: what the section is of.
    """
    drawings = [drawn for figure in FIGURES.get(section.key, ()) if (drawn := figure(evaluation, section)) is not None]
    left: list[Series] = []
    for series in section.series:
        # Without a gearbox the speed of a motor is that of its joint: once is enough.
        if series.name not in CLAIMED.get(section.key, ()) and not any(
            _alike(series, drawn_already) for drawn_already in left
        ):
            left.append(series)
    loops = loop_drawings(evaluation) if section.key == "control" else []
    return [*drawings, *series_figure(evaluation, section, left), *loops]


def _alike(one: Series, other: Series) -> bool:
    return one.unit == other.unit and np.array_equal(one.values, other.values) and one.limits == other.limits
