"""Panels on a page: strokes as SVG that stretches with the page, texts as HTML that keeps its size at every width.

Nothing is measured: the browser breaks legends into lines, and texts at ticks stand at shares of the plot.
"""

from __future__ import annotations

import re
from html import escape
from typing import Any, Final

import numpy as np

from parapick.report.plot.panel import Area, Curve, Item, Marks, Panel, Tiles, runs, simplified, ticks

_ACROSS: Final = 30000
"""Units of the drawing across a plot; some sixty are a pixel, so that a part of it can be looked at closely."""

_DOWN: Final = 7500
"""Units down a plot whose height is not that of its scale."""

_TOLERANCE: Final = 6.0
"""Distance (units) that a curve may be simplified by: a tenth of a pixel, so that ten times closer it is one."""

_DASHES: Final = {"-": "", "--": "6 3", ":": "1.5 2.5", "-.": "8 3 2 3"}

_SHAPES: Final = {"square": "M-4-4H4V4H-4Z", "cross": "M-4-4L4 4M-4 4L4-4", "dot": "M0 0h0"}

_ROW: Final = 26
"""Height of a named place of the vertical axis (pixels)."""

_LETTERS: Final = 18
"""Letters that fit below the narrowest panel."""

_LETTER: Final = 0.0165
"""Width of a letter of a phase's name as a share of a plot on a phone: a longer name is left out."""


def panel_html(panel: Panel) -> str:
    """A panel as HTML."""
    aside = f'<span class="aside">{escape(panel.aside)}</span>' if panel.aside else ""
    title = f'<p class="name"><b>{escape(panel.title)}</b>{aside}</p>' if panel.title or aside else ""
    key = "".join(f"<span>{_sample(item)}{escape(item.label)}</span>" for item in panel.legend)
    head = title + (f'<p class="key">{key}</p>' if key else "")
    style, kinds = "", "plot"
    if panel.names:
        style, kinds = f' style="height:{_ROW * len(panel.names)}px"', "plot named"
    elif panel.equal:
        kinds = "plot scaled" if panel.axes else "plot scaled bare"
        style = f' style="aspect-ratio:{panel.ratio:.5g};--ratio:{panel.ratio:.5g}"'
    below = f'<p class="below">{escape(panel.xlabel)}</p>' if panel.axes and panel.xlabel else ""
    # Views beside one another that have one scale share the width by what they show.
    flex = f' style="flex-grow:{panel.xlim[1] - panel.xlim[0]:.5g}"' if panel.equal and panel.axes else ""
    plot = f'<div class="{kinds}"{style}{_ends(panel)}>{_drawing(panel)}{_texts(panel)}</div>'
    return f'<div class="panel"{flex}>{head}{_phases(panel)}{plot}{below}</div>\n'


def _ends(panel: Panel) -> str:
    """The ends of the axes, for the script that zooms; nothing where names stand at an axis instead of numbers."""
    if not panel.axes or panel.names or panel.places:
        return ""
    across, up = (f"{low:.9g} {high:.9g}" for low, high in (panel.xlim, panel.ylim))
    return f' data-x="{across}" data-y="{up}"'


def _drawing(panel: Panel) -> str:
    down = round(_ACROSS / panel.ratio) if panel.equal else _DOWN
    grid = ""
    if panel.axes:
        across = "".join(f"M{_share(x, panel.xlim) * _ACROSS:.0f} 0v{down}" for x in _places(panel))
        up = "".join(f"M0 {down - _share(y, panel.ylim) * down:.0f}h{_ACROSS}" for y in _heights(panel))
        edge = "".join(f"M{_share(phase.start, panel.xlim) * _ACROSS:.0f} 0v{down}" for phase in panel.phases)
        grid = f'<path class="grid" d="{across}{up if not panel.names else ""}"/><path class="edge" d="{edge}"/>'
    drawn = "".join(_drawn(item, panel, down) for item in panel.items)
    return f'<svg viewBox="0 0 {_ACROSS} {down}" preserveAspectRatio="none">{grid}{drawn}</svg>'


def _heights(panel: Panel) -> dict[float, str]:
    return dict(panel.names) if panel.names else ticks(panel.ylim, 7 if panel.equal else 5)


def _places(panel: Panel) -> dict[float, str]:
    """Ticks of the horizontal axis; fewer where their texts would fill a narrow panel."""
    if panel.places:
        return dict(panel.places)
    places = ticks(panel.xlim, 6)
    return ticks(panel.xlim, 4) if panel.equal or sum(map(len, places.values())) > _LETTERS else places


def _share(value: Any, limits: tuple[float, float]) -> Any:
    return (value - limits[0]) / (limits[1] - limits[0])


def _units(x: np.ndarray, y: np.ndarray, panel: Panel, down: int) -> np.ndarray:
    """Points of the drawing (n, 2) at coordinates of the panel; infinity is its edge."""
    across = _share(np.clip(x, *panel.xlim) if np.isinf(x).any() else x, panel.xlim)
    up = _share(np.clip(y, *panel.ylim) if np.isinf(y).any() else y, panel.ylim)
    return np.stack([_ACROSS * across, down * (1.0 - up)], axis=-1)


