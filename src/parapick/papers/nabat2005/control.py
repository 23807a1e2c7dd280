"""The closed loop of nabat2005 section V: P/PI joint control of Par4 under falling torque limits, and what comes after.

The document reports an overshoot "partially due to torque limitation" and announces a dynamic control. Gains and limits
are not in the print and are chosen. So is what its 130 m/s2 limit: the plate, or each stroke alone; both can be run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

import numpy as np

from parapick.control import CascadePPI, ComputedTorque, Controller, SensedRates, TaskSpaceID
from parapick.papers.nabat2005.cycles import NabatCycle, nabat2005_cycle
from parapick.robots import load
from parapick.simulation import simulate, summary

if TYPE_CHECKING:
    from parapick.control import ControlLaw
    from parapick.model import Model
    from parapick.simulation import Record

RATE: Final = 2000.0
"""Control rate (Hz)."""

LIMITS: Final = (None, 90.0, 75.0, 60.0, 50.0)
"""Torque limits of the table (N m)."""

SETTLE: Final = 0.15
"""Time (s) the plate is watched at rest after the cycle: an overshoot at the last point comes after its end."""

DWELL: Final = 0.0148
"""Rest (s) at the ends that makes the 10 g cycle last the printed 0.45 s."""

LAWS: Final[dict[str, ControlLaw]] = {
    "ppi": CascadePPI(120.0, 60.0, 3000.0, velocity=SensedRates()),
    "ppi without feedforward": CascadePPI(120.0, 60.0, 3000.0, feedforward=0.0, velocity=SensedRates()),
    "tsid": TaskSpaceID.from_poles(30.0, 0.7),
    "computed-torque": ComputedTorque.from_poles(30.0, 0.7),
}
"""The P/PI loop with the gains of papers/nabat2005, and the dynamic controls announced, with poles at 30 Hz."""


@final
@dataclass(frozen=True)
class Overshoot:
    """How a run ends its strokes.

    Attributes:
        beyond: largest distance in x beyond the ends of the path (m).
        saturated: share of all motor samples whose command exceeds the limit.
        error: largest distance of the plate from where it should be (m).
    """

    beyond: float
    saturated: float
    error: float


def run(law: str, limit: float | None, cycle: NabatCycle = "13G") -> Record:
    """One closed loop of Par4 on the document's cycle.

    Args:
        law: a name of `LAWS`.
        limit: torque limit (N m) at the arm axes; None: no limit.
        cycle: "13G" (0.28 s, 13 g on the plate), "13G per stroke" (0.28 s, 18.7 g on the plate) or "10G" (0.45 s).
    """
    return simulated(load("par4"), law, limit, cycle)


def simulated(par4: Model, law: str, limit: float | None, cycle: NabatCycle, overlap: float | None = None) -> Record:
    """The same with a Par4 of one's own.

    Args:
        law: a name of `LAWS`.
        limit: torque limit (N m) at the arm axes; None: no limit.
        cycle: the cycle.
        overlap: another overlap of the strokes than the printed time asks for.
    """
    motion = nabat2005_cycle(cycle, par4, dwell=DWELL if cycle == "10G" else 0.0, overlap=overlap)
    return simulate(par4, motion, Controller(LAWS[law], rate=RATE, torque_max=limit), settle=SETTLE)


def overshoot(record: Record) -> Overshoot:
    """What a run does beyond the ends of its path.

    Args:
        record: a run on the document's cycle.
    """
    x, wanted = record.x[:, 0], record.x_ref[:, 0]
    beyond = max(float(x.max() - wanted.max()), float(wanted.min() - x.min()))
    moving = record.t <= record.t[-1] - SETTLE
    return Overshoot(beyond, float(np.mean(record.saturated[moving])), summary(record).distance.peak)
