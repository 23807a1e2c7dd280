"""I4's plate: racks and a pinion."""

from __future__ import annotations

from parapick.mechanism.plates import Slider
from parapick.multibody.elements import child, plain, slide
from parapick.multibody.geometry import horizontal
from parapick.multibody.plates.sheet import Built, Sheet, held, root, turn_on


def build(sheet: Sheet, plate: Slider) -> Built:
    """Central part with the pinion, and two side parts whose racks it drives apart.

    Args:
        sheet: where to write.
    """
    body = root(sheet, plate.mass or 0.0)
    along = horizontal(plate.slide_angle)
    tool = turn_on(sheet, body, "pinion", "yaw", plate.tool_inertia)
    parts = {}
    for index, (side, name) in enumerate(((1, "side1"), (-1, "side2"))):
        part = child(body, "body", name=name)
        slide(part, name, along)
        plain(part, plate.side_mass or 0.0, sheet.size)
        sheet.couple(f"rack{index + 1}", name, "yaw", side * plate.pinion_radius)
        parts[side] = (part, sheet.home)
    choice = tuple(0 if side > 0 else 1 for side in plate.sides)
    return Built(held(sheet, (parts[1], parts[-1]), choice), tool)
