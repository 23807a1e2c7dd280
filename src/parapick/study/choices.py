"""Choices of a study: options by name, each of which sets several numbers of the robot at once, as a motor does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from parapick.errors import ParameterError
from parapick.forms import FilePlace
from parapick.mechanism import Robot, replaced
from parapick.names import NAME_MAX, choice_objection, printable
from parapick.parameters import leaves
from parapick.search import Free
from parapick.study.forms import flattened
from parapick.study.study_measures import STUDY_MEASURES

_OWN: Final = ("feasible", "fault", "reason", "use", "ended")
"""Columns that every table has."""


def read_choice(name: str, value: Any, robot: Robot, place: FilePlace) -> Free | None:
    """A choice; None where there is a problem with it.

    Args:
        name: its name.
        value: its options by name, as the file has them.
        place: where the file's problems are noted.
    """
    here = place.at("choices").at(printable(name[:NAME_MAX]))
    if objection := choice_objection(name):
        here.refuse(objection)
        return None
    # Names of columns differ by more than capitals.
    taken = {column.lower() for column in (*STUDY_MEASURES, *dict(leaves(robot)), *_OWN)}
    if name.lower() in taken or name.lower().endswith("_slack"):
        here.refuse("is the name of another column of the table; choose another one")
        return None
    if not isinstance(value, Mapping) or not value or not all(isinstance(stated, Mapping) for stated in value.values()):
        here.refuse('must be a table of options, such as small = { "drive.peak_torque" = "60 N m" }')
        return None
    wrong = {option: choice_objection(option) for option in value}
    for option, objection in wrong.items():
        if objection:
            here.at(printable(option[:NAME_MAX])).refuse(objection)
    if any(wrong.values()):
        return None
    numbers = [_numbers(stated, robot, here.at(option)) for option, stated in value.items()]
    if None in numbers:
        return None
    known: list[dict[str, float]] = [stated for stated in numbers if stated is not None]
    for option, stated in zip(value, known, strict=True):
        lacking = sorted(set().union(*known) - set(stated))
        if lacking or not stated:
            here.at(option).refuse(f"does not state {', '.join(lacking) or 'any number'}; every option states the same")
            return None
    last = float(len(known) - 1)
    return Free(
        name,
        "",
        0.0,
        last,
        tuple(map(float, range(len(known)))),
        listed=True,
        options=tuple(value),
        sets=tuple((path, tuple(option[path] for option in known)) for path in known[0]),
    )


def _numbers(option: Mapping[str, Any], robot: Robot, place: FilePlace) -> dict[str, float] | None:
    """What an option sets, SI by path; None where it is refused."""
    stated, numbers = dict(flattened(option, ())), {}
    for path, value in stated.items():
        try:
            changed = dict(leaves(replaced(robot, {path: value})))
        except ParameterError as error:
            place.at(path).refuse(error.message)
            return None
        numbers[path] = changed[path]
    return numbers
