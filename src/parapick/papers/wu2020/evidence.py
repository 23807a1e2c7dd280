"""The numbers of the evidence of wu2020's errata, computed: its geometry as printed, its loops by reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import product
from typing import Final, cast

import numpy as np

from parapick.control import Controller
from parapick.model import too_near
from parapick.motion import LAWS, Motion
from parapick.papers.setup import Setup
from parapick.papers.stated_number import Value
from parapick.papers.wu2020 import formulas
from parapick.papers.wu2020.control import Cycle, errors_of, law, mismatch, poles, run
from parapick.papers.wu2020.numbers import f_of, joint_cost, loop, optimum, robot
from parapick.simulation import simulate
from parapick.tasks import AdeptTask, load_task

Numbers = Mapping[str, Value]

SHAPES: Final = tuple(name for name in LAWS if name != "s-curve")
"""Laws of the cycles that are looked through: all but the one that needs a jerk as well."""

LIFTS: Final = (0.025, 0.05, 0.075, 0.1, 0.125)
OVERLAPS: Final = (0.0, 0.5, 1.0)
HEIGHTS: Final = tuple(np.arange(-0.70, -0.43, 0.03).round(3).tolist())
"""Duration of the vertical strokes (s), their overlap, and heights (m) of the cycles that are looked through."""

MATCHED: Final = (46.5, 49.5)
"""Torque of motor 2 (N m) of a cycle that is taken for the document's: 48 within 1.5."""

NEAR_Z: Final = 0.05
NEAR_YAW: Final = (0.75, 0.85)
"""Error in z within 5 % of 0.491 mm, and of the yaw (deg) that rounds to 0.8: then a cycle gives both."""


def _four(name: str, values: np.ndarray) -> dict[str, Value]:
    return {f"{name}{i + 1}": float(value) for i, value in enumerate(values)}


def _errors_at_home(theta: np.ndarray) -> np.ndarray:
    """How far every rod's length is off (4,), m, at home with these joint angles."""
    return formulas.rod_errors(formulas.HOME, formulas.BASE + formulas.arm_vectors(theta))


def offset_in_1b(setup: Setup) -> Numbers:
    """The offset in (1b)."""
    theta = robot(setup).inverse_kinematics(formulas.HOME)
    return {
        "closed": float(_errors_at_home(theta).max()),
        "open": 1e3 * float(formulas.rod_errors(formulas.HOME, formulas.arm_vectors(theta)).max()),
    }


def angle_terms_of_4(_: Setup) -> Numbers:
    """J_i of (4)."""
    every = [
        1e3 * _errors_at_home(formulas.angles(formulas.HOME, sign * np.ones(4), formulas.AXIS)) for sign in (1, -1)
    ]
    closed = _errors_at_home(formulas.solved(formulas.HOME))
    return {"least": float(np.min(every)), "most": float(np.max(every)), "closed": float(closed.max())}


def jacobian_by_differences(setup: Setup) -> Numbers:
    """J = J_chi^-1 J_theta by differences of the inverse kinematics."""
    model, step = robot(setup), 1e-6
    ahead, behind = (model.inverse_kinematics(formulas.POSE + side * step * np.eye(4)) for side in (1, -1))
    J = (ahead - behind).T / (2 * step)
    wanted = model.inverse_jacobian(formulas.POSE)
    return {"off": float(np.abs(J - wanted).max() / np.abs(wanted).max())}


def matrices_of_9(_: Setup) -> Numbers:
    """H_u and H_l of (9)."""
    d = formulas.platform_points(formulas.POSE) - formulas.BASE - formulas.arm_vectors(formulas.solved(formulas.POSE))
    J_l = np.column_stack([d, formulas.UPPER * formulas.H * d[:, 2]])
    J_u = np.column_stack([d, -(1 - formulas.UPPER) * formulas.H * d[:, 2]])
    rate, H_u = np.array([1.0, 1.0, 1.0, 10.0]), np.eye(4)
    H_u[2, 3] = formulas.H
    printed = H_u.copy()
    printed[3, 3] = 0.0
    off = [float(np.abs(J_u @ matrix @ rate - J_l @ rate).max()) for matrix in (printed, H_u)]
    return {"wrong": off[0], "right": off[1]}


