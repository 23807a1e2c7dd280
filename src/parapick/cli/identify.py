"""`parapick identify`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Final, final

from cyclopts import Parameter

from parapick.cli.arguments import (
    PLAIN,
    Amount,
    Files,
    RobotName,
    Shared,
    Whole,
    as_options,
    load_with_masses,
    names_in,
    parsed_amount,
)
from parapick.cli.groups import ASKED, OUTPUT
from parapick.cli.log_options import LogOptions
from parapick.cli.outputs import FIGURE, Force, Output, Outputs, WrittenFiles, draw, out_parameter
from parapick.cli.progress import watched
from parapick.errors import ParapickError

if TYPE_CHECKING:
    from parapick.identification import Question


OUTPUTS: Final = Outputs(
    replace(FIGURE, text="torques of log and model as a figure"),
    Output("robot", "the robot with these numbers", (".toml",), "a robot file"),
    Output("controller", "a controller with feedforward of friction", (".toml",), "a controller file"),
    Output(
        "motion", "a motion that tells these numbers", (".toml",), "a task file", beside={".csv": "a table of t, x"}
    ),
)


@Parameter(name="*", group=ASKED)
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

    estimate: Annotated[str, Parameter(metavar="NAMES")] = "friction,payload"
    check: Annotated[tuple[str, ...], Parameter(negative=(), show_default=False, metavar="FILE")] = ()
    cutoff: Amount = None
    lead: Amount = None


@Parameter(name="*", group=OUTPUT)
@final
@dataclass(frozen=True)
class WrittenOptions:
    """What the controller and the motion have that are written.

    Attributes:
        controller: What the controller is otherwise: a shipped one, the path of a TOML file, or a control law.
        duration: How long the motion takes, such as 8s.
        seed: Where its random numbers begin.
    """

    controller: Annotated[str, Parameter(metavar="NAME")] = "tsid"
    duration: Annotated[str, Parameter(metavar="AMOUNT")] = "8s"
    seed: Whole = 0


_ASKED: Final = IdentifyOptions()
_WRITTEN: Final = WrittenOptions()
_READ: Final = LogOptions()


def identify(
    robot: RobotName,
    file: str | None = None,
    /,
    *,
    asked: IdentifyOptions = _ASKED,
    reading: LogOptions = _READ,
    shared: Shared = PLAIN,
    written: WrittenOptions = _WRITTEN,
    out: Annotated[Files, out_parameter(OUTPUTS)] = (),
    force: Force = False,
) -> int:
    """Friction, payload and masses of a robot from a log, and a motion to log.

    Args:
        robot: A shipped robot, or the path of a TOML file: what is known of the machine.
        file: A .csv, .parquet or .mcap file of a drive or a scope; without one, only a motion is proposed.
        asked: What is identified, and how.
        reading: How the log is read.
        shared: Working mode, what the robot has otherwise than its file states, and how the answer is printed.
        written: What the controller and the motion have that are written.
        out: What is written.
        force: Whether files of the same kind are replaced.
    """
    from parapick.cli.printing import print_answer
    from parapick.control import controllers_of
    from parapick.identification import identified, written as files_of
    from parapick.report import residual_figure

    model, targets = load_with_masses(robot, shared), OUTPUTS.targets(out, force=force)
    (controller,) = controllers_of([written.controller]).values()
    if file is None and not targets.of("motion"):
        raise ParapickError("give the file of a log, or --out motion:FILE.toml for a motion to log")
    _check_once(targets)
    logs = [reading.read(name, model) for name in (*([] if file is None else [file]), *asked.check)]
    with watched("identifying") as progress, as_options("estimate", "cutoff", "lead", "duration", "seed"):
        question = _asked(asked, written, proposed=bool(targets.of("motion")))
        outcome = identified(model, logs, question, progress)
    asked_for = {name: target.path for name, target in targets.written("robot", "controller", "motion").items()}
    files: dict[str, Any] = files_of(outcome, model, asked_for, controller)
    # As they were checked, with what each replaces.
    files |= {name: target for name, target in targets.written().items() if name in files}
    if outcome.residuals:
        shown = outcome.residuals[-1]
        files |= draw(lambda: residual_figure(model, shown, f"{model.robot.name}, {shown.log.file}"), targets)
    return print_answer(outcome.answer, as_json=shared.as_json, files=files, settings=shared.stated)


def _check_once(targets: WrittenFiles) -> None:
    """Raise if a description is to be written into several files."""
    for name in ("robot", "controller", "motion"):
        if len(targets.of(name)) > 1:
            raise ParapickError(f"--out: {name} is asked for twice; give one file for it")


def _asked(asked: IdentifyOptions, written: WrittenOptions, *, proposed: bool) -> Question:
    from parapick.identification import Question

    band = None if asked.cutoff is None else parsed_amount("--cutoff", asked.cutoff, "Hz")
    lead = None if asked.lead is None else parsed_amount("--lead", asked.lead, "s")
    seconds = parsed_amount("--duration", written.duration, "s") if proposed else None
    return Question(names_in(asked.estimate), band, lead, seconds, written.seed)
