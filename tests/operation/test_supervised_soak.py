"""Every shipped robot under the supervisor: its own task runs through, and stops keep to the limits all along it."""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp
from parapick.control import Controller, TaskSpaceID
from parapick.evaluation.default_task import default_task
from parapick.formulas.dynamics import missing_masses
from parapick.model.singularity import NEAR
from parapick.operation import faults_from, supervise
from parapick.supervision import HomingError

ROBOTS = [entry.name for entry in pp.list_robots()]
CONTROLLER = Controller(TaskSpaceID.from_poles(20.0, 0.8, sharing="least-norm"), encoder=1048576, delay=1)
KINDS = ("emergency@{:.4f}", "drive:1@{:.4f}", "deadline=4@{:.4f}", "stop@{:.4f}")


@pytest.mark.soak
@pytest.mark.parametrize("name", ROBOTS)
def test_every_shipped_robot_stops_within_its_limits(name: str) -> None:
    model = pp.load(name)
    if missing_masses(model.robot):
        pytest.skip("no masses")
    if min(model.margins(model.robot.home)) < NEAR:
        with pytest.raises(HomingError, match="it is singular"):
            supervise(model, default_task((model,)).motion(model), CONTROLLER)
        return
    # The five-bar's spindle is too slow for 120 cycles per minute.
    motions = [default_task((model,), pace).motion(model) for pace in (120.0, 20.0)]
    motion = next(motion for motion in motions if supervise(model, motion, CONTROLLER).finished)
    assert name == "fivebar-spindle" or motion is motions[0]
    for share, kind in zip(np.linspace(0.05, 0.95, 8), KINDS * 2, strict=True):
        faults = faults_from([kind.format(share * motion.duration)], model)
        run = supervise(model, motion, CONTROLLER, faults=faults)
        assert run.stop is not None
        assert run.stop.inside, (kind, share, run.stop)
