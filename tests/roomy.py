"""Robots without a stated workspace, for tests of plans that reach alone should bound."""

from __future__ import annotations

from dataclasses import replace

import parapick as pp


def roomy(name: str) -> pp.Model:
    """A shipped robot as if its file stated no workspace."""
    model = pp.load(name)
    return replace(model, robot=replace(model.robot, workspace=None))
