"""A virtual cell: a robot's drives and plant with settings, as C and as the contents of a segment."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Final, final

import numpy as np

from parapick.control import CallableLaw, ControlLaw, Controller, inertia_at_joints, prepared
from parapick.errors import ParameterError
from parapick.export import CellPlant, cell_plant
from parapick.kernel import identifier
from parapick.model import Model
from parapick.motion import Motion
from parapick.operation import InjectedFault, brake_torque, needed_torque
from parapick.runtime.cell_belts import CellBelts
from parapick.runtime.fingerprint import fingerprint_of
from parapick.runtime.injected import STATES, cell_faults
from parapick.runtime.layout import ALWAYS, EXACT, LOCKSTEP, STATED_LOAD
from parapick.runtime.segment import SharedSegment
from parapick.runtime.virtual_drives import COUNTS, STOPS, VirtualDrives
from parapick.simulation import Assembled, assembled, encoder_of, stated_controller
from parapick.supervision import State, Supervisor

_NS: Final = 1e9
_PER_MILLE: Final = 1e-3

CLOSE: Final = 1e-9
"""Share of a bus cycle by which a time may be shorter for rounding."""


@final
@dataclass(frozen=True, eq=False)
class VirtualCell:
    """A virtual cell.

    Attributes:
        assembly: the closed loop, whose plant it is.
        drives: settings of the drives, spread over the motors.
        start: pose at the start (dof), m and rad.
        brake: torque of the brakes at the joints (n,), N m.
        faults: what is made to go wrong.
        lead: time (s) from the beginning of the state "running" to that of the task.
        belts: belts and items; None without any.
        exact: whether drives take exact numbers in the place of increments and per mille.
        stated_load: whether the tool holds what the master says; otherwise what the gripper has taken.
        lockstep: whether there is no clock.
    """

    assembly: Assembled
    drives: VirtualDrives
    start: tuple[float, ...]
    brake: np.ndarray
    faults: tuple[InjectedFault, ...] = ()
    lead: float = 0.0
    belts: CellBelts | None = None
    exact: bool = False
    stated_load: bool = True
    lockstep: bool = False

    @property
    def plant(self) -> Model:
        """The robot as it is."""
        return self.assembly.plant

    @property
    def prefix(self) -> str:
        """What the symbols of its plant begin with."""
        return identifier(f"{self.assembly.model.robot.name}_cell")

    @property
    def fingerprint(self) -> bytes:
        """Of the robot as its controller knows it."""
        return fingerprint_of(self.assembly.model.robot)

    @property
    def period(self) -> int:
        """Bus cycle (ns)."""
        return round(_NS / self.assembly.rate)

    @property
    def interpolation(self) -> float:
        """Bus cycles in which drives in mode 8 go to a target."""
        return 1.0 if self.drives.interpolation is None else self.drives.interpolation * self.assembly.rate

    def plant_code(self) -> CellPlant:
        """The plant as C."""
        return cell_plant(self.assembly, self.prefix, self.brake, np.array(self.start))

    def units(self) -> dict[str, np.ndarray]:
        """Units of the drives' numbers (n,) each, at the joints: of an increment, of a per mille, limit and rated."""
        motors, loop = self.plant.motors, self.assembly.loop
        counts = COUNTS if self.drives.counts is None else self.drives.counts
        encoder = loop.encoder or encoder_of(self.plant, counts)
        assert encoder is not None  # noqa: S101
        rated = self._rated()
        return {
            "angle": np.broadcast_to(np.array(encoder.resolution, dtype=float), (loop.motors,)),
            "torque": _PER_MILLE * rated * motors.ratio,
            "torque_max": np.array(loop.drives.torque_max, dtype=float),
            "rated": rated,
        }

    def fill(self, segment: SharedSegment) -> None:
        """Write all settings into a segment and publish it.

        Args:
            segment: the segment, new.
        """
        head, cell, robot = segment.whole["head"], segment.whole["cell"], self.plant.robot
        head["flags"] = EXACT * self.exact + STATED_LOAD * self.stated_load + LOCKSTEP * self.lockstep
        head["fingerprint"] = np.frombuffer(self.fingerprint, np.uint8)
        head["motors"], head["dof"] = robot.motors, robot.dof
        head["period"], head["watchdog"] = self.period, max(round(_NS * self.drives.watchdog), self.period)
        for name, values in self.units().items():
            head["units"][name][: robot.motors] = values
        self.fill_cell(cell)
        segment.publish()

    def fill_cell(self, cell: Any) -> None:
        """Write the settings of drives, belts and faults.

        Args:
            cell: the settings, of type `CELL`.
        """
        drives, robot = self.drives, self.plant.robot
        cell["jitter"], cell["dropped"], cell["seed"] = drives.jitter, drives.dropped, drives.seed
        cell["gripper"], cell["start"][: robot.dof] = self.plant.gripper.vector(), self.start
        for name, values in self._drive_settings().items():
            cell["drives"][name][: robot.motors] = values
        faults = cell_faults(self.faults, robot.motors, robot.dof, self.assembly.rate, self.lead)
        cell["faults"], cell["fault"][: len(faults)] = len(faults), faults
        cell["belt_state"] = ALWAYS
        if self.belts is not None:
            self.belts.fill(cell)
            # The clock of the items is that of the task.
            cell["belt_state"] = STATES.index(State.RUNNING)
            cell["belt_begin"] = round(self.lead * self.assembly.rate)

    def _rated(self) -> np.ndarray:
        motors = self.plant.motors
        if self.drives.rated_torque is not None:
            return np.broadcast_to(np.array(self.drives.rated_torque, dtype=float), (motors.count,))
        limit = np.array(self.assembly.loop.drives.torque_max, dtype=float) / motors.ratio
        rated = np.where(np.isfinite(motors.rated_torque), motors.rated_torque, motors.peak_torque)
        rated = np.where(np.isfinite(rated), rated, limit)
        if not np.all(np.isfinite(rated)):
            text = "is not known: neither the robot's file nor the controller limits a torque; give it"
            raise ParameterError("drives.rated_torque", text)
        return rated

    def _drive_settings(self) -> dict[str, Any]:
        """Settings of every drive by the names of their fields in C: numbers, or one per motor."""
        drives, motors = self.drives, self.plant.motors
        inertia = inertia_at_joints(self.plant, np.array(self.start))
        brakes = [getattr(drive, "brake", None) for drive in self.plant.numbers.motor_drives()]
        opening = [0.0 if brake is None or brake.opening_time is None else brake.opening_time for brake in brakes]
        closing = [0.0 if brake is None or brake.closing_time is None else brake.closing_time for brake in brakes]
        return {
            "position_gain": 2.0 * math.pi * drives.position_loop,
            "speed_gain": 2.0 * math.pi * drives.speed_loop * inertia,
            "integral_gain": 0.0 if drives.integral_time is None else 1.0 / drives.integral_time,
            "position_min": -math.inf if drives.position_min is None else drives.position_min,
            "position_max": math.inf if drives.position_max is None else drives.position_max,
            "speed_max": motors.peak_speed / motors.ratio if self.assembly.loop.drives.speeds else math.inf,
            "following_max": math.inf if drives.following is None else drives.following,
            "interpolation": self.interpolation,
            "ramp": drives.ramp,
            "brake": self.brake,
            "opening": opening if drives.brake_opening is None else drives.brake_opening,
            "closing": closing if drives.brake_closing is None else drives.brake_closing,
            "self_test": drives.self_test,
            "quick_stop": STOPS[drives.quick_stop],
            "disable": 0 if drives.disable == "free" else 1,
            "reaction": STOPS[drives.reaction],
        }


