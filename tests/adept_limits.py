"""One limit that alone decides on the Adept cycle: every command asked of it, studies of it, slopes of what is left."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

import parapick as pp
from parapick.answer import Answer, Requirement
from parapick.control import tuned
from parapick.evaluation import Run, asked_of, compare, evaluate, motion_answer
from parapick.motion import Motion
from parapick.simulation import loop_answer, simulate
from parapick.study import Study, evaluated
from parapick.study.slopes import along, limit_pieces
from parapick.study.work import Work
from parapick.tasks import Task
from studies import study_of

ROBOT, TASK = "par4", "adept-120"
TOO_LITTLE, ENOUGH = 0.97, 1.03
"""Shares of what the task takes of a limit: with the one it cannot be done, with the other it can."""

PACE = "cycles_per_minute = 120"
"""The pace of the task, as a study states it."""

STUDY = """
format = 1
name = "limits"
robot = "own.toml"
objectives = ["{objective}"]
also = {also}
rate = {rate}

[parameters]
{parameters}

[[methods]]
kind = "{method}"

[[tasks]]
kind = "adept"
{task}
"""

STEP = 1e-6
"""Share of a number by which it is changed for a difference."""


@final
@dataclass(frozen=True)
class Question:
    """What is asked of the commands.

    Attributes:
        task: what the robots do.
        text: the same task in a study, beside its kind.
        sections: what an evaluation is made of.
        law: controller of the simulated loop.
        cycles: how often the loop runs through the task.
    """

    task: Task
    text: str = PACE
    sections: tuple[str, ...] = ("joints", "torque", "forces")
    law: str = "tsid"
    cycles: int = 1

    def simulated(self, model: pp.Model) -> Answer:
        """What `simulate` answers, by a law that follows closely."""

        def follow(motion: Motion, requirements: Any) -> Answer:
            record = simulate(model, motion, tuned(self.law, model, motion), cycles=self.cycles)
            return loop_answer(model, TASK, motion.duration, {self.law: record}, requirements)

        return asked_of("simulate", model, TASK, lambda: self.task.motion(model), follow)

    def studied(self, model: pp.Model, folder: Path) -> dict[str, list[Any]]:
        """What a study says of a robot, at its own mass of the plate and at nearly the same."""
        folder.mkdir()
        mass = float(model.robot.plate.mass)
        masses = (mass, 1.0001 * mass)
        objective = "cycle_time" if "fastest" in self.text else "peak_torque"
        study = adept_study(model, folder, {"plate.mass": masses}, objective=objective, rate=4000, task=self.text)
        rows = evaluated(study.work, np.array(masses)[:, None])
        return {"feasible": rows["feasible"].tolist(), "fault": rows["fault"].tolist()}


def finding(answers: Iterable[Requirement], title: str) -> Requirement:
    """The requirement of a title."""
    return next(one for one in answers if one.name == title)


def agree(models: tuple[pp.Model, pp.Model], question: Question, title: str, folder: Path) -> Answer:
    """Check that every command says the same of two robots, of which the first breaks one limit alone.

    Returns:
        What the simulated loop of the first is told.
    """
    answers: list[Answer] = []
    for model, kept in zip(models, (False, True), strict=True):
        run = Run.of(model, question.task.motion(model))
        assert [one.name for one in run.requirements if not one.ok] == ([] if kept else [title])
        followed, _ = motion_answer(model, question.task)
        answers.append(question.simulated(model))
        for answer in (followed, answers[-1]):
            assert (not answer.refusal) is kept
            assert finding(answer.findings, title).value == finding(run.requirements, title).value
        said = question.studied(model, folder / str(kept))
        assert said == {"feasible": [kept] * 2, "fault": ["" if kept else title] * 2}
    compared = compare(list(models), question.task, sections=question.sections).evaluations
    verdict, enough = (column.verdict for column in compared)
    assert not verdict.ok
    assert verdict.limiting is not None
    assert verdict.limiting.name == title
    assert enough.ok
    alone = [evaluate(model, question.task, sections=question.sections).verdict.text for model in models]
    assert alone == [verdict.text, enough.text]
    return answers[0]


def adept_study(
    model: pp.Model,
    folder: Path,
    parameters: Mapping[str, tuple[float, float]],
    *,
    objective: str = "peak_torque",
    also: tuple[str, ...] = (),
    method: str = "grid",
    rate: int = 1000,
    task: str = PACE,
    more: str = "",
) -> Study:
    """The study of a robot on the Adept cycle; its file is put into the folder.

    Args:
        model: the robot.
        folder: where its file goes.
        parameters: first and last value of each number.
        objective: what is made small.
        also: what is measured beside it.
        method: kind of the search.
        rate: samples of the motion per second.
        task: the task, beside its kind.
        more: other tables of the study.
    """
    pp.save(model, folder / "own.toml")
    ranges = "\n".join(f'"{path}" = {{ from = {a!r}, to = {b!r}, count = 2 }}' for path, (a, b) in parameters.items())
    text = STUDY.format(
        objective=objective, also=json.dumps(also), rate=rate, parameters=ranges, method=method, task=task
    )
    return study_of(text + more, folder)


def left(work: Work, design: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What a design leaves of its limits, and the slopes of it along the numbers of the study."""
    pieces = limit_pieces(work, design, [along(work, series, design) for series in work.series])
    return pieces.values, pieces.slopes


def check_slopes(work: Work, design: NDArray[np.float64]) -> None:
    """Check slopes of what is left against differences."""
    _, slopes = left(work, design)
    for k, value in enumerate(design):
        aside = STEP * value * np.eye(len(design))[k]
        more, less = (left(work, design + side * aside)[0] for side in (1.0, -1.0))
        difference = (more - less) / (2 * STEP * value)
        np.testing.assert_allclose(slopes[:, k], difference, rtol=1e-5, atol=1e-6 * np.abs(slopes[:, k]).max())
