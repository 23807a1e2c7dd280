"""`parapick motion`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from parapick.cli.arguments import PLAIN, Amount, RobotName, Shared, kilograms, load_with_masses
from parapick.cli.files import draw, targets
from parapick.cli.settings import NO_TASK_SETTINGS, TaskSettings
from parapick.cli.tables import busy
from parapick.errors import ParameterError
from parapick.files import write_text

if TYPE_CHECKING:
    from parapick.motion import Motion


def motion(
    robot: RobotName,
    task: str,
    /,
    *,
    csv: str | None = None,
    plot: str | None = None,
    payload: Amount = None,
    rate: Annotated[float, Parameter(allow_leading_hyphen=True)] = 1000.0,
    settings: TaskSettings = NO_TASK_SETTINGS,
    shared: Shared = PLAIN,
) -> int:
    """Whether a robot can follow a task, how long it takes, and where each limit is nearest.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        task: A shipped task, or the path of a TOML file.
        csv: Write the motion into this CSV file: t,x,y,z[,yaw], rates, accelerations, payload (s, m, rad, kg).
        plot: Draw it into this .png, .svg or .pdf file.
        payload: Mass carried from pick to place instead of that of the task, such as 500g.
        rate: Samples a second of the CSV file (Hz).
        settings: What the task has otherwise than its file states.
        shared: Working mode, and how the answer is printed.
    """
    from parapick.cli.printing import print_answer
    from parapick.evaluation.following import motion_answer
    from parapick.model.samples_file import samples_csv

    model, stated = load_with_masses(robot, shared), {**shared.settings.stated, **settings.stated}
    files = targets(csv=csv, plot=plot)
    wanted = settings.load(task)
    if payload is not None:
        wanted = replace(wanted, payload=kilograms(payload))
    if not 0.0 < rate < float("inf"):
        raise ParameterError("--rate", f"is {rate:g} Hz; it must be a finite number greater than 0")
    with busy(f"moving {model.robot.name}"):
        answer, run = motion_answer(model, wanted)
    if run is None:
        return print_answer(answer, as_json=shared.as_json, files={}, settings=stated)
    if csv is not None:
        _check_room(rate, run.motion)
        write_text(files["csv"], samples_csv(model.robot.task_names, run.motion.sample(rate)))
    if plot is not None:
        from parapick.report.motion_figure import motion_figure

        draw(lambda: motion_figure(run.ride, f"{model.robot.name}: {wanted.title or wanted.name}"), files["plot"])
    return print_answer(answer, as_json=shared.as_json, files=files, settings=stated)


def _check_room(rate: float, motion: Motion) -> None:
    """Raise if a motion has more samples at a rate than a file may have."""
    from parapick.model.samples_file import SAMPLES_MAX

    if rate * motion.duration + 1 > SAMPLES_MAX:
        most = (SAMPLES_MAX - 1) / motion.duration
        raise ParameterError("--rate", f"is {rate:g} Hz; this motion has room for {most:.3g} Hz at most")
