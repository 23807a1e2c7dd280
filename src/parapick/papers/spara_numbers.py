"""What the spara note states, computed: errors and costs of its equivalent point masses, its claims on singularities.

The note gives neither robot nor path. The robot is the shipped one; the paths are closed Lissajous figures in the box
whose size the note gives, at the speed it gives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, NamedTuple, cast

import numpy as np

from parapick.answer import Column, Table
from parapick.kernel.trace.instructions import CONSTANT, INPUT, PARAMETER
from parapick.mechanism.limb import Limb
from parapick.model import Model
from parapick.papers.captions import counted
from parapick.papers.reproduction import Computed
from parapick.papers.setup import Setup

FIXED: Final = {"halves": "halves", "printed thirds": "thirds", "thirds swapped": "two-thirds"}
"""Splits of the note's fixed masses, and our names of them: m/3 at the elbow as printed, 2m/3 there swapped."""

VARIABLE: Final = {"frozen": "variable-frozen", "with rates": "variable-rate"}
"""Readings of its variable masses: taken as constants, or with their rates in time."""

SPEED: Final = 3.5
"""Largest speed (m/s) that the note gives."""

SEEDS: Final = 12
"""Paths that ratios are taken over; the first is the one whose errors are shown."""

CENTER: Final = (0.8, 0.0, 0.15)
SIZE: Final = (0.2, 0.4, 0.12)
"""Middle of the box, and reach of the paths from it (m): within 0.5 x 1.0 x 0.3 m."""

END_SHARE: Final = 0.073
"""Share of a link's mass in its two end joints, so that the slender model errs as the note's does; fitted."""

POINTS: Final = 800


class ClosedPath(NamedTuple):
    """A closed path: instants (s), position, velocity and acceleration (T, 3)."""

    t: np.ndarray
    x: np.ndarray
    xd: np.ndarray
    xdd: np.ndarray


def lissajous(seed: int, speed: float) -> ClosedPath:
    """A closed path in the box.

    Args:
        seed: which one.
        speed: its largest speed (m/s).
    """
    rng = np.random.default_rng(seed)
    turns, phase = rng.integers(1, 4, 3), rng.uniform(0.0, 2.0 * np.pi, 3)
    s = np.linspace(0.0, 2.0 * np.pi, POINTS, endpoint=False)
    angle, size = np.outer(s, turns) + phase, np.array(SIZE)
    slope = size * turns * np.cos(angle)
    rate = speed / float(np.linalg.norm(slope, axis=1).max())
    return ClosedPath(
        s / rate, np.array(CENTER) + size * np.sin(angle), rate * slope, -(rate**2) * size * turns**2 * np.sin(angle)
    )


def torques(model: Model, path: ClosedPath) -> np.ndarray:
    """Torques (T, 3), N m, along a path.

    Args:
        model: the robot.
        path: the path.
    """
    return model.inverse_dynamics(path.x, path.xd, path.xdd)


def reference(setup: Setup, ends: float = 0.0) -> Model:
    """The robot whose links are cylinders, or have a share of their mass in their end joints.

    Args:
        setup: robots and numbers.
        ends: that share.
    """
    model = setup.model("spara3")
    if not ends:
        return model.with_rod_model("cylinder")
    limb = cast("Limb", model.robot.limb)
    mass, length = np.array(limb.rod_mass, dtype=float), np.array(limb.rod_length, dtype=float)
    inertia = mass * length**2 * ((1.0 - ends) / 12.0 + ends / 4.0)
    changed = replace(limb, rod_model="general", rod_inertia=tuple(inertia.tolist()))
    return Model(replace(model.robot, limb=changed))


def errors(setup: Setup, path: ClosedPath, real: Model) -> Mapping[str, float]:
    """RMS error of the torques (N mm) of every model along a path, by its name; and the RMS torque, "torque".

    Args:
        setup: robots and numbers.
        path: the path.
        real: the robot that is meant.
    """
    exact, model = torques(real, path), setup.model("spara3")
    names = (*FIXED.values(), *VARIABLE.values(), "slender")
    found = {name: 1e3 * _rms(torques(model.with_rod_model(name), path) - exact) for name in names}
    return {**found, "torque": 1e3 * _rms(exact)}


def _rms(values: np.ndarray) -> float:
    return float(np.sqrt(np.mean(np.square(values))))


def all_errors(setup: Setup) -> list[Mapping[str, float]]:
    """`errors` along every path at the note's speed, links cylinders.

    Args:
        setup: robots and numbers.
    """
    real, speed = reference(setup), setup.number("speed", SPEED)
    return setup.once("errors", lambda: [errors(setup, lissajous(seed, speed), real) for seed in range(SEEDS)])


def slow_speed(setup: Setup) -> float:
    """Speed (m/s) at which halves err by 5.5 N mm on the first path: errors grow with its square.

    Args:
        setup: robots and numbers.
    """
    return setup.number("speed", SPEED) * float(np.sqrt(5.5 / all_errors(setup)[0]["halves"]))


def rmse(setup: Setup) -> Computed:
    """The performance table: RMS errors (N mm)."""
    slow = lissajous(0, slow_speed(setup))
    found = {
        "3.5 m/s": all_errors(setup)[0],
        "slowed": errors(setup, slow, reference(setup)),
        "slowed, end joints": errors(setup, slow, reference(setup, END_SHARE)),
    }
    named = {"fixed mass": "halves", "variable mass": "variable-frozen", "slender link": "slender"}
    return {reading: {name: own[model] for name, model in named.items()} for reading, own in found.items()}


