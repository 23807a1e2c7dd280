"""A telescope whose halves have masses: two bodies with a universal joint each, one sliding in the other."""

from __future__ import annotations

from typing import Final
from xml.etree import ElementTree as ET

import numpy as np

from parapick.mechanism.plates import Telescope, TelescopeHalf
from parapick.multibody.elements import child, hinge, inertial, slide, turning
from parapick.multibody.plates.sheet import ORIGIN, Sheet

APART: Final = 0.1
"""Distance (m) of the second pin of the lower universal joint from the first: any would do."""

_LEVEL: Final = np.array([1.0, 0.0, 0.0])


def add_halves(sheet: Sheet, shaft: Telescope, tool: ET.Element) -> str:
    """Both halves between the base and a tool that turns on the plate; the name of the joint of the upper fork.

    A universal joint is two hinges of a cross: the first arm is level and turns with its outer fork, along x at the
    start, the second lies across it in the shaft. The upper one is made of joints. The lower one has its first hinge in
    a cross on the tool; two pins along its second arm, which leave the turn about it, hold the cross on the lower half.

    Args:
        sheet: where to write.
        shaft: the telescope.
        tool: body of the tool, its origin in the plate's centre.
    """
    top = np.array([0.0, 0.0, shaft.height or 0.0])
    span = sheet.home - top
    up = -span / np.linalg.norm(span)
    arm = np.cross(up, _LEVEL)
    arm /= np.linalg.norm(arm)
    # Of the halves: x across both, y the second arm, z up the shaft.
    axes = np.array([np.cross(arm, up), arm, up])
    fork = child(sheet.world, "body", name="fork", pos=top)
    hinge(fork, "fork")
    turning(fork, 0.0)
    upper = child(fork, "body", name="upper", xyaxes=(*axes[0], *axes[1]))
    hinge(upper, "upper1", axes @ _LEVEL)
    hinge(upper, "upper2", (0.0, 1.0, 0.0))
    _weigh(upper, shaft.upper, -1.0)
    lower = child(upper, "body", name="lower", pos=(0.0, 0.0, -np.linalg.norm(span)))
    slide(lower, "telescope", (0.0, 0.0, 1.0))
    _weigh(lower, shaft.lower, 1.0)
    cross = child(tool, "body", name="cross")
    hinge(cross, "cross", _LEVEL)
    turning(cross, 0.0)
    for number, distance in ((1, 0.0), (2, APART)):
        child(cross, "site", name=f"cross{number}", pos=ORIGIN + distance * arm)
        child(lower, "site", name=f"lower{number}", pos=(0.0, distance, 0.0))
        child(sheet.equality, "connect", name=f"cross{number}", site1=f"cross{number}", site2=f"lower{number}")
    radius, length = 0.1 * sheet.size, float(np.linalg.norm(span))
    for body, end, width in ((upper, -0.6 * length, 1.0), (lower, 0.6 * length, 0.7)):
        ends = (0.0, 0.0, 0.0, 0.0, 0.0, end)
        child(body, "geom", class_="tool", type="capsule", size=width * radius, fromto=ends)
    return "fork"


def _weigh(body: ET.Element, half: TelescopeHalf | None, inward: float) -> None:
    """Mass and moments of inertia of a half; its centre lies toward the other half, up (1) or down (-1) the shaft."""
    half = TelescopeHalf(0.0, 0.0) if half is None else half
    inertial(body, half.mass, (0.0, 0.0, inward * half.center), (half.inertia, half.inertia, half.spin_inertia))
