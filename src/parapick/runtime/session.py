"""A run of the runtime before it begins: the supervised run that it is, its drives, its C and its settings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, final

import numpy as np

from parapick.control import ControlLaw, Controller, ControllerChoice, controller_of
from parapick.errors import ParameterError
from parapick.model import Model
from parapick.motion import Motion
from parapick.operation import BRAKING, DWELL, SHOWN, PlannedRun, planned_run
from parapick.robots import RobotChoice, model_of
from parapick.runtime.layout import FAULTS_MAX
from parapick.runtime.loop_layout import CELL_TURN, COMMAND, COMMANDS_MAX, LOG, LOOP_MAGIC, LOOP_TURN, ROW, SETTINGS
from parapick.runtime.machine import EVENTS, STATES, LoopCode, check_runnable, loop_code
from parapick.runtime.planner import PlannedRows, horizon_of, rows_of
from parapick.runtime.run_settings import RunSettings
from parapick.runtime.segment import ALIGNED
from parapick.runtime.virtual_cell import VirtualCell, virtual_cell
from parapick.runtime.virtual_drives import MODES
from parapick.simulation import stated_controller
from parapick.supervision import SETTLED, State
from parapick.tasks import TaskChoice, motion_for

PHASE: Final = 0.3
"""Share of a bus cycle after which the loop's period begins, where nothing is stated: the frame of the drives is there
then, and what is left is enough for the law. Chosen."""

BUS: Final = 1
"""Samples that the bus adds where there is a clock: what is written in one cycle acts from the next on."""

LOG_TIME: Final = 4.0
"""Time (s) for which rows of the log find room while nobody takes them. Chosen."""


@final
@dataclass(frozen=True, eq=False)
class Session:
    """A run before it begins.

    Attributes:
        planned: the supervised run that it is.
        rows: its references.
        machine: its law, guards and stop as C.
        cell: its drives and the plant behind them.
        horizon: rows of the reference that must be ahead of the loop.
        bus_delay: whole samples of the controller's delay that the bus itself makes, so that the law does not.
    """

    planned: PlannedRun
    rows: PlannedRows
    machine: LoopCode
    cell: VirtualCell
    horizon: int
    bus_delay: int

    @property
    def rings(self) -> dict[str, tuple[int, np.dtype]]:
        """PlannedRows and type of a row of the rings, the room for the loop's settings in that of the log."""
        reference = max(2 * self.horizon, round(self.planned.supervision.rate))
        turns = {"loop_turns": (self.log_rows, LOOP_TURN), "cell_turns": (self.log_rows, CELL_TURN)}
        return {
            "reference": (reference, ROW),
            **({} if self.cell.lockstep else turns),
            "log": (self.log_rows + spare_rows(), LOG),
        }

    @property
    def stated(self) -> Controller:
        """The controller as it is stated."""
        return self.planned.supervision.assembly.controller

    @property
    def acting(self) -> Controller:
        """The controller as it acts in this run: rate and lag of its drives, samples of bus and law."""
        driven = self.cell.assembly.controller
        if self.cell.lockstep:
            return driven
        exchange = None if driven.exchange is None else BUS
        return replace(driven, delay=driven.delay - self.bus_delay + BUS, exchange=exchange)

    @property
    def log_rows(self) -> int:
        """PlannedRows of the log that find room."""
        return round(LOG_TIME * self.planned.supervision.rate)

    def state_name(self, row: Any) -> str:
        """The state of a row of the log, in words.

        Args:
            row: the row.
        """
        return STATES[int(row["state"])].value

    def fill(self, settings: Any) -> None:
        """Write the loop's settings.

        Args:
            settings: where they are (), of type `SETTINGS`.
        """
        fixed, period = self.planned.supervision, self.cell.period
        rate = fixed.rate
        settings["dwell"], settings["shown"] = np.ceil(DWELL * rate), np.ceil(SHOWN * rate)
        settings["resting"], settings["braking"] = SETTLED + round(SHOWN * rate), round(BRAKING * rate)
        settings["horizon"], settings["start"] = self.horizon, self.rows.start
        commands = command_rows(self.planned)
        settings["commands"], settings["command"][: len(commands)] = len(commands), commands
        settings["phase"], settings["budget"] = round(PHASE * period), round((1.0 - PHASE) * period)
        settings["mode"], settings["priority"], settings["processor"] = MODES[self.cell.drives.mode], 0, -1
        settings["asked"], settings["magic"] = 0, LOOP_MAGIC


