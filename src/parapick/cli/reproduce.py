"""`parapick reproduce`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from parapick.cli.arguments import Json
from parapick.cli.files import made_folder
from parapick.cli.tables import busy

if TYPE_CHECKING:
    from parapick.papers.reproduction import Reproduction

Key = Annotated[str | None, Parameter(help="A document, such as corbel2010; all of them if not given.")]


def reproduce(key: Key = None, /, *, out: str | None = None, as_json: Json = False) -> int:
    """The source documents, computed again: every printed number with a verdict.

    Args:
        key: A document, such as corbel2010; all of them if not given.
        out: Write an HTML page for each document into this folder, with figures, and with what its verdicts rest on.
        as_json: Print one JSON document instead.
    """
    from parapick.cli.printing import print_answer
    from parapick.papers import DOCUMENTS, document
    from parapick.papers.reproduction import reproduce as computed
    from parapick.papers.reproduction_answer import reproduction_answer
    from parapick.papers.sensitivity import with_sensitivity

    documents = list(DOCUMENTS.values()) if key is None else [document(key)]
    folder = None if out is None else made_folder(out)
    with busy("computing") as tell:
        found = [computed(one, told=tell) for one in documents]
        if folder is not None:
            found = [with_sensitivity(one, tell) for one in found]
        pages = {} if folder is None else _pages(found, folder, tell)
    return print_answer(reproduction_answer(found, listed=key is not None), as_json=as_json, files=pages)


def _pages(found: Sequence[Reproduction], folder: Path, told: Callable[[str], None]) -> dict[str, Path]:
    from parapick.papers.page import write_pages

    return write_pages(found, folder, told)
