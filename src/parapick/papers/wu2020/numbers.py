"""What wu2020 prints, computed: torque and errors of its closed loop by reading, its optimal gains, its claims."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, cast

import numpy as np

from parapick.answer import Column, Table
from parapick.control import Controller, PlantChanges, SineTerm
from parapick.model import Model
from parapick.motion import Motion
from parapick.papers.documents import document
from parapick.papers.reproduction import Computed
from parapick.papers.setup import OnDemand, Setup
from parapick.papers.stated_number import Undetermined
from parapick.papers.wu2020.control import (
    CONTINUOUS,
    KD,
    KP,
    LAMBDA,
    MISMATCHES,
    Cycle,
    errors_of,
    law,
    mismatch,
    sine_term,
)
from parapick.papers.wu2020.experiment import experiment_table
from parapick.simulation import Record, simulate
from parapick.tasks import AdeptTask, load_task

LOAD: Final = 1.0
"""Payload (kg) of the document's footnote d."""

GAIN_MAX: Final = 1000.0
LAMBDA_MAX: Final = 10.0
"""Bounds of (26)."""

SEARCH_RATE: Final = 8000.0
"""Control rate (Hz) at which gains are searched."""

STILL: Final = 0.2
"""A sample belongs to constant velocity where the acceleration is below this share of its peak."""


def robot(setup: Setup, rods: str = "halves") -> Model:
    """The robot.

    Args:
        setup: robots and numbers.
        rods: its rod model; halves as the document has it.
    """
    return setup.once(("robot", rods), lambda: setup.model("asymmetric-screw").with_rod_model(rods))


def loop(setup: Setup, cycle: str, reading: str) -> Record:
    """A closed loop.

    Args:
        setup: robots and numbers.
        cycle: "FIT1", "FIT2" or "PAY1".
        reading: where f stands: "controller", "plant", "both" or "none".
    """
    return setup.once(("loop", cycle, reading), lambda: _loop(setup, cycle, reading))


def _loop(setup: Setup, cycle: str, reading: str) -> Record:
    term = f_of(setup, cycle, setup.number("lambda", LAMBDA))
    if reading == "controller":
        setup.uses("place of f")
    kp, kd = setup.number("k_P", KP), setup.number("k_D", KD)
    controlled = replace(law(term if reading in ("controller", "both") else None), kp=kp, kd=kd)
    real = PlantChanges(sine=term if reading in ("plant", "both") else None)
    model = robot(setup).with_payload(LOAD) if cycle == "PAY1" else robot(setup)
    motion = motion_of(cycle, setup)
    return simulate(model, motion, Controller(controlled, rate=CONTINUOUS, plant=real))


def f_of(setup: Setup, cycle: str, size: float) -> SineTerm:
    """The term f in the reading that goes with a cycle.

    Args:
        setup: robots and numbers.
        cycle: "FIT1", "FIT2" or "PAY1".
        size: lambda (N m).
    """
    setup.uses("form of f")
    return replace(sine_term(cast("Cycle", "FIT1" if cycle == "PAY1" else cycle)), lam=size)


def motion_of(cycle: str, setup: Setup) -> Motion:
    """The motion of a cycle, without its load.

    Args:
        cycle: "FIT1", "FIT2" or "PAY1".
        setup: robots and numbers.
    """
    return setup.once(("motion", cycle), lambda: _motion_of(cycle, setup))


def _motion_of(cycle: str, setup: Setup) -> Motion:
    task = cast("AdeptTask", load_task(f"wu2020-{cycle.lower()}"))
    x, y, z = cast("tuple[float, float, float]", task.center)
    raised = replace(task, center=(x, y, setup.number(f"cycle {cycle}", z)))
    return raised.motion(robot(setup))


READINGS: Final = {
    "FIT1": ("FIT1", "controller"),
    "FIT2": ("FIT2", "controller"),
    "1 kg": ("PAY1", "controller"),
    "FIT1, f in both": ("FIT1", "both"),
    "FIT1, f in the plant": ("FIT1", "plant"),
}
"""Cycle, and where f stands."""


