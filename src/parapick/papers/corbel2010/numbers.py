"""What corbel2010 prints, computed: Tables III to VI, the accelerations of Figs. 7 and 8, 100 g by 127 N m."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from parapick.capability import Acceleration, acceleration, lattice
from parapick.mechanism import Cylinder
from parapick.model import Model
from parapick.motion import Motion
from parapick.papers.corbel2010.control import ALTITUDE, LOAD, TORQUE_MAX
from parapick.papers.corbel2010.design import LAM, MASSES, chosen_altitudes, table6
from parapick.papers.corbel2010.lines import corbel2010_lines
from parapick.papers.corbel2010.tables import GRID, RADIUS, SETTINGS, Tables, acceleration_tables, lumped
from parapick.papers.reproduction import Computed
from parapick.papers.setup import OnDemand, Setup

RULES: Final = ("deepest", "best")
"""How the altitude of a design of Table VI is chosen."""

PLANES: Final = (-0.53, -0.48, -0.43)
"""Heights (m) of Figs. 7 and 8."""

MOVED: Final = {"0.45 kg": (0.45, 0.0), "(26), loaded": (None, LOAD), "(26), empty": (None, 0.0)}
"""What moves with the plate (kg; None: (26) of the document) and what it carries beside that."""

FREE_ALTITUDES: Final = np.arange(-0.58, -0.30, 0.01)
"""Altitudes (m) at which row 1 is looked at without limits of its joints."""


def _tables(setting: str, setup: Setup) -> Tables:
    return setup.once(("tables", setting), lambda: acceleration_tables(setting, setup))


def _gains(name: str) -> Callable[[Setup], Computed]:
    """A table of ranges over the cylinder, in all settings."""

    def computed(setup: Setup) -> Computed:
        def ends(setting: str) -> Mapping[str, float]:
            ranges = getattr(_tables(setting, setup), name)
            return {f"{key} {end}": getattr(ends, field) for key, ends in ranges.items() for end, field in _ENDS}

        return OnDemand(SETTINGS, ends)

    return computed


_ENDS: Final = (("min", "low"), ("max", "high"))


def _altitudes(setup: Setup, mass: str, rule: str) -> Mapping[tuple[float, ...], tuple[float, float]]:
    """Altitude (m) and torque (N m) of the designs of Table VI, by a rule of `RULES`."""
    if rule == "deepest":
        setup.uses("deepest altitude")
    return chosen_altitudes(table6(mass, setup), rule)


def torques(setup: Setup) -> Mapping[str, Mapping[str, float | None]]:
    """Table VI: torque (N m) of 27 designs by what moves with the plate and how the altitude is chosen."""
    ways = {f"{mass}, {rule}": (mass, rule) for mass in MASSES for rule in RULES}

    def of(way: str) -> Mapping[str, float | None]:
        chosen = _altitudes(setup, *ways[way])
        return {design_name(key): chosen[key][1] if key in chosen else None for key in designs()}

    return OnDemand(ways, lambda way: setup.once(("torques", way), lambda: of(way)))


def designs() -> list[tuple[float, float, float]]:
    """The designs of Table VI in its order: r_b, l, L (m)."""
    return [(r_b, arm, rod) for r_b in (0.12, 0.16, 0.2) for arm in (0.2, 0.225, 0.25) for rod in (0.5, 0.55, 0.6)]


def design_name(key: tuple[float, ...]) -> str:
    """A design as the print names it, in millimetres.

    Args:
        key: r_b, l and L (m).
    """
    return " / ".join(f"{1e3 * length:.0f}" for length in key)


def line_torques(model: Model, altitude: float, setup: Setup, sharing: str = "least-norm") -> list[np.ndarray]:
    """Torques (T, n) along each of the four lines.

    Args:
        altitude: height of the lines (m).
        setup: robots and numbers.
        sharing: how the motors share.
    """
    lines = _lines(altitude, setup.number("acceleration", 100 * STANDARD), setup)
    samples = [line.sample(20000.0, corners=True) for line in lines]
    return [model.inverse_dynamics(line.x, line.xd, line.xdd, sharing=sharing) for line in samples]


def _lines(altitude: float, a_max: float, setup: Setup) -> tuple[Motion, ...]:
    """The four lines at a height (m) and with an acceleration (m/s2)."""
    setup.uses("places of the lines")
    lam, v_max = setup.number("ramp share", LAM), setup.number("speed", 11.0)
    return corbel2010_lines(altitude, lam=lam, a_max=a_max, v_max=v_max)


STANDARD: Final = 9.81
"""The document's g (m/s2): its robots ship with it."""


