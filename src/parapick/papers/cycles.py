"""The motions of the documents, as far as their texts and our choices determine them.

None of the documents gives its motion law; what stands here is a law that is compatible with the printed numbers. Each
function says what is printed and what was chosen.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final, Literal, cast

import numpy as np

from parapick.belts import PHASES
from parapick.motion import Motion, MotionPiece, Phase, pulse
from parapick.motion.motion_pieces import path_of
from parapick.tasks import AdeptTask, load_task
from parapick.timing import fastest

if TYPE_CHECKING:
    from parapick.model import Model
    from parapick.tasks import LineTask, PhasesTask

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
    overlap: float | None = None,
) -> Motion:
    """The cycles of nabat2005 section V with trapezoidal velocity, which the document does not name.

    Args:
        case: "10G" stops at the corners (0.420 s). "13G" keeps 130 m/s2 on the plate, "13G per stroke" in each stroke
            alone, so that the plate sees 184 m/s2 = 18.7 g; both overlap as much as the printed 0.28 s asks for.
        model: the robot; without it the cycle is centred at (0, 0, -0.7) m.
        yaw: yaw at the two ends (rad).
        dwell: rest at the two ends (s); 14.8 ms make the first cycle last the printed 0.45 s.
        overlap: another overlap of the strokes than the printed 0.28 s asks for; "10G" has none.
    """
    v_max, a_max = _SLOWER if case == "10G" else _FASTER
    per_stroke = case == "13G per stroke"
    if case == "10G":
        overlap = 0.0
    elif overlap is None:
        overlap = nabat2005_overlap(per_stroke=per_stroke)
    task = AdeptTask(
        name="nabat2005",
        v_max=v_max,
        a_max=a_max,
        overlap=overlap,
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
    return load_task(f"wu2020-{name.lower()}").motion(model)


def corbel2010_lines(
    altitude: float, *, lam: float = 0.73, dof: int = 3, a_max: float | None = None, v_max: float | None = None
) -> tuple[Motion, ...]:
    """The four 300 mm lines of corbel2010 section V.A, each there and back, at 100 g and 11 m/s.

    Along the first arm from the middle to the rim, across the middle, and both again at 45 deg. The law of Fig. 5 and
    the places of Fig. 6 are missing; both are chosen so that Table VI comes out.

    Args:
        altitude: z (m).
        lam: ramp share of the acceleration pulse.
        dof: 3, or 4 for robots with yaw.
        a_max: acceleration (m/s2) instead of 100 g.
        v_max: speed (m/s) instead of 11 m/s.
    """
    lines = []
    for number in range(1, 5):
        task = cast("LineTask", load_task(f"corbel2010-line{number}"))
        start, end = ((*pose[:2], altitude, 0.0)[:dof] for pose in (task.start, task.end))
        limits = {"a_max": a_max or task.a_max, "v_max": v_max or task.v_max}
        lines.append(replace(task, start=start, end=end, law=pulse(lam), **limits).motion())
    return tuple(lines)


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
    return fastest(model, path_of(piece), end_speeds=(start, end))
