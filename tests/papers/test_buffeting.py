"""Buffeting as wu2020 speaks of it: the kinetic energy of what a loop does faster than its motion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import parapick as pp
from parapick.errors import ParameterError
from parapick.papers.wu2020.buffeting import buffeting_energy, fast_part
from parapick.simulation import Record
from parapick.simulation.record import Divergence


@pytest.fixture(scope="module")
def model() -> pp.Model:
    return pp.load("delta-nr")


@pytest.fixture(scope="module")
def record(model: pp.Model) -> Record:
    return pp.simulate(model, pp.adept_cycle(model, cycles_per_minute=120), pp.control.PD(4000.0, 50.0))


def test_the_fast_part_is_what_swings_above_a_frequency() -> None:
    t = np.arange(4000)[:, None] / 4000.0
    signal = 3.0 * np.sin(2 * np.pi * 10.0 * t) + 2.0 * np.sin(2 * np.pi * 100.0 * t)
    np.testing.assert_allclose(fast_part(signal, 4000.0), 2.0 * np.sin(2 * np.pi * 100.0 * t), rtol=0, atol=1e-12)


def test_buffeting_is_the_energy_of_what_shakes(model: pp.Model, record: Record) -> None:
    shaking = fast_part(record.xd - record.xd_ref, record.rate)
    wanted = [0.5 * v @ model.mass_matrix(x) @ v for v, x in zip(shaking, record.x_ref, strict=True)]
    np.testing.assert_allclose(buffeting_energy(model, record), wanted, rtol=1e-9)


def test_refusals(model: pp.Model, record: Record) -> None:
    for above in (0.0, 0.5 * record.rate):
        with pytest.raises(ParameterError, match="must be above 0 and below half the control rate"):
            buffeting_energy(model, record, above)
    with pytest.raises(ParameterError, match="diverged"):
        buffeting_energy(model, replace(record, divergence=Divergence(0.1, "velocity", "lost")))
