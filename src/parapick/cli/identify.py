"""`parapick identify`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final, final

from cyclopts import Parameter

from parapick.cli.arguments import PLAIN, Amount, RobotName, Shared, amount, as_options, load_with_masses, names_in
from parapick.cli.files import check_target, draw, targets
from parapick.cli.log_options import LogOptions
from parapick.cli.tables import busy
from parapick.errors import ParapickError

if TYPE_CHECKING:
    from pathlib import Path

    from parapick.identification import Identification
    from parapick.model import Model


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
    duration: Amount = "8s"
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
    """Friction, payload and inertial numbers of a robot from a log, with confidence; and a motion that tells them.

    Args:
        robot: A shipped robot, or the path of a TOML file: what is known of the machine.
        file: A .csv or .parquet file of a drive or a scope; without one, only a motion is proposed.
        asked: What is identified, and how.
        files: Files that are written.
        reading: How the log is read.
        shared: Working mode, what the robot has otherwise than its file states, and how the answer is printed.
    """
    from parapick.cli.printing import print_answer
    from parapick.identification import exciting_motion, identification_answer, proposal_answer, residual_of
    from parapick.identification import identify as identified
    from parapick.identification.unknowns import unknowns_of

    model = load_with_masses(robot, shared)
    wanted = names_in(asked.estimate)
    paths = _targets(files)
    found: Identification | None = None
    if file is not None:
        log, others = reading.read(file, model), [reading.read(one, model) for one in asked.check]
        band = None if asked.cutoff is None else amount("--cutoff", asked.cutoff, "Hz")
        lead = None if asked.lead is None else amount("--lead", asked.lead, "s")
        with busy("identifying"), as_options("estimate", "cutoff", "lead"):
            found = identified(model, log, wanted, cutoff=band, lead=lead)
    elif files.propose is None:
        raise ParapickError("give the file of a log, or --propose FILE for a motion to log")
    motion = None
    if files.propose is not None:
        with busy("searching a motion"), as_options("estimate"):
            weights = None if found is None else 1.0 / found.fit.noise
            seconds = amount("--duration", files.duration or "8s", "s")
            unknowns = unknowns_of(model, wanted)
            motion = exciting_motion(model, unknowns, duration=seconds, seed=files.seed, weights=weights)
    if found is None:
        assert motion is not None  # noqa: S101, one of them is asked for
        answer = proposal_answer(model, unknowns_of(model, wanted), motion)
    else:
        residuals = [residual_of(found, one) for one in (log, *others)]
        answer = identification_answer(found, residuals, motion)
        if "plot" in paths:
            from parapick.report.log_figure import residual_figure

            title = f"{model.robot.name}, {residuals[-1].log.file}"
            draw(lambda: residual_figure(model, residuals[-1], title), paths["plot"])
    written = _written(model, found, motion, files, paths)
    return print_answer(answer, as_json=shared.as_json, files=written, settings=shared.settings.stated)


def _targets(files: IdentifyFiles) -> dict[str, Path]:
    tables = {"robot": files.robot_file, "controller": files.controller_file, "motion": files.propose}
    return {
        **targets(plot=files.plot),
        **{name: check_target(path, (".toml",)) for name, path in tables.items() if path is not None},
    }
