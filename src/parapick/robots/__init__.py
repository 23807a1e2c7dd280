"""Robots as files: the shipped ones, and your own in the same form.

A robot is one TOML file whose tables are the description's fields, path for path; numbers may carry units, and
every number says where it is from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import fetching
from parapick.robots.contents import RobotEntry, RobotFile
from parapick.robots.files import check_file, list_robots, load, load_robot
from parapick.robots.saving import save

if TYPE_CHECKING:
    from parapick.robots.starting import new_robot

__all__ = ["RobotEntry", "RobotFile", "check_file", "list_robots", "load", "load_robot", "new_robot", "save"]

# It writes TOML, for which most programs have no use.
__getattr__ = fetching(__name__, {"starting": ("new_robot",)})
