"""What is asked of a log, and everything that comes out: numbers, what they leave, a motion that would tell more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, final

from parapick.answer import Answer, Column, Table
from parapick.control import Controller, save_controller
from parapick.errors import ParapickError
from parapick.identification.doubts import Doubts, doubts_of
from parapick.identification.excitation import RATE, ExcitingMotion, exciting_motion
from parapick.identification.identification_answer import identification_answer
from parapick.identification.identifying import ESTIMATED, Identification, identify
from parapick.identification.least_squares import CONFIDENCE
from parapick.identification.log import Log
from parapick.identification.proposal import save_motion
from parapick.identification.residual import Residual, residual_of
from parapick.identification.results import changed_model, check_identified, feedforward, robot_change
from parapick.identification.unknowns import unknowns_of
from parapick.inspection import about, subject
from parapick.progress import Listener, tell
from parapick.robots import save

if TYPE_CHECKING:
    from parapick.model import Model


@final
@dataclass(frozen=True)
class Question:
    """What is identified, and how.

    Attributes:
        estimate: words of `GROUPS`, and paths of inertial numbers.
        cutoff: cutoff of torques (Hz); by the steps of the encoders if None.
        lead: by how much torques are recorded before they act (s); identified if None.
        duration: of a motion to propose (s); none is proposed if None.
        seed: where the random numbers of that motion begin.
    """

    estimate: tuple[str, ...] = ESTIMATED
    cutoff: float | None = None
    lead: float | None = None
    duration: float | None = None
    seed: int = 0


@final
@dataclass(frozen=True, eq=False)
class Outcome:
    """What came out.

    Attributes:
        answer: all of it in words and tables.
        identification: the numbers; None without a log.
        residuals: what it leaves of its log, and of those it is checked on.
        motion: the motion that is proposed, if one was asked for.
        doubts: what speaks against the log; None without one.
    """

    answer: Answer
    identification: Identification | None = None
    residuals: tuple[Residual, ...] = ()
    motion: ExcitingMotion | None = None
    doubts: Doubts | None = None


def identified(model: Model, logs: Sequence[Log], asked: Question, progress: Listener | None = None) -> Outcome:
    """Identify numbers from the first log, check them on the others, and propose a motion if one is asked for.

    Args:
        model: the robot, as its file states it.
        logs: logs of the machine; without any, only a motion is proposed.
        asked: what is identified, and how.
        progress: called before every step, see `identify`; what it raises ends the work.

    Raises:
        ParapickError: see `identify` and `exciting_motion`; or neither a log nor a motion is asked for.
    """
    identification, motion = None, None
    if logs:
        numbers = {"cutoff": asked.cutoff, "lead": asked.lead}
        identification = identify(model, logs[0], asked.estimate, **numbers, progress=progress)
    if asked.duration is not None:
        tell(progress, "proposing a motion")
        weights = None if identification is None else 1.0 / identification.fit.noise
        unknowns = unknowns_of(model, asked.estimate)
        motion = exciting_motion(model, unknowns, duration=asked.duration, seed=asked.seed, weights=weights)
    if identification is not None:
        residuals = tuple(residual_of(identification, log) for log in logs)
        doubts = doubts_of(identification, residuals[0])
        answer = identification_answer(identification, residuals, doubts, motion)
        return Outcome(answer, identification, residuals, motion, doubts)
    if motion is None:
        raise ParapickError("there is neither a log to identify from nor a motion asked for")
    return Outcome(_proposal(model, asked, motion), motion=motion)


def _proposal(model: Model, asked: Question, motion: ExcitingMotion) -> Answer:
    """A motion to log, and how well it tells what is asked for."""
    unknowns, seconds = unknowns_of(model, asked.estimate), float(motion.samples.t[-1])
    rows = tuple(
        (one.name, CONFIDENCE * float(deviation), one.unit)
        for one, deviation in zip(unknowns, motion.deviations, strict=True)
    )
    columns = (Column("number"), Column("95 % interval +-"), Column("unit"))
    title = f"intervals with independent noise of 1 {model.motors.torque_unit} in {RATE:g} samples per second"
    return Answer(
        key="identify",
        title=subject(
            model, "and a motion to identify it from", f"{seconds:.4g} s, {motion.frequency:.3g} Hz and harmonics"
        ),
        tables=(Table("estimates", title, columns, rows),),
        data={**about(model), "duration": seconds, "frequency": motion.frequency, "seed": motion.seed},
        headline=f"A motion of {seconds:.4g} s tells {len(rows)} numbers of {model.robot.name}.",
    )


def written(outcome: Outcome, model: Model, paths: dict[str, Path], controller: Controller) -> dict[str, Path]:
    """Write what came out, and return the files by what they hold; a log that is not believed gives a motion only.

    Args:
        outcome: what came out.
        paths: the files that are asked for: "robot", "controller", "motion".
        controller: what the controller that is written is otherwise.

    Raises:
        ParapickError: a robot or a controller without a log, or one in which nothing was identified.
    """
    files: dict[str, Path] = {}
    identification = outcome.identification
    refused = outcome.doubts is not None and not outcome.doubts.ok
    for kind in () if refused else sorted({"robot", "controller"} & paths.keys()):
        if identification is None:
            raise ParapickError(f"a {kind} file follows from a log; there is none")
        check_identified(identification)
        if kind == "robot":
            files[kind] = save(changed_model(identification), paths[kind], sources=robot_change(identification).sources)
        else:
            files[kind] = save_controller(feedforward(identification, controller, paths[kind].stem), paths[kind])
    if "motion" in paths and outcome.motion is not None:
        files["motion"], files["samples of the motion"] = save_motion(model, outcome.motion, paths["motion"])
    return files
