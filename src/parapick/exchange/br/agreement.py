"""What a project states twice, compared: where the two differ, the project contradicts itself.

The dynamic model repeats what the hardware states of each drive, and repeats mass and centre of each body in its
products. `Jxx` and `Jyy` of rods and shafts, which are bodies of revolution for us, are one number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

from parapick.answer import Requirement, against
from parapick.exchange.br.machine import BrDelta, DrivenAxis, DriveRow, TableBody, body
from parapick.exchange.br.places import places_of

AGREEMENT: Final = 1e-4
"""Largest share by which two statements of one number may differ: catalogues print four digits."""

_PRODUCTS: Final = ("mxy", "myz", "mxz", "mxx", "myy", "mzz")


@final
@dataclass(frozen=True)
class Twice:
    """A number that a project states twice.

    Attributes:
        name: what it is, such as "inertia of the drives".
        what: which of them, and what is compared with what.
        first: the one that is taken (SI).
        second: the other (SI).
        unit: unit of both.
    """

    name: str
    what: str
    first: float
    second: float
    unit: str

    @property
    def difference(self) -> float:
        """By how much they differ, as a share of the larger; 0 where both are 0."""
        size = max(abs(self.first), abs(self.second))
        return abs(self.first - self.second) / size if size else 0.0

    @property
    def requirement(self) -> Requirement:
        """That both are alike."""
        reading = f"{self.first:.6g} and {self.second:.6g} {self.unit}".rstrip()
        words = f"{self.name}, {self.what}: {reading}"
        return against(self.name, self.what, self.difference, unit="", at_most=AGREEMENT, words=words, reading=reading)


def compared(machine: BrDelta) -> tuple[Twice, ...]:
    """Of each kind of number that is stated twice the one that differs most.

    Args:
        machine: the Delta as the project states it.
    """
    worst: dict[str, Twice] = {}
    for one in (*_drives(machine), *_bodies(machine)):
        if one.name not in worst or one.difference > worst[one.name].difference:
            worst[one.name] = one
    return tuple(worst.values())


def _drives(machine: BrDelta) -> Iterator[Twice]:
    for n, axis in enumerate(machine.axes, start=1):
        first, second = (None if one is None else one.ratio for one in (axis.channel, axis.motor))
        if first is not None and second is not None:
            yield Twice("gear ratios", f"axis {n}: the drive's, the motor's", first, second, "")
        if machine.rows:
            yield from _against_row(n, axis, machine.rows[n - 1])


def _against_row(n: int, axis: DrivenAxis, row: DriveRow) -> Iterator[Twice]:
    """The rows of a drive against its motor, brake, encoder and gearbox."""
    motor, ratio = axis.motor, axis.ratio
    if motor is None:
        return
    if motor.inertia is not None:
        what = f"axis {n}: motor, brake, encoder and gearbox; JDrive{n}"
        yield Twice("inertia of the drives", what, motor.total_inertia, row.inertia, "kg m2")
    if ratio is None:
        return
    if motor.gear_viscous is not None:
        what = f"axis {n}: the gearbox's times the ratio squared; dV{n}"
        yield Twice("viscous friction", what, motor.gear_viscous * ratio**2, row.viscous, "N m s/rad")
    if motor.gear_static is not None:
        what = f"axis {n}: the gearbox's times the ratio; dC{n}"
        yield Twice("static friction", what, motor.gear_static * ratio, row.coulomb, "N m")


def _bodies(machine: BrDelta) -> Iterator[Twice]:
    names = dict(places_of(TableBody))
    for n, rows in enumerate(machine.bodies, start=1):
        computed = body(rows.m, rows.center)
        for name in _PRODUCTS:
            what = f"{names[name].path.format(n=n)}: from mass and centre; its row"
            yield Twice("products of the bodies", what, getattr(computed, name), getattr(rows, name), "kg m2")
        if 4 <= n <= 8:
            yield Twice("inertia of rods and shafts", f"Jxx{n}; Jyy{n}", rows.jxx, rows.jyy, "kg m2")
