"""The lines of corbel2010 section V.A: their law and places are missing, and chosen so that Table VI comes out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from parapick.motion import Motion, pulse
from parapick.tasks import load_task

if TYPE_CHECKING:
    from parapick.tasks import LineTask


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
