"""The plant against SciPy's integrators, and the drives against what they promise."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from loops import looped
from parapick.control import Encoder, JointFriction, Measured, Reference
from parapick.motion import hold
from parapick.simulation.loop_parts import encoder_of
from simulation.cases import FRICTION, SERVO, TSID, cycle, delta

PUSH = np.array([3.0, -4.0, 2.0])
PLACE = (0.05, 0.02, -0.7)
DURATION = 0.06


def pushed(t: float, measured: Measured, reference: Reference) -> np.ndarray:
    """Gravity, and a push that changes its sign halfway."""
    gravity = delta().inverse_dynamics(PLACE, np.zeros(3), np.zeros(3))
    return gravity + (PUSH if t < DURATION / 2 else -PUSH)


def by_scipy(friction: JointFriction | None, lag: float | None) -> np.ndarray:
    """Where the plate is at the end, by an integrator of high order with tight tolerances."""
    model, n = delta(), 3
    coulomb, presliding = np.array([1.0, 1.5, 0.8]), 3e-3

    def slope(t: float, y: np.ndarray, command: np.ndarray) -> np.ndarray:
        x, xd, torque, bristle = y[:3], y[3:6], y[6:9], y[9:]
        qd = model.inverse_jacobian(x) @ xd
        pull = torque if lag else command
        if friction:
            pull = pull - (coulomb + 0.3 * np.exp(-((qd / 0.5) ** 2))) * bristle - 0.4 * qd
        bending = np.zeros(n)
        if friction and friction.model == "dahl":
            bending = (qd - np.abs(qd) * bristle) / presliding
        elif friction:
            bending = np.where((np.abs(bristle) >= 1.0) & (bristle * qd > 0.0), 0.0, qd / presliding)
        return np.concatenate([xd, model.forward_dynamics(x, xd, pull), (command - torque) / (lag or 1.0), bending])

    first = pushed(0.0, None, None)
    y = np.concatenate([PLACE, np.zeros(3), first, np.zeros(3)])
    for start in (0.0, DURATION / 2):
        command = pushed(start, None, None)
        span = (start, start + DURATION / 2)
        # Where the deflection ends at 1, its slope jumps: small steps there, and the excess of one of them is cut off.
        step = 2e-5 if friction and friction.model != "dahl" else np.inf
        y = solve_ivp(slope, span, y, args=(command,), method="DOP853", rtol=1e-11, atol=1e-13, max_step=step).y[:, -1]
    return y[:3]


@pytest.mark.parametrize(
    ("friction", "lag"),
    [(None, None), (FRICTION, 2e-3), (dataclasses.replace(FRICTION, model="dahl"), 2e-3)],
    ids=["free", "friction and lag", "dahl and lag"],
)
def test_motion_agrees_with_scipy(friction: JointFriction | None, lag: float | None) -> None:
    motion = hold(PLACE, DURATION)
    record = looped(
        delta(), motion, pushed, friction=friction or False, lag=lag, torque_max=None, rate=1000.0, substeps=40
    )
    assert np.max(np.abs(record.error)) > 2e-3
    np.testing.assert_allclose(record.x[-1], by_scipy(friction, lag), rtol=0, atol=2e-8)


def test_integration_is_of_fourth_order() -> None:
    ends = [looped(delta(), cycle(), SERVO, rate=500.0, substeps=k, torque_max=None).x[-1] for k in (1, 2, 16)]
    coarse, fine = (np.max(np.abs(end - ends[2])) for end in ends[:2])
    assert 12 < coarse / fine < 22


def test_torque_is_limited_held_and_delayed() -> None:
    record = looped(delta(), cycle(), SERVO, torque_max=(30.0, 40.0, 50.0), delay=3, friction=False)
    limited = np.clip(record.command, -record.torque_max, record.torque_max)
    np.testing.assert_array_equal(record.torque[3:], limited[:-3])
    np.testing.assert_array_equal(record.torque[:3], np.broadcast_to(limited[0], (3, 3)))
    assert record.saturated.any()
    spans = record.saturations
    for joint in (1, 2, 3):
        total = sum(item.end - item.start for item in spans if item.joint == joint)
        assert total == pytest.approx(record.saturated[:, joint - 1].sum() / record.rate)


def test_lagging_drives_approach_their_command_exponentially() -> None:
    record = looped(delta(), cycle(), SERVO, lag=(1e-3, 2e-3, 3e-3), torque_max=None)
    left = np.exp(-1.0 / (record.rate * np.array([1e-3, 2e-3, 3e-3])))
    wanted = record.command[:-1] + (record.torque[:-1] - record.command[:-1]) * left
    np.testing.assert_allclose(record.torque[1:], wanted, rtol=0, atol=1e-9)
    np.testing.assert_array_equal(record.torque[0], record.command[0])


def test_encoders_tell_the_nearest_step() -> None:
    resolution = np.array([1e-4, 2e-4, 3e-4])
    record = looped(delta(), cycle(), SERVO, encoder=Encoder(tuple(resolution)))
    steps = record.q_meas / resolution
    np.testing.assert_allclose(steps, np.round(steps), rtol=0, atol=1e-9)
    assert np.all(np.abs(record.q_meas - record.q) <= resolution / 2 * (1 + 1e-9))
    assert np.max(np.abs(record.q_meas - record.q)) > 1.4e-4


def test_encoder_counts_are_those_of_the_motor() -> None:
    import parapick as pp

    found = encoder_of(pp.load("fivebar-spindle"), 65536)
    assert found is not None
    step = 2 * np.pi / 65536
    np.testing.assert_allclose(found.resolution, [step / 64, step / 64, step / 40, step / 40], rtol=1e-12)


def test_disturbances_leave_the_error_that_the_gains_allow() -> None:
    model, motion = delta(), hold(PLACE, 0.5)
    torque, force = np.array([2.0, -1.0, 0.5]), np.array([5.0, 0.0, -3.0])
    record = looped(model, motion, TSID, force=force, torque=torque, torque_max=None)
    place = record.x[-1]
    mass, pull = model.mass_matrix(place), model.inverse_jacobian(place).T @ torque + force
    # Under righettini2024 (16) the static error is K_p^-1 M^-1 of the disturbance.
    np.testing.assert_allclose(record.error[-1], np.linalg.solve(mass, pull) / TSID.kp, rtol=1e-4)


def test_disturbance_may_be_constant_a_series_or_a_function() -> None:
    motion, count = hold(PLACE, 0.02), 81
    ramp = np.linspace(0.0, 5.0, count)[:, None] * np.ones(3)
    series = looped(delta(), motion, TSID, torque=ramp)
    function = looped(delta(), motion, TSID, torque=lambda t: np.full(3, 5.0 * t / 0.02))
    np.testing.assert_allclose(series.x, function.x, rtol=0, atol=1e-12)
    constant = looped(delta(), motion, TSID, torque=[0.0, 0.0, 0.0])
    assert np.max(np.abs(constant.error)) < 1e-9 < np.max(np.abs(series.error))
