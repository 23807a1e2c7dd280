"""`parapick schema`."""

from __future__ import annotations

from parapick.cli.tables import print_json

__all__ = ["schema"]


def schema() -> int:
    """Print the JSON Schema of robot files."""
    from parapick.robots.form import json_schema

    print_json(json_schema())
    return 0
