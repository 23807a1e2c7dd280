"""Figures and reports: the only room below the commands that draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.report.analysis_figure import (
        analysis_figure as analysis_figure,
    )
    from parapick.report.canvas import (
        COLOURS as COLOURS,
        FORMATS as FORMATS,
        hue as hue,
        save_figure as save_figure,
    )
    from parapick.report.cover import (
        Cover as Cover,
        input_files as input_files,
    )
    from parapick.report.document import (
        document as document,
        page_header as page_header,
        page_section as page_section,
    )
    from parapick.report.figures.drawing import (
        Drawing as Drawing,
        figure_elements as figure_elements,
    )
    from parapick.report.figures.loop import (
        torque_panel as torque_panel,
    )
    from parapick.report.figures.profiles import (
        profile_panels as profile_panels,
    )
    from parapick.report.html import (
        write_report as write_report,
    )
    from parapick.report.log_figure import (
        overlay_figure as overlay_figure,
        residual_figure as residual_figure,
    )
    from parapick.report.loop_figure import (
        loop_figure as loop_figure,
        record_figure as record_figure,
    )
    from parapick.report.map_figure import (
        map_figure as map_figure,
    )
    from parapick.report.motion_figure import (
        motion_figure as motion_figure,
    )
    from parapick.report.pdf import (
        find_chromium as find_chromium,
        write_pdf as write_pdf,
    )
    from parapick.report.plot.panel import (
        Area as Area,
        Curve as Curve,
        Item as Item,
        Marks as Marks,
        Panel as Panel,
        Tiles as Tiles,
        around as around,
        decades as decades,
        level as level,
        polyline as polyline,
        upright as upright,
    )
    from parapick.report.regions import (
        check_regions as check_regions,
    )
    from parapick.report.report_file import (
        write_report_file as write_report_file,
    )
    from parapick.report.sizing_page import (
        sizing_figure as sizing_figure,
        sizing_html as sizing_html,
        write_sizing_page as write_sizing_page,
    )
    from parapick.report.still import (
        robot_picture as robot_picture,
    )
    from parapick.report.stop_figure import (
        stop_figure as stop_figure,
    )
    from parapick.report.study_page import (
        study_html as study_html,
        write_study_page as write_study_page,
    )
    from parapick.report.workspace_figure import (
        workspace_figure as workspace_figure,
        workspace_panels as workspace_panels,
        workspace_title as workspace_title,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "analysis_figure": "analysis_figure",
        "canvas": "COLOURS FORMATS hue save_figure",
        "cover": "Cover input_files",
        "document": "document page_header page_section",
        "figures.drawing": "Drawing figure_elements",
        "figures.loop": "torque_panel",
        "figures.profiles": "profile_panels",
        "html": "write_report",
        "log_figure": "overlay_figure residual_figure",
        "loop_figure": "loop_figure record_figure",
        "map_figure": "map_figure",
        "report_file": "write_report_file",
        "motion_figure": "motion_figure",
        "pdf": "find_chromium write_pdf",
        "plot.panel": "Area Curve Item Marks Panel Tiles around decades level polyline upright",
        "regions": "check_regions",
        "sizing_page": "sizing_figure sizing_html write_sizing_page",
        "still": "robot_picture",
        "stop_figure": "stop_figure",
        "study_page": "study_html write_study_page",
        "workspace_figure": "workspace_figure workspace_panels workspace_title",
    },
)
