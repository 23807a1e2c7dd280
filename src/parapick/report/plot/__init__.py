"""Panels: what a plot shows, said once, and drawn on a page (`page`) or, for files, by matplotlib (`paper`)."""

from __future__ import annotations

from parapick.report.plot.panel import (
    TIME,
    Area,
    Curve,
    Item,
    Marks,
    Panel,
    Tiles,
    around,
    decades,
    level,
    polyline,
    upright,
)

__all__ = [
    "TIME",
    "Area",
    "Curve",
    "Item",
    "Marks",
    "Panel",
    "Tiles",
    "around",
    "decades",
    "level",
    "polyline",
    "upright",
]
