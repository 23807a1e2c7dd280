"""Where the joints of a robot count from, and in which sense: motors by their numbers, and one leg from the side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np

import parapick as pp
from parapick.report.canvas import COLOURS
from parapick.report.figures.drawing import Drawing
from parapick.report.plot import Item, Marks, Panel, polyline
from parapick.report.scene import robot_scene
from parapick.report.still import View
from parapick_drawings import ABOVE, arrow, axes_of

_TURN: Final = 0.6
"""How far a joint is turned for the arrow of its sense: rad, of carriages as a share of a rod's length."""

_FAINT, _SOLID, _SENSE = ("#cdd3d9", 2.0), ("#7f8b96", 5.0), COLOURS["red"]


@final
@dataclass(frozen=True, eq=False)
class JointCourse:
    """Where the elbow of a leg is for some joint coordinates.

    Attributes:
        motor: the motor, or the rail's upper end (3,), m.
        zero: the elbow at q = 0 (3,), m.
        home: at the robot's home (3,), m.
        q: joint coordinate there (rad, or m).
        growing: from q = 0 in the sense in which q grows (k, 3), m.
    """

    motor: np.ndarray
    zero: np.ndarray
    home: np.ndarray
    q: float
    growing: np.ndarray


def courses(model: pp.Model) -> list[JointCourse]:
    """The joints of the legs with rods, in the order of the motors.

    Args:
        model: the robot.
    """
    q_home = model.inverse_kinematics(np.array(model.robot.home))
    return [_course(leg, float(q)) for leg, q in zip(model.numbers.rod_legs(), q_home, strict=False)]


def _course(leg: Any, q_home: float) -> JointCourse:
    motor = np.array(leg.anchors[0], dtype=float).reshape(3)
    far = _TURN if leg.bending else _TURN * float(leg.rod)

    def elbow(q: float) -> np.ndarray:
        return motor + np.array(leg.at(np.zeros(3), q).arm, dtype=float).reshape(3)

    line = np.array([elbow(q) for q in np.linspace(0.0, far, 25)])
    return JointCourse(motor, line[0], elbow(q_home), q_home, line)


def joints_drawing(name: str) -> Drawing:
    """Numbers, zeros and senses of the joints of a shipped robot.

    Args:
        name: its name.
    """
    model = pp.load(name)
    found = courses(model)
    first = found[0]
    caption = f"{name} at its home: motors by their numbers, and the zero and the sense of joint 1"
    return Drawing(caption, (_above(model, found), _side(first, model)), "still")


def _above(model: pp.Model, found: list[JointCourse]) -> Panel:
    """All motors from above, with their numbers beside them."""
    items = [polyline(ABOVE.flat(line), *_FAINT) for line in _links(model)]
    items += [polyline(ABOVE.flat(np.array([one.motor, one.home])), *_SOLID) for one in found]
    places = ABOVE.flat(np.array([0.72 * one.motor for one in found]))
    items.append(Marks(*places.T, _SENSE, size=0.1, texts=tuple(str(i) for i, _ in enumerate(found, 1))))
    return _panel("from above", items, np.concatenate([ABOVE.flat(np.concatenate(_links(model))), places]), axes=True)


def _side(one: JointCourse, model: pp.Model) -> Panel:
    """The first leg from the side on which its arm turns in the plane of the picture."""
    out = np.degrees(np.arctan2(one.motor[1], one.motor[0]))
    view = View(out - 90.0, 0.0)
    count = len(courses(model))
    arm, rod = np.array([one.motor, one.home]), _first_rod(model, count)
    zero = view.flat(np.array([one.motor, one.zero]))
    items: list[Item] = [polyline(view.flat(arm), *_SOLID), polyline(view.flat(rod), *_FAINT)]
    turns = bool(np.linalg.norm(one.zero - one.motor) > 0.0)
    growing = view.flat(one.motor + 0.85 * (one.growing - one.motor) if turns else one.growing)
    size = (0.12 if turns else 0.05) * float(np.linalg.norm(growing[-1] - growing[0]))
    items += [polyline(zero, COLOURS["black"], 1.0, ":"), polyline(growing, _SENSE, 1.8)]
    items.append(polyline(arrow(growing[-1], growing[-1] - growing[-2], size).T, _SENSE, 1.8))
    value = f"q1 = {np.degrees(one.q):.1f}°" if turns else f"q1 = {1e3 * one.q:.0f} mm"
    ends = np.array([zero[-1], growing[-1], view.flat(arm)[-1]])
    items.append(Marks(*ends.T, _SENSE, size=0.1, texts=("q = 0", "q > 0", value)))
    shown = np.concatenate([ends, growing, view.flat(arm), view.flat(rod)])
    return _panel("joint 1, seen along its axis" if turns else "joint 1, from the side", items, shown)


def _links(model: pp.Model) -> list[np.ndarray]:
    """Both ends of every link at the robot's home (2, 3), m."""
    groups = robot_scene(model, np.array(model.robot.home)[None]).links
    return [np.array(ends) for group in groups for ends in zip(group.start[0], group.end[0], strict=True)]


def _first_rod(model: pp.Model, count: int) -> np.ndarray:
    groups = {group.name: group for group in robot_scene(model, np.array(model.robot.home)[None]).links}
    rods = groups["rods"]
    share = len(rods.start[0]) // count
    return np.array([rods.start[0][:share].mean(axis=0), rods.end[0][:share].mean(axis=0)])


def _panel(title: str, items: list[Item], shown: np.ndarray, *, axes: bool = False) -> Panel:
    room = 0.14 * float(np.ptp(shown, axis=0).max())
    (left, bottom), (right, top) = shown.min(axis=0) - room, shown.max(axis=0) + room
    if axes:
        items = [*items, *axes_of(left, bottom, room)]
    return Panel(title, tuple(items), (left, right), (bottom, top), equal=True, axes=False)
