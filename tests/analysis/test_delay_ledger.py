"""The ledger, the linear loop and the simulated loop speak of one delay: phase, margin, and what a run does."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from parapick.analysis import analyse, ideal, sampled_loop
from parapick.control import PD, Controller, PlantChanges, SensedPose, SensedRates, TaskSpaceID, TaskSpaceIID, ledger_of
from parapick.motion import hold
from parapick.simulation import Disturbance, simulate
from simulation.cases import cycle, delta

FREQUENCIES = np.array([2.0, 10.0, 40.0, 150.0])
EXACT = replace(TaskSpaceID.from_poles(20.0, 0.7), velocity=SensedRates(), pose=SensedPose())
"""It carries the robot's weight, so that a loop rests wherever it is looked at; and nothing in the law is late."""
FREE = PlantChanges(friction=False)
TIGHT = {
    "pd": Controller(PD(9000.0, 70.0), rate=2000.0, delay=1, torque_max=None, plant=FREE),
    "tsid": Controller(TaskSpaceID.from_poles(45.0, 0.7), delay=1, lag=3e-4, torque_max=None, plant=FREE),
    "tsiid": Controller(TaskSpaceIID.from_poles(35.0, 0.8, 0.2), rate=3000.0, torque_max=None, plant=FREE),
}
STIR = 1e-5
"""Torque (N m) of one sample: a deviation that stays small while it grows."""


def _apart(found: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Difference of loop gains (F, n, n) as a share of their size at every frequency (F,)."""
    return np.linalg.norm(found - expected, axis=(1, 2)) / np.linalg.norm(expected, axis=(1, 2))


@pytest.mark.parametrize("samples", [1, 4])
def test_samples_of_delay_turn_the_loop_gain_by_what_the_ledger_says(samples: int) -> None:
    controller = Controller(EXACT, lag=2e-4, plant=FREE)
    prompt, late = (sampled_loop(delta(), cycle().start, replace(controller, delay=k)) for k in (0, samples))
    first, second = (ledger_of(replace(controller, delay=k)).response(FREQUENCIES) for k in (0, samples))
    expected = prompt.loop_gain(FREQUENCIES) * (second / first)[:, None, :]
    assert _apart(late.loop_gain(FREQUENCIES), expected) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("lag", [None, 2e-4, (2e-4, 3e-4, 4e-4)])
def test_the_sampled_loop_is_the_ideal_one_with_the_ledger_in_it(lag: float | tuple[float, ...] | None) -> None:
    controller = Controller(EXACT, delay=2, lag=lag, plant=FREE)
    smooth = ideal(controller)
    sampled, continuous = (sampled_loop(delta(), cycle().start, one) for one in (controller, smooth))
    late = ledger_of(controller).response(FREQUENCIES) / ledger_of(smooth).response(FREQUENCIES)
    expected = continuous.loop_gain(FREQUENCIES) * late[:, None, :]
    # What a hold sends above half the rate comes back by sampling: of an integrator (w T / 2)^2 / 3 of it.
    alias = (math.pi * FREQUENCIES / controller.rate) ** 2 / 3.0
    apart = _apart(sampled.loop_gain(FREQUENCIES), expected)
    assert np.all(apart <= 1e-5 + alias)
    # A dead time that is half a period shorter would be seen at once.
    shorter = expected * np.exp(1j * math.pi * FREQUENCIES / controller.rate)[:, None, None]
    assert np.all(_apart(sampled.loop_gain(FREQUENCIES), shorter) > 3.0 * (apart + alias))


def _grows(controller: Controller, samples: int) -> bool:
    """Whether a small deviation at rest grows in a simulated loop; the last fifth of a run beside the one before it."""
    place, count = cycle().start, 1200
    motion = hold(place, count / controller.rate)
    torque = np.zeros((count + 1, 3))
    torque[0] = STIR * np.array([1.0, -0.4, 0.2])
    later = replace(controller, delay=controller.delay + samples)
    quiet, stirred = (
        simulate(delta(), motion, later, disturbance=Disturbance(torque=one)) for one in (0 * torque, torque)
    )
    if not stirred.completed:
        return True
    apart = np.linalg.norm(stirred.q - quiet.q, axis=1)
    early, late = (float(apart[part].max()) for part in (slice(720, 960), slice(960, None)))
    return late > early


@pytest.mark.parametrize("name", TIGHT)
def test_a_run_is_stable_up_to_the_delay_margin_and_not_beyond(name: str) -> None:
    controller = TIGHT[name]
    loop = sampled_loop(delta(), cycle().start, controller)
    margin = loop.margins().common.delay * controller.rate
    below, above = math.floor(margin), math.ceil(margin)
    assert below >= 1
    for samples, stable in ((below, True), (above, False)):
        later = replace(controller, delay=controller.delay + samples)
        assert sampled_loop(delta(), cycle().start, later).stable is stable
        assert _grows(controller, samples) is not stable
        # The ledger of the later loop is longer by the same time that the margin is compared with.
        added = ledger_of(later).torque - ledger_of(controller).torque
        assert (added < loop.margins().common.delay) is stable


def test_each_sample_of_delay_takes_its_period_from_the_margin() -> None:
    controller = TIGHT["tsid"]
    margins = [
        sampled_loop(delta(), cycle().start, replace(controller, delay=samples)).margins().common.delay
        for samples in (1, 2, 4)
    ]
    periods = np.array([0.0, 1.0, 3.0]) / controller.rate
    # Margins are interpolated between frequencies, 240 of them over five decades.
    assert margins == pytest.approx(margins[0] - periods, abs=2e-6)


def test_a_command_filter_changes_no_margin_and_hinders_no_analysis() -> None:
    plain = replace(TIGHT["pd"], torque_max=50.0)
    filtered = replace(plain, command_filter=0.02)
    analysis = analyse(delta(), cycle(), {"plain": plain, "filtered": filtered}, points=2, measured=(5.0,))
    assert analysis["plain"].least_delay == analysis["filtered"].least_delay
    assert analysis["plain"].measured is not None
    np.testing.assert_array_equal(analysis["plain"].measured.values, analysis["filtered"].measured.values)
    rows = {row[:2]: row for row in analysis.table("ledger").rows}
    assert rows["filtered", "jerk filter"][-1] == "no"
    assert ("plain", "jerk filter") not in rows
