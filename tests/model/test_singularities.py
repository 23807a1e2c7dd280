"""Where the shipped robots are singular: printed ranges of margins, closed forms, exact poses, usable areas."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy import ndimage
from scipy.optimize import brentq, least_squares

import parapick as pp
from parapick.mechanism import Limits

Range = tuple[float, float]

PRINT = 1.2e-3
"""Ranges are printed to three decimals, from another grid of poses."""


def zero_of(function: Callable[[float], float], low: float, high: float) -> float:
    """Root of a function between two bounds."""
    found: Any = brentq(function, low, high, xtol=1e-15)
    return found


def cylinder(radius: float, yaw: float = np.pi / 4) -> np.ndarray:
    """Poses (10800, 4) of the cylinder z in [-0.75, -0.65] m, rim and axis included."""
    axes = (
        np.linspace(0.0, radius, 5),
        np.linspace(0.0, 2 * np.pi, 48, endpoint=False),
        np.linspace(-0.75, -0.65, 5),
        np.linspace(-yaw, yaw, 9),
    )
    r, azimuth, z, yaws = (axis.ravel() for axis in np.meshgrid(*axes, indexing="ij"))
    return np.stack([r * np.cos(azimuth), r * np.sin(azimuth), z, yaws], axis=-1)


def matrices(model: pp.Model, x: np.ndarray) -> tuple[np.ndarray, ...]:
    """J_q (its diagonal), J_x and, with rod pairs, J_int."""
    return tuple(model.kernel("constraint_matrices")(np.asarray(x, dtype=float), model.parameters))


def with_carried(model: pp.Model, *carried: int) -> pp.Model:
    """The same robot with other legs on the carried part of its plate, and no limits."""
    plate: Any = model.robot.plate
    plate = dataclasses.replace(plate, carried=carried)
    return pp.Model(dataclasses.replace(model.robot, plate=plate, limits=Limits()))


def unit_rods(model: pp.Model, x: np.ndarray) -> np.ndarray:
    """Directions of the rods (..., legs, 3): what J_x makes of the translations."""
    return matrices(model, x)[1][..., :3]


def minors(J_int: np.ndarray) -> np.ndarray:
    """D_ijk of nabat2005 (16), normalised (..., 4)."""
    return np.stack([np.linalg.det(J_int[..., rows, :]) for rows in map(list, combinations(range(4), 3))], axis=-1)


# nabat2005 section III, computed independently: ranges of the under-mobility, over-mobility and internal margins.
RANGES = {
    "par4-300": ("par4", 0.3, (0.795, 0.969), (0.234, 0.453), (0.808, 1.020)),
    "h4-90-300": ("h4-90", 0.3, (0.795, 0.969), (0.234, 0.453), (0.000, 0.385)),
    "h4-200": ("h4", 0.2, (0.795, 0.970), (0.140, 0.515), (0.335, 0.541)),
    "h4-90-200": ("h4-90", 0.2, (0.796, 0.969), (0.262, 0.453), (0.000, 0.291)),
    "par4-200": ("par4", 0.2, (0.796, 0.969), (0.262, 0.453), (0.865, 1.020)),
}


@pytest.mark.parametrize(("name", "radius", "under", "over", "internal"), RANGES.values(), ids=RANGES)
def test_nabat2005_ranges_of_the_margins(name: str, radius: float, under: Range, over: Range, internal: Range) -> None:
    margins = pp.load(name).margins(cylinder(radius))
    for found, printed in zip(margins, (under, over, internal), strict=True):
        assert (found.min(), found.max()) == pytest.approx(printed, abs=PRINT)


def test_par4_is_internally_regular_on_its_cylinder() -> None:
    par4 = pp.load("par4")
    x = cylinder(0.3)
    J_int = matrices(par4, x)[2]
    assert J_int.shape == (len(x), 4, 3)
    assert np.all(np.linalg.matrix_rank(J_int, tol=0.80) == 3)
    assert np.abs(minors(J_int)).max(axis=-1).min() == pytest.approx(0.681, abs=PRINT)
    golden = minors(matrices(par4, np.array([0.1, -0.05, -0.7, 0.3]))[2])
    np.testing.assert_allclose(np.abs(golden), [0.6139, 0.7035, 0.7788, 0.6604], rtol=0, atol=6e-5)


def test_par4_over_mobility_limits_its_yaw() -> None:
    x = np.zeros((5, 4))
    x[:, 2], x[:, 3] = -0.7, np.radians([0, 30, 45, 60, 90])
    found = pp.load("par4").margins(x).over
    np.testing.assert_allclose(found, [0.441, 0.379, 0.307, 0.216, 0.009], rtol=0, atol=6e-4)


@pytest.mark.parametrize("name", ["par4", "h4-90"])
def test_opposite_legs_on_one_half_plate_are_over_mobile(name: str) -> None:
    opposite = with_carried(pp.load(name), 1, 0, 1, 0)
    margins = opposite.margins(opposite.robot.home)
    assert margins.over < 1e-12
    assert margins.internal == pytest.approx(0.991, abs=6e-4)


def test_neighbouring_legs_on_one_sub_platform_of_heli4_are_over_mobile() -> None:
    """The plate goes sideways, its halves rise and fall: nothing turns a motor. Opposite legs hold it."""
    heli4 = pp.load("heli4")
    neighbours = with_carried(heli4, 1, 1, 0, 0)
    home = np.array(heli4.robot.home)
    assert heli4.margins(home).over > 0.55
    assert neighbours.margins(home).over < 1e-12
    free = np.linalg.svd(matrices(neighbours, home)[1])[2][-1]
    assert np.abs(free[0]) < 1e-12
    assert np.abs(free[1:]).min() > 0.2
    rate = free / np.array([1.0, 1.0, 1.0, neighbours.robot.plate.yaw_length])
    assert np.abs(neighbours.joint_rates(home, rate)).max() < 1e-11


def test_coupling_of_the_half_plates_is_what_par4_has_over_h4() -> None:
    """The same motors and the same map; adding H4's two columns of bar yaw gives Par4's one."""
    x = np.array([0.1, -0.05, -0.7, 0.3])
    par4, h4 = (matrices(pp.load(name), x)[2] for name in ("par4", "h4-90"))
    assert (par4.shape, h4.shape) == ((4, 3), (4, 4))
    np.testing.assert_allclose(h4[:, :2], par4[:, :2], rtol=0, atol=1e-15)
    np.testing.assert_allclose(h4[:, 2] + h4[:, 3], par4[:, 2], rtol=0, atol=1e-15)


def test_screw_plate_of_the_asymmetric_robot_needs_opposite_limbs_too() -> None:
    model = pp.load("asymmetric-screw")
    neighbours = with_carried(model, 1, 1, 0, 0)
    assert model.margins(model.robot.home).over > 0.5
    assert neighbours.margins(model.robot.home).over < 1e-12


def closed_form(model: pp.Model, x: np.ndarray) -> np.ndarray:
    """det J_int of H4 from its rods: s1z s2z s3z s4z (w12 x w34)_z, w_ab = t_b u_a - t_a u_b, t = s.u / s_z."""
    angles = np.array(model.robot.base.angles)
    u = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    s = unit_rods(model, x)
    t = np.sum(s[..., :2] * u, axis=-1) / s[..., 2]
    first = t[..., 1:2] * u[0] - t[..., 0:1] * u[1]
    second = t[..., 3:4] * u[2] - t[..., 2:3] * u[3]
    return np.prod(s[..., 2], axis=-1) * (first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0])


@pytest.mark.parametrize("name", ["h4", "h4-90"])
def test_h4_determinant_has_its_closed_form(name: str) -> None:
    model = pp.load(name)
    x = cylinder(0.3)
    determinant = np.linalg.det(matrices(model, x)[2])
    assert np.ptp(determinant) > 0.1
    np.testing.assert_allclose(determinant, closed_form(model, x), rtol=0, atol=1e-12)


def test_h4_with_motors_at_90_degrees_is_singular_inside() -> None:
    model = pp.load("h4-90")
    determinant = np.linalg.det(matrices(model, cylinder(0.3))[2])
    assert (determinant.min(), determinant.max()) == pytest.approx((-0.454, 0.454), abs=PRINT)
    y, z = np.meshgrid(np.linspace(-0.3, 0.3, 31), np.linspace(-0.75, -0.65, 11))
    plane = np.stack([0 * y, y, z, 0 * y], axis=-1)
    assert np.abs(np.linalg.det(matrices(model, plane)[2])).max() < 1e-14
    assert model.margins(plane).internal.max() < 1e-13


def test_singular_surface_of_h4_cuts_every_line_along_x() -> None:
    model = pp.load("h4-90")

    def determinant(x: float, rest: np.ndarray) -> float:
        return float(np.linalg.det(matrices(model, np.array([x, *rest]))[2]))

    places = np.meshgrid(np.linspace(-0.3, 0.3, 7), [-0.75, -0.7, -0.65], np.linspace(-np.pi / 4, np.pi / 4, 7))
    lines = np.stack(places, axis=-1).reshape(-1, 3)
    roots = [zero_of(partial(determinant, rest=line), -0.1, 0.1) for line in lines]
    assert len(roots) == 147
    assert np.max(np.abs(roots)) == pytest.approx(0.049, abs=6e-4)


def test_bars_of_h4_twist_against_each_other_in_its_singularity() -> None:
    model = pp.load("h4-90")
    twist = np.linalg.svd(matrices(model, np.array(model.robot.home))[2])[2][-1]
    expected = np.array([0.0, 0.714, -0.495, 0.495])
    np.testing.assert_allclose(twist * np.sign(twist[1]), expected, rtol=0, atol=6e-4)


def test_exact_internal_singularity_of_par4() -> None:
    """Beyond its cylinder: forearms 1 and 3 horizontal, all four minors zero, J_x regular (nabat2005, erratum E10).

    Two conditions on four coordinates make a surface; x and yaw are held at the printed digits.
    """
    par4 = pp.load("par4")

    def residual(place: np.ndarray) -> np.ndarray:
        return minors(matrices(par4, np.array([-0.523, *place, 0.602]))[2])

    solution = least_squares(residual, [0.518, -0.344], xtol=1e-15, ftol=1e-15, gtol=1e-15)
    x = np.array([-0.523, *solution.x, 0.602])
    np.testing.assert_allclose(x, [-0.523, 0.518, -0.344, 0.602], rtol=0, atol=6e-4)
    np.testing.assert_allclose(x[1:3], [0.517756789037, -0.343446008990], rtol=0, atol=1e-11)
    margins = par4.margins(x)
    assert margins.internal < 1e-11
    assert margins.over == pytest.approx(0.186, abs=6e-4)
    assert np.abs(unit_rods(par4, x)[[0, 2], 2]).max() < 1e-11


def spara_box() -> np.ndarray:
    axes = np.linspace(0.55, 1.05, 11), np.linspace(-0.5, 0.5, 21), np.linspace(0.0, 0.3, 7)
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)


def test_spara_over_its_box() -> None:
    spara3 = pp.load("spara3")
    x = spara_box()
    assert len(x) == 1617
    assert spara3.reach(x).ok.all()
    margins = spara3.margins(x)
    assert margins.under.min() == pytest.approx(0.667, abs=6e-4)
    assert margins.over.min() == pytest.approx(0.511, abs=6e-4)
    determinant = np.linalg.det(matrices(spara3, x)[1])
    assert (determinant.min(), determinant.max()) == pytest.approx((-1.000, -0.698), abs=6e-4)
    fastest = 3.5 * np.linalg.norm(spara3.inverse_jacobian(x), axis=-1).max()
    assert fastest == pytest.approx(8.08, abs=6e-3)
    assert 10.0 / fastest * 3.5 == pytest.approx(4.33, abs=6e-3)


def test_spara_type_2_singularity_is_not_eliminated() -> None:
    spara3 = pp.load("spara3")

    def determinant(x: float) -> float:
        return float(np.linalg.det(matrices(spara3, np.array([x, 0.0, 0.3725]))[1]))

    x = zero_of(determinant, 0.15, 0.3)
    assert x == pytest.approx(0.2188, abs=6e-5)
    pose = np.array([x, 0.0, 0.3725])
    margins = spara3.margins(pose)
    assert margins.over < 1e-12
    assert margins.under == pytest.approx(0.30, abs=6e-3)
    free = np.linalg.svd(matrices(spara3, pose)[1])[2][-1]
    assert np.abs(free[0]) > 0.999
    # The two assembly modes merge here: beside it they lie on either side, at the same joint angles.
    step = np.array([0.01, 0.0, 0.0])
    beside = pose + step
    other = spara3.forward_kinematics(spara3.inverse_kinematics(beside), guess=pose - step)
    assert 0.01 < np.linalg.norm(other - beside) < 0.04


def sines(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of the five-bar at places of the plane: the smaller sine of type 1, and the signed sine of type 2."""
    fivebar = pp.load("fivebar-spindle")
    J_q, J_x = matrices(fivebar, np.stack([x, y, 0 * x, 0 * x], axis=-1))[:2]
    first, second = J_x[..., 0, :2], J_x[..., 1, :2]
    return np.abs(J_q).min(axis=-1), first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0]


