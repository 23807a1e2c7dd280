"""Whether the legs of a description close: at its home, and if not there, anywhere.

A leg closes on a plate point where the rod's length lies between the smallest and the largest distance from that
point to where the elbow (or the carriage) can be.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, final

import casadi as ca
import numpy as np

from parapick.errors import FileProblem
from parapick.mechanism.robot import Robot
from parapick.mechanism.stance import Stance, stance

if TYPE_CHECKING:
    from parapick.mechanism.legs.leg import RodLeg

COINCIDENT: Final = 1e-9
"""Points nearer than this (m) are the same place: a millionth of a millimetre is nobody's design."""

GRID: Final = 13
ROUNDS: Final = 9
SHRINK: Final = 0.4
TOWARDS_HOME: Final = 1e-6
"""The search for a pose looks at 13 places along each axis, then again about the best at 0.4 of the size, nine times:
from metres to below a millimetre. Among poses that are equally good, such as one below the motors and its mirror image
above, a millionth of the distance decides for the one nearer to home."""


def closure_problems(robot: Robot) -> Iterator[FileProblem]:
    """What keeps the legs of a robot from closing.

    Args:
        robot: a description whose numbers and lists are in order.
    """
    legs = stance(robot)
    yield from _coincidence_problems(legs)
    what, short = _missing(legs.rod, legs.nearest, legs.farthest)
    if (what > 0).any():
        yield _unreachable_home(robot, [_Rod.of(leg) for leg in robot.rod_legs()], what, short)
        return
    yield from _joint_limit_problems(robot, legs)


def _missing(length: Any, nearest: Any, farthest: Any) -> tuple[np.ndarray, np.ndarray]:
    """By how much a rod misses (m; negative: it closes) what it must bridge, and whether it is too short."""
    short, long = (np.asarray(value, dtype=float) for value in (nearest - length, length - farthest))
    return np.maximum(short, long).squeeze(), (short >= long).squeeze()


@final
@dataclass(frozen=True)
class _Rod:
    """The rod of a leg: where that stands (m), the rod's length and the leg's extent (m), and what it must bridge."""

    base: np.ndarray
    length: float
    extent: float
    span: ca.Function

    @staticmethod
    def of(leg: RodLeg) -> _Rod:
        """The rod of a leg."""
        point = ca.SX.sym("point", 3)
        span = ca.Function("span", [point], [ca.SX(distance) for distance in leg.span(point)])
        return _Rod(_row(leg.base), float(leg.rod), float(leg.extent), span)

    def missing(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """By how much the rod misses (m; negative: it closes) at points (..., 3), and whether it is too short."""
        nearest, farthest = self.span(ca.DM(points.reshape(-1, 3).T))
        what, short = _missing(self.length, nearest, farthest)
        return what.reshape(points.shape[:-1]), short.reshape(points.shape[:-1])


def _row(vector: Any) -> np.ndarray:
    return np.array(ca.DM(vector)).ravel()


def _coincidence_problems(legs: Stance) -> Iterator[FileProblem]:
    # One end alone may be shared: both arms of a five-bar linkage rightly hold one point.
    ends = zip(legs.base, legs.point, legs.axis, strict=True)
    for (i, one), (j, other) in itertools.combinations(enumerate(ends), 2):
        apart = (one[0] - other[0], one[1] - other[1], np.cross(one[2], other[2]))
        if all(np.linalg.norm(difference) < COINCIDENT for difference in apart):
            message = f"legs {i + 1} and {j + 1} coincide: their motors are in one place, about one axis"
            yield FileProblem("base", f"{message}, and hold one point of the plate; move one of them")


def _unreachable_home(robot: Robot, rods: list[_Rod], what: np.ndarray, short: np.ndarray) -> FileProblem:
    wrong = np.flatnonzero(what > 0)
    texts = [f"{1e3 * what[leg]:.1f} mm too {'short' if short[leg] else 'long'}" for leg in wrong]
    first, *others = zip(wrong + 1, texts, strict=True)
    faults = f"leg {first[0]}: at home the rod is {first[1]}"
    faults += "".join(f"; leg {leg}: {text}" for leg, text in others)
    points = _shifted(robot)
    pose, worst = _best_pose(robot, rods, points)
    place = ", ".join(f"{value:.3f}" for value in pose)
    if worst <= 0:
        return FileProblem("home", f"{faults}; a pose that all legs reach is ({place}) m")
    matter = [rod.missing(point) for rod, point in zip(rods, points(pose), strict=True)]
    leg = int(np.argmax([float(what) for what, _ in matter]))
    lacks = bool(matter[leg][1])
    length = 1e3 * (rods[leg].length + (worst if lacks else -worst))
    return FileProblem(
        "limb.rod_length",
        f"no pose closes all legs. {faults}; even at the best pose found, ({place}) m, leg {leg + 1} has a rod of "
        f"{1e3 * rods[leg].length:.1f} mm where it takes {'at least' if lacks else 'at most'} {length:.1f} mm",
    )


def _shifted(robot: Robot) -> Callable[[np.ndarray], np.ndarray]:
    """Plate points of every leg (arms, ..., 3) from places (..., 3) with yaw 0; the plate only shifts with them."""
    zero = np.zeros(robot.dof)

    def at(x: np.ndarray) -> np.ndarray:
        return np.array([_row(point) for point in robot.points(ca.DM(x))])

    origin = at(zero)
    slopes = np.stack([at(zero + np.eye(robot.dof)[k]) - origin for k in range(3)])

    def points(poses: np.ndarray) -> np.ndarray:
        shape = (len(origin),) + (1,) * (poses.ndim - 1) + (3,)
        return origin.reshape(shape) + np.moveaxis(np.tensordot(poses, slopes, axes=(-1, 0)), -2, 0)

    return points


def _best_pose(
    robot: Robot, rods: list[_Rod], points_at: Callable[[np.ndarray], np.ndarray]
) -> tuple[np.ndarray, float]:
    """Where the legs close best, as a place rounded to millimetres, and what is missing there (m)."""
    centre = np.mean([rod.base for rod in rods], axis=0)
    offsets = points_at(centre)
    size = max(float(np.linalg.norm(rod.base - point)) + rod.extent for rod, point in zip(rods, offsets, strict=True))
    steps = np.linspace(-1.0, 1.0, GRID)
    for _ in range(ROUNDS):
        places = centre + size * np.array(list(itertools.product(steps, steps, steps)))
        points = points_at(places)
        missing = np.max([rod.missing(point)[0] for rod, point in zip(rods, points, strict=True)], axis=0)
        away = np.linalg.norm(places - np.array(robot.home[:3]), axis=-1)
        centre = places[int(np.argmin(missing + TOWARDS_HOME * away))]
        size *= SHRINK
    pose = np.round(centre, 3) + 0.0
    worst = max(float(rod.missing(point)[0]) for rod, point in zip(rods, points_at(pose), strict=True))
    return pose, worst


def _joint_limit_problems(robot: Robot, legs: Stance) -> Iterator[FileProblem]:
    show = robot.limb.axis.text
    sides = ((1.0, "at least", legs.low), (-1.0, "at most", legs.high))
    for i, q in enumerate(legs.q.tolist()):
        for name, (side, bound, limits) in zip(robot.limb.limits, sides, strict=True):
            limit = float(limits[i])
            if side * (q - limit) < 0:
                source = "the rail" if getattr(robot.limits, name) is None else f"limits.{name}"
                where = f"leg {i + 1}: at home the joint is at {show(q)}"
                yield FileProblem("home", f"{where}; {source} allows {bound} {show(limit)}")
