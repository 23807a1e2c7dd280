"""Which robot a shipped task is for."""

from __future__ import annotations

OWN_ROBOT = {
    "belts-5r": "fivebar-spindle",
    "line-100g": "r4-100g",
    "corbel2010": "r4-100g",
    "righettini2024": "fivebar-spindle",
    "wu2020": "asymmetric-screw",
}
"""Robots of the tasks that par4 cannot do, or that a document has for its own robot, by how their names begin."""


def robot_for(task: str) -> str:
    """A shipped robot that can do a shipped task."""
    return next((robot for start, robot in OWN_ROBOT.items() if task.startswith(start)), "par4")
