"""`parapick run`."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, final

from cyclopts import Parameter

from parapick.cli.arguments import (
    PLAIN,
    Amount,
    Files,
    RobotName,
    Shared,
    TaskName,
    Vector,
    Whole,
    given_texts,
    load_with_masses,
    parsed_amount,
)
from parapick.cli.groups import ASKED, LOAD, SIMULATION, SUPERVISOR
from parapick.cli.loop_options import LoopOptions
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
from parapick.cli.supervision_options import SupervisionOptions
from parapick.cli.tables import busy, console
from parapick.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np

    from parapick.answer import Answer, Requirement
    from parapick.control import Controller
    from parapick.model import Model
    from parapick.motion import Motion
    from parapick.progress import Listener
    from parapick.runtime import RuntimeRun
    from parapick.tasks import PlannedTask

    Watcher = Callable[[Any, np.ndarray | None], None]

OUTPUTS: Final = Outputs(
    replace(FIGURE, text="states, errors and torques as a figure"),
    Output("record", "the record of the run", RECORDS, "a record"),
)


@Parameter(name="*", group=SIMULATION)
@final
@dataclass(frozen=True)
class RuntimeOptions:
    """How the runtime runs.

    Attributes:
        lockstep: Without a clock: loop and drives in one process, period by period.
        exact: Drives take exact numbers in the place of increments and per mille.
        drive_mode: What the drives follow: torques (mode 10 of CiA 402), or positions with a torque offset (mode 8).
        explain: How far the run is from lockstep, and whether its logged periods explain that to the last bit.
        cycles: How often the task is run through.
        settle: Time at rest after the end, such as 150ms.
        priority: Priority of SCHED_FIFO that is asked for; 0 for the usual scheduler.
        processor: Processor that the loop keeps to; -1 for any.
        payload: Mass in the tool beyond the gripper, instead of what the task carries, such as 500g.
    """

    lockstep: Annotated[bool, Parameter(negative=(), show_default=False)] = False
    exact: Annotated[bool, Parameter(negative=(), show_default=False)] = False
    drive_mode: Literal["torque", "position"] = "torque"
    explain: Annotated[bool, Parameter(negative=(), show_default=False)] = False
    cycles: Whole = 1
    settle: Amount = None
    priority: int = 80
    processor: int = -1
    payload: Annotated[Amount, Parameter(group=LOAD)] = None

    @property
    def stated(self) -> dict[str, str]:
        """What is otherwise than task and controller have it, by its name."""
        mode = None if self.drive_mode == "torque" else self.drive_mode
        exact = {"exact": "true"} if self.exact else {}
        return {**exact, **given_texts(drive_mode=mode, payload=self.payload)}


_OPTIONS: Final = RuntimeOptions()


def run(
    robot: RobotName,
    task: TaskName,
    /,
    *,
    controller: Annotated[str, Parameter(group=ASKED, metavar="NAME")] = "tsid",
    options: RuntimeOptions = _OPTIONS,
    fault: Annotated[
        tuple[str, ...], Parameter(group=SUPERVISOR, negative=(), show_default=False, metavar="FAULT")
    ] = (),
    guard: Annotated[
        tuple[str, ...], Parameter(group=SUPERVISOR, negative=(), show_default=False, metavar="GUARD=LIMIT")
    ] = (),
    brake: Annotated[Amount, Parameter(group=SUPERVISOR)] = None,
    start: Annotated[Vector, Parameter(group=SUPERVISOR)] = None,
    shared: Shared = PLAIN,
    out: Annotated[Files, out_parameter(OUTPUTS)] = (),
    force: Force = False,
) -> int:
    """A task on the runtime: law, supervisor and drives against a clock. Needs a C compiler.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        task: A shipped task, or the path of a TOML file.
        controller: A shipped controller, a control law, or the path of a TOML file.
        options: How the runtime runs.
        fault: What goes wrong and when, such as encoder:2@0.3 or emergency@0.2; repeatable.
        guard: Limit of a guard, such as following=2deg, deadline=20 or singularity=off; repeatable.
        brake: Torque of the brakes at the joints, such as 60Nm; what the drives can give if not given.
        start: Pose at which the robot is switched on, such as 0.1,0,-0.7; home if not given.
        shared: Working mode, what the robot has otherwise than its file states, and how the answer is printed.
        out: What is written.
        force: Whether files of the same kind are replaced.
    """
    from parapick.cli.printing import print_answer
    from parapick.evaluation import asked_of
    from parapick.simulation import with_loads
    from parapick.tasks import load_task, planned_task

    if options.explain and options.lockstep:
        raise ParameterError("--explain", "has nothing to explain with --lockstep: no period is late; leave one out")
    supervision = SupervisionOptions(False, fault, guard, brake, start)
    model = load_with_masses(robot, shared, options.payload)
    name, chosen = _controller(controller, model)
    targets = OUTPUTS.targets(out, force=force)
    wanted, written = load_task(task), {}
    plans: list[PlannedTask] = []

    def plan() -> PlannedTask:
        with busy("planning the motion"):
            plans.append(planned_task(wanted, model))
        return plans[-1]

    def follow(motion: Motion, requirements: tuple[Requirement, ...]) -> Answer:
        done = _done(model, plans[-1], chosen, options, supervision)
        written.update(_written(done, name, f"{model.robot.name}, {wanted.title or wanted.name}", targets))
        answer = with_loads(done.answer(task, requirements, name), model, motion, {name: chosen})
        return _explained(done, answer) if options.explain else answer

    answer = asked_of("run", model, task, plan, follow, (chosen,))
    stated = {**shared.stated, **options.stated, **supervision.stated}
    return print_answer(answer, as_json=shared.as_json, files=written, settings=stated)


def _explained(done: RuntimeRun, answer: Answer) -> Answer:
    with busy("computing the run again"):
        return done.explained().added_to(answer)


def _controller(text: str, model: Model) -> tuple[str, Controller]:
    """The one controller of a run with what it is called, the same as in a simulation."""
    asked = LoopOptions().controllers(text, model).by_name
    if len(asked) > 1:
        raise ParameterError("--controller", f"names {len(asked)} controllers, {', '.join(asked)}; a run has one")
    return next(iter(asked.items()))


def _done(
    model: Model, planned: PlannedTask, controller: Controller, options: RuntimeOptions, supervision: SupervisionOptions
) -> RuntimeRun:
    from parapick.runtime import Privileges, RunSettings, VirtualDrives, belts_of, run_task

    settle = 0.0 if options.settle is None else parsed_amount("--settle", options.settle, "s", least=0.0)
    settings = RunSettings(
        supervisor=supervision.supervisor(model),
        faults=supervision.faults(model),
        cycles=options.cycles,
        settle=settle,
        drives=VirtualDrives(mode=options.drive_mode),
        belts=belts_of(planned),
        image="exact" if options.exact else "integer",
        clock=not options.lockstep,
    )
    with _live(model, clock=settings.clock) as (progress, watcher):
        return run_task(
            model,
            planned.motion,
            controller,
            settings,
            privileges=Privileges(options.priority, options.processor),
            progress=progress,
            watcher=watcher,
        )


def _written(done: RuntimeRun, name: str, title: str, targets: WrittenFiles) -> dict[str, WrittenFile]:
    """Draw the figure and write the record, as far as they are asked for; the files by what they hold."""
    from parapick.report import stop_figure

    written = draw(lambda: stop_figure({name: done.run}, title), targets)
    for target in targets.of("record"):
        _write(done, target.path)
    return {**written, **targets.written("record")}


def _write(done: RuntimeRun, path: Any) -> None:
    from parapick.export import write_record

    write_record(done.run.record, path)


@contextmanager
def _live(model: Model, *, clock: bool) -> Iterator[tuple[Listener | None, Watcher | None]]:
    """What shows on the error output how a run goes: a bar without a clock, otherwise a line; nothing in a pipe."""
    if not clock:
        with watched("in lockstep") as progress:
            yield progress, None
        return
    if not sys.stderr.isatty():
        yield None, None
        return
    from rich.live import Live
    from rich.text import Text

    def line(text: str) -> Text:
        return Text(text, no_wrap=True, overflow="ellipsis")

    unit = model.motors.torque_unit
    first = line("planning and compiling the runtime")
    with Live(first, console=console(error=True), transient=True, refresh_per_second=4) as live:
        yield None, lambda report, row: live.update(line(live_text(report, row, unit)))


def live_text(report: Any, row: np.ndarray | None, unit: str = "N m") -> str:
    """State, pace, error and torque of the newest sample, and how late periods begin, as a line.

    Args:
        report: what the runtime says of itself.
        row: the newest row of its log; None where there is none.
        unit: of torques at the joints.
    """
    import numpy as np

    from parapick.runtime import quantile
    from parapick.supervision import State

    if not int(report["periods"]):
        return "waiting for the drives"
    share, end = quantile(report["late"], 0.99), 1e-6 * (len(report["late"]) - 1)
    words = f"over {1e6 * end:.0f} us" if share > end else f"within {1e6 * share:.0f} us"
    late = f"99 % begin {words}, overruns {int(report['overruns'])}"
    if row is None:
        return late
    error = float(np.linalg.norm((row["x"] - row["x_ref"])[:3]))
    torque = float(np.abs(row["torque"]).max())
    state = [*State][int(row["state"])].value
    return f"{state:8} pace {float(row['pace']):.2f}  error {1e3 * error:.3f} mm  torque {torque:.1f} {unit}  {late}"
