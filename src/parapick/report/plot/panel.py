"""What a plot shows: lines, filled areas and marks in the units of its axes, with a title, a legend and phases.

A coordinate that is infinite reaches the edge of the panel; NaN breaks a line.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.answer import without_sign_of_zero
from parapick.motion import Phase

_STEPS: Final = (1.0, 2.0, 2.5, 5.0, 10.0)
"""Distances of ticks, times a power of ten."""

_ROOM: Final = 0.08
"""Room above and below the curves as a share of their range."""

_FLAT: Final = 0.1
"""Range of a panel whose curves are level, as a share of their height."""


TIME: Final = "time (s)"
"""What the horizontal axis of a panel over the time of a task is called."""


@final
@dataclass(frozen=True, eq=False)
class Curve:
    """A line.

    Attributes:
        x: horizontal coordinates (n,).
        y: vertical coordinates (n,).
        colour: `#RRGGBB`.
        width: width (pixels of a screen).
        dash: one of "-", "--", ":" and "-.".
        label: what the legend calls it; not in the legend if empty.
        opacity: 1 hides what lies behind.
        thickness: width in the units of the panel, which then has one scale; `width` if 0.
    """

    x: np.ndarray
    y: np.ndarray
    colour: str
    width: float = 1.5
    dash: str = "-"
    label: str = ""
    opacity: float = 1.0
    thickness: float = 0.0


@final
@dataclass(frozen=True, eq=False)
class Area:
    """What lies between two curves.

    Attributes:
        x: horizontal coordinates (n,).
        low: lower edge (n,).
        high: upper edge (n,).
        colour: `#RRGGBB`.
        label: what the legend calls it; not in the legend if empty.
        opacity: 1 hides what lies behind.
    """

    x: np.ndarray
    low: np.ndarray
    high: np.ndarray
    colour: str
    label: str = ""
    opacity: float = 1.0


@final
@dataclass(frozen=True, eq=False)
class Marks:
    """Points.

    Attributes:
        x: horizontal coordinates (n,).
        y: vertical coordinates (n,).
        colour: `#RRGGBB`.
        shape: one of "dot", "square" and "cross".
        size: diameter (pixels of a screen).
        label: what the legend calls them; not in the legend if empty.
        texts: what stands beside each; nothing if empty.
    """

    x: np.ndarray
    y: np.ndarray
    colour: str
    shape: str = "dot"
    size: float = 8.0
    label: str = ""
    texts: tuple[str, ...] = ()


@final
@dataclass(frozen=True, eq=False)
class Tiles:
    """Cells of a grid in one colour.

    Attributes:
        x: edges of the columns (n + 1,).
        y: edges of the rows (m + 1,).
        filled: which cells are coloured (n, m).
        colour: `#RRGGBB`.
        label: what the legend calls them; not in the legend if empty.
    """

    x: np.ndarray
    y: np.ndarray
    filled: np.ndarray
    colour: str
    label: str = ""

    @property
    def blocks(self) -> np.ndarray:
        """Left, lower, right and upper edge (k, 4) of every stretch of filled cells in a column."""
        padded = np.pad(self.filled.astype(np.int8), ((0, 0), (1, 1)))
        steps = np.diff(padded, axis=1)
        (column, first), last = np.nonzero(steps == 1), np.nonzero(steps == -1)[1]
        return np.stack([self.x[column], self.y[first], self.x[column + 1], self.y[last]], axis=1)


Item = Curve | Area | Marks | Tiles


@final
@dataclass(frozen=True, eq=False)
class Panel:
    """A plot.

    Attributes:
        title: what it shows, with the unit of its vertical axis.
        items: what is drawn, the last on top.
        xlim: ends of the horizontal axis.
        ylim: ends of the vertical axis.
        xlabel: what the horizontal axis is, with its unit.
        aside: a remark beside the title.
        phases: named stretches, their names above the plot.
        names: texts at places of the vertical axis instead of numbers.
        places: texts at places of the horizontal axis instead of numbers, such as decades.
        equal: whether both axes have one scale.
        axes: whether axes, ticks and grid are drawn.
    """

    title: str
    items: tuple[Item, ...]
    xlim: tuple[float, float]
    ylim: tuple[float, float]
    xlabel: str = TIME
    aside: str = ""
    phases: tuple[Phase, ...] = ()
    names: Mapping[float, str] | None = None
    places: Mapping[float, str] | None = None
    equal: bool = False
    axes: bool = True

    @property
    def legend(self) -> tuple[Item, ...]:
        """The first item of every label."""
        return tuple({item.label: item for item in reversed(self.items) if item.label}.values())[::-1]

    @property
    def ratio(self) -> float:
        """Width over height, in the units of the axes."""
        return float((self.xlim[1] - self.xlim[0]) / (self.ylim[1] - self.ylim[0]))


def polyline(points: np.ndarray, colour: str, width: float = 1.5, dash: str = "-", label: str = "") -> Curve:
    """A line through points.

    Args:
        points: the points (n, 2).
        colour: `#RRGGBB`.
        width: width (pixels).
        dash: kind of line.
        label: what the legend calls it.
    """
    return Curve(points[:, 0], points[:, 1], colour, width, dash, label)


def level(y: float, colour: str, width: float = 1.0, dash: str = "-", label: str = "") -> Curve:
    """A line across the whole panel.

    Args:
        y: its height.
        colour: `#RRGGBB`.
        width: width (pixels).
        dash: kind of line.
        label: what the legend calls it.
    """
    return Curve(np.array([-np.inf, np.inf]), np.array([y, y]), colour, width, dash, label)


def upright(x: float, colour: str, width: float = 1.0) -> Curve:
    """A line from the bottom to the top of the panel.

    Args:
        x: where it stands.
        colour: `#RRGGBB`.
        width: width (pixels).
    """
    return Curve(np.array([x, x]), np.array([-np.inf, np.inf]), colour, width)


def around(items: Iterable[Item]) -> tuple[float, float]:
    """Ends of a vertical axis that shows all of the items, with some room.

    Args:
        items: what is drawn.
    """
    heights = [h for item in items for h in ((item.low, item.high) if isinstance(item, Area) else (item.y,))]
    values = np.concatenate([np.zeros(0), *heights])
    values = values[np.isfinite(values)]
    if not values.size:
        return -1.0, 1.0
    low, high = float(values.min()), float(values.max())
    least = _FLAT * max(abs(low), abs(high)) or 1.0
    room = _ROOM * (high - low) if high - low > 1e-3 * least else least
    return low - room, high + room


def ticks(limits: tuple[float, float], most: int) -> dict[float, str]:
    """Places of ticks on round numbers between two ends, and their texts.

    Args:
        limits: the two ends.
        most: as many ticks at most.
    """
    low, high = limits
    raw = (high - low) / most
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(step * power for step in _STEPS if step * power >= raw * (1.0 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    decimals = max(0, -math.floor(math.log10(step) + 1e-9) + (round(step / power, 3) == 2.5))
    return {i * step: number(i * step, decimals) for i in range(first, last + 1)}


def decades(limits: tuple[float, float]) -> dict[float, str]:
    """Places of the powers of ten on a logarithmic axis, and their texts.

    Args:
        limits: logarithms (base 10) of the two ends.
    """
    first, last = math.ceil(limits[0] - 1e-9), math.floor(limits[1] + 1e-9)
    return {float(power): f"{10.0**power:g}" for power in range(first, last + 1)}


def number(value: float, decimals: int) -> str:
    """A number as it stands on an axis.

    Args:
        value: the number.
        decimals: digits after the point.
    """
    return without_sign_of_zero(f"{value:.{decimals}f}").replace("-", "\u2212")


def simplified(points: np.ndarray, tolerance: float) -> np.ndarray:
    """A polyline (n, 2) without points that lie next to the line between their neighbours.

    Every pass looks at every other point, so that two neighbours never go together.

    Args:
        points: the polyline.
        tolerance: distance below which a point is not missed in one pass.
    """
    while len(points) > 2:
        before, here, after = points[0:-2:2], points[1:-1:2], points[2::2]
        along = after - before
        share = ((here - before) * along).sum(axis=1) / np.maximum((along**2).sum(axis=1), 1e-30)
        apart = here - before - np.clip(share, 0.0, 1.0)[:, None] * along
        kept = np.ones(len(points), dtype=bool)
        kept[1 : 1 + 2 * len(here) : 2] = (apart**2).sum(axis=1) > tolerance**2
        if kept.sum() > 0.9 * len(points):
            return points[kept]
        points = points[kept]
    return points


def runs(x: np.ndarray, y: np.ndarray) -> Sequence[np.ndarray]:
    """The unbroken pieces of a line, each (n, 2).

    Args:
        x: horizontal coordinates (n,), NaN where it is broken.
        y: vertical coordinates (n,).
    """
    points = np.stack([x, y], axis=1)
    there = ~np.isnan(points).any(axis=1)
    if there.all():
        return [points]
    edges = np.flatnonzero(np.diff(np.concatenate([[False], there, [False]]).astype(int)))
    return [points[first:last] for first, last in edges.reshape(-1, 2)]
