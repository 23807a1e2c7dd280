"""How the statements of righettini2024 are judged: what is compared, one function a kind of statement."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple, final

import numpy as np

from parapick.papers.righettini2024_measures import AXES, ORDER, PHASE_TIMES, Run, extrema, lowpass, rms

Runs = dict[str, Run]
"""The four runs by the names of `ORDER`."""

X, Y, Z, YAW = 0, 1, 2, 3
LON, TRA = Y, X
PAIRS: Final = (("tsid", "pd"), ("tsiid", "pid"))
"""Each centralised controller beside its decentralised counterpart."""

Z_PROMINENCE: Final = 0.2e-6
TORQUE_PROMINENCE: Final = 0.25
"""Extrema that stand out by less (m, N m) are not counted as oscillation."""

EVENTS: Final = ((1.25, 2), (1.65, 1))
"""Instants (s) at which the document sees saturations."""

EVENT_WIDTH: Final = 0.06
"""Half the width (s) of the window about such an instant."""


@final
@dataclass(frozen=True)
class Answer:
    """What the runs say to a claim.

    Attributes:
        numbers: what was compared; one a controller in the order PD, TSID, PID, TSIID where there are four.
        holds: whether the claim holds.
    """

    numbers: tuple[float, ...]
    holds: bool


class Four(NamedTuple):
    """A number of each controller."""

    pd: float
    tsid: float
    pid: float
    tsiid: float


def four(runs: Runs, measure: Callable[[Run], float]) -> Four:
    """A measure of each run."""
    return Four(*(float(measure(runs[name])) for name in ORDER))


def compare(measure: Callable[[Run], float], test: Callable[[Four], bool]) -> Callable[[Runs], Answer]:
    """A statement that compares one measure of the four controllers."""

    def judge(runs: Runs) -> Answer:
        numbers = four(runs, measure)
        return Answer(numbers, bool(test(numbers)))

    return judge


def pairs_below(share: float) -> Callable[[Four], bool]:
    """Each centralised controller below a share of its counterpart."""
    return lambda f: f.tsid < share * f.pd and f.tsiid < share * f.pid


def falls(f: Four) -> bool:
    """PD above TSID above PID above TSIID."""
    return f.pd > f.tsid > f.pid > f.tsiid


def extrema_z(run: Run) -> float:
    """Extrema of the error in z from f to i."""
    return extrema(run.error[run.between("fg", "gh", "hi"), Z], Z_PROMINENCE)


def lag(run: Run) -> float:
    """Share of the intercepts in which the yaw is behind what is wanted."""
    here = run.between("ab", "ef") & (np.abs(run.xd[:, YAW]) > 0.0)
    return float(np.mean(run.error[here, YAW] * run.xd[here, YAW] > 0.0))


def residual_yaw(run: Run) -> float:
    """Mean magnitude of the yaw error in grasp and release (rad)."""
    return float(np.mean(np.abs(run.error[run.standing, YAW])))


def quiet_p(run: Run) -> float:
    """Mean magnitude of the proportional torque of axes 1 and 2 in grasp and release (N m)."""
    return float(np.mean(np.abs(run.term("tau_p")[run.standing][:, :2])))


def derivative_size(run: Run) -> float:
    """RMS of the derivative torque of axes 1 and 2 (N m)."""
    return rms(run.term("tau_d")[:, :2])


def saturated_at_both(runs: Runs) -> Answer:
    """Saturated time (ms) of axis 2 at the first instant and of axis 1 at the second, controller by controller."""
    times = []
    for name in ORDER:
        run = runs[name]
        for instant, axis in EVENTS:
            window = np.abs(run.t - instant) < EVENT_WIDTH
            times.append(1e3 * run.saturated_time(axis - 1, window))
    return Answer(tuple(times), min(times) > 0.0)


def saturation_in_time(runs: Runs) -> Answer:
    """Share of saturated samples at high acceleration, and whether they are near the peak of the error."""
    shares, near = [], []
    for name in ORDER:
        run = runs[name]
        hit = run.saturated[:, :2].any(axis=1)
        if not hit.any():
            return Answer((), False)
        shares.append(float(np.mean(run.acceleration[hit] > 0.6 * run.acceleration.max())))
        apart = np.abs(run.t[hit] - run.t[int(np.argmax(run.plane))])
        near.append(bool(apart.min() < EVENT_WIDTH))
    return Answer(tuple(shares), min(shares) > 0.6 and all(near))


def vertical_saturation(run: Run) -> float:
    """Saturated time (ms) of axis 3 in descents and ascents."""
    return 1e3 * run.saturated_time(2, run.moving_vertically)


def strain(run: Run) -> float:
    """Largest share of the limit that axes 3 and 4 use in the intercepts, their first 60 ms left out."""
    here = run.between("ab", "ef")
    for point in "ae":
        here &= ~((run.t >= PHASE_TIMES[point]) & (run.t < PHASE_TIMES[point] + EVENT_WIDTH))
    return float(np.max(np.abs(run.command[here][:, 2:]) / run.limit[2:]))


def extrema_torque(run: Run) -> float:
    """Extrema of the torque of axis 3 from f to i."""
    return extrema(run.torque[run.between("fg", "gh", "hi"), 2], TORQUE_PROMINENCE)


def same_model_terms(runs: Runs) -> Answer:
    """RMS of TSIID's model terms over TSID's, every axis."""
    ratios = [
        rms(runs["tsiid"].term(name)[:, axis]) / rms(runs["tsid"].term(name)[:, axis])
        for name in ("tau_M", "tau_n")
        for axis in AXES
    ]
    return Answer(tuple(ratios), max(abs(ratio - 1.0) for ratio in ratios) < 0.05)


def gravity_only(runs: Runs) -> Answer:
    """The bias of the screw's axes is the weight of the tool on the screw, and nothing on the spline."""
    term = runs["tsid"].term("tau_n")[:, 2:]
    spread = float(np.abs(term - term.mean(axis=0)).max())
    level = float(np.abs(term).max())
    return Answer((level, spread), spread < 0.05 * level)


