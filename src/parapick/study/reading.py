"""From the document of a study file to a study, with every problem found on the way.

Units of free numbers are those of the robot's fields, so the robot is read first; what the study sets differently goes
into the robot's document before it is read, and is checked as if it stood in the robot's own file.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, final

import numpy as np

from parapick import __version__, forms
from parapick.errors import FileProblem, ParameterError, ParapickError
from parapick.fields import Quantity
from parapick.forms import UNREAD, FilePlace, Number, Word
from parapick.mechanism.parameters import leaves, replaced, resolved
from parapick.mechanism.robot import Robot
from parapick.model.dynamics import missing_masses
from parapick.model.motors import Motors
from parapick.model.payload import Payload, combined
from parapick.robots.contents import RobotFile
from parapick.robots.files import find as find_robot
from parapick.robots.files import parsed, read_text
from parapick.robots.reading import read_robot
from parapick.study.description import Gradient, Grid, Method, StudyFile
from parapick.study.designs import Requirement, Work
from parapick.study.folds import Series, Sharing
from parapick.study.forms import FOLLOWS, POINTS, RANGE, flattened
from parapick.study.measures import MEASURES, Measure
from parapick.study.slopes import SMOOTH
from parapick.study.space import Dependent, Free, Space, quantities
from parapick.tasks.common import AnyTask, MoveTask
from parapick.tasks.moves import AdeptTask
from parapick.tasks.sampled import SampledTask
from parapick.toml import in_words

COUNT_MAX: Final = 100_000_000
"""Most designs of a grid: more would take days and fill a disk."""

YAWS: Final = 3
"""Yaws at which a workspace with a range of yaw is looked at where the file states none."""


@final
@dataclass(frozen=True, eq=False)
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

    @property
    def space(self) -> Space:
        """The designs."""
        return self.work.space

    def method(self, kind: str | None = None) -> Method:
        """The way to choose designs: the first of the file, or the one that is asked for.

        Args:
            kind: "grid", "sobol" or "gradient"; None for the first.

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


