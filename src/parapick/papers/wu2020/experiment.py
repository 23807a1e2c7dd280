"""The experiment of wu2020 in simulation: which imperfections give the errors and the buffeting that it measured.

The document reads joint errors from the motor encoders, finds "significant buffetings, particularly in the period of
acceleration/deceleration", blames irregular friction and backlash of the kinematic pairs, and predicts pose errors from
the joint errors that "may reach to 1 mm and 1.5 degrees". It states no size of any imperfection, no motor, no sampling.

Here the closed loop that gives its simulated figures (`control.py`, FIT1) meets one imperfection after the other.
The size of each is fitted to the 1 mm, and again to the 1.5 degrees: what is fitted agrees by construction, and what
follows beside it (the other figure, the buffeting, when it is strongest) is what speaks for or against an imperfection.
Play and springs are those of the drives; the passive joints, where the document suspects play, are ideal here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final, final

import numpy as np

from parapick.answer import Answer, Cell, Column, Table, percent
from parapick.control import (
    Controller,
    DriveTrain,
    Eccentricity,
    FrictionRipple,
    JointFriction,
    ModelChanges,
    NoiseTorque,
    PlantChanges,
)
from parapick.errors import ParapickError
from parapick.papers.captions import printed_text
from parapick.papers.setup import Setup
from parapick.papers.wu2020.buffeting import buffeting_energy
from parapick.papers.wu2020.control import CONTINUOUS, law, robot, sine_term
from parapick.papers.wu2020.cycles import wu2020_cycle
from parapick.roots import bisected
from parapick.simulation import Record, simulate

POSITION: Final = 1e-3
ANGLE: Final = math.radians(1.5)
"""Pose errors (m, rad) that the document predicts from its encoders."""

LIMIT: Final = 100.0
"""Torque limit (N m), chosen: twice the document's peak; without one a rattling rotor knows no bound."""

ROTOR: Final = 0.1
STIFFNESS: Final = 1e5
DAMPING: Final = 1e2
"""Inertia of each rotor (kg m2, at the joint), stiffness (N m/rad) and damping (N m s/rad) of the drive train, chosen:
the document states none. The controller knows the rotors. With rotors of 0.01 kg m2 its gains are unstable."""

RIPPLE: Final = 0.1
"""Displacement (rad) over which friction and encoders repeat, chosen: sixty times a turn, as the teeth of a gear."""

SCANNED: Final = 9
HALVINGS: Final = 6
"""Sizes looked at, evenly in logarithm, and halvings between the two that enclose a fit."""


@final
@dataclass(frozen=True)
class Imperfection:
    """One suspect.

    Attributes:
        name: what it is.
        unit: unit of its size.
        smallest: smallest size looked at.
        largest: largest size looked at; the stronger of the two, as with a spring, whose size is its compliance.
        plant: the plant with a size of it.
        rotors: whether the robot has rotors of their own.
    """

    name: str
    unit: str
    smallest: float
    largest: float
    plant: Callable[[float], PlantChanges]
    rotors: bool = False


@final
@dataclass(frozen=True)
class ExperimentRun:
    """What a run shows.

    Attributes:
        position: largest position error that the encoders predict (m).
        angle: largest yaw error that they predict (rad).
        plate: largest position error of the plate itself (m).
        buffeting: mean kinetic energy of the buffeting (J).
        accelerating: buffeting where the acceleration is above its median, over that below.
        torque: largest torque (N m).
        saturated: share of the samples in which some motor is at its limit.
    """

    position: float
    angle: float
    plate: float
    buffeting: float
    accelerating: float
    torque: float
    saturated: float


def _train(play: float | None, stiffness: float = STIFFNESS) -> DriveTrain:
    return DriveTrain(stiffness, DAMPING * stiffness / STIFFNESS, backlash=play, rotor=ROTOR)


