"""A run of one of righettini2024's controllers on its work cycle: errors, torque terms and shares that it speaks of.

A run is one controller on the work cycle. Coordinates: x transverse, y along the belts, z, yaw. The document's own
labels of x and y are unknown; its statements suit x along the belts, which is how they are read here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final, final

import numpy as np

from parapick.papers.righettini2024.cycle import righettini2024_cycle
from parapick.papers.setup import Setup
from parapick.simulation import Record

ORDER: Final = ("pd", "tsid", "pid", "tsiid")
"""The four controllers, in the order of all figures here."""

AXES: Final = (0, 1, 2, 3)
"""Motors: the two arms, the screw nut, the spline nut."""

FEEDBACK: Final = ("tau_p", "tau_d", "tau_i", "tau_M", "tau_n")
"""Terms of the torque, as the document names them."""

STILL: Final = 0.2
"""A sample belongs to a phase of low acceleration where the wanted acceleration in the plane is below this share of its
peak."""

SETTLING: Final = 0.05
"""Time (s) after a vertical stroke before the tool counts as quasi-static. Chosen to match: of nine windows from 0 to
0.1 s, each with mean and RMS, RMS from 0.05 s on gives the four numbers of an independent computation. Statement C06
hangs on it: by the mean over the whole of grasp and release it fails."""


@cache
def phase_times() -> dict[str, float]:
    """Instants (s) of the points of the cycle; A is the next a."""
    ends = (round(phase.end, 9) for phase in righettini2024_cycle().phases)
    return dict(zip("abcdefghiA", (0.0, *ends), strict=True))


def rms(values: np.ndarray) -> float:
    """Root mean square of samples at equal distances."""
    return float(np.sqrt(np.mean(np.square(values))))


@final
@dataclass(frozen=True, eq=False)
class CycleRun:
    """One controller on the cycle.

    Attributes:
        record: the closed loop, sampled at the control rate.
        setup: what it was computed with; it notes which of our readings a measure takes.
    """

    record: Record
    setup: Setup = field(default_factory=Setup)

    @property
    def t(self) -> np.ndarray:
        """Instants (T,), s."""
        return self.record.t

    @property
    def error(self) -> np.ndarray:
        """Wanted minus true task vector (T, 4), m and rad."""
        return -self.record.error

    def between(self, *spans: str) -> np.ndarray:
        """Which samples lie in spans such as "ab", from point a to point b."""
        return self._in(spans, 0.0)

    def _in(self, spans: Sequence[str], late: float) -> np.ndarray:
        inside = np.zeros(self.t.shape, dtype=bool)
        for start, end in spans:
            inside |= (self.t >= phase_times()[start] + late) & (self.t < phase_times()[end])
        return inside

    @property
    def plane(self) -> np.ndarray:
        """Length of the error in the plane (T,), m."""
        return np.hypot(self.error[:, 0], self.error[:, 1])

    @property
    def acceleration(self) -> np.ndarray:
        """Wanted acceleration in the plane (T,), m/s2."""
        return np.hypot(self.record.xdd_ref[:, 0], self.record.xdd_ref[:, 1])

    @property
    def gentle(self) -> np.ndarray:
        """Which samples have a low wanted acceleration in the plane."""
        return self.acceleration < STILL * self.acceleration.max()

    @property
    def standing(self) -> np.ndarray:
        """Which samples belong to grasp and release, where the tool stands still on its belt."""
        return self.between("cd", "gh")

    @property
    def settled(self) -> np.ndarray:
        """Which samples of grasp and release lie at least `SETTLING` after the stroke that led there."""
        return self._in(("cd", "gh"), self.setup.number("settling", SETTLING))

    @property
    def along(self) -> int:
        """The coordinate along the belts, which the document's statements on x are read to be about."""
        self.setup.uses("axes")
        return 1

    @property
    def across(self) -> int:
        """The coordinate across the belts, likewise that of its y."""
        self.setup.uses("axes")
        return 0

    @property
    def set_point(self) -> np.ndarray:
        """Torques that the law asks for, within their limits (T, 4), N m: what Figs. 14 and 15 show."""
        return np.clip(self.record.command, -self.record.torque_max, self.record.torque_max)

    @property
    def moving_vertically(self) -> np.ndarray:
        """Which samples belong to descents and ascents."""
        return self.between("bc", "de", "fg", "hi")

    @property
    def saturated(self) -> np.ndarray:
        """Which commands exceed their limit (T, 4)."""
        return np.abs(self.record.command) > self.record.torque_max

    def saturated_time(self, axis: int, window: np.ndarray | None = None) -> float:
        """How long an axis is saturated (s)."""
        hit = self.saturated[:, axis] if window is None else self.saturated[:, axis] & window
        return float(np.count_nonzero(hit)) * float(self.t[1] - self.t[0])

    def peak(self, coordinate: int) -> float:
        """Largest error of a coordinate (m or rad)."""
        return float(np.abs(self.error[:, coordinate]).max())

    def size(self, coordinate: int) -> float:
        """RMS error of a coordinate (m or rad)."""
        return rms(self.error[:, coordinate])

    def term(self, name: str) -> np.ndarray:
        """A term of the torque (T, 4); zero where the controller has none."""
        return self.record.terms.get(name, np.zeros_like(self.record.command))

    def share(self, name: str, axis: int) -> float:
        """RMS of a term over the sum of the RMS of all terms of an axis, per cent."""
        sizes = {term: rms(self.term(term)[:, axis]) for term in FEEDBACK}
        return 100.0 * sizes[name] / sum(sizes.values())


def extrema(values: np.ndarray, prominence: float) -> int:
    """How many maxima and minima stand out by more than a prominence."""
    from scipy.signal import find_peaks

    return sum(len(find_peaks(side, prominence=prominence)[0]) for side in (values, -values))


def lowpass(values: np.ndarray, step: float, frequency: float) -> np.ndarray:
    """What a sharp low pass leaves of a periodic series (T,)."""
    spectrum = np.fft.rfft(values)
    spectrum[np.fft.rfftfreq(len(values), step) > frequency] = 0.0
    return np.fft.irfft(spectrum, len(values))
