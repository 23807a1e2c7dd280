"""Masses that stay as they are while the length of their body changes, and the lines of a file that let them follow it.

A uniform bar of length l has the mass m = mu l, its centre of mass at c = l / 2, and the moment of inertia mu l^3 / 12
about its centre, mu l^3 / 3 about an end. Another body of the same section and shape scales as it does. So through the
present numbers (index 0) go `m = (m0 / l0) l`, `c = (c0 / l0) l` and `I = (I0 / l0^3) l^3`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from parapick.errors import Doubt
from parapick.mechanism.robot import Robot
from parapick.mechanism.sizes import length_text
from parapick.parameters import followed, leaves, resolved

POWERS: Final = {
    "limb.arm": {"arm_mass": 1, "arm_center": 1, "arm_inertia": 3},
    "limb.rod_length": {"rod_mass": 1, "rod_center": 1, "rod_inertia": 3},
    "plate.bar_length": {"bar_mass": 1},
    "plate.crossbar_length": {"crossbar_mass": 1},
}
"""Lengths of bodies, and the numbers of each in the same table that grow with a power of it."""


def length_doubts(robot: Robot, changes: Mapping[str, str]) -> tuple[Doubt, ...]:
    """Lengths that change while masses, centres and inertias of their bodies stay, each with the lines that follow it.

    Nothing is said of a number that follows another one, that changes itself, or that is 0 or not stated.

    Args:
        robot: the description before the changes.
        changes: what happens to each number that changes, in words such as "is 400 mm, not 350 mm", by its path; those
            of numbers that are no lengths do not matter.
    """
    return tuple(doubt for length in POWERS if (doubt := _doubt(robot, length, changes)) is not None)


def changed_length_doubts(robot: Robot, changed: Robot) -> tuple[Doubt, ...]:
    """The same for a description of which some numbers were changed.

    Args:
        robot: the description before the changes.
        changed: the description with them.
    """
    numbers = changed_numbers(robot, changed).items()
    return length_doubts(
        robot, {path: f"is {length_text(now)}, not {length_text(then)}" for path, (then, now) in numbers}
    )


def changed_numbers(robot: Robot, other: Robot) -> dict[str, tuple[float, float]]:
    """Numbers that both descriptions have and that differ: those of both (SI), by path.

    Args:
        robot: a description.
        other: another one.
    """
    numbers, others = dict(leaves(resolved(robot))), dict(leaves(resolved(other)))
    return {path: (n, others[path]) for path, n in numbers.items() if path in others and others[path] != n}


def _doubt(robot: Robot, length: str, changes: Mapping[str, str]) -> Doubt | None:
    """The doubt about one length; None where nothing of its body is left behind."""
    words = [text for path, text in changes.items() if path == length or path.startswith(f"{length}.")]
    table = length.partition(".")[0]
    lengths = _entries(_at(robot, length))
    # A number that follows another one cannot be followed itself.
    if not words or not all(isinstance(value, float) and value > 0.0 for value in lengths):
        return None
    lines = {}
    for name, power in POWERS[length].items():
        path = f"{table}.{name}"
        if _stays(_at(robot, path)) and not any(f"{other}.".startswith(f"{path}.") for other in changes):
            lines[name] = f"{name} = {_following(robot, length, path, power)}"
    if not lines:
        return None
    *others, last = lines
    stay = f"{', '.join(others)} and {last} stay as they are" if others else f"{last} stays as it is"
    message = f"{words[0]}, and {stay}; by these lines under [{table}] the body is a uniform bar of any length"
    return Doubt(length, message, lines=tuple(lines.values()))


def _at(robot: Robot, path: str) -> Any:
    """What a description has at a path; None where it has no such field."""
    try:
        return followed(robot, path)
    except KeyError:
        return None


def _entries(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _stays(value: Any) -> bool:
    """Whether there is a mass that follows nothing."""
    entries = _entries(value)
    return all(isinstance(entry, float) for entry in entries) and any(entries)


def _following(robot: Robot, length: str, path: str, power: int) -> str:
    """A number, or a list of one a leg, that follows the length of its body, as a file has it."""
    lengths, numbers = _at(robot, length), _at(robot, path)
    if not isinstance(lengths, tuple) and not isinstance(numbers, tuple):
        return _table(length, numbers / lengths**power, power)
    count = max(len(_entries(lengths)), len(_entries(numbers)))
    rows = zip(_repeated(length, lengths, count), _repeated(path, numbers, count), strict=True)
    return f"[{', '.join(_table(of, number / size**power, power) for (of, size), (_, number) in rows)}]"


def _repeated(path: str, value: Any, count: int) -> Iterator[tuple[str, float]]:
    """Path and number of every leg."""
    for leg in range(count):
        yield (f"{path}.{leg + 1}", value[leg]) if isinstance(value, tuple) else (path, value)


def _table(of: str, coefficient: float, power: int) -> str:
    coefficients = ", ".join([*["0"] * power, f"{coefficient:.9g}"])
    return f'{{ of = "{of}", coefficients = [{coefficients}] }}'
