"""Shipped robots and tasks, changed at random: refused in our words, or computed with; no other error and no hang."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import casadi as ca
import numpy as np
import pytest

import parapick as pp
from fuzzing import guarded, mutants, trial
from parapick import toml
from parapick.belts.traffic import arrivals
from parapick.errors import MissingMassError, ParapickError, RobotFileError
from parapick.evaluation import evaluate
from parapick.formulas.kernels import expression_of
from parapick.mechanism.doubts import doubts
from parapick.mechanism.robot import Robot
from parapick.model import Model
from parapick.parameters import symbols_of
from parapick.robots import RobotFile, list_robots, load_robot
from parapick.robots.reading import read_robot
from parapick.tasks import ConveyorTask, StreamTask, Task, TaskFileError, list_tasks
from parapick.tasks.task_kinds import read_task

SHARE = 0.15
"""Least share of files that must be accepted: refusing everything would be no test."""

LOOKS = 100
"""Samples of a motion, besides its corners."""

EVALUATION = 60.0
"""CPU time (s) after which an evaluation counts as a hang; it may have to compile a dozen kernels."""

SOAK = int(os.environ.get("PARAPICK_SOAK", "50000"))
"""Changed robots, and changed tasks, of a long run."""

FILE = Path("changed.toml")
ROBOTS = [entry.path for entry in list_robots()]
# Motions through via points, around corners and with overlap take a hundred times as long as the others.
SLOW = ("arch", "box", "adept-rounded")
TASKS = [
    *[entry.path for entry in list_tasks() if entry.name not in SLOW] * 9,
    *[entry.path for entry in list_tasks() if entry.name in SLOW],
]


def robot_of(text: str) -> RobotFile:
    contents, problems = read_robot(toml.parsed(FILE, text, "a robot file"))
    if contents is None:
        raise RobotFileError(str(FILE), problems)
    return contents


def task_of(text: str) -> Task:
    task, problems = read_task(toml.parsed(FILE, text, "a task file"))
    if task is None:
        raise TaskFileError(str(FILE), problems)
    return task


@cache
def compiled(names: tuple[str, ...]) -> frozenset[Robot]:
    """Structures whose native code is worth its making: all numbers of a robot share it."""
    return frozenset(Model(load_robot(name).robot).kernels.structure for name in names)


@cache
def interpreted(structure: Robot) -> ca.Function:
    """The joint angles of a structure without native code."""
    parameters, robot = symbols_of(structure)
    found = expression_of("inverse_kinematics", robot)
    return ca.Function("ik", [*found.inputs.values(), parameters], list(found.outputs.values()))


def standing(names: tuple[str, ...]) -> Callable[[RobotFile], str]:
    """Hold a robot at its home.

    Args:
        names: shipped robots whose native code is used.
    """

    def stand(contents: RobotFile) -> str:
        doubts(contents.robot)
        model = Model(contents.robot)
        home, rest = np.array(model.robot.home), np.zeros(model.robot.dof)
        if model.kernels.structure not in compiled(names):
            assert np.isfinite(np.array(interpreted(model.kernels.structure)(home, model.parameters))).all()
            return "interpreted"
        try:
            torque = model.inverse_dynamics(home, rest, rest)
        except MissingMassError:
            assert model.reach(home).closes
            return "without masses"
        return "computed" if np.isfinite(torque).all() else "singular at home"

    return stand


def move(task: Task) -> str:
    """Sample the motion of a task, or look at what comes along on its belt."""
    if isinstance(task, StreamTask):
        arrivals(task.items.traffic(task.pick.item((0.0, 0.0, 0.0))), np.random.default_rng(task.items.seed))
        return "belts"
    if isinstance(task, ConveyorTask):
        task.place.target((0.0, 0.0, 0.0))
        return "belts"
    motion = task.motion()
    samples = motion.sample(LOOKS / motion.duration, corners=True)
    for values in (samples.t, samples.x, samples.xd, samples.xdd, samples.payload):
        assert np.isfinite(values).all()
    return "computed"


def check(result: tuple[Any, list[str]]) -> None:
    counts, faults = result
    assert not faults, "\n".join(faults[:20])
    assert counts["accepted"] >= SHARE * counts["files"], counts
    assert counts["computed"] > 0.1 * counts["accepted"], counts
    assert counts["singular at home"] < 0.01 * counts["accepted"], counts


def accepted(files: list[Path], count: int, seed: int, load: Callable[[str], Any]) -> Iterator[tuple[str, Any]]:
    """The first few changed files that are read, each with its label."""
    found = 0
    for label, text in mutants(files, 100 * count, seed):
        with suppress(ParapickError):
            yield label, load(text)
            found += 1
        if found == count:
            return


def evaluated(cases: Iterator[tuple[str, Any]], use: Callable[[Any], object]) -> None:
    """Evaluate each within the time of a hang; what is refused is refused in our words."""
    for label, read in cases:
        try:
            with guarded(EVALUATION), suppress(ParapickError):
                use(read)
        except Exception as error:  # noqa: BLE001
            pytest.fail(f"{label}: {type(error).__name__}: {error}")


def test_changed_robots_are_refused_or_stand() -> None:
    check(trial(mutants(ROBOTS, 600, seed=1), robot_of, standing(("par4", "delta-nr", "fivebar-spindle"))))


def test_changed_tasks_are_refused_or_move() -> None:
    check(trial(mutants(TASKS, 800, seed=1), task_of, move))


def test_a_few_changed_files_are_evaluated() -> None:
    par4, sections = pp.load("par4"), ("motion", "reach", "torque")
    robots = accepted([path for path in ROBOTS if path.stem == "par4"], 3, 2, robot_of)
    evaluated(robots, lambda contents: evaluate(Model(contents.robot), sections=sections))
    tasks = accepted([path for path in TASKS if path.stem.startswith(("adept-1", "line"))], 6, 2, task_of)
    evaluated(tasks, lambda task: evaluate(par4, task, sections=sections))


@pytest.mark.soak
@pytest.mark.parametrize("part", range(10))
def test_many_changed_robots(part: int) -> None:
    names = tuple(path.stem for path in ROBOTS)
    check(trial(mutants(ROBOTS, SOAK // 10, seed=100 + part), robot_of, standing(names)))


@pytest.mark.soak
@pytest.mark.parametrize("part", range(10))
def test_many_changed_tasks(part: int) -> None:
    check(trial(mutants(TASKS, SOAK // 10, seed=100 + part), task_of, move))


@pytest.mark.soak
@pytest.mark.parametrize("name", [path.stem for path in ROBOTS])
def test_changed_robots_are_evaluated(name: str) -> None:
    files = accepted([path for path in ROBOTS if path.stem == name], SOAK // 10_000, 3, robot_of)
    evaluated(files, lambda contents: evaluate(Model(contents.robot)))


@pytest.mark.soak
@pytest.mark.parametrize("name", sorted({path.stem for path in TASKS}))
def test_changed_tasks_are_evaluated(name: str) -> None:
    model = pp.load("fivebar-spindle" if name == "belts-5r" else "par4")
    files = accepted([path for path in TASKS if path.stem == name], SOAK // 10_000, 3, task_of)
    evaluated(files, lambda task: evaluate(model, task))
