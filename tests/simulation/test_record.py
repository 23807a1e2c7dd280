"""Records and their summaries, on signals made by hand and on loops that end early."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from loops import looped
from parapick.control import PD, ComputedTorque, SensedPose, SensedRates
from parapick.errors import ParameterError
from parapick.motion import Phase
from parapick.simulation import Record, by_phase, simulate, summary, torque_shares
from parapick.simulation.record import Saturation
from simulation.cases import SERVO, TSID, cycle, delta

T = 8


def made(**changes: object) -> Record:
    """A record of eight samples at 10 Hz that goes along x at 1 m/s, then rests."""
    zeros = np.zeros((T, 3))
    x_ref, xd_ref = zeros.copy(), zeros.copy()
    x_ref[:, 0], xd_ref[:5, 0] = 0.1 * np.minimum(np.arange(T), 5), 1.0
    whole = Record(
        robot="made",
        law="pd",
        engine="native",
        rate=10.0,
        substeps=1,
        task_names=("x", "y", "z"),
        torque_max=np.array([1.0, 2.0, np.inf]),
        speed_max=np.full(3, np.inf),
        phases=(Phase("go", 0.0, 0.4), Phase("rest", 0.5, 0.7), Phase("late", 5.0, 6.0)),
        t=np.arange(T) / 10.0,
        x_ref=x_ref,
        xd_ref=xd_ref,
        xdd_ref=zeros,
        q_ref=zeros,
        qd_ref=zeros,
        x=x_ref,
        xd=xd_ref,
        q=zeros,
        qd=zeros,
        q_meas=zeros,
        estimate={},
        command=zeros,
        torque=zeros,
        friction=zeros,
        terms={},
    )
    return dataclasses.replace(whole, **changes)


def test_errors_along_and_across_the_path() -> None:
    record = made()
    record = dataclasses.replace(record, x=record.x_ref + np.array([3e-3, 4e-3, 0.0]))
    np.testing.assert_allclose(record.error, np.broadcast_to([3e-3, 4e-3, 0.0], (T, 3)), atol=1e-15)
    np.testing.assert_allclose(record.distance, 5e-3)
    np.testing.assert_allclose(record.path_normal, [4e-3] * 5 + [5e-3] * 3)


def test_saturation_is_told_in_intervals() -> None:
    command = np.zeros((T, 3))
    command[[0, 1, 4], 0], command[6:, 1], command[:, 2] = (1.5, -1.5, 1.1), 2.5, 1e9
    record = made(command=command)
    found = record.saturations
    assert [item.joint for item in found] == [1, 1, 2]
    np.testing.assert_allclose([(item.start, item.end) for item in found], [(0.0, 0.2), (0.4, 0.5), (0.6, 0.8)])
    assert isinstance(found[0], Saturation)
    np.testing.assert_allclose(summary(record).saturated, [0.3, 0.2, 0.0])


def test_summary_by_phase() -> None:
    error = np.array([0, 1, -2, 1, 0, 0, 3, -1.0])[:, None] * [0.0, 1e-3, 0.0]
    record = made()
    record = dataclasses.replace(record, x=record.x_ref + error)
    whole, moving = summary(record), summary(record, "go")
    assert (whole.error["y"].value, whole.error["y"].time) == pytest.approx((3e-3, 0.6))
    assert (moving.error["y"].value, moving.error["y"].peak) == pytest.approx((-2e-3, 2e-3))
    assert moving.error["y"].rms == pytest.approx(np.sqrt(6 / 5) * 1e-3)
    assert moving.path_normal.rms == pytest.approx(moving.error["y"].rms)
    assert (moving.start, moving.end) == (0.0, 0.4)
    with pytest.raises(ParameterError, match="no recorded phase is called 'stay'; the motion has go, rest, late"):
        summary(record, "stay")
    with pytest.raises(ParameterError, match="late"):
        summary(record, "late")
    assert [item.phase for item in by_phase(record)] == ["go", "rest"]


def test_shares_of_torque() -> None:
    terms = {"tau_p": np.tile([3.0, 0.0, 0.0], (T, 1)), "tau_d": np.tile([-1.0, 2.0, 0.0], (T, 1))}
    shares = torque_shares(made(terms=terms))
    np.testing.assert_allclose(shares["tau_p"], [0.75, 0.0, 0.0])
    np.testing.assert_allclose(shares["tau_d"], [0.25, 1.0, 0.0])


def test_reference_and_phases_are_those_of_the_motion() -> None:
    record = looped(delta(), cycle(), SERVO, cycles=2, settle=0.1)
    motion = cycle().repeated(2).held(0.1)
    np.testing.assert_array_equal(record.x_ref, motion.at(record.t).x)
    np.testing.assert_allclose(record.q_ref, delta().inverse_kinematics(record.x_ref), atol=1e-15)
    np.testing.assert_allclose(record.q, delta().inverse_kinematics(record.x), atol=1e-12)
    np.testing.assert_allclose(record.qd, delta().joint_rates(record.x, record.xd), atol=1e-9)
    assert record.t[-1] == pytest.approx(motion.duration, abs=1 / record.rate)
    assert len(record.phases) == len(motion.phases)
    first, second = (record.error[record.between(k * 0.4 + 0.2, k * 0.4 + 0.4)] for k in (0, 1))
    np.testing.assert_allclose(first, second, atol=2e-5)


def test_a_plant_that_differs_shows_in_the_error() -> None:
    exact = summary(looped(delta(), cycle(), TSID)).distance.peak
    heavier = summary(looped(delta(), cycle(), TSID, plant=delta().with_payload(0.5))).distance.peak
    longer = looped(delta(), cycle(), TSID, plant=delta().with_parameters({"limb.rod_length": 0.802}))
    lumped = summary(looped(delta(), cycle(), TSID, plant=delta().with_rod_model("halves"))).distance.peak
    assert heavier > 1.5 * exact
    assert abs(lumped / exact - 1) > 0.05
    # Encoders cannot see a rod of another length: the plate hangs about 2 mm lower than the controller believes.
    assert np.mean(longer.error[:, 2]) < -1.5e-3
    later = longer.t > 0.1
    np.testing.assert_allclose(longer.estimate["x"][later], longer.x_ref[later], rtol=0, atol=1e-3)


def test_what_a_motion_carries_may_be_unknown_to_the_controller() -> None:
    loaded = cycle().carrying(0.8, 0.1, 0.3)
    known, unknown = (looped(delta(), loaded, TSID, payload_known=known) for known in (True, False))
    assert np.max(unknown.distance) > 1.5 * np.max(known.distance)
    bare = looped(delta(), cycle(), TSID)
    np.testing.assert_array_equal(known.x[known.t < 0.1], bare.x[bare.t < 0.1])
    assert np.max(np.abs(known.torque - bare.torque)) > 1.0


def test_start_beside_the_reference() -> None:
    record, bare = (looped(delta(), cycle(), TSID, offset=offset) for offset in ((1e-3, 0.0, -1e-3), None))
    np.testing.assert_allclose(record.error[0], [1e-3, 0.0, -1e-3], atol=1e-12)
    np.testing.assert_allclose(record.x[-1], bare.x[-1], rtol=0, atol=1e-8)


def test_a_diverging_loop_ends_at_its_last_good_sample() -> None:
    law = ComputedTorque(955.0, 1000.0, velocity=SensedRates(), pose=SensedPose())
    stable = looped(delta(), cycle(), law, rate=1 / 0.00175, torque_max=None, offset=(1e-4, 0.0, 0.0))
    assert stable.completed
    record = looped(delta(), cycle(), law, rate=1 / 0.00225, torque_max=None, offset=(1e-4, 0.0, 0.0))
    assert not record.completed
    assert record.divergence is not None
    assert record.divergence.time == record.t[-1] < cycle().duration - 0.01
    assert record.divergence.quantity.startswith("leg ")
    assert "no longer close" in record.divergence.message
    for values in (record.x, record.xd, record.command, record.torque, *record.terms.values()):
        assert np.all(np.isfinite(values))
        assert len(values) == len(record.t)


def test_divergence_is_told_alike_in_python() -> None:
    law = PD(4e6, 50.0)
    native = looped(delta(), cycle(), law, rate=1000.0, torque_max=None, offset=(1e-4, 0.0, 0.0))
    python = looped(delta(), cycle(), law, rate=1000.0, torque_max=None, offset=(1e-4, 0.0, 0.0), engine="python")
    assert native.divergence is not None
    assert native.divergence == python.divergence


def test_it_shows_itself_in_a_line_and_in_a_small_table() -> None:
    record = simulate(delta(), cycle(), TSID)
    assert len(repr(record)) < 120
    assert "delta-nr under tsid" in repr(record)
    page = record._repr_html_()
    assert len(page) < 5000
    for text in ("distance", "across the path", f"{1e3 * record.distance.max():.4g}"):
        assert text in page


def test_some_rows_of_a_record_are_those_of_every_signal() -> None:
    """Also where there are as many samples as motors, and of a drive train's rotors."""
    motor = {"q_motor": np.arange(3.0 * T).reshape(T, 3)}
    record = made(terms={"tau_p": np.ones((T, 3))}, motor=motor)
    for chosen in (slice(2, 5), np.arange(T) > 4, np.array([0, 3, 1])):
        part = record.rows(chosen)
        count = len(record.t[chosen])
        assert len(part.t) == len(part.x) == len(part.terms["tau_p"]) == count
        np.testing.assert_array_equal(part.motor["q_motor"], motor["q_motor"][chosen])
        np.testing.assert_array_equal(part.torque_max, record.torque_max)
        assert part.phases == record.phases
    few = record.rows(slice(0, 3))
    np.testing.assert_array_equal(few.rows(slice(1, 2)).speed_max, record.speed_max)
