"""Tolerances as people state them, by path, and what each source of error is allowed by them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, final

import numpy as np

from parapick.accuracy.sources import Source, sources_of
from parapick.errors import ParameterError, ParapickError
from parapick.mechanism import Robot
from parapick.parameters import leaves, units_of
from parapick.units import parse, range_objection

LENGTH: Final = 1e-4
"""Tolerance of lengths and places (m) where none is given: what a good workshop keeps without being asked."""

ANGLE: Final = math.radians(0.02)
"""Tolerance of directions and joint zeros (rad) where none is given: 0.1 mm at the end of an arm of 0.3 m."""

_ORDINARY: Final = ("limb.arm", "limb.rod_length", "base.place", "base.direction", "plate.place", "joint.zero")
"""What has a tolerance where none is given; a robot on rails has no arms."""

DISTRIBUTIONS: Final = {"uniform": 3.0**-0.5, "normal": 1.0 / 3.0}
"""How errors are spread, and their standard deviation as a share of the tolerance: evenly up to it, or by Gauss with
the tolerance at three standard deviations."""


@final
@dataclass(frozen=True)
class Tolerance:
    """A tolerance, and what it is of.

    Attributes:
        path: as it was given, such as `limb.arm`.
        amount: the number that was given (SI): to either side, or whole for backlash and encoder steps.
        unit: its SI unit.
        sources: the errors it allows, none of which has a tolerance with a longer path.
    """

    path: str
    amount: float
    unit: str
    sources: tuple[Source, ...]

    @property
    def bounds(self) -> np.ndarray:
        """Largest size of every error (k,), m and rad."""
        return self.amount * np.array([source.share for source in self.sources])


def exact_sources(robot: Robot, tolerances: Sequence[Tolerance]) -> tuple[Source, ...]:
    """Errors that count as none, because no tolerance, or one of 0, is stated for them.

    Args:
        robot: the description, without numbers that follow others.
        tolerances: what is stated.
    """
    inexact = {source.name for tolerance in tolerances if tolerance.amount for source in tolerance.sources}
    return tuple(source for source in sources_of(robot) if source.name not in inexact)


def short_names(robot: Robot, sources: Sequence[Source]) -> tuple[str, ...]:
    """Errors by the path of their field where all of a field are among them, else each by its own name.

    Args:
        robot: the description, without numbers that follow others.
        sources: the errors.
    """
    counts = Counter(_shorter(source.name) for source in sources_of(robot))
    there = Counter(_shorter(source.name) for source in sources)
    whole = {field for field, count in there.items() if count == counts[field]}
    names = (_shorter(source.name) if _shorter(source.name) in whole else source.name for source in sources)
    return tuple(dict.fromkeys(names))


def tolerances_of(robot: Robot, stated: Mapping[str, float | str] | None) -> tuple[Tolerance, ...]:
    """Tolerances with the errors they allow, in the order given.

    Args:
        robot: the description, without numbers that follow others.
        stated: tolerance by path, SI or a text with its unit, such as `{"limb.arm": "0.05 mm"}`. A path holds for
            everything below it; the longest path counts. None for ordinary ones.

    Raises:
        ParameterError: a path that is none of a length or an angle, or an amount that no tolerance can have.
    """
    known = sources_of(robot)
    amounts = ordinary(known) if stated is None else stated
    units = {path: _unit(robot, path, known) for path in amounts}
    numbers = {path: amount_of(path, amounts[path], unit) for path, unit in units.items()}
    if not any(numbers.values()):
        raise ParameterError("tolerances", "are all 0, or none is given; give one that is greater, such as limb.arm")
    owners = {source.name: _owner(source, amounts) for source in known}
    allowed = tuple(
        Tolerance(path, numbers[path], units[path], tuple(source for source in known if owners[source.name] == path))
        for path in amounts
    )
    for tolerance in allowed:
        check_size(robot, tolerance)
    return allowed


def check_size(robot: Robot, tolerance: Tolerance) -> None:
    """Raise if a length could be built as nothing, or with another sign: no tolerance is as large as what it is of.

    Args:
        robot: the description, without numbers that follow others.
        tolerance: the tolerance.
    """
    stated = dict(leaves(robot))
    for source in tolerance.sources:
        nominal = abs(stated.get(source.path, 0.0))
        if source.unit == "m" and 0.0 < nominal <= tolerance.amount:
            raise ParameterError(
                tolerance.path,
                f"is {tolerance.amount:g} m, and {source.path} itself is {nominal:g} m; a tolerance is smaller than "
                "what it is of, and a number without unit is in m",
            )


def ordinary(known: Sequence[Source]) -> dict[str, float]:
    """Ordinary tolerances by path (m, rad), of what a robot has.

    Args:
        known: everything that may be wrong with it.
    """
    units = {path: source.unit for path in _ORDINARY for source in known if _holds(path, source)}
    return {path: LENGTH if unit == "m" else ANGLE for path, unit in units.items()}


def _holds(path: str, source: Source) -> bool:
    return f"{source.name}.".startswith(f"{path}.")


def _owner(source: Source, paths: Mapping[str, object]) -> str | None:
    """The longest of the paths that hold for an error."""
    return max((path for path in paths if _holds(path, source)), key=len, default=None)


def _unit(robot: Robot, path: str, known: Sequence[Source]) -> str:
    """Unit of what a path holds for.

    Raises:
        ParameterError: it holds for nothing that can be wrong, or for lengths and angles at once.
    """
    units = {source.unit: source.name for source in known if _holds(path, source)}
    if len(units) == 1:
        return next(iter(units))
    if units:
        names = " or ".join(_shorter(name) for name in units.values())
        raise ParameterError(path, f"has lengths and angles; give a tolerance of each, such as {names}")
    raise ParameterError(path, _unknown(robot, path, known))


def _shorter(name: str) -> str:
    """The name of an error without its leg and direction."""
    return ".".join(name.split(".")[:2])


def _unknown(robot: Robot, path: str, known: Sequence[Source]) -> str:
    other = [unit for leaf, unit in units_of(robot) if f"{leaf}.".startswith(f"{path}.")]
    names = sorted({".".join(source.name.split(".")[:length]) for source in known for length in (2, 3, 4)})
    fields = ", ".join(sorted({_shorter(source.name) for source in known}))
    if other:
        what = f"in {other[0]}" if other[0] else "a pure number or a pose"
        return f"is {what}, no length or angle that is built; there are {fields}"
    close = get_close_matches(path, names, n=3)
    hint = f"did you mean {' or '.join(close)}?" if close else f"there are {fields}"
    return f"is not a number of this robot; {hint}"


def amount_of(path: str, stated: float | str, unit: str) -> float:
    """A tolerance (SI) as it is stated.

    Args:
        path: what it is of.
        stated: SI, or a text with its unit.
        unit: SI unit.

    Raises:
        ParameterError: no tolerance can be this.
    """
    try:
        amount = parse(stated, unit) if isinstance(stated, str) else float(stated)
    except (ParapickError, TypeError, ValueError) as error:
        raise ParameterError(path, str(error)) from error
    if not amount >= 0.0:
        raise ParameterError(path, f"is {stated}; a tolerance is 0 or greater")
    if objection := range_objection(amount, unit):
        raise ParameterError(path, objection)
    return amount
