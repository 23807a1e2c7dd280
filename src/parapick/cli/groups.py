"""The groups of options in the help of a command, the same in all commands."""

from __future__ import annotations

from typing import Final

from cyclopts import Group

_TITLES: Final = (
    "What is asked",
    "Where",
    "Motors and load",
    "Index",
    "Simulation",
    "Supervisor",
    "Search",
    "Log",
    "Task, otherwise than in its file",
    "Controller, otherwise than in its file",
    "Robot, otherwise than in its file",
    "Report",
    "Output",
)
"""Every group, in the order in which they are printed."""


def _group(title: str) -> Group:
    return Group(title, sort_key=_TITLES.index(title) + 1)


ASKED: Final = _group("What is asked")
WHERE: Final = _group("Where")
LOAD: Final = _group("Motors and load")
INDEX: Final = _group("Index")
SIMULATION: Final = _group("Simulation")
SUPERVISOR: Final = _group("Supervisor")
SEARCH: Final = _group("Search")
LOG: Final = _group("Log")
TASK: Final = _group("Task, otherwise than in its file")
CONTROLLER: Final = _group("Controller, otherwise than in its file")
ROBOT: Final = _group("Robot, otherwise than in its file")
REPORT: Final = _group("Report")
OUTPUT: Final = _group("Output")
