"""One control period of a loop as a function of its state, and its slope, from the expressions that are simulated.

A period is a step of measurement, law and drives, then the stages of the plant's integrator. The slope is composed by
the chain rule over both, so it is that of the simulated loop itself, hold and integration included, and knows no law
and no part of a plant by name.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, NamedTuple, final

import casadi as ca
import numpy as np

from parapick.parameters import structure
from parapick.simulation import STAGES, Loop, loop_expressions

ANGLE: Final = "angle"
"""Input beside those of a run: what the encoders say too much."""

MAPS: Final = 16
"""Structures of loops whose functions are kept."""


@final
@dataclass(frozen=True, eq=False)
class PeriodSlope:
    """A control period made linear at a state, opened where the drives are asked for torques.

    `next state = transition state + command a + sum of inputs`, with `a` the torques that the drives are asked for;
    `a = applied state + sum of applied_by inputs`, and every output likewise.

    Attributes:
        transition: (s, s).
        command: (s, n).
        inputs: next state by each input (s, k), by name.
        applied: (n, s).
        applied_by: (n, k) by each input.
        outputs: each output by the state (m, s).
        outputs_by: each output by each input (m, k), by both names.
    """

    transition: np.ndarray
    command: np.ndarray
    inputs: dict[str, np.ndarray]
    applied: np.ndarray
    applied_by: dict[str, np.ndarray]
    outputs: dict[str, np.ndarray]
    outputs_by: dict[tuple[str, str], np.ndarray]


class PlantSlope(NamedTuple):
    """The plant over a control period, made linear.

    Attributes:
        by_state: state after it by the state before it (s, s).
        by_held: the same by what is held (s, h).
    """

    by_state: np.ndarray
    by_held: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class PeriodMap:
    """A control period of every loop of a structure.

    Attributes:
        step: state, inputs, numbers -> state after the controller's step, what is held.
        step_slope: their slopes, and those of the outputs, by state and inputs.
        stage: state, held, numbers -> state after a stage of the integrator.
        stage_slope: the same, then its slopes by state and held.
        inputs: sizes of the inputs by name, in order.
        outputs: sizes of the outputs by name, in order.
        motors: number of motors.
    """

    step: Any
    step_slope: Any
    stage: Any
    stage_slope: Any
    inputs: dict[str, int]
    outputs: dict[str, int]
    motors: int

    def advanced(self, state: np.ndarray, inputs: np.ndarray, numbers: np.ndarray, substeps: int) -> np.ndarray:
        """State one control period later.

        Args:
            state: state at a sample (s,).
            inputs: inputs of the period (k,).
            numbers: numbers of the loop.
            substeps: integration steps per period.
        """
        after, held = self.step(state, inputs, numbers)
        for _ in range(STAGES * substeps):
            after = self.stage(after, held, numbers)
        return after.full()[:, 0]

    def slope(self, state: np.ndarray, inputs: np.ndarray, numbers: np.ndarray, plant: PlantSlope) -> PeriodSlope:
        """The period made linear.

        Args:
            state: state at a sample (s,).
            inputs: inputs of the period (k,).
            numbers: numbers of the loop.
            plant: the plant made linear over the same period; it does not depend on the numbers of the law.
        """
        stepped, held, outputs = (value.full() for value in self.step_slope(state, inputs, numbers))
        by_state, by_held = plant
        n, s = self.motors, len(state)
        # What the drives are asked for comes first of what is held; the rest is known without the law.
        whole = by_state @ stepped + by_held[:, n:] @ held[n:]
        parts = dict(_parts(self.inputs, s))
        rows = dict(_parts(self.outputs, 0))
        return PeriodSlope(
            transition=whole[:, :s],
            command=by_held[:, :n],
            inputs={name: whole[:, part] for name, part in parts.items()},
            applied=held[:n, :s],
            applied_by={name: held[:n, part] for name, part in parts.items()},
            outputs={name: outputs[row, :s] for name, row in rows.items()},
            outputs_by={(row, name): outputs[rows[row], part] for row in rows for name, part in parts.items()},
        )

    def plant_slope(self, state: np.ndarray, inputs: np.ndarray, numbers: np.ndarray, substeps: int) -> PlantSlope:
        """The stages of the plant's integrator made linear, all of a period together.

        Args:
            state: state at a sample (s,).
            inputs: inputs of the period (k,).
            numbers: numbers of the loop.
            substeps: integration steps per period.
        """
        after, held = self.step(state, inputs, numbers)
        by_state, by_held = np.eye(len(state)), np.zeros((len(state), held.shape[0]))
        for _ in range(STAGES * substeps):
            after, slope = self.stage_slope(after, held, numbers)
            stage_by_state, stage_by_held = np.hsplit(slope.full(), [len(state)])
            by_state = stage_by_state @ by_state
            by_held = stage_by_state @ by_held + stage_by_held
        return PlantSlope(by_state, by_held)


def _parts(sizes: Mapping[str, int], start: int) -> Iterator[tuple[str, slice]]:
    """Where each of several parts lies behind one another."""
    for name, size in sizes.items():
        yield name, slice(start, start + size)
        start += size


def smooth(loop: Loop) -> Loop:
    """The loop without what has no slope: encoder steps, limits, dry friction, losses of gearboxes, play.

    Dry friction of a joint that slides, and what a gearbox loses, are torques of one size to first order, so that they
    move no pole; viscous friction stays. A joint that sticks is held better than the linear loop says. Flanks with play
    are taken to touch.
    """
    friction = loop.friction
    if friction is not None:
        none = (0.0,) * loop.motors
        friction = replace(friction, coulomb=none, stribeck=none)
    drives = replace(loop.drives, torque_max=(math.inf,) * loop.motors, losses=False, speeds=False)
    train = None if loop.drive_train is None else replace(loop.drive_train, backlash=None)
    return replace(loop, encoder=None, friction=friction, drives=drives, drive_train=train)


def period_map(loop: Loop) -> PeriodMap:
    """A control period of a loop as functions; loops that differ in numbers only share them.

    Args:
        loop: the loop, its law included.

    Raises:
        ParameterError: a Python callable stands in for its law, which has no slope.
    """
    return _map_of(structure(loop), loop.motors)


@lru_cache(maxsize=MAPS)
def _map_of(key: Loop, motors: int) -> PeriodMap:
    angle = ca.SX.sym(ANGLE, motors)
    whole = loop_expressions(key, angle)
    inputs = {**whole.inputs, ANGLE: angle}
    given = ca.vertcat(*inputs.values())
    outputs = {name: whole.outputs[name] for name in ("x", "torque", "command")}
    held: Any = whole.substep.values
    numbers = whole.parameters
    seeds = ca.vertcat(whole.state, given)
    slopes = [ca.jacobian(value, seeds) for value in (whole.next_state, held, ca.vertcat(*outputs.values()))]
    sub: Any = whole.substep
    inside = [sub.state, sub.held, numbers]
    by_both = ca.jacobian(sub.next, ca.vertcat(sub.state, sub.held))
    return PeriodMap(
        step=ca.Function("step", [whole.state, given, numbers], [whole.next_state, held]),
        step_slope=ca.Function("step_slope", [whole.state, given, numbers], slopes),
        stage=ca.Function("stage", inside, [sub.next]),
        stage_slope=ca.Function("stage_slope", inside, [sub.next, by_both]),
        inputs={name: column.shape[0] for name, column in inputs.items()},
        outputs={name: column.shape[0] for name, column in outputs.items()},
        motors=motors,
    )
