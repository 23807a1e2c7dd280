"""`parapick robots`, `parapick tasks` and so on: the shipped files of every kind in the catalogue."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parapick.catalogue import KINDS
from parapick.cli.arguments import Json
from parapick.forms import FileKind


def listing(kind: FileKind[Any]) -> Callable[..., int]:
    """The command that lists the shipped files of a kind."""

    def command(*, as_json: Json = False) -> int:
        from parapick.cli.printing import print_answer

        return print_answer(kind.answer(), as_json=as_json)

    command.__doc__ = f"List the shipped {kind.plural}."
    command.__name__ = kind.plural
    return command


# The list of commands names them as functions of this module.
globals().update({kind.plural: listing(kind) for kind in KINDS.values()})
