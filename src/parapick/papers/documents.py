"""The documents by their keys: every folder here that holds a `document.toml` is one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from parapick.papers.document import RECORD, Document, Erratum, UnknownDocumentError, read_document

_YEAR: Final = re.compile(r"\d{4}$")
"""The year by which a key cites a document: not all of them state when they were published."""


def _age(key: str) -> tuple[str, str]:
    """What documents are sorted by: the year of their key, those without one last."""
    year = _YEAR.search(key)
    return ("9999" if year is None else year[0]), key


def _keys() -> list[str]:
    """Names of the folders that hold a document, oldest first."""
    return sorted((path.parent.name for path in Path(__file__).parent.glob(f"*/{RECORD}")), key=_age)


DOCUMENTS: Final[Mapping[str, Document]] = MappingProxyType({key: read_document(key) for key in _keys()})
"""Document by key, oldest first."""


def document(key: str) -> Document:
    """Look a document up by its key.

    Args:
        key: such as `corbel2010`.

    Raises:
        UnknownDocumentError: there is no such document; the error lists those there are.
    """
    try:
        return DOCUMENTS[key]
    except KeyError:
        raise UnknownDocumentError(key, tuple(DOCUMENTS)) from None


def erratum(key: str, erratum_id: str) -> Erratum:
    """Look an erratum up, as docstrings cite it.

    Args:
        key: key of the document, such as `corbel2010`.
        erratum_id: id within the document, such as `E2`.

    Raises:
        UnknownDocumentError: there is no such document.
        UnknownErratumError: the document has no such erratum; the error lists those it has.
    """
    return document(key).erratum(erratum_id)
