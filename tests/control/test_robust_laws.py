"""The laws that make up for what a model lacks, against their formulas written down again with NumPy."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from control_cases import CLOSE, PAR4, RATE, cycle, followed, loaded, without_friction
from parapick.analysis import sampled_loop
from parapick.analysis.operating_point import ideal
from parapick.control import (
    LAWS,
    AdaptiveID,
    Controller,
    IterativeLearning,
    LawError,
    Poles,
    by_poles,
    ready,
)
from parapick.model import Model
from parapick.simulation import Record, by_cycle, simulate

SLOPE = np.array([90.0, 90.0, 90.0, 60.0])


def sliding(record: Record) -> np.ndarray:
    """The distance from the sliding surface at every sample."""
    return record.xd_ref - record.xd - SLOPE * record.error


def test_precomputed_torque_asks_the_model_at_the_reference() -> None:
    record = followed("precomputed")
    feedback = [4000.0, 5000.0, 6000.0, 7000.0] * -record.joint_error + 60.0 * (record.qd_ref - record.qd)
    model = loaded("par4").inverse_dynamics(record.x_ref, record.xd_ref, record.xdd_ref)
    np.testing.assert_allclose(without_friction(record), feedback + model, rtol=0, atol=CLOSE)


def test_nonlinear_pd_bends_its_gains() -> None:
    model, record = loaded("par4"), followed("nonlinear-pd")
    error, rate = -record.joint_error, record.qd_ref - record.qd
    stiffness = 9e3 * np.maximum(np.abs(error) / 1e-3, 1.0) ** (0.8 - 1.0)
    damping = 150.0 * np.maximum(np.abs(rate) / 0.02, 1.0) ** (1.1 - 1.0)
    qdd_ref = model.joint_accelerations(record.x_ref, record.xd_ref, record.xdd_ref)
    space = model.joint_space(record.x, record.xd)
    torque = np.einsum("tij,tj->ti", space.M, qdd_ref + stiffness * error + damping * rate)
    torque += np.einsum("tij,tj->ti", space.C, record.qd) + space.G
    np.testing.assert_allclose(without_friction(record), torque, rtol=0, atol=CLOSE)
    assert np.abs(error).max() > 1e-3
    assert np.abs(rate).max() > 0.02


def test_sliding_mode_is_its_formula_inside_and_outside_its_layer() -> None:
    record = followed("sliding-mode")
    relative = sliding(record) / 0.05
    acceleration = record.xdd_ref + SLOPE * (record.xd_ref - record.xd) + 6.0 * np.clip(relative, -1.0, 1.0)
    wanted = loaded("par4").inverse_dynamics(record.x, record.xd, acceleration)
    np.testing.assert_allclose(without_friction(record), wanted, rtol=0, atol=CLOSE)
    assert (np.abs(relative) > 1.0).any()
    assert (np.abs(relative) < 1.0).any()


def test_super_twisting_is_its_formula() -> None:
    record = followed("super-twisting")
    s = sliding(record)
    summed = np.vstack([np.zeros(4), np.cumsum(1.1 * 400.0 * np.sign(s) / RATE, axis=0)[:-1]])
    root = 1.5 * math.sqrt(400.0) * np.sqrt(np.abs(s)) * np.sign(s)
    acceleration = record.xdd_ref + SLOPE * (record.xd_ref - record.xd) + root + summed
    wanted = loaded("par4").inverse_dynamics(record.x, record.xd, acceleration)
    np.testing.assert_allclose(without_friction(record), wanted, rtol=0, atol=CLOSE)


def passive(model: Model, record: Record, v: np.ndarray, a: np.ndarray) -> np.ndarray:
    """Torques of `M a + C(xd) v + G`, C from the Christoffel matrix of the joints by a change of coordinates."""
    space, mass = model.joint_space(record.x, record.xd), model.mass_matrix(record.x)
    jacobian = model.inverse_jacobian(record.x)
    ahead, behind = (model.inverse_jacobian(record.x + side * 1e-5 * record.xd) for side in (1, -1))
    turning = np.linalg.solve(jacobian, (ahead - behind) / 2e-5)
    across = np.swapaxes(jacobian, 1, 2) @ space.C @ jacobian + mass @ turning
    force = np.einsum("tij,tj->ti", mass, a) + np.einsum("tij,tj->ti", across, v)
    force += np.einsum("tji,tj->ti", jacobian, space.G)
    return np.linalg.solve(np.swapaxes(jacobian, 1, 2), force[..., None])[..., 0]


def test_adaptive_is_its_formula_and_finds_the_mass() -> None:
    model, record = loaded("par4"), followed("adaptive")
    s = sliding(record)
    v, a = record.xd + s, record.xdd_ref + SLOPE * (record.xd_ref - record.xd)
    bare = passive(model, record, v, a)
    feedback = np.einsum("tij,tj->ti", model.mixed_space(record.x, record.xd).M_p, 80.0 * s)
    # Differences of the Jacobian are of second order, 1e-10 of what turns.
    known = record.terms["tau_d"] + record.terms["tau_M"] + record.terms["tau_n"]
    np.testing.assert_allclose(known, bare + feedback, rtol=0, atol=1e-5)
    by_mass = passive(model.with_payload(1.0), record, v, a) - bare
    jacobian = model.inverse_jacobian(record.x)
    slid, direction = (np.einsum("tij,tj->ti", jacobian, one) for one in (s, v))
    mass, coulomb = 0.0, np.zeros(4)
    for k in range(len(record.t)):
        np.testing.assert_allclose(record.terms["mass"][k], mass * by_mass[k], rtol=0, atol=1e-5)
        rubbing = np.tanh(direction[k] / 0.02)
        np.testing.assert_allclose(record.terms["coulomb"][k], coulomb * rubbing, rtol=0, atol=1e-5)
        mass = min(max(mass + 0.5 * by_mass[k] @ slid[k] / RATE, 0.0), 5.0)
        coulomb = np.clip(coulomb + 100.0 * rubbing * slid[k] / RATE, 0.0, 10.0)
    assert 0.0 < mass < 0.6, "the tool holds 0.3 kg"


def test_observer_gives_once_more_what_was_lacking() -> None:
    model, record = loaded("par4"), followed("disturbance-observer")
    mixed = model.mixed_space(record.x, record.xd)
    asked = record.xdd_ref - [9e3, 9e3, 9e3, 4e3] * record.error + 150.0 * (record.xd_ref - record.xd)
    needed = np.einsum("tij,tj->ti", mixed.M_p, asked) + mixed.n_p
    given = record.command - needed
    share, lacking = 1.0 - math.exp(-2 * math.pi * 20.0 / RATE), np.zeros(4)
    for k in range(2, len(record.t)):
        missed = asked[k - 2] - (record.xd[k] - record.xd[k - 1]) * RATE
        lacking = record.terms["observer"][k - 1]
        lacking = lacking + share * (mixed.M_p[k] @ missed + given[k - 2] - lacking)
        np.testing.assert_allclose(record.terms["observer"][k], lacking, rtol=0, atol=CLOSE)
    assert np.abs(lacking).max() > 0.1, "the law does not know what the tool holds"


@pytest.mark.parametrize("name", ["nonlinear-pd", "sliding-mode", "adaptive", "disturbance-observer"])
def test_poles_of_the_loop_are_those_asked_for(name: str) -> None:
    w = 2 * math.pi * 10.0
    law = by_poles(PAR4[name], Poles(10.0, 0.8))
    if isinstance(law, AdaptiveID):
        # Adaptation has poles of its own, slow and at 1.
        law = dataclasses.replace(law, mass_rate=1e-9, coulomb_rate=1e-9)
    loop = sampled_loop(loaded("par4"), loaded("par4").robot.home, ideal(law))
    rates = np.log(loop.poles[np.abs(loop.poles) > 0.5]) * loop.rate
    double = name in ("sliding-mode", "adaptive")
    wanted = -0.8 * w if double else w * complex(-0.8, 0.6)
    # A double pole splits by the root of rounding.
    near = np.abs(rates - wanted) < (2e-2 if double else 2e-3) * w
    assert np.count_nonzero(near) == (8 if double else 4), rates


def test_learning_starts_as_precomputed_torque_and_goes_on_where_it_was() -> None:
    model, motion = loaded("par4"), cycle("par4")
    plain = dataclasses.replace(PAR4["precomputed"], kp=4000.0)
    first = simulate(model, motion, Controller(plain, rate=RATE))
    record = simulate(model, motion, Controller(PAR4["learning"], rate=RATE), cycles=2)
    np.testing.assert_allclose(record.x[: len(first.t) - 1], first.x[:-1], rtol=0, atol=1e-12)
    steps = np.abs(np.diff(record.x, axis=0)).max(axis=1)
    seam = len(first.t) - 1
    assert steps[seam - 1] < 2.0 * np.median(steps), "the plate does not jump between two cycles"
    assert not record.terms["learned"][:seam].any()
    assert record.terms["learned"][seam:].any()


def test_what_is_learned_is_the_feedback_through_a_low_pass() -> None:
    law = IterativeLearning((100.0,), (2.0,), share=0.5, cutoff=50.0, ahead=0)
    step = 1e-3
    t = step * np.arange(1000)[:, None]
    for frequency in (10.0, 50.0, 200.0):
        w = 2 * math.pi * frequency
        learned = law.relearned(np.zeros((1000, 1)), np.sin(w * t), step)
        # A central difference of a sine is its derivative times sin(w step) / (w step).
        rate = math.sin(w * step) / step * np.cos(w * t)
        wanted = 0.5 * (100.0 * np.sin(w * t) + 2.0 * rate) / (1.0 + (frequency / 50.0) ** 4)
        np.testing.assert_allclose(learned, wanted, rtol=0, atol=1e-9)
        of_d = dataclasses.replace(law, mode="d").relearned(np.zeros((1000, 1)), np.sin(w * t), step)
        np.testing.assert_allclose(of_d, rate / (1.0 + (frequency / 50.0) ** 4), rtol=0, atol=1e-9)


def test_learning_takes_a_cycle_at_13_g_down_ten_times_under_friction() -> None:
    """At least ten times in ten cycles; the D type does not."""
    import parapick as pp

    model, controller = loaded("par4"), pp.load_controller("par4-learning")
    motion = pp.load_task("adept-13g-per-stroke").motion(model)
    peaks = [one.peak for one in by_cycle(simulate(model, motion, controller, cycles=10))]
    assert len(peaks) == 10
    assert peaks[0] > 1e-3
    assert peaks[-1] < peaks[0] / 10.0
    of_d = dataclasses.replace(controller, law=dataclasses.replace(controller.law, mode="d"))
    slow = [one.peak for one in by_cycle(simulate(model, motion, of_d, cycles=10))]
    assert peaks[-1] < slow[-1] / 5.0


def test_refusals_of_the_robust_laws() -> None:
    robot = loaded("par4").robot
    with pytest.raises(LawError, match="slope: is missing; give every gain, or poles in their place"):
        ready(LAWS["sliding-mode"](layer=0.1), robot, RATE)
    with pytest.raises(LawError, match=r"layer: is 0.*greater than 0"):
        ready(LAWS["sliding-mode"](slope=60.0, layer=0.0), robot, RATE)
    with pytest.raises(LawError, match="shares by least-norm"):
        ready(LAWS["adaptive"](slope=60.0, kd=60.0, sharing="least-peak"), loaded("delta-r4").robot, RATE)
    with pytest.raises(LawError, match="slope: is given beside poles"):
        ready(LAWS["super-twisting"](slope=60.0, poles=Poles()), robot, RATE)
