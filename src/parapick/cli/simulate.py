"""`parapick simulate`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final, Literal, final

from cyclopts import Parameter

from parapick.cli.arguments import PLAIN, Amount, RobotName, Shared, load_with_masses, parsed_amount
from parapick.cli.files import FIGURES, check_target, draw
from parapick.cli.loop_options import LoopOptions
from parapick.cli.settings import NO_TASK_SETTINGS, TaskSettings
from parapick.cli.supervision_options import SupervisionOptions
from parapick.cli.tables import busy

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from matplotlib.figure import Figure

    from parapick.answer import Answer, Requirement
    from parapick.control import Controller
    from parapick.model import Model
    from parapick.motion import Motion
    from parapick.simulation import Record
    from parapick.tasks import PlannedTask

    Draw = Callable[[str], Figure]

_TABLES: Final = (".csv", ".parquet")
_LOOP: Final = LoopOptions()
_ALONE: Final = SupervisionOptions()


@Parameter(name="*")
@final
@dataclass(frozen=True)
class RunOptions:
    """What is run through, and into which files.

    Attributes:
        cycles: How often the task is run through.
        settle: Time at rest after the end, such as 150ms.
        payload: Mass in the tool beyond the gripper, instead of what the task carries, such as 500g.
        engine: What moves the robot: our own compiled loop, or MuJoCo as an independent plant.
        record: Write the record of every law into this .csv or .parquet file; of several laws each gets its name.
        plot: Draw errors and torques into this .png, .svg or .pdf file: one law in full, several side by side.
    """

    cycles: Annotated[int, Parameter(allow_leading_hyphen=True)] = 1
    settle: Amount = None
    payload: Amount = None
    engine: Literal["native", "mujoco"] = "native"
    record: str | None = None
    plot: str | None = None


_RUN: Final = RunOptions()


def simulate(
    robot: RobotName,
    task: str,
    /,
    *,
    controller: str | None = None,
    loop: LoopOptions = _LOOP,
    run: RunOptions = _RUN,
    supervision: SupervisionOptions = _ALONE,
    settings: TaskSettings = NO_TASK_SETTINGS,
    shared: Shared = PLAIN,
) -> int:
    """How well control laws track a task, with sampling, torque limits and friction.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        task: A shipped task, or the path of a TOML file.
        controller: Controllers to compare, separated by commas: shipped ones, paths of TOML files, or control laws
            (pd, pid, ppi, computed-torque, tsid, tsiid, precomputed, nonlinear-pd, sliding-mode, super-twisting,
            adaptive, disturbance-observer, learning); pd,tsid if not given.
        loop: What the controllers have otherwise than their files state.
        run: What is run through, and into which files.
        supervision: Whether a supervisor guards the run, and what goes wrong in it.
        settings: What the task has otherwise than its file states.
        shared: Working mode, what the robot has otherwise than its file states, and how the answer is printed.
    """
    from parapick.cli.printing import print_answer
    from parapick.evaluation import asked_of
    from parapick.simulation import with_loads
    from parapick.tasks import planned_task

    supervision.check()
    model = load_with_masses(robot, shared, run.payload)
    asked = loop.controllers(controller, model)
    table = None if run.record is None else check_target(run.record, _TABLES)
    files = {} if run.plot is None else {"plot": check_target(run.plot, FIGURES)}
    planned, written = settings.load(task), {}
    simulated = _supervised if supervision.supervised else _simulated

    def plan() -> PlannedTask:
        with busy("planning the motion"):
            return planned_task(planned, model)

    def follow(motion: Motion, path: tuple[Requirement, ...]) -> Answer:
        answer, records, figure = simulated(_Asked(model, task, motion, path), asked.by_name, run, supervision)
        answer = asked.with_gains(with_loads(answer, model, motion, asked.by_name), model, motion)
        for target in files.values():
            draw(partial(figure, f"{model.robot.name}, {planned.title or planned.name}"), target)
        written.update({**files, **({} if table is None else _written(records, table))})
        return answer

    answer = asked_of("simulate", model, task, plan, follow)
    stated = {**shared.settings.stated, **settings.stated}
    return print_answer(answer, as_json=shared.as_json, files=written, settings=stated)


@final
@dataclass(frozen=True, eq=False)
class _Asked:
    """A robot on the motion of a task, with what must hold for it to be there at all."""

    model: Model
    task: str
    motion: Motion
    path: tuple[Requirement, ...]


def _rest(run: RunOptions) -> float:
    return 0.0 if run.settle is None else parsed_amount("--settle", run.settle, "s", least=0.0)


def _simulated(
    asked: _Asked, controllers: dict[str, Controller], run: RunOptions, _: SupervisionOptions
) -> tuple[Answer, dict[str, Record], Draw]:
    """Loops by themselves: the answer, their records, and what draws them."""
    from parapick.simulation import loop_answer, simulate

    model, motion, records = asked.model, asked.motion, {}
    for name, one in controllers.items():
        with busy(f"simulating {name}"):
            records[name] = simulate(model, motion, one, cycles=run.cycles, settle=_rest(run), engine=run.engine)
    answer = loop_answer(model, asked.task, motion.duration, records, asked.path)
    return answer, records, lambda title: _figure(records, title)


def _supervised(
    asked: _Asked, controllers: dict[str, Controller], run: RunOptions, supervision: SupervisionOptions
) -> tuple[Answer, dict[str, Record], Draw]:
    """Loops under a supervisor: the answer, their records, and what draws them."""
    from parapick.operation import supervise, supervised_answer
    from parapick.report import stop_figure

    model, motion, runs = asked.model, asked.motion, {}
    faults, supervisor = supervision.faults(model), supervision.supervisor(model)
    for name, one in controllers.items():
        with busy(f"simulating {name}"):
            runs[name] = supervise(
                model,
                motion,
                one,
                supervisor=supervisor,
                faults=faults,
                cycles=run.cycles,
                settle=_rest(run),
                engine=run.engine,
            )
    records = {name: one.record for name, one in runs.items()}
    answer = supervised_answer(model, asked.task, motion.duration, runs, asked.path)
    return answer, records, lambda title: stop_figure(runs, title)


def _figure(records: dict[str, Record], title: str) -> Figure:
    """One loop in full, or several side by side."""
    from parapick.report import loop_figure, record_figure

    if len(records) > 1:
        return record_figure(records, title)
    (record,) = records.values()
    return loop_figure(record, title)


def _written(records: dict[str, Record], table: Path) -> dict[str, Path]:
    """The file of every record, by its name."""
    from parapick.export import write_csv, write_parquet

    write = write_csv if table.suffix.lower() == ".csv" else write_parquet
    alone = len(records) == 1
    return {
        "record" if alone else f"record of {name}": write(
            record, table if alone else table.with_name(f"{table.stem}-{name}{table.suffix}")
        )
        for name, record in records.items()
    }
