"""The frame of every page: an HTML document that asks nothing of a network, its header, its sections and its foot."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from html import escape
from importlib.resources import files
from typing import Final

from parapick import __version__

ZOOM: Final = files("parapick.report").joinpath("plot/zoom.js").read_text(encoding="utf-8")
"""The script of every page: panels zoom."""

_DIGEST: Final = base64.b64encode(hashlib.sha256(ZOOM.encode()).digest()).decode()

STILL: Final = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{_DIGEST}'; img-src data:"
"""Policy of a page without a replay: nothing is loaded from anywhere, and nothing runs but the page's own script."""

HINT: Final = (
    '<p class="note on-screen zoom-hint" hidden>'
    "Drag across a panel to zoom in; double click to see it whole again.</p>\n"
)
"""What a reader can do with panels; the script shows it, for without it they cannot."""

FOOT: Final = (
    f"<footer>Made by parapick {escape(__version__)}. Lengths are in millimetres and angles in degrees where a table "
    "or an axis says so; everything else is SI. Torques, forces and speeds of motors are at their shafts.</footer>\n"
)
"""The foot of a page of results: in which units its numbers are."""

_STYLES: Final = ("plot/plot.css", "page.css")


def document(name: str, body: str, policy: str = STILL) -> str:
    """An HTML document.

    Args:
        name: its title, escaped.
        body: what it shows, as HTML.
        policy: its content security policy: what a browser that opens it may load.
    """
    # The print rules of the page come last.
    style = "".join(files("parapick.report").joinpath(name).read_text(encoding="utf-8") for name in _STYLES)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<link rel="icon" href="data:,">\n<title>{name}</title>\n<style>\n{style}</style>\n</head>\n'
        f"<body>\n{body}<script>{ZOOM}</script>\n</body>\n</html>\n"
    )


def page_header(name: str, about: Iterable[str], verdict: str, *, ok: bool, lines: str = "") -> str:
    """The header of a page: its title, what it is about, and the verdict.

    Args:
        name: the title, escaped.
        about: what it is about, a paragraph each, as text; empty ones are left out.
        verdict: the verdict, as text.
        ok: whether the verdict is a good one.
        lines: what stands between them, as HTML.
    """
    paragraphs = "".join(f'<p class="about">{escape(text)}</p>\n' for text in about if text)
    kind = "yes" if ok else "no"
    return (
        f"<header>\n<h1>{name}</h1>\n{paragraphs}{lines}"
        f'<p class="verdict {kind}" role="status">{escape(verdict)}</p>\n</header>\n'
    )


def page_links(sections: Iterable[tuple[str, str]]) -> str:
    """The list of a page's sections.

    Args:
        sections: anchor and title of each, as text.
    """
    links = "".join(f'<li><a href="#{anchor}">{escape(title)}</a></li>' for anchor, title in sections)
    return f'<nav aria-label="Sections"><ul>{links}</ul></nav>\n{HINT}'


def page_section(anchor: str, title: str, inner: str, *, kind: str = "") -> str:
    """A section of a page.

    Args:
        anchor: what links call it.
        title: its title, as text.
        inner: what it shows, as HTML.
        kind: its class in the style, or none.
    """
    style = f' class="{kind}"' if kind else ""
    return f'<section id="{anchor}"{style}>\n<h2>{escape(title)}</h2>\n{inner}</section>\n'
