"""Figures and reports: the only room below the commands that draws."""

from __future__ import annotations

from parapick.report.canvas import COLOURS, hue, new_figure, save_figure
from parapick.report.cover import Cover, InputFile, input_files
from parapick.report.html import report_html, write_report
from parapick.report.loop_figure import loop_figure, record_figure
from parapick.report.motion_figure import motion_figure
from parapick.report.pdf import find_chromium, write_pdf
from parapick.report.replay import Replay, can_replay, record_replay
from parapick.report.scene import Links, Scene, robot_scene
from parapick.report.still import robot_picture
from parapick.report.workspace_figure import workspace_figure

__all__ = [
    "COLOURS",
    "Cover",
    "InputFile",
    "Links",
    "Replay",
    "Scene",
    "can_replay",
    "find_chromium",
    "hue",
    "input_files",
    "loop_figure",
    "motion_figure",
    "new_figure",
    "record_figure",
    "record_replay",
    "report_html",
    "robot_picture",
    "robot_scene",
    "save_figure",
    "workspace_figure",
    "write_pdf",
    "write_report",
]
