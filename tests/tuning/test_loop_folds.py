"""Loops folded in lanes give what records of single runs give, faults included."""

from __future__ import annotations

import numpy as np
import pytest

from parapick.control import PD, Controller, DriveTrain, PlantChanges
from parapick.simulation import fault_of, simulate, summary
from parapick.simulation.assembled import assembled
from parapick.tuning.free_gains import gain_space
from parapick.tuning.loop_folds import folded_loop, with_law_numbers
from simulation.cases import FRICTION, cycle, delta

GAINS = [(4000.0, 50.0), (500.0, 20.0), (4000.0, 400.0), (40.0, 1.0), (4000.0, 5000.0), (20000.0, 100.0)]
"""A sound loop, a soft one, a stiff one, one that loses the path, one that diverges, one more."""


def test_a_lane_gives_what_a_record_gives() -> None:
    controller = Controller(PD(4000.0, 50.0), delay=1, encoder=2**20, plant=PlantChanges(friction=FRICTION))
    made = assembled(delta(), cycle(), controller)
    fold = folded_loop(made)
    space = gain_space(delta(), cycle(), controller, {"law.kp": (1.0, 1e5), "law.kd": (1.0, 1e5)})
    law = space.law_numbers([{"law.kp": kp, "law.kd": kd} for kp, kd in GAINS])
    lanes = fold(with_law_numbers(made, law))
    faulty = fold.faulty(lanes)
    for k, (kp, kd) in enumerate(GAINS):
        changed = space.with_values({"law.kp": kp, "law.kd": kd})
        record = simulate(delta(), cycle(), changed)
        assert bool(faulty[k]) is (fault_of(record) is not None)
        if record.completed and not faulty[k]:
            distance = summary(record).distance
            assert lanes.peak[k] == pytest.approx(distance.peak, rel=1e-6)
            assert lanes.rms[k] == pytest.approx(distance.rms, rel=1e-6)
            total = np.linalg.norm(record.joint_error, axis=1).sum() / record.rate
            assert lanes.integral[k] == pytest.approx(total, rel=1e-6)
    assert faulty.any()
    assert not faulty.all()


def test_a_lane_with_an_elastic_drive_train_begins_as_a_record_does() -> None:
    """Wound up by what the joints need: with play a robot that begins otherwise falls into it first."""
    train = DriveTrain(stiffness=3000.0, damping=2.0, rotor=0.02, backlash=2e-3)
    controller = Controller(PD(4000.0, 50.0), plant=PlantChanges(drive_train=train))
    made = assembled(delta(), cycle(), controller)
    lane = folded_loop(made)(made.parameters[None])
    distance = summary(simulate(delta(), cycle(), controller)).distance
    assert lane.peak[0] == pytest.approx(distance.peak, rel=1e-6)
    assert lane.rms[0] == pytest.approx(distance.rms, rel=1e-6)
