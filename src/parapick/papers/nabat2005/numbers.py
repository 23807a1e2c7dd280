"""What nabat2005 prints, computed: cycle times by law and blending, 13 g in both readings, what it claims."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np

from parapick.answer import Column, Table
from parapick.capability import lattice
from parapick.mechanism import Cylinder
from parapick.model import Model
from parapick.motion import Motion, half_sine, s_curve, trapezoidal
from parapick.papers.nabat2005.control import DWELL, LAWS, LIMITS as TORQUE_LIMITS, overshoot, simulated
from parapick.papers.nabat2005.cycles import NabatCycle, nabat2005_cycle, nabat2005_overlap
from parapick.papers.reproduction import Computed
from parapick.papers.setup import OnDemand, Setup
from parapick.parameters import leaves
from parapick.tasks import AdeptTask

LIMITS: Final = {"2.5 m/s, 100 m/s2": (2.5, 100.0), "3.8 m/s, 130 m/s2": (3.8, 130.0)}
"""Speed (m/s) and acceleration (m/s2) of the two cycles of section V."""

_JERK_TIME: Final = 0.005

HALF: Final[Mapping[str, Any]] = {"overlap": 0.5, "per_stroke": True}
"""Vertical strokes overlapped by half."""

OVERLAPPED: Final = {"the plate": ("13G", False), "each stroke": ("13G per stroke", True)}
"""What 130 m/s2 may limit: the cycle, and whether it is each stroke alone."""

PERCENT: Final = 0.05
"""Share of the peak torque below which "very few consequences" is taken to hold: 5 %."""

CLEAR: Final = 1e-6
"""An internal margin above this has full rank."""


def cycle(name: str, setup: Setup, **changes: Any) -> Motion:
    """One of the two cycles of section V.

    Args:
        name: a name of `LIMITS`.
        setup: robots and numbers.
        changes: fields of the task.
    """
    v_max, a_max = LIMITS[name]
    task = AdeptTask(
        name="nabat2005",
        v_max=setup.number("speed", v_max),
        a_max=setup.number("acceleration", a_max),
        law=trapezoidal(),
        width=setup.number("width", 0.305),
        height=setup.number("height", 0.025),
    )
    return replace(task, **changes).motion()


def overlap(setup: Setup, *, per_stroke: bool) -> float:
    """Overlap of the vertical strokes that the printed 0.28 s asks for.

    Args:
        setup: robots and numbers.
        per_stroke: limits hold for each stroke alone.
    """
    return setup.number("overlap", nabat2005_overlap(per_stroke=per_stroke))


def _overlapped(setup: Setup, name: str) -> Mapping[str, Any]:
    """How strokes overlap in a reading of 130 m/s2, as fields of the task."""
    alone = OVERLAPPED[name][1]
    return {"overlap": overlap(setup, per_stroke=alone), "per_stroke": alone}


def blendings(setup: Setup) -> Mapping[str, Callable[[], Mapping[str, Any]]]:
    """Laws and blendings of the corners that the document does not name, as fields of the task.

    Args:
        setup: robots and numbers.
    """

    def jerky() -> Mapping[str, Any]:
        return {"law": s_curve(setup.number("jerk time", _JERK_TIME))}

    def resting() -> Mapping[str, Any]:
        rest = setup.number("rests", DWELL)
        return {"dwell": (rest, rest)}

    return {
        "trapezoid, stops": dict,
        "trapezoid, 50 %": lambda: HALF,
        "S-curve, stops": jerky,
        "S-curve, 50 %": lambda: {**jerky(), **HALF},
        "half sine, stops": lambda: {"law": half_sine()},
        "half sine, 50 %": lambda: {"law": half_sine(), **HALF},
        "trapezoid, stops and rests": resting,
        **{f"{name}, overlapped": partial(_overlapped, setup, name) for name in OVERLAPPED},
    }


def times(setup: Setup) -> Mapping[str, Mapping[str, float]]:
    """Both cycle times (s) with one law and one blending."""
    ways = blendings(setup)
    return OnDemand(ways, lambda way: {name: cycle(name, setup, **ways[way]()).duration for name in LIMITS})


def plate_acceleration(setup: Setup) -> Mapping[str, Mapping[str, float]]:
    """Largest acceleration of the plate in the faster cycle (g)."""

    def of(name: str) -> Mapping[str, float]:
        samples = cycle("3.8 m/s, 130 m/s2", setup, **_overlapped(setup, name)).sample(20000.0, corners=True)
        return {"acceleration": float(np.linalg.norm(samples.xdd[:, :3], axis=1).max()) / 9.81}

    return OnDemand(OVERLAPPED, of)


def turn(setup: Setup) -> Computed:
    """Range of the tool's rotation (deg) either way, by that of the plate and the ratio of the belt."""
    numbers = dict(leaves(setup.model("par4").robot))
    plate, ratio = numbers["limits.yaw_max"], numbers["plate.yaw_ratio"]
    return {"par4": {"plate": float(np.degrees(plate)), "tool": float(np.degrees(ratio * plate))}}


