"""Two sub-platforms, one of them the nut of a screw."""

from __future__ import annotations

import math

from parapick.mechanism.plates import Screw
from parapick.multibody.elements import child, hinge, plain, slide
from parapick.multibody.geometry import UP
from parapick.multibody.plates.sheet import Built, Sheet, held, root, turn_on


def build(sheet: Sheet, plate: Screw) -> Built:
    """Sub-platform with the tool, the screw turning in it, and the other sub-platform as the nut on the screw.

    Args:
        sheet: where to write.
    """
    body = root(sheet, plate.mass or 0.0)
    screw = turn_on(sheet, body, "screw", "yaw", plate.screw_inertia)
    nut = child(screw, "body", name="carried")
    slide(nut, "lift", UP)
    hinge(nut, "nut")
    plain(nut, plate.carried_mass or 0.0, sheet.size)
    # The nut stands still while the screw turns: seen from the screw it turns backwards and climbs.
    sheet.couple("thread", "lift", "nut", -plate.pitch / (2 * math.pi))
    return Built(held(sheet, ((body, sheet.home), (nut, sheet.home)), plate.carried), screw)