def bias_with_speed(runs: Runs) -> Answer:
    """Bias torque of the arms: its size at fast samples and at slow ones, and beside the inertial torque."""
    run = runs["tsid"]
    speed = np.hypot(run.xd[:, X], run.xd[:, Y])
    fast = speed > 0.6 * speed.max()
    bias, inertial = np.abs(run.term("tau_n")[:, :2]), np.abs(run.term("tau_M")[:, :2])
    numbers = (float(bias[fast].mean()), float(bias[~fast].mean()), rms(inertial), rms(bias))
    return Answer(numbers, numbers[1] < 0.4 * numbers[0] and numbers[3] < numbers[2])


def peak_p(runs: Runs) -> Answer:
    """Peaks of the proportional torque of axes 1 and 2, PD then TSID (N m)."""
    peaks = [np.abs(runs[name].term("tau_p")).max(axis=0) for name in ("pd", "tsid")]
    numbers = (*peaks[0][:2].tolist(), *peaks[1][:2].tolist())
    return Answer(numbers, bool(np.all(peaks[1] < peaks[0])))


def synchronous(runs: Runs) -> Answer:
    """Correlation of PD's proportional torque with the acceleration feedforward of the model."""
    numbers = []
    for axis in AXES:
        p, feed = runs["pd"].term("tau_p")[:, axis], runs["tsid"].term("tau_M")[:, axis]
        numbers.append(float(np.corrcoef(p, feed)[0, 1]))
    return Answer(tuple(numbers), min(numbers[:2]) > 0.5)


def integral_absorbs(runs: Runs) -> Answer:
    """Slow proportional torque of axis 1 without and with integral, and how much the torques change."""
    step = float(runs["tsid"].t[1] - runs["tsid"].t[0])
    slow = [rms(lowpass(runs[name].term("tau_p")[:, 0], step, 5.0)) for name in ("tsid", "tsiid")]
    change = []
    for axis in (0, 1):
        one, other = runs["tsid"].torque[:, axis], runs["tsiid"].torque[:, axis]
        change.append(rms(other - one) / rms(one))
    return Answer((*slow, *change), slow[1] < 0.5 * slow[0] and max(change) < 0.35)


def peak_d(runs: Runs) -> Answer:
    """Peaks of the derivative torque of axes 1 and 2 (N m)."""
    numbers = four(runs, lambda run: float(np.abs(run.term("tau_d")[:, :2]).max()))
    return Answer(numbers, pairs_below(1.0)(numbers))


def alike_axes(run: Run) -> float:
    """Largest difference between the shares of axes 1 and 2 (points)."""
    return max(abs(run.share(name, 0) - run.share(name, 1)) for name in ("tau_p", "tau_d", "tau_i", "tau_M", "tau_n"))


def integral_alike(axis: int) -> Callable[[Runs], Answer]:
    """Integral shares of PID and TSIID on an axis (per cent)."""

    def judge(runs: Runs) -> Answer:
        one, other = (runs[name].share("tau_i", axis) for name in ("pid", "tsiid"))
        return Answer((one, other), max(one, other) < 1.35 * min(one, other))

    return judge


def bias_share(runs: Runs) -> Answer:
    """Shares of the bias torque on axes 1 and 2, TSID then TSIID (per cent)."""
    numbers = tuple(runs[name].share("tau_n", axis) for name in ("tsid", "tsiid") for axis in (0, 1))
    return Answer(numbers, max(numbers) < 20.0)


def derivative_share(f: Four) -> bool:
    """Centralisation takes more of it than the integral does."""
    by_model = (f.pd - f.tsid) + (f.pid - f.tsiid)
    by_integral = (f.pd - f.pid) + (f.tsid - f.tsiid)
    return by_model > by_integral and f.tsid < f.pd and f.tsiid < f.pid


def spline_integral(runs: Runs) -> Answer:
    """Shares of P, D and I on axis 4, PID then TSIID (per cent)."""
    pid, tsiid = runs["pid"], runs["tsiid"]
    numbers = (
        pid.share("tau_p", 3),
        pid.share("tau_d", 3),
        pid.share("tau_i", 3),
        tsiid.share("tau_p", 3),
        tsiid.share("tau_d", 3),
        tsiid.share("tau_i", 3),
    )
    largest = numbers[2] > max(numbers[:2]) and numbers[5] > max(numbers[3:5])
    return Answer(numbers, largest and max(*numbers[:2], *numbers[3:5]) < 30.0)


def every_index(runs: Runs) -> Answer:
    """In how many of eight indices each centralised controller beats its counterpart."""
    wins = []
    for better, worse in PAIRS:
        one, other = runs[better], runs[worse]
        wins.append(sum((one.peak(k) < other.peak(k)) + (one.size(k) < other.size(k)) for k in (X, Y, Z, YAW)))
    return Answer(tuple(map(float, wins)), min(wins) == 8)
