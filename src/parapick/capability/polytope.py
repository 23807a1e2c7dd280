"""The zonotope of one state as a body with vertices and faces, for drawing and for looking closely.

Vertices are those corners of the box of torques (in a section: those points of its edges) whose images touch facets of
three independent directions; faces are the vertices that touch one facet, in order around it. At speed and with lossy
gearboxes the body is no zonotope any more (`gears`): it is then the hull of the corners.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING, Final, final

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from parapick.arrays import reals
from parapick.capability.acceleration import free_acceleration
from parapick.capability.effort import Settings, effort
from parapick.capability.gears import EDGE, corners
from parapick.capability.kernels import constants, kernel_for
from parapick.capability.limits import TorqueLimit, joint_torques
from parapick.capability.section import SLIVER
from parapick.capability.views import section_of, view_of
from parapick.capability.zonotope import images
from parapick.errors import ShapeError
from parapick.mechanism.robot import Robot
from parapick.model.expression import Expression

if TYPE_CHECKING:
    from parapick.model import Model

TOUCHING: Final = 1e-9
"""A point this near to a facet, as a share of the body's size, lies in it; two points this near are one."""

MERGED: Final = 1e-7
"""Two facets of a hull whose normals differ by less are one: a hull is made of simplices, each with its rounding."""


@final
@dataclass(frozen=True, eq=False)
class Polytope:
    """A convex body.

    Attributes:
        vertices: its corners (k, 3), or (k, 4) with yaw.
        faces: indices of the vertices of every face, in three dimensions in order around it, counter-clockwise seen
            from outside.
        center: where the motors give no torque (3,) or (4,), the middle of a zonotope. In the slice of a zonotope with
            yaw, the translation of that middle, which need not be the middle of the slice.
    """

    vertices: np.ndarray
    faces: tuple[tuple[int, ...], ...]
    center: np.ndarray


def acceleration_set(
    model: Model,
    x: ArrayLike,
    xd: ArrayLike | None = None,
    *,
    torque: TorqueLimit = "peak",
    yaw: float | None = 0.0,
    length: float | None = None,
    gravity: bool = True,
    friction: bool = True,
) -> Polytope:
    """All accelerations that the motors allow at one state, as a body.

    At speed and with lossy gearboxes it is exact unless the rotor of a motor alone takes more than its whole torque;
    there the accelerations are not convex, and this is the hull of their corners.

    Args:
        model: the robot, with what it carries.
        x: one task vector (dof,), m and rad.
        xd: its rate (dof,), m/s and rad/s; at rest if not given.
        torque: "peak" or "rated" of the drives, one number or one per motor (N m, at the motor).
        yaw: yaw acceleration that is kept meanwhile (rad/s2); None: any.
        length: all four freedoms count, yaw times this length (m).
        gravity: whether gravity counts.
        friction: whether the friction of the drives counts.

    Raises:
        UnreachableError: the pose is out of reach.
        ShapeError: more than one pose.
    """
    pose = reals("x", x)
    if pose.shape != (model.robot.dof,):
        raise ShapeError("x", pose.shape, f"({model.robot.dof},), one pose")
    view, number = view_of(model.robot, yaw, length)
    moving = xd is not None
    name = f"images_{view}_{'moving' if moving else 'resting'}"
    kernel = kernel_for(model, name, lambda robot, settings: _images(robot, settings, view, moving))
    given = constants(model, joint_torques(model, torque), gravity=gravity, friction=friction, number=number)
    center, *others = kernel(pose, given) if xd is None else kernel(pose, xd, given)
    if np.isnan(center).any():
        model.reach(pose).raise_if_unreachable()
    if len(others) == 2:
        points, inside = others
        return _hull(points[inside > 0], center)
    (generators,) = others
    return zonotope_polytope(generators, center, sliced=view == "slice")


def _images(robot: Robot, settings: Settings, view: str, moving: bool) -> Expression:
    """Centre and generators; with gears the centre, the corners as rows, and which of them lie in the section."""
    found = effort(robot, settings, moving=moving)
    section = section_of(found, view, settings.number)
    inputs = {"x": found.x} | ({"xd": found.xd} if moving else {})
    if section.gears is None:
        center, generators = images(section)
        return Expression(inputs, {"center": center, "generators": generators}, found.validity)
    free = free_acceleration(found)
    center = ca.vertcat(free[:3], free[3] * settings.number) if view == "scaled" else free[:3]
    points = list(corners(section, section.gears))
    rows, inside = (ca.vertcat(*parts) for parts in zip(*((point.y.T, point.inside) for point in points), strict=True))
    return Expression(inputs, {"center": center, "points": rows, "inside": inside}, found.validity)


