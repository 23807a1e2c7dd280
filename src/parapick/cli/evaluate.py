"""`parapick evaluate`."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from parapick.cli.arguments import Amount, Json, Mode, RobotName, amount, load
from parapick.cli.tables import busy, note
from parapick.errors import ParapickError
from parapick.files import write_text
from parapick.names import file_name

if TYPE_CHECKING:
    from parapick.evaluation import Evaluation

FOLDER: Final = "reports"
"""Where reports go if no folder is given."""

Pace = Annotated[float | None, Parameter(allow_leading_hyphen=True)]


def evaluate(
    robot: RobotName,
    /,
    *,
    task: str | None = None,
    payload: Amount = None,
    cycles_per_minute: Pace = None,
    out: str | None = None,
    pdf: Annotated[bool, Parameter(negative=())] = False,
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
    with busy(f"evaluating {model.robot.name}"):
        mass = kilograms(payload)
        loops = control or control is not None
        made = evaluated(model, task, payload=mass, cycles_per_minute=cycles_per_minute, control=loops)
    files = _written(made, folder, pdf=pdf) if folder is not None else {}
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
