"""Invariants of the kinematics on random poses, every shipped robot, every working mode."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import parapick as pp
from parapick.parameters import leaves, units_of
from poses import ROBOTS, by_kind, closing_poses, wide_poses, workspace_poses

COUNT = 200
CLOSURE = 1e-12
"""Loops close to rounding: rods are about a metre long and double precision leaves 1e-16 of that per operation."""

STEP = 1e-6
"""Step of central differences (m, rad): truncation and rounding are both near 1e-10 relative."""

ASSEMBLY_MARGIN = 0.06
"""Over-mobility margin below which two assembly modes lie within 10 mm and 5 degrees, so that a guess may pick
either."""

MODES = [
    pytest.param(*robot.values, mode.signs, id=f"{robot.values[0]}-{mode.name}", marks=robot.marks)
    for robot in by_kind()
    for mode in pp.load(robot.values[0]).working_modes
]


def differences(function: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> np.ndarray:
    """Derivative (..., n, dof) of a function of the task vector by central differences."""
    steps = STEP * np.eye(x.shape[-1])
    return np.stack([(function(x + step) - function(x - step)) / (2 * STEP) for step in steps], axis=-1)


def relative(got: np.ndarray, expected: np.ndarray) -> float:
    """Largest difference in units of the largest entry of each pose."""
    axes = tuple(range(1, expected.ndim))
    return float(np.max(np.abs(got - expected) / np.max(np.abs(expected), axis=axes, keepdims=True)))


def motion(model: pp.Model, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Random poses clear of the reach limits, with rates and accelerations."""
    rng = np.random.default_rng(seed + 1)
    x = closing_poses(model, COUNT, seed, share=0.05)
    return x, rng.normal(size=x.shape), rng.normal(size=x.shape)


@pytest.mark.parametrize(("name", "mode"), MODES)
def test_loops_close(name: str, mode: str) -> None:
    model = pp.load(name).with_working_mode(mode)
    x = closing_poses(model, COUNT)
    assert np.max(np.abs(model.closure_residual(x, model.inverse_kinematics(x)))) < CLOSURE


@pytest.mark.parametrize("name", by_kind())
def test_working_modes_differ(name: str) -> None:
    model = pp.load(name)
    x = closing_poses(model, 20, share=0.05)
    answers = [model.with_working_mode(mode.signs).inverse_kinematics(x) for mode in model.working_modes]
    assert len(answers) == 2**model.robot.arms
    for i, first in enumerate(answers):
        for second in answers[:i]:
            assert np.all(np.max(np.abs(first - second), axis=-1) > 1e-3)


@pytest.mark.parametrize(("name", "mode"), MODES)
def test_inverse_jacobian_is_the_derivative_of_the_inverse_kinematics(name: str, mode: str) -> None:
    model = pp.load(name).with_working_mode(mode)
    x = closing_poses(model, COUNT, share=0.05)
    unwrapped = lambda y: base + np.angle(np.exp(1j * (model.inverse_kinematics(y) - base)))  # noqa: E731
    base = model.inverse_kinematics(x)
    assert relative(model.inverse_jacobian(x), differences(unwrapped, x)) < 1e-7


@pytest.mark.parametrize(("name", "mode"), MODES)
def test_rates_and_accelerations_agree_with_the_jacobian(name: str, mode: str) -> None:
    model = pp.load(name).with_working_mode(mode)
    x, xd, xdd = motion(model, 3)
    jacobian, rate = model.inverse_jacobian(x), model.inverse_jacobian_rate(x, xd)
    qd = np.einsum("...ij,...j->...i", jacobian, xd)
    qdd = np.einsum("...ij,...j->...i", jacobian, xdd) + np.einsum("...ij,...j->...i", rate, xd)
    assert relative(model.joint_rates(x, xd), qd) < 1e-12
    assert relative(model.joint_accelerations(x, xd, xdd), qdd) < 1e-10


@pytest.mark.parametrize("name", by_kind())
def test_jacobian_rate_is_its_derivative_along_the_motion(name: str) -> None:
    model = pp.load(name)
    x, xd, _ = motion(model, 4)
    ahead, behind = model.inverse_jacobian(x + STEP * xd), model.inverse_jacobian(x - STEP * xd)
    assert relative(model.inverse_jacobian_rate(x, xd), (ahead - behind) / (2 * STEP)) < 1e-7


@pytest.mark.parametrize("name", by_kind())
def test_kinematics_gives_both_at_once(name: str) -> None:
    model = pp.load(name)
    x = closing_poses(model, COUNT)
    q, jacobian = model.kinematics(x)
    np.testing.assert_allclose(q, model.inverse_kinematics(x), rtol=0, atol=1e-14)
    assert relative(jacobian, model.inverse_jacobian(x)) < 1e-12


