"""What verbs give, as pictures and as files: `plot` and `save`, one row of a table for each type.

The rooms below know no figure and no file format; this is where both are put beside their results, for the front page.
The functions are those that the commands write with.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from parapick.errors import ParameterError, ParapickError
from parapick.files import write_text
from parapick.mechanism import TASK_NAMES
from parapick.robots import RobotChoice, model_of
from parapick.units import quantity

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from parapick.model import Model

__all__ = ["plot", "save"]


def plot(result: Any, file: str | os.PathLike[str], *, robot: RobotChoice | None = None) -> Path:
    """Draw a result into a file and return its path; a figure that is there already is replaced.

    Args:
        result: a Model, Motion, Record, SupervisedRun, IndexMap, WorkspaceMap, Analysis, Identification or Sizing;
            several records or supervised runs by name are drawn side by side.
        file: the file; its name ends in .png, .svg or .pdf.
        robot: the robot that follows a Motion: a model, the name of a shipped one, or the path of a file.

    Raises:
        ParameterError: nothing that can be drawn, a Motion without its robot, another ending, or no matplotlib.
        ParapickError: the file cannot be written, or is of another kind.
    """
    from parapick.report import FORMATS, save_figure

    target = Path(file)
    _check_ending(target, FORMATS)
    if isinstance(result, Mapping):
        return save_figure(_side_by_side(result), target)
    _check_goes_with_motion(result, robot=robot)
    if _type_of(result) == "Motion":
        return save_figure(_motion_figure(result, robot), target)
    draw = _DRAWN.get(_type_of(result))
    if draw is None:
        raise ParameterError(
            "result", f"is of type {type(result).__name__}, which has no figure; {', '.join(_DRAWABLE)} have"
        )
    return save_figure(draw(result), target)


def save(
    result: Any,
    file: str | os.PathLike[str],
    *,
    sources: Mapping[str, str] | None = None,
    robot: RobotChoice | None = None,
    sample_rate: float | str = 1000.0,
) -> Path:
    """Write a robot, a controller or a result to a file and return its path.

    What is written follows from the type and the ending:

    - Model, .toml: a robot file, in the words of the file it comes from; see `parapick.robots.save`.
    - Controller, Tuning, .toml: a controller file. Tunings of one controller, too.
    - Identification, .toml: the robot file with the numbers identified.
    - Motion, .csv or .parquet: with a robot its cam table, where plate and joints are and what the motors give; without
      one, .csv, where the plate is.
    - Record, IndexMap, .csv or .parquet: every sample, every point; of a Record .mcap too, for viewers.
    - Evaluation, .html or .pdf: the report; .json or .parquet: its numbers.
    - Sizing, .html: its page; .toml: the robot with the best pair.
    - StudyResult, .html: the page of the study.
    - Whatever has an `answer()`, .json: the answer.

    A file that is there is replaced by one of its own kind; a file of another kind stays, and an error says so.

    Args:
        result: what is saved.
        file: the file.
        sources: where numbers of a robot are from, by path, beside what its file says or in its place.
        robot: the robot that follows a Motion: a model, the name of a shipped one, or the path of a file.
        sample_rate: samples of a Motion per second (Hz, or a text such as "2 kHz").

    Raises:
        ParameterError: nothing that can be saved, or not with this ending.
        ParapickError: the file cannot be written, or is of another kind.
    """
    target, name = Path(file), _type_of(result)
    _check_goes_with_motion(result, robot=robot)
    if sources is not None and name not in _ROBOTS:
        raise ParameterError("sources", f"are those of a robot's numbers; this is of type {type(result).__name__}")
    if name in _ROBOTS:
        from parapick.robots import save as save_robot

        return save_robot(result, target, sources=sources)
    if name == "Motion":
        return _save_motion(result, target, robot, quantity("sample_rate", sample_rate, "Hz"))
    writers = _writers(result, name)
    _check_ending(target, tuple(writers))
    writers[target.suffix.lower()](result, target)
    return target


def _type_of(result: object) -> str:
    """The name of one of our own types, of which there is one of each name; empty for others."""
    kind = type(result)
    return kind.__name__ if kind.__module__.startswith("parapick.") else ""


def _check_ending(target: Path, endings: tuple[str, ...]) -> None:
    """Raise if a file's name does not end in one of some endings."""
    if target.suffix.lower() not in endings:
        raise ParameterError(
            "file", f"{target.name!r} is not what this is written as; end its name in {' or '.join(endings)}"
        )


