"""What nabat2005 prints, computed: cycle times by law and blending, 13 g in both readings, what it claims."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from parapick.answer import Column, Table
from parapick.capability.map_region import lattice
from parapick.mechanism import leaves
from parapick.mechanism.region import Cylinder
from parapick.model import Model
from parapick.motion import Motion, half_sine, s_curve, trapezoidal
from parapick.papers.cycles import NabatCycle, nabat2005_cycle, nabat2005_overlap
from parapick.papers.nabat2005_control import DWELL, LAWS, overshoot, simulated
from parapick.papers.nabat2005_control import LIMITS as TORQUE_LIMITS
from parapick.papers.reproduction import Computed
from parapick.papers.setup import Setup
from parapick.tasks import AdeptTask

LIMITS: Final = {"2.5 m/s, 100 m/s2": (2.5, 100.0), "3.8 m/s, 130 m/s2": (3.8, 130.0)}
"""Speed (m/s) and acceleration (m/s2) of the two cycles of section V."""

_JERK_TIME: Final = 0.005

BLENDINGS: Final[Mapping[str, Mapping[str, Any]]] = {
    "trapezoid, stops": {},
    "trapezoid, 50 %": {"overlap": 0.5, "per_stroke": True},
    "S-curve, stops": {"law": s_curve(_JERK_TIME)},
    "S-curve, 50 %": {"law": s_curve(_JERK_TIME), "overlap": 0.5, "per_stroke": True},
    "half sine, stops": {"law": half_sine()},
    "half sine, 50 %": {"law": half_sine(), "overlap": 0.5, "per_stroke": True},
    "trapezoid, stops and rests": {"dwell": (DWELL, DWELL)},
}
"""Laws and blendings of the corners that the document does not name."""

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


def times(setup: Setup) -> Computed:
    """Both cycle times (s) with one law and one blending."""
    ways = {name: dict(changes) for name, changes in BLENDINGS.items()}
    for name, (_, alone) in OVERLAPPED.items():
        ways[f"{name}, overlapped"] = {"overlap": nabat2005_overlap(per_stroke=alone), "per_stroke": alone}
    return {way: {name: cycle(name, setup, **own).duration for name in LIMITS} for way, own in ways.items()}


def plate_acceleration(setup: Setup) -> Computed:
    """Largest acceleration of the plate in the faster cycle (g)."""
    found = {}
    for name, (_, alone) in OVERLAPPED.items():
        blended = {"overlap": nabat2005_overlap(per_stroke=alone), "per_stroke": alone}
        samples = cycle("3.8 m/s, 130 m/s2", setup, **blended).sample(20000.0, corners=True)
        found[name] = {"acceleration": float(np.linalg.norm(samples.xdd[:, :3], axis=1).max()) / 9.81}
    return found


def turn(setup: Setup) -> Computed:
    """Range of the tool's rotation (deg) either way, by that of the plate and the ratio of the belt."""
    numbers = dict(leaves(setup.model("par4").robot))
    plate, ratio = numbers["limits.yaw_max"], numbers["plate.yaw_ratio"]
    return {"par4": {"plate": float(np.degrees(plate)), "tool": float(np.degrees(ratio * plate))}}


def internal_margins(model: Model, radius: float, heights: tuple[float, float]) -> np.ndarray:
    """Margin to internal singularities over a cylinder and 45 degrees of yaw either way, of the poses reached.

    Args:
        model: the robot.
        radius: radius of the cylinder (m).
        heights: its ends (m).
    """
    region = Cylinder(radius, *heights, yaw_min=-np.pi / 4, yaw_max=np.pi / 4)
    found = model.margins(lattice(model.robot, region, points=(15, 48, 11, 7)).poses()).internal
    return found[np.isfinite(found)]


SINGULAR: Final = (-0.5230, 0.51776, -0.34345, 0.602)
"""A pose (m, rad) at which the shipped Par4 is internally singular: forearms 1 and 3 are horizontal."""


def singularities(setup: Setup) -> Computed:
    """Section III: whether J_int has full rank, by robot and by how far the workspace reaches."""
    par4, h4 = setup.model("par4"), setup.model("h4-90")
    inside = {name: internal_margins(model, 0.3, (-0.75, -0.65)) for name, model in (("par4", par4), ("h4", h4))}
    singular = float(par4.margins(SINGULAR).internal)
    return {
        "cylinder": {
            "Par4 with motors at 90 deg keeps rank 3": bool(inside["par4"].min() > CLEAR),
            "H4 with motors at 90 deg has internal singularities": bool(inside["h4"].min() < CLEAR),
        },
        "all that is reached": {
            "Par4 with motors at 90 deg keeps rank 3": bool(singular > 1e-3),
            "H4 with motors at 90 deg has internal singularities": bool(inside["h4"].min() < CLEAR),
        },
    }


CYCLES: Final[Mapping[str, NabatCycle]] = {"10G": "10G", "13G, the plate": "13G", "13G, each stroke": "13G per stroke"}


def cycle_torques(case: NabatCycle, model: Model, yaw: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Instants (s) and torques (N m) of Par4 on a cycle.

    Args:
        case: the cycle.
        model: the robot.
        yaw: yaw of the plate at both ends, either way (rad).
    """
    samples = nabat2005_cycle(case, model, yaw=(-yaw, yaw)).sample(20000.0, corners=True)
    return samples.t, model.inverse_dynamics(samples.x, samples.xd, samples.xdd)


def simplification(case: NabatCycle, yaw: float, setup: Setup) -> tuple[float, float]:
    """How far the simplified model errs (N m), and its peak torque (N m), on a cycle.

    Args:
        case: the cycle.
        yaw: yaw of the plate at both ends, either way (rad).
        setup: robots and numbers.
    """
    exact = setup.model("par4")
    simple = cycle_torques(case, exact.with_rod_model("halves"), yaw)[1]
    off = simple - cycle_torques(case, exact.with_rod_model("slender"), yaw)[1]
    return float(np.abs(off).max()), float(np.abs(simple).max())


def simplifications(setup: Setup) -> Computed:
    """Section IV.C: whether the simplified model errs by less than 5 % of the peak torque."""
    found = {}
    for name, case in CYCLES.items():
        for turned, yaw in (("", 0.0), (", turning", np.pi / 4)):
            off, peak = simplification(case, yaw, setup)
            found[name + turned] = {"the simplified model errs by less than 5 % of the peak": off < PERCENT * peak}
    return found


def overshoots(setup: Setup) -> Computed:
    """Section V: what a falling torque limit does to the overshoot of the P/PI loop, and what a dynamic law does."""
    found = {}
    for name, case in list(CYCLES.items())[1:]:
        model = setup.model("par4")
        beyond = {
            (law, limit): overshoot(simulated(model, law, limit, case)).beyond
            for law in ("ppi", "tsid")
            for limit in (None, 50.0)
        }
        found[name] = {
            "an overshoot is obtained": beyond["ppi", None] > 1e-4,
            "it is partially due to the torque limit": beyond["ppi", 50.0] > beyond["ppi", None],
            "a dynamic control overshoots less": beyond["tsid", 50.0] < beyond["ppi", 50.0],
        }
    return found


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
"""What computes each group of `nabat2005.toml`."""
