"""Par4's plate: two half plates and two bars, joints of their own."""

from __future__ import annotations

import math

from parapick.mechanism.plates import Parallelogram
from parapick.multibody.elements import bar, child, hinge, plain
from parapick.multibody.geometry import horizontal
from parapick.multibody.masses import bars_lumped
from parapick.multibody.plates.sheet import ORIGIN, Built, Sheet, held, root, spoke, turn_on


def build(sheet: Sheet, plate: Parallelogram) -> Built:
    """Half plate with the tool, two bars hinged on it, and the carried half plate on the first; the second closes.

    Args:
        sheet: where to write.
    """
    body = root(sheet, plate.mass or 0.0)
    span = plate.bar_length * horizontal(plate.bar_angle)
    across = (plate.bar_spacing or plate.bar_length) / 2 * horizontal(plate.bar_angle + math.pi / 2)
    first, second = -span / 2 - across, -span / 2 + across
    bars = [child(body, "body", name=f"bar{k}", pos=pos) for k, pos in ((1, first), (2, second))]
    for element, joint in zip(bars, ("yaw", "bar2"), strict=True):
        hinge(element, joint)
        bar(element, plate.bar_mass or 0.0, span, lumped=bars_lumped(sheet.robot))
        spoke(sheet, element, ORIGIN, span)
    carried = child(bars[0], "body", name="carried", pos=span)
    hinge(carried, "swing")
    plain(carried, plate.carried_mass or 0.0, sheet.size, -first - span)
    child(bars[1], "site", name="bar2", pos=span)
    child(carried, "site", name="carried2", pos=second - first)
    child(sheet.equality, "connect", name="parallelogram", site1="bar2", site2="carried2")
    tool = turn_on(sheet, body, "tool", "tool", plate.tool_inertia)
    sheet.couple("belt", "tool", "yaw", plate.yaw_ratio)
    parts = ((body, sheet.home), (carried, sheet.home + first + span))
    return Built(held(sheet, parts, plate.carried), tool)