def best_robot(moved: str, setup: Setup) -> Model:
    """The robot of row 1 of Table VI with the document's masses.

    Args:
        moved: a name of `MOVED`.
        setup: robots and numbers.
    """
    mass, load = MOVED[moved]
    robot = setup.model("r4-100g")
    if load:
        robot = robot.with_payload(setup.number("load", load))
    return lumped(robot, None if mass is None else setup.number("moved mass", mass))


def free_torques(setup: Setup) -> tuple[np.ndarray, np.ndarray]:
    """Largest torque (N m) of row 1 with 0.45 kg by altitude (m), without limits of its joints.

    Args:
        setup: robots and numbers.
    """

    def searched() -> tuple[np.ndarray, np.ndarray]:
        robot = best_robot("0.45 kg", setup)
        peaks = [max(np.abs(torque).max() for torque in line_torques(robot, z, setup)) for z in FREE_ALTITUDES.tolist()]
        return FREE_ALTITUDES, np.array(peaks)

    return setup.once("free torques", searched)


def altitude(setup: Setup) -> Computed:
    """Altitude (m) of row 1 of Table VI, by what may be meant with it."""

    def of(reading: str) -> Mapping[str, float | None]:
        if reading in RULES:
            return {"altitude": _altitudes(setup, "0.45 kg", reading).get(designs()[0], (None, None))[0]}
        heights, peaks = free_torques(setup)
        return {"altitude": float(heights[np.argmin(peaks)])}

    return OnDemand((*RULES, "best, any joint angle"), of)


def best_accelerations(moved: str, setup: Setup) -> Acceleration:
    """Accelerations of row 1 over the three planes of Figs. 7 and 8.

    Args:
        moved: a name of `MOVED`.
        setup: robots and numbers.
    """

    def computed() -> Acceleration:
        model = best_robot(moved, setup)
        cylinder = Cylinder(setup.number("cylinder radius", RADIUS), PLANES[0], PLANES[-1])
        return acceleration(model, lattice(model.robot, cylinder, points=(*GRID, len(PLANES))).poses())

    return setup.once(("accelerations", moved), computed)


def accelerations(setup: Setup) -> Mapping[str, Mapping[str, float]]:
    """Section V.C: smallest and largest acceleration (m/s2) in any and in the best direction."""

    def of(moved: str) -> Mapping[str, float]:
        reached = best_accelerations(moved, setup)
        return {
            "any direction, min": float(reached.min_max.min()),
            "any direction, max": float(reached.min_max.max()),
            "best direction, min": float(reached.max.min()),
            "best direction, max": float(reached.max.max()),
        }

    return OnDemand(MOVED, of)


PRINTED_SPREAD: Final = {"any direction": (914.0, 1166.0), "best direction": (1470.0, 1692.0)}
"""Smallest and largest acceleration (m/s2) as section V.C prints them."""


def spread(setup: Setup) -> Computed:
    """Section V.C: how much smaller (%) the smallest acceleration is than the largest."""

    def of(reading: str) -> Mapping[str, float]:
        if reading not in MOVED:
            return {name: _smaller(*ends) for name, ends in PRINTED_SPREAD.items()}
        values = accelerations(setup)[reading]
        return {name: _smaller(values[f"{name}, min"], values[f"{name}, max"]) for name in PRINTED_SPREAD}

    return OnDemand(("the printed numbers", *MOVED), of)


def _smaller(low: float, high: float) -> float:
    return 100.0 * (1.0 - low / high)


