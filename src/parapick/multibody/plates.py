"""The plates as bodies and joints, one function a kind.

At the start pose a plate stands at the robot's home with yaw 0 and every body of it has the axes of the world. Where
rods come in pairs the plate is free in all six directions and the pairs must hold it; where rods are single the file
leaves open what keeps the plate level, so it has three slides. Par4's two bars and second half plate, H4's crossbar,
I4's racks, the screw and its nut are joints of their own; what turns the tool is coupled to it by an equality.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, final
from xml.etree import ElementTree as ET

import numpy as np

from parapick.mechanism import Bars, Drive, Parallelogram, Point, Rigid, Robot, Screw, Slider, Spindle
from parapick.multibody.elements import bar, child, hinge, plain, slide, turning
from parapick.multibody.geometry import UP, attachments, horizontal
from parapick.multibody.limbs import Holder
from parapick.multibody.masses import armature, bars_lumped

__all__ = ["Built", "Sheet", "add_plate"]

ORIGIN: Final = np.zeros(3)


@final
@dataclass(frozen=True)
class Sheet:
    """The parts of the MJCF document that a plate writes to, and the robot it is made from."""

    robot: Robot
    world: ET.Element
    equality: ET.Element
    tendon: ET.Element

    @property
    def home(self) -> np.ndarray:
        """Plate's centre at the start pose (m)."""
        return np.array(self.robot.home[:3])

    @property
    def size(self) -> float:
        """A length (m) to draw the plate's parts with."""
        return max(float(self.robot.plate.radius), 0.15 * float(np.min(self.robot.limb.arm)))

    def couple(self, name: str, follower: str, leader: str, ratio: float) -> None:
        """Tie two joints: follower = ratio leader."""
        poly = (0.0, ratio, 0.0, 0.0, 0.0)
        child(self.equality, "joint", name=name, joint1=follower, joint2=leader, polycoef=poly)


@final
@dataclass(frozen=True)
class Built:
    """A finished plate: what each leg holds, the body that carries a payload, and the drives of its own motors."""

    holders: tuple[Holder, ...]
    tool: ET.Element
    motors: tuple[tuple[str, Drive | None], ...] = ()


def add_plate(sheet: Sheet) -> Built:
    """Add the plate of a robot.

    Args:
        sheet: where to write.
    """
    return _KINDS[sheet.robot.plate.kind](sheet, sheet.robot.plate)


def _root(sheet: Sheet, mass: float) -> ET.Element:
    """The body with the task point: free, or on three slides where single rods cannot hold its orientation."""
    body = child(sheet.world, "body", name="plate", pos=sheet.home)
    if sheet.robot.limb.rods == 2:
        child(body, "freejoint", name="plate")
    else:
        for name, axis in zip("xyz", np.eye(3), strict=True):
            slide(body, f"plate_{name}", axis)
    plain(body, mass, sheet.size)
    child(body, "site", name="tool", pos=ORIGIN)
    return body


def _held(sheet: Sheet, parts: Sequence[tuple[ET.Element, np.ndarray]], choice: Sequence[int]) -> tuple[Holder, ...]:
    """Legs on the parts, given as (body, its origin at the start pose), with a spoke drawn to each joint."""
    holders = []
    for r, index in zip(attachments(sheet.robot), choice, strict=True):
        body, origin = parts[index]
        joint = sheet.home + r
        if np.linalg.norm(joint - origin) > 0:
            _spoke(sheet, body, ORIGIN, joint - origin)
        holders.append(Holder(body, origin, joint))
    return tuple(holders)


def _spoke(sheet: Sheet, body: ET.Element, start: np.ndarray, end: np.ndarray) -> None:
    child(body, "geom", class_="plate", type="capsule", size=0.08 * sheet.size, fromto=(*start, *end))


def _turn(sheet: Sheet, parent: ET.Element, name: str, joint: str, inertia: float) -> ET.Element:
    """A weightless body that turns about the vertical through its parent's origin, drawn with a pointer."""
    body = child(parent, "body", name=name)
    hinge(body, joint)
    turning(body, inertia)
    radius = 0.15 * sheet.size
    tip = (0.0, 0.0, -3 * radius)
    child(body, "geom", class_="tool", type="cylinder", size=radius, fromto=(0.0, 0.0, 0.0, *tip))
    child(body, "geom", class_="tool", type="capsule", size=radius / 3, fromto=(*tip, 3 * radius, 0.0, -3 * radius))
    return body


def _rigid(sheet: Sheet, plate: Rigid) -> Built:
    body = _root(sheet, plate.mass or 0.0)
    holders = _held(sheet, ((body, sheet.home),), (0,) * sheet.robot.arms)
    shaft = plate.telescope
    if shaft is None:
        return Built(holders, body)
    motor = f"motor{sheet.robot.arms + 1}"
    tool = _hung(sheet, body, shaft.inertia)
    rotor = child(sheet.world, "body", name="telescope")
    hinge(rotor, motor, armature=armature(shaft.drive))
    turning(rotor, 0.0)
    sheet.couple("telescope", motor, "yaw", shaft.ratio)
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
    tool = _turn(sheet, holder, "shaft", "yaw", inertia)
    child(holder, "site", name="holder", pos=ORIGIN)
    child(plate, "site", name="socket", pos=ORIGIN)
    child(sheet.equality, "connect", name="socket", site1="holder", site2="socket")
    return tool


