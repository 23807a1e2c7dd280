"""Motors and gearboxes to choose from: a row of a catalogue each, as numbers of a robot's drive."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, final

from parapick.mechanism import AnyDrive, Brake, Drive, Gearbox, Points as CurvePoints, TorqueCurve, Winding

PARTS_OF_DRIVE: Final[Mapping[str, Any]] = {"brake": Brake, "gearbox": Gearbox, "winding": Winding}
"""Tables within a drive, by the names that its fields have."""


@final
@dataclass(frozen=True)
class CataloguePart:
    """A motor or a gearbox of a catalogue.

    Attributes:
        name: what its maker calls it; no other one of its catalogue has that name.
        source: where its numbers are from.
        line: its line in its file.
        numbers: numbers of a drive (SI) by their paths within it, such as "winding.resistance".
        mass: of the part (kg); None where it is not stated.
        price: of the part; None where it is not stated.
        curves: of a motor, "peak" and "continuous" torque over speed, as far as they are stated.
    """

    name: str
    source: str
    line: int
    numbers: Mapping[str, float]
    mass: float | None = None
    price: float | None = None
    curves: Mapping[str, CurvePoints] = field(default_factory=dict)


@final
@dataclass(frozen=True)
class PartsCatalogue:
    """Motors, gearboxes, and which fit together.

    Attributes:
        folder: where it was read; "as shipped" for the one that travels with parapick.
        motors: its motors by name.
        gearboxes: its gearboxes by name.
        pairs: names of motors and gearboxes that fit together.
        currency: of all prices; empty where none is stated.
    """

    folder: str
    motors: Mapping[str, CataloguePart]
    gearboxes: Mapping[str, CataloguePart]
    pairs: tuple[tuple[str, str], ...]
    currency: str = ""


@final
@dataclass(frozen=True)
class Pair:
    """A motor with a gearbox.

    Attributes:
        motor: the motor.
        gearbox: the gearbox.
    """

    motor: CataloguePart
    gearbox: CataloguePart

    @property
    def name(self) -> str:
        """Both names."""
        return f"{self.motor.name} with {self.gearbox.name}"

    @property
    def price(self) -> float | None:
        """Of motor and gearbox; None where one of them states none."""
        return _sum(self.motor.price, self.gearbox.price)

    @property
    def mass(self) -> float | None:
        """Of motor and gearbox (kg); None where one of them states none."""
        return _sum(self.motor.mass, self.gearbox.mass)

    def drive(self, stated: AnyDrive | None) -> Drive:
        """The drive of a robot with this motor and this gearbox.

        Args:
            stated: the drive that the robot's file states; the friction of its joints stays.
        """
        drive = drive_of((self.motor, self.gearbox), stated)
        box = None if drive.gearbox is None else replace(drive.gearbox, name=self.gearbox.name)
        return replace(drive, motor=self.motor.name, gearbox=box)

    def sources(self) -> dict[str, str]:
        """Where the numbers of the drive are from, by their paths in a robot file."""
        paths = {}
        for part in (self.motor, self.gearbox):
            paths |= {f"drive.{path}": f"{part.name}: {part.source or 'no source stated'}" for path in part.numbers}
            paths |= {f"drive.curve.{name}": paths.get("drive.inertia", part.name) for name in part.curves}
        return paths


def drive_of(parts: Iterable[CataloguePart], stated: AnyDrive | None = None) -> Drive:
    """A drive with the numbers of some parts, and nothing else.

    Args:
        parts: a motor, a gearbox, or both.
        stated: the drive whose friction at the joint it keeps; None for none.
    """
    drive = Drive() if stated is None else Drive(friction=stated.friction)  # pyright: ignore[reportArgumentType]
    for part in parts:
        own = {path: value for path, value in part.numbers.items() if "." not in path}
        drive = replace(drive, **own, **_tables(part.numbers))  # pyright: ignore[reportArgumentType]
        if part.curves:
            drive = replace(drive, curve=TorqueCurve(part.curves.get("peak"), part.curves.get("continuous")))
    return drive


def _tables(numbers: Mapping[str, float]) -> dict[str, Any]:
    """Tables within a drive that hold a number."""
    tables = {}
    for name, kind in PARTS_OF_DRIVE.items():
        head = f"{name}."
        inside = {path.removeprefix(head): value for path, value in numbers.items() if path.startswith(head)}
        if inside:
            tables[name] = kind(**inside)
    return tables


def _sum(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else first + second
