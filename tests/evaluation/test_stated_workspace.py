"""The workspace that a robot's file states is a requirement, and every command says the same of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
import pytest

import parapick as pp
from parapick.belts import BeltError
from parapick.control import controllers_of, with_sharing_rule
from parapick.errors import MissingMassError
from parapick.evaluation.default_task import default_task
from parapick.evaluation.motion_answer import motion_answer
from parapick.evaluation.run import Run
from parapick.extremes import TOUCH
from parapick.operation import TaskBeyondGuardError, supervise
from parapick.ride.stated_region import in_stated_workspace, outside_text, stated_slacks
from parapick.robots import list_robots
from parapick.simulation import loop_answer, simulate
from parapick.tasks import LineTask, list_tasks, load_task
from parapick.timing import UnreachablePathError, fastest_along

LAW: Final = controllers_of(["tsid"])["tsid"]
BELTS: Final = ("belts-stream", "belts")
PAIRS: Final = [(entry.name, robot) for entry in list_tasks() for robot in entry.robots]
LEAN: Final = [(task, robot) for task, robot in PAIRS if task not in BELTS or (task, robot) == ("belts", "par4")]


def line(end: float, **fields: object) -> LineTask:
    """A line along x at the middle of par4's workspace, which has a radius of 300 mm."""
    return LineTask(
        name="line", start=(0.0, 0.0, -0.7), end=(end, 0.0, -0.7), a_max=20.0, there_and_back=True, **fields
    )


def test_every_command_says_the_same_of_a_motion_beyond_the_workspace() -> None:
    par4, task = pp.load("par4"), line(0.323)
    motion, law = task.motion(par4), LAW
    assert par4.reach(motion.sample(500.0).x).ok.all(), "it is the workspace alone that is left"
    verdict = pp.evaluate(par4, task).verdict
    assert not verdict.ok
    assert verdict.limiting is not None
    assert verdict.limiting.name == "workspace slack"
    assert verdict.limiting.value == pytest.approx(-0.023)
    assert verdict.limiting.place is not None
    assert verdict.limiting.place.pose == pytest.approx((0.323, 0.0, -0.7, 0.0))
    assert "23 mm is missing" in verdict.text
    answers = [
        motion_answer(par4, task)[0],
        loop_answer(
            par4, "line", motion.duration, {"tsid": simulate(par4, motion, law)}, Run.of(par4, motion).path_requirements
        ),
    ]
    for answer in answers:
        assert not answer.ok
        assert "workspace slack: 23 mm is missing" in answer.refusal
    assert not pp.compare([par4, "heli4"], task, sections=("reach",)).ok
    assert not motion.follow(par4).ok
    with pytest.raises(UnreachablePathError, match=r"stated workspace .*: the stated workspace ends 23 mm before it"):
        fastest_along(par4, task.route(par4))
    with pytest.raises(TaskBeyondGuardError, match=r"guards.workspace: the task itself is 0.023 m beyond it"):
        supervise(par4, motion, law)


def test_a_motion_to_the_very_border_is_inside() -> None:
    par4 = pp.load("par4")
    task = line(0.3)
    assert pp.evaluate(par4, task, sections=("reach",)).verdict.ok
    assert motion_answer(par4, task)[0].ok
    assert fastest_along(par4, task.route(par4)).follow(par4)["workspace slack"].ok
    supervise(par4, task.motion(par4), LAW)


def test_yaw_is_part_of_the_workspace() -> None:
    heli4 = pp.load("heli4").with_parameters({"workspace.yaw_max": 0.2})
    verdict = pp.evaluate(heli4, "box", sections=("reach",)).verdict
    assert verdict.limiting is not None
    assert (verdict.limiting.name, verdict.limiting.unit, verdict.ok) == ("workspace yaw slack", "rad", False)


def test_a_file_without_a_workspace_asks_for_none() -> None:
    par4 = pp.load("par4")
    free = replace(par4, robot=replace(par4.robot, workspace=None))
    assert pp.evaluate(free, line(0.323), sections=("reach",)).verdict.ok
    x = np.array([[9.0, 9.0, 9.0, 0.0]])
    assert in_stated_workspace(free, x).all()
    assert stated_slacks(free, x) == {}
    assert outside_text(free, x[0]) == ""


def test_belts_are_met_inside_the_workspace_or_not_at_all() -> None:
    plan = load_task("belts").plan(pp.load("par4"))
    assert plan.followed["workspace slack"].ok
    task = load_task("belts", {"pick.point": [0.0, "-350 mm", "-40 mm"]})
    with pytest.raises(BeltError, match=r"lies in its stated workspace; nearest is .*: the stated workspace ends"):
        task.plan(pp.load("par4"))
    with pytest.raises(pp.errors.ParapickError, match=r"'start' .*stated workspace ends"):
        load_task("belts", {"start": [0.0, "310 mm", 0.0]}).plan(pp.load("par4"))


def agrees(task: str, robot: str) -> None:
    """The motion of a task lies in the workspace of a robot, for evaluate, for motion and for a supervisor."""
    model = pp.load(robot)
    motion = load_task(task).motion(model)
    region = model.numbers.workspace
    assert region is not None
    run = Run.of(model, motion)
    asked = {finding.name: finding for finding in run.path_requirements if finding.name.startswith("workspace")}
    guard = region.slack(motion.sample(1000.0, corners=True).x).min(axis=0)
    assert all(finding.ok for finding in asked.values())
    assert (guard >= -TOUCH).all()
    assert [finding.value for finding in asked.values()] == pytest.approx(guard.tolist(), abs=1e-5)


@pytest.mark.parametrize(("task", "robot"), LEAN)
def test_a_shipped_task_lies_in_the_workspaces_of_its_robots(task: str, robot: str) -> None:
    agrees(task, robot)


@pytest.mark.soak
@pytest.mark.parametrize(("task", "robot"), [pair for pair in PAIRS if pair not in LEAN])
def test_a_shipped_belt_task_lies_in_the_workspaces_of_its_robots(task: str, robot: str) -> None:
    agrees(task, robot)


@pytest.mark.soak
@pytest.mark.parametrize(("task", "robot"), [pair for pair in PAIRS if pair[0] not in BELTS])
def test_a_supervisor_starts_what_evaluate_accepts(task: str, robot: str) -> None:
    model = pp.load(robot)
    try:
        supervise(model, load_task(task).motion(model), with_sharing_rule(LAW, model))
    except MissingMassError:
        pytest.skip("no masses")


def test_every_shipped_task_names_shipped_robots() -> None:
    known = {entry.name for entry in list_robots()}
    for entry in list_tasks():
        assert entry.robots, entry.name
        assert set(entry.robots) <= known, entry.name
        assert load_task(entry.name).robots == entry.robots


@pytest.mark.parametrize("robot", [entry.name for entry in list_robots()])
def test_the_default_task_of_a_shipped_robot_lies_in_its_workspace(robot: str) -> None:
    model = pp.load(robot)
    task = default_task([model])
    assert "beyond" not in task.title
    assert Run.of(model, task.motion(model)).ride["workspace slack"].ok
