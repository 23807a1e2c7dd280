"""What righettini2024 states, computed: its cycle, its saturations, 53 statements on four controllers by reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import groupby, product
from typing import Final

import numpy as np

from parapick.answer import Column, Table
from parapick.motion import Motion
from parapick.papers.captions import counted, span
from parapick.papers.reproduction import Computed
from parapick.papers.righettini2024.claims import CLAIMS, claim_outcomes
from parapick.papers.righettini2024.comparisons import EVENT_WIDTH, EVENTS, Runs
from parapick.papers.righettini2024.control import LoopConditions, four_runs
from parapick.papers.righettini2024.cycle import righettini2024_cycle
from parapick.papers.righettini2024.cycle_run import ORDER, CycleRun
from parapick.papers.setup import OnDemand, Setup

LIMITS: Final = ("peak", "rated")
"""Torque limits: the maximal torque that section 2.3 speaks of, and the other reading of Table 2."""

READINGS: Final = {
    "peak": LoopConditions("peak"),
    "rated": LoopConditions("rated"),
    "peak, no friction": LoopConditions("peak", 0.0),
    "rated, no friction": LoopConditions("rated", 0.0),
    "peak, twice the integral": LoopConditions("peak", integral=2.0),
    "peak, model exact": LoopConditions("peak", mismatch=0.0),
}
"""Readings of the torque limit, and of what the document does not give."""

GRID: Final = tuple(
    LoopConditions(limit, friction, integral, mismatch)
    for limit, friction, mismatch, integral in product(
        LIMITS, (0.0, 0.25, 0.5, 1.0, 1.5, 2.0), (0.0, 1.0), (0.5, 1.0, 2.0)
    )
)
"""Settings over which the share is taken in which a statement holds: 36 for each limit. Those that differ in the
integral gains only stand side by side."""


def path(setup: Setup) -> Motion:
    """The work cycle.

    Args:
        setup: robots and numbers.
    """
    return righettini2024_cycle(setup.number("path", 1.0))


def loop_runs(setup: Setup, conditions: LoopConditions) -> Runs:
    """The four loops under some conditions, each simulated when it is asked for.

    Args:
        setup: robots and numbers.
    """
    return OnDemand(ORDER, lambda name: setup.once(("run", conditions, name), lambda: _run(setup, conditions, name)))


def _run(setup: Setup, conditions: LoopConditions, name: str) -> CycleRun:
    """One of the loops."""
    if conditions.limit == "rated":
        setup.uses("rated limit")
    if conditions.friction:
        conditions = replace(conditions, friction=setup.number("friction", conditions.friction))
    if name in INTEGRAL:
        conditions = replace(conditions, integral=setup.number("integral gains", conditions.integral))
    model, cycle = setup.model("fivebar-spindle"), path(setup)
    return replace(four_runs(model, conditions, (name,), cycle)[name], setup=setup)


INTEGRAL: Final = ("pid", "tsiid")
"""Controllers with integral gains."""


def answers(setup: Setup, conditions: LoopConditions) -> Mapping[str, bool]:
    """Which statements hold under some conditions, each judged when it is asked for.

    Args:
        setup: robots and numbers.
    """
    outcomes = claim_outcomes(loop_runs(setup, conditions))
    return OnDemand(
        (claim.key for claim in CLAIMS),
        lambda key: setup.once(("answer", conditions, key), lambda: outcomes[key].holds),
    )


def cycle(setup: Setup) -> Computed:
    """Section 2.3: duration (s), speed (m/s) and acceleration (m/s2) of the work cycle."""
    motion = path(setup)
    samples = motion.sample(40000.0, corners=True)
    speed, acceleration = (float(np.linalg.norm(rate[:, :2], axis=1).max()) for rate in (samples.xd, samples.xdd))
    return {"chosen": {"duration": motion.duration, "speed": speed, "acceleration": acceleration}}


def saturations(setup: Setup) -> Computed:
    """Section 3: middle (s) of the saturations of the arms near the two instants, mean of the four controllers."""

    def of(reading: str) -> Mapping[str, float | None]:
        runs, events = loop_runs(setup, READINGS[reading]), dict(zip(("first", "second"), EVENTS, strict=True))
        return {name: _middle(runs, instant, axis - 1) for name, (instant, axis) in events.items()}

    return OnDemand(LIMITS, of)


def _middle(runs: Runs, instant: float, axis: int) -> float | None:
    middles = []
    for name in ORDER:
        run = runs[name]
        hit = run.t[run.saturated[:, axis] & (np.abs(run.t - instant) < EVENT_WIDTH)]
        if not len(hit):
            return None
        middles.append(float(hit.min() + hit.max()) / 2.0)
    return float(np.mean(middles))


def statements(setup: Setup) -> Computed:
    """Sections 3 and 4: every statement that four runs can judge."""
    return OnDemand(READINGS, lambda reading: answers(setup, READINGS[reading]))


def shares(setup: Setup) -> Mapping[str, Mapping[str, float]]:
    """Share of the grid in which every statement holds, by limit and key.

    Args:
        setup: robots and numbers.
    """
    return setup.once("shares", lambda: {limit: _shares(setup, limit) for limit in LIMITS})


def _shares(setup: Setup, limit: str) -> Mapping[str, float]:
    """Share of the settings with a torque limit in which every statement holds, by key."""
    model, others = setup.model("fivebar-spindle"), tuple(name for name in ORDER if name not in INTEGRAL)
    # One motion, which keeps its samples for all of its runs.
    holds, motion = [], righettini2024_cycle()
    for plain, settings in groupby(
        (entry for entry in GRID if entry.limit == limit), lambda entry: replace(entry, integral=1.0)
    ):
        same = four_runs(model, plain, others, motion)
        for conditions in settings:
            outcomes = claim_outcomes(same | four_runs(model, conditions, INTEGRAL, motion))
            # Only what holds is kept: the runs of all settings together are large.
            holds.append([outcomes[claim.key].holds for claim in CLAIMS])
    return dict(zip((claim.key for claim in CLAIMS), np.mean(holds, axis=0).tolist(), strict=True))


def statement_table(setup: Setup) -> Table:
    """The statements with their words, what was compared, and the share of the grid in which each holds.

    Args:
        setup: robots and numbers.
    """
    outcomes = claim_outcomes(loop_runs(setup, READINGS["peak"]))
    share = shares(setup)
    rows = tuple(
        (
            claim.key,
            *(answers(setup, READINGS[limit])[claim.key] for limit in LIMITS),
            *(100.0 * share[limit][claim.key] for limit in LIMITS),
            claim.text,
            ", ".join(f"{number:.3g}" for number in outcomes[claim.key].numbers[:4]),
        )
        for claim in CLAIMS
    )
    heads = (
        *map(Column, ("key", *LIMITS)),
        *(Column(f"share, {limit}", decimals=0) for limit in LIMITS),
        *(Column("statement"), Column("PD, TSID, PID, TSIID (SI)")),
    )
    settings = sum(conditions.limit == "rated" for conditions in GRID)
    frictions, integrals = (
        span([getattr(conditions, name) for conditions in GRID], 1) for name in ("friction", "integral")
    )
    note = (
        f"shares: per cent of {settings} settings of friction ({frictions} times that chosen), integral gains "
        f"({integrals} times) and plant (the model's masses, or others) in which a statement holds, for each torque "
        "limit"
    )
    title = f"the {len(CLAIMS)} statements: what was compared with the peak limit, and in how many settings each holds"
    return Table("shares", title, heads, rows, note, printed=0)


def size_table(setup: Setup) -> Table:
    """Peak and RMS of the errors of the four controllers, with the peak limit.

    Args:
        setup: robots and numbers.
    """
    runs, names = loop_runs(setup, READINGS["peak"]), ("x", "y", "z", "yaw")
    rows = tuple(
        (name, *(size for k in range(4) for size in (1e3 * runs[name].peak(k), 1e3 * runs[name].size(k))))
        for name in ORDER
    )
    units = ("mm", "mm", "mm", "mrad")
    heads = [
        Column(f"{name} {kind} ({unit})", decimals=3)
        for name, unit in zip(names, units, strict=True)
        for kind in ("peak", "RMS")
    ]
    return Table(
        "controllers", f"errors of the {counted(len(ORDER), 'controllers')}, peak limit", (Column("law"), *heads), rows
    )


TABLES: Final = (size_table, statement_table)
"""Further tables of the document."""

TEXTS: Final = {"statements": {claim.key: claim.text for claim in CLAIMS}}
"""What the numbers of a group are, by group and name, where a name is a mere number."""

NUMBERS: Final[Mapping[str, Callable[[Setup], Computed]]] = {
    "cycle": cycle,
    "saturations": saturations,
    "statements": statements,
}
"""What computes each group of the document's record."""
