"""Clearance: distances of segments against exact rational arithmetic, links of robots, choice of working modes."""

from __future__ import annotations

import dataclasses
import itertools
import math
from fractions import Fraction
from typing import Any

import casadi as ca
import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.optimize import lsq_linear

import parapick as pp
from parapick.formulas.link_distances import link_pairs, segment_distance_squared
from parapick.mechanism.legs import ArmRod
from poses import by_kind, workspace_poses

ROUNDING = 2e-15
"""Error (m) that rounding may leave in the distance of segments of about a metre."""


def _distance_function() -> ca.Function:
    ends = [ca.SX.sym(name, 3) for name in "pquv"]
    p, q, u, v = ends
    return ca.Function("distance", ends, [ca.sqrt(segment_distance_squared(p, q - p, u, v - u))])


DISTANCE = _distance_function()


def exact_distance(p: np.ndarray, q: np.ndarray, u: np.ndarray, v: np.ndarray) -> float:
    """Distance of two segments with ends p, q and u, v, in rational numbers until the last square root.

    The nearest points lie inside both segments, or one of them is an end.
    """
    P, Q, U, V = ([Fraction(float(c)) for c in point] for point in (p, q, u, v))

    def dot(a: list[Fraction], b: list[Fraction]) -> Fraction:
        return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))

    def minus(a: list[Fraction], b: list[Fraction]) -> list[Fraction]:
        return [x - y for x, y in zip(a, b, strict=True)]

    def to_point(point: list[Fraction], start: list[Fraction], end: list[Fraction]) -> Fraction:
        along, off = minus(end, start), minus(point, start)
        length = dot(along, along)
        s = min(max(dot(off, along) / length, Fraction(0)), Fraction(1)) if length else Fraction(0)
        rest = [o - s * a for o, a in zip(off, along, strict=True)]
        return dot(rest, rest)

    squares = [to_point(P, U, V), to_point(Q, U, V), to_point(U, P, Q), to_point(V, P, Q)]
    a, b, r = minus(Q, P), minus(V, U), minus(U, P)
    determinant = dot(a, a) * dot(b, b) - dot(a, b) ** 2
    if determinant:
        s = (dot(a, r) * dot(b, b) - dot(b, r) * dot(a, b)) / determinant
        t = (dot(a, r) * dot(a, b) - dot(b, r) * dot(a, a)) / determinant
        if 0 <= s <= 1 and 0 <= t <= 1:
            rest = [ri - s * ai + t * bi for ri, ai, bi in zip(r, a, b, strict=True)]
            squares.append(dot(rest, rest))
    return math.sqrt(min(squares))


GRID_POINT = st.tuples(*[st.integers(-2, 2)] * 3)


@given(GRID_POINT, GRID_POINT, GRID_POINT, GRID_POINT)
def test_segments_on_a_grid(p: tuple, q: tuple, u: tuple, v: tuple) -> None:
    """Few different coordinates: parallel, crossing, touching, collinear segments and single points abound."""
    ends = [np.array(point, dtype=float) for point in (p, q, u, v)]
    assert float(DISTANCE(*ends)) == pytest.approx(exact_distance(*ends), abs=10 * ROUNDING)


@pytest.mark.parametrize("angle", [1.0, 1e-3, 1e-6, 1e-8, 1e-10, 1e-13, 1e-16, 0.0])
@pytest.mark.parametrize("gap", [0.1, 1e-3, 0.0])
def test_nearly_parallel_segments(angle: float, gap: float) -> None:
    rng = np.random.default_rng(1)
    for _ in range(40):
        along, across, normal = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        p = rng.normal(size=3)
        q = p + along
        middle = p + rng.uniform(-0.3, 1.3) * along + gap * normal
        turned = math.cos(angle) * along + math.sin(angle) * across
        u, v = middle - rng.uniform(0, 1) * turned, middle + rng.uniform(0, 1) * turned
        assert float(DISTANCE(p, q, u, v)) == pytest.approx(exact_distance(p, q, u, v), abs=ROUNDING)


