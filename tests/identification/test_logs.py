"""Logs: read by their headings and units, refused in words, laid over simulations."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

import parapick as pp
from parapick.columns import csv_text
from parapick.errors import ParapickError
from parapick.files import UnreadableError
from parapick.identification import Log, LogReading, identify, overlay, read_log, shift_of
from parapick.mcap_table import write_mcap_table
from parapick.parquet import write_table
from parapick.simulation import Record, simulate
from parapick.tasks import load_task

T = 0.002 * np.arange(200)
Q = np.stack([np.sin(3.0 * T + i) for i in range(4)], axis=-1)
TAU = np.stack([10.0 * np.cos(5.0 * T + i) for i in range(4)], axis=-1)
PLAIN = ["t", *(f"q{i}" for i in range(1, 5)), *(f"torque{i}" for i in range(1, 5))]


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., str]:
    """Write a table of numbers as CSV; its path."""

    def written(headings: list[str], columns: np.ndarray) -> str:
        path = tmp_path / "log.csv"
        path.write_text(csv_text(headings, columns))
        return str(path)

    return written


def test_units_stand_in_headings_and_other_columns_hold_anything(tmp_path: Path) -> None:
    path = tmp_path / "scope.csv"
    heads = [
        "Time [ms]",
        *(f"Axis {i} pos [deg]" for i in range(1, 5)),
        *(f"Axis {i} M [N m]" for i in range(1, 5)),
        "State",
    ]
    rows = np.column_stack([1e3 * T, np.degrees(Q), TAU])
    path.write_text(
        ";".join(heads) + "\n" + "".join(";".join(map(repr, row)).replace(".", ",") + ";run\n" for row in rows.tolist())
    )
    given = {"t": "time", "q": "Axis {} pos", "torque": "axis {} m"}
    log = read_log(path, pp.load("par4"), LogReading(given))
    assert log.t == pytest.approx(T)
    assert log.q == pytest.approx(Q)
    assert log.torque == pytest.approx(TAU)
    assert log.headings["q2"] == "Axis 2 pos [deg]"


@pytest.mark.filterwarnings("ignore::parapick.errors.PlausibilityWarning")
def test_motor_side_currents_become_torques_at_the_joints(tmp_path: Path) -> None:
    model = pp.load("fivebar-spindle")
    ratio, constant = np.array([64.0, 64.0, 40.0, 40.0]), (0.1, 0.2, 0.3, 0.4)
    names = {"t": T, **{f"q{i + 1}": -ratio[i] * (Q[:, i] - 0.5) for i in range(4)}}
    names |= {f"current{i + 1} [mA]": -1e3 * TAU[:, i] / (ratio[i] * constant[i]) for i in range(4)}
    path = write_table(names, {}, tmp_path / "drive.parquet")
    log = read_log(path, model, LogReading(side="motor", torque_constant=constant, sign=-1.0, zero=0.5))
    assert log.q == pytest.approx(Q)
    assert log.torque == pytest.approx(TAU)
    with pytest.raises(ParapickError, match="torque_constant: is needed"):
        read_log(path, model, LogReading(side="motor"))


def test_an_mcap_file_is_read_as_any_other(tmp_path: Path) -> None:
    pytest.importorskip("mcap")
    names = {"t": T, **{f"q.{i + 1}": Q[:, i] for i in range(4)}, **{f"torque.{i + 1}": TAU[:, i] for i in range(4)}}
    path = write_mcap_table(names, np.arange(len(T)), {}, tmp_path / "drive.mcap")
    log = read_log(path, pp.load("par4"))
    assert log.t.tolist() == T.tolist()
    assert log.q.tolist() == Q.tolist()
    assert log.torque is not None
    assert log.torque.tolist() == TAU.tolist()
    write_mcap_table(names | {"q.2": np.where(T[70] == T, np.inf, Q[:, 1])}, np.arange(len(T)), {}, path)
    with pytest.raises(UnreadableError, match=r"row 71: q\.2 is nan; it must be a finite number"):
        read_log(path, pp.load("par4"))
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(UnreadableError, match="is not an MCAP file, or a damaged one"):
        read_log(path, pp.load("par4"))
    write_mcap_table({"t": T}, np.arange(len(T)), {}, path)
    with pytest.raises(UnreadableError, match="q"):
        read_log(path, pp.load("par4"))


# Torques as shares of the rated one, as CiA 402 drives log them (object 6077h)


@pytest.mark.filterwarnings("ignore::parapick.errors.PlausibilityWarning")
@pytest.mark.parametrize(
    ("unit", "one"),
    [
        ("%", 0.01),
        ("% of rated", 0.01),
        ("per mille", 1e-3),
        ("\u2030", 1e-3),
        ("0.1 % rated torque", 1e-3),
        ("1/1000", 1e-3),
    ],
)
@pytest.mark.parametrize("side", ["joint", "motor"])
def test_torques_in_shares_of_the_rated_one(
    write: Callable[..., str], unit: str, one: float, side: Literal["joint", "motor"]
) -> None:
    """0.7 and 0.36 N m at the shafts, 64 and 40 turns per turn: always the motor's, wherever angles are counted."""
    model = pp.load("fivebar-spindle")
    rated, ratio = np.array([0.7, 0.7, 0.36, 0.36]), np.array([64.0, 64.0, 40.0, 40.0])
    heads = ["t", *PLAIN[1:5], *(f"Torque actual {i} [{unit}]" for i in range(1, 5))]
    angles = Q * (ratio if side == "motor" else 1.0)
    path = write(heads, np.column_stack([T, angles, TAU / (rated * ratio * one)]))
    log = read_log(path, model, LogReading({"torque": "Torque actual {}"}, side=side))
    assert log.torque == pytest.approx(TAU)
    assert log.q == pytest.approx(Q)
    # The unit may be the user's, where the heading has none.
    plain = write(PLAIN, np.column_stack([T, angles, TAU / (rated * ratio * one)]))
    named = read_log(plain, model, LogReading({"torque": f"torque{{}} [{unit}]"}, side=side))
    assert named.torque == pytest.approx(TAU)