def ratios(setup: Setup) -> Computed:
    """Ratios of the performance table, medians over the paths."""
    found = {}
    for fixed, split in FIXED.items():
        for variable, way in VARIABLE.items():
            pairs = [(own[way] / own[split], own["slender"] / own[split]) for own in all_errors(setup)]
            first, second = np.median(pairs, axis=0).tolist()
            found[f"{fixed}, {variable}"] = {"variable / fixed": first, "slender / fixed": second}
    joints = errors(setup, lissajous(0, slow_speed(setup)), reference(setup, END_SHARE))
    found["halves, frozen, end joints"] = {
        "variable / fixed": joints["variable-frozen"] / joints["halves"],
        "slender / fixed": joints["slender"] / joints["halves"],
    }
    return found


def accuracy(setup: Setup) -> Computed:
    """100 % less the RMS error over the RMS torque (%), median over the paths."""
    names = {**FIXED, **{f"variable, {name}": way for name, way in VARIABLE.items()}, "slender": "slender"}
    return {
        name: {"accuracy": float(np.median([100.0 * (1.0 - own[way] / own["torque"]) for own in all_errors(setup)]))}
        for name, way in names.items()
    }


def instructions(setup: Setup) -> Mapping[str, int]:
    """Operations of our kernel of the inverse dynamics, by rod model.

    Args:
        setup: robots and numbers.
    """
    given = {CONSTANT, INPUT, PARAMETER}

    def counted(name: str) -> int:
        trace = setup.model("spara3").with_rod_model(name).kernel("inverse_dynamics").trace
        return sum(one.operation not in given for one in trace.instructions)

    return setup.once("instructions", lambda: {n: counted(n) for n in (*FIXED.values(), *VARIABLE.values(), "slender")})


def cost(setup: Setup) -> Computed:
    """What fixed masses save against the exact link (%), and the order of the three methods."""
    count = instructions(setup)
    found = {}
    for fixed, split in FIXED.items():
        saved = 100.0 * (1.0 - count[split] / count["slender"])
        found[fixed] = {
            "saved by fixed masses": saved,
            "fixed masses cost least": count[split]
            < min(count["slender"], *(count[name] for name in VARIABLE.values())),
            "variable masses cost less than the slender link": count["variable-frozen"] < count["slender"],
        }
    return found


def claims(setup: Setup) -> Computed:
    """What the note says about its kinematics and its masses."""
    model = setup.model("spara3")
    box = box_poses()
    margins = model.margins(box)
    inside = bool(np.nanmin(margins.over) > 0.05)
    worse = float(np.median([own["thirds"] / own["halves"] for own in all_errors(setup)]))
    swapped = float(np.median([own["two-thirds"] / own["halves"] for own in all_errors(setup)]))
    return {
        "in the box": {
            "the box of 0.5 x 1.0 x 0.3 m is reached": bool(np.isfinite(model.inverse_kinematics(box)).all()),
            "no type II singularity": inside,
            "m/3 and 2m/3 is better than halves": worse < 1.0,
        },
        "anywhere, thirds swapped": {
            "the box of 0.5 x 1.0 x 0.3 m is reached": bool(np.isfinite(model.inverse_kinematics(box)).all()),
            "no type II singularity": not float(model.margins(singular_pose(model)).over) < 1e-6,
            "m/3 and 2m/3 is better than halves": swapped < 1.0,
        },
    }


def box_poses() -> np.ndarray:
    """Poses (N, 3) of the box of the note."""
    axes = (np.linspace(0.55, 1.05, 11), np.linspace(-0.5, 0.5, 21), np.linspace(0.0, 0.3, 7))
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)


def singular_pose(model: Model) -> np.ndarray:
    """A pose (m) in the middle plane at which the three distal links are coplanar, found along x.

    Args:
        model: the robot.
    """
    from scipy.optimize import minimize_scalar

    def margin(x: float) -> float:
        return float(model.margins([x, 0.0, 0.3725]).over)

    found = minimize_scalar(margin, bounds=(0.2, 0.24), method="bounded", options={"xatol": 1e-12})
    return np.array([float(found.x), 0.0, 0.3725])


def model_table(setup: Setup) -> Table:
    """Errors and operations of every model of the links.

    Args:
        setup: robots and numbers.
    """
    count, found = instructions(setup), all_errors(setup)
    rows = []
    for name, operations in count.items():
        shares = [own[name] / own["halves"] for own in found]
        rows.append((name, found[0][name], *(float(f(shares)) for f in (min, np.median, max)), operations))
    heads = (
        *(Column("model"), Column("RMS error (N mm)", decimals=3)),
        *(Column(f"of halves, {name}", decimals=3) for name in ("least", "median", "most")),
        Column("operations"),
    )
    speed, paths = setup.number("speed", SPEED), counted(len(found), "paths")
    note = f"RMS error on one path at {speed:g} m/s; shares over {paths}; operations of our kernel of the torques"
    return Table("models", "models of the distal links", heads, tuple(rows), note)


TABLES: Final = (model_table,)
"""Further tables of the document."""

NUMBERS: Final[Mapping[str, Callable[[Setup], Computed]]] = {
    "rmse": rmse,
    "ratios": ratios,
    "accuracy": accuracy,
    "cost": cost,
    "claims": claims,
}
"""What computes each group of `spara.toml`."""