def virtual_cell(
    model: Model,
    motion: Motion,
    controller: Controller | ControlLaw | CallableLaw,
    drives: VirtualDrives | None = None,
    *,
    supervisor: Supervisor | None = None,
    faults: tuple[InjectedFault, ...] = (),
    lead: float = 0.0,
    belts: CellBelts | None = None,
) -> VirtualCell:
    """A virtual cell for a robot, with the plant that a simulation has.

    Args:
        model: the robot.
        motion: what is to be followed.
        controller: rate, encoders, torque limits, lag, friction and what the robot is instead.
        drives: settings of the drives and their bus; the usual ones if not given.
        supervisor: torque of the brakes and where the robot is switched on.
        faults: what is made to go wrong.
        lead: time (s) from the beginning of the state "running" to that of the task.
        belts: belts and items.

    Raises:
        ParameterError: a setting that is not valid, or something that a virtual cell does not model.
    """
    stated, rules = stated_controller(controller), supervisor or Supervisor()
    spread, problems = prepared(drives or VirtualDrives(), model.robot, "drives")
    if problems:
        raise ParameterError(problems[0].path, problems[0].message)
    lag = stated.lag if spread.lag is None else spread.lag
    rate = stated.rate if spread.cycle is None else 1.0 / spread.cycle
    assembly = assembled(model, motion, replace(stated, lag=lag, rate=rate))
    _check_modelled(assembly)
    _check_interpolation(spread, assembly.rate)
    start = tuple(map(float, model.robot.home if rules.start is None else rules.start))
    brake = brake_torque(assembly.loop, rules, needed_torque(assembly.plant, motion))
    return VirtualCell(assembly, spread, start, brake, tuple(faults), lead, belts)


def _check_interpolation(drives: VirtualDrives, rate: float) -> None:
    """Raise if drives are to go to a target in less than a bus cycle.

    Raises:
        ParameterError: they are.
    """
    if drives.interpolation is not None and drives.interpolation * rate < 1.0 - CLOSE:
        text = f"is {drives.interpolation:g} s, and a bus cycle is {1.0 / rate:g} s; it must be at least as long"
        raise ParameterError("drives.interpolation", text)


def _check_modelled(assembly: Assembled) -> None:
    """Raise if the plant has what a virtual cell does not model.

    Raises:
        ParameterError: it has.
    """
    plant = assembly.controller.plant
    for name, text in (
        ("noise", "is stated, and a virtual cell has no random torques"),
        ("loose_payload", "is stated, and what a virtual cell carries is held rigidly"),
    ):
        if getattr(plant, name) is not None:
            raise ParameterError(f"plant.{name}", f"{text}; leave it out, or simulate")