def in_lockstep(run: Session) -> Session:
    """The same run without a clock: the law itself waits for the sample that the bus had made.

    Args:
        run: the run.
    """
    fixed, cell = run.planned.supervision, replace(run.cell, lockstep=True)
    if not run.bus_delay:
        return replace(run, cell=cell)
    machine = loop_code(fixed.model, run.stated, run.cell.assembly.motion, fixed.supervisor)
    return replace(run, machine=machine, cell=cell, bus_delay=0)


def spare_rows() -> int:
    """PlannedRows of the log's ring that make room for the loop's settings behind it."""
    return -(-(SETTINGS.itemsize + ALIGNED) // LOG.itemsize)


def settings_place(size: int) -> int:
    """Where the settings of the loop are in a segment of so many bytes.

    Args:
        size: its bytes.
    """
    return (size - SETTINGS.itemsize) // ALIGNED * ALIGNED


def command_rows(planned: PlannedRun) -> np.ndarray:
    """What the operator asks for by itself, as the loop has it.

    Args:
        planned: the run.
    """
    rows = []
    for fault in planned.faults:
        if fault.row.command is None:
            continue
        lead = planned.plan.lead if fault.state == State.RUNNING.value else 0.0
        begin = round((lead + fault.time) * planned.supervision.rate)
        rows.append((STATES.index(State(fault.state)), EVENTS.index(fault.row.command), begin))
    if len(rows) > COMMANDS_MAX:
        raise ParameterError("faults", f"hold {len(rows)} commands of the operator; a loop has room for {COMMANDS_MAX}")
    return np.array(rows, COMMAND)


_SETTINGS: Final = RunSettings()


def session(
    robot: RobotChoice,
    task: TaskChoice,
    controller: ControllerChoice | ControlLaw,
    settings: RunSettings = _SETTINGS,
) -> Session:
    """A run before it begins; everything that can be refused is refused here, before any torque.

    Args:
        robot: a model, the name of a shipped robot, or the path of a file.
        task: the motion to follow, a task, the name of a shipped task, or the path of a file.
        controller: a controller, the name of a shipped one or of a law, the path of a file, or only its law.
        settings: how the run is; the usual settings if not given.

    Raises:
        HomingError: home, or the start of the motion, cannot be reached slowly.
        LawError: a law that cannot be stopped along its path, or one that does not fit the robot.
        MissingMassError: the robot lacks masses that its law or its stop needs.
        ParameterError: a law that cannot be exported, or a setting that is not valid.
        TaskBeyondGuardError: the task itself would trip a guard.
        UnreachableError: the motion, or the start, is out of reach.
    """
    model = model_of(robot)
    stated = stated_controller(controller_of(controller, model))
    check_runnable(stated)
    motion = motion_for(task, model)
    planned = _planned(model, motion, stated, settings)
    made, bus_delay = _law(stated, lockstep=not settings.clock)
    machine = loop_code(model, made, motion, settings.supervisor)
    cell = _cell(planned, motion, stated, settings)
    return Session(planned, rows_of(planned), machine, cell, horizon_of(planned), bus_delay)


def _planned(model: Model, motion: Motion, controller: Controller, settings: RunSettings) -> PlannedRun:
    """The supervised run that it is."""
    planned = planned_run(
        model,
        motion,
        controller,
        supervisor=settings.supervisor,
        faults=settings.faults,
        cycles=settings.cycles,
        settle=settings.settle,
    )
    if len(planned.faults) > FAULTS_MAX:
        raise ParameterError("faults", f"are {len(planned.faults)}; a virtual cell has room for {FAULTS_MAX}")
    return planned


def _cell(planned: PlannedRun, motion: Motion, stated: Controller, settings: RunSettings) -> VirtualCell:
    """Its drives and the plant behind them."""
    cell = virtual_cell(
        planned.supervision.model,
        motion,
        stated,
        settings.drives,
        supervisor=settings.supervisor,
        faults=planned.faults,
        lead=planned.plan.lead,
        belts=settings.belts,
    )
    return replace(
        cell,
        exact=settings.image == "exact",
        lockstep=not settings.clock,
        stated_load=settings.belts is None,
        brake=planned.supervision.brake,
    )


def _law(controller: Controller, *, lockstep: bool) -> tuple[Controller, int]:
    """The controller whose law is printed, and the samples of its delay that the bus makes."""
    if lockstep or not controller.delay:
        return controller, 0
    return replace(controller, delay=controller.delay - BUS), BUS
