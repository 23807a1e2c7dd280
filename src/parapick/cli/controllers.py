"""`parapick controllers`."""

from __future__ import annotations

from parapick.cli.arguments import Json


def controllers(*, as_json: Json = False) -> int:
    """List the shipped controllers."""
    from parapick.cli.printing import print_answer
    from parapick.control.files import controllers_answer

    return print_answer(controllers_answer(), as_json=as_json)
