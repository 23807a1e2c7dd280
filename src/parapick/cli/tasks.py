"""`parapick tasks`."""

from __future__ import annotations

from parapick.cli.arguments import Json


def tasks(*, as_json: Json = False) -> int:
    """List the shipped tasks."""
    from parapick.cli.printing import print_answer
    from parapick.tasks.files import tasks_answer

    return print_answer(tasks_answer(), as_json=as_json)
