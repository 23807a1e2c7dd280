"""Free and dependent numbers of a study as its file states them, in the units of the robot's fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from parapick.errors import ParameterError
from parapick.fields import Quantity
from parapick.forms import UNREAD, FilePlace, Number, Whole, Word
from parapick.limits import MOST, count_objection
from parapick.mechanism import Robot, replaced
from parapick.parameters import leaves
from parapick.search import Free
from parapick.study.choices import read_choice
from parapick.study.design_space import Dependent, DesignSpace, quantities
from parapick.study.forms import FOLLOWS, RANGE, flattened
from parapick.toml import in_words

if TYPE_CHECKING:
    from parapick.study.description import StudyFile


def space_of(file: StudyFile, robot: Robot, place: FilePlace) -> DesignSpace:
    """The designs that a file describes.

    Args:
        place: where the file's problems are noted.
    """
    parameters, dependent = file.parameters, file.dependent
    if not parameters and not file.choices:
        example = '"limb.arm" = { from = 0.2, to = 0.3 }'
        place.at("parameters").refuse(f"nothing is free; name a number of the robot, such as {example}, or a choice")
    units = {path: stated.unit for path, stated, _ in quantities(robot)}
    known = {path for path, _ in leaves(robot)}
    free = []
    for path, value in parameters.items():
        here = place.at("parameters").at(path)
        if _exists(robot, path, here):
            free.append(_free(path, units.get(path, ""), value, here))
    chosen = [read_choice(name, value, robot, place) for name, value in file.choices.items()]
    free += chosen
    taken = _twice([number for number in free if number is not None], place)
    following: list[Dependent] = []
    stated = dict(flattened(dependent, FOLLOWS))
    for path, value in stated.items():
        here = place.at("dependent").at(path)
        if path in taken:
            here.refuse("is free already; leave one of the two out")
        elif _exists(robot, path, here):
            follower = _dependent(path, units, value, known, here)
            later = set(follower.of if follower else ()) & set(stated) - {earlier.path for earlier in following}
            if later:
                here.refuse(f"follows {min(later)}, which is not stated above it; state it after what it follows")
            following += [] if follower is None else [follower]
    return DesignSpace(robot, tuple(number for number in free if number is not None), tuple(following))


def _twice(free: list[Free], place: FilePlace) -> set[str]:
    """Paths of all free numbers; one that is free twice is refused."""
    taken: set[str] = set()
    headings: set[str] = set()
    for number in free:
        if number.path.lower() in headings:
            place.at("choices").at(number.path).refuse("is the name of another column of the table; choose another one")
        headings.add(number.path.lower())
        for path in set(number.paths) & taken:
            place.at("choices").at(number.path).refuse(f"sets {path}, which is free already; leave one of the two out")
        taken |= set(number.paths)
    return taken


def _exists(robot: Robot, path: str, place: FilePlace) -> bool:
    try:
        replaced(robot, {path: 0.0})
    except ParameterError as error:
        place.refuse(error.message)
        return False
    return True


def _free(path: str, unit: str, value: Any, place: FilePlace) -> Free | None:
    """A free number: a list of its values, or a table with a range, values, a step or a count."""
    number, problems = Number(Quantity(unit, path)), len(place.problems)
    if isinstance(value, list):
        value = {"values": value}
    if not isinstance(value, Mapping) or set(value) - set(RANGE) or not ("values" in value) ^ ("from" in value):
        example = "[0.2, 0.25], or { from = 0.2, to = 0.3 } with step, count or choose"
        place.refuse(f"is {in_words(value)}; a free number is a list of values such as {example}")
        return None
    choose = value.get("choose")
    if choose is not None:
        choose = Word(("lowest", "highest", "best")).read(choose, place.at("choose"))
    if "values" in value:
        listed = value["values"] if isinstance(value["values"], list) else [value["values"]]
        values = [number.read(entry, place.at("values").at(i)) for i, entry in enumerate(listed)]
        if not listed:
            place.refuse("is empty; list at least one value")
        if len(place.problems) > problems:
            return None
        return Free(path, unit, min(values), max(values), tuple(values), listed=True, choose=choose)
    return _range(path, value, choose, number, place)


def _range(path: str, value: Mapping[str, Any], choose: Any, number: Number, place: FilePlace) -> Free | None:
    unit, problems = number.stated.unit, len(place.problems)
    if "to" not in value:
        place.at("to").refuse("is missing: the other end of the range")
        return None
    low, high = (number.read(value[side], place.at(side)) for side in ("from", "to"))
    step = number.read(value["step"], place.at("step")) if "step" in value else None
    count = Whole(2, MOST["values"]).read(value["count"], place.at("count")) if "count" in value else None
    if len(place.problems) > problems:
        return None
    if not low < high:
        place.refuse(f"is an empty range, from {low:g} to {high:g} {unit}".rstrip() + "; give from < to")
        return None
    if step is not None:
        if not 0 < step <= high - low:
            place.at("step").refuse(f"is {step:g}; it must be greater than 0 and at most the range, {high - low:g}")
            return None
        if objection := count_objection("values", (high - low) / step + 1.0):
            least = (high - low) / (MOST["values"] - 1)
            place.at("step").refuse(f"is {step:g}; its number of values {objection}, which a step of {least:.3g} makes")
            return None
        # Rounded where it is meant: ten steps of a hundredth are a tenth.
        values = tuple(round(low + i * step, 12) for i in range(int((high - low) / step + 1e-9) + 1))
    else:
        values = tuple(np.linspace(low, high, count).tolist()) if count else ()
    return Free(path, unit, low, high, values, choose=choose)


def _dependent(path: str, units: Mapping[str, str], value: Any, known: set[str], place: FilePlace) -> Dependent | None:
    if not isinstance(value, Mapping) or "of" not in value or set(value) - set(FOLLOWS):
        place.refuse('must be a table such as { of = "workspace.z_min", times = 1, plus = "100 mm" }')
        return None
    of = value["of"] if isinstance(value["of"], list) else [value["of"]]
    times = value.get("times", 1.0)
    times = times if isinstance(times, list) else [times] * len(of)
    unknown = [other for other in of if not isinstance(other, str) or other not in known]
    if unknown:
        place.at("of").refuse(f"names {in_words(unknown[0])}, which is not a number of this robot")
        return None
    factor = Number(Quantity("", "factor"))
    factors = [factor.read(entry, place.at("times")) for entry in times]
    plus = Number(Quantity(units.get(path, ""), "plus")).read(value.get("plus", 0.0), place.at("plus"))
    if len(times) != len(of):
        place.at("times").refuse(f"is a list of {len(times)}; give one factor for each of the {len(of)} it follows")
        return None
    return None if UNREAD in (*factors, plus) else Dependent(path, tuple(of), tuple(factors), plus)