def test_a_share_of_a_rated_torque_that_the_file_does_not_state(write: Callable[..., str]) -> None:
    heads = ["t", *PLAIN[1:5], *(f"torque{i} [per mille]" for i in range(1, 5))]
    path = write(heads, np.column_stack([T, Q, TAU]))
    words = r"torque1 \[per mille\] is in per mille of the rated torque, .* none for motor 1: add drive.rated_torque"
    with pytest.raises(ParapickError, match=words):
        read_log(path, pp.load("par4"))
    # Angles are no shares of anything.
    angles = write(["t", "q1 [%]", *PLAIN[2:]], np.column_stack([T, Q, TAU]))
    with pytest.raises(ParapickError, match="column q1"):
        read_log(angles, pp.load("par4"))


def test_forces_of_linear_motors_in_percent_of_the_rated_one(write: Callable[..., str]) -> None:
    heads = ["t", "q1", "q2", "q3", *(f"force{i} [%]" for i in range(1, 4))]
    path = write(heads, np.column_stack([T, Q[:, :3], TAU[:, :3]]))
    log = read_log(path, pp.load("delta-linear"))
    assert log.torque == pytest.approx(2.2 * TAU[:, :3])


def test_torques_have_a_sign_of_their_own(write: Callable[..., str]) -> None:
    path, model = write(PLAIN, np.column_stack([T, Q, TAU])), pp.load("par4")
    signs = (1.0, -1.0, 1.0, -1.0)
    log = read_log(path, model, LogReading(sign=-1.0, torque_sign=signs))
    assert log.q == pytest.approx(-Q)
    assert log.torque == pytest.approx(-TAU * signs)
    with pytest.raises(ParapickError, match=r"torque_sign: is 0.5; each must be 1 or -1"):
        read_log(path, model, LogReading(torque_sign=0.5))


def test_gaps_and_uneven_samples_are_stated(write: Callable[..., str]) -> None:
    kept = np.r_[0:80, 120:200]
    log = read_log(write(PLAIN, np.column_stack([T, Q, TAU])[kept]), pp.load("par4"))
    assert [(one.start, one.stop) for one in log.stretches] == [(0, 80), (80, 160)]
    assert "1 gap, the first at 0.158 s, the longest 82 ms" in log.notes()[0]
    shaken = T + 2e-4 * np.sin(np.arange(200))
    log = read_log(write(PLAIN, np.column_stack([shaken, Q, TAU])), pp.load("par4"))
    assert log.uneven
    assert any("not evenly spaced" in note for note in log.notes())


def without(*names: str) -> tuple[list[str], np.ndarray]:
    kept = [i for i, name in enumerate(PLAIN) if name not in names]
    return [PLAIN[i] for i in kept], np.column_stack([T, Q, TAU])[:, kept]