def test_random_segments_against_a_bounded_least_squares_solver() -> None:
    rng = np.random.default_rng(2)
    for _ in range(200):
        p, q, u, v = rng.normal(size=(4, 3))
        solved = lsq_linear(np.column_stack([q - p, u - v]), u - p, bounds=(0, 1), method="bvls", tol=1e-14)
        assert float(DISTANCE(p, q, u, v)) == pytest.approx(math.sqrt(2 * solved.cost), abs=1e-9)


def links(model: pp.Model, x: np.ndarray) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Ends of every link by name, from the joint angles."""
    q, points, found = model.inverse_kinematics(x), model.robot.points(ca.DM(x)), {}
    limb = model.robot.limb
    if limb.body == "carriage":
        return carriage_links(model, q, [np.array(ca.DM(point)).ravel() for point in points])
    for i, leg in enumerate(leg for leg in model.robot.legs() if isinstance(leg, ArmRod)):
        base, forward, up, plate = (np.array(ca.DM(v)).ravel() for v in (leg.base, leg.forward, leg.up, points[i]))
        phi = leg.zero + leg.sign * q[i]
        elbow = base + leg.arm * (math.cos(phi) * forward + math.sin(phi) * up)
        found[f"arm {i + 1}"] = base, elbow
        if limb.rods == 1:
            found[f"rod {i + 1}"] = elbow, plate
            continue
        assert isinstance(limb.rod_spacing, float)
        half = limb.rod_spacing / 2 * np.cross(forward, up)
        found[f"rod {i + 1}a"] = elbow + half, plate + half
        found[f"rod {i + 1}b"] = elbow - half, plate - half
    return found


def carriage_links(
    model: pp.Model, q: np.ndarray, points: list[np.ndarray]
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The same on vertical rails: a carriage is as wide as its pair of rods, along the tangent."""
    base: Any = model.robot.base
    half, found = model.robot.limb.rod_spacing / 2, {}
    for i, (angle, plate) in enumerate(zip(base.angles, points, strict=True), start=1):
        place = np.array([base.radius * math.cos(angle), base.radius * math.sin(angle), -q[i - 1]])
        side = half * np.array([-math.sin(angle), math.cos(angle), 0.0])
        found[f"carriage {i}"] = place - side, place + side
        found[f"rod {i}a"] = place - side, plate - side
        found[f"rod {i}b"] = place + side, plate + side
    return found


@pytest.mark.parametrize("name", by_kind())
def test_smallest_distance_is_that_of_all_links_one_by_one(name: str) -> None:
    model = pp.load(name)
    limb = model.robot.limb
    radius = {limb.body: limb.body_radius or 0.0, "rod": limb.rod_radius or 0.0}
    meeting = model.robot.plate.kind in ("point", "spindle")
    poses = workspace_poses(model, 3, seed=5)
    clearance = model.clearance(poses)
    for k, x in enumerate(poses):
        every = links(model, x)
        lines, surfaces = {"arm arm": [math.inf], "arm rod": [math.inf], "rod rod": [math.inf]}, {}
        for one, other in itertools.combinations(every, 2):
            bodies, legs = ([name.split()[k] for name in (one, other)] for k in (0, 1))
            kinds = " ".join(sorted("rod" if body == "rod" else "arm" for body in bodies))
            if legs[0][0] == legs[1][0] or (meeting and kinds == "rod rod"):
                continue
            distance = exact_distance(*every[one], *every[other])
            lines[kinds].append(distance)
            surfaces[f"{one} - {other}"] = distance - sum(radius[body] for body in bodies)
        assert set(surfaces) == set(clearance.pairs)
        assert clearance.distance[k] == pytest.approx(min(surfaces.values()), abs=1e-14)
        assert surfaces[clearance.closest((k,))] == pytest.approx(min(surfaces.values()), abs=1e-14)
        found = clearance.arms[k], clearance.arm_to_rod[k], clearance.rods[k]
        assert found == pytest.approx([min(values) for values in lines.values()], abs=1e-14)


