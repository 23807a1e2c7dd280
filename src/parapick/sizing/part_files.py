"""Catalogues of motors and gearboxes: four CSV files in a folder, with units in their headings.

`motors.csv` and `gearboxes.csv` have a row per part, `curves.csv` a row per point of a motor's torque over speed, and
`pairs.csv` a row per motor and gearbox that fit together. Without `pairs.csv` every motor fits every gearbox; without
`curves.csv` no motor has a curve.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from parapick.errors import ParapickError
from parapick.limits import MOST, count_objection
from parapick.mechanism import drive_problems
from parapick.names import quoted
from parapick.sizing.part_columns import GEARBOX, MOTOR, SPEED, TORQUE, columns_of
from parapick.sizing.part_table import PartTable, read_table
from parapick.sizing.parts import CataloguePart, PartsCatalogue, drive_of

SHIPPED: Final = Path(__file__).parent / "shipped"
"""The catalogue that travels with the package."""

Parts = Mapping[str, CataloguePart]
"""Parts by name."""

_CURVES: Final = ("peak", "continuous")
"""Kinds of curves of a motor."""


def read_catalogue(folder: str | os.PathLike[str] | None = None) -> PartsCatalogue:
    """The catalogue in a folder.

    Args:
        folder: the folder; the shipped catalogue if not given.

    Raises:
        UnreadableError: a file cannot be read, or is no table.
        CatalogueFileError: a row that is no part, a name twice, a pair that names nothing: with row and field.
        ParapickError: there is no such folder, or there are more pairs than can be looked at.
    """
    place = SHIPPED if folder is None else Path(folder)
    if not place.is_dir():
        raise ParapickError(f"{place}: is not a folder; a catalogue is a folder with motors.csv and gearboxes.csv")
    motors = read_table(place / "motors.csv", "a list of motors", ("name", "source"), columns_of(MOTOR))
    listed = _parts(motors, MOTOR)
    if any(problem.path.endswith(", name") for problem in motors.problems):
        # Without their names curves cannot be told whose they are.
        motors.check()
    curves = _curves(place / "curves.csv", listed)
    listed = {name: replace(part, curves=curves.get(name, {})) for name, part in listed.items()}
    _check_motors(motors, listed)
    motors.check()
    gearboxes = read_table(place / "gearboxes.csv", "a list of gearboxes", ("name", "source"), columns_of(GEARBOX))
    boxes = _parts(gearboxes, GEARBOX)
    _check_gearboxes(gearboxes, boxes)
    if motors.currency and gearboxes.currency and motors.currency != gearboxes.currency:
        text = f"is in {gearboxes.currency}, that of motors.csv in {motors.currency}; state all prices in one currency"
        gearboxes.refuse(1, "price", text)
    gearboxes.check()
    pairs = _pairs(place / "pairs.csv", listed, boxes)
    name = "as shipped" if folder is None else str(place)
    return PartsCatalogue(name, listed, boxes, pairs, motors.currency or gearboxes.currency)


def _parts(table: PartTable, paths: Mapping[str, str]) -> dict[str, CataloguePart]:
    """The parts of a file by name; rows without one, and names that were there before, are noted."""
    parts = dict[str, CataloguePart]()
    for line, words, numbers in table.rows:
        name = words["name"]
        if not name:
            table.refuse(line, "name", "is missing; every part has a name")
        elif name in parts:
            table.refuse(line, "name", f"{quoted(name)} is that of line {parts[name].line}, too; names differ")
        else:
            own = {paths[column]: value for column, value in numbers.items() if column in paths}
            price, mass = numbers.get("price"), numbers.get("mass")
            parts[name] = CataloguePart(name, words["source"], line, own, mass, price)
    return parts


def _check_motors(table: PartTable, motors: Parts) -> None:
    """Note rows that are no motor, and motors whose numbers contradict each other."""
    for part in motors.values():
        if "peak_torque" not in part.numbers and "peak" not in part.curves:
            table.refuse(part.line, "peak_torque", "is missing; a motor has it, or a peak curve in curves.csv")
        if "inertia" not in part.numbers:
            table.refuse(part.line, "inertia", "is missing; a motor has a rotor, whose inertia the robot moves")
    _check_drives(table, motors, MOTOR)


def _check_gearboxes(table: PartTable, gearboxes: Parts) -> None:
    """Note rows that are no gearbox, and gearboxes whose numbers contradict each other."""
    for part in gearboxes.values():
        if "ratio" not in part.numbers:
            table.refuse(part.line, "ratio", "is missing; a gearbox has motor turns per joint turn")
    _check_drives(table, gearboxes, GEARBOX)


def _check_drives(table: PartTable, parts: Parts, paths: Mapping[str, str]) -> None:
    """Note what a robot file with the numbers of a part would be refused for."""
    columns = {f"drive.{path}": column for column, path in paths.items()}
    for part in parts.values():
        for problem in drive_problems("drive", drive_of([part])):
            message = problem.message
            for path, column in columns.items():
                message = re.sub(rf"{re.escape(path)}(?![\w.])", column, message)
            curve = problem.path.removeprefix("drive.curve.").partition(".")[0]
            column = columns.get(problem.path) or (f"{curve} of curves.csv" if curve in _CURVES else problem.path)
            table.refuse(part.line, column, message.replace("drive.curve.", "the curve "))


def _curves(path: Path, motors: Parts) -> dict[str, dict[str, tuple[tuple[float, float], ...]]]:
    """Points of every motor's curves, by its name and their kind; none without the file."""
    if not path.exists():
        return {}
    numbers = {"speed": SPEED, "torque": TORQUE}
    table = read_table(path, "a list of points of curves", ("motor", "kind"), numbers)
    points: dict[str, dict[str, tuple[tuple[float, float], ...]]] = {}
    for line, words, values in table.rows:
        motor, kind = words["motor"], words["kind"]
        if motor not in motors:
            table.refuse(line, "motor", f"{quoted(motor)} is not a motor of motors.csv")
        elif kind not in _CURVES:
            table.refuse(line, "kind", f"is {quoted(kind)}; valid are {' and '.join(_CURVES)}")
        elif missing := [name for name in numbers if name not in values]:
            table.refuse(line, missing[0], "is missing; a point of a curve has a speed and a torque")
        else:
            curve = points.setdefault(motor, {})
            curve[kind] = (*curve.get(kind, ()), (values["speed"], values["torque"]))
    table.check()
    return points


