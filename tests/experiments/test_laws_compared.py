"""Laws side by side, tuned under one robustness constraint."""

from __future__ import annotations

import numpy as np
import pytest

import laws_compared as experiment
import parapick as pp
from laws_compared import laws_compared, unknown_plant
from parapick.control import LAWS, JointFriction
from parapick.tuning import SINGULAR, SearchEffort

ROBOTS = {"par4": "adept-120", "asymmetric-screw": "wu2020-fit1", "fivebar-spindle": "righettini2024"}


def test_a_table_of_laws_says_who_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a short search; the long one is that of the next test but one."""
    monkeypatch.setattr(experiment, "EFFORT", SearchEffort(candidates=12, steps=2, polls=3))
    model = pp.load("delta-nr")
    motion = pp.adept_cycle(model, cycles_per_minute=120)
    answer = laws_compared(model, motion, "an Adept cycle", ("pd", "precomputed"))
    table = answer.table("laws")
    assert table.column("law") == ("pd", "precomputed")
    assert min(table.column("margin")) >= SINGULAR
    errors, operations = table.column("RMS"), table.column("operations")
    assert errors[1] < errors[0] / 2
    assert operations[0] < operations[1]
    assert answer.notes[0].startswith("least error: precomputed")


def test_the_plant_is_in_proportion_to_the_motion() -> None:
    model = pp.load("delta-nr")
    slow, quick = (unknown_plant(model, pp.adept_cycle(model, cycles_per_minute=rate)) for rate in (60, 180))
    assert isinstance(slow.friction, JointFriction)
    assert isinstance(quick.friction, JointFriction)
    assert np.all(np.array(quick.friction.coulomb) > np.array(slow.friction.coulomb))
    assert quick.payload == slow.payload


@pytest.mark.soak
@pytest.mark.parametrize("name", ROBOTS)
def test_every_law_meets_the_constraint_on_every_robot(name: str) -> None:
    model = pp.load(name)
    table = laws_compared(model, pp.load_task(ROBOTS[name]).motion(model), ROBOTS[name]).table("laws")
    assert table.column("law") == tuple(LAWS)
    for margin in table.column("margin"):
        assert margin is None or margin >= SINGULAR
