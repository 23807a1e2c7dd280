"""How a model shows itself: in one line, and as a table in a notebook."""

from __future__ import annotations

from parapick.answer import lines, pose_text
from parapick.mechanism import Robot, ToolLoads, mode_of


def model_text(robot: Robot, loads: ToolLoads) -> str:
    """A model in one line.

    Args:
        loads: what its tool holds.
    """
    axes = f"{robot.motors} motors for {', '.join(robot.task_names)}"
    tool = f"; {loads.words}" if any(loads) else ""
    return f"<Model {robot.name}: {axes}; working mode {mode_of(robot)}{tool}>"


def model_page(robot: Robot, loads: ToolLoads) -> str:
    """A model as a table of a page.

    Args:
        loads: what its tool holds.
    """
    entries = {
        "motors": f"{robot.motors}{', more than freedoms' if robot.redundant else ''}",
        "task vector": ", ".join(robot.task_names),
        "home": pose_text(robot.home),
        "working mode": str(mode_of(robot)),
        **{name: f"{mass:g} kg" for name, mass in loads._asdict().items() if mass},
    }
    title = f"robot {robot.name}{f': {robot.title}' if robot.title else ''}"
    return lines("model", entries, title)._repr_html_()
