"""Control laws side by side on one robot and motion, each tuned under one robustness constraint.

The constraint is the smallest singular value of `I + L` at rest at poses of the motion, L the loop opened at what the
drives are asked for: 0.5 bounds the gain from any disturbance of the torques by 2. Under it every law gets the
poles that follow best on a plant that it does not know, with dry friction, noise and a mass in the tool.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, final

import casadi as ca
import numpy as np

from parapick.answer import Answer, Cell, Column, Table
from parapick.control import (
    LAWS,
    Controller,
    JointFriction,
    NoiseTorque,
    PlantChanges,
    Poles,
    by_poles,
    machine_controller,
    with_sharing_rule,
)
from parapick.model import Model
from parapick.model.naming import headline
from parapick.motion import Motion
from parapick.simulation import Record, buffeting_energy, fault_of, simulate
from parapick.simulation.assembling import assembled
from parapick.simulation.control_step import control_step
from parapick.simulation.fused import symbols_of
from parapick.simulation.summary import cycle_rows
from parapick.tuning.alike import default_bounds, stated_by_poles
from parapick.tuning.goals import SINGULAR, Goal
from parapick.tuning.search import SearchEffort
from parapick.tuning.tuning import tune

EFFORT: Final = SearchEffort(candidates=64, steps=8, polls=12, close=1e-2)
"""How much is tried for each law: two numbers, or three with an integral, to 1 % of their ranges."""

CYCLES: Final = 8
"""Cycles that are run; the last of them counts, when adaptation and learning have had their time."""

FRICTION: Final = 0.04
NOISE: Final = 0.01
"""Dry friction of each joint, and the root mean square of noise, as shares of the largest torque along the motion."""

BAND: Final = (5.0, 200.0)
"""Frequencies (Hz) of the noise."""

MASS: Final = 0.05
"""Mass in the tool that no law knows, as a share of the mass that the plate feels at the motion's start."""

LEARNING_DAMPING: Final = 0.71
"""Least damping of a law that learns: below, `|s^2 / (s^2 + 2 zeta w s + w^2)|` exceeds 1 somewhere, and what it learns
there from cycle to cycle grows. A tuning looks at one cycle and would not see it."""

TWIN: Final = "sliding-mode"
"""Law whose poles one without a linear loop gets: it has the same surface."""


@final
@dataclass(frozen=True)
class Poled:
    """A controller as it was tuned.

    Attributes:
        controller: the controller, ready to run.
        frequency: of its poles (Hz).
        damping: their damping ratio; a cascade has its own, and none here.
        margin: smallest singular value of `I + L`; None where it has no linear loop.
    """

    controller: Controller
    frequency: float
    damping: float | None
    margin: float | None


@final
@dataclass(frozen=True)
class Contestant:
    """A law in the contest.

    Attributes:
        law: its name.
        tuned: how it was tuned.
        operations: instructions of a step of the controller.
        record: its run; the last cycle alone.
        energy: mean kinetic energy of its buffeting (J); None where it diverged.
    """

    law: str
    tuned: Poled
    operations: int
    record: Record
    energy: float | None


def contest(
    model: Model, motion: Motion, title: str, laws: Iterable[str] = tuple(LAWS), margin: float = SINGULAR
) -> Answer:
    """Control laws side by side: error, buffeting, torque and computation, all tuned under one constraint.

    Args:
        model: the robot.
        motion: the motion; it ends where it starts.
        title: the motion in words.
        laws: names of `LAWS`.
        margin: smallest singular value of `I + L` that each must keep.

    Raises:
        UnknownControlLawError: no law has one of the names.
        NoGainsError: a law keeps the margin nowhere.
    """
    ran = [contestant(model, motion, name, margin) for name in laws]
    columns = (
        Column("law"),
        Column("poles", "Hz", decimals=1),
        Column("damping", decimals=2),
        Column("margin", decimals=2),
        Column("RMS", "m", decimals=4),
        Column("peak", "m", decimals=4),
        Column("buffeting", "J", shown="mJ", decimals=4),
        Column("torque", model.motors.torque_unit, decimals=2),
        Column("operations", decimals=0),
        Column("fault"),
    )
    heading = f"laws at a margin of {margin:g}, the last of {CYCLES} cycles"
    table = Table("laws", heading, columns, tuple(map(_row, ran)))
    line = "dry friction, noise and a mass in the tool that no law knows"
    return Answer("contest", headline(model, f"and {title}", line), tables=(table,), notes=tuple(_winners(ran)))