def _pairs(path: Path, motors: Parts, gearboxes: Parts) -> tuple[tuple[str, str], ...]:
    """Names that fit together: those of the file, or all without it."""
    if not path.exists():
        if objection := count_objection("pairs", len(motors) * len(gearboxes)):
            raise ParapickError(f"{path.parent}: the number of its pairs {objection}; list what fits in pairs.csv")
        return tuple((motor, gearbox) for motor in motors for gearbox in gearboxes)
    table = read_table(path, "a list of pairs", ("motor", "gearbox"), {})
    pairs = dict[tuple[str, str], int]()
    for line, words, _ in table.rows:
        pair = words["motor"], words["gearbox"]
        if pair[0] not in motors:
            table.refuse(line, "motor", f"{quoted(pair[0])} is not a motor of motors.csv")
        if pair[1] not in gearboxes:
            table.refuse(line, "gearbox", f"{quoted(pair[1])} is not a gearbox of gearboxes.csv")
        if pair in pairs:
            table.refuse(line, "motor", f"and gearbox are the pair of line {pairs[pair]}, too")
        pairs[pair] = line
    table.check()
    return tuple(pairs)


def with_free_ratios(catalogue: PartsCatalogue, low: float, high: float, count: int) -> PartsCatalogue:
    """The catalogue with gearboxes of any ratio, without losses and inertia, for every motor.

    Args:
        low: the least ratio.
        high: the largest ratio.
        count: how many ratios, equal steps of their logarithm apart.

    Raises:
        ParapickError: more pairs than can be looked at.
    """
    ratios = [low * (high / low) ** (step / (count - 1)) for step in range(count)] if count > 1 else [low]
    source = "a free ratio: no losses, no inertia, no limits"
    made = (CataloguePart(f"free {ratio:.4g}", source, 0, {"ratio": ratio}, 0.0, 0.0) for ratio in ratios)
    free = {part.name: part for part in made}
    pairs = (*catalogue.pairs, *((motor, name) for motor in catalogue.motors for name in free))
    if objection := count_objection("pairs", len(pairs)):
        raise ParapickError(f"{catalogue.folder}: the number of its pairs {objection}; at most {MOST['pairs']}")
    return replace(catalogue, gearboxes={**catalogue.gearboxes, **free}, pairs=pairs)
