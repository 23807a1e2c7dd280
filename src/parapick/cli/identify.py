"""`parapick identify`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final, final

from cyclopts import Parameter

from parapick.cli.arguments import (
    PLAIN,
    Amount,
    RobotName,
    Shared,
    as_options,
    load_with_masses,
    names_in,
    parsed_amount,
)
from parapick.cli.files import check_target, draw, targets
from parapick.cli.log_options import LogOptions
from parapick.cli.tables import busy
from parapick.errors import ParapickError

if TYPE_CHECKING:
    from pathlib import Path

    from parapick.identification import Question


@Parameter(name="*")
@final
@dataclass(frozen=True)
class IdentifyOptions:
    """What is identified, and how.

    Attributes:
        estimate: What to identify, separated by commas: friction, stribeck, payload, payload-center, inertia, or paths
            of inertial numbers such as limb.rod_mass.
        check: Another log of the same machine, of another motion, on which the numbers are checked; repeatable.
        cutoff: Cutoff of the filter of torques, such as 30Hz; by the steps of the encoders if not given.
        lead: By how much a torque is recorded before it acts, such as 0.125ms; identified if not given.
    """

    estimate: str = "friction,payload"
    check: Annotated[tuple[str, ...], Parameter(negative=(), show_default=False)] = ()
    cutoff: Amount = None
    lead: Amount = None


@Parameter(name="*")
@final
@dataclass(frozen=True)
class IdentifyFiles:
    """Files that are written.

    Attributes:
        robot_file: Write the robot with these numbers, and where they are from, into this .toml file.
        controller_file: Write a controller with this model and feedforward of friction into this .toml file.
        controller: What that controller is otherwise: a shipped one, the path of a TOML file, or a control law.
        propose: Write a motion that tells these numbers into this .toml file, with its .csv file beside it.
        duration: How long that motion takes, such as 8s.
        seed: Where its random numbers begin.
        plot: Draw the torques of log and model into this .png, .svg or .pdf file.
    """

    robot_file: str | None = None
    controller_file: str | None = None
    controller: str = "tsid"
    propose: str | None = None
    duration: str = "8s"
    seed: int = 0
    plot: str | None = None


_ASKED: Final = IdentifyOptions()
_FILES: Final = IdentifyFiles()
_READ: Final = LogOptions()


def identify(
    robot: RobotName,
    file: str | None = None,
    /,
    *,
    asked: IdentifyOptions = _ASKED,
    files: IdentifyFiles = _FILES,
    reading: LogOptions = _READ,
    shared: Shared = PLAIN,
) -> int:
    """Friction, payload and masses of a robot from a log, and a motion to log.

    Args:
        robot: A shipped robot, or the path of a TOML file: what is known of the machine.
        file: A .csv or .parquet file of a drive or a scope; without one, only a motion is proposed.
        asked: What is identified, and how.
        files: Files that are written.
        reading: How the log is read.
        shared: Working mode, what the robot has otherwise than its file states, and how the answer is printed.
    """
    from parapick.cli.printing import print_answer
    from parapick.control import controllers_of
    from parapick.identification import identified, written

    model, paths = load_with_masses(robot, shared), _targets(files)
    (controller,) = controllers_of([files.controller]).values()
    if file is None and files.propose is None:
        raise ParapickError("give the file of a log, or --propose FILE for a motion to log")
    logs = [reading.read(name, model) for name in (*([] if file is None else [file]), *asked.check)]
    with busy("identifying"), as_options("estimate", "cutoff", "lead", "duration", "seed"):
        outcome = identified(model, logs, _asked(asked, files))
    files_written = written(outcome, model, paths, controller)
    if "plot" in paths and outcome.residuals:
        from parapick.report import residual_figure

        shown = outcome.residuals[-1]
        draw(lambda: residual_figure(model, shown, f"{model.robot.name}, {shown.log.file}"), paths["plot"])
        files_written["plot"] = paths["plot"]
    return print_answer(outcome.answer, as_json=shared.as_json, files=files_written, settings=shared.settings.stated)


def _asked(asked: IdentifyOptions, files: IdentifyFiles) -> Question:
    from parapick.identification import Question

    band = None if asked.cutoff is None else parsed_amount("--cutoff", asked.cutoff, "Hz")
    lead = None if asked.lead is None else parsed_amount("--lead", asked.lead, "s")
    seconds = None if files.propose is None else parsed_amount("--duration", files.duration, "s")
    return Question(names_in(asked.estimate), band, lead, seconds, files.seed)


def _targets(files: IdentifyFiles) -> dict[str, Path]:
    tables = {"robot": files.robot_file, "controller": files.controller_file, "motion": files.propose}
    return {
        **targets(plot=files.plot),
        **{name: check_target(path, (".toml",)) for name, path in tables.items() if path is not None},
    }
