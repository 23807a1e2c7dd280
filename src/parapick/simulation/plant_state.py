"""State and inputs of the plant as named blocks: how long each is, its symbols and its rows.

What moves by second-order equations is one column of places and one of their rates: task vector x, angles of the rotors
where the drive train is elastic, level displacement of a payload where it swings. A block that a loop does not have is
empty, so that it is not in the compiled loop either.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Final, final

import casadi as ca

from parapick.simulation.loop import Loop

LEVEL: Final = 2
"""Coordinates in which a payload swings."""


@final
@dataclass(frozen=True)
class PlantInput:
    """What acts on the plant during a control period, constant over it; columns of symbols.

    Attributes:
        command: torques the drives are asked for, limit and delay included (n), N m.
        payload: what the tool holds rigidly (5).
        swinging: mass that swings under the tool (1), kg; empty without any.
        force: force on the plate (dof), N and N m; empty without one.
        torque: disturbing torques at the joints (n), N m; empty without any.
        step: length of a substep (s).
    """

    command: Any
    payload: Any
    swinging: Any
    force: Any
    torque: Any
    step: Any

    @property
    def column(self) -> Any:
        """All of it."""
        return ca.vertcat(*(getattr(self, field.name) for field in fields(self)))


@final
@dataclass(frozen=True)
class PlantState:
    """State of the plant; columns, some of them empty. At a sample the stage's entries equal those of the state.

    Attributes:
        place: task vector (dof), angles of the rotors (n or 0), displacement of a swinging payload (2 or 0).
        rate: their rates.
        lag: torque of the drives (n); empty without lag.
        bristle: deflection of the bristles (n); empty without friction.
        stage_place: places at the stage of the integrator.
        stage_rate: their rates.
        stage_bristle: deflection of the bristles there (n); empty without friction.
        place_sum: weighted sum of the stages' rates so far.
        rate_sum: weighted sum of the stages' accelerations so far.
        displacement_sum: weighted sum of the rates at which friction slides so far (n); empty without friction.
        phase: which stage comes next, 0 to 3.
    """

    place: Any
    rate: Any
    lag: Any
    bristle: Any
    stage_place: Any
    stage_rate: Any
    stage_bristle: Any
    place_sum: Any
    rate_sum: Any
    displacement_sum: Any
    phase: Any

    @property
    def column(self) -> Any:
        """All of it."""
        return ca.vertcat(*(getattr(self, field.name) for field in fields(self)))


def moving_sizes(loop: Loop) -> dict[str, int]:
    """Lengths of what moves by second-order equations, by name, in the order of the places."""
    return {
        "x": loop.dof,
        "motor": loop.motors if loop.drive_train is not None else 0,
        "swing": LEVEL if loop.swing is not None else 0,
    }


def moving_blocks(loop: Loop, column: Any) -> dict[str, Any]:
    """A column of places, or of their rates, by name.

    Args:
        column: places or rates.
    """
    blocks, first = {}, 0
    for name, size in moving_sizes(loop).items():
        blocks[name] = column[first : first + size]
        first += size
    return blocks


def state_sizes(loop: Loop) -> dict[str, int]:
    """Lengths of the blocks of the state, by name and in order."""
    moving = sum(moving_sizes(loop).values())
    lag = loop.motors if loop.drives.lag is not None else 0
    dry = loop.motors if loop.friction is not None else 0
    lengths = {"lag": lag, "bristle": dry, "stage_bristle": dry, "displacement_sum": dry, "phase": 1}
    return {field.name: lengths.get(field.name, moving) for field in fields(PlantState)}


def state_rows(loop: Loop) -> dict[str, slice]:
    """Rows of the state that hold each block."""
    rows, first = {}, 0
    for name, size in state_sizes(loop).items():
        rows[name] = slice(first, first + size)
        first += size
    return rows


def plant_symbols(loop: Loop) -> tuple[PlantState, PlantInput]:
    """State and inputs as columns of symbols."""
    n, dof, sym = loop.motors, loop.dof, ca.SX.sym
    state = PlantState(**{name: sym(name, size) for name, size in state_sizes(loop).items()})
    load = PlantInput(
        command=sym("command", n),
        payload=sym("payload", 5),
        swinging=sym("swinging", 1 if loop.swing is not None else 0),
        force=sym("force", dof if loop.forces else 0),
        torque=sym("torque", n if loop.torques else 0),
        step=sym("h"),
    )
    return state, load
