"""What righettini2024's statements compare of its four controllers: one function per kind of statement."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.papers.righettini2024.cycle_run import AXES, ORDER, CycleRun, lowpass, phase_times, rms

Runs = Mapping[str, CycleRun]
"""The four runs by the names of `ORDER`; each is simulated when it is asked for."""

X, Y, Z, YAW = 0, 1, 2, 3
PAIRS: Final = (("tsid", "pd"), ("tsiid", "pid"))
"""Each centralised controller beside its decentralised counterpart."""

Z_PROMINENCE: Final = 0.2e-6
TORQUE_PROMINENCE: Final = 0.25
"""Extrema that stand out by less (m, N m) are not counted as oscillation."""

EVENTS: Final = ((1.25, 2), (1.65, 1))
"""Instants (s) at which the document sees saturations."""

SLOW_BIAS: Final = 0.4
"""Share of its size at high speed below which the bias torque is not significant elsewhere; chosen after 0.31 was
seen."""

EVENT_WIDTH: Final = 0.06
"""Half the width (s) of the window about such an instant."""


@final
@dataclass(frozen=True)
class ClaimOutcome:
    """Whether the runs bear a claim out.

    It is not a requirement (`parapick.answer.Requirement`): a claim says which of several controllers is better, or how
    their numbers lie to each other, strictly; there is no limit that one value keeps.

    Attributes:
        compared: what was compared; one per controller in the order PD, TSID, PID, TSIID where there are four.
        holds: whether the claim holds.
    """

    compared: Iterable[float]
    holds: bool

    @property
    def numbers(self) -> tuple[float, ...]:
        """What was compared."""
        return tuple(self.compared)


@final
@dataclass(frozen=True)
class ByController:
    """A number of each controller, computed when it is asked for: a statement rests on those that it compares.

    Attributes:
        runs: the runs.
        measure: the number of a run.
    """

    runs: Runs
    measure: Callable[[CycleRun], float]

    def __getitem__(self, name: str) -> float:
        return float(self.measure(self.runs[name]))

    def __iter__(self) -> Iterator[float]:
        return (self[name] for name in ORDER)

    @property
    def pd(self) -> float:
        """That of PD."""
        return self["pd"]

    @property
    def tsid(self) -> float:
        """That of TSID."""
        return self["tsid"]

    @property
    def pid(self) -> float:
        """That of PID."""
        return self["pid"]

    @property
    def tsiid(self) -> float:
        """That of TSIID."""
        return self["tsiid"]


def compare(
    measure: Callable[[CycleRun], float], test: Callable[[ByController], bool]
) -> Callable[[Runs], ClaimOutcome]:
    """A statement that compares one measure of the four controllers."""

    def outcome(runs: Runs) -> ClaimOutcome:
        numbers = ByController(runs, measure)
        return ClaimOutcome(numbers, bool(test(numbers)))

    return outcome


def pairs_below(share: float) -> Callable[[ByController], bool]:
    """Each centralised controller below a share of its counterpart."""
    return lambda f: f.tsid < share * f.pd and f.tsiid < share * f.pid


def lag(run: CycleRun) -> float:
    """Share of the intercepts in which the yaw is behind what is wanted."""
    here = run.between("ab", "ef") & (np.abs(run.record.xd_ref[:, YAW]) > 0.0)
    return float(np.mean(run.error[here, YAW] * run.record.xd_ref[here, YAW] > 0.0))


def quiet_p(run: CycleRun) -> float:
    """Mean magnitude of the proportional torque of axes 1 and 2 in grasp and release (N m)."""
    return float(np.mean(np.abs(run.term("tau_p")[run.standing][:, :2])))


def saturated_at_both(runs: Runs) -> ClaimOutcome:
    """Saturated time (ms) of axis 2 at the first instant and of axis 1 at the second, controller by controller."""
    times = []
    for name in ORDER:
        run = runs[name]
        for instant, axis in EVENTS:
            window = np.abs(run.t - instant) < EVENT_WIDTH
            times.append(1e3 * run.saturated_time(axis - 1, window))
    return ClaimOutcome(tuple(times), min(times) > 0.0)


def saturation_in_time(runs: Runs) -> ClaimOutcome:
    """Share of saturated samples at high acceleration, and whether they are near the peak of the error."""
    shares, near = [], []
    for name in ORDER:
        run = runs[name]
        hit = run.saturated[:, :2].any(axis=1)
        if not hit.any():
            return ClaimOutcome((), False)
        shares.append(float(np.mean(run.acceleration[hit] > 0.6 * run.acceleration.max())))
        apart = np.abs(run.t[hit] - run.t[int(np.argmax(run.plane))])
        near.append(bool(apart.min() < EVENT_WIDTH))
    return ClaimOutcome(tuple(shares), min(shares) > 0.6 and all(near))


def strain(run: CycleRun) -> float:
    """Largest share of the limit that axes 3 and 4 use in the intercepts, their first 60 ms left out."""
    here = run.between("ab", "ef")
    for point in "ae":
        here &= ~((run.t >= phase_times()[point]) & (run.t < phase_times()[point] + EVENT_WIDTH))
    return float(np.max(np.abs(run.record.command[here][:, 2:]) / run.record.torque_max[2:]))


def same_model_terms(runs: Runs) -> ClaimOutcome:
    """RMS of TSIID's model terms over TSID's, every axis."""
    ratios = [
        rms(runs["tsiid"].term(name)[:, axis]) / rms(runs["tsid"].term(name)[:, axis])
        for name in ("tau_M", "tau_n")
        for axis in AXES
    ]
    return ClaimOutcome(tuple(ratios), max(abs(ratio - 1.0) for ratio in ratios) < 0.05)


def gravity_only(runs: Runs) -> ClaimOutcome:
    """The bias of the screw's axes is the weight of the tool on the screw, and nothing on the spline."""
    term = runs["tsid"].term("tau_n")[:, 2:]
    spread = float(np.abs(term - term.mean(axis=0)).max())
    level = float(np.abs(term).max())
    return ClaimOutcome((level, spread), spread < 0.05 * level)


