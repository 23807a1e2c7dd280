"""Delays that a log tells, beside those of a controller's ledger.

Three pairs of signals tell one each: the torque that a drive is asked for and the one that it logs; that torque and the
motion, through the model, which shows when it acts; the angle that is wanted and the one that comes. The first two have
a place in the ledger. What a loop makes of its reference has none: it follows from gains as much as from delays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, final

import numpy as np

from parapick.control import DelayLedger
from parapick.errors import ParapickError
from parapick.formulas import missing_masses
from parapick.identification.doubts import LARGE, Doubts
from parapick.identification.filtering import cutoff_of
from parapick.identification.identifying import Identification, identify
from parapick.identification.lateness import Lateness, band_of, lateness, untold, within_a_sample
from parapick.identification.log import Log
from parapick.identification.regression import LEAD_MAX
from parapick.identification.residual import residual_of

if TYPE_CHECKING:
    from parapick.model import Model
    from parapick.simulation import Record

AGREES: Final = 5e-6
"""Difference (s) beyond the interval of a measured delay that is none: what filters of slow signals leave of a lag."""

ASKED: Final = "torque asked for"
LOGGED: Final = "torque logged"
MOTION: Final = "motion"
WANTED: Final = "wanted angle"
ANGLE: Final = "angle"


@final
@dataclass(frozen=True)
class LogDelay:
    """A delay between two signals of a log.

    Attributes:
        source: the signal that comes first.
        target: the one that follows.
        measured: by how much it follows.
        expected: what it should be (s); None where nothing says it.
        by: what says so: "ledger" of a controller, or "simulation" of the same motion.
        slack: by how much they may differ beyond the interval (s).
    """

    source: str
    target: str
    measured: Lateness
    expected: float | None = None
    by: str = ""
    slack: float = AGREES

    @property
    def agrees(self) -> bool | None:
        """Whether the log agrees with what is expected; None where one of them says nothing."""
        if self.expected is None or not self.measured.told:
            return None
        return abs(self.measured.time - self.expected) <= self.measured.half + self.slack


def log_delays(
    model: Model,
    log: Log,
    ledger: DelayLedger | None = None,
    record: Record | None = None,
    doubts: Doubts | None = None,
) -> tuple[LogDelay, ...]:
    """Every delay of which a log has both signals.

    Args:
        ledger: the delays of the controller that the machine ran, if it is known.
        record: a simulation of the same motion, if there is one.
        doubts: what speaks against the torques of the log; one that is not believed tells nothing by the model.
    """
    return (*_of_torques(model, log, ledger, doubts), *_of_angles(log, record))


def _of_torques(model: Model, log: Log, ledger: DelayLedger | None, doubts: Doubts | None) -> Iterator[LogDelay]:
    logged = None if ledger is None else float(np.mean(ledger.logged))
    acting = None if ledger is None else float(np.mean(ledger.of_motors("torque")))
    by = "" if ledger is None else "ledger"
    if log.command is not None and log.torque is not None:
        yield LogDelay(ASKED, LOGGED, _causal(_between(log, log.command, log.torque)), logged, by)
    if log.command is not None:
        asked = replace(log, torque=_given(model, log.command))
        yield LogDelay(ASKED, MOTION, _to_motion(model, asked, doubts), acting, by)
    elif log.torque is not None:
        rest = None if acting is None or logged is None else acting - logged
        yield LogDelay(LOGGED, MOTION, _to_motion(model, log, doubts), rest, by)


def _of_angles(log: Log, record: Record | None) -> Iterator[LogDelay]:
    """What the loop makes of its reference, beside what the simulated one does."""
    if log.q_ref is None:
        return
    measured = _between(log, log.q_ref, log.q)
    simulated = untold("") if record is None else lateness(record.t, record.q_ref, record.q_meas)
    if not simulated.half >= 0.0:
        yield LogDelay(WANTED, ANGLE, measured)
    else:
        yield LogDelay(WANTED, ANGLE, measured, simulated.time, "simulation", AGREES + simulated.half)


def _between(log: Log, x: np.ndarray, y: np.ndarray) -> Lateness:
    """By how much one signal of a log follows another, along its longest stretch without a gap."""
    stretch = max(log.stretches, key=lambda one: one.stop - one.start)
    t, x, y = log.t[stretch], x[stretch], y[stretch]
    if log.uneven:
        even = t[0] + log.step * np.arange(int((t[-1] - t[0]) / log.step) + 1)
        x, y = (np.column_stack([np.interp(even, t, column) for column in one.T]) for one in (x, y))
        t = even
    return lateness(t, x, y)


def _causal(measured: Lateness) -> Lateness:
    """A delay that cannot be below 0: a torque does not come before it is asked for."""
    if measured.told and measured.time < -measured.half - AGREES:
        early = f"{-1e3 * measured.time:.4g} ms"
        return untold(f"it comes {early} before: columns are exchanged, or their clocks differ")
    return measured


def _given(model: Model, command: np.ndarray) -> np.ndarray:
    """Torques that are asked for, as far as drives give them."""
    most = model.motors.peak_torque * model.motors.ratio
    return np.clip(command, -most, most)


def _to_motion(model: Model, log: Log, doubts: Doubts | None) -> Lateness:
    """By how much the motion of a log follows its torques, by the model with friction and payload identified."""
    if doubts is not None and not doubts.ok:
        return untold(f"the log is not believed: {doubts.reasons[0]}")
    if missing_masses(model.robot):
        return untold(f"{model.robot.name} has no masses")
    assert log.torque is not None  # noqa: S101, there is a torque to be compared
    try:
        usual = cutoff_of(log)
        result = identify(model, log, cutoff=usual)
        band = min(band_of(log.torque[one], log.rate) for one in log.stretches)
        calm = result if band >= usual else identify(model, log, cutoff=band)
    except ParapickError as error:
        return untold(str(error).removeprefix(f"{log.file}: "))
    residual = residual_of(result, log)
    left = float(np.max(residual.rms(residual.after) / np.where(residual.size > 0.0, residual.size, np.nan)))
    if not left <= LARGE:
        return untold(f"the model leaves {100.0 * left:.3g} % of these torques; {100.0 * LARGE:.0f} % are allowed")
    measured, calmer = _lead(result, log), _lead(calm, log)
    if measured.told and not abs(measured.time - calmer.time) <= measured.half + calmer.half:
        # Slopes of noise draw the lead to nothing, the more the higher the cutoff.
        return untold("the torques are too noisy: it depends on the filter")
    return _causal(measured)


def _lead(result: Identification, log: Log) -> Lateness:
    """The lead of torques, where it can be told."""
    half = result.fit.critical * result.lead_deviation
    if not np.isfinite(half):
        return untold("the motion does not tell it from friction and payload")
    if abs(result.lead) >= LEAD_MAX:
        return untold(f"it is longer than the {1e3 * LEAD_MAX:g} ms that are looked for")
    return within_a_sample(result.lead, half, log.step)
