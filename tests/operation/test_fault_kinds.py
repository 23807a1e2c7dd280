"""The table of faults: what every row does to the rows of its stages, by hand, and what it does not touch."""

from __future__ import annotations

import inspect
from dataclasses import fields

import numpy as np
import pytest

import parapick as pp
from parapick.errors import ParameterError
from parapick.operation import InjectedFault, UnknownFaultError, fault_from
from parapick.operation.fault_kinds import FAULT_KINDS, ActingFault, ChannelRows, FaultSize, PathRows, SignalRows, act
from parapick.operation.onset import Onset
from parapick.supervision import Event

T, MOTORS, DOF = 6, 3, 4
RATE = 100.0
STAGES = ("path", "encoder", "drive", "load", "force", "signals")


def acting(kind: str, size: float = 0.0, target: int = 1, value: np.ndarray | None = None) -> ActingFault:
    """A fault that acts at samples 2 and 3 of six, which begin at sample 10 of the run."""
    onset = Onset(InjectedFault(kind, 0.1, target, size), 12, 14, value)
    return onset.over(10 + np.arange(T), RATE)


def channel(kind: str, stage: str, **settings: object) -> ChannelRows:
    rows = ChannelRows(np.ones((T, MOTORS)), np.zeros((T, MOTORS)))
    act(getattr(FAULT_KINDS[kind], stage), rows, acting(kind, **settings))
    return rows


ACTIVE = np.array([0.0, 0.0, 1.0, 1.0, 0.0, 0.0])


@pytest.mark.parametrize(
    ("kind", "stage", "settings", "share", "offset"),
    [
        ("encoder", "encoder", {"value": np.array([1.0, 2.0, 3.0])}, 0.0, 2.0),
        ("encoder-jump", "encoder", {"size": 0.3}, 1.0, 0.3),
        ("motor", "drive", {"size": 0.4}, 0.6, 0.0),
        ("motor-stuck", "drive", {"size": -7.0}, 0.0, -7.0),
        ("drive", "drive", {}, 0.0, 0.0),
    ],
)
def test_channels_of_one_motor(kind: str, stage: str, settings: dict, share: float, offset: float) -> None:
    rows = channel(kind, stage, **settings)
    np.testing.assert_allclose(rows.share[:, 1], np.where(ACTIVE, share, 1.0))
    np.testing.assert_allclose(rows.offset[:, 1], offset * ACTIVE)
    for other in (0, 2):
        np.testing.assert_array_equal(rows.share[:, other], 1.0)
        np.testing.assert_array_equal(rows.offset[:, other], 0.0)


def test_torques_that_come_too_late_are_held_at_every_motor() -> None:
    torque = np.array([5.0, -6.0, 7.0])
    rows = channel("deadline", "drive", value=torque, target=-1, size=2.0)
    np.testing.assert_array_equal(rows.offset, np.outer(ACTIVE, torque))
    np.testing.assert_array_equal(rows.share, np.outer(1.0 - ACTIVE, np.ones(MOTORS)))


@pytest.mark.parametrize(("kind", "stage"), [("encoder", "encoder"), ("deadline", "drive")])
def test_a_value_that_is_not_known_yet_is_not_repeated(kind: str, stage: str) -> None:
    rows = channel(kind, stage)
    assert (rows.share == 1.0).all()
    assert (rows.offset == 0.0).all()


def test_paths() -> None:
    def path(kind: str, size: float) -> PathRows:
        rows = PathRows(np.arange(T) / RATE, np.ones(T), np.zeros((T, DOF)), np.zeros((T, DOF)))
        act(FAULT_KINDS[kind].path, rows, acting(kind, size))
        return rows

    lasted = np.array([0.0, 0.0, 0.0, 1.0, 2.0, 2.0]) / RATE
    hurried = path("pace", 3.0)
    np.testing.assert_allclose(hurried.s, np.arange(T) / RATE + 2.0 * lasted)
    np.testing.assert_allclose(hurried.pace, 1.0 + 2.0 * ACTIVE)
    drifting = path("drift", 0.5)
    np.testing.assert_allclose(drifting.shift[:, 1], 0.5 * lasted)
    np.testing.assert_allclose(drifting.shift_rate[:, 1], 0.5 * ACTIVE)
    jumped = path("reference", 0.02)
    np.testing.assert_allclose(jumped.shift[:, 1], 0.02 * ACTIVE)
    assert (jumped.shift_rate == 0.0).all()
    for rows in (drifting, jumped):
        assert (rows.pace == 1.0).all()
        assert (rows.shift[:, [0, 2, 3]] == 0.0).all()


