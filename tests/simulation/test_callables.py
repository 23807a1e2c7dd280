"""A law written in NumPy gives the record of the compiled one, encoder, delay, lag and friction included."""

from __future__ import annotations

import numpy as np
import pytest

from loops import looped
from parapick.control import Measured, Reference
from parapick.errors import ShapeError
from parapick.simulation import Record
from simulation.cases import REAL, SERVO, TSID, cycle, delta

RATE = 4000.0
ALIKE = 1e-9
"""Agreement of two records of the same loop (m)."""


def low_passed() -> float:
    return 1.0 - np.exp(-2 * np.pi * 500.0 / RATE)


class NumpyPD:
    """Joint PD with its own inverse kinematics: elbow-out angles of a Delta, counted from the horizontal."""

    def __init__(self) -> None:
        robot = delta().robot
        angles = np.array(robot.base.angles)
        self.out = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        self.radius, self.arm, self.rod = robot.base.radius - robot.plate.radius, robot.limb.arm, robot.limb.rod_length
        self.before: np.ndarray | None = None
        self.rate = np.zeros(3)

    def joints(self, x: np.ndarray) -> np.ndarray:
        along = self.out @ x[:2] - self.radius
        across = np.hypot(x[0], x[1]) ** 2 - (self.out @ x[:2]) ** 2
        reach = (along**2 + across + x[2] ** 2 + self.arm**2 - self.rod**2) / (2 * self.arm)
        return np.arctan2(x[2], along) + np.arccos(reach / np.hypot(along, x[2]))

    def rates(self, x: np.ndarray, xd: np.ndarray) -> np.ndarray:
        q = self.joints(x)
        spokes = np.column_stack([self.out, np.zeros(3)])
        up = np.array([0.0, 0.0, 1.0])
        elbow = self.radius * spokes + self.arm * (np.cos(q)[:, None] * spokes + np.sin(q)[:, None] * up)
        turning = self.arm * (np.cos(q)[:, None] * up - np.sin(q)[:, None] * spokes)
        rod = x - elbow
        return (rod @ xd) / np.sum(rod * turning, axis=1)

    def __call__(self, t: float, measured: Measured, reference: Reference) -> np.ndarray:
        wanted = self.rates(reference.x, reference.xd)
        if self.before is None:
            self.before, self.rate = measured.q - wanted / RATE, wanted
        self.rate = self.rate + low_passed() * ((measured.q - self.before) * RATE - self.rate)
        self.before = measured.q
        return 4000.0 * (self.joints(reference.x) - measured.q) + 50.0 * (wanted - self.rate)


class NumpyTSID:
    """Task-space inverse dynamics from the model's public functions."""

    def __init__(self) -> None:
        self.before: np.ndarray | None = None
        self.rate = self.pose = np.zeros(3)

    def __call__(self, t: float, measured: Measured, reference: Reference) -> np.ndarray:
        model = delta()
        if self.before is None:
            self.rate = model.joint_rates(reference.x, reference.xd)
            self.before, self.pose = measured.q - self.rate / RATE, reference.x
        self.rate = self.rate + low_passed() * ((measured.q - self.before) * RATE - self.rate)
        self.before, self.pose = measured.q, model.forward_kinematics(measured.q, self.pose)
        speed = np.linalg.solve(model.inverse_jacobian(self.pose), self.rate)
        acceleration = reference.xdd + TSID.kp * (reference.x - self.pose) + TSID.kd * (reference.xd - speed)
        return model.inverse_dynamics(self.pose, speed, acceleration)


def alike(one: Record, other: Record) -> None:
    np.testing.assert_allclose(one.x, other.x, rtol=0, atol=ALIKE)
    np.testing.assert_allclose(one.q_meas, other.q_meas, rtol=0, atol=ALIKE)
    for name in ("command", "torque", "friction"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), rtol=0, atol=1e-5)


@pytest.mark.parametrize(("law", "written"), [(SERVO, NumpyPD), (TSID, NumpyTSID)], ids=["pd", "tsid"])
def test_a_law_written_in_numpy_gives_the_same_record(law: object, written: type) -> None:
    compiled = looped(delta(), cycle(), law, torque_max=60.0, **REAL)
    called = looped(delta(), cycle(), written(), torque_max=60.0, **REAL)
    assert called.law == written.__name__
    assert called.terms == {}
    assert len(called.t) == len(compiled.t) > 1000
    assert 0 < compiled.saturated.sum() == called.saturated.sum()
    alike(compiled, called)


def test_the_loop_in_python_gives_the_same_record() -> None:
    settings = {**REAL, "force": [3.0, 0.0, -2.0], "torque": lambda t: np.array([1.0, 0.0, np.sin(50 * t)])}
    native = looped(delta(), cycle(), TSID, **settings)
    python = looped(delta(), cycle(), TSID, engine="python", **settings)
    alike(native, python)
    for name, term in native.terms.items():
        np.testing.assert_allclose(python.terms[name], term, rtol=0, atol=1e-6)
    for name, value in native.estimate.items():
        np.testing.assert_allclose(python.estimate[name], value, rtol=0, atol=1e-6)


def test_wrong_torques_of_a_callable_are_refused() -> None:
    with pytest.raises(ShapeError, match=r"the law's torque at 0 s has shape \(2,\); it should be \(3,\)"):
        looped(delta(), cycle(), lambda t, measured, reference: np.zeros(2))


def test_a_callable_that_loses_its_mind_ends_the_record() -> None:
    def law(t: float, measured: Measured, reference: Reference) -> np.ndarray:
        hold = delta().inverse_dynamics(reference.x, reference.xd, reference.xdd)
        return hold if t < 0.01 else np.full(3, np.nan)

    record = looped(delta(), cycle(), law)
    assert not record.completed
    assert record.divergence is not None
    assert record.divergence.quantity == "torque"
    assert record.t[-1] == pytest.approx(0.01 - 1 / RATE)