def changed(row: int, column: int, value: float) -> tuple[list[str], np.ndarray]:
    table = np.column_stack([T, Q, TAU])
    table[row, column] = value
    return PLAIN, table


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (without("q3"), r"no column 'q3', the angle of motor 3 \(par4 has 4 motors\)\. There are t, q1, q2, q4"),
        ((["t", "q1", "q2", "qq3", *PLAIN[4:]], np.column_stack([T, Q, TAU])), "no column 'q3'.*; perhaps qq3"),
        (without("t"), "no column 't', the time.*There are q1, q2"),
        (without("q1", "q2", "q3", "q4"), "the angle of motor 1.*There are t, torque1"),
        (([*PLAIN, "q5"], np.column_stack([T, Q, TAU, T])), "has a column 'q5'; par4 has 4 motors"),
        (changed(50, 2, np.nan), "line 52: q2 is 'nan'; it must be a finite number"),
        (changed(50, 0, 0.0), "t goes from 0.098 to 0 s at sample 51; times must rise"),
        ((["t", "q1 [kg]", *PLAIN[2:]], np.column_stack([T, Q, TAU])), "column q1.*not an angle"),
        ((PLAIN, np.column_stack([T, Q, TAU])[:20]), "has 20 samples; a log has at least"),
    ],
)
def test_what_is_no_log_is_refused_in_words(
    write: Callable[..., str], table: tuple[list[str], np.ndarray], message: str
) -> None:
    with pytest.raises(ParapickError, match=message):
        read_log(write(*table), pp.load("par4"))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"angle": "q1"}, "column angle: is not a signal of a log; valid are t, q, torque"),
        ({"q": "q1"}, "has no {} in the place of the motor's number"),
        ({"q7": "q1"}, "is of motor 7; there are 4 motors"),
        ({"q": "Axis {}"}, "no column 'axis 1', the angle of motor 1"),
    ],
)
def test_columns_that_are_named_wrongly(write: Callable[..., str], given: dict[str, str], message: str) -> None:
    with pytest.raises(ParapickError, match=message):
        read_log(write(PLAIN, np.column_stack([T, Q, TAU])), pp.load("par4"), LogReading(given))


# Clocks, and simulations


def test_the_shift_of_a_clock_is_found_below_a_sample() -> None:
    wave = np.stack([np.sin(9.0 * T) * T, np.cos(7.0 * T + T * T)], axis=-1)
    fine = np.linspace(0.05, 0.35, 777)
    other = np.stack([np.sin(9.0 * fine) * fine, np.cos(7.0 * fine + fine * fine)], axis=-1)
    # A joint may be counted from elsewhere.
    found = shift_of(fine + 12.34567, other + 0.3, T, wave, "this")
    assert found.time == pytest.approx(12.34567, abs=2e-6)
    assert found.correlation > 0.999
    with pytest.raises(ParapickError, match=r"correlate by .* at best.*another motion, or its joints are counted"):
        shift_of(fine, -other, T, wave, "this")
    with pytest.raises(ParapickError, match="nothing moves"):
        shift_of(fine, 0.0 * other, T, wave, "this")


@pytest.fixture(scope="module")
def record() -> Record:
    model = pp.load("par4")
    return simulate(model, load_task("arch").motion(model), pp.control.machine_controller("pd"))


def test_a_log_that_is_the_simulation_agrees_with_it(record: Record) -> None:
    log = Log("own", record.t[::3] + 5.0, record.q_meas[::3], record.torque[::3], None, {})
    laid = overlay(pp.load("par4"), log, record)
    assert laid.shift.time == pytest.approx(5.0, abs=1e-7)
    assert laid.aligned == "measured angles"
    assert max(one.rms for one in laid.angles()) < 1e-6
    assert min(one.correlation for one in laid.torques()) > 0.999999
    # The plate by the encoders of the machine is where it was.
    exact = np.column_stack([np.interp(laid.t, record.t, one) for one in record.error.T])
    # Its encoders have 20 bits, which are 2 um and 20 urad of yaw at the plate.
    assert laid.error[:, :3] == pytest.approx(exact[:, :3], abs=5e-6)
    assert laid.error[:, 3] == pytest.approx(exact[:, 3], abs=5e-5)


def test_wanted_angles_tell_the_clock_where_there_are_any(record: Record) -> None:
    """A machine that is 3 ms later than the simulation shows it, if the log says what was wanted when."""
    late = np.column_stack([np.interp(record.t - 0.003, record.t, one) for one in record.q_meas.T])
    log = Log("late", record.t + 1.0, late, None, record.q_ref, {})
    laid = overlay(pp.load("par4"), log, record)
    assert laid.shift.time == pytest.approx(1.0, abs=1e-6)
    assert laid.torques() == ()
    moved = np.abs(record.qd).max(axis=0)
    assert max(one.peak for one in laid.angles()) == pytest.approx(0.003 * moved.max(), rel=0.1)


@pytest.mark.filterwarnings("ignore::parapick.errors.PlausibilityWarning")
def test_a_log_of_another_robot_or_working_mode_is_refused(record: Record) -> None:
    """As many motors, other arms: the angles either close on no pose, or on one with other elbows."""
    log = Log("par4.csv", record.t, record.q_meas, record.torque, None, {})
    for model in (pp.load("fivebar-spindle"), pp.load("par4").with_working_mode("inward")):
        with pytest.raises(ParapickError, match=r"par4.csv: at t .* s the joint angles (belong|are not those)"):
            identify(model, log)
