"""How near a robot comes to its singularities over the workspace that its file states, as an answer."""

from __future__ import annotations

from typing import Final

import numpy as np

from parapick.answer import Answer, Cell, Column, Table, fixed, pose_text
from parapick.capability.index import INDICES
from parapick.capability.index_types import IndexOptions
from parapick.capability.survey import Survey, survey
from parapick.inspection import (
    coordinates,
    named,
    place_text,
    subject,
)
from parapick.model import MARGIN_KINDS, NEAR, Model

_LOOKED_FOR: Final = (*MARGIN_KINDS, "conditioning", "plate-conditioning", "internal-conditioning")
"""The indices whose smallest values are looked for."""


def workspace_margins(model: Model) -> Answer:
    """The smallest margins and conditioning over the stated workspace; refused where none of it can be reached.

    Raises:
        ParameterError: the file states no workspace.
    """
    looked = survey(model)
    reason = None if looked.reachable.all() else _first_reason(looked)
    missing = f"; out of reach is {reason}" if reason else ""
    share = f"{100 * looked.reachable.mean():.4g} % of {looked.reachable.size} poses can be reached{missing}"
    reachable = bool(looked.reachable.any())
    smallest = _smallest(looked) if reachable else None
    return Answer(
        key="margins",
        title=subject(model, "over its workspace", looked.region_text),
        tables=(smallest,) if smallest else (),
        notes=(share,) if reachable else (),
        data={**looked.data(), "reachable": reachable, "reason": reason},
        refusal="" if reachable else share,
        headline=_headline(model, smallest) if smallest else "",
    )


def _headline(model: Model, smallest: Table) -> str:
    """The smallest margin over the workspace and where it is."""
    rows = [row for row in smallest.records if row["smallest"] in MARGIN_KINDS]
    nearest = min(rows, key=lambda row: float(row["value"] or 0.0))
    where = pose_text([float(nearest[name] or 0.0) for name in model.robot.task_names])
    least = f"{fixed(float(nearest['value'] or 0.0), 4)}, {nearest['smallest']} at {where}"
    state = "becomes singular" if any(row["singular"] for row in rows) else "is nowhere singular"
    return f"{model.robot.name} {state} in its workspace: its smallest margin is {least} (0 is singular)."


def _smallest(looked: Survey) -> Table:
    rows = [row for name in _LOOKED_FOR if (row := _row(looked, name))]
    shown = (Column("smallest"), Column("value", decimals=4), Column("singular", alarm=True))
    columns = (*shown, *coordinates(looked.model.robot))
    return Table("smallest", "", columns, tuple(rows))


def _row(looked: Survey, name: str) -> tuple[Cell, ...] | None:
    """The smallest value of an index and where it is; None where the robot has no such index."""
    worst = looked.worst(INDICES[name], IndexOptions())
    if worst is None:
        return None
    return (name, worst.value, worst.value < NEAR if name in MARGIN_KINDS else None, *worst.pose.values())


def _first_reason(looked: Survey) -> str:
    pose = looked.poses[int(np.argmin(looked.reachable))]
    return f"{place_text(named(looked.model.robot, pose))}: {looked.model.reach(pose).reason()}"
