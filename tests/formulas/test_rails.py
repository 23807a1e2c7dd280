"""A linear Delta with vertical and with inclined rails: what holds of its geometry, and its equations of motion."""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp
from lagrangian import equations
from poses import workspace_poses

RAILS = {"vertical": {}, "outward": {"base.tilt": 0.3, "base.radius": 0.2}, "inward": {"base.tilt": -0.3}}


def linear(kind: str) -> pp.Model:
    return pp.load("delta-linear").with_parameters(RAILS[kind])


def states(model: pp.Model) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    x = workspace_poses(model, 20) * (0.7, 0.7, 1.0)
    x = x[model.reach(x).closes]
    assert len(x) > 10
    return x, rng.normal(size=x.shape), 20 * rng.normal(size=x.shape)


@pytest.mark.parametrize("kind", RAILS)
def test_forces_equal_the_lagrangian(kind: str) -> None:
    model = linear(kind)
    x, xd, xdd = states(model)
    found = np.einsum("tij,ti->tj", model.inverse_jacobian(x), model.inverse_dynamics(x, xd, xdd))
    derived = equations(model.robot)
    wanted = np.array([np.array(derived(*state)[0]).ravel() for state in zip(x, xd, xdd, strict=True)])
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-10 * np.abs(wanted).max())


@pytest.mark.parametrize("kind", RAILS)
def test_both_kinematics_and_both_dynamics_undo_each_other(kind: str) -> None:
    model = linear(kind)
    x, xd, xdd = states(model)
    np.testing.assert_allclose(model.forward_kinematics(model.inverse_kinematics(x)), x, atol=1e-10)
    tau = model.inverse_dynamics(x, xd, xdd)
    np.testing.assert_allclose(model.forward_dynamics(x, xd, tau), xdd, atol=1e-9 * np.abs(xdd).max())
    step = 1e-6
    rates = (model.inverse_kinematics(x + step * xd) - model.inverse_kinematics(x - step * xd)) / (2 * step)
    np.testing.assert_allclose(model.joint_rates(x, xd), rates, atol=1e-7)


def test_between_vertical_rails_every_height_is_the_same() -> None:
    model = linear("vertical")
    low, high = np.array([0.1, -0.05, -1.1]), np.array([0.1, -0.05, -0.9])
    np.testing.assert_allclose(model.inverse_jacobian(low), model.inverse_jacobian(high), atol=1e-12)
    np.testing.assert_allclose(model.inverse_jacobian(low)[:, 2], -1.0, atol=1e-12)
    assert model.margins(low) == pytest.approx(model.margins(high), abs=1e-12)
    tilted = linear("outward").inverse_jacobian([low, high])
    assert np.abs(tilted[0] - tilted[1]).max() > 1e-2


def test_a_rod_square_to_its_rail_is_under_mobile() -> None:
    """Leg 1 stands at y = 0.38 m; its plate joint is 0.06 m towards it, and its rod 0.65 m long."""
    model = linear("vertical")
    edge = 0.38 - 0.06 - 0.65
    for short, least in ((1e-2, 0.1), (1e-6, 1e-3)):
        margin = float(model.margins([0.0, edge + short, -1.0]).under)
        assert margin == pytest.approx(np.sqrt(1 - ((0.65 - short) / 0.65) ** 2), rel=1e-6)
        assert margin < 2 * least
    reach = model.reach([0.0, edge - 1e-3, -1.0])
    assert reach.short[0] == pytest.approx(-1e-3, abs=1e-12)
    assert "the rod is 1 mm too short" in reach.reason()


def test_hanging_rods_are_never_over_mobile_within_the_triangle_of_the_rails() -> None:
    """The determinant keeps its sign there; in a mixed mode it does not."""
    model = linear("vertical")
    corners = [(0.32 * np.cos(a), 0.32 * np.sin(a), -1.0) for a in model.robot.base.angles or ()]
    x = np.random.default_rng(1).dirichlet([1.0, 1.0, 1.0], 500) @ np.array(corners)
    signs = {mode: np.sign(np.linalg.det(model.with_working_mode(mode).inverse_jacobian(x))) for mode in ("+++", "++-")}
    assert len(set(signs["+++"])) == 1
    assert len(set(signs["++-"])) == 2


def test_a_plate_as_wide_as_its_base_turns_freely_at_the_centre() -> None:
    wide = linear("vertical").with_parameters({"plate.radius": 0.38})
    assert float(wide.margins([0.0, 0.0, -1.0]).internal) == pytest.approx(0.0, abs=1e-12)


def test_a_carriage_beyond_its_rail_is_told_in_millimetres() -> None:
    reach = linear("vertical").reach([0.0, 0.0, -0.58])
    assert reach.joint_unit == "m"
    assert not reach.ok
    assert "the joint limit is exceeded by 5.774 mm" in reach.reason()


def test_motors_are_rated_in_newtons() -> None:
    motors = linear("vertical").motors
    assert (motors.unit, motors.torque_unit, motors.speed_unit, motors.word) == ("m", "N", "m/s", "force")
    assert motors.rating_path(0, "peak_torque") == "drive.peak_force"