def test_loads_and_forces() -> None:
    carried = np.tile([2.0, 0.1, 0.2, 0.3, 0.4], (T, 1))
    heavier, lost, force = carried.copy(), carried.copy(), np.zeros((T, DOF))
    act(FAULT_KINDS["payload"].load, heavier, acting("payload", 5.0))
    np.testing.assert_allclose(heavier[:, 0], 2.0 + 5.0 * ACTIVE)
    np.testing.assert_array_equal(heavier[:, 1:], carried[:, 1:])
    act(FAULT_KINDS["drop"].load, lost, acting("drop"))
    np.testing.assert_allclose(lost, carried * (1.0 - ACTIVE)[:, None])
    act(FAULT_KINDS["collision"].force, force, acting("collision", 200.0))
    np.testing.assert_allclose(force, np.outer(ACTIVE, [0.0, 200.0, 0.0, 0.0]))


def test_signals() -> None:
    def signals(kind: str) -> SignalRows:
        late, emergency = np.zeros((2, T), dtype=bool)
        rows = SignalRows(late, np.zeros((T, MOTORS), dtype=bool), emergency)
        act(FAULT_KINDS[kind].signals, rows, acting(kind))
        return rows

    np.testing.assert_array_equal(signals("emergency").emergency, ACTIVE > 0)
    np.testing.assert_array_equal(signals("drive").dead, np.outer(ACTIVE, [0, 1, 0]) > 0)
    # That a torque came too late is seen one sample later.
    np.testing.assert_array_equal(signals("deadline").late, np.roll(ACTIVE, 1) > 0)
    assert not signals("emergency").late.any()


def test_only_the_stop_is_a_command() -> None:
    assert {name: kind.command for name, kind in FAULT_KINDS.items() if kind.command is not None} == {
        "stop": Event.STOP
    }
    assert InjectedFault("stop", 0.1).command
    assert not InjectedFault("drop", 0.1).command


def test_every_row_does_something_and_is_what_its_name_says() -> None:
    names = {field.name for field in fields(FAULT_KINDS["stop"])}
    assert {*STAGES, "command"} <= names
    for name, kind in FAULT_KINDS.items():
        effects = [stage for stage in STAGES if getattr(kind, stage) is not None]
        assert kind.name == name
        assert effects or kind.command is not None
        assert kind.inside == bool({"encoder", "drive"} & {*effects})
        # What it repeats is recorded at the stage at which it acts.
        assert {"": True, "q_meas": "encoder" in effects, "torque": "drive" in effects}[kind.repeats]
        assert kind.size is None or kind.size.within_peak or kind.size.admits(kind.size.default)


def test_no_other_file_asks_which_kind_a_fault_is() -> None:
    from parapick.operation import run_answer, run_log, run_loop, state_reference, supervising

    for module in (run_answer, run_log, run_loop, state_reference, supervising):
        text = inspect.getsource(module)
        assert ".kind ==" not in text
        assert ".kind in" not in text


def test_how_long_a_fault_lasts() -> None:
    assert InjectedFault("drive", 0.1, 0, duration=0.25).samples(RATE) == 25
    assert InjectedFault("deadline", 0.1, size=7.0).samples(RATE) == 7
    assert InjectedFault("drive", 0.1, 0).samples(RATE) > 1e7


@pytest.mark.parametrize(
    ("size", "admitted", "refused"),
    [
        (FaultSize(1.0), (-2.0, 0.0, 5.0), (np.nan,)),
        (FaultSize(1.0, above=0.0, at_most=1.0), (0.1, 1.0), (0.0, 1.1, -1.0)),
        (FaultSize(5.0, above=0.0, in_samples=True), (1.0, 12.0), (0.0, 2.5, np.inf)),
    ],
)
def test_sizes(size: FaultSize, admitted: tuple[float, ...], refused: tuple[float, ...]) -> None:
    assert all(size.admits(value) for value in admitted)
    assert not any(size.admits(value) for value in refused)


def test_a_size_has_the_unit_of_its_target() -> None:
    linear, par4 = pp.load("delta-linear"), pp.load("par4")
    assert fault_from("encoder-jump:1=5mm@0.1", linear).size == pytest.approx(5e-3)
    assert fault_from("encoder-jump:1=1deg@0.1", par4).size == pytest.approx(np.pi / 180.0)
    assert fault_from("collision:yaw=3Nm@0.1", par4).size == 3.0
    assert fault_from("drift:yaw=2rad/s@0.1", par4).size == 2.0
    with pytest.raises(ParameterError, match=r"greater than 0"):
        fault_from("pace=-1@0.1", par4)


def test_a_fault_of_no_kind_is_refused_wherever_it_is_used() -> None:
    with pytest.raises(UnknownFaultError, match="no fault is called 'rust'"):
        _ = InjectedFault("rust", 0.1).row


def test_a_bare_size_is_for_the_command_line_and_a_bare_time_for_all() -> None:
    par4 = pp.load("par4")
    assert fault_from("collision:x=200N@0.25", par4) == fault_from("collision:x=200@250ms", par4, bare=True)
    assert fault_from("emergency@0.1~0.05", par4) == fault_from("emergency@100ms~50 ms", par4)
    assert fault_from("pace=0.5@0.1", par4).size == 0.5
    with pytest.raises(ParameterError, match=r"collision:x=200@0\.25.*no unit"):
        fault_from("collision:x=200@0.25", par4)
