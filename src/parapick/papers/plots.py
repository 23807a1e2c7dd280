"""What figures of the documents are made of: curves over anything, bands of colour over a plane, bars with names."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from parapick.papers.captions import span
from parapick.report import (
    COLOURS,
    Area,
    Curve,
    Item,
    Panel,
    Tiles,
    around,
    hue,
    level,
    upright,
)

BANDS: Final = (
    "#00224E",
    "#123570",
    "#3B496C",
    "#575D6D",
    "#707173",
    "#8A8678",
    "#A59C74",
    "#C3B369",
    "#E1CC55",
    "#FEE838",
)
"""Ten steps of cividis, from dark to bright: it looks the same to colour-blind eyes and rises in grey."""

_THICK: Final = 0.76
"""Height of a row's bars together."""


def curves(
    title: str,
    x: np.ndarray,
    values: Mapping[str, np.ndarray],
    xlabel: str = "time (s)",
    limits: Mapping[str, float] | None = None,
    **others: str,
) -> Panel:
    """Curves over one axis, each with its name.

    Args:
        title: what it shows, with the unit.
        x: horizontal coordinates (n,).
        values: curves (n,) by name.
        xlabel: what the horizontal axis is.
        limits: level lines by name.
        others: a remark beside the title (`aside`).
    """
    widths = np.linspace(2.2, 1.1, max(len(values), 2))
    items: list[Item] = [
        Curve(x, curve, hue(i), float(widths[i]), "--" if i % 2 else "-", name)
        for i, (name, curve) in enumerate(values.items())
    ]
    items += [level(value, COLOURS["black"], 1.0, ":", name) for name, value in (limits or {}).items()]
    return Panel(title, tuple(items), (float(x[0]), float(x[-1])), around(items), xlabel, others.get("aside", ""))


def by_motor(values: np.ndarray) -> dict[str, np.ndarray]:
    """Columns of an array (T, n) by the motors they belong to.

    Args:
        values: the array.
    """
    return {f"motor {i + 1}": column for i, column in enumerate(values.T)}


def bands(
    title: str,
    axes: tuple[np.ndarray, np.ndarray],
    values: np.ndarray,
    scale: tuple[float, float],
    labels: tuple[str, str] = ("x (mm)", ""),
) -> Panel:
    """A quantity over a plane, in ten bands of colour.

    Args:
        title: what it shows, with the unit of its vertical axis.
        axes: coordinates of columns (n,) and rows (m,), at equal distances.
        values: the quantity (n, m); NaN where there is none.
        scale: where the first band begins and the last one ends; of panels that are compared it is the same.
        labels: what the horizontal axis is, and the unit of the quantity.
    """
    edges = np.linspace(*scale, len(BANDS) + 1)
    # The largest value belongs to the last band, and rounding leaves no value outside.
    place = np.clip(np.digitize(values, edges) - 1, 0, len(BANDS) - 1)
    ends = _edges(axes[0]), _edges(axes[1])
    known, last = np.isfinite(values), len(BANDS) - 1
    names = {0: f"{scale[0]:.4g} {labels[1]}".rstrip(), last: f"{scale[1]:.4g} {labels[1]}".rstrip()}
    # A band lies on all that is above it too, so that nothing can show between two of them.
    items = tuple(Tiles(*ends, known & (place >= k), colour, names.get(k, "")) for k, colour in enumerate(BANDS))
    limits = [(float(edge[0]), float(edge[-1])) for edge in ends]
    extent = f"{span(values, _decimals(scale))} {labels[1]}".rstrip()
    return Panel(title, items, limits[0], limits[1], labels[0], extent, equal=True)


def common_scale(*values: np.ndarray) -> tuple[float, float]:
    """Smallest and largest value of planes that are compared; a smallest one that is zero but for rounding is zero.

    Args:
        values: the values of each plane; NaN where there is none.
    """
    low, high = min(float(np.nanmin(plane)) for plane in values), max(float(np.nanmax(plane)) for plane in values)
    return (0.0 if abs(low) < 1e-9 * abs(high) else low), high


def _decimals(scale: tuple[float, float]) -> int:
    """Decimals of the values of a scale: four digits of its largest."""
    return int(np.clip(3 - math.floor(math.log10(max(abs(scale[1]), 1e-9))), 0, 4))


def _edges(centres: np.ndarray) -> np.ndarray:
    step = float(centres[1] - centres[0])
    return np.append(centres - step / 2, centres[-1] + step / 2)


def disc(radius: float, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates of a square grid (m), and which of its points (n, n) lie in a disc about its middle.

    Args:
        radius: that of the disc (m).
        count: points along an axis.
    """
    axis = np.linspace(-radius, radius, count)
    return axis, np.hypot(axis[:, None], axis[None]) <= radius * (1 + 1e-9)


def bars(title: str, rows: Mapping[str, Sequence[float]], names: Sequence[str], *, stacked: bool = False) -> Panel:
    """Bars from the left, a named row each, the first on top.

    Args:
        title: what they show, with the unit.
        rows: lengths by the name of the row.
        names: what the bars of a row are.
        stacked: whether they stand behind one another instead of below.
    """
    items: list[Item] = []
    for place, lengths in enumerate(rows.values()):
        start, thick = 0.0, _THICK if stacked else _THICK / len(names)
        for k, (name, length) in enumerate(zip(names, lengths, strict=True)):
            top = -place + _THICK / 2 - (0.0 if stacked else k * thick)
            ends = np.array([start, start + length])
            items.append(Area(ends, np.full(2, top - thick), np.full(2, top), hue(k), name if len(names) > 1 else ""))
            start += length if stacked else 0.0
    longest = max((sum(lengths) if stacked else max(lengths)) for lengths in rows.values())
    places = {-float(row): name for row, name in enumerate(rows)}
    shown = (*items, upright(0.0, COLOURS["black"]))
    return Panel(title, shown, (0.0, 1.04 * (longest or 1.0)), (0.5 - len(rows), 0.5), xlabel="", names=places)
