"""`parapick motion`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Final, final

from cyclopts import Parameter

from parapick.cli.arguments import NO_LOAD, PLAIN, Amount, Files, Load, RobotName, Shared, TaskName, parsed_amount
from parapick.cli.groups import OUTPUT
from parapick.cli.outputs import FIGURE, Force, Output, Outputs, WrittenFile, WrittenFiles, draw, out_parameter
from parapick.cli.settings import NO_TASK_SETTINGS, TaskSettings
from parapick.cli.tables import busy
from parapick.errors import ParameterError
from parapick.files import write_text

if TYPE_CHECKING:
    from parapick.evaluation import Run
    from parapick.motion import Motion

_RATE: Final = 1000.0
"""Samples per second (Hz) of what is written."""

OUTPUTS: Final = Outputs(
    replace(FIGURE, text="pose, speed, acceleration and torques as a figure"),
    Output("motion", "the motion: t,x,y,z[,yaw], rates, payload", (".csv",), "a table of t, x", usual=True),
    Output("cam", "a cam table: the motion, joints and torques", (".csv", ".parquet"), "a table of t [s], x [m]"),
)


@final
@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True)
class Sampling:
    """How densely what is written is sampled.

    Attributes:
        sample_rate: Samples per second of motion and cam table (Hz).
        period: Time between two of their samples instead, such as 2ms.
    """

    sample_rate: Annotated[float, Parameter(allow_leading_hyphen=True, metavar="NUMBER")] = _RATE
    period: Amount = None

    def samples_per_second(self) -> float:
        """Samples per second (Hz)."""
        if self.period is not None:
            if self.sample_rate != _RATE:
                raise ParameterError("--period", "is given beside --sample-rate; give one of them")
            period = parsed_amount("--period", self.period, "s")
            if not period > 0.0:
                raise ParameterError("--period", f"is {self.period}; it must be greater than 0")
            return 1.0 / period
        if not 0.0 < self.sample_rate < float("inf"):
            raise ParameterError(
                "--sample-rate", f"is {self.sample_rate:g} Hz; it must be a finite number greater than 0"
            )
        return self.sample_rate


_SAMPLING: Final = Sampling()


def motion(
    robot: RobotName,
    task: TaskName,
    /,
    *,
    load: Load = NO_LOAD,
    settings: TaskSettings = NO_TASK_SETTINGS,
    shared: Shared = PLAIN,
    sampling: Sampling = _SAMPLING,
    out: Annotated[Files, out_parameter(OUTPUTS)] = (),
    force: Force = False,
) -> int:
    """Whether a robot can follow a task, how long it takes, and where each limit is nearest.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        task: A shipped task, or the path of a TOML file.
        load: What the motors carry and how they share it.
        settings: What the task has otherwise than its file states.
        shared: Working mode, and how the answer is printed.
        sampling: How densely what is written is sampled.
        out: What is written.
        force: Whether files of the same kind are replaced.
    """
    from parapick.cli.printing import print_answer
    from parapick.evaluation import motion_answer

    model = load.on(robot, shared)
    stated = {**shared.stated, **load.stated, **settings.stated}
    wanted, rate = settings.load(task), sampling.samples_per_second()
    targets = OUTPUTS.targets(out, force=force)
    with busy(f"moving {model.robot.name}"):
        answer, run = motion_answer(model, wanted)
    title = f"{model.robot.name}: {wanted.title or wanted.name}"
    written = {} if run is None else _written(targets, run, rate, title)
    return print_answer(answer, as_json=shared.as_json, files=written, settings=stated)


def _written(targets: WrittenFiles, run: Run, rate: float, title: str) -> dict[str, WrittenFile]:
    """Write the files that are asked for; the files by what they hold."""
    from parapick.export import write_cam
    from parapick.inspection import samples_csv
    from parapick.report import motion_figure
    from parapick.ride import Ride

    if targets.of("motion", "cam"):
        _check_room(rate, run.motion)
        with busy("writing"):
            samples, model = run.motion.sample(rate), run.ride.model
            for target in targets.of("motion"):
                write_text(target.path, samples_csv(model.robot.task_names, samples))
            for target in targets.of("cam"):
                write_cam(Ride(model, samples), target.path)
    draw(lambda: motion_figure(run.ride, title), targets)
    return targets.written()


def _check_room(rate: float, motion: Motion) -> None:
    """Raise if a motion has more samples at a rate than a file may have."""
    from parapick.inspection import SAMPLES_MAX

    if rate * motion.duration + 1 > SAMPLES_MAX:
        most = (SAMPLES_MAX - 1) / motion.duration
        raise ParameterError("--sample-rate", f"is {rate:g} Hz; this motion has room for {most:.3g} Hz at most")