def _check_goes_with_motion(result: object, *, robot: RobotChoice | None) -> None:
    """Raise if a robot is given beside something that has its own."""
    if robot is not None and _type_of(result) != "Motion":
        raise ParameterError("robot", f"goes with a Motion, which knows none; this is of type {type(result).__name__}")


# Figures


def _side_by_side(results: Mapping[str, Any]) -> Figure:
    """Several closed loops or supervised runs in one figure."""
    from parapick.report import record_figure, stop_figure

    kinds = {_type_of(result) for result in results.values()}
    if kinds == {"Record"}:
        return record_figure(results, _one_robot(record.robot for record in results.values()))
    if kinds == {"SupervisedRun"}:
        return stop_figure(results, _one_robot(run.record.robot for run in results.values()))
    raise ParameterError("result", "several can be drawn if all are Records, or all SupervisedRuns, by name")


def _one_robot(robots: Any) -> str:
    return ", ".join(dict.fromkeys(robots))


def _motion_figure(motion: Any, robot: RobotChoice | None) -> Figure:
    from parapick.report import motion_figure

    if robot is None:
        raise ParameterError("robot", "is missing; say which robot follows the Motion: plot(motion, file, robot=...)")
    model = model_of(robot)
    return motion_figure(motion.follow(model), f"{model.robot.name}: motion of {motion.duration:.4g} s")


def _robot_figure(model: Model) -> Figure:
    from parapick.report import robot_picture

    figure = robot_picture(model)
    if figure is None:
        raise ParameterError("result", f"{model.robot.name} does not reach its home, so there is nothing to draw")
    return figure


def _record_figure(record: Any) -> Figure:
    from parapick.report import loop_figure

    return loop_figure(record, record.robot)


def _run_figure(run: Any) -> Figure:
    from parapick.report import stop_figure

    return stop_figure({run.record.law: run}, run.record.robot)


def _map_figure(index_map: Any) -> Figure:
    from parapick.report import map_figure

    return map_figure(index_map.model, index_map)


def _workspace_figure(workspace_map: Any) -> Figure:
    from parapick.report import workspace_figure

    return workspace_figure(workspace_map.model.robot, workspace_map)


def _analysis_figure(analysis: Any) -> Figure:
    from parapick.report import analysis_figure

    return analysis_figure(analysis.by_name, f"{analysis.model.robot.name}, {analysis.task}")


def _identification_figure(identification: Any) -> Figure:
    from parapick.identification import residual_of
    from parapick.report import residual_figure

    model, log = identification.model, identification.log
    return residual_figure(model, residual_of(identification, log), f"{model.robot.name}, {log.file}")


def _sizing_figure(sizing: Any) -> Figure:
    from parapick.report import sizing_figure

    sizing.robot()
    return sizing_figure(sizing)


_DRAWN: Final[Mapping[str, Callable[[Any], Figure]]] = {
    "Analysis": _analysis_figure,
    "Identification": _identification_figure,
    "IndexMap": _map_figure,
    "Model": _robot_figure,
    "Record": _record_figure,
    "Sizing": _sizing_figure,
    "SupervisedRun": _run_figure,
    "WorkspaceMap": _workspace_figure,
}
"""What draws a result, by its type."""

_DRAWABLE: Final = sorted([*_DRAWN, "Motion"])


# Files


def _writers(result: Any, name: str) -> Mapping[str, Callable[[Any, Path], object]]:
    """What writes a result, by ending."""
    answered = {".json": _write_answer} if name and callable(getattr(result, "answer", None)) else {}
    writers = {**answered, **_WRITTEN.get(name, {})}
    if not writers:
        types = ", ".join(sorted([*_WRITTEN, "Model", "Motion"]))
        raise ParameterError(
            "result", f"is of type {type(result).__name__}, which is not saved; {types} are, and what has an answer()"
        )
    return writers


