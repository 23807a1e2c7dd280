"""Gains from poles, and that the error then moves as the poles say."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from control_cases import TASK, loaded
from loops import looped
from parapick.control import PD, PID, CascadePPI, ComputedTorque, TaskSpaceID, TaskSpaceIID, inertia_at_joints
from parapick.errors import ParameterError, ShapeError
from parapick.motion import hold


def test_gains_of_righettini2024() -> None:
    law = TaskSpaceID.from_poles((30.0, 30.0, 28.0, 28.0), (0.7, 0.7, 0.6, 0.6))
    assert law.kp == pytest.approx((35530.6, 35530.6, 30951.1, 30951.1), rel=2e-6)
    assert law.kd == pytest.approx((263.894, 263.894, 211.115, 211.115), rel=2e-6)
    assert TaskSpaceIID.from_poles(30.0, 0.7, 0.3).ki == pytest.approx(2.009e6, rel=2e-4)


@pytest.mark.parametrize("damping", [0.5, 1.5])
def test_an_offset_decays_with_the_poles(damping: float) -> None:
    model, w, offset = loaded("par4"), 2 * np.pi * 10.0, np.array([2e-4, -1e-4, 1e-4, 1e-3])
    # Friction that the law makes up for is 0 at rest.
    law = dataclasses.replace(TaskSpaceID.from_poles(10.0, damping), **TASK)
    record = looped(model, hold((0.05, 0.0, -0.7, 0.1), 0.1), law, offset=offset, rate=40_000.0)
    roots = np.roots([1.0, 2 * damping * w, w * w])
    weights = np.linalg.solve(np.array([[1.0, 1.0], roots]), np.array([1.0, 0.0]))
    shape = (weights * np.exp(np.outer(record.t, roots))).sum(axis=1).real
    # A hold of 25 us shifts the poles by some thousandths.
    np.testing.assert_allclose(record.error, np.outer(shape, offset), rtol=0, atol=3e-3 * np.max(np.abs(offset)))


def test_joint_gains_follow_the_inertia() -> None:
    model = loaded("fivebar-spindle")
    poses = np.array([[0.0, 0.33, 0.0, 0.0], [0.1, 0.3, -0.005, 1.0]])
    felt = inertia_at_joints(model, poses)
    wanted = [np.diag(model.joint_space(x, np.zeros(4)).M) for x in poses]
    np.testing.assert_allclose(felt, np.mean(wanted, axis=0), rtol=1e-9)
    law = PD.from_poles(30.0, 0.7, felt)
    np.testing.assert_allclose(law.kp, 35530.6 * felt, rtol=2e-6)
    pid = PID.from_poles(30.0, 0.7, felt, 0.1, 20.0)
    np.testing.assert_allclose(pid.ki, np.array(law.kp) * 0.1 * 2 * np.pi * 30.0, rtol=1e-12)


def test_cascade_and_computed_torque_from_bandwidths() -> None:
    law = CascadePPI.from_bandwidth(10.0, 40.0, 0.2)
    assert (law.kp, law.kv) == pytest.approx((62.83, 50.27), rel=1e-3)
    assert law.ki == pytest.approx(0.1 * 2 * np.pi * 40.0 * law.kv)
    assert ComputedTorque.from_poles(10.0, 1.0).kd == pytest.approx(4 * np.pi * 10.0)


def test_impossible_poles_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"frequency: is -3\.0; it must be finite and greater than 0"):
        TaskSpaceID.from_poles(-3.0, 0.7)
    with pytest.raises(ParameterError, match="damping"):
        PD.from_poles(30.0, np.nan, 1.0)
    with pytest.raises(ShapeError, match="frequency"):
        TaskSpaceID.from_poles([[30.0]], 0.7)
