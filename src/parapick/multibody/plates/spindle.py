"""The ball-screw-spline at the tip of a five-bar."""

from __future__ import annotations

import math

from parapick.mechanism.plates import Spindle
from parapick.multibody.elements import child, hinge, slide, turning
from parapick.multibody.geometry import UP
from parapick.multibody.masses import armature
from parapick.multibody.plates.sheet import ORIGIN, Built, Holder, Sheet


def build(sheet: Sheet, plate: Spindle) -> Built:
    """Carriage at the tip of the five-bar, kept parallel by the belts of its nuts; shaft and two nuts on it.

    The shaft starts at z = 0, where both nuts stand at 0.

    Args:
        sheet: where to write.
    """
    place = sheet.home * (1.0, 1.0, 0.0)
    carriage = child(sheet.world, "body", name="carriage", pos=place)
    slide(carriage, "carriage_x", (1.0, 0.0, 0.0))
    slide(carriage, "carriage_y", (0.0, 1.0, 0.0))
    turning(carriage, 0.0)
    shaft = child(carriage, "body", name="shaft")
    slide(shaft, "lift", UP)
    hinge(shaft, "yaw")
    turning(shaft, plate.inertia, plate.mass or 0.0)
    length = sheet.leg
    child(shaft, "geom", class_="tool", type="cylinder", size=0.04 * length, fromto=(0, 0, 0, 0, 0, length))
    child(shaft, "geom", class_="tool", type="capsule", size=0.02 * length, fromto=(0, 0, 0, 0.15 * length, 0, 0))
    child(shaft, "site", name="tool", pos=ORIGIN)
    screw, spline = f"motor{sheet.robot.arms + 1}", f"motor{sheet.robot.arms + 2}"
    nuts = ((screw, "screw_nut", plate.screw_nut_inertia), (spline, "spline_nut", plate.spline_nut_inertia))
    for joint, name, inertia in nuts:
        nut = child(carriage, "body", name=name)
        hinge(nut, joint, armature=armature(plate.drive))
        turning(nut, inertia)
        child(nut, "geom", class_="plate", type="cylinder", size=(0.1 * length, 0.02 * length))
    sheet.couple("spline", spline, "yaw", 1.0)
    lift = plate.pitch / (2 * math.pi)
    thread = child(sheet.tendon, "fixed", name="thread")
    for joint, coefficient in (("lift", 1.0), ("yaw", -lift), (screw, lift)):
        child(thread, "joint", joint=joint, coef=coefficient)
    child(sheet.equality, "tendon", name="thread", tendon1="thread", polycoef=(0.0,) * 5)
    holders = tuple(Holder(carriage, place, place) for _ in range(sheet.robot.arms))
    return Built(holders, shaft, ((screw, plate.drive), (spline, plate.drive)))
