"""`parapick reproduce`."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from parapick.cli.arguments import Json
from parapick.cli.tables import busy

Key = Annotated[str | None, Parameter(help="A document, such as corbel2010; all of them if not given.")]


def reproduce(key: Key = None, /, *, out: str | None = None, as_json: Json = False) -> int:
    """Compute the source documents again: every printed number with a verdict, their errata with evidence.

    Args:
        key: A document, such as corbel2010; all of them if not given.
        out: Write an HTML page for each document into this folder.
        as_json: Print one JSON document instead.
    """
    from parapick.cli.printing import print_answer
    from parapick.papers import DOCUMENTS, document
    from parapick.papers.reproduction import reproduce as computed
    from parapick.papers.reproduction_answer import reproduction_answer

    documents = list(DOCUMENTS.values()) if key is None else [document(key)]
    with busy("computing") as tell:
        found = [computed(one, told=tell) for one in documents]
    return print_answer(reproduction_answer(found, listed=key is not None), as_json=as_json, files={})
