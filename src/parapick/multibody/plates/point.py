"""A plate that is a point."""

from __future__ import annotations

from parapick.mechanism.plates import Point
from parapick.multibody.elements import child
from parapick.multibody.plates.sheet import Built, Sheet, held, root


def build(sheet: Sheet, plate: Point) -> Built:
    """A plate that is a point as bodies.

    Args:
        sheet: where to write.
    """
    body = root(sheet, plate.mass or 0.0)
    child(body, "geom", class_="plate", type="sphere", size=0.3 * sheet.size)
    return Built(held(sheet, ((body, sheet.home),), (0,) * sheet.robot.arms), body)
