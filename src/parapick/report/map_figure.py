"""A map as a figure: cuts through the worst pose, with the robot that stands there, and the worst and the best marked.

Yellow is good and dark blue is bad, whichever of high and low is better; the colours are cividis, which looks the same
to colour-blind eyes and still rises in grey.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from parapick.answer import unit_text
from parapick.capability import (
    MAP_REASONS,
    Extreme,
    IndexMap,
)
from parapick.capability.reachable import WORDS
from parapick.errors import ParameterError
from parapick.model import Model
from parapick.report.canvas import COLOURS, new_figure
from parapick.report.map_cut import Cut, level_cut, line_cut, upright_cut
from parapick.report.skeleton import Skeleton, skeleton

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_GOOD_IS_BRIGHT: Final = {"high": "cividis", "low": "cividis_r"}

_MARKS: Final = {"worst": ("v", "red"), "best": ("^", "sky")}

_SHADES: Final = {
    "pose": "black",
    "leg": "light",
    "joint": "pink",
    "elbow": "green",
    "cone": "orange",
    "yaw": "grey",
    "clearance": "red",
    "under-mobility": "black",
    "over-mobility": "pale",
    "internal": "green",
    "no value": "grey",
    "not computed": "light",
}
"""Colours of points without a value, by their reason: over hatches, and none that the scale has."""

_SEEN: Final = 0.55
"""Opacity of these colours, behind which the hatches are seen."""

_SAME: Final = 1e-6
"""Ranges of values that differ by less than this share are the same."""

_THIN: Final = 0.05
"""Height over width below which a cut is next to a line."""

_NARROW: Final = 46
"""Characters of a line in a narrow figure."""

_MORE_WORDS: Final = {"no value": "not defined there", "not computed": "not computed"}


def map_figure(model: Model, index_map: IndexMap, *, narrow: bool = False) -> Figure:
    """Draw a map.

    Args:
        model: the robot that was mapped.
        narrow: whether cuts stand one below the other, for a page no wider than a hand.

    Raises:
        ParameterError: a map without a value, or of a single point.
    """
    worst, best = index_map.worst, index_map.best
    if worst is None or best is None:
        raise ParameterError(
            "map", f"{index_map.robot}: no point of the region has a value, so there is nothing to draw"
        )
    cuts = _cuts(index_map, worst)
    if not cuts:
        return _line(model, index_map, worst, best)
    figure, panels = _panels(len(cuts), narrow=narrow)
    bones = skeleton(model, np.array([list(worst.pose.values())]))
    limits = _range(cuts)
    shown: Any = None
    for panel, cut in zip(panels, cuts, strict=True):
        shown = _fill(panel, index_map, cut, limits)
        _robot(panel, cut, bones)
        for place, name in ((best, "best"), (worst, "worst")):
            _mark(panel, cut, place, name, hollow=not _in_cut(cut, place, worst))
    scale: dict[str, Any] = {"orientation": "horizontal", "pad": 0.02} if narrow else {"shrink": 0.85, "pad": 0.02}
    bar = figure.colorbar(shown, ax=list(panels), **scale)
    bar.set_label(_scale(index_map, limits))
    broad = len(cuts) > 1 and not narrow
    figure.suptitle(_title(model, index_map, 110 if broad else _NARROW if narrow else 64))
    handles = _legend(index_map, cuts, worst, best)
    if narrow:
        for handle in handles:
            handle.set_label(textwrap.fill(handle.get_label(), _NARROW))
    figure.legend(handles=handles, loc="outside lower center", ncols=len(cuts) if broad else 1, frameon=False)
    return figure


def _panels(count: int, *, narrow: bool) -> tuple[Figure, Any]:
    """An empty figure with its panels: beside each other, or one below the other."""
    if narrow:
        figure = new_figure(5.4, 2.6 + 4.4 * count)
        return figure, figure.subplots(count, 1, squeeze=False)[:, 0]
    figure = new_figure(12.0 if count > 1 else 7.2, 6.6)
    return figure, figure.subplots(1, count, squeeze=False)[0]


def _cuts(index_map: IndexMap, worst: Extreme) -> list[Cut]:
    """The planes that are worth a panel: an upright one that is next to a line is not, beside the view from above."""
    level, upright = level_cut(index_map, worst.pose), upright_cut(index_map, worst.pose)
    if level is None or upright is None:
        return [cut for cut in (level, upright) if cut is not None]
    across, up = upright.edges
    return [level, upright] if np.ptp(up) > _THIN * np.ptp(across) else [level]


def _range(cuts: Sequence[Cut]) -> tuple[float, float]:
    """Smallest and largest value in the cuts that are shown: their colours tell most apart."""
    values = np.concatenate([cut.values.ravel() for cut in cuts])
    return float(np.nanmin(values)), float(np.nanmax(values))


def _scale(index_map: IndexMap, limits: tuple[float, float] | None = None) -> str:
    """What the colours mean: the unit, what is better, and of what range they are where the map has more."""
    unit = f"{unit_text(index_map.index.unit)}, " if index_map.index.unit else ""
    words, even = f"{unit}{index_map.index.better} is better", index_map.homogeneity()
    if limits is None or np.allclose(limits, (even.minimum, even.maximum), rtol=_SAME):
        return words
    shown, whole = (f"{low:.4g} to {high:.4g}" for low, high in (limits, (even.minimum, even.maximum)))
    return f"{words}\ncolours of the cuts shown: {shown}\nthe whole map: {whole}"


def _title(model: Model, index_map: IndexMap, width: int) -> str:
    load = f", {model.loads.words}" if any(model.loads) else ""
    return textwrap.fill(f"{index_map.robot}{load}: {index_map.index.heading(index_map.options)}", width)


def _fill(panel: Any, index_map: IndexMap, cut: Cut, limits: tuple[float, float]) -> Any:
    from matplotlib import colormaps

    colours = colormaps[_GOOD_IS_BRIGHT[index_map.index.better]]
    values, (low, high) = np.ma.masked_invalid(cut.values), limits
    shown = panel.pcolormesh(*cut.edges, values, cmap=colours, rasterized=True, zorder=2, vmin=low, vmax=high)
    if cut.reason.any():
        # Grey alone could be taken for the middle of the scale.
        panel.add_patch(_outline(cut))
    _reasons(panel, cut)
    panel.set_xlabel(cut.labels[0])
    panel.set_ylabel(cut.labels[1])
    panel.set_title(cut.title, loc="left", fontsize="medium")
    panel.set_aspect("equal")
    return shown


def _reasons(panel: Any, cut: Cut) -> None:
    """The cells without a value in the colours of their reasons."""
    from matplotlib.colors import BoundaryNorm, ListedColormap

    without = np.ma.masked_where(cut.reason == 0, cut.reason)
    if not cut.reason.any():
        return
    count, shades = len(MAP_REASONS), [COLOURS[_SHADES.get(name, "light")] for name in MAP_REASONS]
    norm = BoundaryNorm(np.arange(count + 1) - 0.5, count)
    panel.pcolormesh(
        *cut.edges, without, cmap=ListedColormap(shades), norm=norm, alpha=_SEEN, rasterized=True, zorder=2
    )


def _outline(cut: Cut) -> Any:
    """The region of a cut, hatched: it shows through where there are no values."""
    from matplotlib.patches import Polygon

    across, up = cut.edges
    sides = [(0, slice(None)), (slice(None), -1), (-1, slice(None, None, -1)), (slice(None, None, -1), 0)]
    corners = np.concatenate([np.stack([across[side], up[side]], axis=-1) for side in sides])
    if cut.ring:
        corners = np.stack([across[-1], up[-1]], axis=-1)
    return Polygon(corners, facecolor=COLOURS["light"], edgecolor=COLOURS["grey"], hatch="////", linewidth=0, zorder=1)


def _robot(panel: Any, cut: Cut, bones: Skeleton) -> None:
    """Footprint: the base with its motors, arms, rods, and the plate."""
    motors, elbows, joints = (cut.flat(points) for points in (bones.motors, bones.elbows[0], bones.joints[0]))
    for number, (motor, elbow, joint) in enumerate(zip(motors, elbows, joints, strict=True), start=1):
        for ends, width in (((elbow, joint), 1.2), ((motor, elbow), 3.0)):
            line = np.array(ends).T
            # A pale seam keeps dark lines visible on dark colours.
            panel.plot(*line, linewidth=width + 1.6, alpha=0.8, color="white", solid_capstyle="round", zorder=3)
            panel.plot(*line, linewidth=width, color=COLOURS["black"], zorder=4)
        panel.plot(*motor, "o", color=COLOURS["black"], markeredgecolor="white", markersize=8, zorder=5)
        if not cut.upright:
            _number(panel, number, motor, motor - elbow)
    for ring, style in ((motors, ":"), (joints, "-")):
        closed = np.vstack([ring, ring[:1]])
        panel.plot(closed[:, 0], closed[:, 1], style, color=COLOURS["black"], linewidth=1.0, zorder=4)
    panel.use_sticky_edges = False
    panel.margins(0.08)


def _number(panel: Any, number: int, motor: np.ndarray, away: np.ndarray) -> None:
    """The number of a motor, on the side where its arm is not."""
    shift = 14 * away / max(float(np.linalg.norm(away)), 1e-9)
    words = panel.annotate(
        str(number), motor, textcoords="offset points", xytext=tuple(shift), ha="center", va="center", zorder=6
    )
    words.set_bbox({"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 1.0})


def _in_cut(cut: Cut, place: Extreme, worst: Extreme) -> bool:
    """Whether a pose lies in the plane that is shown, which is that of the worst pose."""
    if "yaw" in place.pose and not math.isclose(place.pose["yaw"], worst.pose["yaw"], abs_tol=1e-9):
        return False
    if not cut.upright:
        return math.isclose(place.pose["z"], worst.pose["z"], abs_tol=1e-9)
    across = np.cross([0.0, 0.0, 1.0], cut.direction)
    points = np.array([[p.pose[name] for name in "xyz"] for p in (place, worst)])
    beside = points @ across
    return bool(math.isclose(beside[0], beside[1], abs_tol=1e-9))


def _mark(panel: Any, cut: Cut, place: Extreme, name: str, *, hollow: bool) -> None:
    marker, colour = _MARKS[name]
    at = cut.flat(np.array([place.pose[coordinate] for coordinate in "xyz"]))
    face = "none" if hollow else COLOURS[colour]
    panel.plot(*at, marker, markersize=12, color="white", markerfacecolor="none", markeredgewidth=4, zorder=7)
    panel.plot(
        *at, marker, markersize=11, markerfacecolor=face, markeredgecolor=COLOURS[colour], markeredgewidth=2, zorder=8
    )


def _words(index_map: IndexMap, name: str, place: Extreme) -> str:
    lengths = ", ".join(f"{axis} {round(place.pose[axis], 6) + 0.0:.4g}" for axis in "xyz")
    turn = f", yaw {math.degrees(place.pose['yaw']):.4g} deg" if "yaw" in place.pose else ""
    value = f"{place.value:.4g} {unit_text(index_map.index.unit)}".rstrip()
    return f"{name}: {value} at {lengths} m{turn}"


def _legend(index_map: IndexMap, cuts: list[Cut], worst: Extreme, best: Extreme) -> list[Any]:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Any] = []
    for name, place in (("worst", worst), ("best", best)):
        marker, colour = _MARKS[name]
        away = not all(_in_cut(cut, place, worst) for cut in cuts)
        label = _words(index_map, name, place) + (" (hollow: beside the cut)" if away else "")
        handles.append(Line2D([], [], marker=marker, linestyle="", color=COLOURS[colour], markersize=10, label=label))
    black = COLOURS["black"]
    handles.append(Line2D([], [], marker="o", color=black, linewidth=3, label="robot at the worst pose"))
    reasons = np.unique(np.concatenate([cut.reason.ravel() for cut in cuts]))
    handles += [_patch(MAP_REASONS[code]) for code in reasons if code]
    if index_map.left_out > 0.0:
        words = f"{100 * index_map.left_out:.3g} % of the region left out: margin below {index_map.margin:g}"
        handles.append(Patch(facecolor="none", edgecolor="none", label=words))
    return handles


def _patch(reason: str) -> Any:
    """What points without a value look like, for the legend."""
    from matplotlib.colors import to_rgba
    from matplotlib.patches import Patch

    words = _MORE_WORDS.get(reason) or WORDS[reason]
    face = to_rgba(COLOURS[_SHADES[reason]], _SEEN)
    return Patch(facecolor=face, edgecolor=COLOURS["grey"], hatch="////", label=f"no value: {words}")


def _line(model: Model, index_map: IndexMap, worst: Extreme, best: Extreme) -> Figure:
    line = line_cut(index_map, worst.pose)
    if line is None:
        raise ParameterError("region", "is a single point; give a region with some length to draw a map of")
    label, along, values = line
    figure = new_figure(7.2, 4.8)
    panel = figure.subplots()
    panel.plot(along, values, "o-", color=COLOURS["blue"], markersize=3)
    for place, name in ((best, "best"), (worst, "worst")):
        marker, colour = _MARKS[name]
        at = along[np.nanargmin(np.abs(values - place.value))]
        panel.plot(at, place.value, marker, color=COLOURS[colour], markeredgecolor="white", markersize=11)
    panel.set_xlabel(label)
    panel.set_ylabel(_scale(index_map))
    panel.set_title(
        f"{_words(index_map, 'worst', worst)}\n{_words(index_map, 'best', best)}", loc="left", fontsize="small"
    )
    figure.suptitle(_title(model, index_map, 64))
    return figure
