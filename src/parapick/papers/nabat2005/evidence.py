"""The numbers of the evidence of nabat2005's errata, computed: its equations in several readings against the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from parapick.inspection import pair_determinants, rod_pair_matrix
from parapick.model import Model
from parapick.papers.nabat2005 import formulas
from parapick.papers.nabat2005.alternatives import joint_lives, telescope_cost, yaw_compared
from parapick.papers.nabat2005.cycles import NabatCycle, nabat2005_cycle, nabat2005_overlap
from parapick.papers.nabat2005.numbers import (
    SINGULAR,
    cycle,
    cycle_torques,
    internal_margins,
    plate_acceleration,
    simplification,
)
from parapick.papers.setup import Setup
from parapick.papers.stated_number import Value

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
    state = (formulas.POSE, formulas.RATE, formulas.CHANGE)
    return formulas.torques(*state, setup.model("par4").joint_accelerations(*state), formulas.MASSES, **readings)


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


def matrix_of_8(setup: Setup) -> Numbers:
    """The 8 x 7 matrix of (8) by differences of the rods' lengths, and minors of J_int."""
    model = setup.model("par4")
    x = random_states(200)[0]
    matrix = rod_pair_matrix(model, x)
    off = max(float(np.abs(J[:, :4] - _rod_rates(model, pose)).max()) for J, pose in zip(matrix, x, strict=True))
    minors = pair_determinants(model, formulas.POSE)
    return {"off": off, **{f"d{name.removeprefix('D_')}": float(value) for name, value in minors.items()}}


def _rod_rates(model: Model, x: np.ndarray) -> np.ndarray:
    """Slopes (8, 4) of the rods' lengths with the arms standing still, by differences; both rods of a pair alike."""
    arms = formulas.R_B * formulas.U + formulas.arms(model.inverse_kinematics(x))
    columns = []
    for step in _STEP * np.eye(4):
        ends = [np.linalg.norm(formulas.plate_points(x + side * step) - arms, axis=1) for side in (1, -1)]
        columns.append(np.repeat((ends[0] - ends[1]) / (2 * _STEP), 2))
    return np.stack(columns, axis=1)


def length_of_section_4(setup: Setup) -> Numbers:
    """L of section IV: the arm, or the forearm."""
    change = _read(setup, forearm=formulas.ROD) - _read(setup)
    exchanged = formulas.inverse_kinematics(formulas.POSE, arm=formulas.ROD, rod=formulas.ARM)
    off = np.abs(exchanged - setup.model("par4").inverse_kinematics(formulas.POSE))
    return {**_four("t", change), "angle": float(off.max())}


def yaw_rows_of_19(setup: Setup) -> Numbers:
    """J_q^-1 J_x1 against the model, with the yaw in the right rows and in the others."""
    J = setup.model("par4").inverse_jacobian(formulas.POSE)
    diagonal = formulas.diagonal_of_20(formulas.POSE, formulas.V)[:, None]
    off = [np.abs(formulas.rows_of_19(formulas.POSE, rows) / diagonal - J)[:, 3] for rows in ((0, 1), (2, 3))]
    return {"right": float(off[0].max()), "wrong": float(off[1].min())}


def direction_in_20(_: Setup) -> Numbers:
    """(20) with the motor axis, and with the radial vector."""
    q = formulas.inverse_kinematics(formulas.POSE)
    s = formulas.forearms(formulas.POSE, q)
    slope = formulas.ARM * (np.cos(q)[:, None] * formulas.UP - np.sin(q)[:, None] * formulas.U)
    right = formulas.diagonal_of_20(formulas.POSE, formulas.V) - np.sum(s * slope, axis=-1)
    wrong = formulas.diagonal_of_20(formulas.POSE, formulas.U) - np.sum(s * slope, axis=-1)
    return {"right": float(np.abs(right).max()), "wrong": float(np.abs(wrong).min())}


def cost_of_tool_inertia(setup: Setup) -> Numbers:
    """What a tool's inertia of 5e-5 kg m2 costs in a cycle that turns."""
    par4 = setup.model("par4")
    tool = par4.with_parameters({"plate.tool_inertia": 5e-5})
    lost = {}
    for name, case in FASTER.items():
        without, with_tool = (cycle_torques(case, model, np.pi / 4)[1] for model in (par4, tool))
        lost[name] = float(np.abs(with_tool - without).max())
    return lost


def velocity_term_of_31(setup: Setup) -> Numbers:
    """The velocity term of (31), and (35) against the model."""
    off = {True: 0.0, False: 0.0}
    states = random_states()
    exact, rates = _halves(setup).inverse_dynamics(*states), setup.model("par4").joint_accelerations(*states)
    for state, qdd, wanted in zip(zip(*states, strict=True), rates, exact, strict=True):
        for swing in (True, False):
            torque = formulas.torques(*state, qdd, swing=swing)
            off[swing] = max(off[swing], float(np.abs(torque - wanted).max()))
    return {"right": off[True], "wrong": off[False]}