def weight_of_arms(setup: Setup) -> Numbers:
    """The arms' weight."""
    weight = (formulas.ARM_MASS / 2 + formulas.ROD_MASS) * formulas.GRAVITY
    theta, step = formulas.solved(formulas.HOME), 1e-6
    heights = [formulas.arm_vectors(theta + side * step)[:, 2] for side in (1, -1)]
    slope = -weight * (heights[0] - heights[1]) / (2 * step)
    printed = -weight * formulas.ARM * np.sin(formulas.ALPHA) * np.cos(theta)
    rest = np.zeros(4)
    static = robot(setup).inverse_dynamics(formulas.HOME, rest, rest)
    return {"printed": float(printed.mean()), "right": float(np.abs(slope).mean()), **_four("g", static)}


def matched_cycles(setup: Setup, pace: float) -> list[Motion]:
    """Cycles of many laws, strokes and heights, there and back, whose motor 2 needs 48 N m.

    Args:
        setup: robots and numbers.
        pace: cycles per minute.
    """
    return setup.once(("matched", pace), lambda: _matched(setup, pace))


def _matched(setup: Setup, pace: float) -> list[Motion]:
    model, base = robot(setup), cast("AdeptTask", load_task("wu2020-fit1"))
    motions = []
    # Strokes that leave some time of a move for the way over.
    ways = [stroke for stroke in product(LIFTS, OVERLAPS) if 2 * stroke[0] * (1 - stroke[1]) < 0.99 * 30.0 / pace]
    for name, (lift, overlap), z in product(SHAPES, ways, HEIGHTS):
        task = replace(base, law=LAWS[name](), lift_time=lift, overlap=overlap, center=(0.0, 0.0, z))
        motion = replace(task, cycles_per_minute=pace, one_way=False).motion(model)
        samples = motion.sample(1000.0, corners=True)
        torque = np.abs(model.inverse_dynamics(samples.x, samples.xd, samples.xdd)[:, 1]).max()
        if MATCHED[0] <= torque <= MATCHED[1]:
            motions.append(motion)
    return motions


def both_errors(setup: Setup, pace: float, reading: str) -> tuple[int, int]:
    """Of the cycles that need 48 N m, how many there are, and how many give both errors with f in the controller.

    Args:
        setup: robots and numbers.
        pace: cycles per minute, there and back.
        reading: "FIT1" for f1, "FIT2" for extent_of_workspace.
    """
    motions = matched_cycles(setup, pace)
    controller = Controller(law(f_of(setup, reading, 0.5)), rate=8000.0)
    hits = 0
    for motion in motions:
        errors = errors_of(simulate(robot(setup), motion, controller))
        z, yaw = 1e3 * errors.dz, abs(np.degrees(errors.dphi))
        hits += abs(z / -0.491 - 1) < NEAR_Z and NEAR_YAW[0] <= yaw <= NEAR_YAW[1]
    return len(motions), hits


def reading_of_f(setup: Setup) -> Numbers:
    """Which reading of f gives both errors, over cycles that need 48 N m."""
    cases = {"a": (60.0, "FIT1"), "b": (120.0, "FIT2"), "c": (120.0, "FIT1"), "d": (60.0, "FIT2")}
    counts: dict[str, Value] = {}
    for name, case in cases.items():
        count, hits = both_errors(setup, *case)
        counts |= {f"{name}_all": float(count), f"{name}_hits": float(hits)}
    return counts


def place_of_f(setup: Setup) -> Numbers:
    """Where f stands."""
    places = ("both", "controller", "plant")
    return {place: 1e3 * errors_of(loop(setup, "FIT1", place)).dz for place in places}


