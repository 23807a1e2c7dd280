"""Delays that are planted in simulated machines and measured from their logs; logs that tell none say why."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from parapick.control import Controller, DelayLedger, PlantChanges, TaskSpaceID, ledger_of
from parapick.identification import Log, lateness, log_delays, read_log
from parapick.identification.lateness import LATE_MAX
from parapick.identification.log_delays import ANGLE, ASKED, LOGGED, MOTION, WANTED, LogDelay
from parapick.motion import Motion
from parapick.motion.route import Route, by_law
from parapick.simulation import Record, simulate
from simulation.cases import delta

BUS = 4000.0
"""Rate of the log (Hz)."""

FINE = 100_000.0
"""Control rate (Hz) of loops whose delay is a multiple of 10 us; they are logged at the rate of the bus."""

NEAR = 5e-6
"""What a delay is measured to (s)."""

LAW = TaskSpaceID.from_poles(20.0, 0.8)
MACHINE = Controller(LAW, rate=BUS, delay=1, encoder=2**20, plant=PlantChanges(friction=True))


@cache
def swept() -> Motion:
    """A smooth motion of all three axes from rest to rest: sampling shows where torques are, not where they jump."""
    t = np.linspace(0.0, 1.2, 601)
    shapes = np.column_stack([np.sin(23.0 * t), np.sin(31.0 * t + 1.0), 0.5 * np.sin(41.0 * t)])
    x = np.array(delta().robot.home) + 0.06 * np.sin(np.pi * t / 1.2)[:, None] ** 4 * shapes
    return by_law(Route.through(t, x))


@cache
def ran(delay: int, rate: float = BUS, lag: float | None = None) -> tuple[Record, DelayLedger]:
    """A record, and the ledger of what made it."""
    fine = rate == FINE
    plant = replace(MACHINE.plant, substeps=1 if fine else None)
    # Differences of encoder steps over 10 us are all noise: such a loop gets exact angles, and its log the steps.
    encoder = None if fine else MACHINE.encoder
    controller = replace(MACHINE, rate=rate, delay=delay, lag=lag, encoder=encoder, plant=plant)
    return simulate(delta(), swept(), controller), ledger_of(controller)


def logged(record: Record, noise: float = 0.0, seed: int = 0, *, exact: bool = False) -> Log:
    """What a drive logs of a record at the rate of the bus, torques with noise of a share of their peak.

    A controller knows the torque that it asks for as a number, so that it may be logged exactly.
    """
    thin = slice(None, None, round(record.rate / BUS))
    random = np.random.default_rng(seed)

    def noisy(torque: np.ndarray) -> np.ndarray:
        size = noise * np.abs(torque).max(axis=0)
        return torque[thin] + size * random.standard_normal(torque[thin].shape)

    command = np.clip(record.command, -record.torque_max, record.torque_max)
    command = command[thin] if exact else noisy(command)
    torque = noisy(record.torque)
    step = 2.0 * np.pi / (MACHINE.encoder * delta().motors.ratio)
    angles = step * np.round(record.q_meas[thin] / step)
    return Log("log.csv", record.t[thin], angles, torque, record.q_ref[thin], {}, command=command)


def told(log: Log, ledger: DelayLedger | None = None) -> dict[tuple[str, str], LogDelay]:
    """Delays of a log by their two signals."""
    return {(one.source, one.target): one for one in log_delays(delta(), log, ledger)}


def planted(delay: int, rate: float, lag: float | None, noise: float) -> tuple[LogDelay, LogDelay, DelayLedger]:
    record, ledger = ran(delay, rate, lag)
    delays = told(logged(record, noise, exact=True), ledger)
    return delays[ASKED, LOGGED], delays[ASKED, MOTION], ledger


# Planted at steps of 10 us, in the dead time and in the lag


@pytest.mark.parametrize("steps", [37, 38, 39])
def test_dead_times_at_steps_of_10_us_are_measured_to_5_us(steps: int) -> None:
    direct, motion, ledger = planted(steps, FINE, None, 0.002)
    assert ledger.torque == pytest.approx(steps * 1e-5 + 0.5e-5)
    assert direct.measured.time == pytest.approx(steps * 1e-5, abs=NEAR)
    assert motion.measured.time == pytest.approx(ledger.torque, abs=NEAR)
    assert direct.agrees is motion.agrees is True


@pytest.mark.parametrize("lag", [2.0e-4, 2.1e-4, 2.2e-4])
def test_lags_at_steps_of_10_us_are_measured_to_5_us(lag: float) -> None:
    direct, motion, ledger = planted(2, BUS, lag, 0.002)
    assert ledger.torque == pytest.approx(2.5 / BUS + lag)
    assert motion.measured.time == pytest.approx(ledger.torque, abs=NEAR)
    assert direct.measured.time == pytest.approx(ledger.logged[0], abs=NEAR)


@pytest.mark.soak
@pytest.mark.parametrize("steps", range(0, 100, 1))
def test_every_dead_time_up_to_a_millisecond_is_measured_to_5_us(steps: int) -> None:
    direct, motion, ledger = planted(steps, FINE, None, 0.002)
    assert direct.measured.time == pytest.approx(steps * 1e-5, abs=NEAR)
    assert motion.measured.time == pytest.approx(ledger.torque, abs=NEAR)


@pytest.mark.parametrize("delay", [0, 1, 3])
def test_the_sum_of_the_ledger_is_what_a_run_is_late_to_ten_nanoseconds(delay: int) -> None:
    """Without noise, friction and encoder steps: the torque acts as much later as the ledger says."""
    controller = replace(MACHINE, delay=delay, encoder=None, plant=PlantChanges(friction=False))
    record = simulate(delta(), swept(), controller)
    log = Log("log.csv", record.t, record.q_meas, None, None, {}, command=record.command)
    (one,) = log_delays(delta(), log, ledger_of(controller))
    assert one.expected == pytest.approx((delay + 0.5) / BUS)
    assert one.measured.time == pytest.approx(one.expected, abs=1e-8)


def test_more_noise_makes_the_interval_wider_until_nothing_is_told() -> None:
    record, ledger = ran(2, BUS, 2e-4)
    halves = []
    for noise in (0.0, 0.005):
        delays = told(logged(record, noise, seed=3), ledger)
        for pair in ((ASKED, LOGGED), (ASKED, MOTION)):
            one = delays[pair]
            assert abs(one.measured.time - one.expected) <= one.measured.half + NEAR, (noise, pair)
        halves.append(delays[ASKED, MOTION].measured.half)
    assert halves[1] > 1.5 * halves[0]
    assert not told(logged(record, 0.1, seed=3), ledger)[ASKED, MOTION].measured.told


def test_coarse_encoders_give_a_wide_interval_not_a_wrong_number() -> None:
    record, ledger = ran(2, BUS, 2e-4)
    step = 2.0 * np.pi / 2**13
    log = logged(record, 0.002)
    coarse = replace(log, q=step * np.round(log.q / step))
    fine, rough = (told(one, ledger)[ASKED, MOTION].measured for one in (log, coarse))
    assert fine.told
    assert not rough.told or rough.half > 2.0 * fine.half
    assert not rough.told or abs(rough.time - ledger.torque) <= rough.half + NEAR


def test_a_machine_that_is_later_than_its_file_is_said_to_be() -> None:
    record, _ = ran(3)
    stated = ledger_of(replace(MACHINE, delay=2))
    delays = told(logged(record, 0.002), stated)
    for pair in ((ASKED, LOGGED), (ASKED, MOTION)):
        assert delays[pair].agrees is False
        assert delays[pair].measured.time - delays[pair].expected == pytest.approx(1.0 / BUS, abs=NEAR)


def test_a_log_without_what_was_asked_for_tells_the_rest_of_the_ledger() -> None:
    record, ledger = ran(2)
    delays = told(replace(logged(record, 0.002), command=None), ledger)
    assert set(delays) == {(LOGGED, MOTION), (WANTED, ANGLE)}
    rest = delays[LOGGED, MOTION]
    assert rest.expected == pytest.approx(0.5 / BUS)
    assert rest.measured.time == pytest.approx(rest.expected, abs=NEAR)


def test_what_a_loop_makes_of_its_reference_is_compared_with_its_simulation() -> None:
    record, ledger = ran(2)
    (one,) = [one for one in log_delays(delta(), logged(record), ledger, record) if one.target == ANGLE]
    assert one.by == "simulation"
    assert one.agrees
    later = replace(logged(record), q=np.roll(record.q_meas, 4, axis=0))
    (one,) = [one for one in log_delays(delta(), later, ledger, record) if one.target == ANGLE]
    assert one.measured.time - one.expected == pytest.approx(4.0 / BUS, rel=0.05)


def test_a_fraction_planted_in_the_time_base_of_the_log_is_found() -> None:
    """Angles that are stamped 130 us too late."""
    from scipy.interpolate import CubicSpline

    record, _ = ran(1)
    log, step = logged(record), 2.0 * np.pi / (MACHINE.encoder * delta().motors.ratio)
    late = CubicSpline(record.t, record.q)(np.clip(record.t - 1.3e-4, record.t[0], None))
    stamped = replace(log, q=step * np.round(late / step))
    before, after = (told(one)[ASKED, MOTION].measured.time for one in (log, stamped))
    assert after - before == pytest.approx(1.3e-4, abs=NEAR)


# Logs that tell nothing


T = np.arange(4000) / BUS
SMOOTH = np.column_stack([np.sin(20.0 * T**1.5 + k) + 0.3 * np.sin(97.0 * T) for k in range(3)])


def later(values: np.ndarray, samples: int) -> np.ndarray:
    return np.concatenate([np.repeat(values[:1], samples, axis=0), values])[: len(values)]


def test_a_shift_by_hand_is_found_whatever_gain_and_zero() -> None:
    measured = lateness(T, SMOOTH, -0.0 + 2.5 * later(SMOOTH, 7) + np.array([1.0, 0.0, -3.0]))
    assert measured.time == pytest.approx(7.0 / BUS, abs=1e-8)
    assert lateness(T, SMOOTH, SMOOTH).time == pytest.approx(0.0, abs=1e-9)
    assert lateness(T, later(SMOOTH, 7), SMOOTH).time == pytest.approx(-7.0 / BUS, abs=1e-8)


@pytest.mark.parametrize(
    ("x", "y", "why"),
    [
        (SMOOTH, 0.0 * SMOOTH, "one of the two never changes"),
        (np.full_like(SMOOTH, 3.0), SMOOTH, "one of the two never changes"),
        (SMOOTH, later(SMOOTH, 3999), "one of the two never changes"),
        (SMOOTH, later(SMOOTH, int(3.0 * LATE_MAX * BUS)), "do not agree at any delay up to 50 ms"),
        (SMOOTH, -SMOOTH, "do not agree"),
        (SMOOTH, np.random.default_rng(0).standard_normal(SMOOTH.shape), "do not agree"),
        (np.sin(600.0 * T)[:, None], np.sin(600.0 * (T - 1e-3))[:, None], "repeat themselves: it could be"),
        (SMOOTH[:300], SMOOTH[:300], "the log is too short"),
        (SMOOTH, np.clip(SMOOTH, -0.05, 0.05), "at their limit nearly all the time"),
    ],
)
def test_signals_that_tell_no_delay(x: np.ndarray, y: np.ndarray, why: str) -> None:
    measured = lateness(T[: len(x)], x, y)
    assert not measured.told
    assert why in measured.why
    assert np.isnan(measured.time)


def test_a_delay_longer_than_what_is_looked_for_is_none() -> None:
    slow = np.sin(9.0 * T**1.2)[:, None]
    measured = lateness(T, slow, later(slow, round(1.3 * LATE_MAX * BUS)))
    assert not measured.told
    assert "longer than the 50 ms" in measured.why or "do not agree" in measured.why


def test_torques_that_come_before_they_are_asked_for_are_not_believed() -> None:
    record, ledger = ran(3)
    log = logged(record, 0.002)
    swapped = told(replace(log, torque=log.command, command=log.torque), ledger)
    assert "before: columns are exchanged" in swapped[ASKED, LOGGED].measured.why
    assert swapped[ASKED, LOGGED].agrees is None


@pytest.mark.parametrize("dead", ["command", "torque", "q"])
def test_a_dead_channel_gives_no_number(dead: str) -> None:
    log = logged(ran(2)[0], 0.002)
    still = replace(log, **{dead: np.repeat(getattr(log, dead)[:1], len(log.t), axis=0)})
    delays = told(still)
    silent = {"command": [(ASKED, LOGGED), (ASKED, MOTION)], "torque": [(ASKED, LOGGED)]}
    for pair in silent.get(dead, [(ASKED, MOTION), (WANTED, ANGLE)]):
        assert not delays[pair].measured.told, pair
        assert delays[pair].measured.why


def test_a_log_of_another_robot_tells_no_motion() -> None:
    log = logged(ran(2)[0], 0.002)
    mixed = told(replace(log, command=-log.command))
    assert "the model leaves" in mixed[ASKED, MOTION].measured.why
    assert "do not agree" in mixed[ASKED, LOGGED].measured.why


def test_a_robot_without_masses_tells_what_needs_none() -> None:
    record, ledger = ran(2)
    robot = delta().robot
    bare = pp.Model(replace(robot, plate=replace(robot.plate, mass=None)))
    delays = {one.target: one for one in log_delays(bare, logged(record), ledger)}
    assert "has no masses" in delays[MOTION].measured.why
    assert delays[LOGGED].measured.time == pytest.approx(2.0 / BUS, abs=1e-8)


def test_uneven_samples_are_put_on_an_even_grid() -> None:
    record, _ = ran(2)
    log = logged(record)
    kept = np.sort(np.random.default_rng(0).choice(len(log.t), len(log.t) * 9 // 10, replace=False))
    jitter = replace(log, t=log.t + 2e-5 * np.sin(np.arange(len(log.t))))
    assert jitter.uneven
    assert told(jitter)[ASKED, LOGGED].measured.time == pytest.approx(2.0 / BUS, abs=NEAR)
    holes = Log("log.csv", log.t[kept], log.q[kept], log.torque[kept], None, {}, command=log.command[kept])
    assert not told(holes)[ASKED, LOGGED].measured.told


def test_a_record_that_is_written_and_read_again_has_what_was_asked_for(tmp_path: Path) -> None:
    from parapick.export import write_csv

    record, ledger = ran(2)
    log = read_log(write_csv(record, tmp_path / "run.csv"), delta())
    assert log.command == pytest.approx(record.command)
    assert told(log, ledger)[ASKED, LOGGED].agrees