def statements(setup: Setup) -> Computed:
    """Sections IV and V in words, as far as they are statements on the tables."""

    def of(setting: str) -> Mapping[str, bool]:
        tables = _tables(setting, setup)
        gain, most, ratio = tables.min_max, tables.max, tables.ratio
        return {
            "R4 accelerates more than NR in any direction": gain["NR/R4"].low > 0,
            "R6 has the best min-max acceleration": gain["NR/R6"].low > 0 and gain["R4/R6"].low > 0,
            "R6 is the worst in the best direction": most["NR/R6"].high < 0 and most["R4/R6"].high < 0,
            "ratios of R4 and R6 are closer to 1 than NR's": max(ratio["R4"].high, ratio["R6"].high) < ratio["NR"].high,
            "R6 is the most even": ratio["R6"].high < min(ratio["R4"].high, ratio["NR"].high),
        }

    return OnDemand(SETTINGS, of)


def trends(setup: Setup) -> Computed:
    """Section V.B: whether the torque grows with each of the three lengths, between neighbours of Table VI."""
    by_reading = torques(setup)

    def of(way: str) -> Mapping[str, bool]:
        values = by_reading[way]
        known = {key: values[design_name(key)] for key in designs()}
        return {
            name: all(
                float(known[large] or 0.0) > float(known[small] or 0.0)
                for small in known
                for large in known
                if known[small] is not None and known[large] is not None and small[place] < large[place]
                if all(small[k] == large[k] for k in range(3) if k != place)
            )
            for place, name in enumerate(("a larger r_b", "a longer arm l", "a longer forearm L"))
        }

    return OnDemand(by_reading, of)


def hundred_g(setup: Setup) -> Mapping[str, Mapping[str, float]]:
    """Section V: peak torque (N m) at 100 g on the four lines at -0.53 m, and g that 127 N m give there."""
    ways = {moved: (moved, "least-norm") for moved in MOVED}
    ways |= {f"{moved}, least peak": (moved, "least-peak") for moved in MOVED}

    def of(way: str) -> Mapping[str, float]:
        moved, sharing = ways[way]
        return {"acceleration": reached_g(best_robot(moved, setup), sharing, setup)}

    return OnDemand(ways, of)


def reached_g(model: Model, sharing: str, setup: Setup) -> float:
    """Acceleration (g) of the four lines that 127 N m give, their speed as it is.

    Args:
        sharing: how the motors share.
        setup: robots and numbers.
    """
    from scipy.optimize import root_scalar

    torque_max = setup.number("drive.peak_torque", TORQUE_MAX)

    def excess(g: float) -> float:
        samples = [line.sample(8000.0, corners=True) for line in _lines(ALTITUDE, g * STANDARD, setup)]
        peaks = [np.abs(model.inverse_dynamics(s.x, s.xd, s.xdd, sharing=sharing)).max() for s in samples]
        return max(peaks) - torque_max

    return float(root_scalar(excess, bracket=(45.0, 200.0), xtol=1e-2).root)


def motion(setup: Setup) -> Computed:
    """Section V.A: largest acceleration (g) and speed (m/s) of the lines."""
    lines = _lines(ALTITUDE, setup.number("acceleration", 100 * STANDARD), setup)
    samples = [line.sample(20000.0, corners=True) for line in lines]
    peak = max(float(np.linalg.norm(line.xdd, axis=1).max()) for line in samples)
    return {
        "the lines": {
            "acceleration": peak / STANDARD,
            "speed": max(float(np.linalg.norm(line.xd, axis=1).max()) for line in samples),
        }
    }


NUMBERS: Final[Mapping[str, Callable[[Setup], Computed]]] = {
    "motion": motion,
    "table3": _gains("min_max"),
    "table4": _gains("max"),
    "table5": _gains("ratio"),
    "statements": statements,
    "table6": torques,
    "trends": trends,
    "altitude": altitude,
    "accelerations": accelerations,
    "spread": spread,
    "hundred": hundred_g,
}
"""What computes each group of the document's record."""