def optimum_of_26(setup: Setup) -> Numbers:
    """The optimum of (26), and how flat it is."""
    gains: dict[str, Value] = {}
    worse = []
    for name, plant in (("a", "lumped, no f"), ("b", "rods, no f"), ("d", "rods, with f")):
        kp, kd, size = optimum(setup, plant)
        gains |= {f"{name}_p": kp, f"{name}_d": kd}
        worse.append(100 * (joint_cost(setup, plant, 955.0, kd, size) / joint_cost(setup, plant, kp, kd, size) - 1))
    slow, fast = poles()
    twenty = {name: 1e3 * errors_of(run(cycle, cycles=20, rate=8000.0)).dz for name, cycle in _REPEATED.items()}
    return {**gains, **twenty, "low": min(worse), "high": max(worse), "slow": slow, "fast": fast, "time": -1 / slow}


_REPEATED: Final[Mapping[str, Cycle]] = {"fit1": "FIT1", "fit2": "FIT2"}


def distance_of_arms(_: Setup) -> Numbers:
    """Distance of the arms (mm) in the printed working mode and in ours."""
    along = [formulas.closest(formulas.OUTWARD, np.array([x, 0.0, -0.5, 0.0])) for x in np.linspace(-0.1525, 0.1525, 7)]
    printed, outward = (
        1e3 * formulas.closest(mode, formulas.HOME) for mode in (formulas.PRINTED_MODE, formulas.OUTWARD)
    )
    return {"printed": printed, "outward": outward, "along": 1e3 * min(along)}


def yaw_for_sag(_: Setup) -> Numbers:
    """Degrees of yaw for a millimetre of sag, without and with 1 kg."""
    ratios = {}
    for name, case in (("empty", "f in the controller"), ("loaded", "f in the controller, 1 kg known")):
        errors = errors_of(mismatch(case, cast("Cycle", "FIT1")))
        ratios[name] = abs(np.degrees(errors.dphi) / (1e3 * errors.dz))
    return {**ratios, "printed": 0.8 / 0.491}


def optimal_lambda(setup: Setup) -> Numbers:
    """The optimal lambda by plant, and what is left of the error where it is 0.5."""
    plants = {"none": "lumped, no f", "rods": "rods, no f", "both": "lumped, with f", "rods_f": "rods, with f"}
    lambdas = {name: optimum(setup, plant)[2] for name, plant in plants.items()}
    return {**lambdas, "left": abs(1e3 * errors_of(loop(setup, "FIT1", "both")).dz)}


CLEAR: Final = 0.05
"""Smallest margin to singularities of a pose that counts, as that of `parapick workspace`."""


def reached(setup: Setup, z: float, least: float | None = None) -> tuple[float, float]:
    """How far the loops close along x and along y (m), either way from the middle, at a height and no yaw.

    Args:
        setup: robots and numbers.
        z: the height (m).
        least: smallest margin to every kind of singularity on the way; None where only the loops must close.
    """
    model, ways = robot(setup), []
    along = np.linspace(0.0, 0.9, 901)
    for axis in (0, 1):
        poses = np.zeros((len(along), 4))
        poses[:, axis], poses[:, 2] = along, z
        good = np.isfinite(model.inverse_kinematics(poses)).all(axis=1)
        if least is not None:
            good &= too_near(model.margins(poses), least) < 0
        ways.append(float(along[np.argmin(good) - 1]))
    return ways[0], ways[1]


def extent_of_workspace(setup: Setup) -> Numbers:
    """How long and how narrow the workspace is (mm)."""
    closed, clear = reached(setup, -0.55), reached(setup, -0.55, CLEAR)
    names = ("x", "y", "x_clear", "y_clear")
    sizes = dict(zip(names, (1e3 * way for way in (*closed, *clear)), strict=True))
    return {**sizes, "ratio": closed[1] / closed[0], "clear": clear[0] / clear[1]}


EVIDENCE: Final[Mapping[str, Callable[[Setup], Numbers]]] = {
    "E2": offset_in_1b,
    "E4": angle_terms_of_4,
    "E5": jacobian_by_differences,
    "E6": matrices_of_9,
    "E7": weight_of_arms,
    "E8": reading_of_f,
    "E9": place_of_f,
    "E10": optimum_of_26,
    "E11": distance_of_arms,
    "E13": yaw_for_sag,
    "E14": optimal_lambda,
    "F2": extent_of_workspace,
}
"""What computes the numbers of each erratum."""
