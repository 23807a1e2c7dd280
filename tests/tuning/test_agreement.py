"""A tuned controller, written and read again, is the same to every command: simulate, analyse, supervise, tune."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from parapick.analysis import analyse, sampled_loops
from parapick.control import LAWS, drive_gains, load_controller, machine_controller, save_controller, with_gains
from parapick.model import Model
from parapick.motion import Motion
from parapick.operation import supervise
from parapick.simulation import simulate, summary
from parapick.tasks import load_task
from parapick.tuning import SearchEffort, tune
from parapick.tuning.tuning import VERIFIED
from simulation.cases import cycle, delta

FEW = SearchEffort(candidates=8, steps=4, polls=2, poses=2)
ROBOTS = {"delta-nr": "adept-120", "par4": "adept-120", "delta-linear": "adept-120", "asymmetric-screw": "wu2020-fit1"}
STOPPABLE = sorted(set(LAWS) - {"learning", "super-twisting"})


def check_agreement(model: Model, motion: Motion, law: str, folder: Path) -> None:
    tuning = tune(model, motion, {law: machine_controller(law)}, effort=FEW)[law]
    written = load_controller(save_controller(tuning.controller, folder / "tuned.toml"))
    assert written == tuning.controller

    # Its error is that of a simulated run, as is that of what it was tuned from.
    record = simulate(model, motion, written)
    assert summary(record).distance.rms == pytest.approx(tuning.objective, rel=1e-6)
    given = next(one for one in tuning.simpler if one.name == "as given")
    before = summary(simulate(model, motion, tuning.given)).distance.rms
    assert given.objective == pytest.approx(before, rel=1e-6)

    # Its margins are those of the linear loops at the poses that were looked at.
    times = np.linspace(0.0, motion.duration, VERIFIED + 1)[:-1] + 0.5 * motion.duration / VERIFIED
    margins = [loop.margins() for loop in sampled_loops(model, motion, written, times, resting=True)]
    assert tuning.margins.delay == pytest.approx(min(one.worst.delay for one in margins), rel=1e-6)
    assert tuning.margins.singular == pytest.approx(min(one.singular for one in margins), rel=1e-6)
    analysis = analyse(model, motion, {"tuned": written}, points=1, measured=())["tuned"]
    assert analysis.stable
    assert drive_gains(analysis.controller.law, model, model.robot.home) is not None  # pyright: ignore[reportArgumentType]
    placed = with_gains(written.law, model, motion)  # pyright: ignore[reportArgumentType]
    assert placed == analysis.controller.law

    # Under a supervisor it does the same task: it arrives at its start instead of beginning there.
    supervised = supervise(model, motion, written)
    assert supervised.finished
    assert supervised.trip is None
    task = supervised.task
    apart = np.linalg.norm(task.x[: len(record.t)] - record.x, axis=-1)
    assert apart[-1] < 0.05 * record.distance.max() + 1e-6
    np.testing.assert_allclose(task.x_ref[: len(record.t)], record.x_ref, atol=1e-9)


def test_a_tuned_file_is_one_controller_to_all(tmp_path: Path) -> None:
    check_agreement(delta(), cycle(), "pd", tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(8))
def test_random_robots_and_laws(seed: int, tmp_path: Path) -> None:
    random = np.random.default_rng(seed)
    robot = str(random.choice(sorted(ROBOTS)))
    model = pp.load(robot)
    check_agreement(model, load_task(ROBOTS[robot]).motion(model), str(random.choice(STOPPABLE)), tmp_path)
