"""H4's plate: two bars and a crossbar."""

from __future__ import annotations

from parapick.mechanism.plates import Bars
from parapick.multibody.elements import bar, child, hinge, plain
from parapick.multibody.geometry import horizontal
from parapick.multibody.masses import bars_lumped
from parapick.multibody.plates.sheet import ORIGIN, Built, Sheet, held, root, spoke, turn_on


def build(sheet: Sheet, plate: Bars) -> Built:
    """Bar with the tool, the crossbar hinged on it, and the carried bar hinged on the crossbar.

    Args:
        sheet: where to write.
    """
    body = root(sheet, plate.mass or 0.0)
    span = plate.crossbar_length * horizontal(plate.crossbar_angle)
    crossbar = child(body, "body", name="crossbar", pos=-span / 2)
    hinge(crossbar, "yaw")
    bar(crossbar, plate.crossbar_mass or 0.0, span, lumped=bars_lumped(sheet.robot))
    spoke(sheet, crossbar, ORIGIN, span)
    carried = child(crossbar, "body", name="carried", pos=span)
    hinge(carried, "swing")
    plain(carried, plate.carried_mass or 0.0, sheet.size, -span / 2)
    tool = turn_on(sheet, body, "tool", "tool", plate.tool_inertia)
    sheet.couple("gear", "tool", "yaw", plate.yaw_ratio)
    parts = ((body, sheet.home), (carried, sheet.home + span / 2))
    return Built(held(sheet, parts, plate.carried), tool)
