"""The closed loop of wu2020 (23) to (27): computed torque with a term f of unclear place and reading.

With f in plant and controller, or in neither, (23) and (24) cancel and there is no error at all. What fits the printed
-0.491 mm best is f in the controller alone, with joint angles that mirror the arrangement of the legs. The reference
cycles FIT1 and FIT2 were tuned after seeing the printed figures: agreement is a fit and no proof.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, final

import numpy as np

from parapick.control import (
    ComputedTorque,
    Controller,
    Measured,
    PlantChanges,
    Reference,
    SensedPose,
    SensedRates,
    SineTerm,
)
from parapick.papers.wu2020.cycles import wu2020_cycle
from parapick.parameters import leaves
from parapick.robots import load
from parapick.simulation import Disturbance, simulate, summary

if TYPE_CHECKING:
    from parapick.model import Model
    from parapick.motion import Motion
    from parapick.simulation import Record

KP: Final = 955.0
KD: Final = 1000.0
LAMBDA: Final = 0.5
"""Gains (1/s2, 1/s) and lambda (N m) of (27)."""

CONTINUOUS: Final = 16000.0
"""Control rate (Hz) at which the hold no longer shows: the document's torque is continuous. From 16 to 64 kHz the
largest error changes by less than 0.001 mm."""

MIRROR: Final = (-1.0, 1.0, 1.0, -1.0)
OFFSET: Final = (math.pi, 0.0, 0.0, math.pi)
"""Joint angles of f, mirror-symmetric over the robot, from ours: theta = MIRROR q + OFFSET. With the angles of (1b) f
would give +0.10 mm and 0.11 degrees."""

Cycle = Literal["FIT1", "FIT2"]
READINGS: Final[dict[str, Literal["bracket", "plain"]]] = {"FIT1": "bracket", "FIT2": "plain"}
"""f1 = lambda (sin theta' - sin theta) on the cycle of 1 s, f2 = lambda sin theta' - sin theta on that of 0.5 s."""


def robot() -> Model:
    """The robot as the document models it: half of every rod at each of its ends."""
    return load("asymmetric-screw").with_rod_model("halves")


def poles() -> tuple[float, float]:
    """Poles of the error dynamics `e'' + kD e' + kP e = 0` (1/s), the slow one first."""
    slow, fast = sorted(np.roots([1.0, KD, KP]).real, reverse=True)
    return float(slow), float(fast)


def sine_term(cycle: Cycle) -> SineTerm:
    """The term f in the reading that fits a cycle.

    Args:
        cycle: "FIT1" or "FIT2".
    """
    return SineTerm(LAMBDA, READINGS[cycle], MIRROR, OFFSET)


def law(sine: SineTerm | None) -> ComputedTorque:
    """Computed torque with the document's gains and exact measurements.

    Args:
        sine: f in the controller; None: none.
    """
    return ComputedTorque(KP, KD, sine=sine, velocity=SensedRates(), pose=SensedPose())


@final
@dataclass(frozen=True)
class Errors:
    """The figures the document prints for its run.

    Attributes:
        dz: error in z where it is largest (m).
        dphi: error of the yaw where it is largest (rad).
        dx: error in x where it is largest (m).
        torque: peak torque of every motor (N m).
        joint_end: largest joint error at the end (rad).
    """

    dz: float
    dphi: float
    dx: float
    torque: tuple[float, ...]
    joint_end: float


def errors_of(record: Record) -> Errors:
    """The printed figures of a run.

    Args:
        record: a run.
    """
    totals = summary(record)
    return Errors(
        dz=totals.error["z"].value,
        dphi=totals.error["yaw"].value,
        dx=totals.error["x"].value,
        torque=tuple(spread.peak for spread in totals.torque),
        joint_end=float(np.abs(record.joint_error[-1]).max()),
    )


def run(cycle: Cycle, *, cycles: int = 1, rate: float = CONTINUOUS) -> Record:
    """The run that fits best: f in the controller alone, plant with the masses of Table 1.

    Args:
        cycle: "FIT1" or "FIT2".
        cycles: how many times.
        rate: control rate (Hz) of the hold.
    """
    return _simulated(cycle, sine_term(cycle), rate=rate, cycles=cycles)


def mismatch(name: str, cycle: Cycle) -> Record:
    """A run with one candidate for what makes plant and controller differ.

    Args:
        name: a key of `MISMATCHES`.
        cycle: "FIT1" or "FIT2".
    """
    return MISMATCHES[name](cycle)


def _simulated(
    cycle: Cycle, term: SineTerm | None = None, *, rate: float = CONTINUOUS, real: SineTerm | None = None, **others: Any
) -> Record:
    """The document's robot on a cycle, with f in its controller and in the plant where terms are given."""
    model, controller = robot(), Controller(law(term), rate=rate, plant=PlantChanges(sine=real))
    return simulate(model, wu2020_cycle(cycle, model), controller, **others)


def _known_payload(cycle: Cycle) -> Record:
    """1 kg at the tool, which the lower platform carries and the controller knows."""
    return simulate(robot(), _loaded(cycle), Controller(law(sine_term(cycle)), rate=CONTINUOUS))


def _unknown_payload(cycle: Cycle) -> Record:
    """1 kg at the tool that the controller does not know."""
    return simulate(robot(), _loaded(cycle), Controller(law(None), rate=CONTINUOUS, payload_known=False))


def _loaded(cycle: Cycle) -> Motion:
    """The cycle with 1 kg both ways."""
    motion = wu2020_cycle(cycle, robot())
    return motion.carrying(1.0, 0.0, motion.duration)


def _split_payload(cycle: Cycle) -> Record:
    """1 kg that the controller does not know, half of it on each platform."""
    numbers = dict(leaves(robot().robot))
    heavier = {path: numbers[path] + 0.5 for path in ("plate.mass", "plate.carried_mass")}
    return _simulated(cycle, plant=robot().with_parameters(heavier))


def _offset(cycle: Cycle) -> Record:
    """All arms 1 mrad too low at the start."""
    model = robot()
    start = wu2020_cycle(cycle, model).start
    sagging = -1e-3 * np.sign(_heights(model)(model.inverse_kinematics(start))[1])
    offset = np.linalg.solve(model.inverse_jacobian(start), sagging)
    return _simulated(cycle, disturbance=Disturbance(offset=offset))


def _heights(model: Model) -> Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]:
    """Height of every elbow over its motor in arm lengths, and its slope, as functions of the joint angles (n,)."""
    legs = model.robot.rod_legs()
    forward, up = (np.array([float(getattr(leg, name)[2]) for leg in legs]) for name in ("forward", "up"))
    return lambda q: (np.cos(q) * forward + np.sin(q) * up, np.cos(q) * up - np.sin(q) * forward)


