"""The 100 g lines of corbel2010 in closed loop: the four-motor Delta under task-space control and its torque limit.

The document carries 0.25 kg. With them the motors saturate, because its 127 N m leave the forearms' halves out
(papers/corbel2010, errata E9 and E15); without any load they do not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from parapick.control import Controller, TaskSpaceID
from parapick.papers.corbel2010.lines import corbel2010_lines
from parapick.robots import load
from parapick.simulation import simulate

if TYPE_CHECKING:
    from parapick.simulation import Record

ALTITUDE: Final = -0.53
"""Height (m) of the lines: the lowest plane of section V.C."""

TORQUE_MAX: Final = 127.0
"""Torque limit (N m) of the motors, section V."""

LOAD: Final = 0.25
"""Mass (kg) added to the plate "to simulate a load", section V.A."""

RATE: Final = 8000.0
FREQUENCY: Final = 60.0
DAMPING: Final = 0.7
"""Control rate (Hz), poles (Hz) and their damping; chosen. A line lasts 45 ms, so 4 kHz would see it in 180 samples."""


def line_runs(sharing: str, limit: float | None = TORQUE_MAX, *, load_mass: float = LOAD) -> tuple[Record, ...]:
    """The four lines, each there and back at 100 g, with a load that the controller knows.

    Args:
        sharing: how the four motors share, "least-norm" or "least-peak".
        limit: torque limit (N m); None: no limit.
        load_mass: mass (kg) carried there and back.
    """
    robot = load("r4-100g").with_payload(load_mass)
    law = TaskSpaceID.from_poles(FREQUENCY, DAMPING, sharing=sharing)
    controller = Controller(law, rate=RATE, torque_max=limit)
    return tuple(simulate(robot, line, controller) for line in corbel2010_lines(ALTITUDE))
