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
from parapick.mechanism import (
    Bars,
    CarriageLimb,
    Limb,
    Parallelogram,
    Placed,
    Point,
    Radial,
    Rails,
    Rigid,
    Robot,
    Screw,
    Slider,
    Spindle,
)
from parapick.mechanism.parameters import resolved
from parapick.report.canvas import COLOURS
from parapick.report.figures.drawing import Drawing
from parapick.report.plot import Curve, Item, Marks, Panel, polyline
from parapick.report.scene import Links, robot_scene
from parapick.report.skeleton import Skeleton, skeleton
from parapick.report.still import View

if TYPE_CHECKING:
    from parapick.model import Model

ABOVE: Final = View(-90.0, 90.0)
SIDE: Final = View(-90.0, 0.0)
ACROSS: Final = View(0.0, 0.0)
OBLIQUE: Final = View(-40.0, 22.0)

_INK: Final = (("#cdd3d9", 2.0), ("#7f8b96", 5.0))
"""Colour and width (pixels) of links that a drawing is not about, and of those that it is about."""

_ROOM: Final = 0.12
"""Room around a drawing as a share of its width."""

_UP: Final = np.array([0.0, 0.0, 1.0])


@final
@dataclass(frozen=True, eq=False)
class Dimension:
    """A field in a drawing.

    Attributes:
        field: its name in the table of its kind.
        letter: its letter.
        line: what is drawn (n, 3), m: a straight line, or an arc.
        centre: centre of the arc (3,), m; None for a straight line.
        value: number of the field (m, rad) that the line shows; None where it shows a direction.
    """

    field: str
    letter: str
    line: np.ndarray
    centre: np.ndarray | None = None
    value: float | None = None

    @property
    def measure(self) -> float:
        """Length of the line (m), or angle of the arc (rad)."""
        if self.centre is None:
            return float(np.linalg.norm(self.line[-1] - self.line[0]))
        spokes = self.line - self.centre
        spokes = spokes / np.linalg.norm(spokes, axis=1, keepdims=True)
        return float(np.arccos(np.clip((spokes[1:] * spokes[:-1]).sum(axis=1), -1.0, 1.0)).sum())


@final
@dataclass(frozen=True, eq=False)
class Posed:
    """A robot at some poses.

    Attributes:
        model: the robot.
        robot: its description with plain numbers.
        x: the poses (T, dof), m and rad; the first is drawn.
        joints: its joints there.
    """

    model: Model
    robot: Robot
    x: np.ndarray
    joints: Skeleton


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


def _straight(field: str, letter: str, start: Any, end: Any, value: float | None = None, aside: Any = 0.0) -> Dimension:
    """A length between two points, drawn a little aside of them."""
    return Dimension(field, letter, np.array([start, end], dtype=float) + aside, value=value)


def _arc(field: str, letter: str, centre: Any, start: Any, normal: Any, angle: float) -> Dimension:
    """An angle from a spoke (3,), m, about a normal (3,), by the right-hand rule."""
    centre, start, normal = (np.asarray(v, dtype=float) for v in (centre, start, normal))
    turns = np.linspace(0.0, angle, 33)[:, None]
    line = centre + np.cos(turns) * start + np.sin(turns) * np.cross(normal, start)
    return Dimension(field, letter, line, centre, abs(angle))


def _circle(angle: float) -> np.ndarray:
    return np.array([np.cos(angle), np.sin(angle), 0.0])


def _on_circle(at: Posed, base: Any) -> list[Dimension]:
    """What motors and rails on a circle have in common: radius, azimuths, shifts."""
    places = [base.radius * _circle(angle) for angle in base.angles]
    turned = next(angle for angle in base.angles if angle)
    return [
        _straight("radius", "r_b", np.zeros(3), places[0], base.radius),
        _arc("angles", "α_i", np.zeros(3), 0.4 * base.radius * _circle(0.0), _UP, turned),
        _straight("offsets", "o_i", places[-1], at.joints.motors[-1], float(np.linalg.norm(base.offsets[-1]))),
    ]


