"""The delay ledger: each entry by hand, its phase, what a file may say of it, and the table that rooms print."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from parapick.control import (
    CONTROLLERS,
    PD,
    Controller,
    ControllerFileError,
    Differenced,
    SensedRates,
    TaskSpaceID,
    delays_data,
    delays_table,
    ledger_of,
    list_controllers,
    load_controller,
)
from parapick.control.reading import read_controller
from parapick.control.saving import controller_text, save_controller
from parapick.errors import ParameterError

LAW = TaskSpaceID.from_poles(20.0, 0.7)
FULL = Controller(
    replace(LAW, velocity=Differenced(cutoff=500.0)),
    rate=4000.0,
    delay=3,
    exchange=2,
    computation=4e-4,
    lag=(2e-4, 2e-4, 3e-4),
    command_filter=6.01e-2,
)
DOCUMENT = {"format": 1, "name": "mine", "delay": 2, "rate": 4000.0, "law": {"kind": "tsid", "kp": 1e4, "kd": 100.0}}


def test_every_entry_by_hand() -> None:
    ledger = ledger_of(FULL)
    times = {delay.name: delay.time for delay in ledger.delays}
    # y += s (x - y) answers a ramp T (1 - s) / s late.
    share = 1.0 - math.exp(-2 * math.pi * 500.0 / 4000.0)
    assert times == pytest.approx(
        {
            "speed difference": 125e-6,
            "speed filter": 250e-6 * (1.0 - share) / share,
            "bus exchange": 500e-6,
            "computation": 250e-6,
            "drive lag": 300e-6,
            "hold": 125e-6,
            "jerk filter": 0.03,
        }
    )
    assert ledger["drive lag"].times == (2e-4, 2e-4, 3e-4)
    assert ledger.of_motors("torque") == pytest.approx([1.075e-3, 1.075e-3, 1.175e-3])
    assert ledger.torque == pytest.approx(1.175e-3)
    assert ledger.speed == pytest.approx(ledger.torque + times["speed difference"] + times["speed filter"])
    assert ledger.command == pytest.approx(0.03)
    assert [delay.name for delay in ledger.delays if delay.path == "command"] == ["jerk filter"]
    assert ledger["jerk filter"].analysed != ledger["hold"].analysed


def test_what_a_filter_of_speeds_is_late_is_what_it_does_to_a_ramp() -> None:
    period, cutoff, y = 1 / 4000.0, 120.0, 0.0
    share = 1.0 - math.exp(-2 * math.pi * cutoff * period)
    for k in range(4000):
        y += share * (k * period - y)
    late = 3999 * period - y
    ledger = ledger_of(Controller(replace(LAW, velocity=Differenced(cutoff=cutoff))))
    assert ledger["speed filter"].time == pytest.approx(late, rel=1e-9)


def test_a_delay_that_is_not_divided_is_one_entry() -> None:
    ledger = ledger_of(Controller(replace(LAW, velocity=SensedRates()), delay=2))
    assert [delay.name for delay in ledger.delays] == ["bus and computation", "hold"]
    assert ledger.torque == ledger.speed == pytest.approx(2.5 / 4000.0)
    with pytest.raises(ParameterError, match="no 'drive lag' is listed; there are bus and computation, hold"):
        ledger["drive lag"]


def test_the_phase_of_the_response_begins_as_the_sum_of_torques() -> None:
    ledger = ledger_of(FULL)
    (slow,) = ledger.response(1.0)
    assert -np.angle(slow) / (2 * math.pi) == pytest.approx(ledger.of_motors("torque"), rel=1e-5)
    # At a quarter of the rate the hold leaves sin(pi/4) / (pi/4); three samples turn by three quarters.
    (fast,) = ledger_of(replace(FULL, lag=None)).response(1000.0)
    assert abs(fast[0]) == pytest.approx(math.sin(math.pi / 4) / (math.pi / 4))
    assert np.angle(fast[0]) == pytest.approx(-3 * math.pi / 2 - math.pi / 4 + 2 * math.pi)


def test_a_log_at_the_samples_shows_no_hold_but_the_lag_that_answers_it() -> None:
    assert ledger_of(replace(FULL, lag=None)).logged == pytest.approx([7.5e-4])
    y, late, factor = 0.0, [], math.exp(-250.0 / 200.0)
    for k in range(200):
        late.append(k - y)
        y = factor * y + (1.0 - factor) * k
    assert ledger_of(FULL).logged[0] == pytest.approx(7.5e-4 + late[-1] * 250e-6)


# Files


def test_shipped_files_state_no_division_and_have_their_delay_as_it_was() -> None:
    for entry in list_controllers():
        controller = load_controller(entry.name)
        ledger = ledger_of(controller)
        assert controller.exchange is controller.computation is None
        assert ledger.samples == controller.delay
        assert ledger["bus and computation"].time == controller.delay / controller.rate
        assert "exchange" not in controller_text(controller)


def test_a_file_divides_its_delay_and_is_saved_so(tmp_path: Path) -> None:
    controller, problems = read_controller({**DOCUMENT, "exchange": 1, "computation": "0.4 ms"})
    assert not problems
    assert controller is not None
    assert (controller.exchange, controller.computation) == (1, pytest.approx(4e-4))
    again = load_controller(save_controller(controller, tmp_path / "mine.toml"))
    assert again == controller
    assert ledger_of(again)["computation"].time == pytest.approx(250e-6)
    # The division adds nothing: both are as late as without it.
    assert ledger_of(again).torque == ledger_of(replace(again, exchange=None)).torque


@pytest.mark.parametrize(
    ("fields", "path", "message"),
    [
        ({"exchange": 2, "delay": 1}, "exchange", "is 2 periods of a delay of 1"),
        ({"exchange": 3}, "exchange", "must be a whole number of at least 1 and at most 2"),
        ({"exchange": 2, "computation": "0.251 ms"}, "computation", "is 0.251 ms; the delay leaves 0.25 ms"),
        ({"exchange": 1, "computation": "0.501 ms"}, "computation", "the delay leaves 0.5 ms"),
        ({"computation": "1 ms"}, "computation", "the delay leaves 0.5 ms"),
        ({"delay": 0, "computation": "0.001 ms"}, "computation", "the delay leaves 0 ms"),
        ({"computation": -1e-6}, "computation", "at least 0"),
    ],
)
def test_what_a_division_must_not_be(fields: dict, path: str, message: str) -> None:
    controller, problems = read_controller({**DOCUMENT, **fields})
    assert controller is None
    (problem,) = problems
    assert problem.path == path
    assert message in problem.message
    with pytest.raises(ControllerFileError, match=path):
        raise CONTROLLERS.problem("mine.toml", problem.message, problem.path)


@pytest.mark.parametrize(
    "fields", [{"exchange": 2, "computation": "0.25 ms"}, {"exchange": 1, "computation": "0.5 ms"}]
)
def test_a_computation_may_fill_its_place(fields: dict) -> None:
    assert read_controller({**DOCUMENT, **fields})[1] == ()


def test_a_controller_that_no_file_states_is_refused_by_the_ledger() -> None:
    with pytest.raises(ParameterError, match="exchange: is 2 periods of a delay of 0"):
        ledger_of(replace(FULL, delay=0))
    with pytest.raises(ParameterError, match=r"computation: is 0\.4 ms; the delay leaves 0\.2 ms"):
        ledger_of(replace(FULL, rate=10_000.0))


# The table


def test_controllers_that_are_equally_late_share_their_rows() -> None:
    other = Controller(PD(1.0, 1.0), delay=1)
    table = delays_table({"a": FULL, "b": FULL, "c": other}, "law")
    rows = list(zip(table.column("law"), table.column("delay"), table.column("time"), strict=True))
    assert {row[0] for row in rows} == {"a, b", "c"}
    by_name = {row[:2]: row[2] for row in rows}
    assert by_name["a, b", "sum of torques"] == pytest.approx(1.175e-3)
    assert by_name["c", "sum of torques"] == pytest.approx(375e-6)
    counted = dict(zip(table.column("delay"), table.column("in margins"), strict=True))
    assert counted["jerk filter"] == "no"
    assert counted["hold"] == "yes"


def test_the_data_is_plain_numbers_that_add_up() -> None:
    data = delays_data({"a": FULL})["a"]
    assert (data["samples"], data["period"]) == (3, 250e-6)
    torque = sum(max(one["times"]) for one in data["delays"] if one["acts_on"] == "torque")
    assert torque == pytest.approx(data["torque"])
    for one in data["delays"]:
        assert all(type(time) is float for time in one["times"])
        assert one["simulate"] in one["tune"]
        assert one["analyse"] in one["tune"]
