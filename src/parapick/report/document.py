"""The frame of every page: head, style and policy of an HTML document that asks nothing of a network."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

STILL: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""Policy of a page without a replay: nothing is loaded from anywhere, and nothing runs."""

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
        f"<body>\n{body}</body>\n</html>\n"
    )