def study_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of study files, for editors and other programs."""
    return forms.json_schema(file_form(), "StudyFile", "A study for parapick: which robot to build.")


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
    space = _space(file, robot.robot, place)
    _check_measures(file, robot.robot, place)
    _check_methods(file, space, place)
    series = _series(file, robot.robot, place)
    if place.problems:
        return None, tuple(place.problems)
    work = _work(file, space, series)
    plain = {"study": dict(document), "robot": robot_document, "tasks": [_digest(one) for one in series]}
    return Study(file, robot, work, {**plain, "parapick": __version__}), ()


def digest_of(document: Mapping[str, Any]) -> str:
    """A digest of plain data.

    Args:
        document: nested dictionaries of texts, numbers and lists.
    """
    return sha256(json.dumps(document, sort_keys=True, default=str).encode()).hexdigest()


def _digest(series: Series) -> str:
    arrays = (series.t, series.x, series.xd, series.xdd, series.load)
    return sha256(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)).hexdigest()


def _robot(file: StudyFile, place: FilePlace) -> tuple[dict[str, Any], RobotFile | None]:
    """The document of the robot with what the study sets, and the robot; None where there is none."""
    own = place.folder / file.robot
    try:
        path = own if own.is_file() else find_robot(file.robot)
        document = copy.deepcopy(parsed(path, read_text(path)))
    except ParapickError as error:
        place.at("robot").refuse(str(error))
        return {}, None
    for key, value in file.set.items():
        _put(document, key.split("."), value)
    robot, problems = read_robot(document)
    for problem in problems:
        stated = any(problem.path.startswith(key) for key, _ in flattened(file.set, ("of", "kind")))
        place.at("set" if stated else "robot").at(problem.path).refuse(problem.message)
    return document, robot


def _put(document: dict[str, Any], keys: list[str], value: Any) -> None:
    """Put a value into nested tables; a table goes into the one that is there, unless it is a value of its own."""
    *outer, last = keys
    for key in outer:
        inner = document.get(key)
        document[key] = inner if isinstance(inner, dict) else {}
        document = document[key]
    if isinstance(value, Mapping) and not {"of", "kind"} & set(value):
        for key, inner in value.items():
            _put(document, [*([last] if last else []), *key.split(".")], inner)
    else:
        # A source is stated by its whole path, so the one that is there would win over it.
        document[last] = value


def _space(file: StudyFile, robot: Robot, place: FilePlace) -> Space:
    units = {path: stated.unit for path, stated, _ in quantities(robot)}
    known = {path for path, _ in leaves(robot)}
    free = []
    for path, value in file.parameters.items():
        here = place.at("parameters").at(path)
        if _exists(robot, path, here):
            one = _free(path, units.get(path, ""), value, here)
            free += [] if one is None else [one]
    dependent: list[Dependent] = []
    for path, value in flattened(file.dependent, FOLLOWS):
        here = place.at("dependent").at(path)
        if path in file.parameters:
            here.refuse("is free already; leave one of the two out")
        elif _exists(robot, path, here):
            one = _dependent(path, units, value, known, here)
            later = [other for other in one.of if other in dict(flattened(file.dependent, FOLLOWS))] if one else []
            if any(other not in {earlier.path for earlier in dependent} for other in later):
                here.refuse(f"follows {later[0]}, which stands below it; state it after what it follows")
            dependent += [] if one is None else [one]
    return Space(robot, tuple(free), tuple(dependent))


def _exists(robot: Robot, path: str, place: FilePlace) -> bool:
    try:
        replaced(robot, {path: 0.0})
    except ParameterError as error:
        place.refuse(error.message)
        return False
    return True


def _free(path: str, unit: str, value: Any, place: FilePlace) -> Free | None:
    """A free number: a list of its values, or a table with a range, values, a step or a count."""
    number, problems = Number(Quantity(unit, path)), len(place.problems)
    if isinstance(value, list):
        value = {"values": value}
    if not isinstance(value, Mapping) or set(value) - set(RANGE) or not ("values" in value) ^ ("from" in value):
        example = "[0.2, 0.25], or { from = 0.2, to = 0.3 } with step, count or choose"
        place.refuse(f"is {in_words(value)}; a free number is a list of values such as {example}")
        return None
    choose = value.get("choose")
    if choose is not None:
        choose = Word(("lowest", "highest", "best")).read(choose, place.at("choose"))
    if "values" in value:
        listed = value["values"] if isinstance(value["values"], list) else [value["values"]]
        values = [number.read(entry, place.at("values").at(i)) for i, entry in enumerate(listed)]
        if not listed:
            place.refuse("is empty; list at least one value")
        if len(place.problems) > problems:
            return None
        return Free(path, unit, min(values), max(values), tuple(values), listed=True, choose=choose)
    return _range(path, value, choose, number, place)


def _range(path: str, value: Mapping[str, Any], choose: Any, number: Number, place: FilePlace) -> Free | None:
    unit, problems = number.stated.unit, len(place.problems)
    if "to" not in value:
        place.at("to").refuse("is missing: the other end of the range")
        return None
    low, high = (number.read(value[side], place.at(side)) for side in ("from", "to"))
    step = number.read(value["step"], place.at("step")) if "step" in value else None
    count = forms.Whole(2).read(value["count"], place.at("count")) if "count" in value else None
    if len(place.problems) > problems:
        return None
    if not low < high:
        place.refuse(f"is an empty range, from {low:g} to {high:g} {unit}".rstrip() + "; give from < to")
        return None
    if step is not None:
        if not 0 < step <= high - low:
            place.at("step").refuse(f"is {step:g}; it must be greater than 0 and at most the range, {high - low:g}")
            return None
        # Rounded where it is meant: ten steps of a hundredth are a tenth.
        values = tuple(round(low + i * step, 12) for i in range(int((high - low) / step + 1e-9) + 1))
    else:
        values = tuple(np.linspace(low, high, count).tolist()) if count else ()
    return Free(path, unit, low, high, values, choose=choose)


def _dependent(path: str, units: Mapping[str, str], value: Any, known: set[str], place: FilePlace) -> Dependent | None:
    if not isinstance(value, Mapping) or "of" not in value or set(value) - set(FOLLOWS):
        place.refuse('must be a table such as { of = "workspace.z_min", times = 1, plus = "100 mm" }')
        return None
    of = value["of"] if isinstance(value["of"], list) else [value["of"]]
    times = value.get("times", 1.0)
    times = times if isinstance(times, list) else [times] * len(of)
    unknown = [other for other in of if other not in known]
    if unknown:
        place.at("of").refuse(f"names {in_words(unknown[0])}, which is not a number of this robot")
        return None
    factor = Number(Quantity("", "factor"))
    factors = [factor.read(one, place.at("times")) for one in times]
    plus = Number(Quantity(units.get(path, ""), "plus")).read(value.get("plus", 0.0), place.at("plus"))
    if len(times) != len(of):
        place.at("times").refuse(f"is a list of {len(times)}; give one factor for each of the {len(of)} it follows")
        return None
    return None if UNREAD in (*factors, plus) else Dependent(path, tuple(of), tuple(factors), plus)


def _asked(file: StudyFile) -> Iterator[tuple[str, Measure]]:
    """Every measure that is asked for, and where."""
    for i, name in enumerate(file.objectives):
        yield f"objectives.{i + 1}", MEASURES[name]
    for i, name in enumerate(file.also):
        yield f"also.{i + 1}", MEASURES[name]
    for name in file.requirements:
        if name != "reach":
            yield f"requirements.{name}", MEASURES[name]


def _check_measures(file: StudyFile, robot: Robot, place: FilePlace) -> None:
    """Note what stands against the measures: a robot without masses, ratings or workspace, a study without tasks."""
    masses = missing_masses(robot)
    for path, measure in _asked(file):
        rating = "peak_torque" if measure.quantity == "acceleration" else measure.rating
        if masses and (measure.source == "motion" or rating or measure.name == "moving_mass"):
            place.at(path).refuse(f"{measure.name} needs masses; {robot.name} lacks {', '.join(masses)}")
        elif rating and any(getattr(drive, rating) is None for drive in robot.motor_drives()):
            place.at(path).refuse(f"{measure.name} needs drive.{rating}, which the file of {robot.name} does not state")
        elif measure.source == "motion" and not file.tasks:
            place.at(path).refuse(f"{measure.name} is taken along tasks; state at least one in tasks")
        elif measure.source == "region" and robot.workspace is None:
            place.at(path).refuse(f"{measure.name} is taken over the workspace, which {robot.name} does not state")
    if "reach" in file.requirements and robot.workspace is None:
        place.at("requirements.reach").refuse(f"is about the workspace, which {robot.name} does not state; set one")
    for name, bound in file.requirements.items():
        if isinstance(bound, Requirement) and bound.at_least is None and bound.at_most is None:
            place.at(f"requirements.{name}").refuse("states no bound; give at_least or at_most")


def _check_methods(file: StudyFile, space: Space, place: FilePlace) -> None:
    for i, method in enumerate(file.methods):
        here = place.at("methods").at(i)
        if isinstance(method, Grid):
            for free in space.free:
                if not free.values:
                    here.refuse(f"a grid needs values of {free.path}; give it a step, a count or a list")
            count = float(np.prod([float(len(free.values) or 1) for free in space.free]))
            if count > COUNT_MAX:
                here.refuse(f"a grid of {count:.3g} designs is too large; at most {COUNT_MAX:.0e} are evaluated")
        if isinstance(method, Gradient):
            for path, measure in _asked(file):
                if measure.name not in SMOOTH and not path.startswith("also"):
                    here.refuse(f"a gradient search has no slopes of {measure.name}; use sobol or grid")


def _series(file: StudyFile, robot: Robot, place: FilePlace) -> tuple[Series, ...]:
    """The samples of the tasks; poses of a task are counted from the workspace where it says so."""
    series = []
    for i, task in enumerate(file.tasks):
        here = place.at("tasks").at(i)
        if not isinstance(task, (MoveTask, SampledTask)) or getattr(task, "timing", "law") == "fastest":
            here.refuse("must be the same motion for every robot: by a law of time or samples, no belts, not fastest")
            continue
        try:
            series.append(_sampled(task, file, robot.dof))
        except ParapickError as error:
            here.refuse(str(error))
    return tuple(series)


def _sampled(task: AnyTask, file: StudyFile, dof: int) -> Series:
    placed = task.frame == "workspace" or (isinstance(task, AdeptTask) and task.center is None)
    samples = task.motion(None).sample(file.rate, corners=True)  # pyright: ignore[reportAttributeAccessIssue]
    x, xd, xdd = (_fitted(values, dof) for values in (samples.x, samples.xd, samples.xdd))
    load = combined(Payload.of(file.payload).vector(), samples.load)
    return Series(task.name, placed, samples.t, x, xd, xdd, load)


def _fitted(values: np.ndarray, dof: int) -> np.ndarray:
    """Task vectors with as many coordinates as the robot has."""
    if values.shape[1] > dof and np.any(values[:, dof:]):
        raise ParameterError("yaw", "is asked for; this robot has no yaw")
    wide = np.concatenate([values, np.zeros((len(values), 1))], axis=1) if values.shape[1] < dof else values
    return np.ascontiguousarray(wide[:, :dof])


def _work(file: StudyFile, space: Space, series: tuple[Series, ...]) -> Work:
    robot, asked = space.robot, [measure for _, measure in _asked(file)]
    counts = file.requirements.get("reach") or POINTS
    if len(counts) < robot.dof and robot.workspace is not None:
        counts = (*counts, YAWS if robot.workspace.yaw_max != robot.workspace.yaw_min else 1)
    wanted = "reach" in file.requirements or any(measure.source == "region" for measure in asked)
    return Work(
        space=space,
        series=series,
        sharing=Sharing(file.sharing, _lossless(space)),
        counts=tuple(counts) if wanted else (),
        reach="reach" in file.requirements,
        requirements=tuple(bound for bound in file.requirements.values() if isinstance(bound, Requirement)),
        objectives=file.objectives,
        columns=tuple(dict.fromkeys(measure.name for measure in asked)),
    )


def _lossless(space: Space) -> bool:
    """Whether no design has friction or losses in its drives."""
    motors = Motors.of(resolved(space.robot))
    varied = any(space.paths[i].startswith(("drive.friction", "drive.efficiency", "plate.drive")) for i in space.varied)
    return not varied and not motors.jumping and not np.any(motors.viscous)
