"""A log laid over a simulation of the same motion: how well they agree, joint by joint and at the plate.

The pose of the machine follows from its encoders through forward kinematics, as in wu2020 Fig. 10 against Fig. 7: what
encoders do not see (elastic links, gearbox play) is not in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from parapick.errors import ParapickError
from parapick.identification.alignment import Shift, shift_of
from parapick.identification.log import Log
from parapick.identification.logged_poses import poses_along

if TYPE_CHECKING:
    from parapick.model import Model
    from parapick.simulation import Record


@final
@dataclass(frozen=True)
class Agreement:
    """How well two signals agree.

    Attributes:
        rms: RMS of their difference.
        peak: largest difference.
        correlation: of the two; NaN where one of them does not change.
        share: RMS of the difference over the largest magnitude of the logged signal (of angles: over its range).
    """

    rms: float
    peak: float
    correlation: float
    share: float


@final
@dataclass(frozen=True, eq=False)
class Overlay:
    """A log over a simulation; T samples of the log that the simulation covers.

    Attributes:
        log: the log.
        record: the simulation.
        shift: how far the clock of the log is ahead.
        aligned: by what the clocks were compared: "wanted angles" or "measured angles".
        t: times of the motion (T,), s.
        q: logged angles (T, n), rad.
        q_simulated: simulated encoder angles (T, n), rad.
        torque: logged torques (T, n), N m; None without any.
        torque_simulated: simulated torques (T, n), N m.
        error: `x - x_ref` of the machine by its encoders (T, dof), m and rad.
        error_simulated: the same of the simulation, by its encoders.
    """

    log: Log
    record: Record
    shift: Shift
    aligned: str
    t: np.ndarray
    q: np.ndarray
    q_simulated: np.ndarray
    torque: np.ndarray | None
    torque_simulated: np.ndarray
    error: np.ndarray
    error_simulated: np.ndarray

    def angles(self) -> tuple[Agreement, ...]:
        """Agreement of the angles, motor by motor."""
        return tuple(
            _agreement(logged, simulated, float(np.ptp(logged)))
            for logged, simulated in zip(self.q.T, self.q_simulated.T, strict=True)
        )

    def torques(self) -> tuple[Agreement, ...]:
        """Agreement of the torques, motor by motor; none where the log has none."""
        if self.torque is None:
            return ()
        pairs = zip(self.torque.T, self.torque_simulated.T, strict=True)
        return tuple(_agreement(logged, simulated, float(np.abs(logged).max())) for logged, simulated in pairs)


def overlay(model: Model, log: Log, record: Record) -> Overlay:
    """Lay a log over a simulation of the same motion.

    Wanted angles of the log, where it has them, tell its clock; otherwise its measured angles are laid over the
    simulated ones, so that what the machine is later than the simulation as a whole is not seen.

    Raises:
        ParapickError: the log is not of this motion, or they do not overlap.
    """
    by_reference = log.q_ref is not None
    own, other = (log.q_ref, record.q_ref) if by_reference else (log.q, record.q_meas)
    assert own is not None  # noqa: S101, either is there
    shift = shift_of(log.t, own, record.t, other, f"{log.file} over the simulation")
    moved = log.t - shift.time
    here = (moved >= record.t[0]) & (moved <= record.t[-1])
    if here.sum() < 2:
        raise ParapickError(f"{log.file}: does not overlap with the simulation")
    t, q = moved[here], log.q[here]
    wanted, simulated = _at(record.t, record.x_ref, t), _at(record.t, record.q_meas, t)
    return Overlay(
        log,
        record,
        shift,
        "wanted angles" if by_reference else "measured angles",
        t,
        q,
        simulated,
        None if log.torque is None else log.torque[here],
        _at(record.t, record.torque, t),
        poses_along(model, t, q, log.file) - wanted,
        poses_along(model, t, simulated, "the simulation") - wanted,
    )


def _at(t: np.ndarray, values: np.ndarray, times: np.ndarray) -> np.ndarray:
    return np.column_stack([np.interp(times, t, one) for one in values.T])


def _agreement(logged: np.ndarray, simulated: np.ndarray, size: float) -> Agreement:
    difference = logged - simulated
    rms = float(np.sqrt(np.mean(difference**2)))
    changes = float(np.ptp(logged)) > 0.0 and float(np.ptp(simulated)) > 0.0
    correlation = float(np.corrcoef(logged, simulated)[0, 1]) if changes else float("nan")
    return Agreement(rms, float(np.abs(difference).max()), correlation, rms / size if size > 0.0 else float("nan"))
