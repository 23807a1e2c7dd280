"""What is left of a log's torques beside the model: with the file's numbers, and with those that were identified."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from parapick.identification.filtering import ANGLES, FINEST
from parapick.identification.identifying import Estimate, Identification
from parapick.identification.log import Log
from parapick.identification.measured_motion import motions_or_hint
from parapick.identification.unknowns import Rows, rows_of

if TYPE_CHECKING:
    from parapick.model import Model


@final
@dataclass(frozen=True, eq=False)
class Residual:
    """Torques of a log and of a model along its motion, both through the same filter; T samples, R rows.

    Attributes:
        log: the log.
        t: times (T,), s.
        torque: logged torques (T, R), N m; task forces of a redundant robot.
        before: what the model with the file's numbers leaves of them (T, R).
        after: what the identified numbers leave of them (T, R); the same as `before` where none were.
        counted: which samples count (T, R): the joint moves, and the filter has seen enough.
        lead: by how much torques are taken to be recorded before they act (s).
    """

    log: Log
    t: np.ndarray
    torque: np.ndarray
    before: np.ndarray
    after: np.ndarray
    counted: np.ndarray
    lead: float

    @property
    def size(self) -> np.ndarray:
        """Largest torque of every row (R,)."""
        return np.abs(self.torque).max(axis=0)

    def rms(self, left: np.ndarray) -> np.ndarray:
        """RMS of what is left of every row (R,), where it counts; NaN where nothing does.

        Args:
            left: `before` or `after`.
        """
        counts = self.counted.sum(axis=0)
        squares = np.sum(np.where(self.counted, left, 0.0) ** 2, axis=0)
        return np.sqrt(np.divide(squares, counts, out=np.full(len(counts), np.nan), where=counts > 0))

    def peak(self, left: np.ndarray) -> np.ndarray:
        """Largest of what is left of every row (R,), where it counts.

        Args:
            left: `before` or `after`.
        """
        return np.where(self.counted, np.abs(left), 0.0).max(axis=0)


def residual_of(result: Identification, log: Log) -> Residual:
    """What numbers that were identified leave of a log, of the same motion or another.

    Args:
        log: the log, with torques.
    """
    cutoff = min(result.cutoff, FINEST * log.rate / ANGLES)
    motions = motions_or_hint(result.model, log, cutoff)
    unknowns = [one.unknown for one in result.estimates]
    changes = np.array([_change(one) for one in result.estimates])
    rows = [
        rows_of(result.model, unknowns, one, cutoff, stribeck=result.stribeck(), lead=result.lead) for one in motions
    ]
    plain = [rows_of(result.model, (), one, cutoff, lead=result.lead) for one in motions]
    return _joined(
        log, rows, [one.left for one in plain], [one.left - one.columns @ changes for one in rows], result.lead
    )


def _change(estimate: Estimate) -> float:
    """What an estimate adds: friction counts from nothing, all else from the file's number; speeds are in columns."""
    if ".stribeck_speed." in estimate.unknown.name:
        return 0.0
    return estimate.value if estimate.unknown.name.startswith("friction.") else estimate.value - estimate.unknown.file


def file_residual(model: Model, log: Log, cutoff: float) -> Residual:
    """What a robot's file leaves of a log.

    Args:
        log: the log, with torques.
        cutoff: cutoff of torques (Hz).
    """
    motions = motions_or_hint(model, log, cutoff)
    rows = [rows_of(model, (), one, cutoff) for one in motions]
    left = [one.left for one in rows]
    return _joined(log, rows, left, left, 0.0)


def _joined(log: Log, rows: list[Rows], before: list[np.ndarray], after: list[np.ndarray], lead: float) -> Residual:
    """All stretches, without their ends, where a filter makes up what lies beyond them."""

    def joined(parts: list[np.ndarray]) -> np.ndarray:
        return np.concatenate([part[one.edge : len(part) - one.edge] for part, one in zip(parts, rows, strict=True)])

    return Residual(
        log,
        joined([one.t for one in rows]),
        joined([one.given for one in rows]),
        joined(before),
        joined(after),
        joined([one.counted for one in rows]),
        lead,
    )