@pytest.mark.parametrize(
    ("name", "count"), [("par4", 54), ("delta-nr", 27), ("delta-r6", 135), ("spara3", 9), ("fivebar-spindle", 3)]
)
def test_pairs_that_are_compared(name: str, count: int) -> None:
    """Two links of different legs; but not the rods of spara3 and of the five-bar, which meet in a point by design."""
    assert len(set(link_pairs(pp.load(name).robot))) == count


def test_rods_that_meet_in_a_point_do_not_collide() -> None:
    for name in ("spara3", "fivebar-spindle"):
        model = pp.load(name)
        clearance = model.clearance(model.robot.home)
        assert clearance.distance > 0.05
        assert clearance.rods == math.inf


def test_links_without_radius_are_lines_and_say_so() -> None:
    model = pp.load("par4")
    x = [0.1, 0.05, -0.7, 0.3]
    thick = model.clearance(x)
    bare = dataclasses.replace(model.robot.limb, arm_radius=None, rod_radius=None)
    thin = pp.Model(dataclasses.replace(model.robot, limb=bare)).clearance(x)
    assert thick.without_radius == ()
    assert thin.without_radius == ("arms", "rods")
    assert thin.distance == min(thin.arms, thin.arm_to_rod, thin.rods) == pytest.approx(thick.rods, abs=1e-15)
    assert model.robot.limb.rod_radius == 0.008
    assert thick.distance == pytest.approx(thin.distance - 0.016, abs=1e-15)


def test_a_pair_of_unknown_spacing_counts_as_one_rod() -> None:
    model = pp.load("delta-nr")
    robot = dataclasses.replace(model.robot, limb=dataclasses.replace(model.robot.limb, rod_spacing=None))
    assert "rod 1 - rod 2" in link_pairs(robot)
    assert len(link_pairs(robot)) == 12


def test_nan_where_a_leg_does_not_close() -> None:
    model = pp.load("par4")
    clearance = model.clearance([[0.0, 0.0, -0.7, 0.0], [2.0, 0.0, -0.7, 0.0]])
    for values in (clearance.distance, clearance.arms, clearance.arm_to_rod, clearance.rods, clearance.pair):
        np.testing.assert_array_equal(np.isnan(values), [False, True])
    assert clearance.closest((1,)) == ""


def test_thick_links_penetrate() -> None:
    model = pp.load("par4").with_parameters({"limb.rod_radius": 0.05})
    clearance = model.clearance(model.robot.home)
    assert clearance.distance < 0
    assert clearance.distance == pytest.approx(clearance.rods - 0.1, abs=1e-15)


@pytest.mark.parametrize("pose", [(0.0, 0.0, -0.5, 0.0), (0.0, 0.0, -0.55, 0.0), (0.05, -0.03, -0.55, 0.4)])
def test_wu2020_printed_mode_crosses_arms_2_and_3(pose: tuple[float, ...]) -> None:
    """Arms 2 and 3 turn in one plane, so where they cross they meet: their distance is 0, not 0.3 mm.

    Points sampled along both arms come as near as 0.3 mm at z = -0.55 m (papers/wu2020, erratum E11).
    """
    model = pp.load("asymmetric-screw").with_working_mode("--++")
    clearance = model.clearance(pose)
    assert clearance.arms < 1e-15
    assert "arm 2 - arm 3" in clearance.pairs
    if pose == (0.0, 0.0, -0.55, 0.0):
        along = np.linspace(0.0, 1.0, 301)[:, None]
        (p, q), (u, v) = (links(model, np.array(pose))[name] for name in ("arm 2", "arm 3"))
        sampled = np.linalg.norm((p + along * (q - p))[:, None] - (u + along * (v - u))[None], axis=-1).min()
        assert sampled == pytest.approx(0.3e-3, abs=0.02e-3)
