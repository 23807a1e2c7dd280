"""`parapick robots`."""

from __future__ import annotations

import dataclasses

from parapick.cli.arguments import Json
from parapick.cli.tables import print_json, print_table

__all__ = ["robots"]


def robots(*, as_json: Json = False) -> int:
    """List the shipped robots."""
    from parapick.robots import list_robots

    entries = list_robots()
    if as_json:
        print_json({"robots": [{**dataclasses.asdict(entry), "path": str(entry.path)} for entry in entries]})
        return 0
    heads = ("name", "motors", "freedoms", "plate", "title")
    cells = [(e.name, str(e.motors), str(e.dof), e.plate, e.title) for e in entries]
    print_table(heads, cells, numbers=(1, 2))
    return 0
