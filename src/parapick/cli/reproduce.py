"""`parapick reproduce`."""

from __future__ import annotations

from typing import Annotated, Final

from cyclopts import Parameter

from parapick.cli.arguments import Files, Json
from parapick.cli.outputs import FOLDER, Output, Outputs, contents, out_parameter, written_in
from parapick.cli.progress import watched

OUTPUTS: Final = Outputs(
    Output("pages", "a page for each document, with figures and what its verdicts rest on", (FOLDER,))
)

Key = Annotated[str | None, Parameter(help="A document, such as corbel2010; all of them if not given.")]


def reproduce(key: Key = None, /, *, out: Annotated[Files, out_parameter(OUTPUTS)] = (), as_json: Json = False) -> int:
    """The source documents, computed again: every printed number with a verdict.

    Args:
        key: A document, such as corbel2010; all of them if not given.
        out: What is written.
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
    folders = [target.path for target in OUTPUTS.targets(out).of("pages")]
    pages = {}
    with watched("computing") as progress:
        reproductions = [computed(entry, progress=progress) for entry in documents]
        if folders:
            reproductions = [with_sensitivity(entry, progress) for entry in reproductions]
        for folder in folders:
            before = contents(folder)
            pages |= written_in(before, write_pages(reproductions, folder, progress))
    return print_answer(reproduction_answer(reproductions, listed=key is not None), as_json=as_json, files=pages)