def _hull(points: np.ndarray, center: np.ndarray) -> Polytope:
    """The hull of points (k, d) as a body."""
    from scipy.spatial import ConvexHull

    planes = ConvexHull(points).equations
    kept: list[np.ndarray] = []
    for plane in planes:
        if not any(np.abs(plane[:-1] - other[:-1]).max() < MERGED for other in kept):
            kept.append(plane)
    planes = np.array(kept)
    return _body(points, planes[:, :-1], -planes[:, -1], center, MERGED * float(np.ptp(points, axis=0).max()))


def zonotope_polytope(generators: ArrayLike, center: ArrayLike | None = None, *, sliced: bool = False) -> Polytope:
    """The zonotope `center + sum_k [-1, 1] g_k` as a body.

    Args:
        generators: g_k as columns (d, n), d = 3 or 4.
        center: its middle (d,); the origin if not given.
        sliced: only what has a last coordinate of zero, without that coordinate.
    """
    matrix = reals("generators", generators)
    if matrix.ndim != 2 or matrix.shape[0] not in (3, 4) or matrix.shape[1] < matrix.shape[0] - 1:
        raise ShapeError("generators", matrix.shape, "(d, n) with d = 3 or 4")
    middle = np.zeros(len(matrix)) if center is None else reals("center", center)
    if middle.shape != (len(matrix),):
        raise ShapeError("center", middle.shape, f"({len(matrix)},)")
    normals, supports = _half_spaces(matrix)
    supports = np.concatenate([supports + normals @ middle, supports - normals @ middle])
    normals = np.concatenate([normals, -normals])
    points = _corners(middle, matrix)
    if sliced:
        points, normals, middle = _cuts(middle, matrix), normals[:, :-1], middle[:-1]
        # A facet across the slice does not bound it.
        lengths = np.linalg.norm(normals, axis=1)
        kept = lengths > SLIVER
        normals, supports = normals[kept] / lengths[kept, None], supports[kept] / lengths[kept]
    size = max(float(np.abs(matrix).sum(axis=1).max()), np.finfo(float).tiny)
    return _body(points, normals, supports, middle, TOUCHING * size)


def _half_spaces(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Unit normals (f, d) and distances from the centre (f,) of one facet of every pair."""
    d, count = matrix.shape
    normals, supports = [], []
    for spanning in combinations(range(count), d - 1):
        chosen = matrix[:, list(spanning)]
        rows = [[k for k in range(d) if k != i] for i in range(d)]
        normal = np.array([(-1) ** i * np.linalg.det(chosen[keep]) for i, keep in enumerate(rows)])
        length = np.linalg.norm(normal)
        if length > SLIVER * np.prod(np.linalg.norm(chosen, axis=0)):
            unit = normal / length
            if not any(min(np.abs(unit - n).max(), np.abs(unit + n).max()) < TOUCHING for n in normals):
                normals.append(unit)
                supports.append(np.abs(unit @ matrix).sum())
    return np.array(normals).reshape(-1, d), np.array(supports)


def _corners(center: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    signs = np.array(list(product((-1.0, 1.0), repeat=matrix.shape[1]))).reshape(-1, matrix.shape[1])
    return center + signs @ matrix.T


def _cuts(center: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """Points (k, d - 1) where edges of the box of torques pass through the slice."""
    found = []
    for k in range(matrix.shape[1]):
        middles, edge = _corners(center, np.delete(matrix, k, axis=1)), matrix[:, k]
        if edge[-1] == 0:
            continue
        shares = -middles[:, -1] / edge[-1]
        inside = np.abs(shares) <= 1 + EDGE
        found.append((middles + shares[:, None] * edge)[inside, :-1])
    return np.concatenate(found) if found else np.empty((0, len(matrix) - 1))


def _body(points: np.ndarray, normals: np.ndarray, supports: np.ndarray, center: np.ndarray, near: float) -> Polytope:
    touching = np.abs(points @ normals.T - supports) <= near
    kept: list[int] = []
    for i, point in enumerate(points):
        new = all(np.abs(point - points[j]).max() > near for j in kept)
        if new and np.linalg.matrix_rank(normals[touching[i]], tol=SLIVER) == points.shape[1]:
            kept.append(i)
    vertices, touching = points[kept], touching[kept]
    faces = []
    for normal, on in zip(normals, touching.T, strict=True):
        members = np.flatnonzero(on)
        if len(members) >= points.shape[1]:
            faces.append(_around(vertices, members, normal) if points.shape[1] == 3 else tuple(map(int, members)))
    return Polytope(vertices, tuple(faces), center)


def _around(vertices: np.ndarray, members: np.ndarray, normal: np.ndarray) -> tuple[int, ...]:
    """Vertices of a face in order, counter-clockwise seen against its normal."""
    spokes = vertices[members] - vertices[members].mean(axis=0)
    first = spokes[np.argmax(np.linalg.norm(spokes, axis=1))]
    angles = np.arctan2(spokes @ np.cross(normal, first), spokes @ first)
    return tuple(int(member) for member in members[np.argsort(angles)])
