"""Robots as files: the shipped ones, and your own in the same form.

A robot is one TOML file whose tables are the description's fields, path for path; numbers may carry units, and
every number says where it is from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.robots.choosing import (
        RobotChoice as RobotChoice,
        model_of as model_of,
    )
    from parapick.robots.files import (
        ROBOTS as ROBOTS,
        list_robots as list_robots,
        load as load,
        load_robot as load_robot,
    )
    from parapick.robots.new_file import (
        new_path as new_path,
        new_robot as new_robot,
    )
    from parapick.robots.number_rows import (
        number_rows as number_rows,
        row_texts as row_texts,
    )
    from parapick.robots.reading import (
        read_robot as read_robot,
    )
    from parapick.robots.robot_answer import (
        robot_answer as robot_answer,
    )
    from parapick.robots.robot_file import (
        RobotEntry as RobotEntry,
        RobotFile as RobotFile,
    )
    from parapick.robots.saving import (
        save as save,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "choosing": "RobotChoice model_of",
        "files": "ROBOTS list_robots load load_robot",
        "new_file": "new_path new_robot",
        "number_rows": "number_rows row_texts",
        "reading": "read_robot",
        "robot_answer": "robot_answer",
        "robot_file": "RobotEntry RobotFile",
        "saving": "save",
    },
)
