"""The numbers of the evidence of spara's errata, computed: its formulas as printed, its masses on closed paths."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from parapick.papers import spara_forms as forms
from parapick.papers.setup import Setup
from parapick.papers.spara_numbers import (
    CLASSICAL,
    END_SHARE,
    FIXED,
    VARIABLE,
    accuracy,
    accuracy_of,
    all_errors,
    box_poses,
    constant_instructions,
    errors,
    instructions,
    lissajous,
    reference,
    singular_pose,
    slow_speed,
)
from parapick.papers.stated import Value

Numbers = Mapping[str, Value]

HEAVIER: Final = 3.0
"""Factor on the platform's mass for which accuracy is computed again: it is ours, and so is what follows from it."""


def e2(_: Setup) -> Numbers:
    """Where a leg is singular with the platform off its arm's plane."""
    height, arm, rod = 0.3, forms.ARM, float(forms.ROD[0])
    across = float(np.sqrt(rod**2 - height**2))
    distance = float(np.hypot(arm + across, height))
    # A little inside, so that rounding cannot push the pose out of reach.
    direction = np.array([(arm + across) * np.cos(0.3), (arm + across) * np.sin(0.3), height])
    c = forms.BASE[0] + direction * (1 - 1e-9)
    theta = forms.corrected(c)
    lever = forms.distal(c, theta)[0] @ forms.directions(theta)[1][0] / rod
    return {
        "distance": distance,
        "full": arm + rod,
        "angle": float(np.degrees(np.arctan2(height, across))),
        "lever": abs(float(lever)),
    }


def e3(setup: Setup) -> Numbers:
    """A type II singularity, and the margins of the box."""
    model = setup.model("spara3")
    pose = singular_pose(model)
    there, inside = model.margins(pose), model.margins(box_poses())
    return {
        "x": float(pose[0]),
        "over": float(there.over),
        "under": float(there.under),
        "box": float(inside.over.min()),
    }


def e4(_: Setup) -> Numbers:
    """The half-angle form beside the other root."""
    minus, found = -np.ones(3), {}
    for name, offset in (("at", 0.0), ("near", 1e-9), ("nearest", 1e-13)):
        c = forms.beside_pi(offset)
        found[name] = float(forms.turned(forms.printed(c, minus), forms.corrected(c, minus))[0])
    rng = np.random.default_rng(4)
    poses = rng.uniform([0.55, -0.5, 0.0], [1.05, 0.5, 0.3], (300, 3))
    gaps = [np.abs(np.linalg.norm(forms.distal(c, forms.printed(c)), axis=-1) - forms.ROD).max() for c in poses]
    undefined = bool(np.isnan(found.pop("at")))
    return {**found, "closed": float(max(gaps)), "undefined": undefined}


def e6(setup: Setup) -> Numbers:
    """Errors of the fixed splits: of the energy over random motions, of the torques on closed paths."""
    found = all_errors(setup)
    shares = {name: [own[name] / own["halves"] for own in found] for name in ("thirds", "two-thirds")}
    elbow, platform = energy_ratios()
    return {
        "elbow": elbow,
        "platform": platform,
        "halves_rmse": found[0]["halves"],
        "elbow_rmse": found[0]["thirds"],
        "platform_rmse": found[0]["two-thirds"],
        "elbow_low": min(shares["thirds"]),
        "elbow_high": max(shares["thirds"]),
        "platform_low": min(shares["two-thirds"]),
        "platform_high": max(shares["two-thirds"]),
    }


