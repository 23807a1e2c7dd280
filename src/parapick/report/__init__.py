"""Figures and reports: the only room below the commands that draws."""

from __future__ import annotations

from parapick.report.canvas import COLOURS, new_figure, save_figure
from parapick.report.motion_figure import motion_figure
from parapick.report.workspace_figure import workspace_figure

__all__ = ["COLOURS", "motion_figure", "new_figure", "save_figure", "workspace_figure"]
