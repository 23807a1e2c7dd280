"""`parapick schema`."""

from __future__ import annotations

from parapick.cli.tables import print_document

__all__ = ["schema"]


def schema() -> int:
    """Print the JSON Schema of robot files."""
    from parapick.robots.schema import json_schema

    print_document(json_schema())
    return 0
