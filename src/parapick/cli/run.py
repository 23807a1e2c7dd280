"""`parapick run`."""

from __future__ import annotations

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
    Whole,
    given_texts,
    load_with_masses,
    parsed_amount,
)
from parapick.cli.cell_options import OWN, CellOptions, served
from parapick.cli.groups import ASKED, LOAD, SIMULATION
from parapick.cli.live import live
from parapick.cli.loop_options import AskedControllers, LoopOptions
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
from parapick.cli.settings import NO_TASK_SETTINGS, TaskSettings
from parapick.cli.supervision_options import UNDISTURBED, SupervisionOptions
from parapick.cli.tables import busy
from parapick.errors import ParameterError

if TYPE_CHECKING:
    from parapick.answer import Answer, Requirement
    from parapick.model import Model
    from parapick.motion import Motion
    from parapick.runtime import RunSettings, RuntimeRun, VirtualDrives
    from parapick.tasks import PlannedTask

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
        interpolation: Time in which drives go to a position, object 60C2, such as 0.75ms; the bus cycle if not given.
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
    interpolation: Amount = None
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
        return {**exact, **given_texts(drive_mode=mode, interpolation=self.interpolation, payload=self.payload)}

    def drives(self) -> VirtualDrives:
        """The drives of the run.

        Raises:
            ParameterError: a time for positions where drives follow torques.
        """
        from parapick.runtime import VirtualDrives

        if self.interpolation is None:
            return VirtualDrives(mode=self.drive_mode)
        if self.drive_mode != "position":
            raise ParameterError("--interpolation", "is for drives that follow positions; give --drive-mode position")
        time = parsed_amount("--interpolation", self.interpolation, "s", least=0.0)
        return VirtualDrives(mode=self.drive_mode, interpolation=time)

    def check(self, loop: LoopOptions) -> None:
        """Raise if drives, or the controller, are asked for what they or their bus cannot do, or if options contradict.

        Args:
            loop: what is asked of the controller.
        """
        if self.explain and self.lockstep:
            text = "has nothing to explain in lockstep: no period can be late; leave one of them out"
            raise ParameterError("--explain", text)
        self.drives()
        if loop.encoder == 0 and not self.exact:
            text = "is 0, which asks for exact angles, and drives count increments; give --exact, too"
            raise ParameterError("--encoder", text)
        if loop.delay == 0 and not self.lockstep:
            text = "is 0, and with a clock what is measured in a bus cycle acts from the next one on"
            raise ParameterError("--delay", f"{text}: 1 is the least; without a clock, --lockstep, it may be 0")


_OPTIONS: Final = RuntimeOptions()
_LOOP: Final = LoopOptions()

USUAL: Final = "tsid"
"""The law that is run where none is named."""

ControllerName = Annotated[
    str | None,
    Parameter(
        group=ASKED,
        metavar="NAME",
        help=f"A shipped controller, a control law, or the path of a TOML file; {USUAL} if not given.",
    ),
]


def run(
    robot: RobotName,
    task: TaskName,
    /,
    *,
    controller: ControllerName = None,
    loop: LoopOptions = _LOOP,
    options: RuntimeOptions = _OPTIONS,
    cell: CellOptions = OWN,
    supervision: SupervisionOptions = UNDISTURBED,
    settings: TaskSettings = NO_TASK_SETTINGS,
    shared: Shared = PLAIN,
    out: Annotated[Files, out_parameter(OUTPUTS)] = (),
    force: Force = False,
) -> int:
    """A task on the runtime: law, supervisor and drives against a clock. Needs a C compiler.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        task: A shipped task, or the path of a TOML file.
        controller: The controller.
        loop: What it has otherwise than its file states.
        options: How the runtime runs.
        cell: Whose drives it has.
        supervision: What the supervisor guards, and what goes wrong.
        settings: What the task has otherwise than its file states.
        shared: Working mode, what the robot has otherwise than its file states, and how the answer is printed.
        out: What is written.
        force: Whether files of the same kind are replaced.
    """
    from parapick.cli.printing import print_answer
    from parapick.evaluation import asked_of
    from parapick.runtime import Privileges, run_task
    from parapick.simulation import with_loads
    from parapick.tasks import planned_task

    options.check(loop)
    cell.check(lockstep=options.lockstep, explain=options.explain, written=bool(out))
    model = load_with_masses(robot, shared, options.payload)
    asked = _asked(controller, loop, model)
    ((name, chosen),) = asked.by_name.items()
    targets = OUTPUTS.targets(out, force=force)
    wanted, written = settings.load(task), {}
    title = f"{model.robot.name}, {wanted.title or wanted.name}"
    plans: list[PlannedTask] = []

    def plan() -> PlannedTask:
        with busy("planning the motion"):
            plans.append(planned_task(wanted, model))
        return plans[-1]

    def follow(motion: Motion, requirements: tuple[Requirement, ...]) -> Answer:
        made = _settings(model, plans[-1], options, supervision)
        privileges = Privileges(options.priority, options.processor)
        if cell.serve is not None:
            return served(model, motion, chosen, made, cell.serve, privileges)
        made = replace(made, segment=cell.segment or "", reset=cell.reset)
        with live(f"{title}, {name}", clock=not options.lockstep, shown=not shared.as_json) as (progress, watcher):
            done = run_task(model, motion, chosen, made, privileges=privileges, progress=progress, watcher=watcher)
        written.update(_written(done, name, title, targets))
        answer = with_loads(done.answer(task, requirements, name), model, motion, asked.by_name)
        answer = asked.with_gains(answer, model, motion)
        return _explained(done, answer) if options.explain else answer

    answer = asked_of("run" if cell.serve is None else "serve", model, task, plan, follow, (chosen,))
    stated = {**shared.stated, **options.stated, **cell.stated, **settings.stated, **loop.stated, **supervision.stated}
    return print_answer(answer, as_json=shared.as_json, files=written, settings=stated)


def _explained(done: RuntimeRun, answer: Answer) -> Answer:
    with busy("computing the run again"):
        return done.explained().added_to(answer)


def _asked(controller: str | None, loop: LoopOptions, model: Model) -> AskedControllers:
    """The one controller of a run, the same as in a simulation."""
    asked = loop.controllers(USUAL if controller is None and loop.law is None else controller, model)
    if len(asked.by_name) > 1:
        option, names = "--controller" if loop.law is None else "--law", ", ".join(asked.by_name)
        raise ParameterError(option, f"names {len(asked.by_name)} controllers, {names}; a run has one")
    return asked


def _settings(
    model: Model, planned: PlannedTask, options: RuntimeOptions, supervision: SupervisionOptions
) -> RunSettings:
    from parapick.runtime import RunSettings, belts_of

    settle = 0.0 if options.settle is None else parsed_amount("--settle", options.settle, "s", least=0.0)
    return RunSettings(
        supervisor=supervision.supervisor(model),
        faults=supervision.faults(model),
        cycles=options.cycles,
        settle=settle,
        drives=options.drives(),
        belts=belts_of(planned),
        image="exact" if options.exact else "integer",
        clock=not options.lockstep,
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