def _path(points: np.ndarray) -> str:
    """A polyline in whole units, each point from the one before."""
    whole = np.rint(points).astype(int)
    steps = np.concatenate([whole[:1], np.diff(whole, axis=0)])
    return "m" + " ".join(map(str, steps.ravel().tolist()))


def _drawn(item: Item, panel: Panel, down: int) -> str:
    if isinstance(item, Marks):
        if item.shape != "dot":
            return ""
        dots = "".join(f"M{x:.0f} {y:.0f}h0" for x, y in _units(item.x, item.y, panel, down))
        return f'<path d="{dots}" stroke="{item.colour}" stroke-width="{item.size:g}"/>'
    if isinstance(item, Area):
        x, y = np.concatenate([item.x, item.x[::-1]]), np.concatenate([item.low, item.high[::-1]])
        points = _units(x, y, panel, down)
        seen = f' opacity="{item.opacity:g}"' if item.opacity < 1.0 else ""
        return f'<path class="area" d="{_path(simplified(points, _TOLERANCE))}z" fill="{item.colour}"{seen}/>'
    if isinstance(item, Tiles):
        left, low, right, high = item.blocks.T
        start, end = _units(left, low, panel, down), _units(right, high, panel, down)
        # Edges in whole units, and sizes from them: blocks that touch have one edge, and nothing shows between them.
        corners = np.rint(np.concatenate([start, end], axis=1)).astype(int).tolist()
        path = "".join(f"M{x} {y}H{right}V{top}H{x}z" for x, y, right, top in corners)
        return f'<path class="area cells" d="{path}" fill="{item.colour}"/>'
    pieces = [_units(piece[:, 0], piece[:, 1], panel, down) for piece in runs(item.x, item.y)]
    path = "M0 0".join(_path(simplified(piece, _TOLERANCE)) for piece in pieces)
    return f'<path d="{path}"{_stroke(item, _ACROSS / (panel.xlim[1] - panel.xlim[0]))}/>'


def _stroke(line: Curve, scale: float = 1.0) -> str:
    thick = f'class="thick" stroke-width="{line.thickness * scale:.0f}"' if line.thickness else ""
    width = thick or f'stroke-width="{line.width:.3g}"'
    dash = f' stroke-dasharray="{_DASHES[line.dash]}"' if line.dash != "-" else ""
    seen = f' opacity="{line.opacity:g}"' if line.opacity < 1.0 else ""
    return f' stroke="{line.colour}" {width}{dash}{seen}'


def _sample(item: Item) -> str:
    """What an entry of the legend looks like."""
    if isinstance(item, (Area, Tiles)):
        return f'<i class="area" style="background:{item.colour}"></i>'
    if isinstance(item, Marks):
        return _mark(item, "")
    return f'<svg class="sample" viewBox="0 0 26 8"><path d="M1 4H25"{_stroke(item)}/></svg>'


def _mark(marks: Marks, place: str) -> str:
    width = marks.size if marks.shape == "dot" else 2
    path = f'<path d="{_SHAPES[marks.shape]}" stroke="{marks.colour}" stroke-width="{width:g}"/>'
    return f'<svg class="mark" viewBox="-6 -6 12 12"{place}>{path}</svg>'


def _texts(panel: Panel) -> str:
    """Numbers at the ticks, marks that keep their shape, and what stands beside marks."""
    parts = []
    if panel.axes:
        heights, places = _heights(panel).items(), _places(panel).items()
        parts += [f'<span class="y" style="top:{_down(y, panel)}">{escape(text)}</span>' for y, text in heights]
        parts += [f'<span class="x" style="left:{_across(x, panel)}">{text}</span>' for x, text in places]
    for marks in (item for item in panel.items if isinstance(item, Marks)):
        places = [f"left:{_across(x, panel)};top:{_down(y, panel)}" for x, y in zip(marks.x, marks.y, strict=True)]
        if marks.shape != "dot":
            parts += [_mark(marks, f' style="{place}"') for place in places]
        words = zip(places, marks.texts, strict=True) if marks.texts else ()
        parts += [f'<span class="beside" style="{place}">{_subscripts(text)}</span>' for place, text in words]
    return "".join(parts)


def _subscripts(text: str) -> str:
    """A letter such as "r_b" with what follows its line set lower."""
    return re.sub(r"_(\w+)", r"<sub>\1</sub>", escape(text))


def _across(x: float, panel: Panel) -> str:
    return f"{100.0 * _share(x, panel.xlim):.4g}%"


def _down(y: float, panel: Panel) -> str:
    return f"{100.0 - 100.0 * _share(y, panel.ylim):.4g}%"


def _phases(panel: Panel) -> str:
    """Names of the phases above the plot, those for which there is room."""
    texts, free = "", -np.inf
    for phase in sorted(panel.phases, key=lambda phase: phase.start):
        width = (phase.end - phase.start) / (panel.xlim[1] - panel.xlim[0])
        if phase.start >= free and _LETTER * max(map(len, phase.name.split())) <= width:
            place = f"left:{_across(phase.start, panel)};width:{100.0 * width:.4g}%"
            texts += f'<span style="{place}">{escape(phase.name)}</span>'
            free = phase.end - 1e-9
    return f'<div class="phases">{texts}</div>' if texts else ""
