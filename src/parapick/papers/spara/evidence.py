"""The numbers of the evidence of spara's errata, computed: its formulas as printed, its masses on closed paths."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from parapick.papers.setup import Setup
from parapick.papers.spara import formulas
from parapick.papers.spara.numbers import (
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
from parapick.papers.stated_number import Value

Numbers = Mapping[str, Value]

HEAVIER: Final = 3.0
"""Factor on the platform's mass for which accuracy is computed again: it is ours, and so is what follows from it."""


def singular_leg(_: Setup) -> Numbers:
    """Where a leg is singular with the platform off its arm's plane."""
    height, arm, rod = 0.3, formulas.ARM, float(formulas.ROD[0])
    across = float(np.sqrt(rod**2 - height**2))
    distance = float(np.hypot(arm + across, height))
    # A little inside, so that rounding cannot push the pose out of reach.
    direction = np.array([(arm + across) * np.cos(0.3), (arm + across) * np.sin(0.3), height])
    c = formulas.BASE[0] + direction * (1 - 1e-9)
    theta = formulas.corrected(c)
    lever = formulas.distal(c, theta)[0] @ formulas.directions(theta)[1][0] / rod
    return {
        "distance": distance,
        "full": arm + rod,
        "angle": float(np.degrees(np.arctan2(height, across))),
        "lever": abs(float(lever)),
    }


def type_2_singularity(setup: Setup) -> Numbers:
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


def half_angle_form(_: Setup) -> Numbers:
    """The half-angle form beside the other root."""
    minus, turns = -np.ones(3), {}
    for name, offset in (("at", 0.0), ("near", 1e-9), ("nearest", 1e-13)):
        c = formulas.beside_pi(offset)
        turns[name] = float(formulas.turned(formulas.printed(c, minus), formulas.corrected(c, minus))[0])
    rng = np.random.default_rng(4)
    poses = rng.uniform([0.55, -0.5, 0.0], [1.05, 0.5, 0.3], (300, 3))
    gaps = [
        np.abs(np.linalg.norm(formulas.distal(c, formulas.printed(c)), axis=-1) - formulas.ROD).max() for c in poses
    ]
    undefined = bool(np.isnan(turns.pop("at")))
    return {**turns, "closed": float(max(gaps)), "undefined": undefined}


def errors_of_fixed_splits(setup: Setup) -> Numbers:
    """Errors of the fixed splits: of the energy over random motions, of the torques on closed paths."""
    by_path = all_errors(setup)
    shares = {name: [of_path[name] / of_path["halves"] for of_path in by_path] for name in ("thirds", "two-thirds")}
    elbow, platform = energy_ratios()
    return {
        "elbow": elbow,
        "platform": platform,
        "halves_rmse": by_path[0]["halves"],
        "elbow_rmse": by_path[0]["thirds"],
        "platform_rmse": by_path[0]["two-thirds"],
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
        theta = formulas.corrected(c)
        link, side = formulas.distal(c, theta), formulas.directions(theta)[1]
        v1 = (link @ rate / np.sum(link * side, axis=-1))[:, None] * side
        exact = formulas.slender(v1, rate)
        for share, errors_of_share in off.items():
            errors_of_share.append((share * np.sum(v1**2, axis=-1) + (1 - share) * rate @ rate) / 2 - exact)
    rms = {share: float(np.sqrt(np.mean(np.square(errors_of_share)))) for share, errors_of_share in off.items()}
    return rms[1 / 3] / rms[1 / 2], rms[2 / 3] / rms[1 / 2]


def energy_of_variable_masses(_: Setup) -> Numbers:
    """The energy of the variable masses, by that of the slender link."""
    v1, v2 = np.random.default_rng(7).normal(size=(2, 1000, 3))
    speed1, speed2, mixed = (np.sum(a * b, axis=-1) for a, b in ((v1, v1), (v2, v2), (v1, v2)))
    k1, k2 = (speed * mixed / (speed1**2 + speed2**2) for speed in (speed1, speed2))
    energy = ((1 + k1) * speed1 + (1 + k2) * speed2) / 6
    return {"energy": float(np.abs(energy / formulas.slender(v1, v2) - 1).max())}


def operations_of_kernels(setup: Setup) -> Numbers:
    """Operations of our kernels."""
    count = instructions(setup)
    fixed, variable = ([count[name] for name in models.values()] for models in (FIXED, VARIABLE))
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


def accuracy_of_models(setup: Setup) -> Numbers:
    """Accuracy of the models."""
    by_model = accuracy(setup)
    names = {"halves": "halves", "platform": "m/3 at the platform", "variable": "variable, frozen"}
    heavier = Setup({**setup.factors, "plate.mass": HEAVIER * setup.factors.get("plate.mass", 1.0)})
    return {
        **{short: by_model[name]["accuracy"] for short, name in names.items()},
        "heavier": accuracy_of(all_errors(heavier), "halves"),
    }


def accuracy_for_levels(setup: Setup) -> Numbers:
    """What the levels of the table would need."""
    of_path = all_errors(setup)[0]
    lumped = [of_path[name] for name in (*FIXED.values(), *VARIABLE.values())]
    thin = of_path["slender"] / of_path["halves"]
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
    "E2": singular_leg,
    "E3": type_2_singularity,
    "E4": half_angle_form,
    "E6": errors_of_fixed_splits,
    "E7": energy_of_variable_masses,
    "E8": operations_of_kernels,
    "E9": accuracy_of_models,
    "E10": accuracy_for_levels,
}
"""What computes the numbers of each erratum."""
