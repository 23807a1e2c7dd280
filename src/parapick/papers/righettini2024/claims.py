"""The statements of righettini2024 sections 3 and 4, each as code that answers yes or no on four simulated runs.

The document gives neither friction nor integral gains nor its path; these were chosen (see its record), so a yes
says that a statement can be had, not that the document's robot behaved so. Words such as "markedly" are thresholds
here, stated with each claim.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.papers.righettini2024.comparisons import (
    TORQUE_PROMINENCE,
    YAW,
    Z_PROMINENCE,
    ByController,
    ClaimOutcome,
    Runs,
    Z,
    bias_with_speed,
    compare,
    derivative_share,
    every_index,
    gravity_only,
    integral_absorbs,
    integral_alike,
    lag,
    pairs_below,
    peak_p,
    quiet_p,
    same_model_terms,
    saturated_at_both,
    saturation_in_time,
    spline_integral,
    strain,
    synchronous,
)
from parapick.papers.righettini2024.cycle_run import AXES, FEEDBACK, extrema, rms
from parapick.papers.setup import OnDemand


@final
@dataclass(frozen=True)
class Claim:
    """A statement of the document and the code that says whether it holds.

    Attributes:
        key: its name: C and a number, with the axis or the quantity where a sentence makes several.
        text: the statement, with the thresholds that stand for its words.
        outcome: the code.
    """

    key: str
    text: str
    outcome: Callable[[Runs], ClaimOutcome]


def claim_outcomes(runs: Runs) -> Mapping[str, ClaimOutcome]:
    """Whether every claim holds, by its key, each when it is asked for.

    Args:
        runs: the four runs by the names of `ORDER`.
    """
    outcomes = {claim.key: claim.outcome for claim in CLAIMS}
    return OnDemand(outcomes, lambda key: outcomes[key](runs))


def _shares(name: str, axis: int, key: str, text: str, test: Callable[[ByController], bool]) -> Claim:
    return Claim(f"{key}_{axis + 1}", f"{text} (axis {axis + 1})", compare(lambda run: run.share(name, axis), test))


CLAIMS: Final[tuple[Claim, ...]] = (
    Claim("C02", "TSID beats PD in the plane (RMS)", compare(lambda r: rms(r.plane), lambda f: f.tsid < f.pd)),
    Claim("C03", "TSIID beats PID in the plane (RMS)", compare(lambda r: rms(r.plane), lambda f: f.tsiid < f.pid)),
    Claim(
        "C04",
        "integral action clearly lowers the error in the plane in phases of low acceleration (below 0.7)",
        compare(lambda r: rms(r.plane[r.gentle]), lambda f: f.pid < 0.7 * f.pd and f.tsiid < 0.7 * f.tsid),
    ),
    Claim(
        "C05",
        "z, moving: TSID better than PD",
        compare(lambda r: rms(r.error[r.moving_vertically, Z]), lambda f: f.tsid < f.pd),
    ),
    Claim(
        "C06",
        "z, standing (from 50 ms after the stroke on): integral controllers below their counterparts",
        compare(lambda r: rms(r.error[r.settled, Z]), lambda f: f.pid < f.pd and f.tsiid < f.tsid),
    ),
    Claim(
        "C07",
        "TSIID's z error oscillates more than the others' (extrema from f to i)",
        compare(
            lambda r: extrema(r.error[r.between("fg", "gh", "hi"), Z], Z_PROMINENCE),
            lambda f: f.tsiid > max(f.pd, f.tsid, f.pid),
        ),
    ),
    Claim(
        "C08",
        "yaw: PD and TSID lag in the intercepts (more than 60 % of the time)",
        compare(lag, lambda f: min(f.pd, f.tsid) > 0.6),
    ),
    Claim(
        "C09",
        "yaw: PD and TSID keep a residual error on the belt (more than 3 times PID's and TSIID's)",
        compare(
            lambda r: float(np.mean(np.abs(r.error[r.standing, YAW]))),
            lambda f: min(f.pd, f.tsid) > 3.0 * max(f.pid, f.tsiid),
        ),
    ),
    Claim(
        "C10",
        "yaw: PID and TSIID much better than PD and TSID (RMS below 0.6)",
        compare(lambda r: r.size(YAW), lambda f: max(f.pid, f.tsiid) < 0.6 * min(f.pd, f.tsid)),
    ),
    Claim(
        "C10b",
        "yaw: PID and TSIID equally good (RMS within 1.5)",
        compare(lambda r: r.size(YAW), lambda f: max(f.pid, f.tsiid) < 1.5 * min(f.pid, f.tsiid)),
    ),
    Claim("C11x", "peak along the belts: lower when centralised", compare(lambda r: r.peak(r.along), pairs_below(1.0))),
    Claim("C11mx", "peak along the belts: markedly (15 %)", compare(lambda r: r.peak(r.along), pairs_below(0.85))),
    Claim(
        "C11y", "peak across the belts: lower when centralised", compare(lambda r: r.peak(r.across), pairs_below(1.0))
    ),
    Claim("C11my", "peak across the belts: markedly (15 %)", compare(lambda r: r.peak(r.across), pairs_below(0.85))),
    Claim(
        "C12",
        "RMS along the belts: PID and TSIID beat PD and TSID",
        compare(lambda r: r.size(r.along), lambda f: max(f.pid, f.tsiid) < min(f.pd, f.tsid)),
    ),
    Claim(
        "C13",
        "RMS across the belts: the two best are TSID and TSIID",
        compare(lambda r: r.size(r.across), lambda f: max(f.tsid, f.tsiid) < min(f.pd, f.pid)),
    ),
    Claim(
        "C14",
        "z: TSID has the lowest RMS and peak of the four",
        lambda runs: ClaimOutcome(
            ByController(runs, lambda r: r.size(Z)),
            all(
                runs["tsid"].size(Z) < runs[name].size(Z) and runs["tsid"].peak(Z) < runs[name].peak(Z)
                for name in ("pd", "pid", "tsiid")
            ),
        ),
    ),
    Claim(
        "C15r",
        "yaw RMS: PD > TSID > PID >= TSIID",
        compare(lambda r: r.size(YAW), lambda f: f.pd > f.tsid > f.pid >= f.tsiid),
    ),
    Claim(
        "C15p",
        "yaw peak: PD > TSID > PID >= TSIID",
        compare(lambda r: r.peak(YAW), lambda f: f.pd > f.tsid > f.pid >= f.tsiid),
    ),
    Claim(
        "C16",
        "yaw: TSID significantly better than PD (RMS and peak below 0.85)",
        lambda runs: ClaimOutcome(
            ByController(runs, lambda r: r.size(YAW)),
            runs["tsid"].size(YAW) < 0.85 * runs["pd"].size(YAW)
            and runs["tsid"].peak(YAW) < 0.85 * runs["pd"].peak(YAW),
        ),
    ),
    Claim("C17", "axes 1 and 2 saturate in all four controllers at both instants", saturated_at_both),
    Claim(
        "C18",
        "saturations of the arms are shorter when centralised (ms)",
        compare(lambda r: 1e3 * (r.saturated_time(0) + r.saturated_time(1)), pairs_below(1.0)),
    ),
    Claim(
        "C19",
        "saturations coincide with high accelerations (60 % of their samples above 0.6 of the peak) and with the peak "
        "of the error (60 ms)",
        saturation_in_time,
    ),
    Claim(
        "C20a",
        "the torque of axis 3 reaches its limit in the vertical motions, in all four (ms)",
        compare(
            lambda r: 1e3 * r.saturated_time(2, r.moving_vertically), lambda f: min(f.pd, f.tsid, f.pid, f.tsiid) > 0.0
        ),
    ),
    Claim(
        "C20b",
        "axes 3 and 4 are not strained in the intercepts (below 60 % of the limit)",
        compare(strain, lambda f: max(f.pd, f.tsid, f.pid, f.tsiid) < 0.6),
    ),
    Claim(
        "C21",
        "the torque set point of axis 3 is more oscillatory when centralised (extrema)",
        compare(
            lambda r: extrema(r.set_point[r.between("fg", "gh", "hi"), 2], TORQUE_PROMINENCE),
            lambda f: f.tsid > f.pd and f.tsiid > f.pid,
        ),
    ),
    Claim(
        "C22",
        "standing, the proportional torque of the arms is off zero with PD and about zero with PID (below 0.1 of PD's)",
        compare(quiet_p, lambda f: f.pd > 0.5 and f.pid < 0.1 * f.pd),
    ),
    Claim(
        "C23",
        "derivative torques of PD and PID are similar (RMS within 30 %)",
        compare(lambda r: rms(r.term("tau_d")[:, :2]), lambda f: max(f.pd, f.pid) < 1.3 * min(f.pd, f.pid)),
    ),
    Claim("C24", "model terms of TSID and TSIID are practically identical (RMS within 5 %)", same_model_terms),
    Claim("C25", "the bias torque of axes 3 and 4 is gravity only", gravity_only),
    Claim(
        "C26",
        "the bias torque of axes 1 and 2 is significant only at high speed (elsewhere below 0.4 of it), and below the "
        "inertial torque",
        bias_with_speed,
    ),
    Claim("C27", "peaks of the proportional torque are lower with TSID than with PD, on all axes", peak_p),
    Claim(
        "C27b",
        "PD's proportional torque goes with the acceleration (correlation above 0.5, axes 1, 2)",
        synchronous,
    ),
    Claim(
        "C28",
        "standing, TSID's proportional torque persists (more than half of PD's)",
        compare(quiet_p, lambda f: f.tsid > 0.5 * f.pd),
    ),
    Claim(
        "C29",
        "TSIID's integral takes over the slow part (below 5 Hz) of the proportional torque; the total hardly changes "
        "(below 35 %)",
        integral_absorbs,
    ),
    Claim(
        "C30",
        "the peak of the derivative torque is lower when centralised (axes 1, 2)",
        compare(lambda r: float(np.abs(r.term("tau_d")[:, :2]).max()), pairs_below(1.0)),
    ),
    Claim(
        "C31",
        "shares of axes 1 and 2 are almost identical (below 12 points)",
        compare(lambda r: max(abs(r.share(name, 0) - r.share(name, 1)) for name in FEEDBACK), lambda f: max(f) < 12.0),
    ),
    *(
        _shares(
            "tau_p",
            axis,
            "C32",
            "the share of tau_P falls PD > TSID > PID > TSIID",
            lambda f: f.pd > f.tsid > f.pid > f.tsiid,
        )
        for axis in AXES
    ),
    *(
        Claim(
            f"C33_{axis + 1}",
            f"integral shares of PID and TSIID are about equal (within 1.35; axis {axis + 1})",
            integral_alike(axis),
        )
        for axis in AXES
    ),
    Claim(
        "C34",
        "the share of the bias torque is low (below 20 %, axes 1, 2)",
        compare(lambda r: max(r.share("tau_n", 0), r.share("tau_n", 1)), lambda f: max(f.tsid, f.tsiid) < 20.0),
    ),
    *(
        _shares("tau_d", axis, "C35", "the share of tau_D falls with the model more than with the integral", test)
        for axis, test in (
            (0, derivative_share),
            (1, derivative_share),
            (2, derivative_share),
        )
    ),
    Claim("C37", "axis 4: the integral is the largest feedback share, P and D below 30 %", spline_integral),
    Claim(
        "C38",
        "integral action lowers the RMS error in the plane significantly (TSIID below 0.7 of TSID)",
        compare(lambda r: rms(r.plane), lambda f: f.tsiid < 0.7 * f.tsid),
    ),
    Claim(
        "C38b",
        "centralised control lowers the peak error in the plane, both pairs",
        compare(lambda r: float(r.plane.max()), pairs_below(1.0)),
    ),
    Claim(
        "C39",
        "PD and PID are outperformed in all eight indices (peak and RMS of four coordinates)",
        every_index,
    ),
)
"""Every statement that four runs can decide."""
