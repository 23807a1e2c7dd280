"""Bodies of vertices and faces, for drawing and for looking closely: the accelerations at one state, and any zonotope.

A body is the hull of the images of corners of the box of torques (in a section: of points of its edges). Its vertices
are those that touch facets of three independent directions; faces are the vertices that touch one facet, in order
around it. The two numbers of any zonotope are by the same facets as those of robots: for other machines and checks.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, Final, NamedTuple, final

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from parapick.arrays import reals
from parapick.capability.acceleration import (
    AccelerationOptions,
    acceleration,
    bounded_further,
    free_acceleration,
    inputs_of,
)
from parapick.capability.effort import Settings, effort
from parapick.capability.farthest_point import vertices_of
from parapick.capability.half_spaces import half_spaces
from parapick.capability.section import SLIVER, Section
from parapick.capability.views import section_of
from parapick.capability.zonotope import ball, ends_of, farthest
from parapick.errors import ParameterError, ShapeError
from parapick.formulas import ROOMS, Expression
from parapick.kernel import Kernel, Recipe, build, known
from parapick.mechanism import Robot
from parapick.motors import TorqueLimit

if TYPE_CHECKING:
    from parapick.model import Model

MERGED: Final = 1e-7
"""Two facets of a hull whose normals differ by less are one: a hull is made of simplices, each with its rounding. As a
share of the body's size, a point this near to a facet lies in it, and two points this near are one."""


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
        ParameterError: as of `acceleration`, or accelerations that have no volume, at a singularity.
        ShapeError: more than one pose.
    """
    pose = reals("x", x)
    if pose.shape != (model.robot.dof,):
        raise ShapeError("x", pose.shape, f"({model.robot.dof},), one pose")
    options = AccelerationOptions(torque, yaw, length, gravity, friction)
    if bounded_further(model):
        return _bounded_set(options, model, pose, xd)
    center, points, inside = options.outputs(model, "corners", _corners, pose, xd)
    if np.isnan(center).any():
        model.reach(pose).raise_if_unreachable()
    return _hull(points[inside > 0], center)


def _bounded_set(options: AccelerationOptions, model: Model, pose: np.ndarray, xd: ArrayLike | None) -> Polytope:
    """The body where the file limits more than torques, from its half-spaces."""
    spaces = half_spaces(model, pose, xd, **vars(options))
    center = acceleration(model, pose, xd, **vars(options)).center[: spaces.C.shape[-1]]
    if np.isnan(spaces.d).any():
        model.reach(pose).raise_if_unreachable()
    return _hull(vertices_of(spaces.C, spaces.d), center)


def _corners(robot: Robot, settings: Settings, view: str, moving: bool) -> Expression:
    """The centre, the points among which the vertices are as rows, and which of them lie in the section."""
    zonotope = effort(robot, settings, moving=moving)
    free = free_acceleration(zonotope)
    center = ca.vertcat(free[:3], free[3] * settings.number) if view == "scaled" else free[:3]
    inside, points = zip(*ends_of(section_of(zonotope, view, settings.number)), strict=True)
    outputs = {"center": center, "points": ca.horzcat(*points).T, "inside": ca.vertcat(*inside)}
    return Expression(inputs_of(zonotope), outputs, zonotope.validity)


def _hull(points: np.ndarray, center: np.ndarray) -> Polytope:
    """The hull of points (k, d) as a body."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        equations = ConvexHull(points).equations
    except (QhullError, ValueError):
        raise ParameterError("body", "is flat: it has no volume, so it has no faces") from None
    kept: list[np.ndarray] = []
    for plane in equations:
        if not any(np.abs(plane[:-1] - other[:-1]).max() < MERGED for other in kept):
            kept.append(plane)
    planes = np.array(kept)
    return _body(points, planes[:, :-1], -planes[:, -1], center)


def _body(points: np.ndarray, normals: np.ndarray, supports: np.ndarray, center: np.ndarray) -> Polytope:
    near = MERGED * float(np.ptp(points, axis=0).max())
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


class Zonotope(NamedTuple):
    """Two numbers of a batch of zonotopes.

    Attributes:
        min_max: radius of the largest ball about the origin (...); negative where the origin lies outside.
        max: distance of the farthest point from the origin (...).
    """

    min_max: np.ndarray
    max: np.ndarray


def zonotope_indices(generators: ArrayLike, center: ArrayLike | None = None) -> Zonotope:
    """Largest ball about the origin in the zonotopes `center + sum_k [-1, 1] g_k`, and their farthest points.

    Args:
        generators: g_k as columns (..., d, n), d = 3 or 4.
        center: their middles (..., d); the origin if not given.
    """
    matrix, middle = _checked(generators, center)
    d, n = matrix.shape[-2:]
    kernel = known(Recipe((*ROOMS, "parapick.capability"), "zonotope", (d, n)), lambda: _kernel(d, n))
    return Zonotope(*kernel(matrix.reshape(*matrix.shape[:-2], d * n), middle))


def _kernel(d: int, n: int) -> Kernel:
    flat, center = ca.SX.sym("generators", d * n), ca.SX.sym("center", d)
    section = Section(ca.reshape(flat, n, d).T, ca.SX.ones(n), -center, ca.SX.eye(d))
    outputs: dict[str, Any] = {"min_max": ball(section), "max": farthest(section)}
    return build("zonotope", {"generators": flat, "center": center}, None, outputs)


def zonotope_polytope(generators: ArrayLike, center: ArrayLike | None = None) -> Polytope:
    """The zonotope `center + sum_k [-1, 1] g_k` as a body.

    Args:
        generators: g_k as columns (d, n), d = 3 or 4.
        center: its middle (d,); the origin if not given.
    """
    matrix, middle = _checked(generators, center)
    if matrix.ndim != 2 or middle.shape != matrix.shape[:1]:
        raise ShapeError("generators", matrix.shape, f"(d, n) with d = 3 or 4, and a center (d,), not {middle.shape}")
    signs = np.array(list(product((-1.0, 1.0), repeat=matrix.shape[1])))
    return _hull(middle + signs @ matrix.T, middle)


def _checked(generators: ArrayLike, center: ArrayLike | None) -> tuple[np.ndarray, np.ndarray]:
    matrix = reals("generators", generators)
    if matrix.ndim < 2 or matrix.shape[-2] not in (3, 4) or matrix.shape[-1] < matrix.shape[-2] - 1:
        raise ShapeError("generators", matrix.shape, "(..., d, n) with d = 3 or 4 and at least d - 1 generators")
    return matrix, np.zeros(matrix.shape[-2]) if center is None else reals("center", center)
