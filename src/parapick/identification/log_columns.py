"""Which columns of a drive's or a scope's log are what: recognised by usual headings, or named by the user.

A heading states its unit in brackets, `Axis 1 position [deg]`; without one it is SI. Where `{}` stands in a heading,
the number of the motor follows, from 1. A torque may be a share of the motor's rated one, `torque1 [per mille]`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Final, final

from parapick.columns import heading_of
from parapick.errors import ParameterError
from parapick.files import UnreadableError

SPELLINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "t": ("t", "time"),
    "q": (
        "q_meas.{}",
        "q{}",
        "q_{}",
        "q.{}",
        "angle{}",
        "angle_{}",
        "angle.{}",
        "position{}",
        "position_{}",
        "position.{}",
    ),
    "torque": (
        "torque.{}",
        "torque{}",
        "torque_{}",
        "tau{}",
        "tau_{}",
        "tau.{}",
        "force{}",
        "force_{}",
        "force.{}",
    ),
    "current": ("current{}", "current_{}", "current.{}"),
    "command": ("command.{}", "target_torque{}", "target_torque_{}", "torque_ref{}", "torque_ref_{}", "torque_ref.{}"),
    "q_ref": ("q_ref.{}", "q_ref{}", "q_ref_{}", "reference{}", "reference_{}"),
}
"""Headings by which a signal is known, in small letters; the first that a file has counts. `q_meas`, what encoders say,
comes before `q`, since a simulated record has both."""

WORDS: Final = {
    "t": "time",
    "q": "angle of motor {}",
    "torque": "torque of motor {}",
    "current": "current of motor {}",
    "command": "torque that motor {} is asked for",
    "q_ref": "wanted angle of motor {}",
}
"""Signals in words."""

RATED: Final[Mapping[str, float]] = {
    "%": 1e-2,
    "percent": 1e-2,
    "0.1 %": 1e-3,
    "0.1%": 1e-3,
    "\u2030": 1e-3,
    "per mille": 1e-3,
    "permille": 1e-3,
    "1/1000": 1e-3,
}
"""Units of a share of the rated torque; CiA 402 counts object 6077h in the last ones. `of rated` may follow."""

_OF_RATED: Final = re.compile(r"\s*(of )?\s*rated( torque| force)?\s*$", re.IGNORECASE)
_KEY: Final = re.compile(r"(t|q_ref|q|torque|current|command)([0-9]*)")
_LISTED: Final = 24
"""Most headings that a message lists."""


@final
@dataclass(frozen=True)
class LogColumn:
    """A column that was found.

    Attributes:
        heading: its heading as it stands in the file.
        unit: unit that the heading, or the user, states; None for SI.
    """

    heading: str
    unit: str | None


def rated_share(unit: str | None) -> float | None:
    """What one of a unit is of the rated torque; None where it is another unit, or none.

    Args:
        unit: the unit of a column.
    """
    return None if unit is None else RATED.get(_OF_RATED.sub("", unit).strip().lower())


def find_columns(
    file: str | Path, headings: Sequence[str], motors: int, robot: str, given: Mapping[str, str]
) -> dict[str, list[LogColumn]]:
    """Columns of a file by signal, one per motor: t and q, and those of torque, command and q_ref that there are.

    Args:
        file: the file, for messages.
        headings: its headings.
        motors: number of motors.
        robot: its name, for messages.
        given: headings that the user names, by signal (`q`, with `{}` for the motor's number) or by signal and motor
            (`q2`); a heading that lacks its unit may have it here.

    Raises:
        UnreadableError: a column that is needed is missing, or there are columns of more motors than the robot has.
        ParameterError: a signal that there is not.
    """
    stated = _stated(given, motors)
    known = {heading_of(text)[0]: text for text in reversed(headings)}
    counts = Counter(heading_of(text)[0] for text in headings)
    by_signal: dict[str, list[LogColumn]] = {}
    for signal in SPELLINGS:
        columns = _signal(file, known, counts, signal, motors, robot, stated.get(signal, {}))
        if columns:
            by_signal[signal] = columns
    return by_signal


def _stated(given: Mapping[str, str], motors: int) -> dict[str, dict[int, str]]:
    """Headings that are named, by signal and motor; motor 0 for the time and for a pattern of all motors."""
    stated: dict[str, dict[int, str]] = {}
    for key, text in given.items():
        match = _KEY.fullmatch(key)
        if match is None or (match[1] == "t" and match[2]):
            raise ParameterError(
                f"column {key}", f"is not a signal of a log; valid are {', '.join(SPELLINGS)}, or q1, q2"
            )
        motor = int(match[2]) if match[2] else 0
        if motor > motors:
            raise ParameterError(f"column {key}", f"is of motor {motor}; there are {motors} motors")
        if match[1] != "t" and not motor and "{}" not in text:
            message = f"{text!r} has no {{}} in the place of the motor's number; or name them one by one: {key}1=..."
            raise ParameterError(f"column {key}", message)
        stated.setdefault(match[1], {})[motor] = text
    return stated


def _signal(
    file: str | Path,
    known: Mapping[str, str],
    counts: Mapping[str, int],
    signal: str,
    motors: int,
    robot: str,
    stated: Mapping[int, str],
) -> list[LogColumn]:
    """Columns of a signal; none where it need not be there and is not."""
    numbers = (0,) if signal == "t" else range(1, motors + 1)
    pattern = stated.get(0) or next((one for one in SPELLINGS[signal] if _named(one, numbers[0]) in known), "")
    wanted = [stated.get(number) or _named(pattern, number) for number in numbers]
    if not pattern and not stated:
        if signal in ("t", "q"):
            plain = "t" if signal == "t" else "q{}"
            raise UnreadableError(file, _missing(known, signal, numbers[0], (plain, *SPELLINGS[signal])))
        return []
    columns = []
    for number, text in zip(numbers, wanted, strict=True):
        name, unit = heading_of(text)
        if name not in known:
            # Columns of other motors are no answer.
            used = {heading_of(one)[0] for one in wanted}
            free = {name: heading for name, heading in known.items() if name not in used}
            raise UnreadableError(
                file, _missing(known, signal, number, (text,), free, f" ({robot} has {motors} motors)")
            )
        if counts[name] > 1:
            raise UnreadableError(file, f"has {counts[name]} columns {name!r}; each signal needs a heading of its own")
        stated_unit = heading_of(known[name])[1]
        if stated_unit and unit and stated_unit != unit:
            raise UnreadableError(file, f"column {known[name]!r} states {stated_unit}; it is named with {unit}")
        columns.append(LogColumn(known[name], stated_unit or unit))
    more = heading_of(_named(pattern, motors + 1))[0]
    if signal == "q" and "{}" in pattern and more in known:
        raise UnreadableError(file, f"has a column {known[more]!r}; {robot} has {motors} motors")
    return columns


def _named(pattern: str, number: int) -> str:
    return pattern.replace("{}", str(number))


def _missing(
    known: Mapping[str, str],
    signal: str,
    number: int,
    tried: Sequence[str],
    free: Mapping[str, str] | None = None,
    count: str = "",
) -> str:
    """What is missing, what is there, and what of it may be meant."""
    what = WORDS[signal].format(number)
    names = [heading_of(_named(text, max(number, 1)))[0] for text in tried]
    free = known if free is None else free
    close = dict.fromkeys(free[one] for name in names for one in get_close_matches(name, free, n=3, cutoff=0.5))
    there = [*known.values()][::-1]
    listed = ", ".join(there[:_LISTED]) + (", ..." if len(there) > _LISTED else "")
    hint = f"; perhaps {' or '.join(close)}" if close else ""
    key = signal if signal == "t" else f"{signal}{number}"
    return (
        f"has no column {names[0]!r}, the {what}{count}{hint}. There are {listed}; "
        f"name it as {key}=HEADING, or {key}='HEADING [unit]'"
    )
