"""`parapick tasks`."""

from __future__ import annotations

import dataclasses

from parapick.cli.arguments import Json
from parapick.cli.tables import print_json, print_table

__all__ = ["tasks"]


def tasks(*, as_json: Json = False) -> int:
    """List the shipped tasks."""
    from parapick.tasks import list_tasks

    entries = list_tasks()
    if as_json:
        print_json({"tasks": [{**dataclasses.asdict(entry), "path": str(entry.path)} for entry in entries]})
        return 0
    print_table(("name", "kind", "title"), [(entry.name, entry.kind, entry.title) for entry in entries])
    return 0
