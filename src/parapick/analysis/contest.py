"""Control laws side by side on one robot and motion, each as fast as one robustness constraint lets it be.

The constraint is the smallest singular value of `I + L` at instants of the motion, L the loop opened at the torques
that the drives are asked for: 0.5 bounds the gain from any disturbance of the torques by 2. What a law is then worth it
shows on a plant that it does not know: with dry friction, noise and a mass in the tool.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, final

import casadi as ca
import numpy as np

from parapick.analysis.limit_gain import at_frequency
from parapick.analysis.operating import linear_at, undisturbed
from parapick.answer import Answer, Cell, Column, Table
from parapick.control import LAWS, Controller, JointFriction, NoiseTorque, PlantChanges, with_sharing_rule
from parapick.control.choosing import machine_controller
from parapick.errors import ParameterError
from parapick.model import Model
from parapick.model.naming import headline
from parapick.motion import Motion
from parapick.simulation import Record, fault_of, simulate
from parapick.simulation.assembling import assembled
from parapick.simulation.buffeting import buffeting_energy
from parapick.simulation.control_step import control_step
from parapick.simulation.fused import symbols_of
from parapick.simulation.summary import cycle_rows

MARGIN: Final = 0.5
"""Smallest singular value of `I + L` that a law must keep: the usual bound of 2 on the sensitivity."""

INSTANTS: Final = 4
"""Instants of the motion at which it is looked at, evenly spread."""

LOWEST: Final = 5.0
HIGHEST: Final = 120.0
RUNGS: Final = 9
HALVINGS: Final = 5
"""Frequencies of the poles (Hz) between which the fastest is looked for, how many are tried from the highest down, and
halvings between the two that enclose it."""

CYCLES: Final = 8
"""Cycles that are run; the last of them counts, when adaptation and learning have had their time."""

FRICTION: Final = 0.04
NOISE: Final = 0.01
"""Dry friction of each joint, and the root mean square of noise, as shares of the largest torque along the motion."""

BAND: Final = (5.0, 200.0)
"""Frequencies (Hz) of the noise."""

MASS: Final = 0.05
"""Mass in the tool that no law knows, as a share of the mass that the plate feels at the motion's start."""


@final
@dataclass(frozen=True)
class Contestant:
    """A law in the contest.

    Attributes:
        law: its name.
        frequency: of the poles that it was given (Hz).
        margin: smallest singular value of `I + L` with these; None where it has no linear loop.
        operations: instructions of a step of the controller.
        record: its run; the last cycle alone.
        energy: mean kinetic energy of its buffeting (J).
    """

    law: str
    frequency: float
    margin: float | None
    operations: int
    record: Record
    energy: float


def contest(
    model: Model, motion: Motion, title: str, laws: Iterable[str] = tuple(LAWS), margin: float = MARGIN
) -> Answer:
    """Control laws side by side: error, buffeting, torque and computation, all under one robustness constraint.

    Args:
        model: the robot.
        motion: the motion; it ends where it starts.
        title: the motion in words.
        laws: names of `LAWS`.
        margin: smallest singular value of `I + L` that each must keep.

    Raises:
        UnknownControlLawError: no law has one of the names.
        ParameterError: a law keeps the margin at no frequency.
    """
    ran = [contestant(model, motion, name, margin) for name in laws]
    columns = (
        Column("law"),
        Column("poles", "Hz", decimals=1),
        Column("margin", decimals=2),
        Column("RMS", "m", decimals=4),
        Column("peak", "m", decimals=4),
        Column("buffeting", "J", shown="mJ", decimals=4),
        Column("torque", model.motors.torque_unit, decimals=2),
        Column("operations", decimals=0),
        Column("fault"),
    )
    table = Table(
        "laws", f"laws at a margin of {margin:g}, the last of {CYCLES} cycles", columns, tuple(map(_row, ran))
    )
    line = "dry friction, noise and a mass in the tool that no law knows"
    return Answer("contest", headline(model, f"and {title}", line), tables=(table,), notes=tuple(_winners(ran)))


def contestant(model: Model, motion: Motion, name: str, margin: float = MARGIN) -> Contestant:
    """A law with its fastest poles, run on a plant that it does not know.

    Args:
        model: the robot.
        motion: the motion.
        name: name of the law.
        margin: smallest singular value of `I + L` to keep.
    """
    controller = with_sharing_rule(machine_controller(name), model)
    frequency, kept = fastest(model, motion, controller, margin)
    chosen = replace(at_frequency(controller, frequency), plant=unknown_plant(model, motion))
    record = simulate(model, motion, chosen, cycles=CYCLES)
    last = _last(record) if record.completed else record
    energy = float(buffeting_energy(model, last).mean()) if record.completed else math.nan
    return Contestant(name, frequency, kept, operations(model, motion, chosen), last, energy)


