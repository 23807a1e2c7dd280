"""`parapick motion`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, final

from cyclopts import Parameter

from parapick.cli.arguments import PLAIN, Amount, RobotName, Shared, SharingRule, load_with_masses, parsed_amount
from parapick.cli.files import draw, targets
from parapick.cli.settings import NO_TASK_SETTINGS, TaskSettings
from parapick.cli.tables import busy
from parapick.errors import ParameterError
from parapick.files import write_text

if TYPE_CHECKING:
    from parapick.evaluation import Run
    from parapick.motion import Motion

_RATE: Final = 1000.0
"""Samples a second (Hz) of what is written."""


@final
@Parameter(name="*")
@dataclass(frozen=True)
class MotionFiles:
    """What a motion is written to.

    Attributes:
        csv: Write the motion into this CSV file: t,x,y,z[,yaw], rates, accelerations, payload (s, m, rad, kg).
        cam: Write a cam table into this .csv or .parquet file: the motion, with joint angles, speeds, accelerations and
            torques of every motor.
        plot: Draw it into this .png, .svg or .pdf file.
        rate: Samples a second of CSV file and cam table (Hz).
        period: Time between two of their samples instead, such as 2ms.
    """

    csv: str | None = None
    cam: str | None = None
    plot: str | None = None
    rate: Annotated[float, Parameter(allow_leading_hyphen=True)] = _RATE
    period: Amount = None

    def samples_per_second(self) -> float:
        """Samples a second (Hz)."""
        if self.period is not None:
            if self.rate != _RATE:
                raise ParameterError("--period", "is given beside --rate; give one of them")
            period = parsed_amount("--period", self.period, "s")
            if not period > 0.0:
                raise ParameterError("--period", f"is {self.period}; it must be greater than 0")
            return 1.0 / period
        if not 0.0 < self.rate < float("inf"):
            raise ParameterError("--rate", f"is {self.rate:g} Hz; it must be a finite number greater than 0")
        return self.rate


_NO_FILES: Final = MotionFiles()


def motion(
    robot: RobotName,
    task: str,
    /,
    *,
    files: MotionFiles = _NO_FILES,
    payload: Amount = None,
    sharing: SharingRule = None,
    settings: TaskSettings = NO_TASK_SETTINGS,
    shared: Shared = PLAIN,
) -> int:
    """Whether a robot can follow a task, how long it takes, and where each limit is nearest.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        task: A shipped task, or the path of a TOML file.
        files: What is written.
        payload: Mass in the tool beyond the gripper, instead of what the task carries, such as 500g.
        sharing: How the motors of a redundant robot share: least-norm or least-peak; least-peak if not given.
        settings: What the task has otherwise than its file states.
        shared: Working mode, and how the answer is printed.
    """
    from parapick.cli.printing import print_answer
    from parapick.evaluation import motion_answer

    model = load_with_masses(robot, shared, payload).with_sharing(sharing)
    stated = {**shared.settings.stated, **settings.stated}
    paths = targets(csv=files.csv, cam=files.cam, plot=files.plot)
    wanted, rate = settings.load(task), files.samples_per_second()
    with busy(f"moving {model.robot.name}"):
        answer, run = motion_answer(model, wanted)
    if run is not None:
        _write(paths, run, rate, f"{model.robot.name}: {wanted.title or wanted.name}")
    written = {} if run is None else paths
    return print_answer(answer, as_json=shared.as_json, files=written, settings=stated)


def _write(paths: Mapping[str, Path], run: Run, rate: float, title: str) -> None:
    """Write the files that are asked for."""
    from parapick.export import write_cam
    from parapick.inspection import samples_csv
    from parapick.ride import Ride

    if paths.keys() & {"csv", "cam"}:
        _check_room(rate, run.motion)
        with busy("writing"):
            samples, model = run.motion.sample(rate), run.ride.model
            if "csv" in paths:
                write_text(paths["csv"], samples_csv(model.robot.task_names, samples))
            if "cam" in paths:
                write_cam(Ride(model, samples), paths["cam"])
    if "plot" in paths:
        from parapick.report import motion_figure

        draw(lambda: motion_figure(run.ride, title), paths["plot"])


def _check_room(rate: float, motion: Motion) -> None:
    """Raise if a motion has more samples at a rate than a file may have."""
    from parapick.inspection import SAMPLES_MAX

    if rate * motion.duration + 1 > SAMPLES_MAX:
        most = (SAMPLES_MAX - 1) / motion.duration
        raise ParameterError("--rate", f"is {rate:g} Hz; this motion has room for {most:.3g} Hz at most")
