"""Where a robot can go: the reachable set on a grid, what stops it elsewhere, and the part connected to home."""

from __future__ import annotations

from parapick.capability.reachable.grid import POINTS_MAX, box_around, check_spacing, workspace
from parapick.capability.reachable.workspace_map import REASONS, WORDS, WorkspaceMap, counts_of

__all__ = ["POINTS_MAX", "REASONS", "WORDS", "WorkspaceMap", "box_around", "check_spacing", "counts_of", "workspace"]
