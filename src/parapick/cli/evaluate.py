"""`parapick evaluate`."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, final

from cyclopts import Parameter

from parapick.cli.arguments import DEFAULT_TASK, PLAIN, RobotName, Shared, TaskChoice, load
from parapick.cli.tables import busy, note
from parapick.errors import ParapickError
from parapick.files import write_text
from parapick.names import file_name

if TYPE_CHECKING:
    from parapick.evaluation import Evaluation

FOLDER: Final = "reports"
"""Where reports go if no folder is given."""


@final
@Parameter(name="*")
@dataclass(frozen=True)
class ReportFiles:
    """What is written.

    Attributes:
        out: Folder for the report and the numbers behind it; "reports" if not given.
        pdf: Print the report into a PDF file, too; needs Chromium.
        report: Write the report; with --json it is written only where --out names a folder.
    """

    out: str | None = None
    pdf: Annotated[bool, Parameter(negative=())] = False
    report: bool = True


_REPORT: Final = ReportFiles()


def evaluate(
    robot: RobotName,
    /,
    *,
    asked: TaskChoice = DEFAULT_TASK,
    files: ReportFiles = _REPORT,
    control: Annotated[bool, Parameter(negative=())] = False,
    shared: Shared = PLAIN,
) -> int:
    """Whether a robot can do a task, what limits it, how fast it could be.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        asked: Which task.
        files: What is written.
        control: Simulate the task in closed loop under several control laws, too.
        shared: Working mode, and how the answer is printed.
    """
    from parapick.cli.printing import print_evaluation
    from parapick.evaluation import evaluate as evaluated

    model = load(robot, shared.mode)
    wanted = files.report and (files.out is not None or not shared.as_json)
    folder = _folder(files.out or FOLDER) if wanted else None
    with busy(f"evaluating {model.robot.name}"):
        made = evaluated(model, **asked.read(), control=control)
    written = _written(made, folder, pdf=files.pdf) if folder is not None else {}
    return print_evaluation(made, as_json=shared.as_json, files=written)


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


def _written(made: Evaluation, folder: Path, *, pdf: bool) -> dict[str, Path]:
    """Write report and numbers; by name, where they are."""
    files: dict[str, Path] = {}
    with busy("writing the report"):
        try:
            from parapick.report.html import write_report

            files["report"] = write_report(made, folder)
        except ModuleNotFoundError as error:
            note(f"no report without {error.name}; install it with: pip install 'parapick[report]'")
        numbers = folder / f"{file_name(made.model.robot.name, made.task)}.json"
        write_text(numbers, json.dumps(made.to_dict(series=True), allow_nan=False, ensure_ascii=False) + "\n")
    if pdf and files:
        from parapick.report.pdf import write_pdf

        with busy("printing"):
            files["PDF"] = write_pdf(files["report"], files["report"].with_suffix(".pdf"))
    return {**files, "numbers": numbers}
