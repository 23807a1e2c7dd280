"""`parapick schema`."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from parapick.catalogue import KINDS, kinds_in_words
from parapick.cli.tables import print_document


def schema(  # noqa: D103 (stated below: it names the kinds)
    what: Annotated[Literal[tuple(KINDS)], Parameter(help="What the files describe.")] = "robot",  # pyright: ignore[reportInvalidTypeForm]
    /,
) -> int:
    print_document(KINDS[what].schema())
    return 0


schema.__doc__ = f"Print the JSON Schema of {kinds_in_words()} files."
