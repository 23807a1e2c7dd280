"""From the settings of a project to the numbers of one Delta in it."""

from __future__ import annotations

import re
from typing import Final

from parapick.errors import FileError, FileProblem, ParapickError
from parapick.exchange.br.hardware import read_axes
from parapick.exchange.br.machine import (
    ARMS,
    BODIES,
    DIMENSIONS,
    GEARS,
    REDUCTIONS,
    SECTIONS,
    SUBTYPES,
    SYSTEM,
    TABLE,
    TABLE_ROWS,
    VARIANT,
    Arm,
    BrDelta,
    DriveRow,
    JerkReduction,
    Platforms,
    TableBody,
    WorkingRange,
)
from parapick.exchange.br.places import Ledger, number, read_record
from parapick.exchange.br.project import Project, ProjectPart
from parapick.exchange.br.tables import TableRow, named_rows, rows_of
from parapick.names import printable, quoted

_ENTRY: Final = re.compile(r"JerkReduction\[(\d{1,3})\]/.*")

_DIRECTIONS: Final = {"": False, "Standard": False, "Inverse": True}
"""How a joint may count, and whether that is against the standard direction."""


def chosen_system(project: Project, name: str | None = None) -> ProjectPart:
    """The mechanical system that is read.

    Args:
        project: the project.
        name: its name; None for the only one.

    Raises:
        ParapickError: there are several, or none of this name.
    """
    systems = project.of_kind("mechanicalsystem")
    listed = ", ".join(printable(f"{part.name} ({part.file})") for part in systems)
    if name is not None:
        fitting = [part for part in systems if part.name == name]
        if not fitting:
            raise ParapickError(f"{project.folder}: has no mechanical system {quoted(name)}; it has {listed or 'none'}")
        return fitting[0]
    if len(systems) != 1:
        reason = f"has {len(systems)} mechanical systems; say which: {listed}"
        reason = reason if systems else "no file has an element of the type mechanicalsystem"
        raise ParapickError(f"{project.folder}: {reason}")
    return systems[0]


def read_machine(project: Project, system: ProjectPart) -> tuple[BrDelta, Ledger]:
    """The numbers of a Delta, and what was taken for them.

    Args:
        project: the project.
        system: its mechanical system.

    Raises:
        FileError: it is no Delta that is known, or a value cannot be taken.
    """
    ledger = Ledger()
    subtype = _subtype(system, ledger)
    count = SUBTYPES[subtype]
    sizes = system.below(f"{SYSTEM}{DIMENSIONS}")
    bodies, rows = _dynamics(system, subtype, ledger)
    machine = BrDelta(
        name=system.name,
        subtype=subtype,
        arms=tuple(read_record(Arm, sizes, ledger, n) for n in range(1, ARMS + 1)),
        frame=read_record(Platforms, sizes, ledger),
        inverse=_inverse(system, count, ledger),
        model=system.text(f"{SYSTEM}{TABLE}Type"),
        bodies=bodies,
        rows=rows,
        gear_torques=_limits(system, GEARS, count, count, ledger),
        section_limits=_limits(system, SECTIONS, count, 12, ledger),
        reductions=_reductions(system, ledger),
        range=_range(system, ledger),
        axes=read_axes(project, system, count, ledger),
    )
    return machine, ledger


def _subtype(system: ProjectPart, ledger: Ledger) -> str:
    """Which Delta it is."""
    kind, subtype = system.text("Type"), system.text("Type/Subtype")
    if kind != "Delta" or subtype not in SUBTYPES:
        found = f"Type {quoted(kind)}, Subtype {quoted(subtype)}"
        message = f"is of {found}; what is modelled is Type 'Delta', Subtype {' or '.join(map(repr, SUBTYPES))}"
        raise system.error(message)
    for path in ("Type", "Type/Subtype", f"{SYSTEM}{TABLE}Type"):
        if path in system.settings:
            ledger.take(system.settings[path], f"system.{path}")
    return subtype


