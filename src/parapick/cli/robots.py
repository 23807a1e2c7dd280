"""`parapick robots`."""

from __future__ import annotations

from parapick.cli.arguments import Json


def robots(*, as_json: Json = False) -> int:
    """List the shipped robots."""
    from parapick.cli.printing import print_answer
    from parapick.robots.files import robots_answer

    return print_answer(robots_answer(), as_json=as_json)
