"""The numbers of the evidence of corbel2010's errata, computed: misprints against the model, and other readings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from parapick.papers import corbel2010_forms as forms
from parapick.papers.corbel2010_numbers import (
    accelerations,
    altitude,
    best_robot,
    designs,
    free_torques,
    hundred_g,
    line_torques,
    torques,
)
from parapick.papers.corbel2010_tables import PRINTED, Setting, Tables, acceleration_tables
from parapick.papers.document import Document
from parapick.papers.setup import Setup
from parapick.papers.stated import Stated, Value

Numbers = Mapping[str, Value]


def _document() -> Document:
    from parapick.papers import document

    return document("corbel2010")


def e1(setup: Setup) -> Numbers:
    """The arcsine of (9) near straight down."""
    x, q = forms.near_straight_down()
    B = forms.plate_points(x, 4)
    d, h = forms.elbow(B)
    printed = forms.printed_angle(d, h)[:, 0]
    model = setup.model("delta-r4").inverse_kinematics(x)
    wrong = forms.turned(printed, q)
    return {
        "poses": float(len(x)),
        "right": float(np.abs(model[:, 0] - q).max()),
        "closed": float(np.abs(forms.rod_error_of_angle(B, model)).max()),
        "wrong": float(np.nanmax(wrong)),
        "open": float(np.nanmax(np.abs(forms.rod_error_of_angle(B, forms.printed_angle(d, h))[:, 0]))),
        "lost": float(np.isnan(printed).sum()),
    }


def e2(setup: Setup) -> Numbers:
    """The frame of (10) to (16)."""
    x = forms.cylinder(-0.95, -0.70)
    B = forms.plate_points(x, 4)
    error = 1e3 * np.abs(forms.rod_error(B, *forms.elbow(B, origin=forms.R_B)))
    closed = forms.rod_error_of_angle(B, setup.model("delta-r4").inverse_kinematics(x))
    return {
        "least": float(np.nanmin(error)),
        "most": float(np.nanmax(error)),
        "unsolved": float(100 * np.isnan(error).mean()),
        "closed": float(np.abs(closed).max()),
    }


def e3(setup: Setup) -> Numbers:
    """The power in (13)."""
    deep, x = forms.cylinder(-0.95, -0.95, levels=1), forms.cylinder(-0.95, -0.65)
    B = forms.plate_points(deep, 4)
    error = 1e3 * np.abs(forms.rod_error(B, *forms.elbow(B, b_power=1)))
    d, h = forms.elbow(forms.plate_points(x, 4), b_power=1)
    off = forms.turned(forms.angle(d, h), setup.model("delta-r4").inverse_kinematics(x))
    height = -float(np.sqrt(forms.ROD**2 - forms.R_TP**2))
    B0 = forms.plate_points(np.array([0.0, 0.0, height]), 4)
    return {
        "off": float(off.min()),
        "least": float(error.min()),
        "most": float(error.max()),
        "height": height,
        "vanishes": float(np.abs(forms.rod_error(B0, *forms.elbow(B0, b_power=1))).max()),
        "closed": float(np.abs(forms.rod_error(B, *forms.elbow(B))).max()),
    }


def e4(setup: Setup) -> Numbers:
    """The sign of the first term of (30)."""
    x, rng = forms.cylinder(-0.75, -0.65, levels=3), np.random.default_rng(30)
    worst, right = [], []
    for name, n in forms.ROBOTS.items():
        own = np.zeros(len(x))
        for xd in rng.normal(size=(60, *x.shape)):
            rate = setup.model(name).inverse_jacobian_rate(x, xd)
            scale = np.linalg.norm(rate, axis=(1, 2))
            ways = [forms.jacobian_rate(x, xd, n, sign) - rate for sign in (1.0, -1.0)]
            printed, corrected = (np.linalg.norm(way, axis=(1, 2)) / scale for way in ways)
            own = np.maximum(own, printed)
            right.append(float(corrected.max()))
        worst.append(own)
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
        max(abs(a - b) for key in own for a, b in zip(own[key], printed[key], strict=True)) for own, printed in pairs
    )


def e5(setup: Setup) -> Numbers:
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


def e6(setup: Setup) -> Numbers:
    """The height of the cylinder of Tables III to V."""
    found = acceleration_tables("nearest", setup).min_max
    # The same mass in a cylinder as high as printed, at every altitude: how near Table III comes.
    low = [acceleration_tables(Setting(0.45, z, z + 0.1, 6), setup) for z in np.arange(-0.98, -0.60, 0.02).tolist()]
    near = min(_apart(tables)[0] for tables in low)
    keys = {"a": "NR/R4", "b": "NR/R6", "c": "R4/R6"}
    ends = {f"{name}_{end}": getattr(found[key], end) for name, key in keys.items() for end in ("low", "high")}
    return {**ends, "apart": near}


def e7(setup: Setup) -> Numbers:
    """The gain of R6 over R4."""
    found = acceleration_tables("nearest", setup).min_max["R4/R6"]
    return {"low": found.low, "high": found.high}


def e8(setup: Setup) -> Numbers:
    """The two pairs of Table IV."""
    found = acceleration_tables("nearest", setup).max
    names = {"a": "NR/R6", "b": "R4/R6"}
    return {f"{name}_{end}": getattr(found[key], end) for name, key in names.items() for end in ("low", "high")}


def e9(setup: Setup) -> Numbers:
    """What moves in Table VI, and which share of the forearms fits it best."""
    found = torques(setup)
    off = {}
    printed = {name: number.low for name, number in _table6().items()}
    for reading in ("0.45 kg, deepest", "(26), deepest"):
        pairs = [(found[reading][name], value) for name, value in printed.items()]
        off[reading] = 100 * np.array([float(value or np.nan) / number - 1 for value, number in pairs])
    light, heavy = off.values()
    return {
        "light": found["0.45 kg, deepest"]["120 / 200 / 500"],
        "heavy": found["(26), deepest"]["120 / 200 / 500"],
        "light_rms": float(np.sqrt(np.mean(light**2))),
        "light_most": float(np.abs(light).max()),
        "heavy_rms": float(np.sqrt(np.mean(heavy**2))),
        "share": forearm_share(setup),
    }


def _table6() -> Mapping[str, Stated]:
    """The torques of Table VI, read, without its dashes."""
    group = next(group for group in _document().numbers if group.id == "table6")
    return {name: number for name, number in group.stated.items() if number.numeric}


def forearm_share(setup: Setup) -> float:
    """Share y of the forearms' mass on the plate, m = 0.45 kg + y n m_f, at which Table VI is met best; (26) has 0.5.

    Torques are linear in what moves with the plate, so two computations give them for every share.

    Args:
        setup: robots and numbers.
    """
    found, printed = torques(setup), _table6()
    light, heavy = (
        np.array([float(found[r][n] or 0.0) for n in printed]) for r in ("0.45 kg, deepest", "(26), deepest")
    )
    wanted = np.array([number.low for number in printed.values()])
    slope = (heavy - light) / 0.5 / wanted
    return float(np.sum(slope * (1 - light / wanted)) / np.sum(slope**2))


def e10(setup: Setup) -> Numbers:
    """The dashes of Table VI."""
    reached, in_range = set(), set()
    for key in designs():
        numbers = dict(zip(("base.radius", "limb.arm", "limb.rod_length"), key, strict=True))
        model = setup.model("delta-r4").with_parameters({**numbers, "plate.radius": 0.05, "home.3": -0.45})
        for bottom in np.arange(-0.75, -0.30, 0.01).tolist():
            q = np.degrees(model.inverse_kinematics(forms.cylinder(bottom, bottom + 0.1)))
            if not np.isnan(q).any():
                reached.add(key)
                if q.min() >= -90 and q.max() <= 25:
                    in_range.add(key)
    found = torques(setup)["0.45 kg, deepest"]
    group = next(group for group in _document().numbers if group.id == "table6")
    right = sum((found[name] is None) == (text == "-") for name, text in group.printed.items())
    return {"reached": float(len(reached)), "in_range": float(len(in_range)), "right": float(right)}


def e11(setup: Setup) -> Numbers:
    """The altitude of row 1."""
    heights, peaks = free_torques(setup)
    at = {round(100 * float(z)): float(peak) for z, peak in zip(heights, peaks, strict=True)}
    base, arm, rod = designs()[0]
    best = altitude(setup)["best, any joint angle"]["altitude"]
    deepest = arm + float(np.sqrt(rod**2 - (base - 0.05 + 0.3) ** 2))
    return {f"t{-z}": at[z] for z in (-54, -53, -48, -40, -36)} | {"best": best, "deepest": deepest}


def e12(_: Setup) -> Numbers:
    """Pairs of designs of Table VI that differ in one length."""
    group = next(group for group in _document().numbers if group.id == "table6")
    numbers = zip(designs(), group.stated.values(), strict=True)
    known = {key: number.low for key, number in numbers if number.numeric}
    found: dict[str, float] = {}
    for place, name in enumerate(("base", "arm", "rod")):
        steps = [
            known[large] - known[small]
            for small in known
            for large in known
            if small[place] < large[place] and all(small[k] == large[k] for k in range(3) if k != place)
        ]
        found[name] = float(len(steps))
        found[f"{name}_up"] = float(sum(step > 0 for step in steps))
    return found


def e13(setup: Setup) -> Numbers:
    """The accelerations of section V.C."""
    found = accelerations(setup)
    names = {"any_low": "any direction, min", "any_high": "any direction, max"}
    names |= {"best_low": "best direction, min", "best_high": "best direction, max"}
    readings = {"": "0.45 kg", "loaded_": "(26), loaded", "empty_": "(26), empty"}
    return {f"{prefix}{short}": found[r][name] for prefix, r in readings.items() for short, name in names.items()}


def e14(_: Setup) -> Numbers:
    """How much smaller the lowest acceleration is."""
    return {"share": 100 * (1 - 914 / 1166)}


def e15(setup: Setup) -> Numbers:
    """What 127 N m give."""
    found = hundred_g(setup)
    peaks = {
        name: max(float(np.abs(own).max()) for own in line_torques(best_robot(moved, setup), -0.53, setup))
        for name, moved in (("light", "0.45 kg"), ("heavy", "(26), loaded"))
    }
    return {**peaks, "g": found["(26), loaded"]["acceleration"], "print_g": 914 / 9.81}


EVIDENCE: Final[Mapping[str, Callable[[Setup], Numbers]]] = {
    "E1": e1,
    "E2": e2,
    "E3": e3,
    "E4": e4,
    "E5": e5,
    "E6": e6,
    "E7": e7,
    "E8": e8,
    "E9": e9,
    "E10": e10,
    "E11": e11,
    "E12": e12,
    "E13": e13,
    "E14": e14,
    "E15": e15,
}
"""What computes the numbers of each erratum."""
