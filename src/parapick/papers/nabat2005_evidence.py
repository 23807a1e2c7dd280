"""The numbers of the evidence of nabat2005's errata, computed: its equations in several readings against the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from parapick.model import Model
from parapick.model.rod_pairs import pair_determinants, rod_pair_matrix
from parapick.papers import nabat2005_forms as forms
from parapick.papers.cycles import NabatCycle, nabat2005_cycle, nabat2005_overlap
from parapick.papers.nabat2005_numbers import (
    SINGULAR,
    cycle,
    cycle_torques,
    internal_margins,
    plate_acceleration,
    simplification,
)
from parapick.papers.nabat2005_reasons import joint_lives, telescope_cost, yaw_compared
from parapick.papers.setup import Setup
from parapick.papers.stated import Value

Numbers = Mapping[str, Value]

_STEP: Final = 1e-6
"""Step of finite differences (m, rad)."""

FASTER: Final[Mapping[str, NabatCycle]] = {"plate": "13G", "stroke": "13G per stroke"}


def _four(name: str, values: np.ndarray) -> dict[str, Value]:
    return {f"{name}{i + 1}": float(value) for i, value in enumerate(values)}


def _halves(setup: Setup) -> Model:
    """The shipped robot with the masses of the document: half of every rod at each of its ends."""
    return setup.model("par4").with_rod_model("halves")


def _read(setup: Setup, **readings: bool | float) -> np.ndarray:
    """(35) at the state of the record, in a reading."""
    state = (forms.POSE, forms.RATE, forms.CHANGE)
    return forms.torques(*state, setup.model("par4").joint_accelerations(*state), forms.MASSES, **readings)


def random_states(count: int = 200) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Random states (N, 4) in the cylinder of the shipped Par4.

    Args:
        count: how many.
    """
    rng = np.random.default_rng(2005)
    radius, turn = 0.3 * np.sqrt(rng.uniform(size=count)), rng.uniform(0, 2 * np.pi, count)
    height, yaw = rng.uniform(-0.75, -0.65, count), rng.uniform(-np.pi / 4, np.pi / 4, count)
    x = np.stack([radius * np.cos(turn), radius * np.sin(turn), height, yaw], axis=1)
    return x, rng.normal(size=(count, 4)) * [2, 2, 2, 8], rng.normal(size=(count, 4)) * [60, 60, 60, 300]


def e1(setup: Setup) -> Numbers:
    """The 8 x 7 matrix of (8) by differences of the rods' lengths, and minors of J_int."""
    model = setup.model("par4")
    x = random_states(200)[0]
    matrix = rod_pair_matrix(model, x)
    off = max(float(np.abs(J[:, :4] - _rod_rates(model, pose)).max()) for J, pose in zip(matrix, x, strict=True))
    minors = pair_determinants(model, forms.POSE)
    return {"off": off, **{f"d{name.removeprefix('D_')}": float(value) for name, value in minors.items()}}


def _rod_rates(model: Model, x: np.ndarray) -> np.ndarray:
    """Slopes (8, 4) of the rods' lengths with the arms standing still, by differences; both rods of a pair alike."""
    arms = forms.R_B * forms.U + forms.arms(model.inverse_kinematics(x))
    columns = []
    for step in _STEP * np.eye(4):
        ends = [np.linalg.norm(forms.plate_points(x + side * step) - arms, axis=1) for side in (1, -1)]
        columns.append(np.repeat((ends[0] - ends[1]) / (2 * _STEP), 2))
    return np.stack(columns, axis=1)


def e2(setup: Setup) -> Numbers:
    """L of section IV: the arm, or the forearm."""
    change = _read(setup, forearm=forms.ROD) - _read(setup)
    exchanged = forms.inverse_kinematics(forms.POSE, arm=forms.ROD, rod=forms.ARM)
    off = np.abs(exchanged - setup.model("par4").inverse_kinematics(forms.POSE))
    return {**_four("t", change), "angle": float(off.max())}


def e3(setup: Setup) -> Numbers:
    """J_q^-1 J_x1 against the model, with the yaw in the right rows and in the others."""
    J = setup.model("par4").inverse_jacobian(forms.POSE)
    diagonal = forms.diagonal_of_20(forms.POSE, forms.V)[:, None]
    off = [np.abs(forms.rows_of_19(forms.POSE, rows) / diagonal - J)[:, 3] for rows in ((0, 1), (2, 3))]
    return {"right": float(off[0].max()), "wrong": float(off[1].min())}


def e4(_: Setup) -> Numbers:
    """(20) with the motor axis, and with the radial vector."""
    q = forms.inverse_kinematics(forms.POSE)
    s = forms.forearms(forms.POSE, q)
    slope = forms.ARM * (np.cos(q)[:, None] * forms.UP - np.sin(q)[:, None] * forms.U)
    right = forms.diagonal_of_20(forms.POSE, forms.V) - np.sum(s * slope, axis=-1)
    wrong = forms.diagonal_of_20(forms.POSE, forms.U) - np.sum(s * slope, axis=-1)
    return {"right": float(np.abs(right).max()), "wrong": float(np.abs(wrong).min())}


def e5(setup: Setup) -> Numbers:
    """What a tool's inertia of 5e-5 kg m2 costs in a cycle that turns."""
    par4 = setup.model("par4")
    tool = par4.with_parameters({"plate.tool_inertia": 5e-5})
    lost = {}
    for name, case in FASTER.items():
        without, with_tool = (cycle_torques(case, model, np.pi / 4)[1] for model in (par4, tool))
        lost[name] = float(np.abs(with_tool - without).max())
    return lost


