"""The rigid plate, with or without a telescope that turns its tool."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import numpy as np

from parapick.mechanism.plates import Rigid
from parapick.multibody.elements import child, hinge, slide, turning
from parapick.multibody.masses import armature
from parapick.multibody.plates.sheet import ORIGIN, Built, Sheet, held, root, turn_on
from parapick.multibody.plates.telescope import add_halves


def build(sheet: Sheet, plate: Rigid) -> Built:
    """The rigid plate, with or without a telescope that turns its tool as bodies.

    Args:
        sheet: where to write.
    """
    body = root(sheet, plate.mass or 0.0)
    holders = held(sheet, ((body, sheet.home),), (0,) * sheet.robot.arms)
    shaft = plate.telescope
    if shaft is None:
        return Built(holders, body)
    motor, turned = f"motor{sheet.robot.arms + 1}", "yaw"
    if shaft.massive:
        tool = turn_on(sheet, body, "tool", "yaw", shaft.inertia)
        turned = add_halves(sheet, shaft, tool)
    else:
        tool = _hung(sheet, body, shaft.inertia)
    rotor = child(sheet.world, "body", name="telescope")
    hinge(rotor, motor, armature=armature(shaft.drive))
    turning(rotor, 0.0)
    sheet.couple("telescope", motor, turned, shaft.ratio)
    return Built(holders, tool, ((motor, shaft.drive),))


def _hung(sheet: Sheet, plate: ET.Element, inertia: float) -> ET.Element:
    """Tool at the end of a telescope: it goes with the plate, but what turns it comes from the base.

    The telescope's two universal joints stay parallel, so it turns the tool as its motor turns, and no part of that
    torque acts on the plate. The tool therefore has slides of its own and is pinned to the plate.
    """
    holder = child(sheet.world, "body", name="tool", pos=sheet.home)
    for name, axis in zip("xyz", np.eye(3), strict=True):
        slide(holder, f"tool_{name}", axis)
    turning(holder, 0.0)
    tool = turn_on(sheet, holder, "shaft", "yaw", inertia)
    child(holder, "site", name="holder", pos=ORIGIN)
    child(plate, "site", name="socket", pos=ORIGIN)
    child(sheet.equality, "connect", name="socket", site1="holder", site2="socket")
    return tool