def _write_sizing(sizing: Any, target: Path) -> None:
    from parapick.report import write_sizing_page

    write_sizing_page(sizing, target)


def _write_sized_robot(sizing: Any, target: Path) -> None:
    sizing.save_robot(target)


def _write_answer(result: Any, target: Path) -> None:
    document = result.answer().to_dict(series=True)
    write_text(target, json.dumps(document, allow_nan=False, ensure_ascii=False, indent=1) + "\n")


def _save_motion(motion: Any, target: Path, robot: RobotChoice | None, sample_rate: float) -> Path:
    from parapick.export import write_cam
    from parapick.inspection import SAMPLES_MAX, samples_csv
    from parapick.ride import Ride

    _check_ending(target, (".csv",) if robot is None else (".csv", ".parquet"))
    most = (SAMPLES_MAX - 1) / motion.duration
    if not 0.0 < sample_rate <= most:
        raise ParameterError("sample_rate", f"is {sample_rate:g} Hz; it must be above 0 and at most {most:.3g} Hz")
    samples = motion.sample(sample_rate)
    if robot is not None:
        return write_cam(Ride(model_of(robot), samples), target)
    write_text(target, samples_csv(TASK_NAMES[: motion.dof], samples))
    return target


def _write_controller(controller: Any, target: Path) -> None:
    from parapick.control import save_controller

    save_controller(controller, target)


def _write_tuning(tuning: Any, target: Path) -> None:
    _write_controller(tuning.controller, target)


def _write_tunings(tunings: Any, target: Path) -> None:
    if len(tunings.by_name) > 1:
        raise ParameterError("result", f"save one of {', '.join(tunings.by_name)}: save(tunings[name], file)")
    _write_tuning(tunings.best, target)


def _write_identified(identification: Any, target: Path) -> None:
    from parapick.identification import changed_model, check_identified, robot_change
    from parapick.robots import save as save_robot

    check_identified(identification)
    answer = identification.answer()
    if not answer.ok:
        raise ParapickError(f"{target}: is not written, for the log is not believed: {answer.first_line}")
    save_robot(changed_model(identification), target, sources=robot_change(identification).sources)


def _write_record(record: Any, target: Path) -> None:
    from parapick.export import write_record

    write_record(record, target)


def _write_map(index_map: Any, target: Path) -> None:
    from parapick.export import map_csv, write_map_parquet

    if target.suffix.lower() == ".csv":
        write_text(target, map_csv(index_map))
    else:
        write_map_parquet(index_map, target)


def _write_report(evaluation: Any, target: Path) -> None:
    from parapick.report import Cover, write_report_file

    write_report_file(evaluation, target, cover=Cover())


def _write_numbers(evaluation: Any, target: Path) -> None:
    from parapick.export import write_numbers_file

    write_numbers_file(evaluation, target)


def _write_study(result: Any, target: Path) -> None:
    from parapick.report import study_html

    write_text(target, study_html(result.study, result.store, result.answer()))


_ROBOTS: Final = ("Model", "Robot", "RobotFile")
"""Types that are saved as robot files."""

_TABLES: Final = (".csv", ".parquet")
_WRITTEN: Final[Mapping[str, Mapping[str, Callable[[Any, Path], object]]]] = {
    "Controller": {".toml": _write_controller},
    "Evaluation": {
        **dict.fromkeys((".html", ".pdf"), _write_report),
        **dict.fromkeys((".json", ".parquet"), _write_numbers),
    },
    "Identification": {".toml": _write_identified},
    "IndexMap": dict.fromkeys(_TABLES, _write_map),
    "Record": dict.fromkeys((*_TABLES, ".mcap"), _write_record),
    "Sizing": {".html": _write_sizing, ".toml": _write_sized_robot},
    "StudyResult": {".html": _write_study},
    "Tuning": {".toml": _write_tuning},
    "Tunings": {".toml": _write_tunings},
}
"""What writes a result, by its type and by the ending of the file; an answer is written as JSON besides."""