def errors(setup: Setup) -> Computed:
    """Largest torque (N m) and pose errors (mm, deg)."""

    def of(reading: str) -> Mapping[str, float]:
        plate = errors_of(loop(setup, *READINGS[reading]))
        return {
            "torque (N m)": max(plate.torque),
            "error in z (mm)": 1e3 * plate.dz,
            "error of the yaw (deg)": float(np.degrees(abs(plate.dphi))),
        }

    return OnDemand(READINGS, of)


def statements(setup: Setup) -> Computed:
    """What the text says about its simulation."""

    def of(reading: str) -> Mapping[str, bool]:
        record = loop(setup, *READINGS[reading])
        ends, joints = errors_of(record), np.abs(record.joint_error).max(axis=1)
        torque = np.abs(record.torque).max(axis=0)
        pose = np.abs(record.error).max(axis=0)
        rates, hard = _rate_swings(record)
        return {
            "joint errors grow to the end": ends.joint_end > 0.95 * float(joints.max()),
            "the largest position error is in z": int(np.argmax(pose[:3])) == 2,
            "joints 2 and 4 have the largest torque": bool(min(torque[[1, 3]]) > max(torque[[0, 2]])),
            "the largest torque is where it accelerates": _accelerating(record),
            "rate errors fluctuate where it accelerates": hard > rates,
        }

    return OnDemand(list(READINGS)[:3], of)


def _accelerating(record: Record) -> bool:
    """Whether the largest torque comes at a sample of high acceleration."""
    size = np.linalg.norm(record.xdd_ref[:, :3], axis=1)
    return bool(size[np.abs(record.torque).max(axis=1).argmax()] > STILL * size.max())


def _rate_swings(record: Record) -> tuple[float, float]:
    """Span of the joint-rate errors (rad/s) at constant velocity, and where the plate accelerates."""
    error = record.qd - record.qd_ref
    size = np.linalg.norm(record.xdd_ref[:, :3], axis=1)
    calm = size < STILL * size.max()
    return float(np.ptp(error[calm], axis=0).max()), float(np.ptp(error[~calm], axis=0).max())


def cycles(setup: Setup) -> Computed:
    """Cycles per minute, by what counts as one."""
    counted = {"single moves of FIT1": ("FIT1", 2.0), "there and back of FIT1": ("FIT1", 1.0)}
    counted["there and back of FIT2"] = ("FIT2", 1.0)

    def of(reading: str) -> Mapping[str, float]:
        cycle, moves = counted[reading]
        return {"cycles per minute": moves * 60.0 / motion_of(cycle, setup).duration}

    return OnDemand(counted, of)


PLANTS: Final = {
    "lumped, no f": ("halves", False),
    "rods, no f": ("slender", False),
    "lumped, with f": ("halves", True),
    "rods, with f": ("slender", True),
}
"""Plants behind the optimisation (26): their rods, and whether they contain f with 0.5."""


def joint_cost(setup: Setup, plant: str, kp: float, kd: float, size: float) -> float:
    """The cost of (26): the integral of the norm of the joint errors (mrad s), f1 in the controller, on FIT1.

    Args:
        setup: robots and numbers.
        plant: a name of `PLANTS`.
        kp: gain k_P (1/s2).
        kd: gain k_D (1/s).
        size: lambda (N m).
    """
    return setup.once(("cost", plant, kp, kd, size), lambda: _joint_cost(setup, plant, kp, kd, size))


def _joint_cost(setup: Setup, plant: str, kp: float, kd: float, size: float) -> float:
    rods, containing = PLANTS[plant]
    real = robot(setup, rods)
    controlled = replace(law(f_of(setup, "FIT1", size)), kp=kp, kd=kd)
    changes = PlantChanges(sine=f_of(setup, "FIT1", LAMBDA) if containing else None)
    controller = Controller(controlled, rate=SEARCH_RATE, plant=changes)
    record = simulate(robot(setup), motion_of("FIT1", setup), controller, plant=real)
    return 1e3 * float(np.linalg.norm(record.joint_error, axis=1).mean() * record.t[-1])


