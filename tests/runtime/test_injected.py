"""Faults of the house's table as numbers of a virtual cell: the numbers do what the table's own functions do."""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp
from parapick.errors import ParameterError
from parapick.operation import FAULT_KINDS, ActingFault, ChannelRows, InjectedFault, act, fault_from
from parapick.runtime.injected import STATES, acts_in_cell, cell_faults
from parapick.supervision import State

MOTORS, DOF, RATE = 4, 4, 4000.0


@pytest.fixture(scope="module")
def par4() -> pp.Model:
    return pp.load("par4")


def injected(kind: str, **changes: float) -> InjectedFault:
    row = FAULT_KINDS[kind]
    size = 0.0 if row.size is None else row.size.default
    target = -1 if not row.target else 2
    values = {"time": 0.1, "target": target, "size": size, "duration": 0.02, **changes}
    return InjectedFault(kind, **values)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("kind", [name for name in FAULT_KINDS if acts_in_cell(injected(name))])
@pytest.mark.parametrize("stage", ["encoder", "drive"])
def test_channels_do_what_the_table_does(kind: str, stage: str) -> None:
    """Random angles or torques through the numbers, and through the function of the table."""
    fault = injected(kind)
    rng = np.random.default_rng(5)
    values, held = rng.normal(size=(2, MOTORS))
    (row,) = cell_faults([fault], MOTORS, DOF, RATE, 0.0)
    name = {"encoder": "angle", "drive": "torque"}[stage]
    got = (
        row[f"{name}_share"][:MOTORS] * values + row[f"{name}_offset"][:MOTORS] + row[f"{name}_repeat"][:MOTORS] * held
    )
    rows = ChannelRows(np.ones((1, MOTORS)), np.zeros((1, MOTORS)))
    yes = np.ones(1, bool)
    act(getattr(FAULT_KINDS[kind], stage), rows, ActingFault(fault.target, fault.size, yes, yes, np.zeros(1), held))
    assert got == pytest.approx(rows.share[0] * values + rows.offset[0], abs=1e-15)


@pytest.mark.parametrize("kind", [name for name in FAULT_KINDS if acts_in_cell(injected(name))])
def test_loads_and_forces_do_what_the_table_does(kind: str) -> None:
    fault = injected(kind)
    (row,) = cell_faults([fault], MOTORS, DOF, RATE, 0.0)
    load, force, yes = np.array([[0.3, 0.01, 0.02, -0.03, 1e-3]]), np.zeros((1, DOF)), np.ones(1, bool)
    wanted = load.copy()
    acting = ActingFault(fault.target, fault.size, yes, yes, np.zeros(1), None)
    act(FAULT_KINDS[kind].load, wanted, acting)
    act(FAULT_KINDS[kind].force, force, acting)
    assert row["load_share"] * load[0] + row["load_offset"] == pytest.approx(wanted[0], abs=1e-15)
    assert np.array_equal(row["force"][:DOF], force[0])


def test_signals_are_those_of_their_faults() -> None:
    drive, deadline, emergency = cell_faults(
        [injected("drive"), injected("deadline"), injected("emergency")], MOTORS, DOF, RATE, 0.0
    )
    assert drive["dead"].tolist() == [0, 0, 1, 0, 0, 0, 0, 0]
    assert (drive["late"], drive["emergency"]) == (0, 0)
    assert (deadline["late"], deadline["emergency"]) == (1, 0)
    assert (emergency["late"], emergency["emergency"]) == (0, 1)


def test_times_count_from_states_and_from_the_task(par4: pp.Model) -> None:
    texts = ("encoder:2@0.3", "emergency@homing+0.1", "deadline=7@0.2", "collision:x=10N@0.25~50ms")
    rows = cell_faults([fault_from(text, par4) for text in texts], MOTORS, DOF, RATE, 0.5)
    assert rows["begin"].tolist() == [3200, 400, 2800, 3000]
    assert (rows["end"] - rows["begin"]).tolist() == [4_000_000_000, 4_000_000_000, 7, 200]
    assert [STATES[state] for state in rows["state"]] == [State.RUNNING, State.HOMING, State.RUNNING, State.RUNNING]
    assert rows["active"].tolist() == [1, 1, 1, 1]


def test_what_acts_on_the_path_is_left_to_the_planner(par4: pp.Model) -> None:
    left = [fault_from(text, par4) for text in ("reference:x=10mm@0.1", "drift:x=0.1m/s@0.1", "pace=2@0.1", "stop@0.1")]
    assert len(cell_faults(left, MOTORS, DOF, RATE, 0.0)) == 0


def test_more_faults_than_there_is_room_for_are_refused() -> None:
    with pytest.raises(ParameterError, match="a virtual cell has room for 8"):
        cell_faults([injected("emergency")] * 9, MOTORS, DOF, RATE, 0.0)
