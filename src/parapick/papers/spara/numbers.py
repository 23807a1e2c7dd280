"""What the spara note states, computed: errors and costs of its equivalent point masses, its claims on singularities.

The note gives neither robot nor path. The robot is the shipped one; the paths are closed Lissajous figures in the box
whose size the note gives, at the speed it gives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple, cast

import numpy as np

from parapick.answer import Column, Table
from parapick.formulas import inverse_dynamics
from parapick.mechanism import Limb
from parapick.model import Model
from parapick.papers.captions import counted
from parapick.papers.reproduction import Computed
from parapick.papers.setup import OnDemand, Setup
from parapick.papers.spara.classical_dynamics import classical_dynamics, classical_kernel, operations, unloaded
from parapick.papers.stated_number import Undetermined
from parapick.robots import load

FIXED: Final = {"halves": "halves", "m/3 at the elbow": "thirds", "m/3 at the platform": "two-thirds"}
"""Splits of the note's fixed masses, and our names of them. It has m/3 at an end 1 and 2m/3 at an end 2, and does not
say which of them is the elbow."""

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
    """Torques (T, 3), N m, along a path."""
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
    ends = setup.number("end joints", ends)
    mass, length = np.array(limb.rod_mass, dtype=float), np.array(limb.rod_length, dtype=float)
    inertia = mass * length**2 * ((1.0 - ends) / 12.0 + ends / 4.0)
    changed = replace(limb, rod_model="general", rod_inertia=tuple(inertia.tolist()))
    return Model(replace(model.robot, limb=changed))


def errors(setup: Setup, path: ClosedPath, real: Model) -> Mapping[str, float]:
    """RMS error of the torques (N mm) of every model along a path, by its name; and the RMS torque, "torque".

    Args:
        setup: robots and numbers.
        real: the robot that is meant.
    """
    exact, model = torques(real, path), setup.model("spara3")
    of_models = {name: 1e3 * _rms(torques(model.with_rod_model(name), path) - exact) for name in MODELS}
    return {**of_models, "torque": 1e3 * _rms(exact)}


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
    speed = setup.number("speed", SPEED) * float(np.sqrt(5.5 / all_errors(setup)[0]["halves"]))
    return setup.number("slowed speed", speed)


def rmse(setup: Setup) -> Computed:
    """The performance table: RMS errors (N mm)."""
    named = {"fixed mass": "halves", "variable mass": "variable-frozen", "slender link": "slender"}

    def of(reading: str) -> Mapping[str, float]:
        of_path = (
            all_errors(setup)[0] if reading == "3.5 m/s" else _slowed(setup, joints=reading == "slowed, end joints")
        )
        return {name: of_path[model] for name, model in named.items()}

    return OnDemand(("3.5 m/s", "slowed", "slowed, end joints"), of)


def _slowed(setup: Setup, *, joints: bool) -> Mapping[str, float]:
    """`errors` along the first path, slowed; with mass in the links' end joints or without."""

    def computed() -> Mapping[str, float]:
        return errors(setup, lissajous(0, slow_speed(setup)), reference(setup, END_SHARE if joints else 0.0))

    return setup.once(("slowed", joints), computed)


OTHER_BODY: Final = (
    "the body that the note's slender link is compared with: the slender model is exact for thin links, and 0.4 N mm "
    "are those of another one (E10)"
)
"""What the note does not give of its third row."""


def ratios(setup: Setup) -> Computed:
    """Ratios of the performance table, medians over the paths."""
    ways = {f"{fixed}, {way}": (split, model) for fixed, split in FIXED.items() for way, model in VARIABLE.items()}

    def of(reading: str) -> Mapping[str, float | Undetermined]:
        if reading not in ways:
            joints = _slowed(setup, joints=True)
            first, second = (joints[name] / joints["halves"] for name in ("variable-frozen", "slender"))
            return {"variable / fixed": first, "slender / fixed": second}
        split, way = ways[reading]
        pairs = [(of_path[way] / of_path[split], of_path["slender"] / of_path[split]) for of_path in all_errors(setup)]
        first, second = np.median(pairs, axis=0).tolist()
        return {"variable / fixed": first, "slender / fixed": Undetermined(second, OTHER_BODY)}

    return OnDemand((*ways, "halves, frozen, end joints"), of)


def accuracy(setup: Setup) -> Mapping[str, Mapping[str, float]]:
    """100 % less the RMS error over the RMS torque (%), median over the paths."""
    names = {**FIXED, **{f"variable, {name}": way for name, way in VARIABLE.items()}, "slender": "slender"}
    return OnDemand(names, lambda name: {"accuracy": accuracy_of(all_errors(setup), names[name])})


def accuracy_of(by_path: Sequence[Mapping[str, float]], model: str) -> float:
    """The same for one model of the links.

    Args:
        by_path: its errors, path by path, as `errors` gives them.
        model: name of the model.
    """
    return float(np.median([100.0 * (1.0 - of_path[model] / of_path["torque"]) for of_path in by_path]))


CLASSICAL: Final = "by angular velocities"
"""The slender link in the classical form, beside the names of our rod models."""