def _wrong_weight(weight: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Callable[[Cycle], Record]:
    """A controller whose arms' weight torque G_b is not the slope of the elbow's height but another function of it."""

    def run_of(cycle: Cycle) -> Record:
        model = robot()
        numbers, heights = dict(leaves(model.robot)), _heights(model)
        # Weight of the arm and of the near halves of both rods, times the arm: the amplitude of (15a), (16a).
        mass = numbers["limb.arm_mass"] / 2 + numbers["limb.rod_mass"]
        amplitude = mass * numbers["gravity"] * numbers["limb.arm"]

        def torque(_: float, measured: Measured, reference: Reference) -> np.ndarray:
            x, xd = measured.x, measured.xd
            q_ref = model.inverse_kinematics(reference.x)
            qd_ref = model.joint_rates(reference.x, reference.xd)
            wanted = model.joint_accelerations(reference.x, reference.xd, reference.xdd)
            wanted = wanted + KD * (qd_ref - measured.qd) + KP * (q_ref - measured.q)
            rest = model.inverse_jacobian_rate(x, xd) @ xd
            xdd = np.linalg.solve(model.inverse_jacobian(x), wanted - rest)
            height, slope = heights(measured.q)
            return model.inverse_dynamics(x, xd, xdd) + amplitude * (weight(height, slope) - slope)

        return simulate(model, wu2020_cycle(cycle, model), Controller(torque, rate=CONTINUOUS / 4))

    return run_of


MISMATCHES: Final[dict[str, Callable[[Cycle], Record]]] = {
    "none": _simulated,
    "f in both": lambda cycle: _simulated(cycle, sine_term(cycle), real=sine_term(cycle)),
    "f in the controller": lambda cycle: _simulated(cycle, sine_term(cycle)),
    "f in the plant": lambda cycle: _simulated(cycle, real=sine_term(cycle)),
    "f in the controller, angles of (1b)": lambda cycle: _simulated(cycle, SineTerm(LAMBDA, READINGS[cycle])),
    "f in the controller, 1 kg known": _known_payload,
    "f in the controller, real rods": lambda cycle: _simulated(cycle, sine_term(cycle), plant=load("asymmetric-screw")),
    "real rods": lambda cycle: _simulated(cycle, plant=load("asymmetric-screw")),
    "1 kg unknown": _unknown_payload,
    "1 kg unknown, on both platforms": _split_payload,
    "G_b as printed": _wrong_weight(lambda height, _: -height),
    "G_b with |cos| for |sin|": _wrong_weight(lambda height, slope: np.sign(slope) * np.abs(height)),
    "arms 1 mrad too low at the start": _offset,
    "hold of 1 ms": lambda cycle: _simulated(cycle, rate=1000.0),
}
"""Candidates for what was simulated, by what plant and controller do not share (wu2020, erratum E9)."""
