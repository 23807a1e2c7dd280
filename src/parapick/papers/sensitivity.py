"""Which numbers of a model the verdicts on a document rest on: each is changed by 2 %, verdicts that change counted.

A number that changes no verdict could be wrong by as much without being noticed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, final

from parapick.answer import Column, Table
from parapick.answer.words import percent
from parapick.papers.document import Document
from parapick.papers.reproduction import Reproduction, Told, printed_numbers
from parapick.papers.setup import Setup

CHANGE: Final = 0.02
"""Share by which a number is made larger."""

VARIED: Final[Mapping[str, tuple[str, ...]]] = {
    "nabat2005": (
        *("limb.arm", "limb.rod_length", "limb.rod_mass", "limb.arm_inertia", "plate.mass", "plate.bar_length"),
        *("limits.yaw_max", "speed", "acceleration", "width"),
    ),
    "corbel2010": (
        *("limb.rod_length", "limb.arm", "plate.mass", "plate.radius", "drive.inertia", "load", "moved mass"),
        *("limb.arm_inertia.coefficients.2", "ramp share", "acceleration", "speed", "cylinder radius"),
    ),
    "wu2020": (
        *("limb.arm", "limb.rod_length", "limb.arm_mass", "limb.rod_mass", "plate.mass", "plate.carried_mass"),
        *("plate.pitch", "k_D", "k_P", "lambda"),
    ),
    "righettini2024": (
        *("limb.arm_mass", "limb.rod_mass", "limb.arm_inertia", "limb.rod_inertia", "plate.mass", "drive.inertia"),
        *("drive.rated_torque", "drive.gearbox_inertia", "plate.drive.gearbox_inertia"),
    ),
    "spara": (
        *("limb.arm", "limb.rod_length.3", "limb.arm_mass", "limb.rod_mass.1", "limb.rod_mass.3", "plate.mass"),
        *("base.points.3.3", "speed"),
    ),
}
"""Numbers that are changed, by document: paths in robot files, and names under which documents are computed."""

LEFT_OUT: Final = {"wu2020": ("gains",)}
"""Groups that are not computed again: a search for the best gains takes as long as all else together."""


@final
@dataclass(frozen=True)
class Flipped:
    """What a change of one number does.

    Attributes:
        number: the number.
        flipped: verdicts that change.
        total: verdicts there are.
    """

    number: str
    flipped: int
    total: int


def sensitivity(document: Document, told: Told | None = None) -> tuple[Flipped, ...]:
    """How many verdicts on a document change with each of its named numbers.

    Args:
        document: the document.
        told: called with what is being computed.
    """
    kept = tuple(group for group in document.numbers if group.id not in LEFT_OUT.get(document.key, ()))
    judged = replace(document, numbers=kept)
    plain = [one.verdict for one in printed_numbers(judged, Setup())]
    found = []
    for number in VARIED[document.key]:
        if told is not None:
            told(f"{document.key}, {number} changed by {percent(CHANGE)}")
        changed = [one.verdict for one in printed_numbers(judged, Setup({number: 1.0 + CHANGE}))]
        flips = sum(a is not b for a, b in zip(plain, changed, strict=True))
        found.append(Flipped(number, flips, len(plain)))
    return tuple(found)


def with_sensitivity(found: Reproduction, told: Told | None = None) -> Reproduction:
    """The same with a table of what its verdicts rest on.

    Args:
        found: a document, computed.
        told: called with what is being computed.
    """
    return replace(found, tables=(*found.tables, sensitivity_table(sensitivity(found.document, told))))


def sensitivity_table(found: tuple[Flipped, ...]) -> Table:
    """How many verdicts change with each number, as a table.

    Args:
        found: what `sensitivity` gives.
    """
    rows = tuple((one.number, one.flipped, one.total) for one in found)
    blind = ", ".join(one.number for one in found if not one.flipped)
    note = (
        f"changed by {percent(CHANGE)}, these change no verdict: {blind}"
        if blind
        else "each of them changes some verdict"
    )
    heads = (Column("number"), Column("verdicts that change"), Column("of"))
    title = f"verdicts that change when a number of the model is made {percent(CHANGE)} larger"
    return Table("sensitivity", title, heads, rows, note)
