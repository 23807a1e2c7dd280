"""Panels: what a plot shows, said once, and drawn on a page (`page`) or, for files, by matplotlib (`paper`)."""

from __future__ import annotations

from parapick.report.plot.panel import Area, Cells, Curve, Item, Marks, Panel, around, level, polyline, upright

__all__ = ["Area", "Cells", "Curve", "Item", "Marks", "Panel", "around", "level", "polyline", "upright"]
