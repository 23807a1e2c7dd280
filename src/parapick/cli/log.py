"""`parapick log`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Final, final

from cyclopts import Parameter

from parapick.cli.arguments import PLAIN, Amount, Files, RobotName, Shared, Whole, load, parsed_amount
from parapick.cli.groups import SIMULATION
from parapick.cli.log_options import LogOptions
from parapick.cli.loop_options import AskedControllers, LoopOptions
from parapick.cli.outputs import FIGURE, Force, Outputs, draw, out_parameter
from parapick.cli.settings import NO_TASK_SETTINGS, TaskSettings
from parapick.cli.tables import busy
from parapick.errors import ParapickError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from parapick.control import DelayLedger
    from parapick.identification import Log, Overlay
    from parapick.model import Model


@Parameter(name="*", group=SIMULATION)
@final
@dataclass(frozen=True)
class OverlayOptions:
    """Which simulation a log is laid over.

    Attributes:
        task: The task that the machine did: a shipped one, or the path of a TOML file.
        controller: The machine's controller: a shipped one, the path of a TOML file, or a control law; tsid for a
            task if not given. Its delays are compared with those of the log.
        cycles: How often the task is run through.
        settle: Time at rest after the end, such as 150ms.
        settings: What the task has otherwise than its file states.
    """

    task: Annotated[str | None, Parameter(metavar="TASK")] = None
    controller: Annotated[str | None, Parameter(metavar="NAME")] = None
    cycles: Whole = 1
    settle: Amount = None
    settings: TaskSettings = NO_TASK_SETTINGS


_OVERLAY: Final = OverlayOptions()
_LOOP: Final = LoopOptions()
_READ: Final = LogOptions()

OUTPUTS: Final = Outputs(replace(FIGURE, text="log and model as a figure"))


def log(
    robot: RobotName,
    file: str,
    /,
    *,
    over: OverlayOptions = _OVERLAY,
    reading: LogOptions = _READ,
    loop: LoopOptions = _LOOP,
    shared: Shared = PLAIN,
    out: Annotated[Files, out_parameter(OUTPUTS)] = (),
    force: Force = False,
) -> int:
    """A log of a machine, beside the robot's file or over a simulation of its task.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        file: A .csv, .parquet or .mcap file of a drive or a scope, or a record that simulate has written.
        over: Which simulation it is laid over.
        reading: How it is read.
        loop: What the controller has otherwise than its file states.
        shared: Working mode, what the robot has otherwise than its file states, and how the answer is printed.
        out: What is written.
        force: Whether files of the same kind are replaced.
    """
    from parapick.cli.printing import print_answer
    from parapick.identification import log_answer, log_delays, log_doubts, log_residual
    from parapick.report import overlay_figure, residual_figure

    model = load(robot, shared)
    targets = OUTPUTS.targets(out, force=force)
    read = reading.read(file, model)
    asked = _asked(model, over, loop)
    laid = None if asked is None or over.task is None else _laid(model, read, over, asked)
    residual = log_residual(model, read)
    title = f"{model.robot.name}, {file}"
    nothing = ParapickError("--out: there is nothing to draw without torques; lay the log over a --task")

    def figure() -> Figure:
        if laid is not None:
            return overlay_figure(model, laid, title)
        if residual is None:
            raise nothing
        return residual_figure(model, residual, title)

    drawn = draw(figure, targets)
    stated = {**shared.stated, **over.settings.stated, **({} if asked is None else loop.stated)}
    doubts, record = log_doubts(model, read), None if laid is None else laid.record
    delays = log_delays(model, read, _ledger(asked, over, loop), record, doubts)
    answer = log_answer(model, read, laid, residual, doubts, delays)
    answer = answer if asked is None else asked.noted(answer)
    return print_answer(answer, as_json=shared.as_json, files=drawn, settings=stated)


def _asked(model: Model, over: OverlayOptions, loop: LoopOptions) -> AskedControllers | None:
    """The controller of the machine, as far as it is named or simulated; None where it is neither."""
    if over.task is None and over.settings.fields:
        raise ParapickError("--task-set goes with --task: it says what is simulated")
    if over.task is None and over.controller is None:
        return None
    asked = loop.controllers(over.controller or loop.law or "tsid", model)
    if len(asked.by_name) > 1:
        raise ParapickError("--controller: give one; a log is of one controller")
    return asked


def _ledger(asked: AskedControllers | None, over: OverlayOptions, loop: LoopOptions) -> DelayLedger | None:
    """The delays of the controller; None where nothing is said of it but that it does a task."""
    from parapick.control import ledger_of

    if asked is None or (over.controller is None and not loop.stated):
        return None
    (controller,) = asked.by_name.values()
    return ledger_of(controller)


def _laid(model: Model, read: Log, over: OverlayOptions, asked: AskedControllers) -> Overlay:
    """The log over the simulation that is asked for."""
    from parapick.identification import overlay
    from parapick.simulation import simulate

    (controller,) = asked.by_name.values()
    rest = 0.0 if over.settle is None else parsed_amount("--settle", over.settle, "s", least=0.0)
    with busy("simulating"):
        motion = over.settings.load(over.task or "").motion(model)
        record = simulate(model, motion, controller, cycles=over.cycles, settle=rest)
    if record.divergence is not None:
        raise ParapickError(f"the simulation fails: {record.divergence.message}")
    return overlay(model, read, record)
