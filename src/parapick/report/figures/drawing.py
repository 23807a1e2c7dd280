"""What a figure of the report is: matplotlib's figure with a caption, and how it becomes SVG inside a page."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import RLock
from typing import TYPE_CHECKING, Any, Final, final

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH: Final = 5.6
"""Width of every figure (inches): two fit beside each other on a screen, one fills a phone with its text readable."""

_STYLE: Final[Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": "#555555",
    "axes.grid": True,
    "axes.labelsize": 8.5,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "font.family": "sans-serif",
    "font.size": 9.0,
    "grid.color": "#E4E4E4",
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.4,
    "lines.solid_capstyle": "round",
    "path.simplify": True,
    # Curves have thousands of samples; a quarter of a point is not seen.
    "path.simplify_threshold": 0.25,
    # Text stays text, which readers can select and search; DejaVu Sans, by which it is laid out, is wider than what
    # a reader without it will see.
    "svg.fonttype": "none",
    "svg.hashsalt": "parapick",
    # Names come from files: a dollar sign in one is a dollar sign.
    "text.parse_math": False,
    "xtick.labelsize": 8.0,
    "ytick.labelsize": 8.0,
}

_ONE_AT_A_TIME: Final = RLock()
"""matplotlib's settings are those of the whole process: of two threads, the second would restore those of the first."""


@final
@dataclass(frozen=True, eq=False)
class Drawing:
    """A figure of the report.

    Attributes:
        figure: the figure, `WIDTH` wide.
        caption: what it shows, as a phrase; readers who cannot see it are told the same.
    """

    figure: Figure
    caption: str


@contextmanager
def figure_style() -> Iterator[None]:
    """The look that the figures of the report share; they are drawn and written inside it, by one thread at a time."""
    import matplotlib as mpl

    with _ONE_AT_A_TIME, mpl.rc_context(_STYLE):
        yield


def svg(figure: Figure, prefix: str, label: str) -> str:
    """A figure as an SVG element for a page, to be written inside `figure_style`.

    Args:
        figure: the figure.
        prefix: what its identifiers begin with; unique in the page.
        label: what it shows, for readers who cannot see it.
    """
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    text = io.StringIO()
    # `savefig` would draw twice, the first time to let a layout settle; these figures have theirs.
    FigureCanvasSVG(figure).print_svg(text, metadata={"Creator": None, "Date": None, "Format": None, "Type": None})
    element = text.getvalue()
    element = element[element.index("<svg") :]
    # Many figures share one page, where an identifier may be given once.
    element = re.sub(r'\bid="', f'id="{prefix}-', element)
    element = re.sub(r'(url\(#|href="#)', rf"\g<1>{prefix}-", element)
    element = re.sub(r"<metadata>.*?</metadata>", "", element, count=1, flags=re.DOTALL)
    width, height = (72.0 * size for size in figure.get_size_inches())
    head = f'<svg class="drawn" role="img" aria-label="{html.escape(label)}" viewBox="0 0 {width:g} {height:g}"'
    return re.sub(r"<svg[^>]*>", f'{head} xmlns:xlink="http://www.w3.org/1999/xlink">', element, count=1)