def optimum(setup: Setup, plant: str) -> tuple[float, float, float]:
    """Gains and lambda that make (26) least, by turns along each of them within the bounds.

    Args:
        setup: robots and numbers.
        plant: a name of `PLANTS`.
    """
    return setup.once(("optimum", plant), lambda: _optimum(setup, plant))


def _optimum(setup: Setup, plant: str) -> tuple[float, float, float]:
    from scipy.optimize import minimize_scalar

    values, bounds = [KP, KD, LAMBDA], (GAIN_MAX, GAIN_MAX, LAMBDA_MAX)
    for _ in range(2):
        for place in (2, 1, 0):

            def cost(value: float, place: int = place) -> float:
                return joint_cost(setup, plant, *(value if i == place else kept for i, kept in enumerate(values)))

            best: Any = minimize_scalar(
                cost, bounds=(1e-3, bounds[place]), method="bounded", options={"xatol": 1e-3 * bounds[place]}
            )
            ends = {
                float(best.x): float(best.fun),
                bounds[place]: cost(bounds[place]),
                values[place]: cost(values[place]),
            }
            values[place] = min(ends, key=lambda value: ends[value])
    return values[0], values[1], values[2]


FLAT: Final = 1e3 * 1e-6 / 0.3
"""Cost (mrad s) below which gains cannot be told apart: 0.001 mm, the last digit of the errors that the document
prints, at the end of its arm of 300 mm for the 1 s of FIT1. Where a gain may move by the tolerance of its print for
less than this, (26) does not determine it."""


def gains(setup: Setup) -> Computed:
    """The optimum of (26), by plant; a gain in which the cost is flat there is not determined by it."""
    return OnDemand(PLANTS, lambda plant: OnDemand(FREE, lambda name: _gain(setup, plant, name)))


FREE: Final = {"k_P": GAIN_MAX, "k_D": GAIN_MAX, "lambda": LAMBDA_MAX}
"""What (26) leaves free, with its bounds."""


def _gain(setup: Setup, plant: str, name: str) -> float | Undetermined:
    """One number of the optimum, with what the cost says about it."""
    rise, step = steepness(setup, plant, name)
    best = optimum(setup, plant)[list(FREE).index(name)]
    if rise > FLAT:
        return best
    return Undetermined(
        best, f"the cost of (26) is flat in {name}: {step:.3g} beside its best it is {rise:.1g} mrad s larger (E10)"
    )


def steepness(setup: Setup, plant: str, name: str) -> tuple[float, float]:
    """By how much (mrad s) the cost grows at least where a gain leaves its best by the tolerance of its print; that.

    Args:
        setup: robots and numbers.
        plant: a name of `PLANTS`.
        name: a name of `FREE`.
    """
    group = document("wu2020").group("gains")
    step, best, place = group.slack(group.printed_numbers[name]), optimum(setup, plant), list(FREE).index(name)

    def cost(value: float) -> float:
        return joint_cost(setup, plant, *(value if i == place else kept for i, kept in enumerate(best)))

    def computed() -> float:
        beside = [value for value in (best[place] - step, best[place] + step) if 0.0 < value <= FREE[name]]
        return min(map(cost, beside)) - cost(best[place])

    return setup.once(("steepness", plant, name), computed), step


def mismatch_table(_: Setup) -> Table:
    """Errors by what plant and controller do not share."""
    rows = []
    for name in MISMATCHES:
        of_cycles = [errors_of(mismatch(name, cycle)) for cycle in ("FIT1", "FIT2")]
        rows.append(
            (name, *(number for errors in of_cycles for number in (1e3 * errors.dz, float(np.degrees(errors.dphi)))))
        )
    heads = [
        Column(f"{cycle}, {what}", decimals=3, signed=True)
        for cycle in ("FIT1", "FIT2")
        for what in ("z (mm)", "yaw (deg)")
    ]
    title = "largest errors by what plant and controller do not share"
    return Table("mismatches", title, (Column("what differs"), *heads), tuple(rows))


TABLES: Final = (mismatch_table, experiment_table)
"""Further tables of the document."""

NUMBERS: Final[Mapping[str, Callable[[Setup], Computed]]] = {
    "errors": errors,
    "statements": statements,
    "cycles": cycles,
    "gains": gains,
}
"""What computes each group of the document's record."""
