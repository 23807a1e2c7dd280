"""`parapick reproduce`."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from parapick.cli.arguments import Json
from parapick.cli.files import made_folder
from parapick.cli.progress import watched

Key = Annotated[str | None, Parameter(help="A document, such as corbel2010; all of them if not given.")]


def reproduce(key: Key = None, /, *, out: str | None = None, as_json: Json = False) -> int:
    """The source documents, computed again: every printed number with a verdict.

    Args:
        key: A document, such as corbel2010; all of them if not given.
        out: Write an HTML page for each document into this folder, with figures, and with what its verdicts rest on.
        as_json: Print one JSON document instead.
    """
    from parapick.cli.printing import print_answer
    from parapick.papers import (
        DOCUMENTS,
        document,
        reproduce as computed,
        reproduction_answer,
        with_sensitivity,
        write_pages,
    )

    documents = list(DOCUMENTS.values()) if key is None else [document(key)]
    folder = None if out is None else made_folder(out)
    pages = {}
    with watched("computing") as progress:
        reproductions = [computed(entry, progress=progress) for entry in documents]
        if folder is not None:
            reproductions = [with_sensitivity(entry, progress) for entry in reproductions]
            pages = write_pages(reproductions, folder, progress)
    return print_answer(reproduction_answer(reproductions, listed=key is not None), as_json=as_json, files=pages)