def contestant(model: Model, motion: Motion, name: str, margin: float = SINGULAR) -> Contestant:
    """A law, tuned and run on a plant that it does not know.

    Args:
        model: the robot.
        motion: the motion.
        name: name of the law.
        margin: smallest singular value of `I + L` to keep.
    """
    bare = with_sharing_rule(machine_controller(name), model)
    tuned = poled(model, motion, replace(bare, plant=unknown_plant(model, motion)), margin)
    record = simulate(model, motion, tuned.controller, cycles=CYCLES)
    last = _last(record) if record.completed else record
    energy = float(buffeting_energy(model, last).mean()) if record.completed else None
    return Contestant(name, tuned, operations(model, motion, tuned.controller), last, energy)


def poled(model: Model, motion: Motion, controller: Controller, margin: float = SINGULAR) -> Poled:
    """The controller with the poles that follow best and keep the margin.

    A law without a linear loop gets the poles of sliding mode, whose surface it shares.

    Args:
        model: the robot.
        motion: the motion.
        controller: the controller.
        margin: smallest singular value of `I + L` to keep.

    Raises:
        NoGainsError: it keeps the margin nowhere.
    """
    law: Any = controller.law
    if not getattr(law, "sloped", True):
        twin = with_sharing_rule(machine_controller(TWIN), model)
        other = poled(model, motion, replace(twin, plant=controller.plant), margin)
        poles = Poles(other.frequency, Poles().damping if other.damping is None else other.damping)
        return replace(other, controller=replace(controller, law=by_poles(law, poles)), margin=None)
    stated = stated_by_poles(controller)
    bounds = default_bounds(model, motion, stated)
    if getattr(law, "learns", False):
        bounds["law.poles.damping"] = (LEARNING_DAMPING, bounds["law.poles.damping"][1])
    found = tune(model, motion, stated, bounds, goal=Goal(singular=margin), effort=EFFORT)
    frequency, damping = (found.values.get(f"law.poles.{name}") for name in ("frequency", "damping"))
    return Poled(found.controller, float(frequency or 0.0), damping, found.held.singular)


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
        parameters={"gripper.mass": model.gripper.mass + mass},
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
    return replace(record.rows(rows), phases=())


def _row(one: Contestant) -> tuple[Cell, ...]:
    fault, tuned = fault_of(one.record), one.tuned
    word = None if fault is None else fault.kind
    shared = (one.law, tuned.frequency, tuned.damping, tuned.margin)
    if one.energy is None:
        return *shared, None, None, None, None, one.operations, word
    distance, torque = one.record.distance, one.record.torque
    rms, peak = float(np.sqrt(np.mean(distance**2))), float(distance.max())
    effort = float(np.sqrt(np.mean(torque**2)))
    return *shared, rms, peak, one.energy, effort, one.operations, word


def _winners(ran: list[Contestant]) -> Iterator[str]:
    sound = [one for one in ran if fault_of(one.record) is None]
    if not sound:
        return
    best = min(sound, key=lambda one: float(np.mean(one.record.distance**2)))
    calm = min(sound, key=lambda one: one.energy or 0.0)
    least = min(sound, key=lambda one: one.operations)
    yield f"least error: {best.law}; least buffeting: {calm.law}; least computation: {least.law}"
