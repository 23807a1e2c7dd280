"""The time series a loop runs along: references, payloads and disturbances, one row per sample."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, final

import numpy as np
from numpy.typing import ArrayLike

from parapick.arrays import reals
from parapick.control import Controller
from parapick.errors import ParameterError, ShapeError
from parapick.mechanism import combined
from parapick.model import Model
from parapick.motion import Motion
from parapick.simulation.command_filter import References, filtered, window_of
from parapick.simulation.imperfections import loose_load, noise_series
from parapick.simulation.tool_loads import carried

Acting = ArrayLike | Callable[[float], ArrayLike]
"""Something that acts on the plant: constant (k,), one row per sample (T, k), or a function of time (s)."""


@final
@dataclass(frozen=True, eq=False)
class Disturbance:
    """What disturbs a run.

    Attributes:
        force: force on the plate (dof), N and N m: constant, one row per sample, or a function of time (s).
        torque: torques at the joints (n), N m (N where joints slide), likewise.
        offset: where the plate starts, seen from where it should (dof), m and rad.
    """

    force: Acting | None = None
    torque: Acting | None = None
    offset: ArrayLike | None = None


@final
@dataclass(frozen=True, eq=False)
class LoopSeries:
    """What a loop follows and what acts on it.

    Attributes:
        t: sampling instants (T,), s.
        x: wanted task vectors (T, dof), m and rad.
        xd: their rates (T, dof).
        xdd: their accelerations (T, dof).
        payload_ref: what the controller believes the tool holds (T, 5).
        payload: what it holds (T, 5).
        force: forces on the plate (T, dof), N and N m; None without any.
        torque: disturbing torques at the joints (T, n), N m; None without any.
        faults: faults of encoders and drives (T, 4 n), see `faulty`; None without any.
        swinging: mass that swings under the tool (T, 1), kg; None where nothing can.
        learned: torques learned in cycles before (T, n), N m; None where the law does not learn.
        unfiltered: task vectors before the command filter (T, dof), m and rad; None without one.
    """

    t: np.ndarray
    x: np.ndarray
    xd: np.ndarray
    xdd: np.ndarray
    payload_ref: np.ndarray
    payload: np.ndarray
    force: np.ndarray | None
    torque: np.ndarray | None
    faults: np.ndarray | None = None
    swinging: np.ndarray | None = None
    learned: np.ndarray | None = None
    unfiltered: np.ndarray | None = None

    @property
    def inputs(self) -> list[np.ndarray]:
        """The series as a compiled loop takes them."""
        learned = [] if self.learned is None else [self.learned]
        disturbances = [
            series for series in (self.swinging, self.force, self.torque, self.faults) if series is not None
        ]
        return [np.hstack([self.x, self.xd, self.xdd]), self.payload_ref, *learned, self.payload, *disturbances]

    @classmethod
    def joined(cls, parts: Sequence[LoopSeries]) -> LoopSeries:
        """Series one after the other; what one of them lacks, the whole lacks.

        Args:
            parts: the series, at least one.
        """
        columns = {name: [getattr(part, name) for part in parts] for name in vars(parts[0])}
        lacking = {name for name, values in columns.items() if any(value is None for value in values)}
        whole: dict[str, Any] = {name: np.concatenate(columns[name]) for name in columns if name not in lacking}
        return cls(**{**dict.fromkeys(lacking), **whole})

    def rows(self, chosen: slice) -> LoopSeries:
        """The same series with some of its samples.

        Args:
            chosen: which samples.
        """
        return replace(self, **{name: values[chosen] for name, values in vars(self).items() if values is not None})


def faulty(values: Any, faults: Any, where: Literal["encoder", "drive"]) -> Any:
    """Encoder angles or torques with the faults of a sample: `share * value + offset`, motor by motor.

    Args:
        values: angles or torques (n), expressions or arrays.
        faults: shares and offsets of the angles, then of the torques (4 n).
        where: which of them.
    """
    n = values.shape[0]
    first = 0 if where == "encoder" else 2 * n
    return faults[first : first + n] * values + faults[first + n : first + 2 * n]


def series_of(
    model: Model,
    plant: Model,
    motion: Motion,
    controller: Controller,
    disturbance: Disturbance | None = None,
) -> LoopSeries:
    """Sample a motion and what acts along it.

    Args:
        model: the robot as the controller knows it.
        plant: the robot as it is.
        motion: the motion; payloads of model and plant replace what it carries.
        controller: its control rate, whether it knows what is carried, and the imperfections of the plant.
        disturbance: what disturbs the run.
    """
    acting, (held_motion, known) = disturbance or Disturbance(), carried(controller, motion, model, plant)
    samples = held_motion.sample(controller.rate)
    believed = combined(model.gripper.vector(), known.load_at(samples.t))
    load, swinging = loose_load(samples.load, controller.plant)
    held = combined(plant.gripper.vector(), load)
    torque = _sampled("disturbance.torque", acting.torque, samples.t, plant.robot.motors)
    if controller.plant.noise is not None:
        noise = noise_series(controller.plant.noise, plant, len(samples.t), controller.rate)
        torque = noise if torque is None else torque + noise
    wanted = References(samples.x, samples.xd, samples.xdd)
    if controller.command_filter:
        window = window_of(controller.command_filter, controller.rate, motion.duration)
        wanted = filtered(model, wanted, window, controller.rate)
    return LoopSeries(
        samples.t,
        *wanted,
        believed,
        held,
        _sampled("disturbance.force", acting.force, samples.t, plant.robot.dof),
        torque,
        swinging=swinging,
        unfiltered=samples.x if controller.command_filter else None,
    )


def _sampled(name: str, acting_value: Acting | None, t: np.ndarray, width: int) -> np.ndarray | None:
    if acting_value is None:
        return None
    if callable(acting_value):
        rows: Sequence[np.ndarray] = [reals(f"{name}(t)", acting_value(float(time))) for time in t]
        if any(row.shape != (width,) for row in rows):
            raise ShapeError(f"{name}(t)", rows[0].shape, f"({width},)")
        values = np.array(rows)
    else:
        values = reals(name, acting_value)
        if values.shape not in ((width,), (len(t), width)):
            raise ShapeError(name, values.shape, f"({width},), or one row per sample ({len(t)}, {width})")
    if not np.all(np.isfinite(values)):
        raise ParameterError(name, "holds a number that is not finite")
    return np.ascontiguousarray(np.broadcast_to(values, (len(t), width)))
