"""A fault whose beginning is known: at which samples of a run it acts, and what it repeats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from parapick.operation.fault_kinds import ActingFault
from parapick.operation.faults import InjectedFault


@final
@dataclass(frozen=True)
class Onset:
    """A fault whose beginning is known.

    Attributes:
        fault: the fault.
        first: its first sample, counted from where the run begins.
        last: the sample behind its last one.
        value: what it repeats (n,), where it repeats something; None until that is known.
    """

    fault: InjectedFault
    first: int
    last: float
    value: np.ndarray | None = None

    def active(self, samples: np.ndarray) -> np.ndarray:
        """Whether it acts at samples.

        Args:
            samples: numbers of the samples (T,).
        """
        return (samples >= self.first) & (samples < self.last)

    def over(self, samples: np.ndarray, rate: float) -> ActingFault:
        """What it is over some samples.

        Args:
            samples: numbers of the samples (T,).
            rate: control rate (Hz).
        """
        return ActingFault(
            target=self.fault.target,
            size=self.fault.size,
            active=self.active(samples),
            was_active=self.active(samples - 1),
            lasted=(self.elapsed(samples) - self.elapsed(samples[:1])) / rate,
            value=self.value,
        )

    @property
    def waiting(self) -> bool:
        """Whether it repeats a value that is not known yet."""
        return self.value is None and self.fault.row.repeats != ""

    def elapsed(self, samples: np.ndarray) -> np.ndarray:
        """For how many samples it has acted.

        Args:
            samples: numbers of the samples (T,).
        """
        return np.clip(samples, self.first, self.last) - self.first