def internal_margins(model: Model, radius: float, heights: tuple[float, float]) -> np.ndarray:
    """Margin to internal singularities over a cylinder and 45 degrees of yaw either way, of the poses reached.

    Args:
        radius: radius of the cylinder (m).
        heights: its ends (m).
    """
    region = Cylinder(radius, *heights, yaw_min=-np.pi / 4, yaw_max=np.pi / 4)
    margins = model.margins(lattice(model.robot, region, points=(15, 48, 11, 7)).poses()).internal
    return margins[np.isfinite(margins)]


SINGULAR: Final = (-0.5230, 0.51776, -0.34345, 0.602)
"""A pose (m, rad) at which the shipped Par4 is internally singular: forearms 1 and 3 are horizontal."""


HEIGHTS: Final = (-0.75, -0.65)
"""Heights (m) between which the workspace is taken to lie; chosen."""


def singularities(setup: Setup) -> Computed:
    """Section III: whether J_int has full rank, by robot and by how far the workspace reaches."""
    par4, h4 = "Par4 with motors at 90 deg keeps rank 3", "H4 with motors at 90 deg has internal singularities"

    def least(robot: str) -> float:
        low = setup.number("workspace altitude", HEIGHTS[0])
        heights = low, low + HEIGHTS[1] - HEIGHTS[0]
        margins = partial(internal_margins, setup.model(robot), 0.3, heights)
        return setup.once(("internal", robot), lambda: float(margins().min()))

    def of(reading: str) -> Mapping[str, bool]:
        def holds(name: str) -> bool:
            if name == h4:
                return least("h4-90") < CLEAR
            if reading == "cylinder":
                return least("par4") > CLEAR
            return float(setup.model("par4").margins(SINGULAR).internal) > 1e-3

        return OnDemand((par4, h4), holds)

    return OnDemand(("cylinder", "all that is reached"), of)


CYCLES: Final[Mapping[str, NabatCycle]] = {"10G": "10G", "13G, the plate": "13G", "13G, each stroke": "13G per stroke"}