def _radial(at: Posed) -> list[Dimension]:
    base, motor = at.robot.base, at.joints.motors[0]
    out, size = _circle(base.angles[0]), 0.75 * at.joints.sizes[0]
    across = np.cross(out, _UP)
    elbow = at.joints.elbows[0, 0] - motor
    lifted = np.arctan2(elbow[2], elbow @ out)
    start = np.cos(base.zero) * out + np.sin(base.zero) * _UP
    return [
        *_on_circle(at, base),
        _arc("zero", "φ_0", motor, size * out, across, base.zero),
        _arc("", "q", motor, 0.6 * size * start, across, lifted - base.zero),
    ]


def _rails(at: Posed) -> list[Dimension]:
    base, (start, end) = at.robot.base, at.joints.rails[0]
    out = _circle(base.angles[0])
    return [
        *_on_circle(at, base),
        _straight("length", "s", start, end, base.length, 0.1 * base.length * out),
        _arc("tilt", "β", start, -0.45 * base.length * _UP, np.cross(-_UP, out), base.tilt),
        _straight("", "q", start, at.joints.elbows[0, 0], aside=-0.06 * base.length * out),
    ]


def _placed(at: Posed) -> list[Dimension]:
    base, size = at.robot.base, at.joints.sizes[0]
    point, zero, axis = (np.array(v[0], dtype=float) for v in (base.points, base.zeros, base.axes))
    zero, axis = zero / np.linalg.norm(zero), axis / np.linalg.norm(axis)
    return [
        _straight("points", "P_i", np.zeros(3), point, float(np.linalg.norm(base.points[0]))),
        _straight("zeros", "z_i", point, point + 0.9 * size * zero),
        _straight("axes", "e_i", point, point + 0.9 * size * axis),
        _arc("centers", "q_c", point, 0.6 * size * zero, axis, base.centers[0]),
    ]


def _rods(at: Posed, elbow: np.ndarray) -> list[Dimension]:
    """What rods have: length, distance, centre, radii; the first rod is at half the spacing along the pair."""
    limb, joints = at.robot.limb, at.joints
    pair, end = joints.pairs[0], joints.joints[0, 0]
    along = (end - elbow) / np.linalg.norm(end - elbow)
    half, aside = 0.5 * limb.rod_spacing * pair, np.cross(along, pair)
    near, far = elbow + half, elbow - half
    outer, inner = (far + share * limb.rod_length * along for share in (0.85, 0.65))
    return [
        _straight("rod_length", "L", near, end + half, limb.rod_length, 0.06 * limb.rod_length * pair),
        _straight("rod_spacing", "b", end - half, end + half, limb.rod_spacing, 0.08 * limb.rod_length * along),
        _straight(
            "rod_center", "c_r", far, far + limb.rod_center * along, limb.rod_center, -0.3 * limb.rod_spacing * pair
        ),
        _straight("rod_radius", "ρ_r", outer, outer + limb.rod_radius * aside, limb.rod_radius),
        _straight("rod_bore", "ρ_b", inner, inner + limb.rod_bore * aside, limb.rod_bore),
    ]


def _arm(at: Posed) -> list[Dimension]:
    limb, joints = at.robot.limb, at.joints
    motor, elbow, pair = joints.motors[0], joints.elbows[0, 0], joints.pairs[0]
    along = (elbow - motor) / limb.arm
    above = np.cross(pair, along)
    above = above * np.sign(above[2])
    centre, middle = 0.14 * limb.arm * above, motor + 0.75 * limb.arm * along
    return [
        _straight("arm", "l", motor, elbow, limb.arm, 2.0 * centre),
        _straight("arm_center", "c_a", motor, motor + limb.arm_center * along, limb.arm_center, centre),
        _straight("arm_radius", "ρ_a", middle, middle - limb.arm_radius * above, limb.arm_radius),
        *_rods(at, elbow),
    ]


def _carriage(at: Posed) -> list[Dimension]:
    elbow, limb = at.joints.elbows[0, 0], at.robot.limb
    out = np.cross(at.joints.pairs[0], _UP)
    radius = _straight("carriage_radius", "ρ_c", elbow, elbow + limb.carriage_radius * out, limb.carriage_radius)
    return [radius, *_rods(at, elbow)]


