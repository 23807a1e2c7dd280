"""`parapick schema`."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from parapick.cli.tables import print_document


def schema(
    what: Annotated[
        Literal["robot", "task", "controller", "study"], Parameter(help="What the files describe.")
    ] = "robot",
    /,
) -> int:
    """Print the JSON Schema of robot, task, controller or study files."""
    if what == "task":
        from parapick.tasks import task_schema

        print_document(task_schema())
    elif what == "controller":
        from parapick.control import controller_schema

        print_document(controller_schema())
    elif what == "study":
        from parapick.study import study_schema

        print_document(study_schema())
    else:
        from parapick.robots.form import json_schema

        print_document(json_schema())
    return 0
