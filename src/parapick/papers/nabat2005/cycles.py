"""The cycles of nabat2005 section V: the document names no motion law, and these laws are compatible with its print."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, Literal

from parapick.motion import Motion
from parapick.tasks import AdeptTask

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
