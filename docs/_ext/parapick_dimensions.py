"""What the drawings of kinds measure: a line of a length is as long as its field says, an arc of an angle turns as far.

A function per kind finds the points of its dimensions on a posed robot. Letters are those of the documents.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np

from parapick.mechanism import Robot
from parapick.report.skeleton import Skeleton

if TYPE_CHECKING:
    from parapick.model import Model

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


def radial(at: Posed) -> list[Dimension]:
    """Motors on a circle: radius, azimuths, shifts, and the elevation of an arm at q = 0."""
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


def rails(at: Posed) -> list[Dimension]:
    """Rails on a circle: radius, azimuths, shifts, length and tilt."""
    base, (start, end) = at.robot.base, at.joints.rails[0]
    out = _circle(base.angles[0])
    return [
        *_on_circle(at, base),
        _straight("length", "s", start, end, base.length, 0.1 * base.length * out),
        _arc("tilt", "β", start, -0.45 * base.length * _UP, np.cross(-_UP, out), base.tilt),
        _straight("", "q", start, at.joints.elbows[0, 0], aside=-0.06 * base.length * out),
    ]


def placed(at: Posed) -> list[Dimension]:
    """Motors one by one: place, direction at q = 0, axis, and the middle of the range of angles."""
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


def arm(at: Posed) -> list[Dimension]:
    """Arm and rods of the first leg."""
    limb, joints = at.robot.limb, at.joints
    motor, elbow, pair = joints.motors[0], joints.elbows[0, 0], joints.pairs[0]
    along = (elbow - motor) / limb.arm
    above = np.cross(pair, along)
    above = above * np.sign(above[2])
    centre, middle = 0.14 * limb.arm * above, motor + 0.75 * limb.arm * along
    # The robot that is drawn lifts its arm as q grows, so its offset points up.
    foot = motor + limb.arm_center * along
    return [
        _straight("arm", "l", motor, elbow, limb.arm, 2.0 * centre),
        _straight("arm_center", "c_a", motor, motor + limb.arm_center * along, limb.arm_center, centre),
        _straight("arm_offset", "o_a", foot, foot + limb.arm_offset * above, limb.arm_offset),
        _straight("arm_radius", "ρ_a", middle, middle - limb.arm_radius * above, limb.arm_radius),
        *_rods(at, elbow),
    ]


def carriage(at: Posed) -> list[Dimension]:
    """Carriage and rods of the first leg."""
    elbow, limb = at.joints.elbows[0, 0], at.robot.limb
    out = np.cross(at.joints.pairs[0], _UP)
    radius = _straight("carriage_radius", "ρ_c", elbow, elbow + limb.carriage_radius * out, limb.carriage_radius)
    return [radius, *_rods(at, elbow)]


def joint_circle(at: Posed) -> list[Dimension]:
    """Radius and azimuths of the plate joints at yaw 0; the second azimuth is the one drawn."""
    plate, centre = at.robot.plate, at.x[0, :3]
    spokes = [plate.radius * _circle(angle) for angle in plate.angles]
    level = np.array([0.0, 0.0, at.joints.joints[0, 0, 2] - centre[2]])
    return [
        _straight("radius", "r_p", centre + level, centre + level + spokes[0], plate.radius),
        _arc("angles", "α'_i", centre + level, 0.55 * plate.radius * _circle(0.0), _UP, plate.angles[1]),
    ]


def bar(at: Posed, length: str, angle: str) -> list[Dimension]:
    """The first bar of a plate, and its azimuth."""
    start, end = at.joints.bars[0, 0]
    plate = at.robot.plate
    across = np.cross(_UP, end - start) / np.linalg.norm(end - start)
    turned = getattr(plate, angle)
    return [
        _straight(length, "h", start, end, getattr(plate, length), 0.18 * plate.radius * across),
        _arc(angle, "γ", start, 0.3 * plate.radius * _circle(0.0), _UP, turned),
    ]


def parallelogram(at: Posed) -> list[Dimension]:
    """Half plates and the bars between them."""
    starts, plate = at.joints.bars[0, :, 0], at.robot.plate
    down = 0.25 * plate.radius * _circle(plate.bar_angle + np.pi)
    spacing = _straight("bar_spacing", "d", starts[0], starts[1], plate.bar_spacing, down)
    return [*joint_circle(at), *bar(at, "bar_length", "bar_angle"), spacing]


def slider(at: Posed) -> list[Dimension]:
    """The pinion's radius is how far a side part goes in a radian of yaw."""
    plate, before, after = at.robot.plate, at.joints.joints[0, 1], at.joints.joints[1, 1]
    out = 0.2 * plate.radius * _circle(plate.angles[1])
    return [
        *joint_circle(at),
        _straight("pinion_radius", "r", before, after, plate.pinion_radius, out),
        _arc("slide_angle", "γ", at.x[0, :3], 0.8 * plate.radius * _circle(0.0), _UP, plate.slide_angle),
    ]


def screw(at: Posed) -> list[Dimension]:
    """The pitch is how far the nut goes in a turn of the tool."""
    plate = at.robot.plate
    nut = next(body.hub for body in at.joints.bodies if abs(body.hub[1, 2] - body.hub[0, 2]) > 1e-6)
    stop, aside = 0.5 * plate.travel * _UP, 1.5 * plate.radius * _circle(0.0)
    return [
        *joint_circle(at),
        _straight("pitch", "p", nut[0], nut[1], plate.pitch, aside),
        _straight("travel", "s", nut[0] - stop, nut[0] + stop, plate.travel, 1.3 * aside),
    ]


def spindle(at: Posed) -> list[Dimension]:
    """The pitch is how far the shaft goes in a turn of the screw nut, the spline nut at rest."""
    tool, plate = at.joints.tool[0], at.robot.plate
    screw = plate.linear[0]
    lift = -2.0 * np.pi / float(screw.slopes[2])
    return [_straight("pitch", "p", tool, tool + lift * _UP, plate.pitch, 0.35 * at.joints.sizes[0] * _circle(0.0))]
