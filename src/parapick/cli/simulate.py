"""`parapick simulate`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final, Literal, final

from cyclopts import Parameter

from parapick.cli.arguments import (
    PLAIN,
    Amount,
    Files,
    RobotName,
    Shared,
    TaskName,
    Whole,
    given_texts,
    load_with_masses,
    parsed_amount,
)
from parapick.cli.groups import LOAD, SIMULATION
from parapick.cli.loop_options import ControllerNames, LoopOptions
from parapick.cli.outputs import (
    FIGURE,
    RECORDS,
    Force,
    Output,
    Outputs,
    WrittenFile,
    WrittenFiles,
    draw,
    out_parameter,
)
from parapick.cli.progress import watched
from parapick.cli.settings import NO_TASK_SETTINGS, TaskSettings
from parapick.cli.supervision_options import SupervisionChoice, SupervisionOptions
from parapick.cli.tables import busy

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure

    from parapick.answer import Answer, Requirement
    from parapick.control import Controller
    from parapick.model import Model
    from parapick.motion import Motion
    from parapick.simulation import Record
    from parapick.tasks import PlannedTask

    Draw = Callable[[str], Figure]

_LOOP: Final = LoopOptions()
_ALONE: Final = SupervisionChoice()

OUTPUTS: Final = Outputs(
    replace(FIGURE, text="errors and torques as a figure, several laws side by side"),
    Output("record", "the record of every law, of several each with its name", RECORDS, "a record"),
)


@Parameter(name="*", group=SIMULATION)
@final
@dataclass(frozen=True)
class RunOptions:
    """What is run through.

    Attributes:
        cycles: How often the task is run through.
        settle: Time at rest after the end, such as 150ms.
        payload: Mass in the tool beyond the gripper, instead of what the task carries, such as 500g.
        engine: What moves the robot: our own compiled loop, or MuJoCo as an independent plant.
    """

    cycles: Whole = 1
    settle: Amount = None
    payload: Annotated[Amount, Parameter(group=LOAD)] = None
    engine: Literal["native", "mujoco"] = "native"

    @property
    def stated(self) -> dict[str, str]:
        """What is otherwise than task and program have it, by its name."""
        return given_texts(payload=self.payload, engine=None if self.engine == "native" else self.engine)


_RUN: Final = RunOptions()


def simulate(
    robot: RobotName,
    task: TaskName,
    /,
    *,
    controller: ControllerNames = None,
    loop: LoopOptions = _LOOP,
    run: RunOptions = _RUN,
    supervision: SupervisionChoice = _ALONE,
    settings: TaskSettings = NO_TASK_SETTINGS,
    shared: Shared = PLAIN,
    out: Annotated[Files, out_parameter(OUTPUTS)] = (),
    force: Force = False,
) -> int:
    """How well control laws track a task, with sampling, torque limits and friction.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        task: A shipped task, or the path of a TOML file.
        controller: Controllers to compare.
        loop: What the controllers have otherwise than their files state.
        run: What is run through.
        supervision: Whether a supervisor guards the run, and what goes wrong in it.
        settings: What the task has otherwise than its file states.
        shared: Working mode, what the robot has otherwise than its file states, and how the answer is printed.
        out: What is written.
        force: Whether files of the same kind are replaced.
    """
    from parapick.cli.printing import print_answer
    from parapick.evaluation import asked_of
    from parapick.simulation import with_loads
    from parapick.tasks import planned_task

    supervision.check()
    model = load_with_masses(robot, shared, run.payload)
    asked = loop.controllers(controller, model)
    targets = OUTPUTS.targets(out, force=force, each={"record": list(asked.by_name)})
    planned, written = settings.load(task), {}
    simulated = _supervised if supervision.supervised else _simulated

    def plan() -> PlannedTask:
        with busy("planning the motion"):
            return planned_task(planned, model)

    def follow(motion: Motion, requirements: tuple[Requirement, ...]) -> Answer:
        answer, records, figure = simulated(
            _Asked(model, task, motion, requirements), asked.by_name, run, supervision.options
        )
        answer = asked.with_delays(with_loads(answer, model, motion, asked.by_name))
        answer = asked.with_gains(answer, model, motion)
        written.update(draw(partial(figure, f"{model.robot.name}, {planned.title or planned.name}"), targets))
        written.update(_written(records, targets))
        return answer

    answer = asked_of("simulate", model, task, plan, follow, asked.by_name.values())
    stated = {**shared.stated, **run.stated, **settings.stated, **loop.stated, **supervision.stated}
    return print_answer(answer, as_json=shared.as_json, files=written, settings=stated)


@final
@dataclass(frozen=True, eq=False)
class _Asked:
    """A robot on the motion of a task, with what must hold for it to do it."""

    model: Model
    task: str
    motion: Motion
    requirements: tuple[Requirement, ...]


def _rest(run: RunOptions) -> float:
    return 0.0 if run.settle is None else parsed_amount("--settle", run.settle, "s", least=0.0)


def _simulated(
    asked: _Asked, controllers: dict[str, Controller], run: RunOptions, _: SupervisionOptions
) -> tuple[Answer, dict[str, Record], Draw]:
    """Loops by themselves: the answer, their records, and what draws them."""
    from parapick.simulation import loop_answer, simulate

    model, motion, records = asked.model, asked.motion, {}
    for name, one in controllers.items():
        with watched(f"simulating {name}") as progress:
            records[name] = simulate(
                model, motion, one, cycles=run.cycles, settle=_rest(run), engine=run.engine, progress=progress
            )
    answer = loop_answer(model, asked.task, motion.duration, records, asked.requirements)
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
        with watched(f"simulating {name}") as progress:
            runs[name] = supervise(
                model,
                motion,
                one,
                supervisor=supervisor,
                faults=faults,
                cycles=run.cycles,
                settle=_rest(run),
                engine=run.engine,
                progress=progress,
            )
    records = {name: one.record for name, one in runs.items()}
    answer = supervised_answer(model, asked.task, motion.duration, runs, asked.requirements)
    return answer, records, lambda title: stop_figure(runs, title)


def _figure(records: dict[str, Record], title: str) -> Figure:
    """One loop in full, or several side by side."""
    from parapick.report import loop_figure, record_figure

    if len(records) > 1:
        return record_figure(records, title)
    (record,) = records.values()
    return loop_figure(record, title)


def _written(records: dict[str, Record], targets: WrittenFiles) -> dict[str, WrittenFile]:
    """Write every record that is asked for; the files by what they hold."""
    from parapick.export import write_record

    for target in targets.of("record"):
        record = records[target.of] if target.of else next(iter(records.values()))
        write_record(record, target.path)
    return targets.written("record")