def cycle_torques(
    case: NabatCycle, model: Model, yaw: float = 0.0, overlap: float | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Instants (s) and torques (N m) of Par4 on a cycle.

    Args:
        case: the cycle.
        yaw: yaw of the plate at both ends, either way (rad).
        overlap: another overlap of the strokes than the printed time asks for.
    """
    samples = nabat2005_cycle(case, model, yaw=(-yaw, yaw), overlap=overlap).sample(20000.0, corners=True)
    return samples.t, model.inverse_dynamics(samples.x, samples.xd, samples.xdd)


def simplification(case: NabatCycle, yaw: float, setup: Setup) -> tuple[float, float]:
    """How far the simplified model errs (N m), and its peak torque (N m), on a cycle.

    Args:
        case: the cycle.
        yaw: yaw of the plate at both ends, either way (rad).
        setup: robots and numbers.
    """
    exact, blended = setup.model("par4"), _overlap_of(case, setup)
    simple = cycle_torques(case, exact.with_rod_model("halves"), yaw, blended)[1]
    off = simple - cycle_torques(case, exact.with_rod_model("slender"), yaw, blended)[1]
    return float(np.abs(off).max()), float(np.abs(simple).max())


def _overlap_of(case: NabatCycle, setup: Setup) -> float | None:
    """Overlap of the strokes of a cycle; None for the one that has none."""
    return None if case == "10G" else overlap(setup, per_stroke=case == "13G per stroke")


def simplifications(setup: Setup) -> Computed:
    """Section IV.C: whether the simplified model errs by less than 5 % of the peak torque."""
    ways: dict[str, tuple[NabatCycle, float]] = {
        f"{name}{turned}": (case, yaw) for name, case in CYCLES.items() for turned, yaw in TURNS.items()
    }

    def of(way: str) -> Mapping[str, bool]:
        off, peak = simplification(*ways[way], setup)
        return {"the simplified model errs by less than 5 % of the peak": off < PERCENT * peak}

    return OnDemand(ways, of)


TURNS: Final = {"": 0.0, ", turning": np.pi / 4}
"""Yaw of the plate (rad) at both ends, either way, by what it adds to a reading's name."""

STRAINED: Final = 50.0
"""Torque limit (N m) at which the overshoot is looked at; chosen."""


def overshoots(setup: Setup) -> Computed:
    """Section V: what a falling torque limit does to the overshoot of the P/PI loop, and what a dynamic law does."""
    ways = dict(list(CYCLES.items())[1:])

    def of(way: str) -> Mapping[str, bool]:
        def beyond(law: str, *, limited: bool) -> float:
            setup.uses("gains")
            limit = setup.number("torque limit", STRAINED) if limited else None
            blended = _overlap_of(ways[way], setup)
            make = partial(simulated, setup.model("par4"), law, limit, ways[way], blended)
            return setup.once(("overshoot", way, law, limited), lambda: overshoot(make()).beyond)

        tests: Mapping[str, Callable[[], bool]] = {
            "an overshoot is obtained": lambda: beyond("ppi", limited=False) > 1e-4,
            "it is partially due to the torque limit": lambda: (
                beyond("ppi", limited=True) > beyond("ppi", limited=False)
            ),
            "a dynamic control overshoots less": lambda: beyond("tsid", limited=True) < beyond("ppi", limited=True),
        }
        return OnDemand(tests, lambda name: tests[name]())

    return OnDemand(ways, of)


def overshoot_table(setup: Setup) -> Table:
    """Overshoot by law and torque limit, in both readings of 130 m/s2.

    Args:
        setup: robots and numbers.
    """
    rows = []
    for name, case in list(CYCLES.items())[1:]:
        for law in LAWS:
            runs = [simulated(setup.model("par4"), law, limit, case) for limit in TORQUE_LIMITS]
            rows.append((name, law, *(1e3 * overshoot(record).beyond for record in runs)))
    limits = ["no limit" if limit is None else f"{limit:g} N m" for limit in TORQUE_LIMITS]
    heads = (Column("reading"), Column("law"), *(Column(text, decimals=1) for text in limits))
    return Table("overshoot by limit", "overshoot in x (mm) by torque limit", heads, tuple(rows))


TABLES: Final = (overshoot_table,)
"""Further tables of the document."""

NUMBERS: Final[Mapping[str, Callable[[Setup], Computed]]] = {
    "times": times,
    "acceleration": plate_acceleration,
    "turn": turn,
    "singularities": singularities,
    "simplifications": simplifications,
    "overshoot": overshoots,
}
"""What computes each group of the document's record."""
