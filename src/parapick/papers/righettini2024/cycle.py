"""The work cycle of righettini2024 section 2.3: from three printed numbers and nine phases; all else is chosen."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from parapick.belts import PHASES
from parapick.motion import Motion, MotionPiece, Phase, path_of
from parapick.tasks import load_task
from parapick.timing import fastest_along

if TYPE_CHECKING:
    from parapick.model import Model
    from parapick.tasks import PhasesTask


def righettini2024_cycle(ramp: float = 1.0) -> Motion:
    """The work cycle of righettini2024 section 2.3: 2.46 s, 1.16 m/s, 11.3 m/s2, from a belt to another one.

    The document gives these three numbers and the nine phases; belts, points, times and laws are chosen. The belts run
    along +y at x = -0.2 m and along -y at x = 0.203 m, both at 0.2 m/s; strokes are 7.4 mm
    (righettini2024, erratum E6). It is the shipped task of that name.

    Args:
        ramp: factor on the time in which the second intercept gets up to speed, which was solved for with the place
            belt so that the printed peaks come out.
    """
    task = cast("PhasesTask", load_task("righettini2024"))
    if ramp == 1.0:
        return task.motion()
    phases = [
        replace(phase, ramp_time=ramp * cast("float", phase.ramp_time)) if phase.name == PHASES[4] else phase
        for phase in task.phases
    ]
    return replace(task, phases=tuple(phases)).motion()


def righettini2024_fastest(model: Model) -> Motion:
    """The same cycle with both intercepts as fast as the motors allow, on the paths and between the places they have.

    Item and box come as much earlier as the robot does; strokes, rests and the stop keep their times.

    Args:
        model: the five-bar with its spindle.
    """
    task = cast("PhasesTask", load_task("righettini2024"))
    cycle = replace(task, synchronized=False).motion()
    pieces, phases, now = list[MotionPiece](), list[Phase](), 0.0
    for piece, phase in zip(cycle.pieces, cycle.phases, strict=True):
        part = Motion((piece,))
        if phase.name in (PHASES[0], PHASES[4]):
            part = _quick(model, piece)
        pieces += part.pieces
        phases.append(Phase(phase.name, now, now + part.duration))
        now += part.duration
    return Motion(tuple(pieces), tuple(phases)).synchronized()


def _quick(model: Model, piece: MotionPiece) -> Motion:
    """The path of a piece at the speeds of its ends and as fast as the motors allow between."""
    ends = piece.at(np.array([0.0]), "right"), piece.at(np.array([piece.duration]), "left")
    start, end = (float(np.linalg.norm(state.xd[0, :3])) for state in ends)
    return fastest_along(model, path_of(piece), end_speeds=(start, end))
