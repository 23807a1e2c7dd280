"""What a robot holds and a task carries, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from parapick.model import Model
    from parapick.motion import Motion


def held_words(models: Sequence[Model]) -> str:
    """What robots hold all along, besides what a task carries; empty where they hold nothing.

    Args:
        models: the robots.
    """
    masses = {model.robot.name: model.payload.mass for model in models if model.payload}
    if not masses:
        return ""
    if len(models) == len(masses) and len(set(masses.values())) == 1:
        return f"{'the robot holds' if len(models) == 1 else 'every robot holds'} {next(iter(masses.values())):g} kg"
    return ", ".join(f"{name} holds {mass:g} kg" for name, mass in masses.items())


def load_words(model: Model, motion: Motion) -> str:
    """What the tool bears along a motion: what the task carries, and what the robot holds; empty where nothing.

    Args:
        model: the robot.
        motion: the motion.
    """
    carried = sorted({step.mass for step in motion.payload if step.load})
    task = f"the task carries {', '.join(f'{mass:g} kg' for mass in carried)}" if carried else ""
    return ", and all along ".join(text for text in (task, held_words([model])) if text)
