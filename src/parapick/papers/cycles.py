"""The motions of the documents, as far as their texts and our choices determine them.

None of the documents gives its motion law; what stands here is a law that is compatible with the printed numbers. Each
function says what is printed and what was chosen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from parapick.belts import PHASES
from parapick.motion import (
    Motion,
    MotionPiece,
    Phase,
    change_speed,
    intercept,
    modified_sine,
    modified_trapezoid,
    pulse,
    straight,
    track,
    trapezoidal,
)
from parapick.motion.motion_pieces import path_of
from parapick.tasks import AdeptTask
from parapick.timing import fastest

if TYPE_CHECKING:
    from parapick.model import Model

NabatCycle = Literal["10G", "13G", "13G per stroke"]
"""The two cycles of nabat2005 section V, the faster one in the two readings of its 130 m/s2."""

# nabat2005 section V: speed (m/s) and acceleration (m/s2) of the slower and of the faster cycle.
_SLOWER: Final = (2.5, 100.0)
_FASTER: Final = (3.8, 130.0)
# Time of the faster one (s), there and back.
_FASTER_TIME: Final = 0.28
# Where the overlap that gives this time is looked for: more of it is faster, and none at all takes 0.33 s.
_OVERLAPS: Final = (0.1, 1.0)


def nabat2005_cycle(
    case: NabatCycle,
    model: Model | None = None,
    *,
    yaw: tuple[float, float] = (0.0, 0.0),
    dwell: float = 0.0,
) -> Motion:
    """The cycles of nabat2005 section V with trapezoidal velocity, which the document does not name.

    Args:
        case: "10G" stops at the corners (0.420 s). "13G" keeps 130 m/s2 on the plate, "13G per stroke" in each stroke
            alone, so that the plate sees 184 m/s2 = 18.7 g; both overlap as much as the printed 0.28 s asks for.
        model: the robot; without it the cycle is centred at (0, 0, -0.7) m.
        yaw: yaw at the two ends (rad).
        dwell: rest at the two ends (s); 14.8 ms make the first cycle last the printed 0.45 s.
    """
    v_max, a_max = _SLOWER if case == "10G" else _FASTER
    per_stroke = case == "13G per stroke"
    task = AdeptTask(
        name="nabat2005",
        v_max=v_max,
        a_max=a_max,
        overlap=0.0 if case == "10G" else nabat2005_overlap(per_stroke=per_stroke),
        per_stroke=per_stroke,
        center=(0.0, 0.0, -0.7),
        yaw=yaw,
        dwell=(dwell, dwell),
    )
    return task.motion(model)


@cache
def nabat2005_overlap(*, per_stroke: bool) -> float:
    """Overlap of the vertical strokes at which 3.8 m/s and 130 m/s2 give the printed 0.28 s (nabat2005, erratum E14).

    Solved for, with trapezoidal velocity: 72.1 % where the limits are those of the plate, 45.0 % where they are those
    of each stroke.

    Args:
        per_stroke: limits hold for each stroke alone.
    """
    from scipy.optimize import root_scalar

    v_max, a_max = _FASTER

    def late(overlap: float) -> float:
        cycle = AdeptTask(name="nabat2005", v_max=v_max, a_max=a_max, overlap=overlap, per_stroke=per_stroke)
        return cycle.motion().duration - _FASTER_TIME

    return float(root_scalar(late, bracket=_OVERLAPS).root)


def wu2020_cycle(name: Literal["FIT1", "FIT2", "PAY1"], model: Model | None = None) -> Motion:
    """Cycles that give the 48 N m and the errors printed in wu2020; tuned to them, so no test of them.

    The document says 120 cycles a minute along 25 x 305 x 25 mm. FIT1 reads that as 120 single moves (erratum E13); the
    others as 120 there and back. Laws, vertical times and heights are chosen.

    Args:
        name: "FIT1", "FIT2", or "PAY1" with 1 kg on the way there and back.
        model: the robot; None for the motion alone.
    """
    per_minute = 120.0
    if name == "FIT1":
        task = AdeptTask(
            name="wu2020",
            cycles_per_minute=per_minute,
            one_way=True,
            law=modified_sine(),
            lift_time=0.05,
            center=(0.0, 0.0, -0.552),
        )
        return task.motion(model)
    if name == "FIT2":
        task = AdeptTask(
            name="wu2020",
            cycles_per_minute=per_minute,
            law=trapezoidal(ramp=0.25),
            lift_time=0.125,
            overlap=1.0,
            center=(0.0, 0.0, -0.64),
        )
        return task.motion(model)
    task = AdeptTask(
        name="wu2020",
        cycles_per_minute=per_minute,
        law=trapezoidal(),
        lift_time=0.05,
        overlap=0.5,
        center=(0.0, 0.0, -0.45),
    )
    cycle = task.motion(model)
    return cycle.carrying(1.0, 0.0, cycle.duration)


def corbel2010_lines(altitude: float, *, lam: float = 0.73, dof: int = 3) -> tuple[Motion, ...]:
    """The four 300 mm lines of corbel2010 section V.A, each there and back, at 100 g and 11 m/s.

    Along the first arm from the middle to the rim, across the middle, and both again at 45 deg. The law of Fig. 5 and
    the places of Fig. 6 are missing; both are chosen so that Table VI comes out.

    Args:
        altitude: z (m).
        lam: ramp share of the acceleration pulse.
        dof: 3, or 4 for robots with yaw.
    """
    lines = []
    for azimuth in (0.0, math.pi / 4):
        along = (math.cos(azimuth), math.sin(azimuth))
        for first, last in ((0.0, 0.3), (-0.15, 0.15)):
            start, end = ((*(share * value for value in along), altitude, 0.0)[:dof] for share in (first, last))
            line = straight(start, end, law=pulse(lam), v_max=11.0, a_max=981.0)
            lines.append(line.then(line.reversed()))
    return tuple(lines)


# righettini2024: instants (s) of the points a to i and of the next a, after the phases of section 2.3. Chosen, but for
# their end, the printed 2.46 s.
RIGHETTINI2024_TIMES: Final = (0.0, 0.56, 0.80, 0.96, 1.20, 1.70, 1.94, 2.08, 2.32, 2.46)
_BELT: Final = 0.2
_STROKE: Final = 0.0074
# Place of the second belt (m) and ramp time of the second intercept (s), solved so that the cycle has the printed peaks
# of 1.16 m/s and 11.3 m/s2.
_PLACE_X: Final = 0.2029602652
_RAMP_TIME: Final = 0.1367803747


def righettini2024_cycle() -> Motion:
    """The work cycle of righettini2024 section 2.3: 2.46 s, 1.16 m/s, 11.3 m/s2, from a belt to another one.

    The document gives these three numbers and the nine phases; belts, points, times and laws are chosen. The belts run
    along +y at x = -0.2 m and along -y at x = 0.203 m, both at 0.2 m/s; strokes are 7.4 mm
    (righettini2024, erratum E6).
    """
    return _phases().synchronized()


def _phases() -> Motion:
    """The phases of the cycle one after the other."""
    lengths = [later - earlier for earlier, later in pairwise(RIGHETTINI2024_TIMES)]
    pick, place = (0.0, _BELT, 0.0, 0.0), (0.0, -_BELT, 0.0, 0.0)
    turning, lifting = modified_trapezoid(ramp=1 / 3), modified_trapezoid(ramp=0.05 / 0.24)
    first = intercept(
        (_PLACE_X, 0.255, 0.0, 0.0),
        (-0.2, 0.26, 0.0, math.pi),
        duration=lengths[0],
        ramp_time=0.17,
        velocities=((), pick),
        bend=(0.0, 0.15, 0.0, 0.0),
        yaw_law=turning,
    ).named(PHASES[0])

    def beside(motion: Motion, belt: Sequence[float], phases: slice) -> Motion:
        """Descent, rest and ascent beside a belt."""
        strokes = ((0.0, 0.0, -_STROKE, 0.0), (), (0.0, 0.0, _STROKE, 0.0))
        for stroke, length, name in zip(strokes, lengths[phases], PHASES[phases], strict=True):
            motion = motion.then(track(motion.end.tolist(), belt, length, stroke=stroke, law=lifting, name=name))
        return motion

    picked = beside(first, pick, slice(1, 4))
    second = intercept(
        picked.end.tolist(),
        (_PLACE_X, 0.393, 0.0, 0.0),
        duration=lengths[4],
        ramp_time=_RAMP_TIME,
        velocities=(pick, place),
        bend=(0.0, -0.45, 0.0, 0.0),
        yaw_law=turning,
    ).named(PHASES[4])
    placed = beside(picked.then(second), place, slice(5, 8))
    return placed.then(change_speed(placed.end.tolist(), place, (), lengths[8], name=PHASES[8]))


def righettini2024_fastest(model: Model) -> Motion:
    """The same cycle with both intercepts as fast as the motors allow, on the paths and between the places they have.

    Item and box come as much earlier as the robot does; strokes, rests and the stop keep their times.

    Args:
        model: the five-bar with its spindle.
    """
    cycle = _phases()
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
    return fastest(model, path_of(piece), end_speeds=(start, end))
