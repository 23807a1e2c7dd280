"""Better parts of a robot: a stronger motor or gearbox, a larger bus, a lighter plate, as other numbers of its file.

A part is better by a share in all its numbers that go together, so that the robot with them is one that its file could
state; `evaluate` with these numbers gives what is said of it. A motor has more torque at every speed, its rotor as it
is. A larger voltage of the bus shifts where the torque falls, by its share to larger speeds: a motor that turns induces
a voltage as large as its speed, and has torque as far as that of the bus is larger. What the winding takes of the
voltage is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, final

from parapick.answer import Requirement
from parapick.formulas import INSTANT
from parapick.mechanism import AnyDrive, Robot
from parapick.motors import CYCLE
from parapick.parameters import leaves

SHARE: Final = 0.05
"""Share by which a part is better."""

_MORE: Final = f"{100 * SHARE:g} %"
_TORQUES: Final = ("rated_torque", "peak_torque", "stall_torque", "rated_force", "peak_force")
_CURVES: Final = ("peak", "continuous")
_OUTPUTS: Final = ("peak_torque", "nominal_torque", "mean_torque")
_VOLTAGES: Final = ("voltage", "brake_voltage", "voltage_max")

_BUS: Final = next(kind.title for kind in CYCLE if kind.key == "bus")
_GEARBOX: Final = tuple(kind.title for kind in (*INSTANT, *CYCLE) if kind.key in ("gearbox", "gearbox_mean"))
"""Requirements that a bus and a gearbox limit."""


@final
@dataclass(frozen=True)
class Remedy:
    """A better part.

    Attributes:
        key: its name for programs: "motor", "gearbox", "voltage", "capacitor", "resistor" or "plate".
        words: what it is.
        changes: the numbers that it has otherwise, by path (SI).
    """

    key: str
    words: str
    changes: Mapping[str, float]


def states_parts(robot: Robot) -> bool:
    """Whether a file states more of its drives than ratings: curves, gearboxes, windings or a bus."""
    drives = robot.motor_drives()
    more = any((d.curve, d.gearbox, d.winding, d.stall_torque) != (None,) * 4 for d in drives)
    return more or robot.bus is not None


def remedies(robot: Robot, limits: tuple[Requirement, ...]) -> Iterator[Remedy]:
    """Better parts that may ease what limits a robot.

    Args:
        robot: the robot, which states parts.
        limits: what limits it on its task, and what decides its fastest cycle.
    """
    numbers = dict(leaves(robot))
    drives = _drives(robot)
    names = {limit.name for limit in limits}
    for path, drive in drives:
        whose = "" if len(drives) == 1 else f" of {path}"
        yield from _made(numbers, "motor", f"motor{whose}: {_MORE} more torque", _motor(path, drive), SHARE)
        if names & set(_GEARBOX):
            outputs = [f"{path}.gearbox.{name}" for name in _OUTPUTS]
            yield from _made(numbers, "gearbox", f"gearbox{whose}: bears {_MORE} more", outputs, SHARE)
    speeds = [p for path, drive in drives for p in _points(f"{path}.curve.peak", drive.peak_curve, 1)]
    voltages = [f"bus.{name}" for name in _VOLTAGES]
    if speeds and numbers.get("bus.voltage") is not None:
        yield from _made(numbers, "voltage", f"bus: {_MORE} more voltage", [*voltages, *speeds], SHARE)
    if _BUS in names:
        yield from _made(numbers, "capacitor", f"bus: {_MORE} more capacitance", ["bus.capacitance"], SHARE)
        yield from _made(numbers, "resistor", f"bus: brake resistor {_MORE} less", ["bus.brake_resistance"], -SHARE)
    masses = [f"plate.{name}" for name in robot.plate.traits.masses]
    yield from _made(numbers, "plate", f"plate: {_MORE} lighter", masses, -SHARE)


def untold(robot: Robot) -> Iterator[str]:
    """What cannot be said of a larger voltage, because the file lacks a number.

    Args:
        robot: the robot, which states parts.
    """
    curved = any(drive.peak_curve is not None for drive in robot.motor_drives())
    if robot.bus is not None and not curved:
        yield "what a larger voltage would bring is not known: it shifts drive.curve.peak, and the file has none"
    if curved and robot.bus is None:
        yield "what a larger voltage would bring is not known: the file states no bus.voltage for which its curves hold"


def _drives(robot: Robot) -> list[tuple[str, AnyDrive]]:
    """The drives that the file states, by their path."""
    own = f"plate.{robot.plate.traits.drive_path}"
    return [(path, drive) for path, drive in (("drive", robot.drive), (own, robot.plate.drive)) if drive is not None]


def _motor(path: str, drive: AnyDrive) -> list[str]:
    """Paths of all torques of a motor."""
    curves = {name: None if drive.curve is None else getattr(drive.curve, name) for name in _CURVES}
    points = [p for name, curve in curves.items() for p in _points(f"{path}.curve.{name}", curve, 2)]
    return [*(f"{path}.{name}" for name in _TORQUES), *points]


def _points(path: str, curve: Any, place: int) -> list[str]:
    """Paths of the speeds (place 1) or torques (place 2) of a curve; none without one."""
    return [] if curve is None else [f"{path}.{number}.{place}" for number in range(1, len(curve) + 1)]


def _made(numbers: Mapping[str, float], key: str, words: str, paths: list[str], share: float) -> Iterator[Remedy]:
    """The remedy with those of its numbers that are stated and not 0; none where no number is."""
    changes = {path: numbers[path] * (1.0 + share) for path in paths if numbers.get(path)}
    if changes:
        yield Remedy(key, words, changes)
