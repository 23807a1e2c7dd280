"""What a figure of the report is: panels, or a figure of matplotlib, with a caption; and how it stands in the page."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from threading import RLock
from typing import TYPE_CHECKING, Final, final

from parapick.report.plot import Panel
from parapick.report.plot.page import panel_html

if TYPE_CHECKING:
    from matplotlib.figure import Figure


_ONE_AT_A_TIME: Final = RLock()


@final
@dataclass(frozen=True, eq=False)
class Drawing:
    """A figure of the report.

    Attributes:
        caption: what it shows, as a phrase; readers who cannot see it are told the same.
        panels: its panels.
        kind: how they stand: "wide" fills the page with one or two beside each other, "rows" with one below the other,
            "views" stand in one row and share a scale, "small" are as many in a row as fit.
        picture: matplotlib's figure, where there are no panels.
        narrow: the same for a narrow screen, in its place there.
        folded: what a reader unfolds it by; on paper, or if empty, it is not folded.
    """

    caption: str
    panels: tuple[Panel, ...] = ()
    kind: str = "wide"
    picture: Figure | None = None
    folded: str = ""
    narrow: Figure | None = None


def figure_element(drawing: Drawing, prefix: str) -> str:
    """A figure as an element of the page.

    Args:
        prefix: what identifiers in it begin with; unique in the page.
    """
    inner = "".join(map(panel_html, drawing.panels)) if drawing.picture is None else _svg(drawing.picture, prefix)
    if drawing.narrow is not None:
        inner = f'<div class="broad">{inner}</div><div class="narrow">{_svg(drawing.narrow, f"{prefix}-narrow")}</div>'
    label = escape(drawing.caption)
    element = (
        f'<figure class="{drawing.kind}"><div class="panels" role="group" aria-label="{label}">{inner}</div>'
        f"<figcaption>{label}.</figcaption></figure>\n"
    )
    if not drawing.folded:
        return element
    return f'<details class="folded"><summary>{escape(drawing.folded)}</summary>\n{element}</details>\n'


def _svg(figure: Figure, prefix: str) -> str:
    """Matplotlib's figure as an SVG element."""
    import matplotlib as mpl

    text, nothing = io.StringIO(), {"Creator": None, "Date": None, "Format": None, "Type": None}
    # matplotlib's settings are those of the whole process: of two threads, one would restore those of the other.
    with _ONE_AT_A_TIME, mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "parapick"}):
        figure.savefig(text, format="svg", metadata=nothing)
    element = text.getvalue()
    element = re.sub(r"<metadata>.*?</metadata>", "", element[element.index("<svg") :], count=1, flags=re.DOTALL)
    # Many figures share one page, where an identifier may be given once.
    element = re.sub(r'\bid="', f'id="{prefix}-', element)
    element = re.sub(r'(url\(#|href="#)', rf"\g<1>{prefix}-", element)
    width, height = (72.0 * size for size in figure.get_size_inches())
    head = f'<svg class="drawn" viewBox="0 0 {width:g} {height:g}" xmlns:xlink="http://www.w3.org/1999/xlink">'
    return re.sub(r"<svg[^>]*>", head, element, count=1)


def figure_elements(drawings: Iterable[Drawing | None], prefix: str) -> str:
    """Several figures as HTML; those that are None are left out.

    Args:
        drawings: the figures.
        prefix: what their names begin with; numbers from 0 follow it.
    """
    drawn = enumerate(drawing for drawing in drawings if drawing is not None)
    return "".join(figure_element(drawing, f"{prefix}-{number}") for number, drawing in drawn)
