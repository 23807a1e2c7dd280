"""The plant as expressions: what is seen of it at a sample, and how it moves in between.

A substep is one step of classical Runge-Kutta on the equation of motion, whose stages see the exact exponentials of lag
and friction. What is compiled is one stage, repeated natively: the equation of motion stands in the code once, which
compiles four times faster than a whole step and runs as fast.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, final

import casadi as ca

from parapick.control import Eccentricity, Encoder, column
from parapick.formulas import inlined, kinematics
from parapick.simulation.friction import advanced, friction_torque, ripple_factor
from parapick.simulation.loop import Loop
from parapick.simulation.plant_motion import slope_at
from parapick.simulation.plant_state import PlantInput, PlantState, moving_blocks, plant_symbols

STAGES: Final = 4
"""Stages of a substep."""


@final
@dataclass(frozen=True)
class PlantStage:
    """The plant as expressions.

    Attributes:
        state: its state, columns of symbols.
        load: what acts.
        next: state after a stage of the integrator; `STAGES` of them make a substep.
        seen: what is recorded of it at a sample, by name: x, xd, q, qd, q_meas (what the encoders say), friction, and
            closes, which is >= 0 for every leg that closes; where the drive train is elastic also the rotors' angles
            and rates q_motor and qd_motor.
    """

    state: PlantState
    load: PlantInput
    next: PlantState
    seen: dict[str, Any]

    @property
    def lag_rows(self) -> list[int]:
        """Rows of the state that hold the torque of lagging drives; empty without lag."""
        first = self.state.place.shape[0] + self.state.rate.shape[0]
        return [*range(first, first + self.state.lag.shape[0])]


def measured(encoder: Encoder | None, q: Any, eccentricity: Eccentricity | None = None) -> Any:
    """What encoders say of joint angles: the nearest of their steps.

    Args:
        encoder: the encoders; None for exact angles.
        q: joint angles (n), rad.
        eccentricity: how far off their axis the encoders are; None for not at all.
    """
    if eccentricity is not None:
        turns = 2 * math.pi / column(eccentricity.length)
        q = q + column(eccentricity.amplitude) * ca.sin(turns * q + column(eccentricity.phase))
    if encoder is None:
        return q
    resolution = column(encoder.resolution)
    return resolution * ca.floor(q / resolution + 0.5)


def plant_stage(loop: Loop) -> PlantStage:
    """The plant of a loop as expressions.

    Args:
        loop: the loop, with symbols in its fields.
    """
    state, load = plant_symbols(loop)
    return PlantStage(state, load, _stage(loop, load, state), _seen(loop, state))


def _seen(loop: Loop, state: PlantState) -> dict[str, Any]:
    """What is recorded of the plant at a sample, by name."""
    place, rate = moving_blocks(loop, state.place), moving_blocks(loop, state.rate)
    whole = kinematics(loop.plant)
    q, jacobian, radicands = inlined(
        [whole.outputs["q"], whole.outputs["J"], whole.validity], [whole.inputs["x"]], [place["x"]]
    )
    qd, friction = ca.mtimes(jacobian, rate["x"]), ca.SX.zeros(loop.motors)
    elastic = loop.drive_train is not None
    angles, rates = (place["motor"], rate["motor"]) if elastic else (q, qd)
    if loop.friction is not None:
        ripple = None if loop.ripple is None else ripple_factor(loop.ripple, angles, column, ca.sin)
        friction = friction_torque(loop.friction, state.bristle, rates, ripple, loop.settling)
    seen = {
        "x": place["x"],
        "xd": rate["x"],
        "q": q,
        "qd": qd,
        "q_meas": measured(loop.encoder, angles, loop.eccentricity),
        "friction": friction,
        "closes": radicands,
    }
    return {**seen, "q_motor": angles, "qd_motor": rates} if elastic else seen


def _stage(loop: Loop, load: PlantInput, state: PlantState) -> PlantState:
    """State after one stage of classical Runge-Kutta; after the fourth, that of a whole step."""
    h, phase, n = load.step, state.phase, loop.motors
    torque = _torque(loop, load, state)
    bristle = ca.SX.zeros(n) if loop.friction is None else state.stage_bristle
    slope = slope_at(loop, state, load, torque, bristle)
    first, last = phase < 0.5, phase > 2.5
    weight = ca.if_else(ca.logic_or(first, last), h / 6, h / 3)
    share = ca.if_else(phase > 1.5, h, h / 2)

    def summed(total: Any, value: Any) -> Any:
        return ca.if_else(first, weight * value, total + weight * value)

    places, rates = summed(state.place_sum, state.stage_rate), summed(state.rate_sum, slope.acceleration)
    place = state.place + ca.if_else(last, places, share * state.stage_rate)
    rate = state.rate + ca.if_else(last, rates, share * slope.acceleration)
    place, rate = _dropped(loop, load, place), _dropped(loop, load, rate)
    displacement = state.displacement_sum if loop.friction is None else summed(state.displacement_sum, slope.sliding)
    dry = state.bristle
    if loop.friction is not None:
        dry = advanced(loop.friction, state.bristle, ca.if_else(last, displacement, share * slope.sliding))
    return PlantState(
        place=ca.if_else(last, place, state.place),
        rate=ca.if_else(last, rate, state.rate),
        lag=state.lag if loop.drives.lag is None else ca.if_else(last, _torque(loop, load, state), state.lag),
        bristle=ca.if_else(last, dry, state.bristle),
        stage_place=place,
        stage_rate=rate,
        stage_bristle=dry,
        place_sum=places,
        rate_sum=rates,
        displacement_sum=displacement,
        phase=ca.if_else(last, 0.0, phase + 1),
    )


def _dropped(loop: Loop, load: PlantInput, column: Any) -> Any:
    """Places or rates, with a payload that is not there at rest under the tool."""
    if loop.swing is None:
        return column
    blocks = moving_blocks(loop, column)
    return ca.vertcat(blocks["x"], blocks["motor"], ca.if_else(load.swinging > 0, blocks["swing"], 0.0))


def _torque(loop: Loop, load: PlantInput, state: PlantState) -> Any:
    """Torque of the drives at the stage's instant: exact, at the start, the middle and the end of a step."""
    if loop.drives.lag is None:
        return load.command
    half = ca.exp(-load.step / (2 * column(loop.drives.lag)))
    left = ca.if_else(state.phase < 0.5, ca.SX.ones(loop.motors), ca.if_else(state.phase > 2.5, half * half, half))
    return load.command + (state.lag - load.command) * left
