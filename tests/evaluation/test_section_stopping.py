"""The section on stopping, against a supervised run of its own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import parapick as pp
from parapick.control import machine_controller
from parapick.evaluation.sections.stopping import _inside
from parapick.motion import straight
from parapick.operation import InjectedFault, supervise


def test_it_is_the_operators_stop_where_the_plate_is_fastest() -> None:
    made = pp.evaluate("par4", "adept-120", sections=["stopping"], control=["tsid"])
    (row,) = made["stopping"].table("stop").records
    par4 = pp.load("par4")
    motion = pp.load_task("adept-120").motion(par4)
    t = np.linspace(0.0, motion.duration, 20001)
    speed = np.linalg.norm(motion.at(t).xd[:, :3], axis=-1)
    data = made["stopping"].data["runs"]["tsid"]
    assert np.linalg.norm(motion.at(data["stop"]["start"]).xd[:3]) == pytest.approx(speed.max(), rel=0.01)
    stop = InjectedFault("stop", data["faults"][0]["time"])
    run = supervise(par4, motion, machine_controller("tsid"), faults=(stop,))
    assert run.stop is not None
    assert row["time"] == run.stop.duration
    assert row["length"] == run.stop.length
    assert row["within"]
    (finding,) = made["stopping"].findings
    assert finding.ok
    assert made.verdict.ok


def test_a_stop_beyond_limits_says_what_was_left_and_by_how_much() -> None:
    par4 = pp.load("par4")
    motion = pp.load_task("adept-120").motion(par4)
    run = supervise(par4, motion, machine_controller("tsid"), faults=(InjectedFault("stop", 0.1),))
    assert run.stop is not None
    beyond = replace(run, stop=replace(run.stop, slack=-0.0123))
    requirement = _inside({"tsid": beyond})
    assert (requirement.ok, requirement.value, requirement.reserve) == (False, 0, -1.0)
    assert requirement.text.startswith("no controller stops the robot within its limits; tsid: ")
    assert "12.3 mm" in requirement.text
    assert _inside({"tsid": beyond, "pd": run}).text == "stops within its limits: pd"
    never = replace(run, stop=None, trip=None)
    assert "it was not stopped" in _inside({"tsid": never}).text


def test_what_cannot_be_supervised_is_said() -> None:
    """The task leaves the workspace that the robot's file states, which is no requirement of the task."""
    motion = straight((0.25, 0.0, -0.7, 0.0), (0.31, 0.0, -0.7, 0.0), duration=0.3)
    made = pp.evaluate("par4", motion, sections=["reach", "stopping"], control=["tsid"])
    assert "the task itself is" in made["stopping"].left_out[0]
    keys = [section.key for section in pp.evaluate("irb360", control=True).sections]
    assert "stopping" in keys
    assert "stopping" not in [section.key for section in pp.evaluate("irb360").sections]
