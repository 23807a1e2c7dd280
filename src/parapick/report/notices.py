"""Notices of the software that a report carries inside: viser's player and the packages it is made of."""

from __future__ import annotations

from importlib.metadata import version
from importlib.resources import files


def player_notices() -> str:
    """The notices that have to travel with copies of the player; its own file has none of them.

    They are collected for one version of viser (tools/player_notices.py); of another one they say so.
    """
    text = files("parapick.report").joinpath("player-notices.txt").read_text(encoding="utf-8")
    installed = f"viser {version('viser')}"
    # The number ends there: 1.1.1 is not 1.1.10.
    if f"{installed}," in text.partition("\n")[0]:
        return text
    return f"This page was made with {installed}; its player may be made of other versions of these packages.\n\n{text}"