def _point(sheet: Sheet, plate: Point) -> Built:
    body = _root(sheet, plate.mass or 0.0)
    child(body, "geom", class_="plate", type="sphere", size=0.3 * sheet.size)
    return Built(_held(sheet, ((body, sheet.home),), (0,) * sheet.robot.arms), body)


def _parallelogram(sheet: Sheet, plate: Parallelogram) -> Built:
    """Half plate with the tool, two bars hinged on it, and the carried half plate on the first; the second closes."""
    body = _root(sheet, plate.mass or 0.0)
    span = plate.bar_length * horizontal(plate.bar_angle)
    across = (plate.bar_spacing or plate.bar_length) / 2 * horizontal(plate.bar_angle + math.pi / 2)
    first, second = -span / 2 - across, -span / 2 + across
    bars = [child(body, "body", name=f"bar{k}", pos=pos) for k, pos in ((1, first), (2, second))]
    for element, joint in zip(bars, ("yaw", "bar2"), strict=True):
        hinge(element, joint)
        bar(element, plate.bar_mass or 0.0, span, lumped=bars_lumped(sheet.robot))
        _spoke(sheet, element, ORIGIN, span)
    carried = child(bars[0], "body", name="carried", pos=span)
    hinge(carried, "swing")
    plain(carried, plate.carried_mass or 0.0, sheet.size, -first - span)
    child(bars[1], "site", name="bar2", pos=span)
    child(carried, "site", name="carried2", pos=second - first)
    child(sheet.equality, "connect", name="parallelogram", site1="bar2", site2="carried2")
    tool = _turn(sheet, body, "tool", "tool", plate.tool_inertia)
    sheet.couple("belt", "tool", "yaw", plate.yaw_ratio)
    parts = ((body, sheet.home), (carried, sheet.home + first + span))
    return Built(_held(sheet, parts, plate.carried), tool)


def _bars(sheet: Sheet, plate: Bars) -> Built:
    """Bar with the tool, the crossbar hinged on it, and the carried bar hinged on the crossbar."""
    body = _root(sheet, plate.mass or 0.0)
    span = plate.crossbar_length * horizontal(plate.crossbar_angle)
    crossbar = child(body, "body", name="crossbar", pos=-span / 2)
    hinge(crossbar, "yaw")
    bar(crossbar, plate.crossbar_mass or 0.0, span, lumped=bars_lumped(sheet.robot))
    _spoke(sheet, crossbar, ORIGIN, span)
    carried = child(crossbar, "body", name="carried", pos=span)
    hinge(carried, "swing")
    plain(carried, plate.carried_mass or 0.0, sheet.size, -span / 2)
    tool = _turn(sheet, body, "tool", "tool", plate.tool_inertia)
    sheet.couple("gear", "tool", "yaw", plate.yaw_ratio)
    parts = ((body, sheet.home), (carried, sheet.home + span / 2))
    return Built(_held(sheet, parts, plate.carried), tool)


def _slider(sheet: Sheet, plate: Slider) -> Built:
    """Central part with the pinion, and two side parts whose racks it drives apart."""
    body = _root(sheet, plate.mass or 0.0)
    along = horizontal(plate.slide_angle)
    tool = _turn(sheet, body, "pinion", "yaw", plate.tool_inertia)
    parts = {}
    for index, (side, name) in enumerate(((1, "side1"), (-1, "side2"))):
        part = child(body, "body", name=name)
        slide(part, name, along)
        plain(part, plate.side_mass or 0.0, sheet.size)
        sheet.couple(f"rack{index + 1}", name, "yaw", side * plate.pinion_radius)
        parts[side] = (part, sheet.home)
    choice = tuple(0 if side > 0 else 1 for side in plate.sides)
    return Built(_held(sheet, (parts[1], parts[-1]), choice), tool)


def _screw(sheet: Sheet, plate: Screw) -> Built:
    """Sub-platform with the tool, the screw turning in it, and the other sub-platform as the nut on the screw."""
    body = _root(sheet, plate.mass or 0.0)
    screw = _turn(sheet, body, "screw", "yaw", plate.screw_inertia)
    nut = child(screw, "body", name="carried")
    slide(nut, "lift", UP)
    hinge(nut, "nut")
    plain(nut, plate.carried_mass or 0.0, sheet.size)
    # The nut stands still while the screw turns: seen from the screw it turns backwards and climbs.
    sheet.couple("thread", "lift", "nut", -plate.pitch / (2 * math.pi))
    return Built(_held(sheet, ((body, sheet.home), (nut, sheet.home)), plate.carried), screw)


def _spindle(sheet: Sheet, plate: Spindle) -> Built:
    """Carriage at the tip of the five-bar, kept parallel by the belts of its nuts; shaft and two nuts on it.

    The shaft starts at z = 0, where both nuts stand at 0.
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
    length = float(np.min(sheet.robot.limb.arm))
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


_KINDS: Final[dict[str, Callable[[Sheet, Any], Built]]] = {
    "rigid": _rigid,
    "parallelogram": _parallelogram,
    "bars": _bars,
    "slider": _slider,
    "screw": _screw,
    "point": _point,
    "spindle": _spindle,
}
