"""corbel2010: each erratum of its kinematics, printed form beside corrected form, against the loop and the model.

The formulas are those of the document, in its own letters; the model's come from the closure of a leg.
"""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp
from parapick.papers.corbel2010.formulas import (
    ARM,
    R_B,
    R_TP,
    ROBOTS,
    ROD,
    angle,
    cylinder,
    elbow,
    jacobian_rate,
    near_straight_down,
    plate_points,
    printed_angle,
    rod_error,
    rod_error_of_angle,
    turned,
)

# Loops close to rounding; a thousand times that still tells every misprint apart.
CLOSED = 1e-12

every_robot = pytest.mark.parametrize("name", ROBOTS)


@every_robot
def test_corrected_inverse_kinematics_closes_and_is_the_model(name: str) -> None:
    x = cylinder(-0.95, -0.65)
    B = plate_points(x, ROBOTS[name])
    d, h = elbow(B)
    q = angle(d, h)
    assert np.abs(np.hypot(d - R_B, h) - ARM).max() < CLOSED
    assert np.abs(rod_error_of_angle(B, q)).max() < CLOSED
    np.testing.assert_allclose(pp.load(name).inverse_kinematics(x), q, rtol=0, atol=CLOSED)


def test_e1_arcsine_of_9_loses_digits_and_jumps_at_90_degrees() -> None:
    x, q = near_straight_down()
    B = plate_points(x, 4)
    d, h = elbow(B)
    corrected, printed = angle(d, h), printed_angle(d, h)

    assert np.abs(corrected[:, 0] - q).max() < CLOSED
    assert np.abs(rod_error_of_angle(B, corrected)).max() < CLOSED
    modelled = pp.load("delta-r4").inverse_kinematics(x)
    np.testing.assert_allclose(modelled, corrected, rtol=0, atol=CLOSED)

    lost = np.isnan(printed[:, 0])
    error = turned(printed[:, 0], q)
    assert 0 < lost.sum() < len(x) / 2
    assert 1e-8 < np.nanmax(error) < 1e-7
    assert np.nanmax(np.abs(rod_error_of_angle(B, printed)[:, 0])) > 1000 * CLOSED
    # Just past straight down the second branch answers q + 2 pi.
    past = (q < -np.pi / 2 - 1e-6) & ~lost
    np.testing.assert_allclose(printed[past, 0] - q[past], 2 * np.pi, atol=1e-6)


@every_robot
def test_e2_frame_of_10_to_16_is_the_base_frame(name: str) -> None:
    x = cylinder(-0.95, -0.70)
    B = plate_points(x, ROBOTS[name])
    d, h = elbow(B, origin=R_B)
    error = np.abs(rod_error(B, d, h))
    unsolved = np.isnan(error).mean()
    assert 0.09 < np.nanmin(error) < 0.13
    assert 0.28 < np.nanmax(error) < 0.30
    assert 0.1 < unsolved < 0.3
    assert np.nanmin(turned(angle(d, h), pp.load(name).inverse_kinematics(x))) > 0.4


@every_robot
def test_e3_printed_13_opens_the_loop_on_the_inner_side(name: str) -> None:
    model = pp.load(name)
    deep = cylinder(-0.95, -0.95, levels=1)
    B = plate_points(deep, ROBOTS[name])
    error = np.abs(rod_error(B, *elbow(B, b_power=1)))
    assert 0.015 < error.min() < 0.025
    assert 0.060 < error.max() < 0.070

    x = cylinder(-0.95, -0.65)
    B = plate_points(x, ROBOTS[name])
    d, h = elbow(B, b_power=1)
    assert (d < R_B).all()
    for q in (angle(d, h), printed_angle(d, h)):
        assert np.nanmin(turned(q, model.inverse_kinematics(x))) > 1.0


def test_e3_where_printed_13_does_close_it_is_the_inner_working_mode() -> None:
    """With r_b = l, a plate point at the distance L from O_b makes d = h = 0 a root of the printed form as well."""
    x = np.array([0.0, 0.0, -np.sqrt(ROD**2 - R_TP**2)])
    B = plate_points(x, 4)
    d, h = elbow(B, b_power=1)
    assert np.abs(rod_error(B, d, h)).max() < CLOSED
    model = pp.load("delta-r4")
    assert turned(angle(d, h), model.with_working_mode("inward").inverse_kinematics(x)).max() < CLOSED
    assert turned(angle(d, h), model.inverse_kinematics(x)).min() > 2.0


