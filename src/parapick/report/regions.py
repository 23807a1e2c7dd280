"""Where else the robot can go, and how well: its workspace, and maps of indices, as sections of the report.

They are about the robot and not about the task, and take seconds, so that they are in the report on request only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from parapick.answer import Answer, unit_text
from parapick.capability import INDICES, UnknownIndexError, index_map, map_answer
from parapick.capability.reachable import slab_heights, workspace, workspace_answer
from parapick.model import Model
from parapick.report.figures import Drawing
from parapick.report.map_figure import map_figure
from parapick.report.workspace_figure import workspace_panels, workspace_title

WORKSPACE: Final = "workspace"
"""Name of the section of the workspace; the others have the names of their indices."""


@final
@dataclass(frozen=True, eq=False)
class Region:
    """A section about a region.

    Attributes:
        answer: what is found there.
        drawings: its figure, if it has one.
    """

    answer: Answer
    drawings: tuple[Drawing, ...]


def check_regions(names: Sequence[str]) -> None:
    """Raise if a name is neither the workspace nor an index.

    Args:
        names: the names.

    Raises:
        UnknownIndexError: which one, and those there are.
    """
    known = (WORKSPACE, *INDICES)
    for name in names:
        if name not in known:
            raise UnknownIndexError(name, known)


def regions(model: Model, names: Sequence[str]) -> tuple[Region, ...]:
    """Sections about regions of a robot.

    Args:
        names: "workspace", or names of indices.

    Raises:
        ParapickError: an unknown name, or an index that this robot does not have.
    """
    check_regions(names)
    return tuple(_workspace(model) if name == WORKSPACE else _map(model, name) for name in names)


def _workspace(model: Model) -> Region:
    workspace_map = workspace(model, margin=0.05)
    heights = slab_heights(model.robot, workspace_map)
    panels = workspace_panels(model.robot, workspace_map, sum(heights) / 2)
    return _region(
        workspace_answer(workspace_map, heights),
        WORKSPACE,
        "Workspace",
        Drawing(workspace_title(workspace_map), panels),
    )


def _map(model: Model, name: str) -> Region:
    values_map = index_map(model, name)
    answer, title = map_answer(model, values_map), f"Map of {unit_text(values_map.index.heading(values_map.options))}"
    if not answer.ok:
        return _region(answer, f"map-{name}", title)
    broad, narrow = (map_figure(model, values_map, narrow=narrow) for narrow in (False, True))
    return _region(answer, f"map-{name}", title, Drawing(title, (), "picture", broad, narrow=narrow))


def _region(answer: Answer, key: str, title: str, *drawings: Drawing) -> Region:
    """The answer as a section: what stood above it is its first note."""
    notes = (f"for {answer.title.replace(chr(10), '; ')}", *answer.notes, *filter(None, [answer.refusal]))
    return Region(replace(answer, key=key, title=title, notes=notes), drawings)
