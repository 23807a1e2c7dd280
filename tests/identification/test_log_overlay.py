"""Clocks of logs and motions, overlays, and logs as answers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import parapick as pp
from identification.misread import good
from parapick.errors import ParapickError
from parapick.identification import Log, log_answer, log_residual, overlay, shift_of
from parapick.identification.alignment import _correlation, _rates, _refined
from parapick.identification.log_overlay import _agreement, _at
from parapick.identification.residual import Residual
from parapick.simulation import Record, simulate
from parapick.tasks import load_task

T = np.linspace(0.0, 2.0, 1001)


def wave(t: np.ndarray) -> np.ndarray:
    return np.column_stack([np.sin(9.0 * t) * t, np.cos(7.0 * t + t * t), 0.3 * t**2])


@pytest.mark.parametrize("shift", [-3.4, -0.0123, 0.0, 0.25, 1e4])
@pytest.mark.parametrize("noise", [0.0, 2e-4])
def test_any_shift_is_found(shift: float, noise: float) -> None:
    random = np.random.default_rng(1)
    t = np.sort(random.uniform(0.2, 1.7, 700))
    q = wave(t) + noise * random.standard_normal((700, 3))
    found = shift_of(t + shift, q, T, wave(T), "this")
    assert found.time == pytest.approx(shift, abs=2e-6 if noise == 0.0 else 5e-5)
    assert found.correlation > (0.9999 if noise == 0.0 else 0.99)


def test_a_log_that_reaches_beyond_the_motion_is_aligned_where_they_overlap() -> None:
    t = np.linspace(-1.0, 3.0, 2001)
    held = wave(np.clip(t, 0.0, 2.0))
    assert shift_of(t + 5.0, held, T, wave(T), "this").time == pytest.approx(5.0, abs=1e-4)


def test_rates_are_those_of_evenly_spaced_samples() -> None:
    t = np.array([0.0, 0.5, 2.0])
    assert _rates(t, np.column_stack([3.0 * t, -t])) == pytest.approx(np.tile([3.0, -1.0], (2001, 1)))


def test_no_overlap_correlates_by_nothing_and_moves_nothing() -> None:
    assert _correlation(T, wave(T), T, wave(T), 50.0) == 0.0
    assert _refined(T, wave(T), T, wave(T), 50.0) == 50.0
    still = np.zeros((1001, 3))
    assert _correlation(T, still, T, wave(T), 0.0) == 0.0


def test_agreement_of_two_signals() -> None:
    one, other = np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 2.0, 3.0, 6.0])
    agreement = _agreement(one, other, 4.0)
    assert agreement.rms == pytest.approx(1.0)
    assert agreement.peak == 2.0
    assert agreement.share == pytest.approx(0.25)
    assert agreement.correlation == pytest.approx(np.corrcoef(one, other)[0, 1])
    flat = _agreement(one, np.ones(4), 0.0)
    assert np.isnan(flat.correlation)
    assert np.isnan(flat.share)
    assert _at(np.array([0.0, 1.0]), np.array([[0.0, 2.0], [2.0, 0.0]]), np.array([0.25])) == pytest.approx(
        np.array([[0.5, 1.5]])
    )


@pytest.fixture(scope="module")
def record() -> Record:
    model = pp.load("par4")
    return simulate(model, load_task("arch").motion(model), pp.control.machine_controller("pd"))


HEADINGS = {"t": "t", **{f"{name}{i}": f"{name}{i}" for name in ("q", "torque") for i in range(1, 5)}}


def test_a_log_over_a_simulation_as_an_answer(record: Record) -> None:
    model = pp.load("par4")
    log = Log("own.csv", record.t + 2.0, record.q_meas, record.torque, None, HEADINGS)
    laid = overlay(model, log, record)
    answer = log_answer(model, log, laid, None)
    assert max(answer.table("agreement").column("angle, RMS")) < 1e-6  # pyright: ignore[reportArgumentType, reportOperatorIssue]
    assert answer.table("pose").column("of") == ("machine", "simulation")
    machine, simulation = (np.array(row[1:], dtype=float) for row in answer.table("pose").rows)
    assert machine == pytest.approx(simulation, abs=1e-5)
    assert "2000.0000 ms ahead" in answer.summary["time shift"]
    assert any("no wanted angles" in note for note in answer.notes)
    assert answer.data["aligned_by"] == "measured angles"
    steps = 1e-3 * np.random.default_rng(1).standard_normal(record.q_meas.shape)
    other = replace(log, q=record.q_meas[0] + np.cumsum(steps, axis=0))
    with pytest.raises(ParapickError, match="correlate by"):
        overlay(model, other, record)


def test_a_log_without_torques_or_masses_is_not_compared(record: Record) -> None:
    model = pp.load("par4")
    log = Log("own.csv", record.t, record.q_meas, None, None, HEADINGS)
    assert log_residual(model, log) is None
    assert any("neither torques nor currents" in note for note in log_answer(model, log, None, None).notes)
    assert log_answer(model, log, None, None).table("signals").column("peak") == (None,) * 4


def test_what_the_file_leaves_of_a_log_is_its_friction_and_payload() -> None:
    """Of a machine like the file only friction and payload are left; of one without them, noise."""
    model, log = good("par4")
    left = log_residual(model, log)
    assert left is not None
    assert np.array_equal(left.after, left.before)
    assert (left.rms(left.before) > 0.03 * left.size).all()
    assert left.lead == 0.0


def test_shares_of_a_residual() -> None:
    torque = np.array([[4.0, 1.0], [-8.0, 1.0], [2.0, -2.0]])
    rest = np.array([[1.0, 5.0], [2.0, 5.0], [9.0, 5.0]])
    counted = np.array([[True, False], [True, False], [False, False]])
    log = Log("own.csv", T, wave(T), None, None, {})
    one = Residual(log, T[:3], torque, rest, rest, counted, 0.0)
    assert one.size == pytest.approx([8.0, 2.0])
    assert one.rms(rest) == pytest.approx([np.sqrt(2.5), np.nan], nan_ok=True)
    assert one.peak(rest) == pytest.approx([2.0, 0.0])