@pytest.mark.parametrize("name", by_kind())
def test_batch_equals_loop_bit_for_bit(name: str) -> None:
    model = pp.load(name)
    x = wide_poses(model, 23)
    xd = np.random.default_rng(5).normal(size=x.shape)
    batch = model.kinematics(x)
    rates = model.joint_rates(x, xd)
    for i in range(len(x)):
        single = model.kinematics(x[i])
        np.testing.assert_array_equal(single.q, batch.q[i])
        np.testing.assert_array_equal(single.J, batch.J[i])
        np.testing.assert_array_equal(model.joint_rates(x[i], xd[i]), rates[i])
    folded = model.inverse_kinematics(x[:20].reshape(4, 5, -1))
    np.testing.assert_array_equal(folded.reshape(20, -1), model.inverse_kinematics(x[:20]))


@pytest.mark.parametrize(("name", "mode"), MODES)
def test_forward_after_inverse_from_a_displaced_guess(name: str, mode: str) -> None:
    model = pp.load(name).with_working_mode(mode)
    x = closing_poses(model, COUNT, share=0.05)
    q = model.inverse_kinematics(x)
    sides = np.sign(np.random.default_rng(6).normal(size=x.shape))
    displacement = np.array([0.01, 0.01, 0.01, np.radians(5)]) / np.sqrt([3, 3, 3, 1])
    found = model.forward_kinematics(q, guess=x + sides * displacement[: model.robot.dof])
    apart = model.margins(x).over > ASSEMBLY_MARGIN
    assert np.count_nonzero(apart) > 0.02 * COUNT
    assert np.max(np.abs(found - x)[apart]) < 1e-10
    answered = ~np.isnan(found).any(axis=-1)
    assert np.max(np.abs(model.closure_residual(found[answered], q[answered]))) < CLOSURE


@pytest.mark.parametrize("name", by_kind())
def test_forward_after_inverse_from_home_on_the_workspace(name: str) -> None:
    model = pp.load(name)
    x = workspace_poses(model, 2000)
    assert np.max(np.abs(model.forward_kinematics(model.inverse_kinematics(x)) - x)) < 1e-10


@pytest.mark.parametrize("name", by_kind())
def test_forward_elsewhere_closes_or_is_nan(name: str) -> None:
    model = pp.load(name)
    x = closing_poses(model, 2000, seed=7)
    q = model.inverse_kinematics(x)
    found = model.forward_kinematics(q)
    answered = ~np.isnan(found).any(axis=-1)
    assert answered.any()
    assert np.isnan(found[~answered]).all()
    assert np.max(np.abs(model.closure_residual(found[answered], q[answered]))) < CLOSURE


@pytest.mark.parametrize("name", by_kind([name for name in ROBOTS if pp.load(name).robot.redundant]))
def test_redundant_forward_is_least_squares_over_all_encoders(name: str) -> None:
    model = pp.load(name)
    x = workspace_poses(model, 50)
    noise = 1e-3 * np.random.default_rng(8).normal(size=(50, model.robot.motors))
    measured = model.inverse_kinematics(x) + noise
    found = model.forward_kinematics(measured)
    assert 1e-6 < np.max(np.abs(model.closure_residual(found, measured))) < 2e-3
    gradient = np.einsum("...ij,...i->...j", model.inverse_jacobian(found), model.inverse_kinematics(found) - measured)
    first_order = np.einsum("...ij,...i->...j", model.inverse_jacobian(x), noise)
    assert np.max(np.abs(gradient)) < 1e-2 * np.max(np.abs(first_order))


@pytest.mark.parametrize("name", ["par4", "delta-4", "fivebar-spindle"])
def test_forward_kinematics_of_robots_of_any_size(name: str) -> None:
    """The same robot ten thousand times as large: rods round to 1e-12 m there, and the answer is as good a share."""
    model, times = pp.load(name), 1e4
    units = dict(units_of(model.robot))
    lengths = {path: value for path, value in leaves(model.robot) if units.get(path) == "m" or path in PLACE}
    large = model.with_parameters({path: times * value for path, value in lengths.items()})
    spread = np.array([0.1, 0.05, 0.003, 0.3]) * np.random.default_rng(3).uniform(-1.0, 1.0, (500, 4))
    x = (np.array(model.robot.home) + spread) * [times, times, times, 1.0]
    again = large.forward_kinematics(large.inverse_kinematics(x))
    np.testing.assert_allclose(again / times, x / times, atol=1e-12)


PLACE = ("home.1", "home.2", "home.3")
