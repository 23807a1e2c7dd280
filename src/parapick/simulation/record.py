"""The record of a simulated loop: what was wanted, what happened, what was measured, and what it took."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np

from parapick.answer import Column, Table
from parapick.control import law_name
from parapick.deferred import fetched
from parapick.motion import Phase
from parapick.simulation.command_filter import distance_to_path

if TYPE_CHECKING:
    from parapick.answer import Answer
    from parapick.simulation.assembled import Assembled
    from parapick.simulation.series import LoopSeries

RESTING: Final = 1e-9
"""Speed (m/s) below which a reference has no direction, so that all of an error counts as normal to the path."""

_SIGNALS: Final = ("x", "xd", "q", "qd", "q_meas", "command", "torque", "friction")
"""What every loop records under the names that a record has for it."""

_PER_MOTOR: Final = ("torque_max", "speed_max")
"""Arrays of a record with an entry per motor; all others have one per sample."""


@final
@dataclass(frozen=True)
class Divergence:
    """How a loop ended before its time.

    Attributes:
        time: last instant that is recorded (s).
        quantity: what left first: "leg 2", "torque" (of linear motors "force"), "velocity", "estimate", ...
        message: the same in words, with numbers.
    """

    time: float
    quantity: str
    message: str


@final
@dataclass(frozen=True)
class Saturation:
    """A stretch of time over which a law wanted more torque than a drive has.

    Attributes:
        joint: which motor, from 1.
        start: when it begins (s).
        end: when it ends (s): one control period behind the last saturated sample.
    """

    joint: int
    start: float
    end: float


@final
@dataclass(frozen=True, eq=False, repr=False)
class Record:
    """A simulated loop, one row per sample; T samples, n motors.

    Attributes:
        robot: name of the robot.
        law: name of the control law.
        engine: what ran the loop: "native", "python" (also where the law is a Python callable) or "mujoco".
        rate: control rate (Hz).
        substeps: integration steps a control period.
        task_names: names of the task coordinates.
        torque_max: torque limit of every motor at its arm axis (n,), N m; infinite without one.
        speed_max: peak speed of every motor at its joint (n,), rad/s; infinite where the file states none.
        phases: named stretches of the motion.
        t: instants (T,), s.
        x_ref: wanted task vectors (T, dof), m and rad.
        xd_ref: their rates (T, dof).
        xdd_ref: their accelerations (T, dof).
        q_ref: joint angles they ask for (T, n), rad, as the controller knows the robot.
        qd_ref: their rates (T, n), rad/s.
        x: task vectors of the plant (T, dof), m and rad.
        xd: their rates (T, dof).
        q: its joint angles (T, n), rad.
        qd: their rates (T, n), rad/s.
        q_meas: what the encoders said (T, n), rad.
        estimate: what the law believed, by name: qd and, for laws in task space, x and xd.
        command: torques the law wanted (T, n), N m.
        torque: torques at the arm axes (T, n), N m: limited, delayed and lagging.
        friction: friction torques of the plant (T, n), N m.
        terms: terms of the command (T, n), N m, by name; they add up to it. Empty for a Python callable.
        divergence: how the loop ended before its time; None where it did not.
        effort: unit of what the motors give: "N m", "N" of linear motors, whose torques are forces.
        motor: angles and rates of the rotors at the joints' speed, q_motor and qd_motor (T, n), where the drive train
            is elastic; otherwise empty.
        seed: seed of the noise; None without any.
        cycle: duration of a cycle of the motion (s); None where it is not known.
        command_filter: time over which commands are averaged (s), whole periods; None without a filter.
        unfiltered: the task vectors before the command filter, x (T, dof), m and rad; empty without one.
    """

    robot: str
    law: str
    engine: str
    rate: float
    substeps: int
    task_names: tuple[str, ...]
    torque_max: np.ndarray
    speed_max: np.ndarray
    phases: tuple[Phase, ...]
    t: np.ndarray
    x_ref: np.ndarray
    xd_ref: np.ndarray
    xdd_ref: np.ndarray
    q_ref: np.ndarray
    qd_ref: np.ndarray
    x: np.ndarray
    xd: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    q_meas: np.ndarray
    estimate: Mapping[str, np.ndarray]
    command: np.ndarray
    torque: np.ndarray
    friction: np.ndarray
    terms: Mapping[str, np.ndarray]
    divergence: Divergence | None = None
    effort: str = "N m"
    motor: Mapping[str, np.ndarray] = field(default_factory=dict)
    seed: int | None = None
    cycle: float | None = None
    command_filter: float | None = None
    unfiltered: Mapping[str, np.ndarray] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        assembly: Assembled,
        engine: str,
        series: LoopSeries,
        outputs: Mapping[str, np.ndarray],
        *,
        phases: tuple[Phase, ...],
        divergence: Divergence | None,
    ) -> Record:
        """The record of a loop, run freely or under a supervisor: the one way to make one.

        Args:
            assembly: the loop as it was before it ran.
            engine: what ran it.
            series: what it followed; its instants are those of the record.
            outputs: what was recorded, by name.
            phases: named stretches of what it followed.
            divergence: how it ended before its time; None where it did not.
        """
        model, motors, noise = assembly.model, assembly.plant.motors, assembly.controller.plant.noise
        return cls(
            robot=model.robot.name,
            law=law_name(assembly.controller.law),
            engine=engine,
            rate=assembly.rate,
            substeps=assembly.substeps,
            task_names=model.robot.task_names,
            torque_max=np.array(assembly.loop.drives.torque_max),
            speed_max=motors.peak_speed / motors.ratio,
            effort=motors.torque_unit,
            phases=phases,
            t=series.t,
            x_ref=series.x,
            xd_ref=series.xd,
            xdd_ref=series.xdd,
            q_ref=model.inverse_kinematics(series.x),
            qd_ref=model.joint_rates(series.x, series.xd),
            **{name: outputs[name] for name in _SIGNALS},
            estimate={name.removesuffix("_est"): outputs[name] for name in outputs if name.endswith("_est")},
            terms={name.removeprefix("term_"): outputs[name] for name in outputs if name.startswith("term_")},
            motor={name: outputs[name] for name in ("q_motor", "qd_motor") if name in outputs},
            cycle=assembly.cycle,
            seed=None if noise is None else noise.seed,
            divergence=divergence,
            **_before_filter(assembly, series),
        )

    def __repr__(self) -> str:
        end = "" if self.divergence is None else f", {self.divergence.message}"
        return f"<record of {self.robot} under {self.law}: {len(self.t)} samples at {self.rate:g} Hz{end}>"

    def _repr_html_(self) -> str:
        return self.errors_table._repr_html_()

    @property
    def ok(self) -> bool:
        """Whether the loop did its work: it did not diverge, lose the path or chatter."""
        return fetched("parapick.simulation.loop_fault", "fault_of")(self) is None

    def answer(self) -> Answer:
        """Tracking errors, torques and saturation; refused where the loop did not do its work."""
        return fetched("parapick.simulation.loop_answer", "record_answer")(self)

    def table(self, name: str) -> Table:
        """A table of the answer by its name.

        Args:
            name: its name, such as "tracking".
        """
        return self.answer().table(name)

    @property
    def errors_table(self) -> Table:
        """Peak and RMS of the plate's distance, of its part across the path, and of the error by coordinate."""
        signals = {"distance": self.distance, "across the path": self.path_normal}
        signals |= dict(zip(self.task_names, self.error.T, strict=True))
        columns = (Column("error"), Column("peak"), Column("unit"), Column("RMS"), Column("unit"))
        rows = []
        for name, signal in signals.items():
            unit = "rad" if name == "yaw" else "m"
            peak, rms = float(np.max(np.abs(signal))), float(np.sqrt(np.mean(signal * signal)))
            rows.append((name, peak, unit, rms, unit))
        return Table("errors", repr(self).strip("<>"), columns, tuple(rows))

    @property
    def word(self) -> str:
        """What the motors give: "torque", or "force" where all are linear."""
        return "force" if self.effort == "N" else "torque"

    @property
    def completed(self) -> bool:
        """Whether the loop ran to its end."""
        return self.divergence is None

    @property
    def error(self) -> np.ndarray:
        """Error of the plate `x - x_ref` (T, dof), m and rad: where it is, seen from where it should be."""
        return self.x - self.x_ref

    @property
    def joint_error(self) -> np.ndarray:
        """Error of the joints `q - q_ref` (T, n), rad."""
        return self.q - self.q_ref

    @property
    def distance(self) -> np.ndarray:
        """Distance of the plate from where it should be (T,), m."""
        return np.linalg.norm(self.error[:, :3], axis=-1)

    @property
    def path_normal(self) -> np.ndarray:
        """Distance of the plate from where it should be, across the path (T,), m.

        What lies along the wanted velocity is lateness, not deviation, and does not count; at rest all counts.
        """
        error, velocity = self.error[:, :3], self.xd_ref[:, :3]
        speed = np.linalg.norm(velocity, axis=-1, keepdims=True)
        direction = np.where(speed > RESTING, velocity / np.maximum(speed, RESTING), 0.0)
        along = np.sum(error * direction, axis=-1, keepdims=True)
        return np.linalg.norm(error - along * direction, axis=-1)

    @property
    def path_deviation(self) -> dict[str, np.ndarray]:
        """Distance from the path of the task (T,), m, wherever on it is nearest: of the filtered command, of the plate.

        Empty without a command filter: then the path is that of the command, and `path_normal` says how far off it is.
        """
        if not self.unfiltered:
            return {}
        path = self.unfiltered["x"][:, :3]
        return {name: distance_to_path(x[:, :3], path) for name, x in (("command", self.x_ref), ("plate", self.x))}

    @property
    def saturated(self) -> np.ndarray:
        """Whether the law wanted more than the drive has (T, n)."""
        return np.abs(self.command) > self.torque_max

    @property
    def overspeed(self) -> np.ndarray:
        """Whether a joint turns faster than the peak speed of its motor (T, n)."""
        return np.abs(self.qd) > self.speed_max

    @property
    def saturations(self) -> tuple[Saturation, ...]:
        """Every stretch of saturation, by motor and time."""
        stretches, period = [], 1.0 / self.rate
        for joint, column in enumerate(self.saturated.T, start=1):
            edges = np.diff(np.concatenate([[0], column.astype(np.int8), [0]]))
            for first, last in zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1), strict=True):
                stretches.append(Saturation(joint, float(self.t[first]), float(self.t[last - 1]) + period))
        return tuple(stretches)

    def rows(self, chosen: np.ndarray | slice) -> Record:
        """The same record with some of its samples.

        Args:
            chosen: which samples: a slice, truths (T,) or numbers.
        """
        series: dict[str, Any] = {}
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray) and name not in _PER_MOTOR:
                series[name] = value[chosen]
            elif isinstance(value, Mapping):
                series[name] = {key: signal[chosen] for key, signal in value.items()}
        return replace(self, **series)

    def between(self, start: float, end: float) -> np.ndarray:
        """Which samples lie in a stretch of time (T,).

        Args:
            start: its start (s), counted.
            end: its end (s), counted.
        """
        slack = 1e-6 / self.rate
        return (self.t >= start - slack) & (self.t <= end + slack)


def _before_filter(assembly: Assembled, series: LoopSeries) -> dict[str, Any]:
    """Time of the command filter and what it is given, for a record; nothing without one."""
    time = assembly.controller.command_filter
    if not time or series.unfiltered is None:
        return {}
    return {"command_filter": round(time * assembly.rate) / assembly.rate, "unfiltered": {"x": series.unfiltered}}
