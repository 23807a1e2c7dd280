"""From a parsed TOML document to a robot, with every problem found on the way.

A value that cannot be read does not hide what else is wrong: it is set aside as unknown, and the rest is checked.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

from parapick.errors import FileProblem
from parapick.forms import UNREAD, paths, read_document, source_problems
from parapick.mechanism import Limb, Robot, problems
from parapick.mechanism.plates import Point
from parapick.robots.form import NOT_IN_FILES, file_form
from parapick.robots.robot_file import RobotFile

_STAND_INS: Final[dict[str, Any]] = {
    "name": "unnamed",
    "limb": Limb(arm=math.nan, rod_length=math.nan),
    "plate": Point(),
    "home": (math.nan,) * 3,
}
"""What takes the place of a section that cannot be read, so that the other sections can be checked."""

_HINGES_ON_PLATE: Final = ("home", "base.angles", "base.points")
"""What is checked against the plate, and is not to be judged by a stand-in for it."""

_HINGES_ON_ROD_MODEL: Final = ("limb.rod_center",)
"""What is checked against the rod model, and is not to be judged by the default for one that cannot be read."""


def read_robot(document: Mapping[str, Any]) -> tuple[RobotFile | None, tuple[FileProblem, ...]]:
    """The robot of a document and everything that is wrong with it; no robot where there is a problem.

    Args:
        document: a TOML file as nested dictionaries.
    """
    table, values, of_form = read_document(file_form(), document)
    unread = {name for name, value in values.items() if value is UNREAD}
    if table is None or not unread <= set(_STAND_INS):
        return None, of_form
    contents = table.make({**values, **{name: _STAND_INS[name] for name in unread}})
    known = [*(problem.path for problem in of_form), *unread, *(f"sources.{name}" for name in unread)]
    known += _HINGES_ON_PLATE if "plate" in unread else ()
    known += _HINGES_ON_ROD_MODEL if "limb.rod_model" in known else ()
    of_sense = (
        *problems(contents.robot, documented=contents.cites_document),
        *source_problems(contents.sources, source_paths(contents.robot)),
    )
    later = (problem for problem in of_sense if not any(_is_in(problem.path, path) for path in known))
    wrong = (*of_form, *later)
    return (None if wrong else contents), wrong


def _is_in(path: str, other: str) -> bool:
    return path == other or path.startswith(f"{other}.")


def source_paths(robot: Robot) -> Iterator[str]:
    """Every path of a robot's file for which a source may be given."""
    yield from (path for path in paths(robot) if path.partition(".")[0] not in NOT_IN_FILES)
    yield from ("working_modes", *(f"working_modes.{name}" for name in ("default", *(m.name for m in robot.modes))))