def fastest(model: Model, motion: Motion, controller: Controller, margin: float = MARGIN) -> tuple[float, float | None]:
    """The highest frequency (Hz) of its poles at which a law keeps the margin, and the margin there.

    A law without a linear loop gets the poles of sliding mode, whose surface it shares.

    Args:
        model: the robot.
        motion: the motion.
        controller: the controller.
        margin: smallest singular value of `I + L` to keep.

    Raises:
        ParameterError: it keeps the margin at no frequency.
    """
    if not getattr(controller.law, "sloped", True):
        twin = with_sharing_rule(machine_controller("sliding-mode"), model)
        return fastest(model, motion, twin, margin)[0], None
    ladder = np.geomspace(HIGHEST, LOWEST, RUNGS).tolist()
    high = ladder[0]
    for low in ladder:
        kept = margin_at(model, motion, at_frequency(controller, low))
        if kept >= margin:
            break
        high = low
    else:
        law: Any = controller.law
        raise ParameterError("law", f"{law.name} keeps a margin of {margin:g} at no frequency above {LOWEST:g} Hz")
    for _ in range(HALVINGS if high > low else 0):
        middle = math.sqrt(low * high)
        tried = margin_at(model, motion, at_frequency(controller, middle))
        low, high, kept = (middle, high, tried) if tried >= margin else (low, middle, kept)
    return low, kept


def margin_at(model: Model, motion: Motion, controller: Controller) -> float:
    """Smallest singular value of `I + L` over instants of a motion; 0 where the loop is unstable.

    Args:
        model: the robot.
        motion: the motion.
        controller: the controller.
    """
    made = undisturbed(model, motion, controller)
    times = motion.duration * (np.arange(INSTANTS) + 0.5) / INSTANTS
    loops = [linear_at(made, float(time)) for time in times]
    return min(loop.margins().singular if loop.stable else 0.0 for loop in loops)


def unknown_plant(model: Model, motion: Motion) -> PlantChanges:
    """A plant that no law knows, its imperfections in proportion to what the motion asks of the motors.

    Args:
        model: the robot.
        motion: the motion.
    """
    samples = motion.sample(500.0)
    torque = np.abs(model.inverse_dynamics(samples.x, samples.xd, samples.xdd)).max(axis=0)
    mass = MASS * float(model.mass_matrix(samples.x[0])[0, 0])
    return PlantChanges(
        payload=mass,
        friction=JointFriction(coulomb=tuple((FRICTION * torque).tolist())),
        noise=NoiseTorque(tuple((NOISE * torque).tolist()), *BAND),
    )


def operations(model: Model, motion: Motion, controller: Controller) -> int:
    """Instructions of one step of a controller, sensing included.

    Args:
        model: the robot.
        motion: the motion.
        controller: the controller.
    """
    control = control_step(symbols_of(assembled(model, motion, controller).loop).loop)
    outputs = ca.vertcat(control.next, control.applied)
    step = ca.Function("step", [ca.vertcat(*ca.symvar(outputs))], [outputs])
    return int(step.n_instructions() - step.nnz_in() - step.nnz_out())


def _last(record: Record) -> Record:
    """The last cycle of a record."""
    rows = cycle_rows(record.t, float(record.cycle or record.t[-1]), CYCLES)[-1]
    series = {name: value[rows] for name, value in vars(record).items() if _per_sample(value, record)}
    return replace(record, **series, estimate={}, terms={}, motor={}, phases=())  # pyright: ignore[reportArgumentType]


def _per_sample(value: Any, record: Record) -> bool:
    return isinstance(value, np.ndarray) and len(value) == len(record.t)


def _row(one: Contestant) -> tuple[Cell, ...]:
    fault = fault_of(one.record)
    word = None if fault is None else fault.kind
    if not one.record.completed:
        return one.law, one.frequency, one.margin, None, None, None, None, one.operations, word
    distance, torque = one.record.distance, one.record.torque
    rms, peak = float(np.sqrt(np.mean(distance**2))), float(distance.max())
    effort = float(np.sqrt(np.mean(torque**2)))
    return one.law, one.frequency, one.margin, rms, peak, one.energy, effort, one.operations, word


def _winners(ran: list[Contestant]) -> Iterator[str]:
    sound = [one for one in ran if fault_of(one.record) is None]
    if not sound:
        return
    best = min(sound, key=lambda one: float(np.mean(one.record.distance**2)))
    calm = min(sound, key=lambda one: one.energy)
    least = min(sound, key=lambda one: one.operations)
    yield f"least error: {best.law}; least buffeting: {calm.law}; least computation: {least.law}"
