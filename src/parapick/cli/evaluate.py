"""`parapick evaluate`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, final

from cyclopts import Parameter

from parapick.cli.arguments import Amount, Json, Mode, RobotName, amount, load
from parapick.cli.tables import busy
from parapick.errors import ParapickError

if TYPE_CHECKING:
    from parapick.evaluation import Evaluation

FOLDER: Final = "reports"
"""Where reports go if no folder is given."""

Pace = Annotated[float | None, Parameter(allow_leading_hyphen=True)]


Text = Annotated[str, Parameter(show_default=False)]


@final
@Parameter(name="*")
@dataclass(frozen=True)
class ReportTexts:
    """What else a report has.

    Attributes:
        title: Title of the report; robot and task in words if not given.
        project: What the report is for.
        author: Who made it.
        maps: Sections about the whole region of the robot, such as workspace,acceleration; they take seconds.
        parquet: Write the quantities along the task into a Parquet file instead of the JSON; needs duckdb.
    """

    title: Text = ""
    project: Text = ""
    author: Text = ""
    maps: Text = ""
    parquet: Annotated[bool, Parameter(negative=())] = False

    @property
    def names(self) -> tuple[str, ...]:
        """What `maps` names."""
        return tuple(filter(None, (name.strip() for name in self.maps.split(","))))


def evaluate(
    robot: RobotName,
    /,
    *,
    task: str | None = None,
    payload: Amount = None,
    cycles_per_minute: Pace = None,
    out: str | None = None,
    pdf: Annotated[bool, Parameter(negative=())] = False,
    about: ReportTexts | None = None,
    report: bool = True,
    control: Annotated[list[str] | None, Parameter(consume_multiple=True, negative=())] = None,
    mode: Mode = None,
    as_json: Json = False,
) -> int:
    """Whether a robot can do a task, what limits it, how fast it could be.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        task: A shipped task, or the path of a TOML file; the Adept cycle at 120 a minute if not given.
        payload: Mass carried from pick to place instead of that of the task, such as 500g.
        cycles_per_minute: Cycles a minute, there and back, instead of those of the task.
        out: Folder for the report and the numbers behind it; "reports" if not given.
        pdf: Print the report into a PDF file, too; needs Chromium.
        about: What else the report has.
        report: Write the report; with --json it is written only where --out names a folder.
        control: Simulate the task in closed loop, too: under several control laws, or under the ones or the controllers
            (shipped, or the paths of TOML files) that follow.
        mode: Working mode: a name of the robot's, or one + or - an arm.
        as_json: Print one JSON document instead.
    """
    from parapick.cli.printing import print_evaluation
    from parapick.evaluation import evaluate as evaluated

    model = load(robot, mode)
    wanted = report and (out is not None or not as_json)
    folder = _folder(out or FOLDER) if wanted else None
    texts = about or ReportTexts()
    if texts.maps:
        from parapick.report.regions import check_regions

        check_regions(texts.names)
    with busy(f"evaluating {model.robot.name}"):
        mass = kilograms(payload)
        loops = control or control is not None
        made = evaluated(model, task, payload=mass, cycles_per_minute=cycles_per_minute, control=loops)
    read = {"robot": robot} | ({} if task is None else {"task": task})
    files = {} if folder is None else _written(made, folder, texts, read, pdf=pdf)
    return print_evaluation(made, as_json=as_json, files=files)


def kilograms(payload: str | None) -> float | None:
    """The mass of `--payload`, if it is given."""
    return None if payload is None else amount("--payload", payload, "kg", least=0.0)


def _folder(name: str) -> Path:
    """The folder of the report, made if need be, before anything is computed."""
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ParapickError(f"{name}: cannot be a folder: {(error.strerror or str(error)).lower()}") from error
    except ValueError as error:
        # A null character in the path.
        raise ParapickError(f"{name!r}: cannot be a folder: {error}") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ParapickError(f"{name}: nothing can be written into this folder")
    return folder


def _written(
    made: Evaluation, folder: Path, texts: ReportTexts, read: Mapping[str, str], *, pdf: bool
) -> dict[str, Path]:
    """Write report and numbers; by name, where they are."""
    from parapick.export.numbers import write_numbers
    from parapick.report.cover import Cover, input_files
    from parapick.report.html import write_report
    from parapick.report.pdf import write_pdf

    cover = Cover(texts.title, texts.project, texts.author, date.today().isoformat(), input_files(**read))
    with busy("writing the report"):
        files = {"report": write_report(made, folder, cover=cover, maps=texts.names)}
    if pdf:
        with busy("printing"):
            files["PDF"] = write_pdf(files["report"], files["report"].with_suffix(".pdf"))
    return {**files, **write_numbers(made, folder, parquet=texts.parquet)}
