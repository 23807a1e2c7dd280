"""`parapick evaluate`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Annotated, Final, final

from cyclopts import Parameter

from parapick.cli.arguments import (
    DEFAULT_TASK,
    PLAIN,
    Files,
    Names,
    Shared,
    TaskChoice,
    Text,
    as_options,
    load,
    names_in,
)
from parapick.cli.groups import ASKED, OUTPUT, REPORT
from parapick.cli.outputs import (
    FOLDER,
    Output,
    Outputs,
    WrittenFile,
    WrittenFiles,
    contents,
    numbered,
    out_parameter,
    written_in,
)
from parapick.cli.progress import watched
from parapick.cli.tables import busy
from parapick.errors import ParapickError

if TYPE_CHECKING:
    from parapick.evaluation import Evaluation

REPORTS: Final = "reports"
"""The folder of reports if nothing else is asked for."""

OUTPUTS: Final = Outputs(
    Output("folder", "report and numbers", (FOLDER,)),
    Output("report", "the report, as .pdf with Chromium", (".html", ".pdf")),
    Output("numbers", "the numbers", (".json",)),
    Output("series", "what changes along the task", (".parquet",)),
)


@final
@Parameter(name="*", group=REPORT)
@dataclass(frozen=True)
class ReportOptions:
    """What a report has.

    Attributes:
        report: Write report and numbers into the folder "reports" where --out names nothing; not with --json.
        title: Title of the report; robot and task in words if not given.
        project: What the report is for.
        author: Who made it.
        maps: Sections about the whole region of the robot, such as workspace,acceleration; they take seconds.
    """

    report: Annotated[bool, Parameter(group=OUTPUT)] = True
    title: Text = ""
    project: Text = ""
    author: Text = ""
    maps: Names = ""

    @property
    def names(self) -> tuple[str, ...]:
        """What `maps` names."""
        return names_in(self.maps)


_REPORT: Final = ReportOptions()


def _check_words(robot: str, task: str | None, asked: TaskChoice, controller: list[str] | None) -> None:
    """Raise if there is no robot, or the task is named twice."""
    if not robot:
        words = " ".join(controller or ())
        taken = f"; what follows --controller ({words}) names controllers: put it last" if controller else ""
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
    sections: Annotated[Names, Parameter(group=ASKED)] = "",
    controller: Annotated[
        list[str] | None, Parameter(consume_multiple=True, negative=(), group=ASKED, metavar="NAMES")
    ] = None,
    shared: Shared = PLAIN,
    out: Annotated[Files, out_parameter(OUTPUTS)] = (),
) -> int:
    """Whether a robot can do a task, what limits it, how fast it could be.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        task: A shipped task, or the path of a TOML file; the Adept cycle at 120 per minute if not given.
        asked: What is changed about the task.
        report: What a report has.
        sections: Compute these only, such as reach,torque; the verdict rests on them alone.
        controller: Simulate the task in closed loop, too: under several control laws, or under the laws, shipped
            controllers or paths of TOML files that follow, separated by commas or blanks; behind robot and task.
        shared: Working mode, and how the answer is printed.
        out: What is written.
    """
    from parapick.cli.printing import print_evaluation
    from parapick.evaluation import evaluate as evaluated

    _check_words(robot, task, asked, controller)
    asked = asked if task is None else replace(asked, task=task)
    model = load(robot, shared)
    usual = [REPORTS] if report.report and not shared.as_json else []
    targets = OUTPUTS.targets(out or usual)
    if report.maps:
        from parapick.report import check_regions

        check_regions(report.names)
    chosen = names_in(sections) or None
    loops = [name for text in controller or () for name in names_in(text)] or controller is not None
    with watched(f"evaluating {model.robot.name}") as doing, as_options("sections"):
        evaluation = evaluated(model, **asked.read(), sections=chosen, control=loops, progress=doing)
    evaluation = replace(evaluation, settings={**shared.stated, **asked.stated})
    read = {"robot": robot} | ({} if asked.task is None else {"task": asked.task})
    files = _written(evaluation, targets, report, read)
    return print_evaluation(evaluation, as_json=shared.as_json, files=files)


def _written(
    evaluation: Evaluation, targets: WrittenFiles, report: ReportOptions, read: Mapping[str, str]
) -> dict[str, WrittenFile]:
    """Write what is asked for; the files by what they hold."""
    if not targets:
        return {}
    from parapick.export import write_numbers, write_numbers_file
    from parapick.report import Cover, input_files, write_report, write_report_file

    cover = Cover(report.title, report.project, report.author, date.today().isoformat(), input_files(**read))
    files: list[WrittenFile] = []
    with busy("writing"):
        for target in targets.of("folder"):
            before = contents(target.path)
            page = write_report(evaluation, target.path, cover=cover, maps=report.names)
            files += written_in(before, {"report": page, **write_numbers(evaluation, target.path)}).values()
        for target in targets.of("report"):
            write_report_file(evaluation, target.path, cover=cover, maps=report.names)
        for target in targets.of("numbers", "series"):
            write_numbers_file(evaluation, target.path)
    return numbered([*files, *targets.of("report", "numbers", "series")])
