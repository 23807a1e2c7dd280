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
    load_with_masses,
    parsed_amount,
)
from parapick.cli.groups import ASKED, SIMULATION, SUPERVISOR
from parapick.cli.outputs import FIGURE, RECORDS, Force, Output, Outputs, draw, out_parameter
from parapick.cli.progress import watched
from parapick.cli.supervision_options import SupervisionOptions
from parapick.cli.tables import busy, console

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

    from parapick.runtime import RuntimeRun

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
        mode: What the drives follow: torques (mode 10 of CiA 402), or positions with a torque offset (mode 8).
        cycles: How often the task is run through.
        settle: Time at rest after the end, such as 150ms.
        priority: Priority of SCHED_FIFO that is asked for; 0 for the usual scheduler.
        processor: Processor that the loop keeps to; -1 for any.
    """

    lockstep: Annotated[bool, Parameter(negative=(), show_default=False)] = False
    exact: Annotated[bool, Parameter(negative=(), show_default=False)] = False
    mode: Literal["torque", "position"] = "torque"
    cycles: Whole = 1
    settle: Amount = None
    priority: int = 80
    processor: int = -1


_OPTIONS: Final = RuntimeOptions()


def run(
    robot: RobotName,
    task: TaskName,
    /,
    *,
    controller: Annotated[str, Parameter(group=ASKED, metavar="NAME")] = "tsid",
    options: RuntimeOptions = _OPTIONS,
    fault: Annotated[tuple[str, ...], Parameter(group=SUPERVISOR, negative=(), show_default=False)] = (),
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

    supervision = SupervisionOptions(True, fault, guard, brake, start)
    model = load_with_masses(robot, shared, None)
    targets = OUTPUTS.targets(out, force=force)
    done = _done(model, task, controller, options, supervision)
    written = {}
    if targets:
        from parapick.report import stop_figure

        runs = {controller: done.run}
        written.update(draw(lambda: stop_figure(runs, f"{model.robot.name}, {task}"), targets))
        for target in targets.of("record"):
            _write(done, target.path)
        written.update(targets.written("record"))
    stated = {**shared.stated, **supervision.stated}
    return print_answer(done.answer(task, controller), as_json=shared.as_json, files=written, settings=stated)


def _done(
    model: Any, task: str, controller: str, options: RuntimeOptions, supervision: SupervisionOptions
) -> RuntimeRun:
    from parapick.runtime import Privileges, VirtualDrives, belts_of, run_task
    from parapick.tasks import load_task, planned_task

    with busy("planning the motion"):
        planned = planned_task(load_task(task), model)
    settle = 0.0 if options.settle is None else parsed_amount("--settle", options.settle, "s", least=0.0)
    text = "in lockstep" if options.lockstep else "running"
    with watched(text) as progress, _live(not options.lockstep) as watcher:
        return run_task(
            model,
            planned.motion,
            controller,
            supervisor=supervision.supervisor(model),
            faults=supervision.faults(model),
            cycles=options.cycles,
            settle=settle,
            drives=VirtualDrives(mode=options.mode),
            belts=belts_of(planned),
            image="exact" if options.exact else "integer",
            clock=not options.lockstep,
            privileges=Privileges(options.priority, options.processor),
            progress=progress,
            watcher=watcher,
        )


def _write(done: RuntimeRun, path: Any) -> None:
    from parapick.export import write_record

    write_record(done.run.record, path)


@contextmanager
def _live(shown: bool) -> Iterator[Any]:
    """A line on the terminal that says how the run goes; None where there is no terminal."""
    if not shown or not sys.stderr.isatty():
        yield None
        return
    from rich.live import Live

    with Live("", console=console(error=True), transient=True, refresh_per_second=4) as live:
        yield lambda report, row: live.update(live_text(report, row))


def live_text(report: Any, row: np.ndarray | None) -> str:
    """State, pace, error and torque of the newest sample, and how late periods begin, as a line.

    Args:
        report: what the runtime says of itself.
        row: the newest row of its log; None where there is none.
    """
    import numpy as np

    from parapick.runtime import quantile
    from parapick.supervision import State

    late = f"periods {int(report['periods'])}, 99 % begin within {1e6 * quantile(report['late'], 0.99):.0f} us"
    late += f", overruns {int(report['overruns'])}"
    if row is None:
        return late
    error = float(np.linalg.norm((row["x"] - row["x_ref"])[:3]))
    torque = float(np.abs(row["torque"]).max())
    state = [*State][int(row["state"])].value
    return f"{state:9} pace {float(row['pace']):.2f}  error {1e3 * error:.3f} mm  torque {torque:.1f}  {late}"
