"""What righettini2024 states, computed: its cycle, its saturations, 53 statements on four controllers by reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from typing import Final

import numpy as np

from parapick.answer import Column, Table
from parapick.papers.captions import counted, span
from parapick.papers.cycles import righettini2024_cycle
from parapick.papers.reproduction import Computed
from parapick.papers.righettini2024_claims import CLAIMS, judged
from parapick.papers.righettini2024_control import LoopConditions, four_runs
from parapick.papers.righettini2024_judges import EVENT_WIDTH, EVENTS, Runs
from parapick.papers.righettini2024_measures import ORDER
from parapick.papers.setup import Setup

READINGS: Final = {
    "rated": LoopConditions("rated"),
    "peak": LoopConditions("peak"),
    "rated, no friction": LoopConditions("rated", 0.0),
    "peak, no friction": LoopConditions("peak", 0.0),
    "rated, twice the integral": LoopConditions("rated", integral=2.0),
    "rated, model exact": LoopConditions("rated", mismatch=0.0),
}
"""Readings of the torque limit, and of what the document does not give."""

GRID: Final = tuple(
    LoopConditions(limit, friction, integral, mismatch)
    for limit, friction, integral, mismatch in product(
        ("rated", "peak"), (0.0, 0.25, 0.5, 1.0, 1.5, 2.0), (0.5, 1.0, 2.0), (0.0, 1.0)
    )
)
"""Settings over which the share is taken in which a statement holds: 36 for each limit."""


def four(setup: Setup, conditions: LoopConditions) -> Runs:
    """The four loops under some conditions.

    Args:
        setup: robots and numbers.
        conditions: the conditions.
    """
    return setup.once(("four", conditions), lambda: four_runs(setup.model("fivebar-spindle"), conditions))


def answers(setup: Setup, conditions: LoopConditions) -> Mapping[str, bool]:
    """Which statements hold under some conditions.

    Args:
        setup: robots and numbers.
        conditions: the conditions.
    """

    def made() -> Mapping[str, bool]:
        return {key: own.holds for key, own in judged(four(setup, conditions)).items()}

    return setup.once(("answers", conditions), made)


def cycle(_: Setup) -> Computed:
    """Section 2.3: duration (s), speed (m/s) and acceleration (m/s2) of the work cycle."""
    motion = righettini2024_cycle()
    samples = motion.sample(40000.0, corners=True)
    speed, acceleration = (float(np.linalg.norm(own[:, :2], axis=1).max()) for own in (samples.xd, samples.xdd))
    return {"chosen": {"duration": motion.duration, "speed": speed, "acceleration": acceleration}}


def saturations(setup: Setup) -> Computed:
    """Section 3: middle (s) of the saturations of the arms near the two instants, mean of the four controllers."""
    found = {}
    for reading in ("rated", "peak"):
        runs = four(setup, READINGS[reading])
        found[reading] = {
            name: _middle(runs, instant, axis - 1)
            for name, (instant, axis) in zip(("first", "second"), EVENTS, strict=True)
        }
    return found


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
    return {reading: dict(answers(setup, conditions)) for reading, conditions in READINGS.items()}


def shares(setup: Setup) -> Mapping[str, Mapping[str, float]]:
    """Share of the grid in which every statement holds, by limit and key.

    Args:
        setup: robots and numbers.
    """

    def made() -> Mapping[str, Mapping[str, float]]:
        found = {}
        for limit in ("rated", "peak"):
            held = [
                {key: own.holds for key, own in judged(four_runs(setup.model("fivebar-spindle"), one)).items()}
                for one in GRID
                if one.limit == limit
            ]
            found[limit] = {claim.key: float(np.mean([own[claim.key] for own in held])) for claim in CLAIMS}
        return found

    return setup.once("shares", made)


def statement_table(setup: Setup) -> Table:
    """The statements with their words, what was compared, and the share of the grid in which each holds.

    Args:
        setup: robots and numbers.
    """
    held = {limit: judged(four(setup, READINGS[limit])) for limit in ("rated", "peak")}
    share = shares(setup)
    rows = tuple(
        (
            claim.key,
            held["rated"][claim.key].holds,
            held["peak"][claim.key].holds,
            *(100.0 * share[limit][claim.key] for limit in ("rated", "peak")),
            claim.text,
            ", ".join(f"{number:.3g}" for number in held["rated"][claim.key].numbers[:4]),
        )
        for claim in CLAIMS
    )
    heads = (
        *(Column("key"), Column("rated"), Column("peak")),
        *(Column(f"share, {limit}", decimals=0) for limit in ("rated", "peak")),
        *(Column("statement"), Column("PD, TSID, PID, TSIID (SI)")),
    )
    settings = sum(one.limit == "rated" for one in GRID)
    frictions, integrals = (span([getattr(one, name) for one in GRID], 1) for name in ("friction", "integral"))
    note = (
        f"shares: per cent of {settings} settings of friction ({frictions} times that chosen), integral gains "
        f"({integrals} times) and plant (the model's masses, or others) in which a statement holds, for each torque "
        "limit"
    )
    title = f"the {len(CLAIMS)} statements: what was compared with the rated limit, and in how many settings each holds"
    return Table("shares", title, heads, rows, note, printed=0)


def size_table(setup: Setup) -> Table:
    """Peak and RMS of the errors of the four controllers, with the rated limit.

    Args:
        setup: robots and numbers.
    """
    runs, names = four(setup, READINGS["rated"]), ("x", "y", "z", "yaw")
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
        "controllers", f"errors of the {counted(len(ORDER), 'controllers')}, rated limit", (Column("law"), *heads), rows
    )


TABLES: Final = (size_table, statement_table)
"""Further tables of the document."""

NUMBERS: Final[Mapping[str, Callable[[Setup], Computed]]] = {
    "cycle": cycle,
    "saturations": saturations,
    "statements": statements,
}
"""What computes each group of `righettini2024.toml`."""
