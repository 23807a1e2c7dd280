"""What all figures share: colours that everybody can tell apart, sizes, and saving to a file.

matplotlib is imported when a figure is drawn, not before.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Final

from parapick.errors import ParameterError
from parapick.files import whole_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS: Final = {
    "black": "#000000",
    "orange": "#E69F00",
    "sky": "#56B4E9",
    "green": "#009E73",
    "yellow": "#F0E442",
    "blue": "#0072B2",
    "red": "#D55E00",
    "pink": "#CC79A7",
    "grey": "#BBBBBB",
    "light": "#F2F2F2",
    "pale": "#C3E1F5",
}
"""Okabe and Ito's palette (Color Universal Design, 2008), two greys, and a tint of the sky blue."""

HUES: Final = ("blue", "red", "green", "orange", "sky", "pink", "black")
"""Colours of curves, motors and axes, in their order."""


FORMATS: Final = (".png", ".svg", ".pdf")


def hue(index: int) -> str:
    """Colour of a motor or a curve.

    Args:
        index: which one, from 0; colours come again after the last.
    """
    return COLOURS[HUES[index % len(HUES)]]


def new_figure(width: float, height: float) -> Figure:
    """An empty figure that needs no display.

    Args:
        width: width (inches).
        height: height (inches).

    Raises:
        ParameterError: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ParameterError("matplotlib", "is needed for figures: pip install 'parapick[plot]'") from error
    return Figure(figsize=(width, height), layout="constrained")


def save_figure(figure: Figure, path: str | Path) -> Path:
    """Write a figure to a file, whole or not at all.

    Args:
        figure: the figure.
        path: file that ends in .png, .svg or .pdf.
    """
    target = Path(path)
    if target.suffix.lower() not in FORMATS:
        raise ParameterError("plot", f"{target.name!r} has no figure format; end it in {', '.join(FORMATS)}")
    if not target.parent.is_dir():
        raise ParameterError("plot", f"the folder {str(target.parent)!r} does not exist")
    drawn = io.BytesIO()
    # Drawn in memory: where a disk is full, the writers of PDF files fail in their own ways while they close them.
    figure.savefig(drawn, format=target.suffix.lower().removeprefix("."), dpi=150)
    with whole_file(target) as place:
        place.write_bytes(drawn.getvalue())
    return target
