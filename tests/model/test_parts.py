"""Velocities and Jacobians of the plate's parts."""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp
from parapick.errors import ParameterError
from parapick.model.parts import part_jacobians, part_names, part_velocities
from parapick.parameters import resolved
from poses import by_kind, workspace_poses


def places(model: pp.Model, x: np.ndarray) -> np.ndarray:
    """Points of the parts (parts, 3) at one pose."""
    import casadi as ca

    return np.array([np.array(ca.DM(part.point)).ravel() for part in resolved(model.robot).plate_pose(ca.DM(x)).parts])


@pytest.mark.parametrize("name", by_kind())
def test_velocities_are_the_rates_of_the_points(name: str) -> None:
    model = pp.load(name)
    rng = np.random.default_rng(2)
    for x in workspace_poses(model, 5):
        xd, step = rng.normal(size=len(x)), 1e-6
        rate = (places(model, x + step * xd) - places(model, x - step * xd)) / (2 * step)
        found = part_velocities(model, x, xd)
        assert found.shape == (len(part_names(model.robot)), 3)
        np.testing.assert_allclose(found, rate, atol=1e-8)


def test_sub_platforms_of_the_screw_robot() -> None:
    """wu2020 (9)-(13): J_up = J_u^-1 J_theta = H_u J and J_low = J, H_u(4,4) = 1 where the print has 0 (E6)."""
    model = pp.load("asymmetric-screw")
    assert part_names(model.robot) == ("sub-platform", "carried sub-platform")
    lift = 0.02 / (2 * np.pi)
    rng = np.random.default_rng(4)
    for x in workspace_poses(model, 10):
        jacobian = np.linalg.inv(model.inverse_jacobian(x))
        lower, upper = part_jacobians(model, x)
        H = np.eye(4)
        H[2, 3] = lift
        np.testing.assert_allclose(lower, jacobian[:3], rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(upper, (H @ jacobian)[:3], rtol=1e-12, atol=1e-14)
        # (12a): rows d_i' with -h' d_z in the yaw column of limbs 2 and 4, which the upper platform does not hold.
        levers, plate = model.kernel("constraint_matrices")(x, model.parameters)[:2]
        rods = 0.6 * plate[:, :3]
        theta = np.diag(levers * 0.3 * 0.6)
        rows = np.column_stack([rods, -lift * rods[:, 2] * np.array([0, 1, 0, 1])])
        qd = rng.normal(size=4)
        corrected = H @ jacobian @ qd
        np.testing.assert_allclose(rows @ corrected, theta @ qd, atol=1e-12)
        printed = H.copy()
        printed[3, 3] = 0
        assert np.max(np.abs(rows @ (printed @ jacobian @ qd) - theta @ qd)) > 1e-4


def test_refusal() -> None:
    with pytest.raises(ParameterError, match="more motors"):
        part_jacobians(pp.load("delta-r4"), [0.0, 0.0, -0.7])