def _inverse(system: ProjectPart, count: int, ledger: Ledger) -> bool:
    """Whether the arms count up; offsets of joints are refused, because no file shows which way they count."""
    directions: dict[bool, int] = {}
    for n in range(1, count + 1):
        offset = system.settings.get(f"{SYSTEM}Description/Offsets/JointAxis[{n}]")
        if offset is not None and number(offset) != 0.0:
            raise offset.error(f"is {quoted(offset.value)}; only 0 is read: which way an offset counts is not known")
        setting = system.settings.get(f"{SYSTEM}Description/CountDirections/JointAxis[{n}]")
        text = "" if setting is None else setting.value
        if setting is not None and text not in _DIRECTIONS:
            raise setting.error(f"is {quoted(text)}; a joint counts 'Standard' or 'Inverse'")
        if n <= ARMS:
            directions.setdefault(_DIRECTIONS[text], n)
        elif setting is not None and _DIRECTIONS[text]:
            raise setting.error("is 'Inverse'; the yaw of a robot here counts as its joint does, so give 'Standard'")
        for one in (offset, setting):
            if one is not None:
                ledger.take(one, "system.direction")
    if len(directions) > 1:
        raise system.error(f"counts arm {directions[True]} 'Inverse' and arm {directions[False]} 'Standard'; give one")
    return True in directions


def _rows(system: ProjectPart, table: str, count: int, ledger: Ledger) -> dict[int, TableRow]:
    """The rows of a table that is used and whose type is known: that of the Delta with four axes.

    No table of a Delta with three axes is at hand: its dynamic model is listed, and its limits are read where their
    type is the number of its axes.
    """
    selector, scratch = f"{SYSTEM}{table.partition('/')[0]}", Ledger()
    rows = rows_of(system, f"{SYSTEM}{table}", scratch)
    if not rows or system.text(selector, "Used") != "Used" or (table == TABLE and count != VARIANT):
        return {}
    kind = rows.get(0)
    if kind is None or number(kind.value) != count:
        if count != VARIANT:
            return {}
        text = "not stated" if kind is None else quoted(kind.value.value)
        message = f"the type of the dynamic model is {text}; rows are known of type {VARIANT}, the Delta with four axes"
        raise FileError(system.file, (FileProblem(f"{system.name}, {SYSTEM}{table}Row[1]", message),))
    ledger.taken |= scratch.taken
    ledger.take(kind.value)
    return rows


def _dynamics(system: ProjectPart, subtype: str, ledger: Ledger) -> tuple[tuple[TableBody, ...], tuple[DriveRow, ...]]:
    """Bodies and drives of the table; nothing where there is none, or where its rows are not known."""
    rows = _rows(system, TABLE, SUBTYPES[subtype], ledger)
    if not rows:
        return (), ()
    settings = named_rows(system, f"{SYSTEM}{TABLE}", TABLE_ROWS, rows)
    bodies = tuple(read_record(TableBody, settings, ledger, n) for n in range(1, BODIES + 1))
    return bodies, tuple(read_record(DriveRow, settings, ledger, n) for n in range(1, VARIANT + 1))


def _limits(system: ProjectPart, table: str, axes: int, count: int, ledger: Ledger) -> tuple[float, ...]:
    """The values of the rows 1 to count of a table of limits; nothing where there is none."""
    rows = _rows(system, table, axes, ledger)
    if not rows:
        return ()
    names = {n: (rows[n].description if n in rows else "") or f"limit {n}" for n in range(1, count + 1)}
    named_rows(system, f"{SYSTEM}{table}", names, rows)
    values = []
    for n in names:
        values.append(number(rows[n].value))
        ledger.take(rows[n].value, f"{table}{n}")
    return tuple(values)


def _reductions(system: ProjectPart, ledger: Ledger) -> tuple[JerkReduction, ...]:
    """By how much payloads lessen the jerk, in the order of the payloads' numbers."""
    if system.text(f"{SYSTEM}{REDUCTIONS.rstrip('/')}") != "PayloadDependentJerkReduction":
        return ()
    settings = system.below(f"{SYSTEM}{REDUCTIONS}")
    numbers = sorted({int(match[1]) for path in settings if (match := _ENTRY.fullmatch(path))})
    return tuple(read_record(JerkReduction, settings, ledger, n) for n in numbers)


def _range(system: ProjectPart, ledger: Ledger) -> WorkingRange | None:
    """The working range; None without, or where it is of another form."""
    kind = system.settings.get(f"{SYSTEM}WorkingRange")
    if kind is None or kind.value != "Standard":
        return None
    ledger.take(kind)
    return read_record(WorkingRange, system.below(SYSTEM), ledger)
