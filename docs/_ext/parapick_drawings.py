"""Drawings of the kinds of base, limb and plate with the letters of their fields.

Each is a shipped robot, or a changed copy of one, with dimension lines between points that its mechanism computes: a
line of a length is as long as its field says, an arc of an angle turns as far. Letters are those of the documents.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np

import parapick as pp
from parapick.mechanism import CarriageLimb, Limb, Placed, Radial, Rails
from parapick.mechanism.plates import Bars, Parallelogram, Point, Rigid, Screw, Slider, Spindle
from parapick.parameters import resolved
from parapick.report.canvas import COLOURS
from parapick.report.figures.drawing import Drawing
from parapick.report.plot import Curve, Item, Marks, Panel, polyline
from parapick.report.scene import Links, robot_scene
from parapick.report.skeleton import skeleton
from parapick.report.still import View
from parapick_dimensions import (
    Dimension,
    Posed,
    arm,
    bar,
    carriage,
    joint_circle,
    parallelogram,
    placed,
    radial,
    rails,
    screw,
    slider,
    spindle,
)

if TYPE_CHECKING:
    pass

ABOVE: Final = View(-90.0, 90.0)
SIDE: Final = View(-90.0, 0.0)
ACROSS: Final = View(0.0, 0.0)
OBLIQUE: Final = View(-40.0, 22.0)

_INK: Final = (("#cdd3d9", 2.0), ("#7f8b96", 5.0))
"""Colour and width (pixels) of links that a drawing is not about, and of those that it is about."""

_ROOM: Final = 0.12
"""Room around a drawing as a share of its width."""

Dimensions = Callable[[Posed], Sequence[Dimension]]


@final
@dataclass(frozen=True)
class Sketch:
    """What a kind is drawn with.

    Attributes:
        robot: a shipped robot of this kind.
        changes: fields of its base, limb and plate that are given for the drawing.
        dimensions: the fields that are drawn.
        views: from where, each with the fields that it shows.
        solid: groups of links that the drawing is about; the others are faint.
        yaw: yaw at which the robot is drawn, and others that dimensions need (rad).
        alone: whether it is about the first leg only.
    """

    robot: str
    dimensions: Dimensions
    views: tuple[tuple[str, View, tuple[str, ...]], ...]
    solid: tuple[str, ...]
    changes: tuple[tuple[str, dict[str, Any]], ...] = ()
    yaw: tuple[float, ...] = (0.0,)
    alone: bool = False


_DEG: Final = float(np.pi / 180.0)
_ROD_FIELDS: Final = {"rod_center": 0.32, "rod_radius": 0.02, "rod_bore": 0.012, "rod_spacing": 0.14}

_SPACE: Final = ("in space", OBLIQUE, ())
_ROD_LETTERS: Final = ("rod_length", *_ROD_FIELDS)

SKETCHES: Final[dict[type[Any], Sketch]] = {
    Radial: Sketch(
        "delta-nr",
        radial,
        (("from above", ABOVE, ("radius", "angles", "offsets")), ("from the side", SIDE, ("zero", ""))),
        ("base", "arms"),
        (("base", {"zero": 15.0 * _DEG, "offsets": ((0.0,) * 3, (0.0,) * 3, (0.09, -0.05, 0.0))}),),
    ),
    Placed: Sketch(
        "asymmetric-screw",
        placed,
        (("", View(-75.0, 25.0), ("points", "zeros", "axes", "centers")),),
        ("base", "arms"),
        (("base", {"centers": (-60.0 * _DEG,) * 4}),),
    ),
    Rails: Sketch(
        "delta-linear",
        rails,
        (("from above", ABOVE, ("radius", "angles", "offsets")), ("from the side", ACROSS, ("length", "tilt", ""))),
        ("base", "arms"),
        (("base", {"tilt": 12.0 * _DEG, "offsets": ((0.0,) * 3, (0.0,) * 3, (0.06, -0.04, 0.0))}),),
    ),
    Limb: Sketch(
        "delta-nr",
        arm,
        (
            (
                "",
                OBLIQUE,
                (
                    "arm",
                    "arm_center",
                    "arm_offset",
                    "arm_radius",
                    "rod_length",
                    "rod_spacing",
                    "rod_center",
                    "rod_radius",
                    "rod_bore",
                ),
            ),
        ),
        ("arms", "rods"),
        (("limb", {**_ROD_FIELDS, "arm_center": 0.15, "arm_offset": 0.05, "arm_radius": 0.035}),),
        alone=True,
    ),
    CarriageLimb: Sketch(
        "delta-linear",
        carriage,
        (("", OBLIQUE, ("carriage_radius", *_ROD_LETTERS)),),
        ("arms", "rods"),
        (("limb", {**_ROD_FIELDS, "carriage_radius": 0.035}),),
        alone=True,
    ),
    Rigid: Sketch("delta-nr", joint_circle, (("from above", ABOVE, ("radius", "angles")), _SPACE), ("plate", "tool")),
    Parallelogram: Sketch(
        "par4",
        parallelogram,
        (("from above", ABOVE, ("radius", "angles", "bar_length", "bar_angle", "bar_spacing")), _SPACE),
        ("plate", "tool"),
        yaw=(0.0, 30.0 * _DEG),
    ),
    Bars: Sketch(
        "h4-90",
        lambda at: [*joint_circle(at), *bar(at, "crossbar_length", "crossbar_angle")],
        (("from above", ABOVE, ("radius", "angles", "crossbar_length", "crossbar_angle")), _SPACE),
        ("plate", "tool"),
        yaw=(0.0, 30.0 * _DEG),
    ),
    Slider: Sketch(
        "i4",
        slider,
        (("from above", ABOVE, ("radius", "angles", "pinion_radius", "slide_angle")), _SPACE),
        ("plate", "tool"),
        (("plate", {"slide_angle": 25.0 * _DEG, "pinion_radius": 0.04}),),
        yaw=(0.0, 1.0),
    ),
    Screw: Sketch(
        "heli4",
        screw,
        (("from above", ABOVE, ("radius", "angles")), ("from the side", View(-80.0, 8.0), ("pitch", "travel"))),
        ("plate", "tool"),
        (("plate", {"travel": 0.05}),),
        yaw=(0.0, 2.0 * np.pi),
    ),
    Point: Sketch("spara3", lambda _: [], (("", OBLIQUE, ()),), ("arms", "rods", "plate", "tool")),
    Spindle: Sketch(
        "fivebar-spindle",
        spindle,
        (("", OBLIQUE, ("pitch",)),),
        ("arms", "rods", "plate", "tool"),
        (("plate", {"pitch": 0.06}),),
    ),
}
"""A drawing per kind of base, limb and plate."""


@cache
def posed(kind: type[Any]) -> Posed:
    """The robot that a kind is drawn with.

    Args:
        kind: a key of `SKETCHES`.
    """
    sketch = SKETCHES[kind]
    robot = pp.load(sketch.robot).robot
    parts = {name: dataclasses.replace(getattr(robot, name), **changes) for name, changes in sketch.changes}
    plate = parts.get("plate", robot.plate)
    if any(field.name == "angles" for field in dataclasses.fields(plate)) and plate.angles is None:
        parts["plate"] = dataclasses.replace(plate, angles=robot.base.angles)
    model = pp.Model(dataclasses.replace(robot, **parts))
    home = np.array(model.robot.home)
    x = np.repeat(home[None], len(sketch.yaw), axis=0)
    if len(home) > 3:
        x[:, 3] = sketch.yaw
    return Posed(model, resolved(model.robot), x, skeleton(model, x))


def dimensions(kind: type[Any]) -> tuple[Dimension, ...]:
    """The fields that the drawing of a kind shows.

    Args:
        kind: a key of `SKETCHES`.
    """
    return tuple(SKETCHES[kind].dimensions(posed(kind)))


def letters(kind: type[Any]) -> dict[str, str]:
    """Letters of a kind by field.

    Args:
        kind: any description; one without a drawing has no letters.
    """
    return {one.field: one.letter for one in dimensions(kind) if one.field} if kind in SKETCHES else {}


def kind_drawing(kind: type[Any]) -> Drawing:
    """The drawing of a kind.

    Args:
        kind: a key of `SKETCHES`.
    """
    sketch = SKETCHES[kind]
    panels = tuple(_panel(kind, title, view, fields) for title, view, fields in sketch.views)
    word = kind.__dataclass_fields__["kind"].default
    return Drawing(f"The kind {word}, drawn with {sketch.robot}", panels, "still")


def _panel(kind: type[Any], title: str, view: View, fields: tuple[str, ...]) -> Panel:
    sketch, at = SKETCHES[kind], posed(kind)
    links = robot_scene(at.model, at.x[:1]).links
    about = [_ends(group, at.robot.arms if sketch.alone else 1) for group in links if group.name in sketch.solid]
    shown = [one for one in dimensions(kind) if one.field in fields]
    points = view.flat(np.concatenate([*(one.line for one in shown), *(ends.reshape(-1, 3) for ends in about)]))
    room = _ROOM * float(np.ptp(points, axis=0).max())
    (left, bottom), (right, top) = points.min(axis=0) - room, points.max(axis=0) + room
    items: list[Item] = []
    for ends, (colour, width) in zip(([_ends(group, 1) for group in links], about), _INK, strict=True):
        items += [polyline(view.flat(line), colour, width) for line in np.concatenate(ends)]
    if view is ABOVE:
        items += axes_of(left, bottom, room)
    for one in shown:
        items += _drawn(one, view, 0.3 * room)
    return Panel(title, tuple(items), (left, right), (bottom, top), equal=True, axes=False)


def _ends(group: Links, share: int) -> np.ndarray:
    """Both ends of links (k, 2, 3), m: of all, or of the part that the first leg has of them."""
    ends = np.stack([group.start[0], group.end[0]], axis=1)
    return ends[: len(ends) // share]


def axes_of(left: float, bottom: float, size: float) -> list[Item]:
    """Directions of x and y, in the corner.

    Args:
        left: left edge of the drawing.
        bottom: its lower edge.
        size: length of the arrows.
    """
    start, items = np.array([left, bottom]) + 0.35 * size, []
    for name, course in (("x", np.array([1.0, 0.0])), ("y", np.array([0.0, 1.0]))):
        tip = start + size * course
        items += [polyline(np.array([start, tip]), COLOURS["black"], 1.2)]
        items += [Curve(*arrow(tip, course, 0.25 * size), COLOURS["black"], 1.2)]
        items += [Marks(tip[:1], tip[1:], COLOURS["black"], size=0.1, texts=(name,))]
    return items


def _drawn(one: Dimension, view: View, size: float) -> list[Item]:
    """A dimension line with its arrows and its letter."""
    line = view.flat(one.line)
    colour = COLOURS["red"]
    middle = line[2 * len(line) // 3] if one.centre is not None else line.mean(axis=0)
    items: list[Item] = []
    if one.centre is not None:
        spokes = view.flat(one.centre) + np.outer([0.0, 1.15], [1.0, 1.0]) * (
            line[[0, -1], None] - view.flat(one.centre)
        )
        items += [polyline(spoke, COLOURS["black"], 1.0, ":") for spoke in spokes]
    items.append(polyline(line, colour, 1.8))
    tips = [(line[-1], line[-1] - line[-2])]
    if one.centre is None and one.value is not None:
        tips.append((line[0], line[0] - line[1]))
    items += [Curve(*arrow(tip, course, size), colour, 1.8) for tip, course in tips if np.linalg.norm(course) > 0.0]
    items.append(Marks(middle[:1], middle[1:], colour, size=0.1, texts=(one.letter,)))
    return items


def arrow(tip: np.ndarray, course: np.ndarray, size: float) -> np.ndarray:
    """The head of an arrow (2, 3), open.

    Args:
        tip: where it points.
        course: its direction.
        size: length of the head.
    """
    back = -size * course / np.linalg.norm(course)
    aside = 0.4 * np.array([-back[1], back[0]])
    return np.array([tip + back + aside, tip, tip + back - aside]).T
