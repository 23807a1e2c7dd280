"""Any quantities along the task: a panel a series, with its limits and the phases of the motion.

A section whose series have no figure of their own is drawn by this one, so a new section needs nothing here.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Final

import numpy as np

from parapick.answer import Answer, Series, display_unit, unit_text
from parapick.evaluation import Evaluation
from parapick.motion import Motion
from parapick.report.canvas import COLOURS, hue
from parapick.report.figures.drawing import Drawing
from parapick.report.figures.picks import in_one_pick, picks_of
from parapick.report.plot import TIME, Area, Curve, Item, Panel, around, level

_IN_VIEW: Final = 2.5
"""A limit that is more times the largest value would leave the curves flat; it is named beside the title only."""

_CURVES: Final = 8
"""More curves cannot be told apart: of these, only the range and the largest are drawn."""

_DASHES: Final = ("--", ":", "-.")


def series_figure(evaluation: Evaluation, section: Answer, series: Sequence[Series]) -> list[Drawing]:
    """A figure of all these series; none where they have no values.

    Args:
        evaluation: whose motion they are along.
        section: whose series they are.
        series: the series.
    """
    panels, words = [], ""
    for each in (each for each in series if np.isfinite(each.values).any()):
        motion = _motion_of(evaluation, each)
        picks = picks_of(evaluation, motion)
        panels.append(in_one_pick(series_panel(each, motion), picks))
        words = words if picks is None else f"; {picks.words}"
    names = ", ".join(each.name for each in series)
    return [Drawing(f"{section.title}: {names} over time{words}", tuple(panels))] if panels else []


def _motion_of(evaluation: Evaluation, series: Series) -> Motion | None:
    """The motion that a series is along: that of the task, or another timing of it; None where it is along neither."""
    paces = evaluation.paces
    timings = () if paces is None else (pace.motion for pace in (paces.timed, paces.own_law) if pace is not None)
    motions = (motion for motion in (evaluation.motion, *timings) if motion is not None and not series.since)
    return next((motion for motion in motions if np.isclose(float(series.t[-1]), motion.duration)), None)


def series_panel(series: Series, motion: Motion | None) -> Panel:
    """A panel with the curves of a series and its limits, at both signs where the values have both.

    Args:
        motion: whose phases are named, if the series is over its time.
    """
    unit, factor = display_unit(series.unit)
    values, ends = factor * series.values, (float(series.t[0]), float(series.t[-1]))
    finite = values[np.isfinite(values)]
    largest, both = np.max(np.abs(finite), initial=0.0), bool((finite < 0.0).any() and (finite > 0.0).any())
    near: list[Item] = []
    far: list[str] = []
    dashes = itertools.cycle(_DASHES)
    for name, limit in ((name, factor * limit) for name, limit in series.limits.items()):
        text = f"{name} {limit:.4g} {unit_text(unit)}".rstrip()
        if abs(limit) > _IN_VIEW * largest:
            far.append(text)
            continue
        dash = next(dashes)
        near.append(level(limit, COLOURS["black"], 1.1, dash, text))
        if both and not series.sided:
            near.append(level(-limit, COLOURS["black"], 1.1, dash))
    items = (*_curves(series, values), *near)
    phases = motion.phases if motion is not None and np.isclose(ends[1], motion.duration) else ()
    aside = f"out of view: {', '.join(far)}" if far else ""
    clock = f"time from {series.since} on (s)" if series.since else TIME
    return Panel(titled(series.name, unit), items, ends, around(items), clock, aside, phases)


def titled(name: str, unit: str) -> str:
    """The title of a panel.

    Args:
        name: what it shows.
        unit: unit of its vertical axis; may be empty.
    """
    return f"{name} ({unit_text(unit)})" if unit else name


def _curves(series: Series, values: np.ndarray) -> list[Item]:
    count = values.shape[1]
    if count > _CURVES:
        low, high = np.nanmin(values, axis=1), np.nanmax(values, axis=1)
        largest = np.where(-low > high, low, high)
        return [
            Area(series.t, low, high, COLOURS["pale"], "smallest to largest"),
            Curve(series.t, largest, COLOURS["blue"], label="largest in size"),
        ]
    # Widths fall and styles change, so that curves that lie on each other, as of mirrored motors, are all seen. One
    # alone is named by the title.
    widths = np.linspace(2.6, 1.2, count) if count > 1 else (1.7,)
    labels = series.labels if count > 1 else ("",)
    return [
        Curve(series.t, values[:, i], hue(i), float(width), "--" if i % 2 else "-", label)
        for i, (width, label) in enumerate(zip(widths, labels, strict=True))
    ]
