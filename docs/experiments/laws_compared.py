"""Control laws side by side on one robot and motion, each tuned under one robustness constraint.

The constraint is the smallest singular value of `I + L` at rest at poses of the motion, L the loop opened at what the
drives are asked for: 0.5 bounds the gain from any disturbance of the torques by 2. Under it every law gets the
poles that follow best on a plant that it does not know, with dry friction, noise and a mass in the tool.
`python docs/experiments/laws_compared.py par4 adept-120` prints a column of the table of docs/robust.md.
"""

from __future__ import annotations

import sys
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
from parapick.inspection import subject
from parapick.model import Model
from parapick.motion import Motion
from parapick.papers.wu2020.buffeting import buffeting_energy
from parapick.robots import load
from parapick.simulation import Record, assembled, fault_of, simulate
from parapick.simulation.control_step import control_step
from parapick.simulation.native_loop import loop_symbols
from parapick.simulation.summary import cycle_rows
from parapick.tasks import load_task
from parapick.tuning import SINGULAR, Goal, SearchEffort, default_bounds, tune_gains
from parapick.tuning.several_laws import stated_by_poles

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
class TunedLaw:
    """A controller as it was tuned.

    Attributes:
        controller: the controller, ready to run.
        frequency: of its poles (Hz).
        damping: their damping ratio; a cascade has its own, and none here.
        singular: smallest singular value of `I + L`; None where it has no linear loop.
    """

    controller: Controller
    frequency: float
    damping: float | None
    singular: float | None


@final
@dataclass(frozen=True)
class LawRun:
    """A law, tuned and run on a plant that it does not know.

    Attributes:
        law: its name.
        tuned: how it was tuned.
        operations: instructions of a step of the controller.
        record: its run; the last cycle alone.
        energy: mean kinetic energy of its buffeting (J); None where it diverged.
    """

    law: str
    tuned: TunedLaw
    operations: int
    record: Record
    energy: float | None


def laws_compared(
    model: Model, motion: Motion, title: str, laws: Iterable[str] = tuple(LAWS), singular: float = SINGULAR
) -> Answer:
    """Control laws side by side: error, buffeting, torque and computation, all tuned under one constraint.

    Args:
        motion: the motion; it ends where it starts.
        title: the motion in words.
        laws: names of `LAWS`.
        singular: smallest singular value of `I + L` that each must keep.

    Raises:
        UnknownControlLawError: no law has one of the names.
        NoGainsError: a law keeps the margin nowhere.
    """
    runs = [law_run(model, motion, name, singular) for name in laws]
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
    heading = f"laws at a margin of {singular:g}, the last of {CYCLES} cycles"
    table = Table("laws", heading, columns, tuple(map(_row, runs)))
    line = "dry friction, noise and a mass in the tool that no law knows"
    return Answer("laws", subject(model, f"and {title}", line), tables=(table,), notes=tuple(_best_laws(runs)))


def law_run(model: Model, motion: Motion, name: str, singular: float = SINGULAR) -> LawRun:
    """A law, tuned and run on a plant that it does not know.

    Args:
        name: name of the law.
        singular: smallest singular value of `I + L` to keep.
    """
    bare = with_sharing_rule(machine_controller(name), model)
    tuned = tuned_law(model, motion, replace(bare, plant=unknown_plant(model, motion)), singular)
    record = simulate(model, motion, tuned.controller, cycles=CYCLES)
    last = _last_cycle(record) if record.completed else record
    energy = float(buffeting_energy(model, last).mean()) if record.completed else None
    return LawRun(name, tuned, operations(model, motion, tuned.controller), last, energy)


def tuned_law(model: Model, motion: Motion, controller: Controller, singular: float = SINGULAR) -> TunedLaw:
    """The controller with the poles that follow best and keep the margin.

    A law without a linear loop gets the poles of sliding mode, whose surface it shares.

    Args:
        singular: smallest singular value of `I + L` to keep.

    Raises:
        NoGainsError: it keeps the margin nowhere.
    """
    law: Any = controller.law
    if not getattr(law, "sloped", True):
        twin = with_sharing_rule(machine_controller(TWIN), model)
        other = tuned_law(model, motion, replace(twin, plant=controller.plant), singular)
        poles = Poles(other.frequency, Poles().damping if other.damping is None else other.damping)
        return replace(other, controller=replace(controller, law=by_poles(law, poles)), singular=None)
    stated = stated_by_poles(controller)
    bounds = default_bounds(model, motion, stated)
    if getattr(law, "learns", False):
        bounds["law.poles.damping"] = (LEARNING_DAMPING, bounds["law.poles.damping"][1])
    tuning = tune_gains(model, motion, stated, bounds, goal=Goal(singular=singular), effort=EFFORT)
    frequency, damping = (tuning.values.get(f"law.poles.{name}") for name in ("frequency", "damping"))
    return TunedLaw(tuning.controller, float(frequency or 0.0), damping, tuning.margins.singular)


def unknown_plant(model: Model, motion: Motion) -> PlantChanges:
    """A plant that no law knows, its imperfections in proportion to what the motion asks of the motors."""
    samples = motion.sample(500.0)
    torque = np.abs(model.inverse_dynamics(samples.x, samples.xd, samples.xdd)).max(axis=0)
    mass = MASS * float(model.mass_matrix(samples.x[0])[0, 0])
    return PlantChanges(
        parameters={"gripper.mass": model.gripper.mass + mass},
        friction=JointFriction(coulomb=tuple((FRICTION * torque).tolist())),
        noise=NoiseTorque(tuple((NOISE * torque).tolist()), *BAND),
    )


def operations(model: Model, motion: Motion, controller: Controller) -> int:
    """Instructions of one step of a controller, sensing included."""
    control = control_step(loop_symbols(assembled(model, motion, controller).loop).loop)
    outputs = ca.vertcat(control.next, control.applied)
    step = ca.Function("step", [ca.vertcat(*ca.symvar(outputs))], [outputs])
    return int(step.n_instructions() - step.nnz_in() - step.nnz_out())


def _last_cycle(record: Record) -> Record:
    rows = cycle_rows(record.t, float(record.cycle or record.t[-1]), CYCLES)[-1]
    return replace(record.rows(rows), phases=())


def _row(run: LawRun) -> tuple[Cell, ...]:
    fault = fault_of(run.record)
    word = None if fault is None else fault.name
    tuned = (run.law, run.tuned.frequency, run.tuned.damping, run.tuned.singular)
    if run.energy is None:
        return *tuned, None, None, None, None, run.operations, word
    distance = run.record.distance
    rms = float(np.sqrt(np.mean(distance**2)))
    effort = float(np.sqrt(np.mean(run.record.torque**2)))
    return *tuned, rms, float(distance.max()), run.energy, effort, run.operations, word


def _best_laws(runs: list[LawRun]) -> Iterator[str]:
    """Which law is best in what, of those without a fault."""
    sound = [run for run in runs if fault_of(run.record) is None]
    if not sound:
        return
    best = min(sound, key=lambda run: float(np.mean(run.record.distance**2)))
    calm = min(sound, key=lambda run: run.energy or 0.0)
    least = min(sound, key=lambda run: run.operations)
    yield f"least error: {best.law}; least buffeting: {calm.law}; least computation: {least.law}"


def main(robot: str, task: str) -> None:
    """Print the laws on a robot and a task.

    Args:
        robot: name of a shipped robot.
        task: name of a shipped task.
    """
    model = load(robot)
    print(laws_compared(model, load_task(task).motion(model), task))


if __name__ == "__main__":
    main(*sys.argv[1:])
