"""Least norm near singular poses, against NumPy's orthogonal decompositions; the sharing rules of the drives."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

import parapick as pp
from parapick.algebra import least_squares, smallest_solution
from parapick.errors import ParameterError
from parapick.formulas.redundancy import least_norm

CONDITION = 1e6
GROWTH = 1e-14
"""A stable method loses about the condition number times the rounding of a double; J' J would lose its square."""


def nearly_singular(shape: tuple[int, int], seed: int) -> np.ndarray:
    """A matrix of a given condition number."""
    generator = np.random.default_rng(seed)
    left, _, right = np.linalg.svd(generator.normal(size=shape), full_matrices=False)
    return left @ np.diag(np.geomspace(1.0, 1.0 / CONDITION, shape[1])) @ right


def evaluated(*expressions: ca.SX) -> list[np.ndarray]:
    return [np.array(ca.DM(ca.evalf(ca.SX(one)))) for one in expressions]


@pytest.mark.parametrize("shape", [(4, 3), (6, 3), (5, 4)])
@pytest.mark.parametrize("seed", range(5))
def test_an_ill_conditioned_system_keeps_its_digits(shape: tuple[int, int], seed: int) -> None:
    matrix, (n, d) = nearly_singular(shape, seed), shape
    generator = np.random.default_rng(seed + 100)
    force, own, right = generator.normal(size=d), generator.normal(size=n), generator.normal(size=n)
    answer, value = evaluated(*smallest_solution(ca.SX(ca.DM(matrix)), ca.SX(ca.DM(force)), ca.SX(ca.DM(own))))
    wanted = np.linalg.lstsq(matrix.T, force + matrix.T @ own, rcond=None)[0]
    assert np.max(np.abs(answer[:, 0] - wanted)) < CONDITION * GROWTH * np.max(np.abs(wanted))
    assert float(value[0, 0]) == pytest.approx(np.prod(np.linalg.svd(matrix)[1]) ** 2, rel=CONDITION * GROWTH)
    (fitted,) = evaluated(least_squares(ca.SX(ca.DM(matrix)), ca.SX(ca.DM(right))))
    wanted = np.linalg.lstsq(matrix, right, rcond=None)[0]
    # What does not fit is of the size of `right`, and counts with the condition once more.
    assert np.max(np.abs(fitted[:, 0] - wanted)) < CONDITION * GROWTH * CONDITION * np.linalg.norm(right)


def test_willing_motors_take_more() -> None:
    generator = np.random.default_rng(7)
    jacobian, force, own = generator.normal(size=(5, 3)), generator.normal(size=3), generator.normal(size=5)
    weights = np.array([1.0, 4.0, 0.25, 2.0, 1.0])
    given = [ca.SX(ca.DM(one)) for one in (jacobian, force, weights, own)]
    torque = evaluated(least_norm(*given)[0])[0][:, 0]
    np.testing.assert_allclose(jacobian.T @ (torque - own), force, atol=1e-12)
    # Of least weighted norm: no preload lowers sum(tau^2 / weight).
    preload = np.linalg.svd(jacobian)[0][:, 3:]
    np.testing.assert_allclose(preload.T @ (torque / weights), 0.0, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "x", "over"),
    [
        ("delta-r4", (-0.61319808, 0.11266279, 0.25634621), 3e-6),
        ("delta-r4", (-0.22556715, 0.57321984, 0.26548773), 1.6e-5),
        ("delta-r4", (-0.58571145, 0.08366077, 0.29353392), 3.5e-5),
        ("delta-r6", (0.4878015, -0.35342495, 0.28148075), 1.3e-4),
        ("delta-r6", (0.4694099, 0.37696569, 0.28185596), 2.1e-4),
    ],
)
def test_torques_next_to_an_over_mobility(name: str, x: tuple[float, ...], over: float) -> None:
    """There J' J lost three to nine digits more; task-space kernels and NumPy form the torques another way."""
    model, pose = pp.load(name), np.array(x)
    assert model.margins(pose).over == pytest.approx(over, rel=0.1)
    generator = np.random.default_rng(3)
    xd, xdd = generator.normal(size=3), 10.0 * generator.normal(size=3)
    jacobian, force = model.inverse_jacobian(pose), model.mass_matrix(pose) @ xdd + model.bias(pose, xd)
    wanted = np.linalg.lstsq(jacobian.T, force, rcond=None)[0]
    error = np.max(np.abs(model.inverse_dynamics(pose, xd, xdd) - wanted)) / np.max(np.abs(wanted))
    assert error < np.linalg.cond(jacobian) * GROWTH


@pytest.mark.parametrize("name", ["delta-r4", "delta-r6", "par4"])
def test_drives_share_as_the_arm_axes_do(name: str) -> None:
    model = pp.load(name)
    generator = np.random.default_rng(11)
    x = np.asarray(model.robot.home) + generator.uniform(-0.05, 0.05, (20, model.robot.dof))
    xd, xdd = generator.normal(size=x.shape), 30.0 * generator.normal(size=x.shape)
    plain, peak = (model.drive_torque(x, xd, xdd, sharing=rule) for rule in ("least-norm", "least-peak"))
    np.testing.assert_array_equal(plain.torque, model.drive_torque(x, xd, xdd).torque)
    np.testing.assert_allclose(plain.speed, peak.speed, rtol=1e-12)
    # Friction and the rotors' share are the same for both, so the difference is that of the arm axes.
    ratio, axes = model.robot.drive.ratio, model.inverse_dynamics
    gained = axes(x, xd, xdd, sharing="least-peak") - axes(x, xd, xdd)
    np.testing.assert_allclose(ratio * (peak.torque - plain.torque), gained, atol=1e-9 * np.abs(plain.torque).max())
    assert (np.abs(gained).max() > 0) == model.robot.redundant
    with pytest.raises(ParameterError, match="least-peak"):
        model.drive_torque(x, xd, xdd, sharing="fair")