def e6(setup: Setup) -> Numbers:
    """The velocity term of (31), and (35) against the model."""
    off = {True: 0.0, False: 0.0}
    states = random_states()
    exact, rates = _halves(setup).inverse_dynamics(*states), setup.model("par4").joint_accelerations(*states)
    for state, qdd, wanted in zip(zip(*states, strict=True), rates, exact, strict=True):
        for swing in (True, False):
            found = forms.torques(*state, qdd, swing=swing)
            off[swing] = max(off[swing], float(np.abs(found - wanted).max()))
    return {"right": off[True], "wrong": off[False]}


def e7(setup: Setup) -> Numbers:
    """X_1'' in the place of X_2'' in (33)."""
    right, wrong = _read(setup), _read(setup, second=False)
    return {**_four("t", right), **_four("d", wrong - right), **{k: _mistaken(setup, c) for k, c in FASTER.items()}}


def _mistaken(setup: Setup, case: NabatCycle) -> float:
    """How far the printed (33) is off in a cycle that turns (N m)."""
    par4 = setup.model("par4")
    samples = nabat2005_cycle(case, par4, yaw=(-np.pi / 4, np.pi / 4)).sample(4000.0, corners=True)
    qdd = par4.joint_accelerations(samples.x, samples.xd, samples.xdd)
    states = zip(samples.x, samples.xd, samples.xdd, qdd, strict=True)
    off = [forms.torques(*state, second=False) - forms.torques(*state) for state in states]
    return float(np.abs(off).max())


def e8(setup: Setup) -> Numbers:
    """Sin in (34)."""
    off = np.abs(_read(setup, vertical=True) - _read(setup))
    rest = np.zeros(4)
    static = forms.torques(forms.POSE, rest, rest, rest)
    return {"least": float(off.min()), "most": float(off.max()), **_four("s", static)}


def e9(setup: Setup) -> Numbers:
    """(35) against the model."""
    return {"right": e6(setup)["right"]}


def e10(setup: Setup) -> Numbers:
    """Internal margins in the cylinder, and at a singular pose."""
    par4 = setup.model("par4")
    there = par4.margins(SINGULAR)
    return {
        "cylinder": float(internal_margins(par4, 0.3, (-0.75, -0.65)).min()),
        "singular": float(there.internal),
        "over": float(there.over),
    }


def e11(setup: Setup) -> Numbers:
    """Which chains sit on which half plate."""
    exchanged = forms.inverse_kinematics(forms.POSE, moved=(2, 3))
    opened = 1e3 * np.abs(np.linalg.norm(forms.forearms(forms.POSE, exchanged), axis=-1) - forms.ROD)
    masses = forms.MASSES._replace(m1=forms.MASSES.m2, m2=forms.MASSES.m1)
    state = (forms.POSE, forms.RATE, forms.CHANGE)
    qdd = setup.model("par4").joint_accelerations(*state)
    change = forms.torques(*state, qdd, masses) - forms.torques(*state, qdd)
    return {
        **_four("w", exchanged),
        **_four("q", setup.model("par4").inverse_kinematics(forms.POSE)),
        "least": float(opened.min()),
        "most": float(opened.max()),
        "change": float(np.abs(change).max()),
    }


def e13(setup: Setup) -> Numbers:
    """How far the simplified model errs, still and turning, with halves and with two thirds at the elbow."""
    found: dict[str, Value] = {}
    shares, better = [], []
    cases: Mapping[str, NabatCycle] = {"ten": "10G", **FASTER}
    for name, case in cases.items():
        for suffix, yaw in (("", 0.0), ("_turn", np.pi / 4)):
            off, peak = simplification(case, yaw, setup)
            found[f"{name}{suffix}"], found[f"{name}{suffix}_peak"] = off, peak
            shares.append(100 * off / peak)
            thirds, exact = (
                cycle_torques(case, setup.model("par4").with_rod_model(rods), yaw)[1]
                for rods in ("two-thirds", "slender")
            )
            better.append(100 * float(np.abs(thirds - exact).max()) / peak)
    names = {"low": min(shares), "high": max(shares), "third_low": min(better), "third_high": max(better)}
    return {**found, **names}


def e14(setup: Setup) -> Numbers:
    """What one law would need, and the times of trapezoids."""
    slow, fast = "2.5 m/s, 100 m/s2", "3.8 m/s, 130 m/s2"
    stretch = 3.8 / 2.5
    return {
        "stretch": stretch,
        "slowed": 130 / stretch**2,
        "needed": 0.45 / stretch,
        "slow": cycle(slow, setup).duration,
        "fast": cycle(fast, setup).duration,
        "plate": 100 * nabat2005_overlap(per_stroke=False),
        "stroke": 100 * nabat2005_overlap(per_stroke=True),
        "g": plate_acceleration(setup)["each stroke"]["acceleration"],
    }


def f3(_: Setup) -> Numbers:
    """The reasons against I4 and Delta."""
    lives = joint_lives(("par4", "i4"))
    hours = {name: min(joint.hours for joint in joints) for name, joints in lives.items()}
    stiff, cost = yaw_compared(("par4", "delta-4")), telescope_cost()
    return {
        **hours,
        "stiff": stiff["delta-4"].smallest / stiff["par4"].smallest,
        "rim": 100 * (1 - stiff["delta-4"].smallest / stiff["delta-4"].axis),
        "mass": 1e3 * cost.mass,
        "cost": 100 * (1 - cost.after / cost.before),
    }


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
    "E13": e13,
    "E14": e14,
    "F3": f3,
}
"""What computes the numbers of each erratum."""
