"""The frame of every page that parapick writes: one HTML file with its style inside, which loads nothing.

The page says so itself (its content security policy): a browser that opens it loads nothing, whoever wrote the names
in it.
"""

from __future__ import annotations

from html import escape
from importlib.resources import files
from typing import Final

from parapick import __version__

_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'unsafe-eval' blob:; "
    "worker-src blob:; img-src data: blob:; connect-src data: blob:; font-src data:; frame-src 'self'"
)
"""What the page may load: nothing from anywhere. The replay is a frame that the page carries; it inherits this."""

_STYLES: Final = ("plot/plot.css", "page.css")

FOOT: Final = (
    f"Made by parapick {escape(__version__)}. Lengths are in millimetres and angles in degrees where a table or an "
    "axis says so; everything else is SI. Torques, forces and speeds of motors are at their shafts."
)
"""What stands at the foot of a report."""


def page_html(name: str, body: str, foot: str = FOOT) -> str:
    """A whole page.

    Args:
        name: its title, as HTML.
        body: what it shows, as HTML: header, navigation and main.
        foot: what stands at its foot, as HTML.
    """
    # The print rules of the page come last.
    style = "".join(files("parapick.report").joinpath(own).read_text(encoding="utf-8") for own in _STYLES)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<link rel="icon" href="data:,">\n<title>{name}</title>\n<style>\n{style}</style>\n</head>\n<body>\n'
        f"{body}<footer>{foot}</footer>\n</body>\n</html>\n"
    )