IMPERFECTIONS: Final = (
    Imperfection("dry friction", "N m", 0.1, 20.0, lambda size: PlantChanges(friction=JointFriction(coulomb=size))),
    Imperfection(
        "irregular friction",
        "N m",
        0.05,
        10.0,
        lambda size: PlantChanges(friction=JointFriction(coulomb=size), ripple=FrictionRipple(1.0, RIPPLE)),
    ),
    Imperfection("play of the drives", "rad", 1e-4, 2e-2, lambda size: PlantChanges(drive_train=_train(size)), True),
    Imperfection(
        "compliance of the drives",
        "rad/(N m)",
        1e-6,
        1e-4,
        lambda size: PlantChanges(drive_train=_train(None, 1.0 / size)),
        True,
    ),
    Imperfection(
        "noise, 5 to 100 Hz", "N m", 0.05, 10.0, lambda size: PlantChanges(noise=NoiseTorque(size, 5.0, 100.0))
    ),
    Imperfection(
        "eccentric encoders", "rad", 1e-4, 1e-2, lambda size: PlantChanges(eccentricity=Eccentricity(size, RIPPLE))
    ),
    Imperfection("unknown mass", "kg", 0.01, 1.0, lambda size: PlantChanges(payload=size)),
)
"""Everything that is tried, one at a time."""


def run_with(number: int | None, size: float) -> Record:
    """The loop with one imperfection.

    Args:
        number: which of `IMPERFECTIONS`; None for none.
        size: its size.
    """
    suspect = None if number is None else IMPERFECTIONS[number]
    plant = PlantChanges() if suspect is None else suspect.plant(size)
    rotors = {"drive.inertia": ROTOR} if suspect is not None and suspect.rotors else {}
    controller = Controller(
        law(sine_term("FIT1")),
        rate=CONTINUOUS,
        torque_max=LIMIT,
        model=ModelChanges(parameters=rotors),
        plant=plant,
    )
    cycle = wu2020_cycle("FIT1")
    # What the tool may hold unknown to the controller, it holds both ways.
    return simulate(robot(), cycle.carrying(0.0, 0.0, cycle.duration), controller)


def pose_from_encoders(record: Record) -> np.ndarray:
    """Pose errors (T, 4), m and rad, that the measured joint angles predict, as the document predicts them.

    Args:
        record: a run.
    """
    return robot().forward_kinematics(record.q_meas, guess=record.x_ref) - record.x_ref


@cache
def outcome(number: int | None, size: float) -> ExperimentRun | None:
    """What a run with one imperfection shows; None where it diverged.

    Args:
        number: which of `IMPERFECTIONS`; None for none.
        size: its size.
    """
    record = run_with(number, size)
    if not record.completed:
        return None
    predicted = pose_from_encoders(record)
    energy = buffeting_energy(robot(), record)
    acceleration = np.linalg.norm(record.xdd_ref, axis=1)
    fast = acceleration > np.median(acceleration)
    return ExperimentRun(
        position=float(np.linalg.norm(predicted[:, :3], axis=1).max()),
        angle=float(np.abs(predicted[:, 3]).max()),
        plate=float(record.distance.max()),
        buffeting=float(energy.mean()),
        accelerating=float(energy[fast].mean() / energy[~fast].mean()),
        torque=float(np.abs(record.torque).max()),
        saturated=float((np.abs(record.torque) >= LIMIT).any(axis=1).mean()),
    )


def fitted(number: int, target: str) -> tuple[float, ExperimentRun] | None:
    """The smallest size at which an imperfection brings a figure of the document, and what follows beside it.

    Args:
        number: which of `IMPERFECTIONS`.
        target: "position" for the 1 mm, "angle" for the 1.5 degrees.

    Returns:
        Size and outcome; None where no size that was tried brings it.
    """
    wanted = {"position": POSITION, "angle": ANGLE}[target]

    def reached(size: float) -> bool:
        shown = outcome(number, size)
        return shown is None or getattr(shown, target) >= wanted

    suspect = IMPERFECTIONS[number]
    sizes = np.geomspace(suspect.smallest, suspect.largest, SCANNED).tolist()
    first = next((k for k, size in enumerate(sizes) if reached(size)), None)
    if first is None:
        return None
    ends = sizes[max(first - 1, 0)], sizes[first]
    size = float(bisected(lambda size: not reached(float(size)), *ends, HALVINGS, geometric=True)[1])
    shown = outcome(number, size)
    return None if shown is None else (size, shown)


