"""Why a pose does not belong to the workspace, as codes and in words."""

from __future__ import annotations

from typing import Final

from parapick.model.margins import MARGIN_KINDS
from parapick.model.reach import FAULTS, SLACKS

REASONS: Final = (*FAULTS, *MARGIN_KINDS)
"""Why a point does not belong to the workspace; a reason is an index into this list, 0 where it belongs."""

WORDS: Final = {
    "": "reachable",
    "pose": "not a pose",
    **{kind.name: kind.fault for kind in SLACKS},
    "under-mobility": "near under-mobility",
    "over-mobility": "near over-mobility",
    "internal": "near an internal singularity",
}
"""Reasons in words, for tables and figures."""