def bias_with_speed(runs: Runs) -> ClaimOutcome:
    """Bias torque of the arms: its size at fast samples and at slow ones, and beside the inertial torque."""
    run = runs["tsid"]
    speed = np.hypot(run.record.xd_ref[:, X], run.record.xd_ref[:, Y])
    fast = speed > 0.6 * speed.max()
    bias, inertial = np.abs(run.term("tau_n")[:, :2]), np.abs(run.term("tau_M")[:, :2])
    numbers = (float(bias[fast].mean()), float(bias[~fast].mean()), rms(inertial), rms(bias))
    slow = run.setup.number("slow bias", SLOW_BIAS)
    return ClaimOutcome(numbers, numbers[1] < slow * numbers[0] and numbers[3] < numbers[2])


def peak_p(runs: Runs) -> ClaimOutcome:
    """Peaks of the proportional torque of axes 1 and 2, PD then TSID (N m)."""
    peaks = [np.abs(runs[name].term("tau_p")).max(axis=0) for name in ("pd", "tsid")]
    numbers = (*peaks[0][:2].tolist(), *peaks[1][:2].tolist())
    return ClaimOutcome(numbers, bool(np.all(peaks[1] < peaks[0])))


def synchronous(runs: Runs) -> ClaimOutcome:
    """Correlation of PD's proportional torque with the acceleration feedforward of the model."""
    numbers = []
    for axis in AXES:
        p, feed = runs["pd"].term("tau_p")[:, axis], runs["tsid"].term("tau_M")[:, axis]
        numbers.append(float(np.corrcoef(p, feed)[0, 1]))
    return ClaimOutcome(tuple(numbers), min(numbers[:2]) > 0.5)


def integral_absorbs(runs: Runs) -> ClaimOutcome:
    """Slow proportional torque of axis 1 without and with integral, and how much the torques change."""
    step = float(runs["tsid"].t[1] - runs["tsid"].t[0])
    slow = [rms(lowpass(runs[name].term("tau_p")[:, 0], step, 5.0)) for name in ("tsid", "tsiid")]
    change = []
    for axis in (0, 1):
        without, with_integral = (runs[name].record.torque[:, axis] for name in ("tsid", "tsiid"))
        change.append(rms(with_integral - without) / rms(without))
    return ClaimOutcome((*slow, *change), slow[1] < 0.5 * slow[0] and max(change) < 0.35)


def integral_alike(axis: int) -> Callable[[Runs], ClaimOutcome]:
    """Integral shares of PID and TSIID on an axis (per cent)."""

    def outcome(runs: Runs) -> ClaimOutcome:
        shares = tuple(runs[name].share("tau_i", axis) for name in ("pid", "tsiid"))
        return ClaimOutcome(shares, max(shares) < 1.35 * min(shares))

    return outcome


def derivative_share(f: ByController) -> bool:
    """Centralisation takes more of it than the integral does."""
    by_model = (f.pd - f.tsid) + (f.pid - f.tsiid)
    by_integral = (f.pd - f.pid) + (f.tsid - f.tsiid)
    return by_model > by_integral and f.tsid < f.pd and f.tsiid < f.pid


def spline_integral(runs: Runs) -> ClaimOutcome:
    """Shares of P, D and I on axis 4, PID then TSIID (per cent)."""
    terms = ("tau_p", "tau_d", "tau_i")
    numbers = tuple(runs[name].share(term, 3) for name in ("pid", "tsiid") for term in terms)
    largest = numbers[2] > max(numbers[:2]) and numbers[5] > max(numbers[3:5])
    return ClaimOutcome(numbers, largest and max(*numbers[:2], *numbers[3:5]) < 30.0)


def every_index(runs: Runs) -> ClaimOutcome:
    """In how many of eight indices each centralised controller beats its counterpart."""
    wins = []
    for pair in PAIRS:
        better, worse = (runs[name] for name in pair)
        wins.append(sum((better.peak(k) < worse.peak(k)) + (better.size(k) < worse.size(k)) for k in (X, Y, Z, YAW)))
    return ClaimOutcome(tuple(map(float, wins)), min(wins) == 8)
