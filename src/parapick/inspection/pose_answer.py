"""A robot at a pose, as an answer: joint angles, what is left to every limit, margins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from parapick.answer import Answer, Column, Table, amount, fixed
from parapick.inspection.naming import at_pose, out_of_reach, place_text, subject
from parapick.model import Model, Reach


def pose_answer(model: Model, x: Sequence[float]) -> Answer:
    """What a robot does at a pose; refused where it cannot be reached.

    Args:
        x: task vector (m, rad).
    """
    reach, about = model.reach(x), at_pose(model, x)
    margins = {name: float(value) for name, value in model.margins(x)._asdict().items()}
    slack = {"yaw": float(reach.yaw), "clearance": float(reach.clearance)}
    return Answer(
        key="pose",
        title=subject(model, f"at {place_text(about['pose'])}"),
        tables=(_legs(model, x, reach),),
        notes=tuple(_notes(margins, slack)),
        data={**about, "margins": margins, "slack": slack},
        refusal=out_of_reach(about),
        headline=_headline(model, reach, margins) if about["reachable"] else "",
    )


def _headline(model: Model, reach: Reach, margins: Mapping[str, float]) -> str:
    """That a pose can be reached, the leg that has least left, and the smallest margin."""
    leg = int(np.argmin(reach.legs))
    kind = min(margins, key=lambda name: margins[name])
    left = f"leg {leg + 1} has {amount(float(reach.legs[leg]), 'm')} left"
    return f"YES: {model.robot.name} can be here: {left}, {kind} margin {fixed(margins[kind], 4)} (0 is singular)"


def _legs(model: Model, x: Sequence[float], reach: Reach) -> Table:
    """Joint angles and slacks per leg; what a leg or the robot does not have is empty."""
    q = model.inverse_kinematics(x)
    axis = model.robot.limb.axis
    shown = ("deg", 4) if axis.unit == "rad" else ("mm", 3)
    rows = [
        [i + 1, q[i], q[i], *(_slack(kind, i) for kind in (reach.legs, reach.joints, reach.elbow, reach.cone))]
        for i in range(model.robot.motors)
    ]
    columns = (
        Column("leg"),
        Column("q", axis.unit, axis.unit, 6),
        Column("angle" if axis.unit == "rad" else "place", axis.unit, *shown),
        Column("leg slack", "m", "mm", 3),
        Column("joint slack", axis.unit, shown[0], 3),
        *(Column(f"{name} slack", "rad", "deg", 3) for name in ("elbow", "cone")),
    )
    return Table("legs", "", columns, tuple(map(tuple, rows)))


def _slack(values: np.ndarray, leg: int) -> float | None:
    """What a leg has left of a limit; None where there is no such limit."""
    value = float(values[leg]) if leg < len(values) else np.inf
    return value if np.isfinite(value) else None


def _notes(margins: Mapping[str, float], slack: Mapping[str, float]) -> Iterator[str]:
    yield f"margins (0 is singular): {', '.join(f'{name} {fixed(value, 4)}' for name, value in margins.items())}"
    if np.isfinite(slack["yaw"]):
        yield f"yaw limit slack: {fixed(np.degrees(slack['yaw']), 3)} deg"
    if np.isfinite(slack["clearance"]):
        yield f"clearance slack: {fixed(1e3 * slack['clearance'], 3)} mm"