def instructions(setup: Setup) -> Mapping[str, int]:
    """Operations of our kernel of the inverse dynamics, by rod model, and in the classical form.

    Args:
        setup: robots and numbers.
    """

    def computed() -> Mapping[str, int]:
        # Operations do not depend on the robot's numbers.
        robot = load("spara3")
        kernels = {name: robot.with_rod_model(name).kernel("inverse_dynamics") for name in MODELS}
        kernels[CLASSICAL] = classical_kernel(robot.with_rod_model("slender"))
        return {name: operations(kernel.trace) for name, kernel in kernels.items()}

    return setup.once("instructions", computed)


def constant_instructions(setup: Setup) -> Mapping[str, int]:
    """The same of a program for this one robot: its numbers are constants, and nothing is carried.

    Args:
        setup: robots and numbers.
    """

    def computed() -> Mapping[str, int]:
        robot = load("spara3")
        forms = {name: inverse_dynamics(robot.with_rod_model(name).numbers) for name in MODELS}
        forms[CLASSICAL] = classical_dynamics(robot.with_rod_model("slender").numbers)
        return {name: operations(unloaded(form)) for name, form in forms.items()}

    return setup.once("constant instructions", computed)


MODELS: Final = (*FIXED.values(), *VARIABLE.values(), "slender")
"""Our models of a distal link that are compared."""

EXACT: Final = {CLASSICAL: CLASSICAL, "by end points": "slender"}
"""Forms of the exact link that the note's masses may be compared with."""

NO_PROGRAM: Final = "the programs whose operations were counted"
"""What the note does not give of its percentages."""


def cost(setup: Setup) -> Computed:
    """What point masses save against the exact link (%), and the order of the three methods."""
    counted = {"": instructions, ", one robot": constant_instructions}
    ways = {f"{form}{how}": (exact, count) for form, exact in EXACT.items() for how, count in counted.items()}

    def of(way: str) -> Mapping[str, bool | Undetermined]:
        exact, count = ways[way][0], ways[way][1](setup)
        saved = {f"saved by variable masses, {name}": count[model] for name, model in VARIABLE.items()}
        variable = [count[model] for model in VARIABLE.values()]
        return {
            **{
                name: Undetermined(100.0 * (1.0 - operations_left / count[exact]), NO_PROGRAM)
                for name, operations_left in {"saved by fixed masses": count["halves"], **saved}.items()
            },
            "fixed masses cost least": max(count[model] for model in FIXED.values()) < min(count[exact], *variable),
            "variable masses cost less than the slender link": max(variable) < count[exact],
        }

    return OnDemand(ways, of)


def claims(setup: Setup) -> Computed:
    """What the note says about its kinematics and its masses."""
    box, type2 = "the box of 0.5 x 1.0 x 0.3 m is reached", "no type II singularity"
    thirds = {"in the box, m/3 at the elbow": "thirds", "anywhere, m/3 at the platform": "two-thirds"}

    def of(reading: str) -> Mapping[str, bool]:
        model = setup.model("spara3")

        def regular() -> bool:
            if reading.startswith("in the box"):
                return bool(np.nanmin(model.margins(box_poses()).over) > 0.05)
            return not float(model.margins(singular_pose(model)).over) < 1e-6

        def better() -> bool:
            return (
                float(np.median([of_path[thirds[reading]] / of_path["halves"] for of_path in all_errors(setup)])) < 1.0
            )

        return {
            box: bool(np.isfinite(model.inverse_kinematics(box_poses())).all()),
            type2: regular(),
            "m/3 and 2m/3 is better than halves": better(),
        }

    return OnDemand(thirds, of)


def box_poses() -> np.ndarray:
    """Poses (N, 3) of the box of the note."""
    axes = (np.linspace(0.55, 1.05, 11), np.linspace(-0.5, 0.5, 21), np.linspace(0.0, 0.3, 7))
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)


def singular_pose(model: Model) -> np.ndarray:
    """A pose (m) in the middle plane at which the three distal links are coplanar, found along x."""
    from scipy.optimize import minimize_scalar

    def margin(x: float) -> float:
        return float(model.margins([x, 0.0, 0.3725]).over)

    nearest: Any = minimize_scalar(margin, bounds=(0.2, 0.24), method="bounded", options={"xatol": 1e-12})
    return np.array([float(nearest.x), 0.0, 0.3725])


def model_table(setup: Setup) -> Table:
    """Errors and operations of every model of the links.

    Args:
        setup: robots and numbers.
    """
    count, by_path = instructions(setup), all_errors(setup)
    rows = []
    for name, number in count.items():
        # The classical form is the slender link again.
        model = "slender" if name == CLASSICAL else name
        shares = [of_path[model] / of_path["halves"] for of_path in by_path]
        rows.append((name, by_path[0][model], *(float(f(shares)) for f in (min, np.median, max)), number))
    heads = (
        *(Column("model"), Column("RMS error (N mm)", decimals=3)),
        *(Column(f"of halves, {name}", decimals=3) for name in ("least", "median", "most")),
        Column("operations"),
    )
    speed, paths = setup.number("speed", SPEED), counted(len(by_path), "paths")
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
"""What computes each group of the document's record."""
