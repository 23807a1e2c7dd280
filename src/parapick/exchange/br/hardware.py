"""The joint axes of a Delta: their order in the axes group, their limits, and the motors that move them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Final

from parapick.exchange.br.machine import AxisLimits, Channel, DrivenAxis, Motor
from parapick.exchange.br.places import Ledger, read_record
from parapick.exchange.br.project import Project, ProjectPart
from parapick.names import printable, quoted

DEGREES: Final = ("", "17476")
"""How an axis says that it counts in degrees: by default, or by the code of the unit ("DD" as a number)."""

_CHANNEL: Final = re.compile(r"(.*Channel\[(\d{1,3})\]/RealAxis/)AxisReference")


def read_axes(project: Project, system: ProjectPart, count: int, ledger: Ledger) -> tuple[DrivenAxis, ...]:
    """The joint axes of a mechanical system in its order; none where no axes group names it.

    Args:
        project: the project.
        system: the mechanical system.
        count: how many axes it has.
        ledger: what was taken.

    Raises:
        FileError: groups, axes or motors contradict each other, or a value cannot be taken.
    """
    groups = [part for part in project.of_kind("axesgroup") if part.text(_SYSTEM_OF_GROUP) == system.name]
    if not groups:
        return ()
    group, *others = groups
    if others:
        names = ", ".join(printable(f"{part.name} ({part.file})") for part in groups)
        raise system.error(f"belongs to {len(groups)} axes groups: {names}; keep one")
    ledger.take(group.settings[_SYSTEM_OF_GROUP])
    return tuple(_axis(project, group, n, ledger) for n in range(1, count + 1))


_SYSTEM_OF_GROUP: Final = "Type/MechanicalSystem/MechSysRef"


def _axis(project: Project, group: ProjectPart, n: int, ledger: Ledger) -> DrivenAxis:
    """Joint axis n."""
    path = f"Type/PhysicalAxes/JointAxes/JointAxis[{n}]/AxisRef"
    if path not in group.settings:
        raise group.error(f"names no axis for joint {n}; state {path}")
    reference = group.settings[path]
    name = ledger.take(reference)
    axes = [part for part in project.of_kind("axis") if part.name == name]
    if not axes:
        raise reference.error(f"is {quoted(name)}; no file has an axis of this name")
    limits = _limits(axes[0], n, ledger)
    channels = list(_channels(project, name))
    if not channels:
        return DrivenAxis(limits)
    if len(channels) > 1:
        drives = ", ".join(printable(part.name) for part, _, _ in channels)
        raise reference.error(f"is {quoted(name)}, which {len(channels)} drives move: {drives}; keep one")
    drive, prefix, number = channels[0]
    ledger.take(drive.settings[f"{prefix}AxisReference"])
    channel = read_record(Channel, drive.below(prefix), ledger, n)
    for field, ratio in (("Output", channel.gear_output), ("Input", channel.gear_input)):
        _check_turns(drive, f"{prefix}MechanicalElements/Gearbox/{field}", ratio)
    if channel.turn is not None and channel.turn != 2 * math.pi:
        setting = drive.settings[f"{prefix}MechanicalElements/RotaryToLinearTransformation/ReferenceDistance"]
        raise setting.error(f"is {quoted(setting.value)}; a turn of an arm is read as 360 degrees")
    motor = _motor(project, drive, number)
    if motor is None:
        return DrivenAxis(limits, channel=channel)
    for setting in (motor.settings.get(f"MT/{key}") for key in ("TargetModule", "TargetConnector")):
        if setting is not None:
            ledger.take(setting)
    unused = tuple(f"{part}/" for part in ("M1/Brake", "M1/Gearbox") if motor.text(part) == "NotUsed")
    used = {path: setting for path, setting in motor.settings.items() if not path.startswith(unused)}
    record = read_record(Motor, used, ledger, n)
    for field, ratio in (("Output", record.gear_output), ("Input", record.gear_input)):
        _check_turns(motor, f"M1/Gearbox/GearRatio/{field}", ratio)
    return DrivenAxis(limits, record, channel, motor.name)


def _check_turns(part: ProjectPart, path: str, turns: float | None) -> None:
    """Raise if a gearbox has an end that turns the other way, or not at all."""
    if turns is not None and not turns > 0.0:
        raise part.settings[path].error(f"is {turns:g}; turns of a gearbox are greater than 0")


def _limits(axis: ProjectPart, n: int, ledger: Ledger) -> AxisLimits:
    """The limits of an axis that counts in degrees."""
    unit = axis.settings.get("BaseType/MeasurementUnit")
    if unit is not None and unit.value not in DEGREES:
        raise unit.error(f"is {quoted(unit.value)}; an axis of an arm is read in degrees, which is 17476, the default")
    kind = axis.settings.get("BaseType")
    if kind is not None and not kind.value.startswith("Rotary"):
        raise kind.error(f"is {quoted(kind.value)}; the axis of an arm turns: 'RotaryBounded' or 'Rotary'")
    return read_record(AxisLimits, axis.settings, ledger, n)


def _channels(project: Project, axis: str) -> Iterator[tuple[ProjectPart, str, int]]:
    """The channels of drives that move an axis: module, place and number."""
    for part in project.parts:
        for path, setting in part.settings.items():
            match = _CHANNEL.fullmatch(path)
            if match and setting.value == axis:
                yield part, match[1], int(match[2])


def _motor(project: Project, drive: ProjectPart, number: int) -> ProjectPart | None:
    """The motor at a channel: the one that names it, or the one that the drive names; None without."""
    connector = f"MT{number}"
    for part in project.parts:
        if (part.text("MT/TargetModule"), part.text("MT/TargetConnector")) == (drive.name, connector):
            return part
    named = drive.text(f"{connector}/TargetModule")
    return next((part for part in project.parts if named and part.name == named), None)
