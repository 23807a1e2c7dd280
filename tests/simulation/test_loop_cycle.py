"""Sums over the last cycle of a simulated loop: those of its reference where it follows well; a law may exceed them."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import parapick as pp
from parapick.control import tuned
from parapick.mechanism import Gearbox
from parapick.ride import Ride
from parapick.simulation import Record, loop_answer, simulate
from parapick.simulation.loop_cycle import exceeded_sum, loop_cycle, sums_table
from stated import stating


@cache
def recorded(cycles: int = 2, settle: float = 0.0) -> tuple[pp.Model, Record]:
    model = stating("par4", rated_torque=40.0, gearbox=Gearbox(mean_torque=30.0))
    motion = pp.adept_cycle(model, cycles_per_minute=120)
    return model, simulate(model, motion, tuned("tsid", model, motion), cycles=cycles, settle=settle)


def test_the_last_cycle_counts_without_the_rest_behind_it() -> None:
    model, record = recorded(settle=0.2)
    cycle = loop_cycle(model, record)
    assert cycle is not None
    assert cycle.duration == pytest.approx(0.5, abs=1.0 / record.rate)
    assert cycle.t[0] == pytest.approx(0.5, abs=1.0 / record.rate)


def test_a_good_loop_takes_what_its_reference_does() -> None:
    """To the hundredths by which a loop with an error of a millimetre differs from its reference."""
    model, record = recorded()
    cycle = loop_cycle(model, record)
    assert cycle is not None
    reference = Ride.along(model, pp.adept_cycle(model, cycles_per_minute=120)).cycle
    np.testing.assert_allclose(cycle.heat_torque, reference.heat_torque, rtol=0.03)
    np.testing.assert_allclose(cycle.gearbox_mean, reference.gearbox_mean, rtol=0.04)
    assert exceeded_sum(model, record) is None
    (table,) = sums_table(model, {"tsid": record})
    assert table.column("motor torque, RMS") == (pytest.approx(cycle.loads[0].shares.max()),)


def test_a_law_that_exceeds_a_sum_does_not_do_the_task() -> None:
    """The motion itself keeps what the file states here: nothing is given of it."""
    _, record = recorded()
    weak = stating("par4", rated_torque=40.0, gearbox=Gearbox(mean_torque=5.0))
    answer = loop_answer(weak, "adept", 0.5, {"tsid": record})
    assert "mean gearbox torque" in answer.refusal
    assert any("as simulated, mean gearbox torque" in note for note in answer.notes)


def test_a_file_that_states_one_rated_torque_is_judged_as_before() -> None:
    _, record = recorded()
    plain = stating("par4", rated_torque=1.0)
    assert loop_cycle(plain, record) is None
    assert exceeded_sum(plain, record) is None
    assert not list(sums_table(plain, {"tsid": record}))
    assert not loop_answer(plain, "adept", 0.5, {"tsid": record}).refusal
