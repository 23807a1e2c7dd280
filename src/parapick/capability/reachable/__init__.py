"""Where a robot can go: the reachable set on a grid, what stops it elsewhere, and the part connected to home."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.capability.reachable.grid import (
        POINTS_MAX as POINTS_MAX,
        box_around as box_around,
        check_spacing as check_spacing,
        workspace as workspace,
    )
    from parapick.capability.reachable.workspace_answer import (
        slab_heights as slab_heights,
        workspace_answer as workspace_answer,
    )
    from parapick.capability.reachable.workspace_map import (
        REASONS as REASONS,
        WORDS as WORDS,
        WorkspaceMap as WorkspaceMap,
        counts_of as counts_of,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "grid": "POINTS_MAX box_around check_spacing workspace",
        "workspace_answer": "slab_heights workspace_answer",
        "workspace_map": "REASONS WORDS WorkspaceMap counts_of",
    },
)