@every_robot
def test_e4_first_term_of_30_is_negative(name: str) -> None:
    model, n = pp.load(name), ROBOTS[name]
    x = cylinder(-0.75, -0.65, levels=3)
    rng = np.random.default_rng(30)
    worst = np.zeros(len(x))
    # The error depends on the direction of motion: 60 directions a pose find its worst within a few per cent.
    for xd in rng.normal(size=(60, *x.shape)):
        corrected, printed = jacobian_rate(x, xd, n, -1.0), jacobian_rate(x, xd, n, +1.0)
        rate = model.inverse_jacobian_rate(x, xd)
        scale = np.linalg.norm(rate, axis=(1, 2))
        assert (np.linalg.norm(corrected - rate, axis=(1, 2)) / scale).max() < 1e-11
        worst = np.maximum(worst, np.linalg.norm(printed - rate, axis=(1, 2)) / scale)
    assert worst.min() > 1.1
    assert 1.5 < np.median(worst) < worst.max() < 2.0


@every_robot
def test_e4_corrected_30_is_the_derivative_of_22(name: str) -> None:
    model, n = pp.load(name), ROBOTS[name]
    x = cylinder(-0.75, -0.65, levels=3)
    xd = np.random.default_rng(22).normal(size=x.shape)
    step = 1e-6
    difference = (model.inverse_jacobian(x + step * xd) - model.inverse_jacobian(x - step * xd)) / (2 * step)
    # Central differences of a Jacobian of size 1 with step 1e-6 err by about 1e-9.
    np.testing.assert_allclose(jacobian_rate(x, xd, n, -1.0), difference, rtol=0, atol=1e-8)


# Table VI: torque (N m) by (r_b, l, L) in mm; designs without a number are the dashes.
TABLE_VI = {
    (r_b, arm, rod): torque
    for r_b, rows in {
        120: ((124, 133, 142), (134, 143, 152), (143, 152, 162)),
        160: ((None, None, 129), (124, 132, 140), (133, 141, 149)),
        200: ((None, None, None), (None, None, 131), (None, 133, 141)),
    }.items()
    for arm, row in zip((200, 225, 250), rows, strict=True)
    for rod, torque in zip((500, 550, 600), row, strict=True)
}


def steps(position: int) -> list[int]:
    """Changes of torque between designs of Table VI that differ in one parameter only, towards its larger value."""
    return [
        after - before
        for small, before in TABLE_VI.items()
        for large, after in TABLE_VI.items()
        if before is not None and after is not None and small[position] < large[position]
        if all(small[k] == large[k] for k in range(3) if k != position)
    ]


def test_e12_a_larger_base_lowers_the_torques_of_table_vi() -> None:
    base, arm, rod = steps(0), steps(1), steps(2)
    assert (len(base), len(arm), len(rod)) == (13, 15, 16)
    assert max(base) < 0
    assert min(arm) > 0
    assert min(rod) > 0


def test_e10_every_dash_of_table_vi_is_a_joint_range() -> None:
    """Loops alone close for all 27 designs at some altitude; with q in [-90, 25] deg the dashes come out."""
    reachable, in_range = set(), set()
    for design in TABLE_VI:
        r_b, arm, rod = (number / 1000 for number in design)
        numbers = {"base.radius": r_b, "limb.arm": arm, "limb.rod_length": rod, "plate.radius": 0.05, "home.3": -0.45}
        model = pp.load("delta-r4").with_parameters(numbers)
        for bottom in np.arange(-0.75, -0.30, 0.01):
            q = np.degrees(model.inverse_kinematics(cylinder(bottom, bottom + 0.1)))
            if not np.isnan(q).any():
                reachable.add(design)
                if q.min() >= -90 and q.max() <= 25:
                    in_range.add(design)
    assert reachable == set(TABLE_VI)
    assert in_range == {design for design, torque in TABLE_VI.items() if torque is not None}
