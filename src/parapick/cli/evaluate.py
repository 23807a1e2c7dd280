"""`parapick evaluate`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, final

from cyclopts import Parameter

from parapick.cli.arguments import DEFAULT_TASK, PLAIN, Names, Shared, TaskChoice, as_options, load, names_in
from parapick.cli.files import made_folder
from parapick.cli.progress import watched
from parapick.cli.tables import busy
from parapick.errors import ParapickError

if TYPE_CHECKING:
    from parapick.evaluation import Evaluation

FOLDER: Final = "reports"
"""Where reports go if no folder is given."""


Text = Annotated[str, Parameter(show_default=False)]
Flag = Annotated[bool, Parameter(negative=())]


@final
@Parameter(name="*")
@dataclass(frozen=True)
class ReportOptions:
    """What is written, and what a report has.

    Attributes:
        out: Folder for the report and the numbers behind it; "reports" if not given.
        pdf: Print the report into a PDF file, too; needs Chromium.
        report: Write the report; with --json it is written only where --out names a folder.
        title: Title of the report; robot and task in words if not given.
        project: What the report is for.
        author: Who made it.
        maps: Sections about the whole region of the robot, such as workspace,acceleration; they take seconds.
        parquet: Write the quantities along the task into a Parquet file instead of the JSON; needs duckdb.
    """

    out: str | None = None
    pdf: Flag = False
    report: bool = True
    title: Text = ""
    project: Text = ""
    author: Text = ""
    maps: Names = ""
    parquet: Flag = False

    @property
    def names(self) -> tuple[str, ...]:
        """What `maps` names."""
        return names_in(self.maps)


_REPORT: Final = ReportOptions()


def _check_words(robot: str, task: str | None, asked: TaskChoice, control: list[str] | None) -> None:
    """Raise if there is no robot, or the task is named twice."""
    if not robot:
        taken = f"; what follows --control ({' '.join(control)}) names controllers: put it last" if control else ""
        raise ParapickError(f"evaluate needs a ROBOT{taken}")
    if task is not None and asked.task is not None:
        raise ParapickError(f"two tasks are given, {task} and --task {asked.task}; give one")


def evaluate(
    robot: Annotated[str, Parameter(show_default=False)] = "",
    task: str | None = None,
    /,
    *,
    asked: TaskChoice = DEFAULT_TASK,
    report: ReportOptions = _REPORT,
    sections: Names = "",
    control: Annotated[list[str] | None, Parameter(consume_multiple=True, negative=())] = None,
    shared: Shared = PLAIN,
) -> int:
    """Whether a robot can do a task, what limits it, how fast it could be.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        task: A shipped task, or the path of a TOML file; the Adept cycle at 120 a minute if not given.
        asked: What is changed about the task.
        report: What is written.
        sections: Compute these only, such as reach,torque; the verdict rests on them alone.
        control: Simulate the task in closed loop, too: under several control laws, or under the ones or the controllers
            (shipped, or the paths of TOML files) that follow, separated by commas or blanks; behind robot and task.
        shared: Working mode, and how the answer is printed.
    """
    from parapick.cli.printing import print_evaluation
    from parapick.evaluation import evaluate as evaluated

    _check_words(robot, task, asked, control)
    asked = asked if task is None else replace(asked, task=task)
    model = load(robot, shared)
    wanted = report.report and (report.out is not None or not shared.as_json)
    folder = made_folder(report.out or FOLDER) if wanted else None
    if report.maps:
        from parapick.report import check_regions

        check_regions(report.names)
    chosen = names_in(sections) or None
    loops = [name for text in control or () for name in names_in(text)] or control is not None
    with watched(f"evaluating {model.robot.name}") as doing, as_options("sections"):
        evaluation = evaluated(model, **asked.read(), sections=chosen, control=loops, progress=doing)
    evaluation = replace(evaluation, settings={**shared.settings.stated, **asked.settings.stated})
    read = {"robot": robot} | ({} if asked.task is None else {"task": asked.task})
    files = {} if folder is None else _written(evaluation, folder, report, read)
    return print_evaluation(evaluation, as_json=shared.as_json, files=files)


def _written(evaluation: Evaluation, folder: Path, report: ReportOptions, read: Mapping[str, str]) -> dict[str, Path]:
    """Write report and numbers; by name, where they are."""
    from parapick.export import write_numbers
    from parapick.report import Cover, input_files, write_pdf, write_report

    cover = Cover(report.title, report.project, report.author, date.today().isoformat(), input_files(**read))
    with busy("writing the report"):
        files = {"report": write_report(evaluation, folder, cover=cover, maps=report.names)}
    if report.pdf:
        with busy("printing"):
            files["PDF"] = write_pdf(files["report"], files["report"].with_suffix(".pdf"))
    return {**files, **write_numbers(evaluation, folder, parquet=report.parquet)}
