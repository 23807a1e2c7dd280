"""Zonotopes by facets against hulls, corners, linear programmes and pycapacity, on random matrices."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.spatial import ConvexHull

from parapick import capability as cap
from parapick.errors import ParameterError, ShapeError

SIZES = [(3, n) for n in range(3, 9)] + [(4, n) for n in (4, 5, 6)]
CASES = [(d, n, kind) for d, n in SIZES for kind in ("plain", "parallel", "zero")]


def matrices(d: int, n: int, kind: str, count: int = 5) -> np.ndarray:
    """Random generators (count, d, n); one column parallel to another one, or zero, where asked for."""
    drawn = np.random.default_rng([d, n, len(kind)]).normal(size=(count, d, n))
    if kind == "parallel":
        drawn[:, :, -1] = -1.7 * drawn[:, :, 0]
    if kind == "zero":
        drawn[:, :, 1] = 0.0
    return drawn


def corners(generators: np.ndarray) -> np.ndarray:
    n = generators.shape[1]
    return np.array(list(product((-1.0, 1.0), repeat=n))) @ generators.T


def flat(d: int, n: int, kind: str) -> bool:
    """Whether so few generators are left that the zonotope has no inside."""
    return kind != "plain" and n == d


@pytest.mark.parametrize(("d", "n", "kind"), CASES)
def test_ball_and_farthest_point_are_those_of_the_hull(d: int, n: int, kind: str) -> None:
    for generators in matrices(d, n, kind):
        points = corners(generators)
        center = 0.3 * generators @ np.random.default_rng(n).uniform(-1, 1, n)
        found = cap.zonotope_indices(generators, center)
        assert found.max == pytest.approx(np.linalg.norm(points + center, axis=1).max(), rel=1e-12)
        if flat(d, n, kind):
            # The centre lies in the flat body here, so the ball has no radius but for rounding.
            assert found.min_max == pytest.approx(0.0, abs=1e-12)
        else:
            distances = -ConvexHull(points + center).equations[:, -1]
            assert found.min_max == pytest.approx(distances.min(), rel=1e-12)


@pytest.mark.parametrize(("d", "n"), [(3, 3), (3, 4), (3, 6), (3, 8), (4, 4), (4, 6)])
def test_the_ball_is_what_every_direction_allows(d: int, n: int) -> None:
    """Without any hull: a linear programme a direction; none is shorter than the radius, and one is as short."""
    (generators,) = matrices(d, n, "plain", 1)
    center = np.full(d, 0.1)
    radius = float(cap.zonotope_indices(generators, center).min_max)
    rows = cap.zonotope_polytope(generators, center)
    normals = np.random.default_rng(1).normal(size=(20, d))
    nearest = min(
        (np.mean(rows.vertices[list(face)], axis=0) for face in rows.faces),
        key=lambda middle: reach(generators, center, middle),
    )
    for direction in (*normals, nearest):
        assert reach(generators, center, direction) >= radius - 1e-9
    # The facet that is nearest touches the ball: along its own normal the zonotope ends there.
    equations = ConvexHull(corners(generators) + center).equations
    normal = equations[np.argmax(equations[:, -1]), :-1]
    assert radius == pytest.approx(np.abs(normal @ generators).sum() + normal @ center, rel=1e-12)


def reach(generators: np.ndarray, center: np.ndarray, direction: np.ndarray) -> float:
    """Largest t with t e in the zonotope, e the unit vector of a direction, by a linear programme."""
    n, unit = generators.shape[1], direction / np.linalg.norm(direction)
    answer = linprog(
        np.append(np.zeros(n), -1.0),
        A_eq=np.column_stack([generators, -unit]),
        b_eq=-center,
        bounds=[(-1, 1)] * n + [(None, None)],
        method="highs",
    )
    return answer.x[-1]


@pytest.mark.parametrize("n", range(3, 9))
def test_pycapacity_gives_the_same(n: int) -> None:
    robot = pytest.importorskip("pycapacity.robot")
    (generators,) = matrices(3, n, "plain", 1)
    limit = np.random.default_rng(n).uniform(0.5, 2.0, n)
    body = robot.acceleration_polytope(generators, np.eye(n), limit, -limit)
    found = cap.zonotope_indices(generators * limit)
    distances = np.ravel(body.d) / np.linalg.norm(body.H, axis=1)
    assert found.min_max == pytest.approx(distances.min(), rel=1e-12)
    assert found.max == pytest.approx(np.linalg.norm(body.vertices, axis=0).max(), rel=1e-9)


def test_an_origin_outside_is_as_far_away_as_the_facet_says() -> None:
    cube = np.eye(3)
    assert cap.zonotope_indices(cube, [3.0, 0.0, 0.0]).min_max == pytest.approx(-2.0, rel=1e-15)
    assert cap.zonotope_indices(cube, [0.25, 0.0, 0.0]).min_max == pytest.approx(0.75, rel=1e-15)


def test_generators_all_parallel_span_nothing() -> None:
    line = np.outer([1.0, 2.0, -1.0], [1.0, 2.0, 0.5, -3.0])
    found = cap.zonotope_indices(line)
    assert found.min_max == 0.0
    assert found.max == pytest.approx(6.5 * np.sqrt(6.0), rel=1e-14)


def test_a_batch_equals_a_loop() -> None:
    batch = matrices(3, 5, "plain", 7)
    whole = cap.zonotope_indices(batch)
    for generators, radius, far in zip(batch, *whole, strict=True):
        assert cap.zonotope_indices(generators) == (radius, far)


@pytest.mark.parametrize("shape", [(3,), (2, 4), (3, 1), (5, 6)])
def test_a_matrix_that_spans_no_zonotope_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ShapeError, match="generators"):
        cap.zonotope_indices(np.ones(shape))


@pytest.mark.parametrize(("d", "n", "kind"), [case for case in CASES if not flat(*case) and case[1] <= 6])
def test_vertices_reach_as_far_as_the_zonotope_in_every_direction(d: int, n: int, kind: str) -> None:
    """By the support function `sum_k |u . g_k|`, without any hull; and every vertex is a corner that is needed."""
    for generators in matrices(d, n, kind, 2):
        vertices = cap.zonotope_polytope(generators).vertices
        gaps = np.linalg.norm(vertices[:, None] - corners(generators)[None], axis=-1)
        assert gaps.min(axis=1).max() < 1e-12
        directions = np.random.default_rng(n).normal(size=(200, d))
        np.testing.assert_allclose((directions @ vertices.T).max(axis=1), np.abs(directions @ generators).sum(axis=1))
        for own in np.eye(len(vertices), dtype=bool):
            # A vertex is no mean of the others: some direction has it alone as its farthest point.
            others = vertices[~own]
            sides = np.column_stack([others - vertices[own], np.ones(len(others))])
            lp = linprog(
                np.append(np.zeros(d), -1.0), A_ub=sides, b_ub=np.zeros(len(others)), bounds=[(-1, 1)] * (d + 1)
            )
            assert lp.x[-1] > 1e-6


@pytest.mark.parametrize("n", range(3, 9))
def test_faces_close_the_body(n: int) -> None:
    """Euler: V - E + F = 2; n generators in general position have n (n - 1) faces, all counter-clockwise outside."""
    (generators,) = matrices(3, n, "plain", 1)
    body = cap.zonotope_polytope(generators, [0.5, 0.0, 0.0])
    edges = {frozenset(pair) for face in body.faces for pair in zip(face, (*face[1:], face[0]), strict=True)}
    assert len(body.vertices) - len(edges) + len(body.faces) == 2
    assert len(body.faces) == n * (n - 1)
    for face in body.faces:
        points = body.vertices[list(face)]
        normal = np.cross(points[1] - points[0], points[2] - points[1])
        assert normal @ (points[0] - body.center) > 0


def test_generators_in_one_plane_share_a_face() -> None:
    body = cap.zonotope_polytope(np.array([[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]))
    assert sorted(len(face) for face in body.faces) == [4, 4, 4, 4, 4, 4, 6, 6]


def test_a_flat_body_is_refused() -> None:
    with pytest.raises(ParameterError, match="no volume"):
        cap.zonotope_polytope(np.outer([1.0, 2.0, -1.0], [1.0, 2.0, 0.5]))
