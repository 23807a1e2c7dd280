"""What loops are made linear at all: singular poses and overflowing numbers are named, margins stated can be run."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import parapick as pp
from parapick.analysis import LoopAnalysis, sampled_loop
from parapick.analysis.operating_point import DELAY_ANALYSED, undisturbed
from parapick.analysis.stability_margins import LoopMargin, StabilityMargins
from parapick.cli import main
from parapick.control import PD, Controller, TaskSpaceID, tuned
from parapick.control.controller import DELAY_MAX
from parapick.errors import ParameterError
from parapick.model.regular import SingularPoseError
from parapick.simulation import simulate
from parapick.tasks import load_task
from parapick.tuning import tune_gains
from simulation.cases import cycle, delta

SINGULAR = ("par4", "adept-120", "--set", "plate.radius=0.68447474")
"""A plate on whose way every motor's force passes through nothing, between two samples."""


def folding() -> pp.Model:
    return pp.load("par4").with_parameters({"plate.radius": 0.68447474})


@pytest.mark.parametrize(
    "words",
    [
        ("analyse", "--controller", "pid", "--rate", "1000", "--delay", "1", "--joint", "2"),
        ("analyse", "--controller", "tsid"),
        ("simulate", "--controller", "pd"),
        ("tune", "--controller", "pd"),
    ],
    ids=" ".join,
)
def test_commands_name_the_singular_pose(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    assert main([words[0], *SINGULAR, *words[1:]]) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "par4 is singular at (" in said
    assert "152.5, 0, -682" in said
    assert "over-mobility" in said


def test_design_of_gains_refuses_singular_motions() -> None:
    model = folding()
    motion = load_task("adept-120").motion(model)
    for work in (
        lambda: tuned("pd", model, motion),
        lambda: undisturbed(model, motion, Controller(TaskSpaceID(400.0, 40.0))),
        lambda: tune_gains(model, motion, Controller(TaskSpaceID(400.0, 40.0)), {"law.kp": (100.0, 900.0)}),
    ):
        with pytest.raises(SingularPoseError) as error:
            work()
        pose = np.array(error.value.pose)
        # It is there: beside a margin of 0.4 at the robot's own home nothing is left.
        assert min(model.margins(pose)) < 1e-5
    # A law on accelerations needs no inertia, and gains from it.
    tuned("tsid", model, motion)


def test_gains_beyond_all_reason_are_a_message() -> None:
    huge = Controller(PD(1e11, 1e11), rate=1000.0)
    with pytest.raises(ParameterError, match=r"has no linear loop at \(.*\) mm; numbers overflow"):
        sampled_loop(delta(), cycle().start, replace(huge, law=PD(9e11, 9e11), delay=0, rate=100.0))


def loop_margin(delay: float) -> StabilityMargins:
    one = LoopMargin(2.0, 0.5, 1.0, delay, 10.0)
    return StabilityMargins((one,), one, 0.5, 10.0)


def test_a_stated_delay_margin_can_be_run() -> None:
    """Whole samples of the margin on top of the controller's own delay; infinite ones have no end to run."""
    analysis = object.__new__(LoopAnalysis)
    object.__setattr__(analysis, "controller", Controller(PD(1.0, 1.0), rate=2000.0, delay=3))
    for delay in (1e-3, 20.5 / 2000.0, 0.2, 9.0):
        margin = loop_margin(delay)
        samples = 3 + math.floor(analysis.stated(margin) * 2000.0 + 1e-9)
        assert samples <= DELAY_MAX
        assert analysis.capped(margin) is (delay > (DELAY_MAX - 3) / 2000.0)
    assert analysis.stated(loop_margin(math.inf)) == math.inf
    late = Controller(PD(4000.0, 50.0), delay=20)
    assert simulate(delta(), cycle(), late).law == "pd"
    with pytest.raises(ParameterError, match=rf"delay: is 257; .* 0 to {DELAY_MAX}"):
        simulate(delta(), cycle(), replace(late, delay=DELAY_MAX + 1))
    with pytest.raises(ParameterError, match=rf"delay: is 20 samples; .* at most {DELAY_ANALYSED}"):
        sampled_loop(delta(), cycle().start, late)
