"""wu2020: its geometry in NumPy, printed form beside corrected form, against the loops."""

from __future__ import annotations

import numpy as np
import pytest

from parapick.papers.setup import Setup
from parapick.papers.stated_number import Undetermined
from parapick.papers.wu2020.formulas import (
    ALPHA,
    ARM,
    ARM_MASS,
    AXIS,
    BASE,
    GRAVITY,
    HOME,
    OUTWARD,
    POSE,
    PRINTED_MODE,
    ROD_MASS,
    UPPER,
    H,
    angles,
    arm_vectors,
    closest,
    platform_points,
    rod_errors,
    solved,
)
from parapick.papers.wu2020.numbers import FLAT, FREE, PLANTS, gains, joint_cost, steepness

CLOSED = 1e-12


def test_home() -> None:
    theta = solved(HOME)
    np.testing.assert_allclose(np.degrees(theta), [105.87, 74.13, -74.13, -105.87], atol=0.005)
    assert rod_errors(HOME, BASE + arm_vectors(theta)).max() < CLOSED


def test_e2_elbow_of_1b_is_an_offset_from_the_base() -> None:
    assert rod_errors(POSE, BASE + arm_vectors(solved(POSE))).max() < CLOSED
    np.testing.assert_allclose(rod_errors(HOME, arm_vectors(solved(HOME))), 0.0907, atol=5e-5)


def test_e4_printed_j_of_4_opens_the_loops() -> None:
    for signs in (OUTWARD, -OUTWARD, PRINTED_MODE, -PRINTED_MODE):
        assert rod_errors(POSE, BASE + arm_vectors(solved(POSE, signs))).max() < CLOSED
        assert rod_errors(HOME, BASE + arm_vectors(angles(HOME, signs, AXIS))).min() > 0.011
    every = [rod_errors(HOME, BASE + arm_vectors(angles(HOME, s * np.ones(4), AXIS))) for s in (1, -1)]
    assert (np.min(every), np.max(every)) == pytest.approx((0.0120, 0.1980), abs=5e-5)


def test_e6_both_sub_platforms_keep_the_yaw_rate() -> None:
    d = platform_points(POSE) - BASE - arm_vectors(solved(POSE))
    J_l = np.column_stack([d, UPPER * H * d[:, 2]])
    J_u = np.column_stack([d, -(1 - UPPER) * H * d[:, 2]])
    rate = np.array([1.0, 1.0, 1.0, 10.0])
    H_u = np.eye(4)
    H_u[2, 3] = H
    np.testing.assert_allclose(J_u @ H_u @ rate, J_l @ rate, rtol=0, atol=CLOSED)
    printed_u, printed_l = H_u.copy(), np.diag([1.0, 1.0, 1.0, 0.0])
    printed_u[3, 3] = 0.0
    assert np.abs(J_u @ printed_u @ rate - J_l @ rate).max() == pytest.approx(0.0154, abs=5e-5)
    assert np.abs(J_l @ printed_l @ rate - J_l @ rate).max() == pytest.approx(0.0148, abs=5e-5)


def test_e7_arm_gravity_is_a_derivative_of_height() -> None:
    weight = (ARM_MASS / 2 + ROD_MASS) * GRAVITY
    theta, step = solved(HOME), 1e-6

    def potential(t: np.ndarray) -> np.ndarray:
        return weight * arm_vectors(t)[:, 2]

    torque = -(potential(theta + step) - potential(theta - step)) / (2 * step)
    corrected = -weight * ARM * np.sin(ALPHA) * np.sin(theta)
    np.testing.assert_allclose(corrected, torque, rtol=1e-8)
    np.testing.assert_allclose(corrected, [1.573, -1.573, 1.573, -1.573], atol=5e-4)
    np.testing.assert_allclose(-weight * ARM * np.sin(ALPHA) * np.cos(theta), -0.447, atol=5e-4)


def test_e11_printed_working_mode_crosses_arms() -> None:
    assert closest(PRINTED_MODE, HOME) < 0.002
    assert closest(OUTWARD, HOME) == pytest.approx(0.3, abs=1e-9)
    for x in np.linspace(-0.1525, 0.1525, 7):
        assert closest(OUTWARD, np.array([x, 0.0, -0.5, 0.0])) > 0.29


def test_e10_slow_pole_outlasts_the_cycle() -> None:
    np.testing.assert_allclose(np.sort(np.roots([1.0, 1000.0, 955.0])), [-999.04, -0.956], rtol=1e-3)


def searched(plant: str, best: tuple[float, float, float]) -> Setup:
    """A setup that has searched the gains of a plant already."""
    setup = Setup()
    setup.once(("optimum", plant), lambda: best)
    return setup


def test_27_is_not_determined_where_the_cost_of_26_is_flat() -> None:
    """A plant with the controller's masses and its f has no error whatever the gains: k_D on its bound says nothing."""
    plant, best = "lumped, with f", (1000.0, 1000.0, 0.5)
    setup = searched(plant, best)
    found = gains(setup)[plant]
    for name in ("k_P", "k_D"):
        own = found[name]
        assert isinstance(own, Undetermined)
        assert own.value == 1000.0
        assert f"flat in {name}" in own.reason
    assert found["lambda"] == 0.5
    # Flat by what the print can tell, not by what came out: 5 % of the printed number from the best.
    rise, step = steepness(setup, plant, "k_D")
    assert step == pytest.approx(50.0)
    assert rise == pytest.approx(joint_cost(setup, plant, 1000.0, 950.0, 0.5) - joint_cost(setup, plant, *best))
    assert rise < FLAT


def test_27_is_judged_where_the_cost_of_26_is_steep() -> None:
    plant = "rods, no f"
    setup = searched(plant, (1000.0, 1000.0, 0.0626))
    found = gains(setup)[plant]
    assert found["k_D"] == 1000.0
    assert found["lambda"] == 0.0626
    assert isinstance(found["k_P"], Undetermined)
    assert list(found) == list(FREE)


def test_cost_of_26_is_asked_once_for_the_same_gains(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[float, float, float]] = []

    def cost(_setup: Setup, _plant: str, *gains: float) -> float:
        asked.append(gains)
        return sum(gains)

    monkeypatch.setattr("parapick.papers.wu2020.numbers._joint_cost", cost)
    setup, plant = Setup(), next(iter(PLANTS))
    assert [joint_cost(setup, plant, *gains) for gains in ((1.0, 2.0, 3.0), (1.0, 2.0, 4.0), (1.0, 2.0, 3.0))] == [
        6,
        7,
        6,
    ]
    assert asked == [(1.0, 2.0, 3.0), (1.0, 2.0, 4.0)]
