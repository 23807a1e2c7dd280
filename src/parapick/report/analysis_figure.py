"""Linear loops as a figure: responses to disturbances, margins along the motion, poles."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

import numpy as np

from parapick.report.canvas import COLOURS, hue
from parapick.report.plot import Curve, Item, Marks, Panel, around, decades, upright
from parapick.report.plot.paper import paper_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from parapick.analysis import LoopAnalysis, Response

_WIDTH: Final = 10.0
"""Width of the figure (inches)."""

_ROOM: Final = 1.1
"""Room above the curves, which begin at 0."""

_SLOW: Final = 4.0
"""Poles are shown up to this many times the frequency of the slowest that swings."""


def analysis_figure(analyses: Mapping[str, LoopAnalysis], title: str) -> Figure:
    """Draw linear loops side by side.

    Args:
        analyses: analyses by the name of their controller.
        title: what they are, in a line.
    """
    return paper_figure(analysis_panels(analyses), _WIDTH, title=title)


def analysis_panels(analyses: Mapping[str, LoopAnalysis]) -> tuple[Panel, ...]:
    """Panels of linear loops.

    Args:
        analyses: analyses by the name of their controller.
    """
    return (
        _response(analyses),
        _poles(analyses),
        _along("delay margin along the motion (ms)", analyses, "delay"),
        _along("smallest singular value of I + L", analyses, "singular"),
    )


def _response(analyses: Mapping[str, LoopAnalysis]) -> Panel:
    items: list[Item] = []
    for index, (name, analysis) in enumerate(analyses.items()):
        items.append(_curve(analysis.ideal, hue(index), ":", "ideal"))
        items.append(_curve(analysis.sampled, hue(index), "-", name))
        if analysis.measured is not None:
            x, y = _decibels(analysis.measured)
            items.append(Marks(x, y, hue(index), "dot", 7.0, "measured"))
    ends = [float(np.log10(analysis.sampled.frequencies[k])) for analysis in analyses.values() for k in (0, -1)]
    low, high = min(ends), max(ends)
    title = "position error per torque (dB of 1 mm/(N m))"
    return Panel(title, tuple(items), (low, high), around(items), "frequency (Hz)", places=decades((low, high)))


def _decibels(response: Response) -> tuple[np.ndarray, np.ndarray]:
    return np.log10(response.frequencies), 20.0 * np.log10(np.maximum(1e3 * response.size, 1e-12))


def _curve(response: Response, colour: str, dash: str, label: str) -> Curve:
    x, y = _decibels(response)
    return Curve(x, y, colour, dash=dash, label=label)


def _along(title: str, analyses: Mapping[str, LoopAnalysis], what: str) -> Panel:
    items: list[Item] = []
    for index, (name, analysis) in enumerate(analyses.items()):
        time = np.array([loop.time for loop in analysis.loops])
        values = [margin.singular if what == "singular" else 1e3 * margin.worst.delay for margin in analysis.margins]
        items.append(Curve(time, np.array(values), hue(index), label=name))
    ends = [loop.time for analysis in analyses.values() for loop in analysis.loops]
    return Panel(title, tuple(items), (0.0, max(*ends, 1e-6)), (0.0, around(items)[1] * _ROOM))


def _rates(analysis: LoopAnalysis) -> np.ndarray:
    """Poles at every pose in the s-plane, as frequencies (Hz)."""
    return np.concatenate([loop.s_poles for loop in analysis.loops]) / (2 * math.pi)


def _poles(analyses: Mapping[str, LoopAnalysis]) -> Panel:
    rates = {name: _rates(analysis) for name, analysis in analyses.items()}
    swinging = [abs(rate) for values in rates.values() for rate in values if abs(np.imag(rate)) > 0.0]
    edge = _SLOW * float(np.median(sorted(swinging)[: max(1, len(swinging) // 2)])) if swinging else 100.0
    items: list[Item] = [upright(0.0, COLOURS["black"])]
    items += list(_marks(rates, edge))
    shown = [float(item.x.max()) for item in items if isinstance(item, Marks) and item.x.size]
    right = max(0.05 * edge, 1.1 * max(shown, default=0.0))
    title = "poles at all poses: imaginary part (Hz)"
    return Panel(title, tuple(items), (-edge, right), (-0.05 * edge, edge), "real part (Hz)")


def _marks(rates: Mapping[str, np.ndarray], edge: float) -> Iterator[Marks]:
    for index, (name, values) in enumerate(rates.items()):
        real, swing = np.real(values), np.imag(values)
        near = (np.abs(real) < edge) & (swing >= 0.0) & (swing < edge)
        yield Marks(real[near], swing[near], hue(index), "cross", 5.0, name)