def _joint_circle(at: Posed) -> list[Dimension]:
    """Radius and azimuths of the plate joints at yaw 0; the second azimuth is the one drawn."""
    plate, centre = at.robot.plate, at.x[0, :3]
    spokes = [plate.radius * _circle(angle) for angle in plate.angles]
    level = np.array([0.0, 0.0, at.joints.joints[0, 0, 2] - centre[2]])
    return [
        _straight("radius", "r_p", centre + level, centre + level + spokes[0], plate.radius),
        _arc("angles", "α'_i", centre + level, 0.55 * plate.radius * _circle(0.0), _UP, plate.angles[1]),
    ]


def _bar(at: Posed, length: str, angle: str) -> list[Dimension]:
    """The first bar of a plate, and its azimuth."""
    start, end = at.joints.bars[0, 0]
    plate = at.robot.plate
    across = np.cross(_UP, end - start) / np.linalg.norm(end - start)
    turned = getattr(plate, angle)
    return [
        _straight(length, "h", start, end, getattr(plate, length), 0.18 * plate.radius * across),
        _arc(angle, "γ", start, 0.3 * plate.radius * _circle(0.0), _UP, turned),
    ]


def _parallelogram(at: Posed) -> list[Dimension]:
    starts, plate = at.joints.bars[0, :, 0], at.robot.plate
    down = 0.25 * plate.radius * _circle(plate.bar_angle + np.pi)
    spacing = _straight("bar_spacing", "d", starts[0], starts[1], plate.bar_spacing, down)
    return [*_joint_circle(at), *_bar(at, "bar_length", "bar_angle"), spacing]


def _slider(at: Posed) -> list[Dimension]:
    """The pinion's radius is how far a side part goes in a radian of yaw."""
    plate, before, after = at.robot.plate, at.joints.joints[0, 1], at.joints.joints[1, 1]
    out = 0.2 * plate.radius * _circle(plate.angles[1])
    return [
        *_joint_circle(at),
        _straight("pinion_radius", "r", before, after, plate.pinion_radius, out),
        _arc("slide_angle", "γ", at.x[0, :3], 0.8 * plate.radius * _circle(0.0), _UP, plate.slide_angle),
    ]


def _screw(at: Posed) -> list[Dimension]:
    """The pitch is how far the nut goes in a turn of the tool."""
    plate = at.robot.plate
    nut = next(body.hub for body in at.joints.bodies if abs(body.hub[1, 2] - body.hub[0, 2]) > 1e-6)
    stop, aside = 0.5 * plate.travel * _UP, 1.5 * plate.radius * _circle(0.0)
    return [
        *_joint_circle(at),
        _straight("pitch", "p", nut[0], nut[1], plate.pitch, aside),
        _straight("travel", "s", nut[0] - stop, nut[0] + stop, plate.travel, 1.3 * aside),
    ]


def _spindle(at: Posed) -> list[Dimension]:
    """The pitch is how far the shaft goes in a turn of the screw nut, the spline nut at rest."""
    tool, plate = at.joints.tool[0], at.robot.plate
    screw = plate.linear[0]
    lift = -2.0 * np.pi / float(screw.slopes[2])
    return [_straight("pitch", "p", tool, tool + lift * _UP, plate.pitch, 0.35 * at.joints.sizes[0] * _circle(0.0))]


_DEG: Final = float(np.pi / 180.0)
_ROD_FIELDS: Final = {"rod_center": 0.32, "rod_radius": 0.02, "rod_bore": 0.012, "rod_spacing": 0.14}

_SPACE: Final = ("in space", OBLIQUE, ())
_ROD_LETTERS: Final = ("rod_length", *_ROD_FIELDS)

