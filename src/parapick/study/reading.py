"""From the document of a study file to a study, with every problem found on the way.

Units of free numbers are those of the robot's fields, so the robot is read first; what the study sets differently goes
into the robot's document before it is read, and is checked as if it stood in the robot's own file.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final, final

from parapick import __version__, forms
from parapick.capability import PoseSettings
from parapick.errors import FileProblem, ParameterError, ParapickError
from parapick.forms import UNREAD, FilePlace
from parapick.formulas import missing_masses
from parapick.limits import MOST, count_objection
from parapick.mechanism import Payload, Robot, motor_ratings
from parapick.paths import set_at
from parapick.robots import ROBOTS, RobotFile, read_robot
from parapick.search import Bound
from parapick.study.description import Gradient, Grid, Method, Sobol, StudyFile, Tpe
from parapick.study.design_space import DesignSpace
from parapick.study.forms import POINTS, flattened
from parapick.study.free_numbers import space_of
from parapick.study.motion_fold import Sharing
from parapick.study.study_measures import STUDY_MEASURES, StudyMeasure
from parapick.study.task_series import SampledTasks, is_timed, series_digest, series_of
from parapick.study.work import Work, is_lossless
from parapick.tasks import meets_belts

_VALUES: Final = ("of", "kind")
"""Fields by which a table that a study sets is a value: it takes the place of what is there, and does not go into it.
"""

YAWS: Final = 3
"""Yaws at which a workspace with a range of yaw is looked at where the file states none."""


@final
@dataclass(frozen=True, eq=False, repr=False)
class Study:
    """A study, read.

    Attributes:
        file: as its file states it.
        robot: the robot that is varied, with what the study sets.
        work: what designs are evaluated with.
        document: the study, the robot and digests of the tasks as plain data: what determines every number of it.
    """

    file: StudyFile
    robot: RobotFile
    work: Work
    document: Mapping[str, Any]

    def __repr__(self) -> str:
        methods = ", ".join(method.kind for method in self.file.methods)
        free = f"{len(self.file.parameters)} free numbers"
        return f"<Study {self.file.name} of {self.robot.robot.name}: {free}, by {methods}>"

    @property
    def space(self) -> DesignSpace:
        """The designs."""
        return self.work.space

    def method(self, kind: str | None = None) -> Method:
        """The way to choose designs: the first of the file, or the one that is asked for.

        Args:
            kind: "grid", "sobol", "gradient" or "tpe"; None for the first.

        Raises:
            ParameterError: the file states no such method.
        """
        for method in self.file.methods:
            if kind in (None, method.kind):
                return method
        known = ", ".join(method.kind for method in self.file.methods)
        raise ParameterError("method", f"is {kind!r}; this study has {known}")


@cache
def file_form() -> forms.TableForm:
    """The form of a study file."""
    return forms.file_of(replace(forms.table_of(StudyFile), what="of a study"))


def read_study(document: Mapping[str, Any], folder: Path | None = None) -> tuple[Study | None, tuple[FileProblem, ...]]:
    """The study of a document and everything that is wrong with it; no study where there is a problem.

    Args:
        document: a TOML file as nested dictionaries.
        folder: where the file lies, for the names of files in it; the current folder if not given.
    """
    table, values, problems = forms.read_document(file_form(), document, folder)
    if table is None or any(value is UNREAD for value in values.values()):
        return None, problems
    place = FilePlace(folder=folder or Path())
    place.problems.extend(problems)
    file: StudyFile = table.make(values)
    robot_document, robot = _robot(file, place)
    if robot is None:
        return None, tuple(place.problems)
    space = space_of(file, robot.robot, place)
    _check_measures(file, robot.robot, place)
    _check_stiffness(file, robot.robot, place)
    _check_methods(file, space, place)
    sampled = series_of(file, space, place)
    if place.problems:
        return None, tuple(place.problems)
    work = _work(file, space, sampled)
    tasks = [*(series_digest(series) for series in sampled.series), *(repr(task) for task in work.timed)]
    plain = {"study": dict(document), "robot": robot_document, "tasks": tasks}
    return Study(file, robot, work, {**plain, "parapick": __version__}), ()


def _robot(file: StudyFile, place: FilePlace) -> tuple[dict[str, Any], RobotFile | None]:
    """The document of the robot with what the study sets, and the robot; None where there is none."""
    beside = place.folder / file.robot
    try:
        document = ROBOTS.document(beside if beside.is_file() else ROBOTS.find(file.robot))
    except ParapickError as error:
        place.at("robot").refuse(str(error))
        return {}, None
    settings = flattened(file.set, _VALUES)
    for path, value in settings:
        try:
            document = set_at(document, path, value)
        except ParameterError as error:
            place.at("set").at(path).refuse(error.message)
    robot, problems = read_robot(document)
    for problem in problems:
        stated = any(problem.path.startswith(path) for path, _ in settings)
        place.at("set" if stated else "robot").at(problem.path).refuse(problem.message)
    return document, robot


def _asked(file: StudyFile) -> Iterator[tuple[str, StudyMeasure]]:
    """Every measure that is asked for, and where."""
    for i, name in enumerate(file.objectives):
        yield f"objectives.{i + 1}", STUDY_MEASURES[name]
    for i, name in enumerate(file.also):
        yield f"also.{i + 1}", STUDY_MEASURES[name]
    for name in file.requirements:
        if name in STUDY_MEASURES:
            yield f"requirements.{name}", STUDY_MEASURES[name]


_STATED: Final = {"continuous_torque": "rated_torque", "gearbox_mean_torque": "gearbox.mean_torque"}
"""Ratings whose field in a file has another name."""


def _check_measures(file: StudyFile, robot: Robot, place: FilePlace) -> None:
    """Note what stands against the measures: a robot without masses, ratings or workspace, a study without tasks."""
    masses = missing_masses(robot)
    for path, measure in _asked(file):
        rating = "peak_torque" if measure.quantity == "acceleration" else measure.rating
        if masses and (measure.source in ("motion", "timing") or rating or measure.name == "moving_mass"):
            place.at(path).refuse(f"{measure.name} needs masses; {robot.name} lacks {', '.join(masses)}")
        elif rating and any(value is None for value in motor_ratings(robot, rating)):
            field = f"drive.{_STATED.get(rating, rating)}"
            place.at(path).refuse(f"{measure.name} needs {field}, which the file of {robot.name} does not state")
        elif measure.source == "motion" and not file.tasks:
            place.at(path).refuse(f"{measure.name} is taken along tasks; state at least one in tasks")
        elif measure.source == "timing" and not any(is_timed(task) for task in file.tasks):
            place.at(path).refuse(
                f'{measure.name} is that of tasks with timing = "fastest" or on belts; state at least one in tasks'
            )
        elif measure.source == "region" and robot.workspace is None:
            place.at(path).refuse(f"{measure.name} is taken over the workspace, which {robot.name} does not state")
    if "reach" in file.requirements and robot.workspace is None:
        place.at("requirements.reach").refuse(f"is about the workspace, which {robot.name} does not state; set one")
    for name, bound in file.requirements.items():
        if isinstance(bound, Bound) and bound.at_least is None and bound.at_most is None:
            place.at(f"requirements.{name}").refuse("states no bound; give at_least or at_most")


def _timed_text(file: StudyFile) -> str:
    """Which tasks have another motion for every design, each with what times it; empty where none has."""
    parts = [
        f"{task.name} is timed by {'its belt' if meets_belts(task) else 'the motors of each design'}"
        for task in file.tasks
        if is_timed(task)
    ]
    return f", for {', '.join(parts)}" if parts else ""


def _check_stiffness(file: StudyFile, robot: Robot, place: FilePlace) -> None:
    if file.stiffness.rods == "file" and any(measure.name == "stiffness" for _, measure in _asked(file)):
        for name in ("rod_modulus", "rod_radius"):
            if getattr(robot.limb, name, None) is None:
                place.at("stiffness.rods").refuse(f"needs limb.{name}, which the file of {robot.name} does not state")


def _check_methods(file: StudyFile, space: DesignSpace, place: FilePlace) -> None:
    for i, method in enumerate(file.methods):
        here = place.at("methods").at(i)
        if isinstance(method, Grid):
            for free in space.free:
                if not free.values:
                    here.refuse(f"a grid needs values of {free.path}; give it a step, a count or a list")
        _check_size(file, method, space, here)
        if isinstance(method, Gradient):
            for path, measure in _asked(file):
                timed = _timed_text(file) if measure.source == "motion" else ""
                if (timed or not measure.smooth) and not path.startswith("also"):
                    here.refuse(f"a search along slopes has none of {measure.name}{timed}; use sobol, tpe or grid")
            if len(file.objectives) > 2:
                here.refuse("a front by searches is one of two objectives; leave some out, or use sobol, tpe or grid")
            if all(free.listed for free in space.free):
                here.refuse("every number is a choice, so there is nothing to search along; use grid or tpe")


def _check_size(file: StudyFile, method: Method, space: DesignSpace, place: FilePlace) -> None:
    """Note where a method has more designs, or more files of chunks, than a study may have."""
    if isinstance(method, Grid):
        designs, chunk = math.prod(float(len(free.values) or 1) for free in space.free), file.chunk
    elif isinstance(method, Sobol):
        designs, chunk = float(method.points * method.rounds), min(file.chunk, method.points)
    else:
        designs, chunk = float(method.points), min(file.chunk, method.batch if isinstance(method, Tpe) else file.chunk)
    if objection := count_objection("designs", designs):
        place.refuse(f"the number of its designs {objection}")
    elif count_objection("chunks", designs / chunk):
        place.refuse(
            f"makes {designs / chunk:.3g} files of {chunk} designs; at most {MOST['chunks']}: state more a chunk"
        )


def _work(file: StudyFile, space: DesignSpace, sampled: SampledTasks) -> Work:
    robot, asked = space.robot, [measure for _, measure in _asked(file)]
    counts = file.requirements.get("reach") or POINTS
    if len(counts) < robot.dof and robot.workspace is not None:
        counts = (*counts, YAWS if robot.workspace.yaw_max != robot.workspace.yaw_min else 1)
    wanted = "reach" in file.requirements or any(measure.source == "region" for measure in asked)
    return Work(
        space=space,
        series=sampled.series,
        tasks=sampled.tasks,
        looked=sampled.looked,
        left_out=tuple(file.requirements.get("leave_out", ())),
        timed=tuple(task for task in file.tasks if is_timed(task)),
        settings=PoseSettings(None if file.payload is None else Payload.of(file.payload), file.stiffness, file.sharing),
        sharing=Sharing(file.sharing, is_lossless(space)),
        counts=tuple(counts) if wanted else (),
        reach="reach" in file.requirements,
        requirements=tuple(bound for bound in file.requirements.values() if isinstance(bound, Bound)),
        objectives=file.objectives,
        columns=tuple(dict.fromkeys(measure.name for measure in asked)),
    )
