"""The numbers of the evidence of corbel2010's errata, computed: misprints against the model, and other readings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from parapick.papers.corbel2010 import formulas
from parapick.papers.corbel2010.numbers import (
    accelerations,
    altitude,
    best_robot,
    designs,
    free_torques,
    hundred_g,
    line_torques,
    torques,
)
from parapick.papers.corbel2010.tables import PRINTED, Setting, Tables, acceleration_tables
from parapick.papers.documents import document
from parapick.papers.setup import Setup
from parapick.papers.stated_number import StatedNumber, Value

Numbers = Mapping[str, Value]


def arcsine_of_9(setup: Setup) -> Numbers:
    """The arcsine of (9) near straight down."""
    x, q = formulas.near_straight_down()
    B = formulas.plate_points(x, 4)
    d, h = formulas.elbow(B)
    printed = formulas.printed_angle(d, h)[:, 0]
    model = setup.model("delta-r4").inverse_kinematics(x)
    wrong = formulas.turned(printed, q)
    return {
        "poses": float(len(x)),
        "right": float(np.abs(model[:, 0] - q).max()),
        "closed": float(np.abs(formulas.rod_error_of_angle(B, model)).max()),
        "wrong": float(np.nanmax(wrong)),
        "open": float(np.nanmax(np.abs(formulas.rod_error_of_angle(B, formulas.printed_angle(d, h))[:, 0]))),
        "lost": float(np.isnan(printed).sum()),
    }


def frame_of_10_to_16(setup: Setup) -> Numbers:
    """The frame of (10) to (16)."""
    x = formulas.cylinder(-0.95, -0.70)
    B = formulas.plate_points(x, 4)
    error = 1e3 * np.abs(formulas.rod_error(B, *formulas.elbow(B, origin=formulas.R_B)))
    closed = formulas.rod_error_of_angle(B, setup.model("delta-r4").inverse_kinematics(x))
    return {
        "least": float(np.nanmin(error)),
        "most": float(np.nanmax(error)),
        "unsolved": float(100 * np.isnan(error).mean()),
        "closed": float(np.abs(closed).max()),
    }


def power_in_13(setup: Setup) -> Numbers:
    """The power in (13)."""
    deep, x = formulas.cylinder(-0.95, -0.95, levels=1), formulas.cylinder(-0.95, -0.65)
    B = formulas.plate_points(deep, 4)
    error = 1e3 * np.abs(formulas.rod_error(B, *formulas.elbow(B, b_power=1)))
    d, h = formulas.elbow(formulas.plate_points(x, 4), b_power=1)
    off = formulas.turned(formulas.angle(d, h), setup.model("delta-r4").inverse_kinematics(x))
    height = -float(np.sqrt(formulas.ROD**2 - formulas.R_TP**2))
    B0 = formulas.plate_points(np.array([0.0, 0.0, height]), 4)
    return {
        "off": float(off.min()),
        "least": float(error.min()),
        "most": float(error.max()),
        "height": height,
        "vanishes": float(np.abs(formulas.rod_error(B0, *formulas.elbow(B0, b_power=1))).max()),
        "closed": float(np.abs(formulas.rod_error(B, *formulas.elbow(B))).max()),
    }


def sign_in_30(setup: Setup) -> Numbers:
    """The sign of the first term of (30)."""
    x, rng = formulas.cylinder(-0.75, -0.65, levels=3), np.random.default_rng(30)
    worst, right = [], []
    for name, n in formulas.ROBOTS.items():
        largest = np.zeros(len(x))
        for xd in rng.normal(size=(60, *x.shape)):
            rate = setup.model(name).inverse_jacobian_rate(x, xd)
            scale = np.linalg.norm(rate, axis=(1, 2))
            ways = [formulas.jacobian_rate(x, xd, n, sign) - rate for sign in (1.0, -1.0)]
            printed, corrected = (np.linalg.norm(way, axis=(1, 2)) / scale for way in ways)
            largest = np.maximum(largest, printed)
            right.append(float(corrected.max()))
        worst.append(largest)
    share = 100 * np.concatenate(worst)
    return {
        "right": max(right),
        "least": float(share.min()),
        "most": float(share.max()),
        "median": float(np.median(share)),
    }


def _apart(tables: Tables) -> tuple[float, ...]:
    """Largest distances of a column from the print: Tables III, IV and V."""
    pairs = [(getattr(tables, name), getattr(PRINTED, name)) for name in ("min_max", "max", "ratio")]
    return tuple(
        max(abs(a - b) for key in ranges for a, b in zip(ranges[key], printed[key], strict=True))
        for ranges, printed in pairs
    )


def moved_mass_of_tables_3_to_5(setup: Setup) -> Numbers:
    """What moves in Tables III to V."""
    stated_, near = (acceleration_tables(name, setup) for name in ("as stated", "nearest"))
    first, last = _apart(stated_), _apart(near)
    return {
        "iii": first[0],
        "iv": first[1],
        "v": first[2],
        "r6": stated_.max["NR/R6"].high,
        "iii_near": last[0],
        "iv_near": last[1],
        "v_near": last[2],
    }


def cylinder_height_of_tables_3_to_5(setup: Setup) -> Numbers:
    """The height of the cylinder of Tables III to V."""
    gains = acceleration_tables("nearest", setup).min_max
    # The same mass in a cylinder as high as printed, at every altitude: how near Table III comes.
    low = [acceleration_tables(Setting(0.45, z, z + 0.1, 6), setup) for z in np.arange(-0.98, -0.60, 0.02).tolist()]
    near = min(_apart(tables)[0] for tables in low)
    keys = {"a": "NR/R4", "b": "NR/R6", "c": "R4/R6"}
    ends = {f"{name}_{end}": getattr(gains[key], end) for name, key in keys.items() for end in ("low", "high")}
    return {**ends, "apart": near}


def gain_of_r6_over_r4(setup: Setup) -> Numbers:
    """The gain of R6 over R4."""
    gain = acceleration_tables("nearest", setup).min_max["R4/R6"]
    return {"low": gain.low, "high": gain.high}


def pairs_of_table_4(setup: Setup) -> Numbers:
    """The two pairs of Table IV."""
    gains = acceleration_tables("nearest", setup).max
    names = {"a": "NR/R6", "b": "R4/R6"}
    return {f"{name}_{end}": getattr(gains[key], end) for name, key in names.items() for end in ("low", "high")}


def moved_mass_of_table_6(setup: Setup) -> Numbers:
    """What moves in Table VI, and which share of the forearms fits it best."""
    by_reading = torques(setup)
    off = {}
    printed = {name: number.low for name, number in _table6().items()}
    for reading in ("0.45 kg, deepest", "(26), deepest"):
        pairs = [(by_reading[reading][name], value) for name, value in printed.items()]
        off[reading] = 100 * np.array([float(value or np.nan) / number - 1 for value, number in pairs])
    light, heavy = off.values()
    return {
        "light": by_reading["0.45 kg, deepest"]["120 / 200 / 500"],
        "heavy": by_reading["(26), deepest"]["120 / 200 / 500"],
        "light_rms": float(np.sqrt(np.mean(light**2))),
        "light_most": float(np.abs(light).max()),
        "heavy_rms": float(np.sqrt(np.mean(heavy**2))),
        "share": forearm_share(setup),
    }


def _table6() -> Mapping[str, StatedNumber]:
    """The torques of Table VI, read, without its dashes."""
    group = document("corbel2010").group("table6")
    return {name: number for name, number in group.printed_numbers.items() if number.numeric}


def forearm_share(setup: Setup) -> float:
    """Share y of the forearms' mass on the plate, m = 0.45 kg + y n m_f, at which Table VI is met best; (26) has 0.5.

    Torques are linear in what moves with the plate, so two computations give them for every share.

    Args:
        setup: robots and numbers.
    """
    by_reading, printed = torques(setup), _table6()
    light, heavy = (
        np.array([float(by_reading[r][n] or 0.0) for n in printed]) for r in ("0.45 kg, deepest", "(26), deepest")
    )
    wanted = np.array([number.low for number in printed.values()])
    slope = (heavy - light) / 0.5 / wanted
    return float(np.sum(slope * (1 - light / wanted)) / np.sum(slope**2))


def dashes_of_table_6(setup: Setup) -> Numbers:
    """The dashes of Table VI."""
    reached, in_range = set(), set()
    for key in designs():
        numbers = dict(zip(("base.radius", "limb.arm", "limb.rod_length"), key, strict=True))
        model = setup.model("delta-r4").with_parameters({**numbers, "plate.radius": 0.05, "home.3": -0.45})
        for bottom in np.arange(-0.75, -0.30, 0.01).tolist():
            q = np.degrees(model.inverse_kinematics(formulas.cylinder(bottom, bottom + 0.1)))
            if not np.isnan(q).any():
                reached.add(key)
                if q.min() >= -90 and q.max() <= 25:
                    in_range.add(key)
    least = torques(setup)["0.45 kg, deepest"]
    group = document("corbel2010").group("table6")
    right = sum((least[name] is None) == (text == "-") for name, text in group.printed.items())
    return {"reached": float(len(reached)), "in_range": float(len(in_range)), "right": float(right)}


def altitude_of_row_1(setup: Setup) -> Numbers:
    """The altitude of row 1."""
    heights, peaks = free_torques(setup)
    at = {round(100 * float(z)): float(peak) for z, peak in zip(heights, peaks, strict=True)}
    base, arm, rod = designs()[0]
    best = altitude(setup)["best, any joint angle"]["altitude"]
    deepest = arm + float(np.sqrt(rod**2 - (base - 0.05 + 0.3) ** 2))
    return {f"t{-z}": at[z] for z in (-54, -53, -48, -40, -36)} | {"best": best, "deepest": deepest}


def designs_apart_in_one_length(_: Setup) -> Numbers:
    """Pairs of designs of Table VI that differ in one length."""
    group = document("corbel2010").group("table6")
    numbers = zip(designs(), group.printed_numbers.values(), strict=True)
    known = {key: number.low for key, number in numbers if number.numeric}
    counts: dict[str, float] = {}
    for place, name in enumerate(("base", "arm", "rod")):
        steps = [
            known[large] - known[small]
            for small in known
            for large in known
            if small[place] < large[place] and all(small[k] == large[k] for k in range(3) if k != place)
        ]
        counts[name] = float(len(steps))
        counts[f"{name}_up"] = float(sum(step > 0 for step in steps))
    return counts


def accelerations_of_section_5c(setup: Setup) -> Numbers:
    """The accelerations of section V.C."""
    by_reading = accelerations(setup)
    names = {"any_low": "any direction, min", "any_high": "any direction, max"}
    names |= {"best_low": "best direction, min", "best_high": "best direction, max"}
    readings = {"": "0.45 kg", "loaded_": "(26), loaded", "empty_": "(26), empty"}
    return {f"{prefix}{short}": by_reading[r][name] for prefix, r in readings.items() for short, name in names.items()}


def drop_of_least_acceleration(_: Setup) -> Numbers:
    """How much smaller the lowest acceleration is."""
    return {"share": 100 * (1 - 914 / 1166)}


def acceleration_by_127_newton_metres(setup: Setup) -> Numbers:
    """What 127 N m give."""
    by_reading = hundred_g(setup)
    peaks = {
        name: max(float(np.abs(torque).max()) for torque in line_torques(best_robot(moved, setup), -0.53, setup))
        for name, moved in (("light", "0.45 kg"), ("heavy", "(26), loaded"))
    }
    return {**peaks, "g": by_reading["(26), loaded"]["acceleration"], "print_g": 914 / 9.81}


EVIDENCE: Final[Mapping[str, Callable[[Setup], Numbers]]] = {
    "E1": arcsine_of_9,
    "E2": frame_of_10_to_16,
    "E3": power_in_13,
    "E4": sign_in_30,
    "E5": moved_mass_of_tables_3_to_5,
    "E6": cylinder_height_of_tables_3_to_5,
    "E7": gain_of_r6_over_r4,
    "E8": pairs_of_table_4,
    "E9": moved_mass_of_table_6,
    "E10": dashes_of_table_6,
    "E11": altitude_of_row_1,
    "E12": designs_apart_in_one_length,
    "E13": accelerations_of_section_5c,
    "E14": drop_of_least_acceleration,
    "E15": acceleration_by_127_newton_metres,
}
"""What computes the numbers of each erratum."""