def acceleration_in_33(setup: Setup) -> Numbers:
    """X_1'' in the place of X_2'' in (33)."""
    right, wrong = _read(setup), _read(setup, second=False)
    return {**_four("t", right), **_four("d", wrong - right), **{k: _mistaken(setup, c) for k, c in FASTER.items()}}


def _mistaken(setup: Setup, case: NabatCycle) -> float:
    """How far the printed (33) is off in a cycle that turns (N m)."""
    par4 = setup.model("par4")
    samples = nabat2005_cycle(case, par4, yaw=(-np.pi / 4, np.pi / 4)).sample(4000.0, corners=True)
    qdd = par4.joint_accelerations(samples.x, samples.xd, samples.xdd)
    states = zip(samples.x, samples.xd, samples.xdd, qdd, strict=True)
    off = [formulas.torques(*state, second=False) - formulas.torques(*state) for state in states]
    return float(np.abs(off).max())


def sine_in_34(setup: Setup) -> Numbers:
    """Sin in (34)."""
    off = np.abs(_read(setup, vertical=True) - _read(setup))
    rest = np.zeros(4)
    static = formulas.torques(formulas.POSE, rest, rest, rest)
    return {"least": float(off.min()), "most": float(off.max()), **_four("s", static)}


def dynamics_of_35(setup: Setup) -> Numbers:
    """(35) against the model."""
    return {"right": velocity_term_of_31(setup)["right"]}


def margins_in_cylinder(setup: Setup) -> Numbers:
    """Internal margins in the cylinder, and at a singular pose."""
    par4 = setup.model("par4")
    there = par4.margins(SINGULAR)
    return {
        "cylinder": float(internal_margins(par4, 0.3, (-0.75, -0.65)).min()),
        "singular": float(there.internal),
        "over": float(there.over),
    }


def chains_on_half_plates(setup: Setup) -> Numbers:
    """Which chains sit on which half plate."""
    exchanged = formulas.inverse_kinematics(formulas.POSE, moved=(2, 3))
    opened = 1e3 * np.abs(np.linalg.norm(formulas.forearms(formulas.POSE, exchanged), axis=-1) - formulas.ROD)
    masses = formulas.MASSES._replace(m1=formulas.MASSES.m2, m2=formulas.MASSES.m1)
    state = (formulas.POSE, formulas.RATE, formulas.CHANGE)
    qdd = setup.model("par4").joint_accelerations(*state)
    change = formulas.torques(*state, qdd, masses) - formulas.torques(*state, qdd)
    return {
        **_four("w", exchanged),
        **_four("q", setup.model("par4").inverse_kinematics(formulas.POSE)),
        "least": float(opened.min()),
        "most": float(opened.max()),
        "change": float(np.abs(change).max()),
    }


def errors_of_simplified_model(setup: Setup) -> Numbers:
    """How far the simplified model errs, still and turning, with halves and with two thirds at the elbow."""
    errors: dict[str, Value] = {}
    shares, better = [], []
    cases: Mapping[str, NabatCycle] = {"ten": "10G", **FASTER}
    for name, case in cases.items():
        for suffix, yaw in (("", 0.0), ("_turn", np.pi / 4)):
            off, peak = simplification(case, yaw, setup)
            errors[f"{name}{suffix}"], errors[f"{name}{suffix}_peak"] = off, peak
            shares.append(100 * off / peak)
            thirds, exact = (
                cycle_torques(case, setup.model("par4").with_rod_model(rods), yaw)[1]
                for rods in ("two-thirds", "slender")
            )
            better.append(100 * float(np.abs(thirds - exact).max()) / peak)
    names = {"low": min(shares), "high": max(shares), "third_low": min(better), "third_high": max(better)}
    return {**errors, **names}


def laws_of_cycle_times(setup: Setup) -> Numbers:
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


def reasons_against_i4_and_delta(_: Setup) -> Numbers:
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
    "E1": matrix_of_8,
    "E2": length_of_section_4,
    "E3": yaw_rows_of_19,
    "E4": direction_in_20,
    "E5": cost_of_tool_inertia,
    "E6": velocity_term_of_31,
    "E7": acceleration_in_33,
    "E8": sine_in_34,
    "E9": dynamics_of_35,
    "E10": margins_in_cylinder,
    "E11": chains_on_half_plates,
    "E13": errors_of_simplified_model,
    "E14": laws_of_cycle_times,
    "F3": reasons_against_i4_and_delta,
}
"""What computes the numbers of each erratum."""