def test_fivebar_limits_on_its_axis() -> None:
    zero = np.zeros(())
    second = zero_of(lambda y: float(sines(zero, np.asarray(y))[1]), 0.15, 0.30)
    assert second == pytest.approx(0.19209, abs=6e-6)
    far = np.sqrt((0.25 + 0.25) ** 2 - 0.09**2)
    assert far == pytest.approx(0.492, abs=6e-4)
    fivebar = pp.load("fivebar-spindle")
    assert fivebar.reach([0.0, far - 1e-9, 0.0, 0.0]).closes
    assert not fivebar.reach([0.0, far + 1e-9, 0.0, 0.0]).closes
    assert fivebar.margins([0.0, far - 1e-9, 0.0, 0.0]).under < 1e-3
    assert fivebar.margins([0.0, second, 0.0, 0.0]).over < 1e-9


def test_fivebar_usable_areas() -> None:
    side = 0.002
    axis = np.arange(-0.6, 0.6 + side / 2, side)
    x, y = np.meshgrid(axis, axis, indexing="ij")
    first, second = sines(x, y)
    home = (np.searchsorted(axis, 0.0 - side / 2), np.searchsorted(axis, 0.33 - side / 2))
    labels: Any = ndimage.label(second * np.sign(second[home]) > 0)
    free = labels[0] == labels[0][home]
    usable = free & (first > 0.35) & (np.abs(second) > 0.35)
    areas = [np.count_nonzero(region) * side**2 for region in (free, usable, usable & (y > 0.1))]
    assert areas == pytest.approx([0.560, 0.483, 0.176], abs=1e-3)


def test_fivebar_workspace_is_a_usable_rectangle() -> None:
    """As its file says: both transmission sines are above 0.26."""
    region: Any = pp.load("fivebar-spindle").robot.workspace
    x, y = np.meshgrid(np.linspace(region.x_min, region.x_max, 67), np.linspace(region.y_min, region.y_max, 53))
    first, second = sines(x, y)
    assert 0.26 < min(first.min(), second.min()) < 0.28
