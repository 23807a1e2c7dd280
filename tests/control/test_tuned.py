"""Laws by name with gains from one pair of poles."""

from __future__ import annotations

import math

import numpy as np
import pytest

import parapick as pp
from parapick.control import LAWS, UnknownControlLawError, tuned
from parapick.motion import Motion
from parapick.simulation import simulate, summary


@pytest.fixture(scope="module")
def par4() -> pp.Model:
    return pp.load("par4")


@pytest.fixture(scope="module")
def cycle(par4: pp.Model) -> Motion:
    return pp.adept_cycle(par4, cycles_per_minute=120)


def test_poles_are_those_asked_for(par4: pp.Model, cycle: Motion) -> None:
    law = tuned("tsid", par4, cycle, frequency=12.0, damping=0.6)
    poles = np.roots([1.0, np.ravel(law.kd)[0], np.ravel(law.kp)[0]])
    assert np.abs(poles) == pytest.approx(2 * math.pi * 12.0)
    assert -poles.real / np.abs(poles) == pytest.approx(0.6)


@pytest.mark.parametrize("name", LAWS)
def test_every_law_tracks_the_cycle(par4: pp.Model, cycle: Motion, name: str) -> None:
    record = simulate(par4, cycle, tuned(name, par4, cycle))
    assert record.completed
    assert record.law == name
    assert summary(record).distance.peak < 6e-3


def test_a_redundant_robot_gets_a_sharing_rule() -> None:
    robot = pp.load("delta-r4")
    motion = pp.adept_cycle(robot, cycles_per_minute=120)
    assert tuned("tsid", robot, motion).sharing == "least-norm"
    assert tuned("tsid", robot, motion, sharing="least-peak").sharing == "least-peak"


def test_unknown_law(par4: pp.Model, cycle: Motion) -> None:
    with pytest.raises(UnknownControlLawError, match="no control law named 'lqr'; there are pd, pid"):
        tuned("lqr", par4, cycle)
