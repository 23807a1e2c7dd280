"""Which robot a shipped task is for."""

from __future__ import annotations

from parapick.tasks import list_tasks


def robot_for(task: str) -> str:
    """A shipped robot that a shipped task is made for: par4, or the first that its file names."""
    robots = next(entry.robots for entry in list_tasks() if entry.name == task)
    return "par4" if "par4" in robots else robots[0]
