"""The arm-rod leg against plain geometry."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

from parapick.mechanism.legs import ArmRod

SAMPLES = 720


def leg(**changes: float) -> ArmRod:
    numbers = {"zero": 0.0, "sign": 1.0, "arm": 0.35, "rod": 0.8, "branch": 1.0} | changes
    forward, up = ca.DM([0.6, 0.8, 0.0]), ca.DM([0.0, 0.0, 1.0])
    return ArmRod(base=ca.DM([0.2, 0.3, 0.1]), forward=forward, up=up, **numbers)


def circle(arm: ArmRod) -> np.ndarray:
    """Elbow positions over a whole turn (SAMPLES, 3)."""
    turn = np.linspace(0, 2 * np.pi, SAMPLES, endpoint=False)
    forward, up = np.array(arm.forward).ravel(), np.array(arm.up).ravel()
    return np.array(arm.base).ravel() + arm.arm * (np.outer(np.cos(turn), forward) + np.outer(np.sin(turn), up))


@pytest.mark.parametrize("seed", range(20))
def test_span_is_the_smallest_and_largest_distance_to_the_elbow_circle(seed: int) -> None:
    point = np.random.default_rng(seed).uniform(-1, 1, 3)
    distances = np.linalg.norm(circle(leg()) - point, axis=1)
    nearest, farthest = (float(value) for value in leg().span(ca.DM(point)))
    assert nearest == pytest.approx(distances.min(), abs=1e-4)
    assert nearest <= distances.min() + 1e-12
    assert farthest == pytest.approx(distances.max(), abs=1e-4)
    assert farthest >= distances.max() - 1e-12


@pytest.mark.parametrize("branch", [1.0, -1.0])
@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("zero", [0.0, 0.7])
def test_closed_leg_has_its_lengths_and_agrees_with_its_angle(branch: float, sign: float, zero: float) -> None:
    arm = leg(branch=branch, sign=sign, zero=zero)
    point = ca.DM([0.5, 0.4, -0.6])
    pose = arm.close(point)
    assert float(ca.norm_2(pose.arm)) == pytest.approx(0.35, abs=1e-15)
    assert float(ca.norm_2(pose.rod)) == pytest.approx(0.8, abs=1e-15)
    q = float(pose.q)
    again = arm.at(point, q)
    np.testing.assert_allclose(again.arm, pose.arm, atol=1e-15)
    np.testing.assert_allclose(again.w, ca.cross(arm.axis, pose.arm), atol=1e-15)
    step = 1e-6
    slope = (arm.at(point, q + step).arm - arm.at(point, q - step).arm) / (2 * step)
    np.testing.assert_allclose(pose.w, slope, atol=1e-9)


def test_slack_and_radicand_have_one_sign() -> None:
    points = np.random.default_rng(1).uniform(-1.5, 1.5, (500, 3))
    spans = np.array([[float(end) for end in leg().span(ca.DM(point))] for point in points])
    slack = np.minimum(0.8 - spans[:, 0], spans[:, 1] - 0.8)
    radicand = np.array([float(leg().close(ca.DM(point)).radicand) for point in points])
    assert 50 < np.count_nonzero(slack > 0) < 450
    np.testing.assert_array_equal(slack >= 0, radicand >= 0)