SKETCHES: Final[dict[type[Any], Sketch]] = {
    Radial: Sketch(
        "delta-nr",
        _radial,
        (("from above", ABOVE, ("radius", "angles", "offsets")), ("from the side", SIDE, ("zero", ""))),
        ("base", "arms"),
        (("base", {"zero": 15.0 * _DEG, "offsets": ((0.0,) * 3, (0.0,) * 3, (0.09, -0.05, 0.0))}),),
    ),
    Placed: Sketch(
        "asymmetric-screw",
        _placed,
        (("", View(-75.0, 25.0), ("points", "zeros", "axes", "centers")),),
        ("base", "arms"),
        (("base", {"centers": (-60.0 * _DEG,) * 4}),),
    ),
    Rails: Sketch(
        "delta-linear",
        _rails,
        (("from above", ABOVE, ("radius", "angles", "offsets")), ("from the side", ACROSS, ("length", "tilt", ""))),
        ("base", "arms"),
        (("base", {"tilt": 12.0 * _DEG, "offsets": ((0.0,) * 3, (0.0,) * 3, (0.06, -0.04, 0.0))}),),
    ),
    Limb: Sketch(
        "delta-nr",
        _arm,
        (
            (
                "",
                OBLIQUE,
                (
                    "arm",
                    "arm_center",
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
        (("limb", {**_ROD_FIELDS, "arm_center": 0.15, "arm_radius": 0.035}),),
        alone=True,
    ),
    CarriageLimb: Sketch(
        "delta-linear",
        _carriage,
        (("", OBLIQUE, ("carriage_radius", *_ROD_LETTERS)),),
        ("arms", "rods"),
        (("limb", {**_ROD_FIELDS, "carriage_radius": 0.035}),),
        alone=True,
    ),
    Rigid: Sketch("delta-nr", _joint_circle, (("from above", ABOVE, ("radius", "angles")), _SPACE), ("plate", "tool")),
    Parallelogram: Sketch(
        "par4",
        _parallelogram,
        (("from above", ABOVE, ("radius", "angles", "bar_length", "bar_angle", "bar_spacing")), _SPACE),
        ("plate", "tool"),
        yaw=(0.0, 30.0 * _DEG),
    ),
    Bars: Sketch(
        "h4-90",
        lambda at: [*_joint_circle(at), *_bar(at, "crossbar_length", "crossbar_angle")],
        (("from above", ABOVE, ("radius", "angles", "crossbar_length", "crossbar_angle")), _SPACE),
        ("plate", "tool"),
        yaw=(0.0, 30.0 * _DEG),
    ),
    Slider: Sketch(
        "i4",
        _slider,
        (("from above", ABOVE, ("radius", "angles", "pinion_radius", "slide_angle")), _SPACE),
        ("plate", "tool"),
        (("plate", {"slide_angle": 25.0 * _DEG, "pinion_radius": 0.04}),),
        yaw=(0.0, 1.0),
    ),
    Screw: Sketch(
        "heli4",
        _screw,
        (("from above", ABOVE, ("radius", "angles")), ("from the side", View(-80.0, 8.0), ("pitch", "travel"))),
        ("plate", "tool"),
        (("plate", {"travel": 0.05}),),
        yaw=(0.0, 2.0 * np.pi),
    ),
    Point: Sketch("spara3", lambda _: [], (("", OBLIQUE, ()),), ("arms", "rods", "plate", "tool")),
    Spindle: Sketch(
        "fivebar-spindle",
        _spindle,
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
        items += _axes(left, bottom, room)
    for one in shown:
        items += _drawn(one, view, 0.3 * room)
    return Panel(title, tuple(items), (left, right), (bottom, top), equal=True, axes=False)


def _ends(group: Links, share: int) -> np.ndarray:
    """Both ends of links (k, 2, 3), m: of all, or of the part that the first leg has of them."""
    ends = np.stack([group.start[0], group.end[0]], axis=1)
    return ends[: len(ends) // share]


def _axes(left: float, bottom: float, size: float) -> list[Item]:
    """Directions of x and y, in the corner."""
    start, items = np.array([left, bottom]) + 0.35 * size, []
    for name, course in (("x", np.array([1.0, 0.0])), ("y", np.array([0.0, 1.0]))):
        tip = start + size * course
        items += [polyline(np.array([start, tip]), COLOURS["black"], 1.2)]
        items += [Curve(*_arrow(tip, course, 0.25 * size), COLOURS["black"], 1.2)]
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
    items += [Curve(*_arrow(tip, course, size), colour, 1.8) for tip, course in tips if np.linalg.norm(course) > 0.0]
    items.append(Marks(middle[:1], middle[1:], colour, size=0.1, texts=(one.letter,)))
    return items


def _arrow(tip: np.ndarray, course: np.ndarray, size: float) -> np.ndarray:
    back = -size * course / np.linalg.norm(course)
    aside = 0.4 * np.array([-back[1], back[0]])
    return np.array([tip + back + aside, tip, tip + back - aside]).T