def energy_ratios() -> tuple[float, float]:
    """RMS error of the links' energy over random motions, by that of halves: m/3 at the elbow, and at the platform."""
    rng = np.random.default_rng(16)
    poses, rates = rng.uniform([0.55, -0.5, 0.0], [1.05, 0.5, 0.3], (300, 3)), rng.normal(size=(300, 3))
    off: dict[float, list[np.ndarray]] = {1 / 3: [], 1 / 2: [], 2 / 3: []}
    for c, rate in zip(poses, rates, strict=True):
        theta = forms.corrected(c)
        link, side = forms.distal(c, theta), forms.directions(theta)[1]
        v1 = (link @ rate / np.sum(link * side, axis=-1))[:, None] * side
        exact = forms.slender(v1, rate)
        for share, own in off.items():
            own.append((share * np.sum(v1**2, axis=-1) + (1 - share) * rate @ rate) / 2 - exact)
    rms = {share: float(np.sqrt(np.mean(np.square(own)))) for share, own in off.items()}
    return rms[1 / 3] / rms[1 / 2], rms[2 / 3] / rms[1 / 2]


def e7(_: Setup) -> Numbers:
    """The energy of the variable masses, by that of the slender link."""
    v1, v2 = np.random.default_rng(7).normal(size=(2, 1000, 3))
    speed1, speed2, mixed = (np.sum(a * b, axis=-1) for a, b in ((v1, v1), (v2, v2), (v1, v2)))
    k1, k2 = (speed * mixed / (speed1**2 + speed2**2) for speed in (speed1, speed2))
    energy = ((1 + k1) * speed1 + (1 + k2) * speed2) / 6
    return {"energy": float(np.abs(energy / forms.slender(v1, v2) - 1).max())}


def e8(setup: Setup) -> Numbers:
    """Operations of our kernels."""
    count = instructions(setup)
    fixed, variable = ([count[name] for name in own.values()] for own in (FIXED, VARIABLE))
    return {
        "fixed_low": float(min(fixed)),
        "fixed_high": float(max(fixed)),
        "slender": float(count["slender"]),
        "variable_low": float(min(variable)),
        "variable_high": float(max(variable)),
        "more": 100 * (count["slender"] / count["halves"] - 1),
        "classical": float(count[CLASSICAL]),
        **_saved("", count),
        **_saved("one_", constant_instructions(setup)),
    }


def _saved(mark: str, count: Mapping[str, int]) -> dict[str, float]:
    """What point masses save (%) against the link by angular velocities."""
    names = {"fixed": "halves", "frozen": VARIABLE["frozen"], "rates": VARIABLE["with rates"]}
    return {f"{mark}{name}": 100 * (1 - count[model] / count[CLASSICAL]) for name, model in names.items()}


def e9(setup: Setup) -> Numbers:
    """Accuracy of the models."""
    found = accuracy(setup)
    names = {"halves": "halves", "platform": "m/3 at the platform", "variable": "variable, frozen"}
    heavier = Setup({**setup.factors, "plate.mass": HEAVIER * setup.factors.get("plate.mass", 1.0)})
    return {
        **{short: found[name]["accuracy"] for short, name in names.items()},
        "heavier": accuracy_of(all_errors(heavier), "halves"),
    }


def e10(setup: Setup) -> Numbers:
    """What the levels of the table would need."""
    found = all_errors(setup)[0]
    lumped = [found[name] for name in (*FIXED.values(), *VARIABLE.values())]
    thin = found["slender"] / found["halves"]
    joints = errors(setup, lissajous(0, slow_speed(setup)), reference(setup, END_SHARE))
    return {
        "speed": slow_speed(setup),
        "low": 1e-3 * min(lumped),
        "high": 1e-3 * max(lumped),
        "thin": thin,
        # The slender model errs by the square of a cylinder's radius.
        "radius": 10 * float(np.sqrt(0.4 / 5.5 / thin)),
        "a": joints["halves"],
        "b": joints["variable-frozen"],
        "c": joints["slender"],
    }


EVIDENCE: Final[Mapping[str, Callable[[Setup], Numbers]]] = {
    "E2": e2,
    "E3": e3,
    "E4": e4,
    "E6": e6,
    "E7": e7,
    "E8": e8,
    "E9": e9,
    "E10": e10,
}
"""What computes the numbers of each erratum."""