PLAY: Final = next(number for number, suspect in enumerate(IMPERFECTIONS) if suspect.name == "play of the drives")
"""The suspect that brings the errors and the buffeting."""

TARGETS: Final = ("position", "angle")
"""What sizes are fitted to."""


def fitted_to(target: str) -> str:
    """The figure of the document that a size is fitted to, as it prints it.

    Args:
        target: one of `TARGETS`.
    """
    name, unit = {"position": ("position", "mm"), "angle": ("orientation", "deg")}[target]
    return f"{printed_text('wu2020', 'experiment', name)} {unit}"


def play_fitted() -> tuple[float, ExperimentRun]:
    """Play (rad) that brings the printed position error, and what follows.

    Raises:
        ParapickError: no size that was tried brings it.
    """
    fit = fitted(PLAY, "position")
    if fit is None:
        raise ParapickError(f"no play of the drives brings the printed {fitted_to('position')}")
    return fit


def play_record(size: float) -> Record:
    """The loop with play in its drives.

    Args:
        size: the play (rad).
    """
    return run_with(PLAY, size)


def experiment_words(shown: ExperimentRun) -> str:
    """What a run with play brings, beside what the document says of its torques.

    Args:
        shown: what the run shows.
    """
    errors = f"errors of {1e3 * shown.position:.2f} mm and {math.degrees(shown.angle):.2f} deg by the encoders"
    stated = printed_text("wu2020", "errors", "torque (N m)")
    agreed = f"the document finds its measured torques in good agreement with the simulated {stated} N m"
    if not shown.saturated:
        return f"{errors}, torques up to {shown.torque:.0f} N m; {agreed}"
    limit = f"torques at the chosen limit of {LIMIT:g} N m in {percent(shown.saturated)} of the samples"
    return f"{errors}, {limit}, where {agreed}: play explains the errors and the buffeting, not the torques"


def experiment_table(_: Setup | None = None) -> Table:
    """Every imperfection, its size fitted to either figure of the document, and what follows.

    Args:
        _: robots and numbers; the experiment is computed with those that are shipped.
    """
    columns = (
        Column("imperfection"),
        Column("fitted to"),
        Column("size"),
        Column("unit"),
        Column("position", "m", decimals=2),
        Column("angle", "rad", shown="deg", decimals=2),
        Column("plate", "m", decimals=2),
        Column("buffeting", "J", shown="mJ", decimals=3),
        Column("accelerating", decimals=1),
        Column("torque", "N m", decimals=0),
    )
    ideal = outcome(None, 0.0)
    rows: list[tuple[Cell, ...]] = [] if ideal is None else [("none", "-", None, "", *_cells(ideal))]
    for number, suspect in enumerate(IMPERFECTIONS):
        for target in TARGETS:
            fit = fitted(number, target)
            if fit is None:
                rows.append((suspect.name, fitted_to(target), None, suspect.unit, *(None,) * 6))
            else:
                rows.append((suspect.name, fitted_to(target), fit[0], suspect.unit, *_cells(fit[1])))
    title = "the experiment in simulation: imperfections that bring the measured errors, and what comes with them"
    note = (
        "position and angle are predicted from the encoders, as the document does; plate is where the plate was; a row "
        "without a size: no size that was tried brings the figure, or the loop is lost before. With play: "
        f"{experiment_words(play_fitted()[1])}"
    )
    return Table("imperfections", title, columns, tuple(rows), note)


def experiment() -> Answer:
    """The experiment in simulation."""
    return Answer("wu2020-experiment", "wu2020, its experiment in simulation", tables=(experiment_table(),))


def _cells(shown: ExperimentRun) -> tuple[Cell, ...]:
    return shown.position, shown.angle, shown.plate, shown.buffeting, shown.accelerating, shown.torque
